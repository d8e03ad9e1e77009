//! The moves between pairs of sets: everything about a move but the numbers on the stones that stay.

use rayon::prelude::*;

use super::grid::each;
use super::index::Index;
use super::{Kota, Path};

/// A move of one stone of a pair, for every number that the stone may have to make it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    /// The pair it leads to, in the next half; [`Edge::GOAL`] if it wins.
    pub(super) pair: u32,
    /// The place of the stone in the mover's set before.
    pub(super) from: u8,
    /// And after.
    pub(super) to: u8,
    /// Bit k: it can be made in k + 1 steps.
    pub(super) numbers: u8,
}

impl Edge {
    pub(super) const GOAL: u32 = u32::MAX;
}

const _: () = assert!(size_of::<Edge>() == 8);

/// What moves do to the ranks of permutations.
#[derive(Debug)]
pub(super) struct Ranks {
    n: usize,
    /// By place and number: the ranks with that number at that place.
    with: Vec<Vec<u8>>,
    /// By place before and after: the new rank of every rank.
    moved: Vec<Vec<u8>>,
}

impl Ranks {
    pub(super) fn new(index: &Index) -> Ranks {
        let n = index.n();
        let ranks = |place: usize, number: usize| {
            let orders = index.orders.iter().enumerate();
            orders.filter(|(_, order)| usize::from(order[place]) == number).map(|(rank, _)| rank as u8).collect()
        };
        let moved = |from: usize, to: usize| {
            let orders = index.orders.iter().map(|order| {
                let mut order = order.clone();
                let number = order.remove(from);
                order.insert(to, number);
                super::index::rank(&order) as u8
            });
            orders.collect()
        };
        Ranks {
            n,
            with: (0..n * n).map(|at| ranks(at / n, at % n)).collect(),
            moved: (0..n * n).map(|at| moved(at / n, at % n)).collect(),
        }
    }

    /// For every rank of the mover that can make the move: that rank, and the one it becomes.
    #[inline]
    pub(super) fn each(&self, edge: &Edge, mut visit: impl FnMut(usize, usize)) {
        let moved = &self.moved[usize::from(edge.from) * self.n + usize::from(edge.to)];
        for number in 0..self.n {
            if edge.numbers >> number & 1 == 1 {
                for &rank in &self.with[usize::from(edge.from) * self.n + number] {
                    visit(rank.into(), moved[usize::from(rank)].into());
                }
            }
        }
    }
}

/// The moves of one half.
#[derive(Debug)]
pub(super) struct Graph {
    /// Where the moves of each pair begin, and where the last end.
    starts: Vec<u32>,
    edges: Vec<Edge>,
    /// For each pair the mover's ranks that win at once.
    pub(super) wins: Vec<u128>,
    /// For each pair the mover's ranks that have no move.
    pub(super) stuck: Vec<u128>,
    /// The pair after a pass.
    pub(super) passed: Vec<u32>,
}

impl Graph {
    /// Pairs worked on together.
    const CHUNK: usize = 512;

    pub(super) fn edges(&self, pair: usize) -> &[Edge] {
        &self.edges[self.starts[pair] as usize..self.starts[pair + 1] as usize]
    }

