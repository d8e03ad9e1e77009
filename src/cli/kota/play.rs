//! `papamu kota play`: a game in the terminal, or between engines.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::kota::{Analysis, Cell, Kota, Move, Oracle, Outcome as Ends, Record, Side, analyze, drawing, search};
use crate::run::{Control, Limits};

use super::super::dialogue::{self, Ended, Input, Kept, check_save, is_interrupted};
use super::super::interrupt;
use super::super::options::MemoryArgs;
use super::super::output::Sink;
use super::super::text::{self, colours_wanted};
use super::options::{RulesArgs, finish, ready, table};
use super::report::{Known, line, moves_table, rules};
use super::{Console, Failure, Outcome};

/// Who moves for a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Player {
    /// Lines of standard input.
    Human,
    /// The program.
    Engine,
}

/// Play a game
///
/// Up to N = 4 (and with a table) the engine plays perfectly, beyond that it searches. A position that comes up for the third
/// time draws the game. Type moves such as R1:a1-b2 (or a1-b2), or: moves, board, hint, undo, save FILE, load FILE, help, quit.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu kota play 4
  papamu kota play 11 --red engine --white human --think 5s
  papamu kota play 11 --white human                 two people at one keyboard
  papamu kota play 4 --red engine --white engine    engine against engine
  printf 'R1:a1-b2\\nsave game\\n' | papamu kota play 3 --plain")]
pub(super) struct PlayArgs {
    /// Stones a side: 2 to 11.
    #[arg(value_name = "N", required_unless_present = "load")]
    n: Option<usize>,
    /// Who plays Red.
    #[arg(long, value_enum, value_name = "PLAYER", default_value = "human")]
    red: Player,
    /// Who plays White.
    #[arg(long, value_enum, value_name = "PLAYER", default_value = "engine")]
    white: Player,
    /// Go on with this game (under its rules).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["kota-rules", "n"])]
    load: Option<PathBuf>,
    /// Save the game here at the end.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Let the engine play from this table; over 256 MiB `kota table verify` tells whether it is damaged.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Time of the engine for a move where it searches.
    #[arg(long, value_name = "TIME", value_parser = super::super::options::duration, default_value = "1s")]
    think: Duration,
    /// Plies that the engine looks ahead at most where it searches.
    #[arg(long, value_name = "PLIES", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// Stop after this many plies.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    plies: usize,
    /// Draw no boards: one line for each move.
    #[arg(long)]
    plain: bool,
    /// Show no notes; errors are shown.
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    memory: MemoryArgs,
}

/// What a person asks for.
enum Order {
    Move(Move),
    Moves,
    Board,
    Hint,
    Undo,
    Save(PathBuf),
    Load(PathBuf),
    Help,
    Quit,
}

const HELP: &str = "moves: the legal moves; board: the board; hint: what the engine would play; undo: take back;\n\
                    save FILE, load FILE: the game; quit: stop. A move is R1:a1-b2, or a1-b2.\n";

impl PlayArgs {
    /// Runs the command.
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let record = match (&self.load, self.n) {
            (Some(path), _) => load("--load", path)?,
            (None, Some(n)) => Record::new(self.rules.kota(n)?),
            (None, None) => return Err(Failure::Usage("expected N, or --load FILE".to_owned())),
        };
        check_save(self.save.as_deref())?;
        // Also what is done before the first move must hear Ctrl-C.
        let control = Arc::new(Control::default());
        interrupt::watch(&control);
        let oracle = self.oracle(record.kota(), &control)?;
        let mut game = Game { args: &self, record, oracle, control, console };
        let ended = game.play();
        let record = &game.record;
        let kept = Kept {
            save: self.save.as_deref(),
            stem: format!("kota-{}", record.kota().n()),
            text: record.to_string(),
            goes_on: record.ending().is_none() && !record.moves().is_empty(),
            quiet: self.quiet,
        };
        kept.finish(ended, game.console)
    }

    /// What knows every value, where something does.
    fn oracle(&self, kota: &Kota, control: &Control) -> Result<Option<Box<dyn Oracle>>, Failure> {
        if let Some(path) = &self.table {
            let table = table(path)?;
            let same = table.kota().n() == kota.n() && table.kota().rules().same_but_for_the_start(kota.rules());
            return match same {
                true => Ok(Some(Box::new(table))),
                false => Err(Failure::usage(
                    format_args!("--table {}", path.display()),
                    format_args!(
                        "expected N = {} and the rules {}, found N = {} and {}",
                        kota.n(),
                        kota.rules(),
                        table.kota().n(),
                        table.kota().rules()
                    ),
                )),
            };
        }
        if kota.n() > 4 {
            return Ok(None);
        }
        let mut solver = ready(kota, self.memory.cap())?;
        finish(&mut solver, control)?;
        Ok(Some(Box::new(solver)))
    }

    fn player(&self, side: Side) -> Player {
        match side {
            Side::Red => self.red,
            Side::White => self.white,
        }
    }
}

