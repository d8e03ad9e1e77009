//! Laws and textbook values.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::{Comparison, Dyadic, Game, GameError, Games, Nus, Outcome};

/// Runs a property on the same cases on every machine.
fn always<S: Strategy>(cases: u32, strategy: S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let seed = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, seed).run(&strategy, test).unwrap_or_else(|error| panic!("{error}"));
}

/// Game trees of a few levels as text, not canonical at all.
fn tree() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        (-3..4_i32).prop_map(|n| n.to_string()),
        prop::sample::select(vec!["*", "^", "v", "1/2", "-1/4", "*2", "^*", "3/2*", "1v2", "0", "0"])
            .prop_map(str::to_owned),
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        let side = || prop::collection::vec(inner.clone(), 0..3).prop_map(|options| options.join(","));
        (side(), side()).prop_map(|(left, right)| format!("{{{left}|{right}}}"))
    })
}

/// A game as it was typed, for an outcome by the rules of the game alone.
struct Typed(Vec<Typed>, Vec<Typed>);

impl Typed {
    fn of(games: &Games, game: Game) -> Typed {
        let side = |options: &[Game]| options.iter().map(|&option| Typed::of(games, option)).collect();
        Typed(side(&games.left_options(game).unwrap()), side(&games.right_options(game).unwrap()))
    }
}

/// Whether who moves first wins the sum, by trying everything.
fn first_wins(sum: &[&Typed], left: bool) -> bool {
    (0..sum.len()).any(|at| {
        let options = if left { &sum[at].0 } else { &sum[at].1 };
        options.iter().any(|option| {
            let mut after = sum.to_vec();
            after[at] = option;
            !first_wins(&after, !left)
        })
    })
}

fn outcome_by_play(sum: &[&Typed]) -> Outcome {
    match (first_wins(sum, true), first_wins(sum, false)) {
        (true, true) => Outcome::Next,
        (true, false) => Outcome::Left,
        (false, true) => Outcome::Right,
        (false, false) => Outcome::Previous,
    }
}

#[test]
fn group_laws() {
    let games = Games::new(64 << 20);
    always(200, (tree(), tree(), tree()), |(a, b, c)| {
        let (a, b, c) = (games.parse(&a).unwrap(), games.parse(&b).unwrap(), games.parse(&c).unwrap());
        let add = |a, b| games.add(a, b).unwrap();
        let neg = |a| games.neg(a).unwrap();
        prop_assert_eq!(add(a, b), add(b, a));
        prop_assert_eq!(add(add(a, b), c), add(a, add(b, c)));
        prop_assert_eq!(add(a, games.zero()), a);
        prop_assert_eq!(add(a, neg(a)), games.zero());
        prop_assert_eq!(neg(neg(a)), a);
        prop_assert_eq!(neg(add(a, b)), add(neg(a), neg(b)));
        Ok(())
    });
}

#[test]
fn order_laws() {
    let games = Games::new(64 << 20);
    always(200, (tree(), tree(), tree()), |(a, b, c)| {
        let (a, b, c) = (games.parse(&a).unwrap(), games.parse(&b).unwrap(), games.parse(&c).unwrap());
        let le = |a, b| games.le(a, b).unwrap();
        prop_assert!(le(a, a));
        prop_assert_eq!(le(a, b) && le(b, a), a == b);
        prop_assert!(!(le(a, b) && le(b, c)) || le(a, c));
        let sub = games.sub(a, b).unwrap();
        prop_assert_eq!(le(a, b), le(sub, games.zero()));
        prop_assert_eq!(le(a, b), le(games.add(a, c).unwrap(), games.add(b, c).unwrap()));
        let expected = match games.outcome(sub).unwrap() {
            Outcome::Left => Comparison::Greater,
            Outcome::Right => Comparison::Less,
            Outcome::Next => Comparison::Confused,
            Outcome::Previous => Comparison::Equal,
        };
        prop_assert_eq!(games.compare(a, b).unwrap(), expected);
        Ok(())
    });
}

