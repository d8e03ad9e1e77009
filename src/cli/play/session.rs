//! A game being played, and what people may ask of it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::board::Cell;
use crate::konane::{Facts, Move, Ply, PlyError, Position, Side};
use crate::play::{Dice, Game, Opponent, Reason, Thought};
use crate::run::{Control, Limits};

use super::super::dialogue;
use super::super::messages::Failure;
use super::super::text;
use super::{Player, heading, load, named};

/// What a person asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Turn(Ply),
    Moves,
    Board,
    Hint,
    Threats,
    Undo,
    Resign,
    Save(PathBuf),
    Load(PathBuf),
    Help,
    Quit,
}

/// The words that may be typed, for completion.
const WORDS: [&str; 10] = ["moves", "board", "hint", "threats", "undo", "resign", "save ", "load ", "help", "quit"];

pub(super) const HELP: &str = "\
A move is FROM-TO such as c3-c5 (its beginning is enough where it is the only one), or its number in `moves`; a removal is a cell.
moves: what is legal; board: the board; hint: what the engine would play; threats: what the opponent could jump;
undo: take back; resign: give up; save FILE, load FILE: the game; quit: stop.
";

/// A game, its players and the engine.
pub(super) struct Session {
    game: Game,
    players: [Player; 2],
    opponent: Opponent,
    facts: Option<Box<dyn Facts>>,
    think: Duration,
    dice: Dice,
    /// Time that each side thought.
    spent: [Duration; 2],
    control: Arc<Control>,
}

/// What came of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Came {
    /// Something to say.
    Said(String),
    /// The game has changed, for this reason.
    Changed(String),
    /// The order was refused.
    Refused(String),
    /// The person wants to stop.
    Quit,
}

impl Session {
    pub(super) fn new(
        game: Game,
        players: [Player; 2],
        (opponent, facts): (Opponent, Option<Box<dyn Facts>>),
        think: Duration,
        seed: u64,
        control: Arc<Control>,
    ) -> Session {
        let (dice, spent) = (Dice::new(seed), [Duration::ZERO; 2]);
        Session { game, players, opponent, facts, think, dice, spent, control }
    }

    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    pub(super) fn spent(&self) -> [Duration; 2] {
        self.spent
    }

    pub(super) fn player(&self, side: Side) -> Player {
        self.players[side as usize]
    }

    /// Whether somebody asked the program to stop.
    pub(super) fn is_interrupted(&self) -> bool {
        dialogue::is_interrupted(&self.control)
    }

    /// Who plays what, for a heading.
    pub(super) fn heading(&self) -> String {
        let player = |side: Side| match self.player(side) {
            Player::Engine => format!("engine, {} a move", humantime::format_duration(self.think)),
            other => other.name().to_owned(),
        };
        let players = Side::BOTH.map(|side| format!("{}: {}", named(side), player(side)));
        format!("{}\n{}\n", heading(&self.game), players.join("; "))
    }

    /// What Ctrl-C stops.
    pub(super) fn control(&self) -> &Control {
        &self.control
    }

    /// A control of one move's thinking; who stops it stops the session.
    pub(super) fn thinking(&self) -> Control {
        self.control.part(Limits { nodes: None, time: Some(self.think) })
    }

    /// What the player of the side to move plays, if it is not a person; `None`: it is, or was asked to stop.
    pub(super) fn choose(&mut self, control: &Control) -> Option<(Ply, String)> {
        let (turn, started) = (self.game.record().turn(), Instant::now());
        let player = self.player(turn);
        let chosen = match (player, player.rival()) {
            (Player::Human, _) => None,
            (_, Some(rival)) => rival.choose(self.game.record(), &mut self.dice).map(|ply| (ply, String::new())),
            (_, None) => self.advice(control).map(|thought| (thought.ply, reason(&thought, turn))),
        };
        self.spent[turn as usize] += started.elapsed();
        chosen.filter(|_| !self.is_interrupted())
    }

    /// What the engine would play.
    fn advice(&mut self, control: &Control) -> Option<Thought> {
        self.opponent.choose(self.game.record(), self.facts.as_deref(), self.think, control)
    }

    /// Plays a turn.
    pub(super) fn play(&mut self, ply: Ply) -> Result<(), PlyError> {
        self.game.play(ply)
    }

