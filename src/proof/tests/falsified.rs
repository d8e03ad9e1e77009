//! Everything that can be wrong with a proof: falsified, damaged, random.

use super::*;

#[test]
fn an_edited_answer_is_refused_by_position() {
    let folder = Folder::new();
    for board in ["4x5", "5x5"] {
        let (_, good) = draft(&folder, board, &[]);
        let path = folder.path("edited");
        let (mut refused, mut held) = (0, 0);
        for class in 0..good.classes.len() {
            for at in 0..good.classes[class].numbers.len() {
                let shown = good.shown(class, at);
                let position: Position = shown.parse().unwrap();
                let moves = position.moves().len() as u64;
                for answer in (0..=moves).filter(|&answer| answer != good.classes[class].answers[at]) {
                    let mut edited = good.clone();
                    edited.classes[class].answers[at] = answer;
                    edited.write(&path);
                    match verdict(&path) {
                        // Another answer that wins by positions that are there is no fault.
                        Ok(_) => {
                            assert!(answer < moves);
                            held += 1;
                        }
                        Err(CheckError::Wrong { place, reason }) => {
                            assert_eq!(place, shown);
                            let expected = if answer == moves { "its answer is move" } else { "there is no answer of" };
                            assert!(reason.contains(expected), "{reason}");
                            refused += 1;
                        }
                        other => panic!("{other:?}"),
                    }
                }
            }
        }
        assert!(refused > 15 && held < refused / 4, "{board}: {refused} refused, {held} held");
    }
}

#[test]
fn a_missing_answer_is_refused() {
    let folder = Folder::new();
    let (_, good) = draft(&folder, "5x5", &[]);
    let path = folder.path("edited");
    for class in 0..good.classes.len() {
        for at in 0..good.classes[class].numbers.len() {
            let mut edited = good.clone();
            edited.classes[class].numbers.remove(at);
            edited.classes[class].answers.remove(at);
            edited.write(&path);
            let (place, reason) = wrong(&path);
            let missing = good.shown(class, at);
            assert!(place == missing || reason.contains(&missing), "{place}: {reason}");
        }
    }
}

#[test]
fn a_wrong_root_and_a_win_for_the_loser_are_refused() {
    let folder = Folder::new();
    let path = folder.path("edited");
    let (_, good) = draft(&folder, "5x5", &[]);
    good.write_changed(&path, &|header| header.winner = "white".to_owned());
    assert!(wrong(&path).0.starts_with("Black's first removal"), "{:?}", wrong(&path));
    good.write_changed(&path, &|header| header.openings.clear());
    assert!(wrong(&path).1.contains("of no first removal"), "{:?}", wrong(&path));
    good.write_changed(&path, &|header| header.openings = vec!["a5:e1".to_owned()]);
    assert!(wrong(&path).1.contains("of no first removal"), "{:?}", wrong(&path));
    good.write_changed(&path, &|header| header.removals = Some(("corner".to_owned(), "adjacent".to_owned())));
    assert!(wrong(&path).1.contains("of no first removal"), "{:?}", wrong(&path));

    let (_, good) = draft(&folder, "5x6", &["c3:b3"]);
    good.write_changed(&path, &|header| header.winner = "black".to_owned());
    let (place, reason) = wrong(&path);
    assert_eq!(place, "xoxoxo/oxoxox/x..oxo/oxoxox/xoxoxo x");
    assert!(reason.contains("no answer of Black"), "{reason}");
    good.write_changed(&path, &|header| header.openings = vec!["a5:b5".to_owned()]);
    assert_eq!(wrong(&path).0, "..xoxo/oxoxox/xoxoxo/oxoxox/xoxoxo x");
    good.write_changed(&path, &|header| header.openings = vec!["c3:b3".to_owned(), "c3:c4".to_owned()]);
    assert_eq!(wrong(&path).0, "xoxoxo/ox.xox/xo.oxo/oxoxox/xoxoxo x");
    good.write_changed(&path, &|header| header.openings = vec!["c3:f3".to_owned()]);
    assert_eq!(
        wrong(&path),
        ("the opening c3:f3".to_owned(), "it is not legal under the rules in the header".to_owned())
    );
    // The game is more than one opening.
    good.write_changed(&path, &|header| header.claim = "game".to_owned());
    assert_eq!(wrong(&path), ("Black's first removal a5".to_owned(), "no opening listed answers it".to_owned()));

    let position: Position = "..xoxo/oxoxox/xoxoxo/oxoxox/xoxoxo x".parse().unwrap();
    good.write_changed(&path, &|header| {
        header.claim = "position".to_owned();
        header.removals = None;
        header.openings.clear();
        header.position = Some(position.to_string());
    });
    assert_eq!(wrong(&path).0, position.to_string());
}

