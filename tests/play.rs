//! Analysis, annotation and the opponent, compared with what the rules alone say.

mod common;

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use common::{Random, any_removal, golden, position, scattered, size};
use papamu::board::Size;
use papamu::konane::reference::Reference;
use papamu::konane::{Fact, Facts, Ply, Position, Record, Rules, Side};
use papamu::play::{Analysis, Analyst, AnalystOptions, Dice, Game, Opponent, Reason, Rival, Summary, Verdict};
use papamu::run::{Control, Limits, MemorySize};
use papamu::search::{Engine, SolverOptions};

/// Winner and remoteness by the rules alone.
#[derive(Default)]
struct Truth(HashMap<Reference, (bool, u32)>);

impl Truth {
    fn visit(&mut self, board: &Reference) -> (bool, u32) {
        if let Some(&found) = self.0.get(board) {
            return found;
        }
        let after: Vec<_> = board.moves().iter().map(|(_, after)| self.visit(after)).collect();
        let win = after.iter().filter(|(wins, _)| !wins).map(|&(_, plies)| plies + 1).min();
        let loss = after.iter().map(|&(_, plies)| plies + 1).max().unwrap_or(0);
        let found = win.map_or((false, loss), |plies| (true, plies));
        self.0.insert(board.clone(), found);
        found
    }

    fn of(&mut self, position: &Position) -> (Side, u32) {
        let (wins, plies) = self.visit(&Reference::from_position(position));
        (if wins { position.turn() } else { position.turn().other() }, plies)
    }
}

const OPTIONS: AnalystOptions = AnalystOptions {
    solver: SolverOptions { engine: Engine::ProofNumber, memory: MemorySize::from_bytes(64 << 20), threads: 1 },
    remoteness: true,
};

fn analyst(size: Size, top_left: Side) -> Analyst {
    Analyst::new(size, top_left, OPTIONS).unwrap()
}

fn check(analysis: &Analysis, position: &Position, truth: &mut Truth) {
    let turn = position.turn();
    let (winner, plies) = truth.of(position);
    assert_eq!((analysis.winner, analysis.remoteness), (Some(winner), Some(plies)), "{position}");
    let moves: Vec<Ply> = position.moves().into_iter().map(Ply::Move).collect();
    assert_eq!(analysis.moves.len(), moves.len(), "{position}");
    let mut ranks = Vec::new();
    for row in &analysis.moves {
        let Ply::Move(mv) = row.ply else { panic!("{position}: {} is no move", row.ply) };
        assert!(moves.contains(&row.ply) && row.guess.is_none(), "{position}: {mv}");
        let after = position.play(mv).unwrap();
        let (winner, left) = truth.of(&after);
        assert_eq!((row.winner, row.remoteness), (Some(winner), Some(left + 1)), "{position}: {mv}");
        match row.reply {
            None => assert_eq!(left, 0, "{position}: {mv}"),
            Some(Ply::Move(reply)) => {
                let answered = truth.of(&after.play(reply).unwrap());
                assert_eq!(answered, (winner, left - 1), "{position}: {mv} {reply}");
            }
            Some(Ply::Removal(cell)) => panic!("{position}: {mv} {cell}"),
        }
        ranks.push(if winner == turn { i64::from(left) } else { 1000 - i64::from(left) });
    }
    assert!(ranks.is_sorted(), "{position}: {ranks:?}");
    assert!(analysis.line_complete && analysis.line.len() as u32 == plies, "{position}: {:?}", analysis.line);
}

#[test]
fn analysis_agrees_with_the_rules() {
    let (mut truth, mut random, control) = (Truth::default(), Random(7), Control::default());
    for (board, top_left) in [("4x4", Side::Black), ("4x5", Side::White), ("3x7", Side::Black), ("2x9", Side::White)] {
        let mut analyst = analyst(size(board), top_left);
        for turn in Side::BOTH {
            for _ in 0..60 {
                let found = scattered(&mut random, size(board), top_left, turn, 5);
                check(&analyst.position(&found, None, &control), &found, &mut truth);
            }
        }
    }
}

