//! Checking a proof with nothing but the reference rules: no search, no fast move generator, no fast ranking.
//!
//! What is checked, each by itself:
//!
//! 1. The checksums, and that the header makes sense.
//! 2. That the openings listed are legal, and enough: see [`Claim`].
//! 3. That the first positions are *answered*: a position with the winner to move is answered if it has an entry, or the
//!    plain search of [`leaf`] wins it within the nodes the header names; one with the loser to move if all positions after
//!    its moves are.
//! 4. For every entry, that its answer is the number of a move, and that the position after it is answered.
//!
//! Every move takes a stone off the board, so this is a proof by induction on the number of stones: of a position that is
//! answered the winner wins.

pub(in crate::proof) mod form;
pub(in crate::proof) mod leaf;
pub(in crate::proof) mod numbers;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use rayon::prelude::*;

use crate::board::{Cell, Size};
use crate::container::{Damaged, Shifted};
use crate::konane::reference::Reference;
use crate::konane::{Move, Opening, Rules, Side};

use form::{Claim, Class, ProofError, ProofFile, Subject};
use numbers::Numbers;

/// What a good proof shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Who wins what.
    pub claim: Claim,
    /// Entries, each of which was checked.
    pub positions: u64,
    /// Positions visited at most to settle one that is left out.
    pub leaf_nodes: u64,
    /// Bytes of the file.
    pub file_len: u64,
}

/// Why a file is not a good proof.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The file cannot be read as a proof.
    #[error(transparent)]
    Proof(#[from] ProofError),
    /// The file is whole, but proves nothing.
    #[error("the proof is wrong at {place}: {reason}")]
    Wrong {
        /// The first position, or else the part, that is wrong.
        place: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Somebody asked to stop.
    #[error("stopped before all of the proof was checked")]
    Stopped,
}

/// What the check tells of its progress, and whether it must stop.
pub struct Watch<'a> {
    /// Told how many positions there are and how many are checked.
    pub progress: &'a (dyn Fn(u64, u64) + Sync),
    /// Whether to stop.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

/// Checks a proof in the current rayon pool.
///
/// # Errors
/// Why it is none. Of several wrong positions the first in the order of the file is named.
pub fn check(path: &Path, watch: &Watch<'_>) -> Result<Checked, CheckError> {
    let file = ProofFile::open(path)?;
    (watch.progress)(file.container.header().positions, 0);
    file.verify()?;
    let check = Check::new(&file);
    check.roots()?;
    check.entries(watch)?;
    let header = file.container.header();
    let (positions, leaf_nodes, file_len) = (header.positions, header.leaf_nodes, file.container.file_len());
    Ok(Checked { claim: file.claim, positions, leaf_nodes, file_len })
}

/// A piece of the file that one thread checks.
#[derive(Clone, Copy)]
struct Piece<'a> {
    class: &'a Class,
    /// The samples of its set.
    first: u64,
    end: u64,
}

struct Check<'a> {
    file: &'a ProofFile,
    words: &'a [u8],
    numbers: Numbers,
    winner: Side,
    leaf_nodes: u64,
}

/// What keeps a position from being answered.
enum Fault {
    Unanswered { reply: Option<Move>, position: String },
    Damaged(ProofError),
}

impl<'a> Check<'a> {
    /// Samples of a set that are one piece of work.
    const SAMPLES: u64 = 8;

