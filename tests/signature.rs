//! The node counts of `papamu bench`: the signature of the search.
//!
//! A change that moves a count on purpose states the old and the new total in its commit; any other change that moves
//! one is a fault.

use papamu::run::Control;
use papamu::search::{Engine, bench};

fn counts(engine: Engine) -> Vec<u64> {
    let mut counts = Vec::new();
    bench(engine, &Control::default(), &mut |_, answer| counts.push(answer.nodes))
        .expect("every answer is the known one");
    counts
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes half a minute without optimisation")]
fn the_signature_of_proof_number_search() {
    let counts = counts(Engine::ProofNumber);
    assert_eq!(counts.iter().sum::<u64>(), 628_073, "{counts:?}");
    assert_eq!(self::counts(Engine::ProofNumber), counts, "two runs give the same numbers");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes half a minute without optimisation")]
fn the_signature_of_the_baseline() {
    let counts = counts(Engine::AlphaBeta);
    assert_eq!(counts.iter().sum::<u64>(), 12_524_186, "{counts:?}");
    assert_eq!(self::counts(Engine::AlphaBeta), counts, "two runs give the same numbers");
}