/// The truth of small boards as facts.
struct Known {
    facts: HashMap<Position, Fact>,
    asked: AtomicUsize,
}

impl Known {
    /// Everything that can come of these positions.
    fn of(starts: &[Position]) -> Known {
        let (mut truth, mut facts, mut open) = (Truth::default(), HashMap::new(), starts.to_vec());
        while let Some(position) = open.pop() {
            if facts.contains_key(&position) {
                continue;
            }
            let (winner, plies) = truth.of(&position);
            let after = position.moves().into_iter().map(|mv| (mv, position.play(mv).unwrap()));
            let best = after.clone().find(|(_, after)| truth.of(after) == (winner, plies.wrapping_sub(1)));
            facts.insert(position, Fact { winner, remoteness: Some(plies), best: best.map(|(mv, _)| mv) });
            open.extend(after.map(|(_, after)| after));
        }
        Known { facts, asked: AtomicUsize::new(0) }
    }
}

impl Facts for Known {
    fn fact(&self, position: &Position) -> Option<Fact> {
        self.asked.fetch_add(1, Relaxed);
        self.facts.get(position).copied()
    }
}

#[test]
fn facts_answer_instead_of_a_search() {
    let start = position(".oxox/.xoxo/xoxox/oxoxo x");
    let (known, control) = (Known::of(&[start]), Control::default());
    let mut analyst = analyst(start.size(), start.top_left());
    check(&analyst.position(&start, Some(&known), &control), &start, &mut Truth::default());
    assert!(known.asked.into_inner() > 0);
    assert_eq!(analyst.solver().unwrap().numbers(&start), None, "nobody searched");
    let mut opponent = Opponent::new(start.size(), start.top_left(), MemorySize::from_bytes(16 << 20)).unwrap();
    let known = Known::of(&[start]);
    let record = Record::parse(size("4x5"), Rules::default(), "a4 a3").unwrap();
    let second = Duration::from_secs(1);
    let thought = opponent.choose(&record, Some(&known), second, &Control::default());
    match record.choices().len() {
        1 => assert_eq!(thought.unwrap().reason, Reason::Only),
        _ => assert_eq!(thought.unwrap().reason, Reason::Fact),
    }
}

#[test]
fn what_a_limit_leaves_open_is_unknown_and_guessed_apart() {
    let start = common::opened("8x8", "d5:e5");
    let control = Control::new(Limits { nodes: Some(500), time: None });
    let analysis = Analyst::new(
        start.size(),
        start.top_left(),
        AnalystOptions {
            solver: SolverOptions { memory: MemorySize::from_bytes(256 << 20), ..OPTIONS.solver },
            ..OPTIONS
        },
    )
    .unwrap()
    .position(&start, None, &control);
    assert_eq!((analysis.winner, analysis.remoteness, analysis.line.len()), (None, None, 0));
    assert_eq!(analysis.open(), (3, 0));
    assert!(analysis.moves.iter().all(|row| row.winner.is_none() && row.remoteness.is_none() && row.guess.is_some()));
    let scores: Vec<_> = analysis.moves.iter().map(|row| -row.guess.as_ref().unwrap().score).collect();
    assert!(scores.is_sorted(), "{scores:?}");
}

#[test]
fn boards_too_large_for_search_are_judged_by_their_parts() {
    let row = format!("xo.{}.ox.{}", ".".repeat(61), ".".repeat(65));
    assert_eq!(row.len(), 133);
    let wide = position(&format!("{row} x"));
    let analysis = analyst(wide.size(), wide.top_left()).position(&wide, None, &Control::default());
    let whole = analysis.whole.as_ref().unwrap();
    assert_eq!((whole.parts.len(), analysis.moves.len()), (2, 2));
    assert!(whole.value.is_some() && analysis.winner.is_some());
    assert!(analysis.moves.iter().all(|row| row.winner.is_some() && row.remoteness.is_none()));
}