    /// What was typed, or why it is nothing.
    pub(super) fn order(&self, typed: &str) -> Result<Option<Order>, String> {
        let typed = typed.trim();
        let (word, rest) = typed.split_once(' ').unwrap_or((typed, ""));
        let file = || match rest.trim() {
            "" => Err(format!("expected `{word} FILE`")),
            name => Ok(PathBuf::from(name)),
        };
        Ok(Some(match word {
            "" => return Ok(None),
            "moves" => Order::Moves,
            "board" => Order::Board,
            "hint" => Order::Hint,
            "threats" => Order::Threats,
            "undo" => Order::Undo,
            "resign" | "resigns" => Order::Resign,
            "save" => Order::Save(file()?),
            "load" => Order::Load(file()?),
            "help" | "?" => Order::Help,
            "quit" | "exit" => Order::Quit,
            _ => Order::Turn(self.turn(typed)?),
        }))
    }

    /// A turn as typed: whole, its beginning, or its number.
    fn turn(&self, typed: &str) -> Result<Ply, String> {
        let record = self.game.record();
        let choices = record.choices();
        if typed.bytes().all(|byte| byte.is_ascii_digit()) {
            let number = typed.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            let chosen = number.and_then(|number| choices.get(number).copied());
            return chosen.ok_or_else(|| format!("there is no move {typed}: expected 1 to {}", choices.len()));
        }
        let begun: Vec<&Ply> = choices.iter().filter(|ply| ply.to_string().starts_with(typed)).collect();
        if let Some(whole) = begun.iter().find(|ply| ply.to_string() == typed) {
            return Ok(**whole);
        }
        match begun[..] {
            [ply] => return Ok(*ply),
            [] => {}
            _ => {
                let texts: Vec<_> = begun.iter().map(ToString::to_string).collect();
                return Err(format!("`{typed}` may be {}", texts.join(" or ")));
            }
        }
        // A cell alone is the beginning of a move, unless no move begins there.
        if let (Some(position), Ok(cell)) = (record.position(), typed.parse::<Cell>()) {
            let what = match record.size().index(cell).and_then(|_| position.stone(cell)) {
                _ if record.size().index(cell).is_none() => "is not on the board".to_owned(),
                None => "is empty".to_owned(),
                Some(side) if side == position.turn() => "has a stone that cannot move".to_owned(),
                Some(side) => format!("has a stone of {}", side.title()),
            };
            return Err(format!("{cell} {what}; `moves` tells what is legal"));
        }
        // Why it is not legal is for the rules to say.
        let said = record.read(typed).and_then(|ply| record.clone().play(ply).map(|()| ply));
        said.map_err(|error| match error {
            PlyError::RemovalText(_) | PlyError::MoveText(_) => format!("{error}; `help` tells what can be typed"),
            _ => error.to_string(),
        })
    }

    /// Everything that what is typed may become.
    pub(super) fn completions(&self, typed: &str) -> Vec<String> {
        let turns = self.game.record().choices().into_iter().map(|ply| ply.to_string());
        let all = turns.chain(WORDS.map(str::to_owned));
        all.filter(|text| !typed.is_empty() && text.starts_with(typed)).collect()
    }

    /// Does what was asked.
    pub(super) fn obey(&mut self, order: Order) -> Result<Came, Failure> {
        let tried = |result: Result<(), Failure>, said: String| match result {
            Ok(()) => Ok(Came::Said(said)),
            Err(Failure::Usage(reason) | Failure::Run(reason)) => Ok(Came::Refused(reason)),
            Err(failure) => Err(failure),
        };
        match order {
            Order::Turn(ply) => Ok(match self.play(ply) {
                Ok(()) => Came::Changed(String::new()),
                Err(error) => Came::Refused(error.to_string()),
            }),
            Order::Moves => Ok(Came::Said(self.list())),
            Order::Board => Ok(Came::Said(format!("{}{}\n", self.board(false), self.game.record().board()))),
            Order::Hint => {
                let (control, turn) = (self.thinking(), self.game.record().turn());
                let hint = self.advice(&control);
                Ok(Came::Said(hint.map_or(String::new(), |hint| format!("{} ({})\n", hint.ply, reason(&hint, turn)))))
            }
            Order::Threats => Ok(Came::Said(self.threats())),
            Order::Undo => Ok(match self.undo() {
                true => Came::Changed(format!("back to ply {}\n", self.game.record().plies().len())),
                false => Came::Refused("nothing to take back".to_owned()),
            }),
            Order::Resign => {
                self.game.resign();
                Ok(Came::Changed(format!("{} resigns\n", self.game.record().turn().title())))
            }
            Order::Save(path) => {
                tried(dialogue::save("save", &path, &format!("{}\n", self.game)), format!("saved {}\n", path.display()))
            }
            Order::Load(path) => match load("load", &path) {
                Ok(game) if !self.fits(&game) => {
                    let (expected, found) = (heading(&self.game), heading(&game));
                    let path = path.display();
                    Ok(Came::Refused(format!("{path}: expected {expected}; found {found}; start with --load")))
                }
                Ok(game) => {
                    self.game = game;
                    Ok(Came::Changed(format!("loaded {}\n", path.display())))
                }
                Err(failure) => tried(Err(failure), String::new()),
            },
            Order::Help => Ok(Came::Said(HELP.to_owned())),
            Order::Quit => Ok(Came::Quit),
        }
    }

