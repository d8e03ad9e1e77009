//! The symmetries of a board commute with its moves, whether they keep the colours or exchange them.

mod common;

use common::{Random, scattered, size};
use papamu::board::{Cell, Symmetry};
use papamu::konane::{Move, Position, Setup, Side};

fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort_unstable();
    moves
}

#[test]
fn mapping_and_moving_commute() {
    let mut random = Random(11);
    for board in
        ["1x1", "1x7", "8x1", "2x2", "3x3", "3x6", "6x3", "4x4", "5x5", "5x8", "6x6", "8x8", "7x9", "11x11", "20x20"]
    {
        let size = size(board);
        for fill in [3, 5, 6, 6, 7] {
            for side in Side::BOTH {
                let position = scattered(&mut random, size, side, Side::Black, fill);
                for symmetry in Symmetry::all(size) {
                    let image = |cell: Cell| size.cell(symmetry.map(size, size.index(cell).unwrap()));
                    let mapped = position.map(symmetry);
                    for cell in size.all_cells() {
                        assert_eq!(position.stone(cell), mapped.stone(image(cell)), "{position} {symmetry:?}");
                    }
                    assert_eq!(position.top_left() == mapped.top_left(), symmetry.keeps_colours(size));
                    let moves = position.moves();
                    let images = moves.iter().map(|mv| Move { from: image(mv.from), to: image(mv.to) }).collect();
                    assert_eq!(sorted(images), sorted(mapped.moves()), "{position} {symmetry:?}");
                    for mv in moves {
                        let image = Move { from: image(mv.from), to: image(mv.to) };
                        assert_eq!(mapped.play(image), Ok(position.play(mv).unwrap().map(symmetry)));
                    }
                }
            }
        }
    }
}

/// The board turned over its diagonal: rows become columns. [`Symmetry`] has this for squares only.
fn transposed(position: &Position) -> Position {
    let (rows, cols) = (position.size().rows(), position.size().cols());
    let setup = position.setup();
    let stones = (0..rows * cols).map(|index| setup.stones[index % rows * cols + index / rows]).collect();
    Setup { size: format!("{cols}x{rows}").parse().unwrap(), stones, turn: setup.turn }.position(None).unwrap()
}

#[test]
fn rows_and_columns_are_alike() {
    let mut random = Random(12);
    for board in ["1x7", "2x5", "3x4", "5x7", "6x8", "8x9", "12x10", "1x128", "20x18", "2x200"] {
        let size = size(board);
        for fill in [3, 5, 6, 7] {
            for turn in Side::BOTH {
                let position = scattered(&mut random, size, Side::White, turn, fill);
                let over = transposed(&position);
                let image = |cell: Cell| {
                    let index = size.index(cell).unwrap();
                    over.size().cell(index % size.cols() * size.rows() + index / size.cols())
                };
                let images =
                    position.moves().iter().map(|mv| Move { from: image(mv.from), to: image(mv.to) }).collect();
                assert_eq!(sorted(images), sorted(over.moves()), "{position}");
                for mv in position.moves() {
                    let after = over.play(Move { from: image(mv.from), to: image(mv.to) }).unwrap();
                    assert_eq!(
                        after.board_text(),
                        transposed(&position.play(mv).unwrap()).board_text(),
                        "{position} {mv}"
                    );
                }
            }
        }
    }
}