#[test]
fn removals_are_judged_by_what_they_leave() {
    let control = Control::default();
    for line in ["5x5\tblack\ta5 e5 c3 a1 e1", "4x4\twhite\ta4 d1 c2 b3", "6x6\twhite\ta6 f1 c4 d3"] {
        let mut fields = line.split('\t');
        let (board, winner) = (size(fields.next().unwrap()), fields.next().unwrap().parse::<Side>().unwrap());
        let record = Record::new(board, Rules::default());
        let analysis = analyst(board, Side::Black).record(&record, None, &control);
        assert_eq!(analysis.winner, Some(winner), "{line}");
        assert!(analysis.moves.iter().all(|row| row.winner == Some(winner)), "{line}");
        let mut cells: Vec<String> = analysis.moves.iter().map(|row| row.ply.to_string()).collect();
        cells.sort();
        let mut expected: Vec<&str> = fields.next().unwrap().split(' ').collect();
        expected.sort_unstable();
        assert_eq!(cells, expected);
    }
    let second = Record::parse(size("4x4"), Rules::default(), "a4").unwrap();
    let analysis = analyst(size("4x4"), Side::Black).record(&second, None, &control);
    let mut truth = Truth::default();
    for row in &analysis.moves {
        let mut after = second.clone();
        after.play(row.ply).unwrap();
        let (winner, plies) = truth.of(&after.position().unwrap());
        assert_eq!((row.winner, row.remoteness), (Some(winner), Some(plies + 1)), "{}", row.ply);
    }
}

/// A game of chance.
fn chance(board: &str, seed: u64) -> Record {
    let mut record = Record::new(size(board), any_removal(Side::Black));
    let mut dice = Dice::new(seed);
    while let Some(ply) = Rival::Random.choose(&record, &mut dice) {
        record.play(ply).unwrap();
    }
    record
}

#[test]
fn annotations_agree_with_the_rules() {
    let (mut truth, control) = (Truth::default(), Control::default());
    for seed in 0..12 {
        for board in ["4x4", "4x5"] {
            let record = chance(board, seed);
            let annotation = analyst(record.size(), Side::Black).annotate(&record, 1, None, &control);
            assert!(annotation.is_complete(), "{record}");
            let mut before = Record::new(record.size(), *record.rules());
            for (row, ply) in annotation.turns.iter().zip(record.plies()) {
                let won = |record: &Record, ply: Ply, truth: &mut Truth| {
                    let mut after = record.clone();
                    after.play(ply).unwrap();
                    after.position().map(|position| truth.of(&position).0)
                };
                if before.plies().len() >= 2 {
                    let wins: Vec<Ply> = before
                        .choices()
                        .into_iter()
                        .filter(|&choice| won(&before, choice, &mut truth) == Some(row.side))
                        .collect();
                    let expected = match (wins.contains(&ply), wins.is_empty()) {
                        (true, _) => Verdict::Kept,
                        (false, false) => Verdict::GaveAway,
                        (false, true) => Verdict::Lost,
                    };
                    let kept_by = if expected == Verdict::GaveAway { wins } else { Vec::new() };
                    assert_eq!((row.ply, row.verdict, &row.kept_by), (ply, expected, &kept_by), "{record}");
                }
                before.play(ply).unwrap();
            }
        }
    }
}

