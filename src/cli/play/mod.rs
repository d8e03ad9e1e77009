//! `papamu play`: a game in the terminal, between people, engines or both.
//!
//! `session` is the game and what people may ask of it; `lines` talks in lines, `screen` on a whole terminal.

mod lines;
mod screen;
mod session;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::board::Size;
use crate::konane::Side;
use crate::play::{Game, Opponent, Rival};
use crate::run::{Control, MemorySize};

use super::dialogue::{Kept, check_save};
use super::facts::FactsArgs;
use super::messages::Failure;
use super::options::{RulesArgs, duration};
use super::{Console, Outcome, interrupt, positions, text};

use session::Session;

/// Who moves for a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Player {
    /// A person.
    Human,
    /// The program at its best.
    Engine,
    /// Any legal move.
    Random,
    /// The move that leaves the opponent the fewest jumps.
    OnePly,
    /// A search of four plies that counts jumps.
    FourPly,
}

impl Player {
    fn name(self) -> &'static str {
        match self {
            Player::Human => "human",
            Player::Engine => "engine",
            Player::Random => "random",
            Player::OnePly => "one-ply",
            Player::FourPly => "four-ply",
        }
    }

    /// The simple player that this is.
    fn rival(self) -> Option<Rival> {
        match self {
            Player::Human | Player::Engine => None,
            Player::Random => Some(Rival::Random),
            Player::OnePly => Some(Rival::OnePly),
            Player::FourPly => Some(Rival::FourPlies),
        }
    }
}

/// How long the engine thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Level {
    /// 0.05 s a move.
    Blitz,
    /// 0.2 s a move.
    Quick,
    /// 1 s a move.
    Normal,
    /// 5 s a move.
    Strong,
    /// 30 s a move.
    Patient,
}

impl Level {
    fn time(self) -> Duration {
        Duration::from_millis(match self {
            Level::Blitz => 50,
            Level::Quick => 200,
            Level::Normal => 1000,
            Level::Strong => 5000,
            Level::Patient => 30_000,
        })
    }
}

/// How the end of the game is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Telling {
    /// The game move by move, for people.
    Text,
    /// One JSON object at the end.
    Json,
}

/// Play a game
///
/// The engine plays what it can prove and what looks best elsewhere. On a terminal the board fills the screen: cursor keys and
/// Enter move, or type moves and words. Otherwise, or with --plain, it is a dialogue in lines: a move such as c3-c5 (its
/// beginning is enough where it is the only one), its number in the list of `moves`, or moves, board, hint, threats, undo,
/// resign, save FILE, load FILE, help, quit.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu play 8x8
  papamu play 8x8 --black engine --white human --level strong
  papamu play 10x10 --white human                   two people at one keyboard
  papamu play 6x6 --black engine --white engine --think 200ms --plain
  papamu play --load konane-8x8.game
  printf 'a4\\nsave game\\n' | papamu play 4x4 --plain

Ctrl-C and a lost terminal save the game: in the file of --save, or else in konane-RxC.game.")]
pub(super) struct PlayArgs {
    /// The board: rows x columns, such as 8x8.
    #[arg(value_name = "RxC", required_unless_present = "load", conflicts_with = "load")]
    size: Option<Size>,
    /// Who plays Black.
    #[arg(long, value_enum, value_name = "PLAYER", default_value = "human")]
    black: Player,
    /// Who plays White.
    #[arg(long, value_enum, value_name = "PLAYER", default_value = "engine")]
    white: Player,
    /// How long the engine thinks about a move.
    #[arg(long, value_enum, value_name = "LEVEL", default_value = "normal", conflicts_with = "think")]
    level: Level,
    /// The same as a time, such as 200ms or 10s.
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    think: Option<Duration>,
    /// Go on with this game (under its rules).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rules", "moves"])]
    load: Option<PathBuf>,
    /// Save the game here at the end.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Begin after these removals and moves.
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    moves: Option<String>,
    /// Stop after this many plies.
    #[arg(long, value_name = "N")]
    plies: Option<usize>,
    /// Where the chance of the simple players begins.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Draw no boards: one line for each move.
    #[arg(long)]
    plain: bool,
    /// Form of the result.
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    format: Telling,
    /// Memory of the engine, such as 512MiB or 4GiB; a bare number is bytes [default: half of the free
    /// memory, at most 512MiB].
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true, help_heading = "Limits")]
    memory: Option<MemorySize>,
    /// Show no notes; errors are shown.
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
    #[command(flatten)]
    facts: FactsArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

impl PlayArgs {
    /// Runs the command.
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let rules = self.rules.rules();
        let game = match (&self.load, self.size) {
            (Some(path), _) => load("--load", path)?,
            (None, Some(size)) => {
                let moves = self.moves.as_deref().unwrap_or_default();
                let place = if self.moves.is_some() { "--moves".to_owned() } else { size.to_string() };
                Game::parse(moves, Some(size), rules).map_err(|error| Failure::usage(place, error))?
            }
            (None, None) => return Err(Failure::Usage("expected a board RxC, or --load FILE".to_owned())),
        };
        check_save(self.save.as_deref())?;
        let (size, top_left) = (game.record().size(), game.record().rules().top_left);
        let memory = self.memory.unwrap_or_else(|| MemorySize::default_cap().min(MemorySize::from_bytes(512 << 20)));
        let opponent = Opponent::new(size, top_left, memory).map_err(|error| Failure::usage("--memory", error))?;
        let facts = self.facts.open(&[(size, top_left)])?;
        let control = Arc::new(Control::default());
        interrupt::watch(&control);
        let people = [self.black, self.white].contains(&Player::Human);
        let whole_screen = people && self.format == Telling::Text && !self.plain && can_take_the_screen(console);
        let think = self.think.unwrap_or_else(|| self.level.time());
        let mut session = Session::new(game, [self.black, self.white], (opponent, facts), think, self.seed, control);
        let ended = match whole_screen {
            true => screen::play(&mut session, console),
            false => lines::play(&mut session, &self, console),
        };
        let game = session.game();
        let kept = Kept {
            save: self.save.as_deref(),
            stem: format!("konane-{size}"),
            text: format!("{game}\n"),
            goes_on: game.winner().is_none() && !game.record().plies().is_empty(),
            quiet: self.quiet,
        };
        kept.finish(ended, console)
    }
}

fn can_take_the_screen(console: &Console<'_>) -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    console.stdout_is_terminal && io::stdin().is_terminal() && !dumb
}

/// The game of the file of an option or an order; it holds one.
fn load(option: &str, path: &Path) -> Result<Game, Failure> {
    let parse = |line: &str| Game::parse(line, None, Default::default()).map_err(|error| error.to_string());
    let mut games = positions::lines(option, path, parse)?;
    match (games.pop(), games.len()) {
        (Some(game), 0) => Ok(game),
        (_, more) => {
            let found = if more == 0 { "none".to_owned() } else { (more + 1).to_string() };
            Err(Failure::usage(path.display(), format_args!("expected one game, found {found}")))
        }
    }
}

/// The title of a side with its letter: `Black (x)`.
fn named(side: Side) -> String {
    format!("{} ({})", side.title(), side.letter())
}

/// The rules of a game, for a heading.
fn heading(game: &Game) -> String {
    format!("{}: {}", game.record().size(), text::rules(game.record().rules()))
}