/// The canonical form must win and lose as the game it stands for, alone and in any sum: here the form as it was typed.
#[test]
fn canonical_forms_keep_the_outcome_of_sums() {
    fn typed(text: &str) -> (Typed, usize) {
        let games = Games::new(0);
        if !text.starts_with('{') {
            let end = text.find([',', '|', '}']).unwrap_or(text.len());
            return (Typed::of(&games, games.parse(&text[..end]).unwrap()), end);
        }
        let (mut sides, mut side, mut at) = ([Vec::new(), Vec::new()], 0, 1);
        loop {
            match text.as_bytes()[at] {
                b'}' => break,
                b'|' => (side, at) = (1, at + 1),
                b',' => at += 1,
                _ => {
                    let (option, len) = typed(&text[at..]);
                    sides[side].push(option);
                    at += len;
                }
            }
        }
        let [left, right] = sides;
        (Typed(left, right), at + 1)
    }
    let games = Games::new(64 << 20);
    always(100, (tree(), tree()), |(a, b)| {
        let (a_typed, b_typed) = (typed(&a).0, typed(&b).0);
        let (a, b) = (games.parse(&a).unwrap(), games.parse(&b).unwrap());
        let (a_form, b_form) = (Typed::of(&games, a), Typed::of(&games, b));
        let expected = outcome_by_play(&[&a_typed, &b_typed]);
        prop_assert_eq!(outcome_by_play(&[&a_form, &b_typed]), expected);
        prop_assert_eq!(outcome_by_play(&[&a_form, &b_form]), expected);
        prop_assert_eq!(games.outcome(games.add(a, b).unwrap()).unwrap(), expected);
        Ok(())
    });
}

#[test]
fn canonical_forms_have_no_dominated_and_no_reversible_option() {
    let games = Games::new(64 << 20);
    always(300, tree(), |text| {
        let game = games.parse(&text).unwrap();
        let (left, right) = (games.left_options(game).unwrap(), games.right_options(game).unwrap());
        for (n, &a) in left.iter().enumerate() {
            prop_assert!(left.iter().skip(n + 1).all(|&b| games.compare(a, b).unwrap() == Comparison::Confused));
            prop_assert!(games.right_options(a).unwrap().iter().all(|&reply| !games.le(reply, game).unwrap()));
        }
        for (n, &a) in right.iter().enumerate() {
            prop_assert!(right.iter().skip(n + 1).all(|&b| games.compare(a, b).unwrap() == Comparison::Confused));
            prop_assert!(games.left_options(a).unwrap().iter().all(|&reply| !games.le(game, reply).unwrap()));
        }
        prop_assert_eq!(games.game(left.iter().copied(), right.iter().copied()).unwrap(), game);
        Ok(())
    });
}

#[test]
fn text_round_trips() {
    let games = Games::new(64 << 20);
    always(300, tree(), |text| {
        let game = games.parse(&text).unwrap();
        let printed = games.text(game).unwrap();
        prop_assert!(!printed.contains("||"));
        prop_assert_eq!(games.parse(&printed).unwrap(), game);
        // Another collection numbers its games otherwise and prints the same.
        let others = Games::new(1 << 20);
        others.parse("{3|{2|-1}}").unwrap();
        prop_assert_eq!(others.text(others.parse(&text).unwrap()).unwrap(), printed);
        Ok(())
    });
}

#[test]
fn stops_means_and_cooling() {
    let games = Games::new(64 << 20);
    always(150, (tree(), tree()), |(a, b)| {
        let (a, b) = (games.parse(&a).unwrap(), games.parse(&b).unwrap());
        let (ta, tb) = (games.thermograph(a).unwrap(), games.thermograph(b).unwrap());
        prop_assert_eq!(ta.left.at(Dyadic::ZERO).unwrap(), games.left_stop(a));
        prop_assert_eq!(ta.right.at(Dyadic::ZERO).unwrap(), games.right_stop(a));
        let sum = games.add(a, b).unwrap();
        let t = games.thermograph(sum).unwrap();
        prop_assert_eq!(t.mean, ta.mean.add(tb.mean).unwrap());
        prop_assert!(t.temperature <= ta.temperature.max(tb.temperature) || games.as_number(sum).is_some());
        // Cooling is linear, and cools the walls.
        let by = Dyadic::new(1, 1).unwrap();
        let cool = |game| games.cool(game, by).unwrap();
        prop_assert_eq!(cool(sum), games.add(cool(a), cool(b)).unwrap());
        prop_assert_eq!(games.left_stop(cool(a)), ta.left.at(by).unwrap());
        prop_assert_eq!(games.right_stop(cool(a)), ta.right.at(by).unwrap());
        Ok(())
    });
}

/// Grossman and Siegel: games that differ by an infinitesimal have the same reduced form, which differs by one as well.
#[test]
fn reduced_forms() {
    let games = Games::new(64 << 20);
    always(150, (tree(), prop::sample::select(vec!["*", "^", "v2*", "{0||0|-2}", "{^|v*}"])), |(a, small)| {
        let (a, small) = (games.parse(&a).unwrap(), games.parse(small).unwrap());
        let reduced = games.reduced(a).unwrap();
        prop_assert!(games.is_infinitesimal(games.sub(a, reduced).unwrap()));
        prop_assert_eq!(games.reduced(reduced).unwrap(), reduced);
        prop_assert_eq!(games.reduced(games.add(a, small).unwrap()).unwrap(), reduced);
        Ok(())
    });
}