#[test]
fn golden_games_are_annotated_as_they_were() {
    for (line, fields) in golden(include_str!("data/games.tsv")) {
        let [text, start, gave_away, kept_by] = fields[..] else { panic!("{line}") };
        let game = Game::parse(text, None, Rules::default()).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(game.to_string(), text, "{line}");
        let record = game.record();
        let found = analyst(record.size(), record.rules().top_left).annotate(record, 1, None, &Control::default());
        assert_eq!(found.start.map(Side::name), Some(start), "{line}");
        let given = || (1..).zip(&found.turns).filter(|(_, row)| row.verdict == Verdict::GaveAway);
        let plies: Vec<_> = given().map(|(ply, _): (usize, _)| ply.to_string()).collect();
        assert_eq!(plies.join(" "), gave_away, "{line}");
        let kept: Vec<_> =
            given().map(|(_, row)| row.kept_by.iter().map(Ply::to_string).collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(kept.join(" / "), kept_by, "{line}");
        let all = Side::BOTH.map(|side| found.summary(side)).into_iter();
        let turns = all.map(|Summary { kept, gave_away, lost, unknown }| kept + gave_away + lost + unknown);
        assert_eq!(turns.sum::<usize>(), record.plies().len(), "{line}");
    }
}

#[test]
fn the_opponent_never_loses_a_won_game_of_a_small_board() {
    for (board, rival) in [("5x5", Rival::FourPlies), ("4x6", Rival::OnePly), ("5x5", Rival::Random)] {
        let rules = any_removal(Side::Black);
        let memory = MemorySize::from_bytes(32 << 20);
        let mut opponent = Opponent::new(size(board), Side::Black, memory).unwrap();
        let mut judge =
            Analyst::new(size(board), Side::Black, AnalystOptions { remoteness: false, ..OPTIONS }).unwrap();
        for seed in 0..8 {
            let engine = Side::BOTH[seed as usize % 2];
            let (mut record, mut dice) = (Record::new(size(board), rules), Dice::new(seed));
            loop {
                // Far more than it takes.
                let think = Duration::from_secs(60);
                let ply = match record.turn() == engine && record.position().is_some() {
                    true => {
                        let control = Control::new(Limits { nodes: None, time: Some(think) });
                        opponent.choose(&record, None, think, &control).map(|thought| thought.ply)
                    }
                    false => rival.choose(&record, &mut dice),
                };
                let Some(ply) = ply else { break };
                record.play(ply).unwrap();
            }
            assert!(record.choices().is_empty(), "{record}");
            let found = judge.annotate(&record, 1, None, &Control::default());
            let mine = found.turns.iter().skip(2).filter(|row| row.side == engine);
            assert!(mine.clone().all(|row| row.verdict != Verdict::GaveAway), "{board} {record}");
        }
    }
}

#[test]
fn the_opponent_plays_on_every_size_of_board_and_in_no_time_at_all() {
    for board in ["4x4", "8x8", "9x9", "14x14", "1x5", "5x2"] {
        let mut opponent = Opponent::new(size(board), Side::Black, MemorySize::from_bytes(256 << 20)).unwrap();
        for think in [Duration::ZERO, Duration::from_millis(2)] {
            let mut record = Record::new(size(board), any_removal(Side::Black));
            for _ in 0..8 {
                let control = Control::new(Limits { nodes: None, time: Some(think) });
                let Some(thought) = opponent.choose(&record, None, think, &control) else { break };
                record.play(thought.ply).unwrap_or_else(|error| panic!("{board}: {error}"));
            }
            assert!(!record.plies().is_empty(), "{board}");
        }
    }
}

#[test]
fn a_proved_win_of_the_look_ahead_is_one() {
    let (mut truth, mut random) = (Truth::default(), Random(3));
    let board = size("4x5");
    let evaluation = papamu::play::Evaluation::ENGINE;
    let mut lookahead = papamu::play::Lookahead::new(board, Side::Black, evaluation, MemorySize::from_bytes(1 << 16));
    let mut proved = 0;
    for at in 0..300 {
        let found = scattered(&mut random, board, Side::Black, Side::BOTH[at % 2], 5);
        for depth in [1, 3, 20] {
            let Some(sight) = lookahead.best(&found, &found.moves(), depth, &Control::default()) else { continue };
            let (winner, plies) = truth.of(&found);
            if let Some(seen) = sight.winner(found.turn()) {
                proved += 1;
                assert_eq!(seen, winner, "{found}");
                let after = truth.of(&found.play(sight.mv).unwrap()).0;
                assert_eq!(after, winner, "{found} {}", sight.mv);
            } else {
                assert!(plies > depth, "{found}: {depth} plies see an end after {plies}");
            }
        }
    }
    assert!(proved > 300);
}
