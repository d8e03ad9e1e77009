//! `papamu kota`: the second game.

mod analyze;
mod check;
mod options;
mod play;
mod report;
mod show;
mod solve;
mod table;

use clap::{Args, Subcommand};

use super::messages::Failure;
use super::{Console, Outcome};

/// KOTA, a game with numbered stones on hexagons: solve, tables, analyse, play
///
/// Each side has N stones with the numbers 1 to N on a board of NxN hexagons. A stone moves exactly as many steps as its number,
/// over empty cells; after the move the stones of its side must still be neighbours. Whoever reaches the opponent's home row wins.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu kota solve 4
  papamu kota solve 4 --board rhombus --stuck loss --format json
  papamu kota analyze 'R:a1,b1,c1 W:c3,b3,a3 red'
  papamu kota play 4
  papamu kota table build 4 -o kota-4")]
pub(super) struct KotaArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Solve(solve::SolveArgs),
    #[command(subcommand)]
    Table(table::TableCommand),
    Analyze(analyze::AnalyzeArgs),
    Show(show::ShowArgs),
    Play(play::PlayArgs),
    Check(check::CheckArgs),
}

impl KotaArgs {
    /// Runs the command.
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        match self.command {
            Command::Solve(args) => args.run(console),
            Command::Table(command) => command.run(console),
            Command::Analyze(args) => args.run(console),
            Command::Show(args) => args.run(console),
            Command::Play(args) => args.run(console),
            Command::Check(args) => args.run(console),
        }
    }
}