/// Sources: WW = Winning Ways; S = Siegel, *Combinatorial Game Theory*; ANW = Albert, Nowakowski, Wolfe, *Lessons in Play*.
#[test]
fn textbook_values() {
    let games = Games::new(1 << 20);
    let value = |text: &str| games.parse(text).unwrap();
    for (text, expected) in [
        ("{0|1}", "1/2"),             // WW 1: half a move
        ("{0|1/2}", "1/4"),           // WW 1
        ("{0,1/2|1}", "3/4"),         // WW 2
        ("{5/2|17/4}", "3"),          // WW 2: the simplicity rule
        ("{|}", "0"),                 // WW 1
        ("{3|}", "4"),                // WW 1
        ("{|-7}", "-8"),              // WW 1
        ("{0|0}", "*"),               // WW 2
        ("{1|1}", "1*"),              // WW 5
        ("{0,*|0,*}", "*2"),          // WW 2
        ("{0|*}", "^"),               // WW 3
        ("{0|^*}", "^2"),             // WW 3
        ("{0|^}", "^2*"),             // WW 3
        ("{0,*|0}", "^*"),            // WW 3
        ("{^|^}", "^2*"),             // WW 3: up reverses through star to 0
        ("{^|v}", "*"),               // WW 3
        ("{0,*,*2|0,*,*2}", "*3"),    // WW 2
        ("{*|*}", "0"),               // WW 2
        ("{1,*|1}", "1*"),            // dominated: * < 1
        ("{{1|0}|-1}", "{{1|0}|-1}"), // a hot game in canonical form
        ("{2,{3|-1}|0}", "{2|0}"),    // by hand: {3|-1} reverses through -1, which has no option of Left
        ("±1", "{1|-1}"),             // WW 5
        ("+_2", "{0|{0|-2}}"),        // WW 5: tiny-two
        ("-_2", "{{2|0}|0}"),         // WW 5: miny-two
        ("{1||0|-1}", "{1|{0|-1}}"),  // bars in place of braces
        ("{2|1||0|||-1}", "{{{2|1}|0}|-1}"),
        ("{ 0 , * | 0 }", "^*"),
        ("^^*", "^2*"),
        ("Tiny(2)", "{0|{0|-2}}"),
    ] {
        assert_eq!(games.text(value(text)).unwrap(), expected, "{text}");
    }
    // WW 3: up is positive, less than every positive number, and confused with star; two ups are not.
    assert_eq!(games.compare(value("^"), value("0")).unwrap(), Comparison::Greater);
    assert_eq!(games.compare(value("^"), value("1/1024")).unwrap(), Comparison::Less);
    assert_eq!(games.compare(value("^"), value("*")).unwrap(), Comparison::Confused);
    assert_eq!(games.compare(value("^2"), value("*")).unwrap(), Comparison::Greater);
    // WW 5: tiny-two is positive and infinitesimal compared to up.
    assert_eq!(games.compare(value("+_2"), value("0")).unwrap(), Comparison::Greater);
    assert_eq!(games.compare(games.add(value("+_2"), value("+_2")).unwrap(), value("^")).unwrap(), Comparison::Less);
    // WW 8: atomic weights of ups and nimbers; {^|v*} has weight 0 as it is confused with remote stars.
    for (text, weight) in [("^3", "3"), ("*5", "0"), ("^*", "1"), ("v2*3", "-2"), ("{^|v*}", "0")] {
        assert_eq!(games.atomic_weight(value(text)), Ok(value(weight)), "{text}");
    }
    assert_eq!(games.atomic_weight(value("1")), Err(GameError::NotAllSmall));
}

/// WW 8: atomic weights add, and a game of weight at least 2 is positive (the two-ahead rule).
#[test]
fn atomic_weights_add() {
    let games = Games::new(64 << 20);
    let leaf = prop::sample::select(vec!["*", "^", "v", "*2", "^*", "v2", "^3", "0"]).prop_map(str::to_owned);
    let small = leaf.prop_recursive(2, 8, 2, |inner| {
        let side = || prop::collection::vec(inner.clone(), 1..3).prop_map(|options| options.join(","));
        (side(), side()).prop_map(|(left, right)| format!("{{{left}|{right}}}"))
    });
    let small = small.boxed();
    always(200, (small.clone(), small), |(a, b)| {
        let (a, b) = (games.parse(&a).unwrap(), games.parse(&b).unwrap());
        let weight = |game| games.atomic_weight(game).unwrap();
        prop_assert_eq!(weight(games.add(a, b).unwrap()), games.add(weight(a), weight(b)).unwrap());
        let two = games.parse("2").unwrap();
        if games.le(two, weight(a)).unwrap() {
            prop_assert_eq!(games.outcome(a).unwrap(), Outcome::Left);
        }
        Ok(())
    });
}

