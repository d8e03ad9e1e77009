//! The slow code of the checker and the fast code of the rest agree.

use super::*;

#[test]
fn the_twins_of_removals_and_images_agree() {
    for board in ["1x1", "1x2", "2x2", "1x7", "3x3", "4x4", "3x4", "4x5", "5x5", "6x6", "7x8"] {
        let size: Size = board.parse().unwrap();
        for top_left in Side::BOTH {
            for first_removal in
                [FirstRemoval::CornerOrCentre, FirstRemoval::Any, FirstRemoval::Corner, FirstRemoval::Centre]
            {
                for second_removal in [SecondRemoval::Adjacent, SecondRemoval::Any] {
                    let rules = Rules { top_left, first_removal, second_removal };
                    let firsts = Reference::first_removals(size, top_left, first_removal);
                    assert_eq!(Opening::first_removals(size, &rules).unwrap_or_default(), firsts, "{board} {rules:?}");
                    for black in firsts {
                        let pairs = Opening::after(size, &rules, black);
                        let fast: Vec<_> = pairs.iter().map(|pair| pair.white).collect();
                        assert_eq!(fast, Reference::second_removals(size, top_left, second_removal, black));
                        for opening in pairs {
                            let images = Reference::images(size, [opening.black, opening.white]);
                            let of = |&[black, white]: &[_; 2]| Opening { black, white }.canonical(size);
                            assert_eq!(images[0], [opening.black, opening.white]);
                            assert!(images.iter().all(|image| of(image) == opening.canonical(size)));
                            let canonical = opening.canonical(size);
                            assert!(images.contains(&[canonical.black, canonical.white]));
                        }
                    }
                }
            }
        }
    }
}

fn boards() -> impl Strategy<Value = (Size, Side, u64, Side)> {
    let sizes = prop_oneof![Just("4x4"), Just("5x5"), Just("3x7"), Just("1x9"), Just("9x2"), Just("6x6"), Just("8x8")];
    let sides = || prop_oneof![Just(Side::Black), Just(Side::White)];
    (sizes, sides(), any::<u64>(), any::<u64>(), sides()).prop_map(|(size, top_left, first, second, turn)| {
        let size: Size = size.parse().unwrap();
        let field = Field::<u64>::new(size, top_left);
        // Two of three cells occupied.
        (size, top_left, (first | second & first.rotate_left(7)) & field.all(), turn)
    })
}

proptest! {
    #[test]
    fn the_twins_agree((size, top_left, occupied, turn) in boards(), nodes in 0_u64..400) {
        let field = Field::<u64>::new(size, top_left);
        let packed = Packed { occupied, turn };
        let position = Position::from_packed(&field, packed);
        let board = Reference::from_position(&position);
        let ordered = Ordered::new(&field);
        // The order of moves.
        let mut after = Vec::new();
        ordered.each(packed, |occupied| { after.push(occupied); true });
        let moves = board.moves();
        prop_assert_eq!(after.len(), moves.len());
        for (number, (&occupied, (_, slow))) in after.iter().zip(&moves).enumerate() {
            let fast = Position::from_packed(&field, packed.after(occupied));
            prop_assert_eq!(&Reference::from_position(&fast), slow);
            prop_assert_eq!(ordered.number(packed, occupied), Some(number as u16));
        }
        // The plain search, whose count decides what is left out.
        let fast = ordered.settle(packed, nodes);
        prop_assert_eq!(fast, leaf::settle(&board, nodes));
        if let Some(Some(after)) = ordered.winning(packed, nodes) {
            prop_assert_eq!(leaf::settle(&Reference::from_position(&Position::from_packed(&field, packed.after(after))), nodes), Some(false));
        }
        // The numbers.
        let (ranking, numbers) = (Ranking::new(&field), Numbers::new(size, top_left));
        let (black, white) = ranking.stones(occupied);
        prop_assert_eq!(numbers.stones(&board), [black as usize, white as usize]);
        prop_assert_eq!(numbers.placements(black as usize, white as usize), ranking.placements(black, white));
        prop_assert_eq!(numbers.number(&board), ranking.rank(occupied));
        prop_assert_eq!(numbers.board(black as usize, white as usize, ranking.rank(occupied), turn), board);
    }
}