#[test]
fn of_several_faults_the_first_is_named() {
    let folder = Folder::new();
    let (_, good) = draft(&folder, "5x6", &["c3:b3"]);
    let path = folder.path("edited");
    let pool = ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    for first in [1, 3, 5] {
        let mut edited = good.clone();
        for class in first..edited.classes.len() {
            edited.classes[class].answers.fill(1000);
        }
        edited.write(&path);
        assert_eq!(pool.install(|| wrong(&path)).0, good.shown(first, 0));
    }
}

#[test]
fn each_field_of_the_header_is_checked() {
    let folder = Folder::new();
    let (_, good) = draft(&folder, "4x5", &[]);
    let path = folder.path("damaged");
    let text = |text: &str| text.to_owned();
    type Change<'a> = &'a dyn Fn(&mut Header);
    let refused = |field: &str, change: Change<'_>| {
        good.write_changed(&path, change);
        for error in [Proof::open(&path).map(|_| ()), ProofFile::open(&path).map(|_| ())] {
            match error {
                Err(ProofError::Header { field: found, .. }) => assert_eq!(found, field),
                other => panic!("{field}: {other:?}"),
            }
        }
        assert!(matches!(verdict(&path), Err(CheckError::Proof(_))));
    };
    refused("game", &|header| header.game = text("chess"));
    for board in ["", "5x5", "0x3", "9x9", "99999x9"] {
        good.write_changed(&path, &|header| header.board = text(board));
        // Sets of few positions may have the same shape on another board: then the checker finds out.
        assert!(verdict(&path).is_err() && (board == "5x5" || Proof::open(&path).is_err()), "{board}");
    }
    refused("board", &|header| header.board = text("4xx5"));
    refused("board", &|header| header.board = text("8x9"));
    refused("top_left", &|header| header.top_left = text("x"));
    refused("removals", &|header| header.removals = Some((text("all"), text("adjacent"))));
    refused("removals", &|header| header.removals = Some((text("any"), text("all"))));
    refused("claim", &|header| header.removals = None);
    refused("claim", &|header| header.claim = text("everything"));
    refused("claim", &|header| header.claim = text("position"));
    refused("claim", &|header| header.position = Some(text("..../.... x")));
    refused("openings", &|header| header.openings.push(text("a4")));
    refused("openings", &|header| header.openings.push(text("a4:b9")));
    let position = |header: &mut Header, position: &str| {
        (header.claim, header.removals, header.position) = (text("position"), None, Some(text(position)));
        header.openings.clear();
    };
    refused("position", &|header| position(header, "x.o"));
    refused("position", &|header| position(header, "x.x/... x"));
    refused("position", &|header| position(header, "o..../...../...../..... x"));
    refused("winner", &|header| header.winner = text("nobody"));
    refused("leaf_nodes", &|header| header.leaf_nodes = MOST_LEAF_NODES + 1);
    refused("positions", &|header| header.positions += 1);
    refused("classes", &|header| header.classes.clear());
    refused("classes", &|header| header.classes[0].black = 200);
    refused("classes", &|header| header.classes[0].white = 11);
    refused("classes", &|header| header.classes[0].count = 0);
    refused("classes", &|header| header.classes[0].count = u64::MAX);
    refused("classes", &|header| header.classes[0].answer_bits = 64);
    refused("classes", &|header| header.classes[1].first_word += 1);
    refused("classes", &|header| header.classes.swap(0, 1));
    refused("classes", &|header| {
        let twice = header.classes[0];
        header.classes.insert(0, twice);
    });
    refused("pages", &|header| header.pages.sums.push(7));
    refused("pages", &|header| header.pages.page_bits = 3);
    refused("pages", &|header| header.pages.page_bits = 255);
    // Sums that are wrong are found when a page is read, and by the checker.
    good.write_changed(&path, &|header| header.pages.sums[0] ^= 1);
    let proof = Proof::open(&path).unwrap();
    assert!(proof.for_each(&mut |_, _| true).is_err());
    assert!(matches!(verdict(&path), Err(CheckError::Proof(ProofError::Header { field: "pages", .. }))));
    // A file of another version of the program is as good.
    good.write_changed(&path, &|header| header.version = text("99.0.0"));
    assert!(verdict(&path).is_ok());
    // Fewer nodes for the checker than the writer counted on, and more than none.
    good.write_changed(&path, &|header| header.leaf_nodes = 5);
    assert!(verdict(&path).is_ok());
}

