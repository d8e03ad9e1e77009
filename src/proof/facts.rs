//! A proof as a source of answers.

use std::path::Path;

use crate::board::{CellSet, Size, Symmetry};
use crate::container::{Damaged, Pages, PagesSeen, Shifted, Words};
use crate::konane::{Fact, Facts, Field, Move, Packed, Position, Ranking};

use super::checker::form::{Claim, Class, ProofError, ProofFile};
use super::leaf::Ordered;

/// An open proof.
///
/// Opening checks all but the body; what is then read of the body is checked page by page, so a damaged page is never an
/// answer. Whether the strategy wins is another question: [`super::check`] tells. A file from elsewhere is to be checked
/// once before its answers are believed.
#[derive(Debug)]
pub struct Proof {
    file: ProofFile,
    field: Field<u64>,
    ranking: Ranking,
    symmetries: Vec<Symmetry>,
    seen: PagesSeen,
}

impl Proof {
    /// Opens a proof.
    ///
    /// # Errors
    /// When it cannot be read, is no proof, or is damaged outside its body.
    pub fn open(path: impl AsRef<Path>) -> Result<Proof, ProofError> {
        let file = ProofFile::open(path.as_ref())?;
        let (size, top_left) = (file.claim.size(), file.claim.top_left());
        let field = Field::new(size, top_left);
        let seen = PagesSeen::new(&file.container.header().pages);
        let (ranking, symmetries) = (Ranking::new(&field), Symmetry::colour_keeping(size));
        Ok(Proof { file, ranking, symmetries, seen, field })
    }

    /// What it proves.
    pub fn claim(&self) -> &Claim {
        &self.file.claim
    }

    /// Positions that have an answer in the file.
    pub fn positions(&self) -> u64 {
        self.file.container.header().positions
    }

    /// Positions that the plain search settles within so many nodes have none.
    pub fn leaf_nodes(&self) -> u64 {
        self.file.container.header().leaf_nodes
    }

    /// Compares every byte of the body with its checksum; whether the strategy wins is another question, see
    /// [`super::check`].
    ///
    /// # Errors
    /// When it does not fit or cannot be read.
    pub fn verify_bytes(&self) -> Result<(), ProofError> {
        Ok(self.file.container.verify()?)
    }

    /// Bytes of the file.
    pub fn file_len(&self) -> u64 {
        self.file.container.file_len()
    }

    fn size(&self) -> Size {
        self.field.size()
    }

    /// The cells occupied after the winner's answer; `None` where the file has none.
    fn answer(&self, occupied: u64) -> Result<Option<u64>, Damaged> {
        let (black, white) = self.ranking.stones(occupied);
        let Some(class) = self.file.class(black as usize, white as usize) else { return Ok(None) };
        let pages = Pages::new(self.file.container.body(), &self.file.container.header().pages, &self.seen);
        let Some(place) = class.place(&pages, self.ranking.rank(occupied))? else { return Ok(None) };
        let answer = class.answer(&pages, place)?;
        let (mut at, mut found) = (0, None);
        Ordered::new(&self.field).each(self.packed(occupied), |after| {
            found = (at == answer).then_some(after);
            at += 1;
            found.is_none()
        });
        Ok(found)
    }

    /// With the winner to move.
    fn packed(&self, occupied: u64) -> Packed<u64> {
        Packed { occupied, turn: self.file.claim.winner }
    }

    /// The same, and where the file has none the plain search.
    fn won(&self, occupied: u64) -> Result<Option<u64>, Damaged> {
        if let Some(after) = self.answer(occupied)? {
            return Ok(Some(after));
        }
        Ok(Ordered::new(&self.field).winning(self.packed(occupied), self.leaf_nodes()).flatten())
    }

    /// What is known of a position of this board without its symmetries.
    fn plain_fact(&self, packed: Packed<u64>) -> Result<Option<Fact>, Damaged> {
        let winner = self.file.claim.winner;
        let fact = |best| Fact { winner, remoteness: None, best };
        if packed.turn == winner {
            let after = self.won(packed.occupied)?;
            return Ok(after.and_then(|after| self.mv(packed, after)).map(|mv| fact(Some(mv))));
        }
        let mut replies = Vec::new();
        self.field.for_each_move(packed, |_, _, after| replies.push(after));
        for reply in replies {
            if self.won(reply)?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(fact(None)))
    }

    /// The move that leaves these cells occupied.
    fn mv(&self, packed: Packed<u64>, after: u64) -> Option<Move> {
        let mut found = None;
        self.field.for_each_move(packed, |from, to, occupied| {
            if occupied == after {
                found = Some(Move { from: self.size().cell(from), to: self.size().cell(to) });
            }
        });
        found
    }

    /// Calls `each` with every position that has an answer, and the answer, in the order of the file, until it says
    /// `false`.
    ///
    /// # Errors
    /// When the body is damaged, or was not written by this program.
    pub fn for_each(&self, each: &mut dyn FnMut(Position, Option<Move>) -> bool) -> Result<(), ProofError> {
        let pages = Pages::new(self.file.container.body(), &self.file.container.header().pages, &self.seen);
        for class in &self.file.classes {
            let record = &class.record;
            let damaged = |Damaged| self.file.no_set(record);
            let set = Shifted(&pages, record.first_word);
            let (mut result, mut more) = (Ok(()), true);
            let walked = class.set.for_each_in(&set, 0..class.set.samples(), &mut |place, number| {
                result = self.entry(&pages, class, place, number).map(|(position, answer)| {
                    more = each(position, answer);
                });
                result.is_ok() && more
            });
            result.and(walked).map_err(damaged)?;
            if !more {
                break;
            }
        }
        Ok(())
    }

    fn entry(
        &self,
        words: &(impl Words + ?Sized),
        class: &Class,
        place: u64,
        number: u64,
    ) -> Result<(Position, Option<Move>), Damaged> {
        let (black, white) = (u32::from(class.record.black), u32::from(class.record.white));
        if number >= self.ranking.placements(black, white) {
            return Err(Damaged);
        }
        let occupied = self.ranking.unrank(black, white, number);
        let packed = self.packed(occupied);
        let answer = class.answer(words, place)?;
        let (mut at, mut after) = (0, None);
        Ordered::new(&self.field).each(packed, |occupied| {
            after = (at == answer).then_some(occupied);
            at += 1;
            after.is_none()
        });
        let position = Position::from_packed(&self.field, packed);
        Ok((position, after.and_then(|after| self.mv(packed, after))))
    }
}

impl Facts for Proof {
    fn fact(&self, position: &Position) -> Option<Fact> {
        let same_board = position.size() == self.size();
        if !same_board || position.top_left() != self.field.top_left() && !position.occupied().is_empty() {
            return None;
        }
        for &symmetry in &self.symmetries {
            let image = position.map(symmetry);
            let packed = Packed { occupied: image.occupied().convert(), turn: image.turn() };
            // What is damaged is not known.
            let Ok(fact) = self.plain_fact(packed) else { continue };
            if let Some(fact) = fact {
                // Every symmetry has an inverse among them: the one that maps the image back.
                let back = self.symmetries.iter().find(|back| image.map(**back) == *position);
                let cell = |cell| {
                    let index = self.size().index(cell)?;
                    back.map(|back| self.size().cell(back.map(self.size(), index)))
                };
                let best = fact.best.and_then(|mv| Some(Move { from: cell(mv.from)?, to: cell(mv.to)? }));
                return Some(Fact { best, ..fact });
            }
        }
        None
    }
}