    /// The moves of a half of the index.
    pub(super) fn new(kota: &Kota, index: &Index, ranks: &Ranks, half: usize) -> Graph {
        let pairs = &index.halves[half].pairs;
        let joins = joins(kota, index, half);
        let parts: Vec<(Vec<Edge>, Vec<u32>)> = pairs
            .par_chunks(Graph::CHUNK)
            .map(|chunk| {
                let (mut edges, mut counts) = (Vec::new(), Vec::with_capacity(chunk.len()));
                for &pair in chunk {
                    let before = edges.len();
                    pair_edges(kota, index, half, &joins[pair.0 as usize], pair, &mut edges);
                    counts.push((edges.len() - before) as u32);
                }
                (edges, counts)
            })
            .collect();
        let mut starts = vec![0];
        let mut end = 0;
        for count in parts.iter().flat_map(|(_, counts)| counts) {
            end += count;
            starts.push(end);
        }
        let mut edges = Vec::with_capacity(end as usize);
        for (part, _) in parts {
            edges.extend(part);
        }
        let next = index.next_half(half);
        let passed = pairs.iter().map(|&(a, b)| index.pair(next, b, a).unwrap_or(Edge::GOAL)).collect();
        let mut graph = Graph { starts, edges, wins: Vec::new(), stuck: Vec::new(), passed };
        let all = if index.ranks() == 128 { u128::MAX } else { (1 << index.ranks()) - 1 };
        for pair in 0..pairs.len() {
            let (mut wins, mut moves) = (0, 0);
            for edge in graph.edges(pair) {
                let found = if edge.pair == Edge::GOAL { &mut wins } else { &mut moves };
                ranks.each(edge, |rank, _| *found |= 1 << rank);
            }
            graph.wins.push(wins);
            graph.stuck.push(all & !(wins | moves));
        }
        graph
    }

    /// The bytes that the graph of a half takes at most, and while it is made.
    pub(super) fn most_bytes(kota: &Kota, index: &Index, half: usize) -> u64 {
        let joins = joins(kota, index, half);
        let edges: u64 = index.halves[half].pairs.iter().map(|&(a, _)| joins[a as usize].len() as u64).sum();
        let per_pair = size_of::<u128>() * 2 + size_of::<u32>() * 2;
        edges * 2 * size_of::<Edge>() as u64 + (index.halves[half].pairs.len() * per_pair) as u64
    }
}

/// Where one stone of a set may stand instead so that the set is a good one: (place before, cell, place after, set after,
/// `None` for a set on the goal row).
type Joins = Vec<(u8, usize, u8, Option<u32>)>;

fn joins(kota: &Kota, index: &Index, half: usize) -> Vec<Joins> {
    let (own, rule) = (&index.halves[half], kota.rules().own_stones);
    let of_set = |&set: &u128| {
        let mut joins = Joins::new();
        for (place, cell) in each(set).enumerate() {
            let rest = set & !(1 << cell);
            for to in each(own.grid.joins(rest, rule) & !(1 << cell)) {
                let after = rest | 1 << to;
                let to_place = (rest & ((1 << to) - 1)).count_ones() as u8;
                let number = own.sets.binary_search(&after).ok().map(|number| number as u32);
                joins.push((place as u8, to, to_place, number));
            }
        }
        joins
    };
    own.sets.par_iter().map(of_set).collect()
}

fn pair_edges(kota: &Kota, index: &Index, half: usize, joins: &Joins, (a, b): (u32, u32), edges: &mut Vec<Edge>) {
    let (own, n, next) = (&index.halves[half], index.n(), index.next_half(half));
    let (mover, other) = (own.sets[a as usize], index.other_set(half, b));
    let free = own.grid.all() & !(mover | other);
    for (place, cell) in each(mover).enumerate() {
        // One cell set for each number of steps, made when the first join needs it.
        let mut reached = None;
        for &(from, to, to_place, after) in joins.iter().filter(|join| usize::from(join.0) == place) {
            if free >> to & 1 == 0 {
                continue;
            }
            let reached = reached.get_or_insert_with(|| match kota.rules().path {
                Path::Walk => own.grid.walks(free | 1 << cell, cell, n).split_off(1),
                Path::Simple => {
                    let mut reached = vec![0; n];
                    own.grid.simple_reach(free, cell, &mut reached);
                    reached
                }
            });
            let numbers = reached.iter().enumerate().fold(0, |bits, (at, set)| bits | ((set >> to & 1) as u8) << at);
            if numbers != 0 {
                // The set after is a good one beside the other's, so it has a pair unless it is on the goal row.
                let pair = after.and_then(|after| index.pair(next, b, after)).unwrap_or(Edge::GOAL);
                edges.push(Edge { pair, from, to: to_place, numbers });
            }
        }
    }
}