#[test]
fn damage_anywhere_is_refused_and_never_a_wrong_answer() {
    let folder = Folder::new();
    let path = folder.path("good");
    prove_board(&path, "5x5", Rules::default(), &[], 20, MIB);
    let good = Proof::open(&path).unwrap();
    let mut entries = Vec::new();
    good.for_each(&mut |position, answer| {
        entries.push((position, answer));
        true
    })
    .unwrap();
    assert!(entries.len() > 20 && entries.iter().all(|(_, answer)| answer.is_some()));
    let bytes = fs::read(&path).unwrap();
    let damaged = folder.path("damaged");
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut copy = bytes.clone();
            copy[at] ^= 1 << bit;
            fs::write(&damaged, &copy).unwrap();
            assert!(verdict(&damaged).is_err(), "byte {at} bit {bit}");
            if let Ok(proof) = Proof::open(&damaged) {
                for (position, answer) in &entries {
                    let fact = proof.fact(position);
                    assert!(fact.is_none_or(|fact| fact.best == *answer), "byte {at} bit {bit}: {position}");
                }
            }
        }
        fs::write(&damaged, &bytes[..at]).unwrap();
        assert!(verdict(&damaged).is_err() && Proof::open(&damaged).is_err(), "cut at {at}");
    }
}

/// A header in bytes of its own.
struct Raw(Vec<u8>);

impl Serialize for Raw {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(self.0.len())?;
        self.0.iter().try_for_each(|byte| tuple.serialize_element(byte))?;
        tuple.end()
    }
}

proptest! {
    #[test]
    fn random_bodies_never_panic(words in proptest::collection::vec(any::<u64>(), 8..60), seed in any::<u64>(), shape in 0..4) {
        let folder = Folder::new();
        let (_, good) = draft(&folder, "4x5", &["a4:b4"]);
        let path = folder.path("random");
        good.write(&path);
        let file = ProofFile::open(&path).unwrap();
        let (header, mut body) = (file.container.header().clone(), file.container.body().to_vec());
        drop(file);
        for (at, &word) in words.iter().enumerate() {
            let place = (seed as usize).wrapping_mul(at * 2 + 1) % body.len();
            match shape {
                0 => body[place] = word as u8,
                1 => body[place] ^= 1 << (word % 8),
                2 if place + 8 <= body.len() => body[place / 8 * 8..][..8].copy_from_slice(&word.to_le_bytes()),
                _ => body[place] = 0,
            }
        }
        write_file(&path, header, &body, &|_| ());
        let _ = verdict(&path);
        let proof = Proof::open(&path).unwrap();
        let _ = proof.for_each(&mut |_, _| true);
        let _ = proof.fact(&"..xox/oxoxo/xoxox/oxoxo x".parse().unwrap());
    }

    #[test]
    fn random_headers_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300), at in 0_usize..400, keep in any::<bool>()) {
        let folder = Folder::new();
        let path = folder.path("random");
        let (good, _) = draft(&folder, "4x5", &["a4:b4"]);
        let file = ProofFile::open(&good).unwrap();
        let body = file.container.body().to_vec();
        let all = fs::read(&good).unwrap();
        let mut header = if keep { all[64 + body.len()..].to_vec() } else { Vec::new() };
        let whole = header.clone();
        header.truncate(at);
        header.extend(&bytes);
        // Nothing was changed.
        if keep && header == whole {
            return Ok(());
        }
        let mut writer = Writer::create(&path, KIND).unwrap();
        writer.write_all(&body).unwrap();
        writer.finish(&Raw(header)).unwrap();
        prop_assert!(verdict(&path).is_err());
        // Only the sums of the pages are not looked at before a page is read; then nothing on it is known.
        if let Ok(proof) = Proof::open(&path) {
            let root = "..xox/oxoxo/xoxox/oxoxo x".parse().unwrap();
            prop_assert!(Proof::open(&good).unwrap().fact(&root).is_some() && proof.fact(&root).is_none());
        }
    }
}
