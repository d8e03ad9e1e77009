//! Damaged files and wrong texts of KOTA: always an error, never a panic or a wrong answer.

use std::fs;
use std::io::Write;
use std::path::Path;

use papamu::container::{Container, Writer};
use papamu::kota::{
    CHECKPOINT_KIND, CheckpointHeader, Kota, Move, Record, Rules, Setup, SolveError, Solver, TABLE_KIND, Table,
    TableHeader,
};
use papamu::run::{Control, MemorySize};
use proptest::prelude::*;

const MEMORY: MemorySize = MemorySize::from_bytes(1 << 30);

/// A table and a checkpoint of three stones a side.
fn files(folder: &Path) -> (Kota, [std::path::PathBuf; 2]) {
    let kota = Kota::new(Rules::default(), 3).unwrap();
    let mut solver = Solver::new(&kota, MEMORY).unwrap();
    solver.run::<SolveError>(&Control::default(), |_| Ok(())).unwrap();
    let paths = [folder.join("table"), folder.join("checkpoint")];
    Table::write(&solver, &paths[0], &Control::default(), &|_| ()).unwrap();
    solver.save(&paths[1], 0.0, &|_| ()).unwrap();
    (kota, paths)
}

fn good(kota: &Kota, paths: &[std::path::PathBuf; 2]) -> [bool; 2] {
    [Table::open(&paths[0]).and_then(|table| table.verify()).is_ok(), Solver::resume(kota, &paths[1], MEMORY).is_ok()]
}

#[test]
fn flipped_bits_and_cuts_are_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let (kota, paths) = files(folder.path());
    assert_eq!(good(&kota, &paths), [true, true]);
    let whole = paths.each_ref().map(|path| fs::read(path).unwrap());
    // The container's own tests flip every bit; here it is the readers' turn.
    let step = if cfg!(debug_assertions) { 53 } else { 11 };
    for at in (0..whole[0].len().max(whole[1].len())).step_by(step) {
        for cut in [false, true] {
            for (path, bytes) in paths.iter().zip(&whole) {
                let mut bytes = bytes.clone();
                let at = at % bytes.len();
                if cut {
                    bytes.truncate(at);
                } else {
                    bytes[at] ^= 1 << (at % 8);
                }
                fs::write(path, bytes).unwrap();
            }
            assert_eq!(good(&kota, &paths), [false, false], "byte {at}, cut: {cut}");
        }
    }
}

/// Headers that say what cannot be, under right checksums.
#[test]
fn headers_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (kota, paths) = files(folder.path());
    let (body, header) = {
        let file = Container::<TableHeader>::open(&paths[0], TABLE_KIND).unwrap();
        (file.body().to_vec(), file.header().clone())
    };
    let changes: [fn(&mut TableHeader); 8] = [
        |header| header.n = 0,
        |header| header.n = 4,
        |header| header.n = 255,
        |header| header.numbers += 1,
        |header| header.weight = 2,
        |header| header.depths = false,
        |header| header.wins += 1,
        |header| header.losses = u64::MAX,
    ];
    for (at, change) in changes.iter().enumerate() {
        let mut header = header.clone();
        change(&mut header);
        let mut writer = Writer::create(&paths[0], TABLE_KIND).unwrap();
        writer.write_all(&body).unwrap();
        writer.finish(&header).unwrap();
        assert!(!good(&kota, &paths)[0], "change {at}");
    }
    let (body, header) = {
        let file = Container::<CheckpointHeader>::open(&paths[1], CHECKPOINT_KIND).unwrap();
        (file.body().to_vec(), file.header().clone())
    };
    let changes: [fn(&mut CheckpointHeader); 4] = [
        |header| header.n = 4,
        |header| header.depth = u16::MAX,
        |header| header.depths = false,
        |header| header.rules.stuck = papamu::kota::Stuck::Loss,
    ];
    for (at, change) in changes.iter().enumerate() {
        let mut header = header.clone();
        change(&mut header);
        let mut writer = Writer::create(&paths[1], CHECKPOINT_KIND).unwrap();
        writer.write_all(&body).unwrap();
        writer.finish(&header).unwrap();
        assert!(!good(&kota, &paths)[1], "change {at}");
    }
}

proptest! {
    #[test]
    fn texts_are_read_or_refused(text in "[RWa-l0-9:, \\-]{0,40}|.{0,20}") {
        let kota = Kota::new(Rules::default(), 3).unwrap();
        if let Ok(setup) = text.parse::<Setup>() {
            prop_assert!(setup.to_string().parse::<Setup>().as_ref() == Ok(&setup));
            let _ = kota.position(&setup);
        }
        if let Ok(mv) = text.parse::<Move>() {
            let _ = kota.play(&kota.start(), mv);
        }
        let _ = text.parse::<Rules>();
        let _ = format!("kota 3 flat-columns group simple pass point red\n{text}").parse::<Record>();
        let _ = text.parse::<Record>();
    }
}
