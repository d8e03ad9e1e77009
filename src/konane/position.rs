//! A legal position of the jumping phase.

use std::fmt;
use std::str::FromStr;

use crate::board::{Cell, CellSet, Size, Symmetry, Wide};

use super::{Field, Move, MoveError, Packed, Setup, SetupError, SetupTextError, Side};

/// Stones that respect one chequered colouring, and the side to move. Any size up to [`Size::MAX_CELLS`] cells.
///
/// ```
/// use papamu::konane::{Position, Side};
/// // 4x4 after Black removed a4 and White a3.
/// let position: Position = ".oxo/.xox/xoxo/oxox x".parse()?;
/// let moves: Vec<String> = position.moves().iter().map(|mv| mv.to_string()).collect();
/// assert_eq!(moves, ["c4-a4"]);
/// let next = position.play(position.moves()[0])?;
/// assert_eq!(next.to_string(), "x..o/.xox/xoxo/oxox o");
/// assert_eq!(next.turn(), Side::White);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Search works on [`Packed`] positions of one machine word; this type is for the rest of the program: it is small,
/// copyable and knows its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    size: Size,
    top_left: Side,
    occupied: Wide,
    turn: Side,
}

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// The text is not even a set-up.
    #[error(transparent)]
    Text(#[from] SetupTextError),
    /// The set-up is not a position.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl Position {
    /// A position from its parts. `occupied` must lie on the board.
    pub(super) fn from_parts(size: Size, top_left: Side, occupied: Wide, turn: Side) -> Position {
        Position { size, top_left, occupied, turn }
    }

    /// The position that a packed position of this field stands for.
    pub fn from_packed<S: CellSet>(field: &Field<S>, packed: Packed<S>) -> Position {
        Position::from_parts(field.size(), field.top_left(), packed.occupied.convert(), packed.turn)
    }

    /// The position of a text, with `turn` to move where the text names no side.
    ///
    /// # Errors
    /// When the text is no set-up or the set-up no position.
    pub fn parse(text: &str, turn: Option<Side>) -> Result<Position, PositionError> {
        Ok(text.parse::<Setup>()?.position(turn)?)
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The owner of the top-left cell.
    pub fn top_left(&self) -> Side {
        self.top_left
    }

    /// The side to move.
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// The same stones with this side to move.
    pub fn with_turn(self, turn: Side) -> Position {
        Position { turn, ..self }
    }

    /// The cells that have a stone.
    pub fn occupied(&self) -> Wide {
        self.occupied
    }

    /// The owner of the stone on a cell of the board; `None` where there is none.
    pub fn stone(&self, cell: Cell) -> Option<Side> {
        let index = self.size.index(cell)?;
        self.occupied.contains(index).then(|| self.owner(index))
    }

    fn owner(&self, index: usize) -> Side {
        let cols = self.size.cols();
        if (index / cols + index % cols).is_multiple_of(2) { self.top_left } else { self.top_left.other() }
    }

    /// This position for a word type that has room for its board (see [`CellSet::CAPACITY`]).
    ///
    /// # Panics
    /// When the board has more cells than `S` holds.
    pub fn pack<S: CellSet>(&self) -> (Field<S>, Packed<S>) {
        let packed = Packed { occupied: self.occupied.convert(), turn: self.turn };
        (Field::new(self.size, self.top_left), packed)
    }

    /// All moves of the side to move, in the order of [`Field::for_each_move`]. Empty: that side has lost.
    pub fn moves(&self) -> Vec<Move> {
        let (field, packed) = self.pack::<Wide>();
        let mut moves = Vec::new();
        field.for_each_move(packed, |from, to, _| {
            moves.push(Move { from: self.size.cell(from), to: self.size.cell(to) });
        });
        moves
    }

    /// The position after a move.
    ///
    /// # Errors
    /// Which rule the move breaks.
    pub fn play(&self, mv: Move) -> Result<Position, MoveError> {
        let on_board = |cell: Cell| self.size.index(cell).ok_or(MoveError::OffBoard { mv, cell });
        let (from, to) = (on_board(mv.from)?, on_board(mv.to)?);
        match self.stone(mv.from) {
            None => return Err(MoveError::NoStone { mv }),
            Some(side) if side != self.turn => return Err(MoveError::NotYours { mv, turn: self.turn }),
            Some(_) => {}
        }
        let (rows, cols) = (mv.from.row().abs_diff(mv.to.row()), mv.from.col().abs_diff(mv.to.col()));
        let distance = rows + cols;
        if (rows > 0) == (cols > 0) || !distance.is_multiple_of(2) {
            return Err(MoveError::NotALine { mv });
        }
        let step = from.abs_diff(to) / distance;
        let index = |n: usize| if to > from { from + n * step } else { from - n * step };
        let mut occupied = self.occupied ^ Wide::single(from);
        for n in (1..distance).step_by(2) {
            let (over, landing) = (index(n), index(n + 1));
            // Neighbours differ in colour, so any stone on `over` is an enemy's.
            if !self.occupied.contains(over) {
                return Err(MoveError::NothingToJump { mv, cell: self.size.cell(over), turn: self.turn });
            }
            if self.occupied.contains(landing) {
                return Err(MoveError::Blocked { mv, cell: self.size.cell(landing) });
            }
            occupied ^= Wide::single(over);
        }
        Ok(Position { occupied: occupied | Wide::single(to), turn: self.turn.other(), ..*self })
    }

    /// The image under a symmetry of the board. A symmetry that exchanges the colours changes who owns which cell but
    /// not who owns which stone.
    pub fn map(&self, symmetry: Symmetry) -> Position {
        let occupied =
            self.occupied.iter().fold(Wide::empty(), |set, index| set | Wide::single(symmetry.map(self.size, index)));
        let top_left = if symmetry.keeps_colours(self.size) { self.top_left } else { self.top_left.other() };
        Position { top_left, occupied, ..*self }
    }

    /// The set-up that reads as this position.
    pub fn setup(&self) -> Setup {
        let stones = self.size.all_cells().map(|cell| self.stone(cell)).collect();
        Setup { size: self.size, stones, turn: Some(self.turn) }
    }

    /// The text of the stones alone, without the side to move.
    pub fn board_text(&self) -> String {
        Setup { turn: None, ..self.setup() }.to_string()
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.setup().fmt(f)
    }
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Position, PositionError> {
        Position::parse(text, None)
    }
}
