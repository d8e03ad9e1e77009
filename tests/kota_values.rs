//! Values and counts of KOTA that an earlier program computed.

use papamu::kota::{Kota, Outcome, Rules, SolveError, Solver, Value};
use papamu::run::{Control, MemorySize};

/// N, the reading; wins, losses and draws; the deepest forced result; the start. `-`: not known from elsewhere.
const KNOWN: &str = include_str!("data/kota-values.tsv");

fn solved(rules: Rules, n: usize) -> Solver {
    let kota = Kota::new(rules, n).unwrap();
    let mut solver = Solver::new(&kota, MemorySize::from_bytes(1 << 30)).unwrap();
    solver.run::<SolveError>(&Control::default(), |_| Ok(())).unwrap();
    solver
}

#[test]
fn known_values() {
    for line in KNOWN.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [n, rules, wins, losses, draws, deepest, start] = fields[..] else { panic!("{line}") };
        let solver = solved(rules.parse().unwrap(), n.parse().unwrap());
        let counts = solver.counts();
        let same = |field: &str, found: u64| {
            assert!(field == "-" || field.parse() == Ok(found), "{line}: found {counts:?}");
        };
        same(wins, counts.wins);
        same(losses, counts.losses);
        same(draws, counts.rest());
        same(deepest, counts.deepest.unwrap_or(0).into());
        let Value { outcome, depth } = solver.value(&solver.kota().start()).unwrap();
        let found = depth.map_or(outcome.name().to_owned(), |depth| format!("{} in {depth}", outcome.name()));
        assert_eq!(start, found, "{line}");
        assert_eq!(depth.is_none(), outcome == Outcome::Draw);
    }
}