#[test]
fn closed_forms_agree_with_trees() {
    let games = Games::new(64 << 20);
    for ups in -4..=4 {
        for star in 0..5 {
            for number in [Dyadic::ZERO, Dyadic::ONE, Dyadic::new(-3, 2).unwrap()] {
                let nus = Nus { number, ups, star };
                let game = games.nus(nus).unwrap();
                let (left, right) = (games.left_options(game).unwrap(), games.right_options(game).unwrap());
                let built = games.game(left.iter().copied(), right.iter().copied()).unwrap();
                assert_eq!(games.text(built).unwrap(), games.text(game).unwrap());
                let depth = left.iter().chain(right.iter()).map(|&option| games.birthday(option) + 1).max();
                assert_eq!(games.birthday(game), depth.unwrap_or(0), "{nus}");
                // One up less and a step of the nimber, by the sum of trees: ↑ + (n-1)·↑.
                let up = games.up(1).unwrap();
                let rest = games.nus(Nus { ups: ups - 1, ..nus }).unwrap();
                let options = |game: Game, left: bool| {
                    if left {
                        games.left_options(game).unwrap().to_vec()
                    } else {
                        games.right_options(game).unwrap().to_vec()
                    }
                };
                let side = |left: bool| {
                    let mut all: Vec<Game> =
                        options(up, left).iter().map(|&option| games.add(option, rest).unwrap()).collect();
                    all.extend(options(rest, left).iter().map(|&option| games.add(up, option).unwrap()));
                    all
                };
                // Moves in an integer must be tried as well: {n-1|}.
                assert_eq!(games.game(side(true), side(false)).unwrap(), game, "{nus}");
            }
        }
    }
}

#[test]
fn what_is_no_value_is_refused() {
    let games = Games::new(0);
    for bad in [
        "",
        "{",
        "}",
        "{|",
        "{0}",
        "{0|0",
        "0|0",
        "1/3",
        "1/0",
        "x",
        "--1",
        "^^2x",
        "{0|0}}",
        "{,|}",
        "{0,|}",
        "1 2",
        "*-1",
        "99999999999999999999",
        "1/99999999999999999999",
        "^99999999999",
        "*99999999999",
        "{1|2|3}",
        "+_",
        "±",
        "1/",
        "-",
        "Tiny(",
        "é",
    ] {
        assert!(games.parse(bad).is_err(), "{bad}");
    }
    for deep in ["{".repeat(100_000), "±".repeat(100_000), "(".repeat(100_000), "Tiny".repeat(100_000)] {
        assert!(games.parse(&deep).is_err());
    }
}

/// Games may be deeper than the stack could bear: that is an error, not the end of the program.
#[test]
fn deep_games_are_refused() {
    let games = Games::new(64 << 20);
    let mut game = games.parse("{3|-1}").unwrap();
    for n in 4..2000 {
        game = games.game([games.number(Dyadic::integer(n).unwrap()).unwrap()], [game]).unwrap();
    }
    let depth = Err(GameError::Depth { limit: Games::MAX_DEPTH });
    assert_eq!(games.thermograph(game).map(|found| found.mean), depth.clone().map(|game: Game| games.left_stop(game)));
    assert_eq!(games.neg(game), depth);
    assert_eq!(games.reduced(game), depth);
    assert_eq!(games.add(game, game), depth);
    assert!(games.text(game).is_err());
}

#[test]
fn memory_is_bounded_and_what_is_known_stays() {
    let games = Games::new(0);
    let star = games.star(1).unwrap();
    let mut at = 0;
    let error = loop {
        match games.number(Dyadic::integer(at).unwrap()) {
            Ok(_) => at += 1,
            Err(error) => break error,
        }
        assert!(at < 1_000_000);
    };
    assert!(matches!(error, GameError::Memory { .. }));
    assert!(games.bytes() <= Games::LEAST_BYTES);
    assert_eq!(games.star(1), Ok(star));
    assert_eq!(games.add(star, star), Ok(games.zero()));
}

#[test]
fn threads_agree() {
    let games = Games::new(16 << 20);
    let texts: Vec<String> = (0..200).map(|n| format!("{{{n},{{{n}|-1}}|{{0|-{n}}},*}}")).collect();
    let results: Vec<Vec<Game>> = std::thread::scope(|scope| {
        let work = || texts.iter().map(|text| games.parse(text).unwrap()).collect();
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn an_interrupt_ends_the_work() {
    let games = Games::with_interrupt(1 << 20, || true);
    let mut result = Ok(games.zero());
    for n in 0..5000_i64 {
        result = games.game([games.zero()], [games.number(Dyadic::integer(n + 1).unwrap()).unwrap()]);
        if result.is_err() {
            break;
        }
    }
    assert_eq!(result, Err(GameError::Interrupted));
}