    /// Whether the engine can go on with this game.
    fn fits(&self, game: &Game) -> bool {
        let of = |game: &Game| (game.record().size(), *game.record().rules());
        of(game) == of(&self.game)
    }

    /// Back to where a person was last to move; `false` where there is no such place.
    fn undo(&mut self) -> bool {
        let before = self.game.clone();
        while self.game.undo() {
            if self.player(self.game.record().turn()) == Player::Human {
                return true;
            }
        }
        self.game = before;
        false
    }

    /// The legal moves with their numbers.
    fn list(&self) -> String {
        let choices = self.game.record().choices();
        let items: Vec<_> = (1..).zip(&choices).map(|(number, ply)| format!("{number}: {ply}")).collect();
        format!("{}\n", items.join("  "))
    }

    /// The board as a diagram; what the last turn touched is coloured.
    pub(super) fn board(&self, colours: bool) -> String {
        let board = self.game.record().board();
        let last = self.game.record().plies().last().copied();
        let touched = |cell: Cell| match last {
            Some(Ply::Removal(removed)) => removed == cell,
            Some(Ply::Move(mv)) => mv.from == cell || mv.to == cell,
            None => false,
        };
        text::diagram(board.size(), colours, |cell| {
            let letter = board.stone(cell).map_or('.', Side::letter);
            text::Mark { letter, style: touched(cell).then_some(text::BLUE) }
        })
    }

    /// What the other side could jump if it were its turn.
    pub(super) fn threats(&self) -> String {
        let Some(position) = self.game.record().position() else {
            return "there are no jumps before both removals\n".to_owned();
        };
        let other = position.turn().other();
        let threats: Vec<_> = threats(&position).into_iter().map(|(mv, taken)| format!("{mv} takes {taken}")).collect();
        match threats.is_empty() {
            true => format!("{} threatens nothing\n", other.title()),
            false => format!("{} threatens {}\n", other.title(), threats.join(", ")),
        }
    }

    /// How the game stands, once it is over.
    pub(super) fn conclusion(&self) -> Option<String> {
        let winner = self.game.winner()?;
        let plies = self.game.record().plies().len() as u32;
        let why = if self.game.is_resigned() { "resigned" } else { "cannot move" };
        Some(format!("{} wins after {}: {} {why}", winner.title(), text::plies(plies), winner.other().title()))
    }
}

/// The jumps of the side that is not to move, each with the stones that it would take.
pub(super) fn threats(position: &Position) -> Vec<(Move, String)> {
    let threat = |mv: Move| {
        let before = position.with_turn(position.turn().other());
        let after = before.play(mv).ok()?;
        let taken = position
            .size()
            .all_cells()
            .filter(|&cell| position.stone(cell) == Some(position.turn()) && after.stone(cell).is_none());
        Some((mv, taken.map(|cell| cell.to_string()).collect::<Vec<_>>().join(" and ")))
    };
    position.with_turn(position.turn().other()).moves().into_iter().filter_map(threat).collect()
}

/// Why the engine plays a move, and how long it thought. A guess is called one.
fn reason(thought: &Thought, turn: Side) -> String {
    let why = match (thought.reason, thought.winner) {
        (Reason::Only, _) => "the only move".to_owned(),
        (Reason::Fact | Reason::Proof, Some(side)) => format!("proved: {} wins", side.title()),
        (Reason::Fact | Reason::Proof, None) => "proved".to_owned(),
        (Reason::Sight { .. }, Some(side)) => format!("proved: {} wins", side.title()),
        (Reason::Sight { depth, score }, None) => {
            let side = if score >= 0 { turn } else { turn.other() };
            let ahead = f64::from(score.abs()) / 100.0;
            format!("a guess: {} {ahead:.1} moves ahead after {}", side.title(), text::plies(depth))
        }
    };
    format!("{why}, {:.2} s", thought.time.as_secs_f64())
}
