//! Jumps and counts of jumps by word type, against the reference.
//!
//! Each measurement goes once over a fixed list of positions from games of fixed moves and asserts what it found, so a
//! time per position is the time shown divided by [`POSITIONS`].

use std::hint::black_box;

use divan::Bencher;
use divan::counter::ItemsCount;
use papamu::board::{CellSet, Wide};
use papamu::konane::reference::Reference;
use papamu::konane::{BATCH, Field, FirstRemoval, Opening, Packed, Position, Rules, Side};

fn main() {
    divan::main();
}

/// How many positions the list has.
const POSITIONS: usize = 256;
/// How many moves all of them have together, and how many all opponents would have.
const MOVES: u64 = 1322;
const REPLIES: u64 = 1104;

/// Positions of 6x6 games whose moves a small generator of random numbers chooses.
fn positions() -> Vec<Position> {
    let rules = Rules { first_removal: FirstRemoval::Any, ..Rules::default() };
    let size = "6x6".parse().expect("a size");
    let openings = Opening::all(size, &rules).expect("openings");
    let (mut found, mut random) = (Vec::new(), 1u32);
    let mut below = |n: usize| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 16) as usize % n
    };
    loop {
        let opening = openings[below(openings.len())];
        let mut position = opening.position(size, &rules).expect("a legal opening");
        loop {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            found.push(position);
            if found.len() == POSITIONS {
                return found;
            }
            position = position.play(moves[below(moves.len())]).expect("a legal move");
        }
    }
}

fn packed<S: CellSet>() -> (Field<S>, Vec<Packed<S>>) {
    let positions = positions();
    (positions[0].pack().0, positions.iter().map(|position| position.pack::<S>().1).collect())
}

/// Every move with the cells occupied after it.
#[divan::bench(types = [u64, u128, Wide])]
fn for_each_move<S: CellSet>(bencher: Bencher<'_, '_>) {
    let (field, list) = packed::<S>();
    bencher.counter(ItemsCount::new(POSITIONS)).bench_local(|| {
        let mut moves = 0;
        for &position in black_box(&list) {
            field.for_each_move(position, |_, _, occupied| {
                black_box(occupied);
                moves += 1;
            });
        }
        assert_eq!(moves, MOVES);
    });
}

/// The same by the slow statement of the rules.
#[divan::bench]
fn reference_moves(bencher: Bencher<'_, '_>) {
    let list: Vec<Reference> = positions().iter().map(Reference::from_position).collect();
    bencher.counter(ItemsCount::new(POSITIONS)).bench_local(|| {
        let moves: usize = black_box(&list).iter().map(|position| black_box(position.moves()).len()).sum();
        assert_eq!(moves as u64, MOVES);
    });
}

/// The number of moves of both sides, one position at a time.
#[divan::bench(types = [u64, u128, Wide])]
fn mobility<S: CellSet>(bencher: Bencher<'_, '_>) {
    let (field, list) = packed::<S>();
    bencher.counter(ItemsCount::new(POSITIONS)).bench_local(|| {
        let (mut moves, mut replies) = (0, 0);
        for &Packed { occupied, turn } in black_box(&list) {
            moves += u64::from(field.mobility(occupied, turn));
            replies += u64::from(field.mobility(occupied, turn.other()));
        }
        assert_eq!((moves, replies), (MOVES, REPLIES));
    });
}

/// The number of moves of both sides, several positions with the same side to move at a time.
#[divan::bench(types = [u64, u128, Wide])]
fn mobilities<S: CellSet>(bencher: Bencher<'_, '_>) {
    let (field, list) = packed::<S>();
    let mut batches = Vec::new();
    for side in Side::BOTH {
        let of_side: Vec<S> = list.iter().filter(|packed| packed.turn == side).map(|packed| packed.occupied).collect();
        // An empty board has no moves and fills the last batch.
        let batch = |chunk: &[S]| std::array::from_fn::<S, BATCH, _>(|i| chunk.get(i).copied().unwrap_or_default());
        batches.extend(of_side.chunks(BATCH).map(|chunk| (batch(chunk), side)));
    }
    bencher.counter(ItemsCount::new(POSITIONS)).bench_local(|| {
        let (mut moves, mut replies) = (0, 0);
        for (batch, side) in black_box(&batches) {
            let (own, other) = field.mobilities(batch, *side);
            moves += own.iter().map(|&count| u64::from(count)).sum::<u64>();
            replies += other.iter().map(|&count| u64::from(count)).sum::<u64>();
        }
        assert_eq!((moves, replies), (MOVES, REPLIES));
    });
}
