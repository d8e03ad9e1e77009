//! A game as a dialogue in lines.

use serde::Serialize;

use crate::konane::{Ply, Side};

use super::super::Console;
use super::super::dialogue::{Ended, Input};
use super::super::messages::Failure;
use super::super::output::Sink;
use super::super::report::{VERSION, json_line, seconds};
use super::super::text;
use super::session::{Came, Session};
use super::{PlayArgs, Player, Telling};

/// The game for programs.
#[derive(Debug, Serialize)]
struct Report {
    game: &'static str,
    record: String,
    winner: Option<Side>,
    resigned: bool,
    plies: usize,
    players: [&'static str; 2],
    /// Thinking time of Black and White.
    seconds: [f64; 2],
    version: &'static str,
}

/// Plays the game to its end.
pub(super) fn play(session: &mut Session, args: &PlayArgs, console: &mut Console<'_>) -> Result<Ended, Failure> {
    let colours = console.stdout_is_terminal && text::colours_wanted();
    let silent = args.format == Telling::Json;
    let mut talk = Talk { session, console, boards: !args.plain && !silent, silent, colours, input: Input::default() };
    let ended = talk.play(args.plies)?;
    let plies = talk.session.game().record().plies().len();
    match talk.session.conclusion() {
        Some(conclusion) => talk.say(&format!("{conclusion}\n"))?,
        None => talk.say(&format!("stopped after {}\n", text::plies(plies)))?,
    }
    if silent {
        let game = session.game();
        let report = Report {
            game: "konane",
            record: game.to_string(),
            winner: game.winner(),
            resigned: game.is_resigned(),
            plies,
            players: Side::BOTH.map(|side| session.player(side).name()),
            seconds: session.spent().map(seconds),
            version: VERSION,
        };
        Sink::stdout().write(console, &json_line(&report)?)?;
    }
    Ok(ended)
}

struct Talk<'a, 'b> {
    session: &'a mut Session,
    console: &'a mut Console<'b>,
    boards: bool,
    silent: bool,
    colours: bool,
    input: Input,
}

impl Talk<'_, '_> {
    fn play(&mut self, most: Option<usize>) -> Result<Ended, Failure> {
        if self.boards {
            let heading = self.session.heading();
            self.say(&heading)?;
        }
        self.draw()?;
        loop {
            if self.session.is_interrupted() {
                return Ok(Ended::Interrupted);
            }
            let record = self.session.game().record();
            let enough = most.is_some_and(|most| record.plies().len() >= most);
            if self.session.game().winner().is_some() || enough {
                return Ok(Ended::Over);
            }
            let turn = record.turn();
            if self.session.player(turn) != Player::Human {
                let control = self.session.thinking();
                match self.session.choose(&control) {
                    Some((ply, why)) => self.make(ply, &why)?,
                    None => return Ok(Ended::Interrupted),
                }
                continue;
            }
            if self.boards {
                self.say(&format!("{} to move: ", turn.title()))?;
            }
            let typed = match self.input.line(self.session.control()) {
                Ok(typed) => typed,
                Err(ended) => return Ok(ended),
            };
            match self.session.order(&typed) {
                Ok(None) => {}
                Ok(Some(order)) => {
                    let before = self.session.game().record().plies().len();
                    match self.session.obey(order)? {
                        Came::Quit => return Ok(Ended::Quit),
                        Came::Said(said) => self.say(&said)?,
                        Came::Refused(reason) => self.say(&format!("error: {reason}\n"))?,
                        Came::Changed(said) => {
                            self.say(&said)?;
                            self.made(before)?;
                            self.draw()?;
                        }
                    }
                }
                Err(reason) => self.say(&format!("error: {reason}\n"))?,
            }
        }
    }

    fn say(&mut self, text: &str) -> Result<(), Failure> {
        if self.silent { Ok(()) } else { Sink::stdout().write(self.console, text::printable_lines(text).as_bytes()) }
    }

    fn draw(&mut self) -> Result<(), Failure> {
        if !self.boards {
            return Ok(());
        }
        let board = self.session.board(self.colours);
        Sink::stdout().write(self.console, format!("\n{board}\n").as_bytes())
    }

    fn make(&mut self, ply: Ply, why: &str) -> Result<(), Failure> {
        if let Err(error) = self.session.play(ply) {
            return Err(Failure::Run(format!("the engine played {ply}: {error}")));
        }
        let number = self.session.game().record().plies().len();
        match why.is_empty() || !self.boards {
            true => self.say(&format!("{number}. {ply}\n"))?,
            false => self.say(&format!("{number}. {ply}  ({why})\n"))?,
        }
        self.draw()
    }

    /// Names the turn that a person has just played, if it is one.
    fn made(&mut self, before: usize) -> Result<(), Failure> {
        let plies = self.session.game().record().plies();
        match plies.last() {
            Some(ply) if plies.len() == before + 1 => self.say(&format!("{}. {ply}\n", plies.len())),
            _ => Ok(()),
        }
    }
}