    fn new(file: &'a ProofFile) -> Check<'a> {
        let claim = &file.claim;
        Check {
            file,
            words: file.container.body(),
            numbers: Numbers::new(claim.size(), claim.top_left()),
            winner: claim.winner,
            leaf_nodes: file.container.header().leaf_nodes,
        }
    }

    /// Whether a position with the winner to move is won by the file: it has an entry, or the plain search wins it.
    fn answered(&self, board: &Reference) -> Result<bool, ProofError> {
        let [black, white] = self.numbers.stones(board);
        if let Some(class) = self.file.class(black, white) {
            let place = class.place(self.words, self.numbers.number(board));
            if place.map_err(|Damaged| self.file.no_set(&class.record))?.is_some() {
                return Ok(true);
            }
        }
        Ok(leaf::settle(board, self.leaf_nodes) == Some(true))
    }

    /// Whether all moves of the loser, who is to move, lead to answered positions.
    fn all_answered(&self, board: &mut Reference) -> Result<(), Fault> {
        let mut fault = None;
        let _ = board.each_move(&mut |mv, after| match self.answered(after) {
            Ok(true) => ControlFlow::Continue(()),
            Ok(false) => {
                fault = Some(Fault::Unanswered { reply: Some(mv), position: self.shown(after) });
                ControlFlow::Break(())
            }
            Err(error) => {
                fault = Some(Fault::Damaged(error));
                ControlFlow::Break(())
            }
        });
        fault.map_or(Ok(()), Err)
    }

    /// Position text with the side to move.
    fn shown(&self, board: &Reference) -> String {
        format!("{} {}", board.text(), board.turn().letter())
    }

    /// Checks that the first positions are those of the claim and are answered.
    fn roots(&self) -> Result<(), CheckError> {
        match &self.file.claim.subject {
            Subject::Position(position) => self.root(&mut Reference::from_position(position)),
            Subject::Openings { size, rules, openings } => self.openings(*size, rules, openings),
            Subject::Game { size, rules, openings } => {
                self.removals(*size, rules, openings)?;
                self.openings(*size, rules, openings)
            }
        }
    }

    fn root(&self, board: &mut Reference) -> Result<(), CheckError> {
        let root = self.shown(board);
        let result = if board.turn() != self.winner {
            self.all_answered(board)
        } else {
            match self.answered(board) {
                Ok(true) => Ok(()),
                Ok(false) => Err(Fault::Unanswered { reply: None, position: root.clone() }),
                Err(error) => Err(Fault::Damaged(error)),
            }
        };
        result.map_err(|fault| self.wrong(root, fault))
    }

    fn wrong(&self, place: String, fault: Fault) -> CheckError {
        let winner = self.winner.title();
        match fault {
            Fault::Damaged(error) => error.into(),
            Fault::Unanswered { reply: None, .. } => {
                let reason =
                    format!("it has no answer of {winner}, and it is not settled within {} nodes", self.leaf_nodes);
                CheckError::Wrong { place, reason }
            }
            Fault::Unanswered { reply: Some(reply), position } => {
                let reason = format!(
                    "after {reply} of {loser} there is no answer of {winner} to {position}, and it is not settled within \
                     {nodes} nodes",
                    loser = self.winner.other().title(),
                    nodes = self.leaf_nodes
                );
                CheckError::Wrong { place, reason }
            }
        }
    }

    /// Checks that the openings listed are legal and their positions answered.
    fn openings(&self, size: Size, rules: &Rules, openings: &[Opening]) -> Result<(), CheckError> {
        let firsts = Reference::first_removals(size, rules.top_left, rules.first_removal);
        for opening in openings {
            let seconds = Reference::second_removals(size, rules.top_left, rules.second_removal, opening.black);
            if !firsts.contains(&opening.black) || !seconds.contains(&opening.white) {
                let reason = "it is not legal under the rules in the header".to_owned();
                return Err(CheckError::Wrong { place: format!("the opening {opening}"), reason });
            }
            self.root(&mut Reference::opening(size, rules.top_left, [opening.black, opening.white]))?;
        }
        Ok(())
    }

    /// Checks that the openings listed win the whole game.
    fn removals(&self, size: Size, rules: &Rules, openings: &[Opening]) -> Result<(), CheckError> {
        let wrong = |place: String, reason: &str| Err(CheckError::Wrong { place, reason: reason.to_owned() });
        let listed = |pair: [Cell; 2]| {
            let images = Reference::images(size, pair);
            openings.iter().any(|opening| images.contains(&[opening.black, opening.white]))
        };
        let seconds = |black| Reference::second_removals(size, rules.top_left, rules.second_removal, black);
        let firsts = Reference::first_removals(size, rules.top_left, rules.first_removal);
        if firsts.is_empty() {
            return wrong("the full board".to_owned(), "the rules in the header leave Black no first removal");
        }
        match self.winner {
            Side::White => {
                // Whatever Black removes, White has a reply that is proved.
                for black in firsts {
                    if !seconds(black).into_iter().any(|white| listed([black, white])) {
                        let place = format!("Black's first removal {black}");
                        return wrong(place, "no opening listed answers it");
                    }
                }
                Ok(())
            }
            Side::Black => {
                // Some removal of Black is proved against whatever White removes.
                let proved = |&black: &_| seconds(black).into_iter().all(|white| listed([black, white]));
                match firsts.iter().any(proved) {
                    true => Ok(()),
                    false => {
                        let reason = "of no first removal of Black all of White's replies are listed";
                        wrong("the full board".to_owned(), reason)
                    }
                }
            }
        }
    }

    /// Checks every entry.
    fn entries(&self, watch: &Watch<'_>) -> Result<(), CheckError> {
        let pieces: Vec<Piece<'_>> = self.file.classes.iter().flat_map(pieces).collect();
        let all = self.file.container.header().positions;
        let done = AtomicU64::new(0);
        // The first piece that is known to be wrong: those behind it do not matter any more.
        let worst = AtomicUsize::new(usize::MAX);
        let failure = |(at, piece): (usize, &Piece<'_>)| {
            if worst.load(Relaxed) < at {
                return None;
            }
            if (watch.stop)() {
                worst.fetch_min(0, Relaxed);
                return Some((0, CheckError::Stopped));
            }
            match self.piece(piece) {
                Ok(count) => {
                    (watch.progress)(all, done.fetch_add(count, Relaxed) + count);
                    None
                }
                Err(error) => {
                    worst.fetch_min(at, Relaxed);
                    Some((at, error))
                }
            }
        };
        let first = pieces.par_iter().enumerate().map(|(at, piece)| (at, piece)).filter_map(failure);
        match first.min_by_key(|&(at, _)| at) {
            Some((_, error)) => Err(error),
            None => Ok(()),
        }
    }

    /// Checks the entries of a piece; how many.
    fn piece(&self, piece: &Piece<'_>) -> Result<u64, CheckError> {
        (piece.first..piece.end).try_fold(0, |count, sample| Ok(count + self.sample(piece.class, sample)?))
    }

    /// Checks the entries from one sample of a set to the next; how many. A number is looked up from its sample, so this
    /// way every number that could be found is checked, whatever the bytes are.
    fn sample(&self, class: &Class, sample: u64) -> Result<u64, CheckError> {
        let no_set = || CheckError::from(self.file.no_set(&class.record));
        let set = Shifted(self.words, class.record.first_word);
        let begin = |sample: u64| class.set.begin(&set, sample).map_err(|Damaged| no_set());
        let first = begin(sample)?;
        let (mut next, mut result) = (first, Ok(()));
        let walked = class.set.for_each_in(&set, sample..sample + 1, &mut |place, number| {
            result = match place == next {
                true => self.entry(class, place, number),
                false => Err(no_set()),
            };
            next += 1;
            result.is_ok()
        });
        result?;
        walked.map_err(|Damaged| no_set())?;
        if begin(sample + 1)? != next {
            return Err(no_set());
        }
        Ok(next - first)
    }

    /// Checks one entry.
    fn entry(&self, class: &Class, place: u64, number: u64) -> Result<(), CheckError> {
        let no_set = || CheckError::from(self.file.no_set(&class.record));
        let (black, white) = (usize::from(class.record.black), usize::from(class.record.white));
        if class.place(self.words, number) != Ok(Some(place)) {
            return Err(no_set());
        }
        let mut board = self.numbers.board(black, white, number, self.winner);
        if self.numbers.stones(&board) != [black, white] || self.numbers.number(&board) != number {
            return Err(no_set());
        }
        let answer = class.answer(self.words, place).map_err(|Damaged| no_set())?;
        let position = self.shown(&board);
        let (mut at, mut result) = (0, None);
        let _ = board.each_move(&mut |_, after| {
            if at == answer {
                result = Some(self.all_answered(after));
                return ControlFlow::Break(());
            }
            at += 1;
            ControlFlow::Continue(())
        });
        match result {
            Some(Ok(())) => Ok(()),
            Some(Err(fault)) => Err(self.wrong(position, fault)),
            None => {
                let (winner, number) = (self.winner.title(), answer + 1);
                let moves = if at == 1 { "1 move".to_owned() } else { format!("{at} moves") };
                let reason = format!("its answer is move {number} of {winner}, who has {moves}");
                Err(CheckError::Wrong { place: position, reason })
            }
        }
    }
}

fn pieces(class: &Class) -> impl Iterator<Item = Piece<'_>> {
    let all = class.set.samples();
    (0..all.div_ceil(Check::SAMPLES)).map(move |piece| {
        let first = piece * Check::SAMPLES;
        Piece { class, first, end: (first + Check::SAMPLES).min(all) }
    })
}