/// The game of the file of an option or an order.
fn load(option: &str, path: &Path) -> Result<Record, Failure> {
    dialogue::read(option, path)?.parse().map_err(|error| Failure::usage(path.display(), error))
}

struct Game<'a, 'b> {
    args: &'a PlayArgs,
    record: Record,
    oracle: Option<Box<dyn Oracle>>,
    /// What Ctrl-C stops.
    control: Arc<Control>,
    console: &'a mut Console<'b>,
}

impl Game<'_, '_> {
    fn play(&mut self) -> Result<Ended, Failure> {
        let kota = self.record.kota();
        self.say(&format!("KOTA {}: {}\n", kota.n(), rules(kota.rules())))?;
        self.draw()?;
        let mut input = Input::default();
        let ended = loop {
            if is_interrupted(&self.control) {
                break Ended::Interrupted;
            }
            if self.record.ending().is_some() || self.record.moves().len() >= self.args.plies {
                break Ended::Over;
            }
            let turn = self.record.position().turn();
            if self.args.player(turn) == Player::Engine {
                match self.think() {
                    // What is found of a move after Ctrl-C is not worth playing.
                    Some(mv) if !is_interrupted(&self.control) => self.make(mv)?,
                    _ => break Ended::Interrupted,
                }
                continue;
            }
            // A pass is no choice, so nobody is asked for it.
            if let [pass @ Move::Pass { .. }] = self.record.kota().choices(self.record.position())[..] {
                self.make(pass)?;
                continue;
            }
            if !self.args.plain {
                self.say(&format!("{} to move: ", turn.title()))?;
            }
            let typed = match input.line(&self.control) {
                Ok(typed) => typed,
                Err(ended) => break ended,
            };
            match self.order(typed.trim()) {
                Ok(None) => {}
                Ok(Some(Order::Quit)) => break Ended::Quit,
                Ok(Some(order)) => self.obey(order)?,
                Err(reason) => self.say(&format!("error: {reason}\n"))?,
            }
        };
        let plies = text::plies(self.record.moves().len());
        match self.record.ending() {
            Some(ending) => self.say(&format!("{} after {plies}\n", ending.phrase()))?,
            None => self.say(&format!("stopped after {plies}\n"))?,
        }
        Ok(ended)
    }

    fn say(&mut self, text: &str) -> Result<(), Failure> {
        Sink::stdout().write(self.console, text.as_bytes())
    }

    fn draw(&mut self) -> Result<(), Failure> {
        if self.args.plain {
            return Ok(());
        }
        let colours = self.console.stdout_is_terminal && colours_wanted();
        let board = self.record.kota().rules().board;
        let drawn = drawing::text(board, self.record.position(), colours);
        self.say(&format!("\n{drawn}\n"))
    }

    fn make(&mut self, mv: Move) -> Result<(), Failure> {
        match self.record.play(mv) {
            Ok(()) => {
                self.say(&format!("{}. {mv}\n", self.record.moves().len()))?;
                self.draw()
            }
            Err(error) => {
                let legal = self.legal(mv);
                self.say(&format!("error: {error}{legal}\n"))
            }
        }
    }

    /// What could be played instead of an illegal move: with the same stone, if it may move.
    fn legal(&self, mv: Move) -> String {
        let choices = self.record.kota().choices(self.record.position());
        let Move::Go { stone, .. } = mv else { return String::new() };
        if stone.side != self.record.position().turn() {
            return format!("; legal moves: {}", line(&choices));
        }
        let own = |choice: &Move| matches!(choice, Move::Go { stone: other, .. } if *other == stone);
        let own: Vec<Move> = choices.into_iter().filter(own).collect();
        match own.is_empty() {
            true => format!("; no move of {stone} is legal"),
            false => format!("; legal from {stone}: {}", line(&own)),
        }
    }

    /// The move of the engine.
    fn think(&self) -> Option<Move> {
        let (kota, position) = (self.record.kota(), self.record.position());
        if let Some(oracle) = &self.oracle {
            return perfect(kota, &**oracle, &analyze(kota, &**oracle, position), &self.record);
        }
        let control = self.control.part(Limits { nodes: None, time: Some(self.args.think) });
        search(&self.record, &control, self.args.depth).map(|found| found.mv)
    }

    fn order(&self, typed: &str) -> Result<Option<Order>, String> {
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
            "undo" => Order::Undo,
            "save" => Order::Save(file()?),
            "load" => Order::Load(file()?),
            "help" => Order::Help,
            "quit" => Order::Quit,
            _ => Order::Move(self.typed_move(typed)?),
        }))
    }

    /// A move as typed; the stone may be left out, since it is the one on the first cell.
    fn typed_move(&self, typed: &str) -> Result<Move, String> {
        let cells =
            typed.split_once('-').and_then(|(from, to)| Some((from.parse::<Cell>().ok()?, to.parse::<Cell>().ok()?)));
        match cells {
            Some((from, to)) => match self.record.position().stone_at(from) {
                Some(stone) => Ok(Move::Go { stone, from, to }),
                None => Err(format!("there is no stone on {from}")),
            },
            None => typed.parse().map_err(|error| format!("{error}; `help` tells what can be typed")),
        }
    }

    fn obey(&mut self, order: Order) -> Result<(), Failure> {
        let (kota, position) = (self.record.kota(), *self.record.position());
        match order {
            Order::Move(mv) => self.make(mv),
            Order::Moves => {
                let moves = line(&kota.choices(&position));
                self.say(&format!("{moves}\n"))
            }
            Order::Board => {
                let drawn = drawing::text(kota.rules().board, &position, false);
                self.say(&format!("{drawn}{position}\n"))
            }
            Order::Hint => {
                let hint = match &self.oracle {
                    Some(oracle) => {
                        let analysis = analyze(kota, &**oracle, &position);
                        let value = Known(analysis.value).sentence(position.turn());
                        format!("{value}\n{}", moves_table(&analysis))
                    }
                    None => self.think().map_or(String::new(), |mv| format!("{mv}\n")),
                };
                self.say(&hint)
            }
            Order::Undo => {
                if !self.undo() {
                    return self.say("error: nothing to take back\n");
                }
                let plies = self.record.moves().len();
                self.say(&format!("back to ply {plies}\n"))?;
                self.draw()
            }
            Order::Save(path) => match dialogue::save("save", &path, &self.record.to_string()) {
                Ok(()) => self.say(&format!("saved {}\n", path.display())),
                Err(Failure::Usage(reason) | Failure::Run(reason)) => self.say(&format!("error: {reason}\n")),
                Err(failure) => Err(failure),
            },
            Order::Load(path) => match load("load", &path) {
                Ok(record) if record.kota() != self.record.kota() => {
                    let (expected, found) = (self.record.kota(), record.kota());
                    self.say(&format!(
                        "error: {}: expected kota {} {}, found kota {} {}; start with --load\n",
                        path.display(),
                        expected.n(),
                        expected.rules(),
                        found.n(),
                        found.rules()
                    ))
                }
                Ok(record) => {
                    self.record = record;
                    self.say(&format!("loaded {}\n", path.display()))?;
                    self.draw()
                }
                Err(Failure::Usage(reason) | Failure::Run(reason)) => self.say(&format!("error: {reason}\n")),
                Err(failure) => Err(failure),
            },
            Order::Help => self.say(HELP),
            Order::Quit => Ok(()),
        }
    }

    /// Back to where a person was last to move and had a choice; `false` where there is no such place.
    fn undo(&mut self) -> bool {
        let before = self.record.clone();
        while self.record.undo() {
            let position = self.record.position();
            let choice = !matches!(self.record.kota().choices(position)[..], [Move::Pass { .. }]);
            if self.args.player(position.turn()) == Player::Human && choice {
                return true;
            }
        }
        self.record = before;
        false
    }
}

/// The best move by the values of all. Of moves that only draw, one after which the other side has the most ways to go wrong, and
/// that comes back to no earlier position if there is a choice.
fn perfect(kota: &Kota, oracle: &dyn Oracle, analysis: &Analysis, record: &Record) -> Option<Move> {
    let best = analysis.moves.first()?;
    let draws = |value: Option<crate::kota::Value>| value.is_some_and(|value| value.outcome == Ends::Draw);
    if !draws(best.value) {
        return Some(best.mv);
    }
    let traps = |mv: Move| {
        let next = kota.play(record.position(), mv).ok()?;
        let replies = analyze(kota, oracle, &next).moves;
        let wrong = replies.iter().filter(|reply| reply.value.is_some_and(|value| value.outcome == Ends::Loss));
        Some((std::cmp::Reverse(record.times(&next)), wrong.count()))
    };
    let mut chosen = (None, best.mv);
    for judged in analysis.moves.iter().filter(|judged| draws(judged.value)) {
        let found = traps(judged.mv);
        if found > chosen.0 {
            chosen = (found, judged.mv);
        }
    }
    Some(chosen.1)
}
