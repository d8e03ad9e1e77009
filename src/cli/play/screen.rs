//! A game on a whole terminal: cursor keys and Enter, or typed moves and words.

use std::io;
use std::thread;
use std::time::{Duration, Instant};

use ratatui::Frame;
use ratatui::Terminal;
use ratatui::backend::Backend;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph, Wrap};

use crate::board::Cell;
use crate::konane::{Ply, Position, Side};

use super::super::Console;
use super::super::dialogue::Ended;
use super::super::messages::Failure;
use super::super::output::Sink;
use super::session::{Came, Order, Session};
use super::{Player, named};

/// Between two looks whether somebody wants to stop.
const PATIENCE: Duration = Duration::from_millis(100);
/// Bytes that may be typed. The rest of a longer paste is dropped.
const LONGEST: usize = 200;
/// Keys of a paste that are taken before the screen is drawn again.
const KEYS_AT_ONCE: usize = 4096;
const KEYS: &str = "Arrows and Enter: choose a stone, then where it goes. Or type a move or a word (Tab completes): hint, \
                    threats, undo, resign, save FILE, load FILE, moves, help, quit. Esc: clear. Ctrl-C: save and stop.";

/// What is shown of a game; free of the session, so that it can be drawn while the engine works with that.
#[derive(Clone, Debug)]
struct View {
    heading: String,
    board: Position,
    choices: Vec<Ply>,
    plies: Vec<Ply>,
    conclusion: Option<String>,
}

impl View {
    fn of(session: &Session) -> View {
        let record = session.game().record();
        View {
            heading: session.heading(),
            board: record.board(),
            choices: if session.game().winner().is_some() { Vec::new() } else { record.choices() },
            plies: record.plies(),
            conclusion: session.conclusion(),
        }
    }
}

/// What a key asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Play(Ply),
    Typed(String),
    Stop,
    Interrupt,
}

/// Where the person is on the screen.
#[derive(Clone, Debug)]
struct Hand {
    /// The row from the top and the column.
    cursor: (usize, usize),
    chosen: Option<Cell>,
    typed: String,
    message: String,
    thinking: Option<Instant>,
}

impl Hand {
    fn new(view: &View) -> Hand {
        let size = view.board.size();
        let cursor = (size.rows() / 2, size.cols() / 2);
        Hand { cursor, chosen: None, typed: String::new(), message: String::new(), thinking: None }
    }

    fn cell(&self, view: &View) -> Cell {
        view.board.size().cell_at(self.cursor.0, self.cursor.1)
    }

    /// What a key does; `complete` knows how what is typed may go on.
    fn key(&mut self, key: KeyEvent, view: &View, complete: &dyn Fn(&str) -> Vec<String>) -> Option<Step> {
        let size = view.board.size();
        let (row, col) = self.cursor;
        match key.code {
            KeyCode::Char('c' | 'd') if key.modifiers.contains(KeyModifiers::CONTROL) => return Some(Step::Interrupt),
            KeyCode::Up => self.cursor = (row.saturating_sub(1), col),
            KeyCode::Down => self.cursor = ((row + 1).min(size.rows() - 1), col),
            KeyCode::Left => self.cursor = (row, col.saturating_sub(1)),
            KeyCode::Right => self.cursor = (row, (col + 1).min(size.cols() - 1)),
            KeyCode::Esc => {
                self.typed.clear();
                self.chosen = None;
                self.message.clear();
            }
            KeyCode::Backspace => {
                self.typed.pop();
            }
            KeyCode::Tab => self.complete(complete),
            KeyCode::Enter if !self.typed.is_empty() => return Some(Step::Typed(std::mem::take(&mut self.typed))),
            KeyCode::Enter if view.conclusion.is_some() => return Some(Step::Stop),
            KeyCode::Enter => return self.choose(view),
            KeyCode::Char(' ') if self.typed.is_empty() => return self.choose(view),
            // The longest that makes sense is the name of a file.
            KeyCode::Char(letter) if self.typed.len() < LONGEST => self.typed.push(letter),
            _ => {}
        }
        None
    }

    fn complete(&mut self, complete: &dyn Fn(&str) -> Vec<String>) {
        let found = complete(&self.typed);
        let Some(first) = found.first() else { return };
        // As far as all of them agree; they are ASCII.
        let common = found.iter().fold(first.len(), |length, text| {
            first.bytes().zip(text.bytes()).take(length).take_while(|(a, b)| a == b).count()
        });
        self.typed = first[..common].to_owned();
        self.message = if found.len() > 1 { found.join("  ") } else { String::new() };
    }

    /// Enter on the board.
    fn choose(&mut self, view: &View) -> Option<Step> {
        let cell = self.cell(view);
        let here = view.choices.iter().find(|ply| match **ply {
            Ply::Removal(removed) => removed == cell,
            Ply::Move(mv) => Some(mv.from) == self.chosen && mv.to == cell,
        });
        if let Some(&ply) = here {
            self.chosen = None;
            self.message.clear();
            return Some(Step::Play(ply));
        }
        let movable = view.choices.iter().any(|ply| matches!(ply, Ply::Move(mv) if mv.from == cell));
        self.chosen = (movable && self.chosen != Some(cell)).then_some(cell);
        self.message = match (self.chosen, view.board.stone(cell)) {
            (Some(_), _) => "Now the cell where it goes (+).".to_owned(),
            (None, Some(side)) if side == view.board.turn() && !movable => {
                format!("The stone on {cell} cannot be played.")
            }
            _ => String::new(),
        };
        None
    }
}

/// Plays the game on the terminal of the process.
pub(super) fn play(session: &mut Session, console: &mut Console<'_>) -> Result<Ended, Failure> {
    let mut terminal =
        ratatui::try_init().map_err(|error| Failure::Run(format!("the terminal cannot be used: {error}")))?;
    let ended = run(session, &mut terminal);
    // On a terminal that is gone there is nothing to give back, and nobody to tell: the library would try, and panic.
    if terminal.show_cursor().is_err() {
        std::mem::forget(terminal);
    }
    let _ = ratatui::try_restore();
    let conclusion = session.conclusion().map_or(String::new(), |text| format!("{text}\n"));
    let said = Sink::stdout().write(console, format!("{}\n{conclusion}", session.game()).as_bytes());
    let ended = ended?;
    said.map(|()| ended)
}

/// Reading from a terminal or writing to it fails when it was hung up.
fn lost(_: impl std::error::Error) -> Failure {
    Failure::LostTerminal
}

fn run<B: Backend<Error = io::Error> + Send>(
    session: &mut Session,
    terminal: &mut Terminal<B>,
) -> Result<Ended, Failure> {
    let mut hand = Hand::new(&View::of(session));
    loop {
        if session.is_interrupted() {
            return Ok(Ended::Interrupted);
        }
        let view = View::of(session);
        let turn = view.board.turn();
        if view.conclusion.is_none() && session.player(turn) != Player::Human {
            match think(session, terminal, &view, &mut hand)? {
                Some((ply, why)) => {
                    session.play(ply).map_err(|error| Failure::Run(format!("the engine played {ply}: {error}")))?;
                    hand.message = if why.is_empty() { format!("{ply}") } else { format!("{ply} ({why})") };
                }
                None => return Ok(Ended::Interrupted),
            }
            continue;
        }
        terminal.draw(|frame| draw(frame, &view, &hand)).map_err(lost)?;
        let Some(key) = next_key(PATIENCE)? else { continue };
        let mut step = hand.key(key, &view, &|typed| session.completions(typed));
        // To draw the board for every letter of a paste would take for ever.
        for _ in 0..KEYS_AT_ONCE {
            if step.is_some() || session.is_interrupted() {
                break;
            }
            let Some(key) = next_key(Duration::ZERO)? else { break };
            step = hand.key(key, &view, &|typed| session.completions(typed));
        }
        match step {
            None => {}
            Some(Step::Interrupt) => return Ok(Ended::Interrupted),
            Some(Step::Stop) => return Ok(Ended::Over),
            Some(Step::Play(ply)) => obey(session, Order::Turn(ply), &mut hand)?,
            Some(Step::Typed(typed)) => match session.order(&typed) {
                Ok(None) => {}
                Ok(Some(Order::Quit)) => return Ok(Ended::Quit),
                Ok(Some(Order::Hint)) => {
                    hand.message = "thinking …".to_owned();
                    terminal.draw(|frame| draw(frame, &view, &hand)).map_err(lost)?;
                    obey(session, Order::Hint, &mut hand)?;
                }
                Ok(Some(order)) => obey(session, order, &mut hand)?,
                Err(reason) => hand.message = reason,
            },
        }
    }
}

fn obey(session: &mut Session, order: Order, hand: &mut Hand) -> Result<(), Failure> {
    hand.chosen = None;
    hand.message = match session.obey(order)? {
        Came::Said(text) | Came::Changed(text) | Came::Refused(text) => text,
        Came::Quit => String::new(),
    };
    Ok(())
}

/// A key within this time.
fn next_key(patience: Duration) -> Result<Option<KeyEvent>, Failure> {
    // Keys that came together are read together and wait where `wait` does not see them.
    if !wait(Duration::ZERO)? && !event::poll(Duration::ZERO).map_err(lost)? && !wait(patience)? {
        return Ok(None);
    }
    if !event::poll(Duration::ZERO).map_err(lost)? {
        return Ok(None);
    }
    match event::read().map_err(lost)? {
        Event::Key(key) if key.kind != KeyEventKind::Release => Ok(Some(key)),
        _ => Ok(None),
    }
}

/// Waits until something is typed. A terminal that was hung up must be found out here: reading from it, the library would
/// go round in a circle for ever.
#[cfg(unix)]
fn wait(patience: Duration) -> Result<bool, Failure> {
    let mut asked = libc::pollfd { fd: libc::STDIN_FILENO, events: libc::POLLIN, revents: 0 };
    let patience = i32::try_from(patience.as_millis()).unwrap_or(i32::MAX);
    // SAFETY: `asked` is one valid entry for the time of the call.
    let ready = unsafe { libc::poll(&mut asked, 1, patience) };
    if ready > 0 && asked.revents & (libc::POLLHUP | libc::POLLERR | libc::POLLNVAL) != 0 {
        return Err(Failure::LostTerminal);
    }
    // An interrupted wait is a wait that ended early.
    Ok(ready > 0)
}

#[cfg(not(unix))]
fn wait(patience: Duration) -> Result<bool, Failure> {
    event::poll(patience).map_err(lost)
}

/// Lets the engine think while the screen goes on.
fn think<B: Backend<Error = io::Error> + Send>(
    session: &mut Session,
    terminal: &mut Terminal<B>,
    view: &View,
    hand: &mut Hand,
) -> Result<Option<(Ply, String)>, Failure> {
    let control = session.thinking();
    hand.thinking = Some(Instant::now());
    let found = thread::scope(|scope| {
        let thinker = scope.spawn(|| session.choose(&control));
        let mut shown = Ok(());
        while !thinker.is_finished() {
            shown = shown.and_then(|()| {
                terminal.draw(|frame| draw(frame, view, hand)).map_err(lost)?;
                let key = next_key(PATIENCE)?;
                if key
                    .is_some_and(|key| key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL))
                {
                    control.request_stop();
                }
                Ok(())
            });
            if shown.is_err() {
                control.request_stop();
                thread::sleep(PATIENCE / 10);
            }
        }
        let found = thinker.join().map_err(|_| Failure::Run("the engine failed".to_owned()));
        shown.and(found)
    });
    hand.thinking = None;
    found
}

fn draw(frame: &mut Frame<'_>, view: &View, hand: &Hand) {
    let size = view.board.size();
    let margin = size.rows().to_string().len() as u16 + 2;
    let wide = (size.cols() as u16 * 3 + margin + 3).min(frame.area().width);
    let [main, input] = Layout::vertical([Constraint::Min(3), Constraint::Length(3)]).areas(frame.area());
    let [left, right] = Layout::horizontal([Constraint::Length(wide), Constraint::Min(20)]).areas(main);
    frame.render_widget(Paragraph::new(board(view, hand)).block(Block::bordered().title(" Kōnane ")), left);
    panel(frame, right, view, hand);
    let prompt = format!("> {}", hand.typed);
    frame.render_widget(Paragraph::new(prompt).block(Block::bordered().title(" type here ")), input);
}

/// The rows of the board; the cursor is in brackets, the stone chosen in parentheses, where it may go a plus.
fn board(view: &View, hand: &Hand) -> Vec<Line<'static>> {
    let size = view.board.size();
    let margin = size.rows().to_string().len();
    let last = view.plies.last();
    let mut lines = Vec::new();
    for row in 0..size.rows() {
        let mut spans = vec![Span::raw(format!(" {:>margin$} ", size.rows() - row))];
        for col in 0..size.cols() {
            let cell = size.cell_at(row, col);
            let goes = view.choices.iter().any(|ply| match *ply {
                Ply::Move(mv) => Some(mv.from) == hand.chosen && mv.to == cell,
                Ply::Removal(_) => false,
            });
            let letter = if goes { '+' } else { view.board.stone(cell).map_or('·', Side::letter) };
            let text = match () {
                () if hand.cursor == (row, col) => format!("[{letter}]"),
                () if hand.chosen == Some(cell) => format!("({letter})"),
                () => format!(" {letter} "),
            };
            let touched = match last {
                Some(&Ply::Removal(removed)) => removed == cell,
                Some(&Ply::Move(mv)) => mv.from == cell || mv.to == cell,
                None => false,
            };
            let style = match () {
                () if goes => Style::new().fg(Color::Blue).add_modifier(Modifier::BOLD),
                () if touched => Style::new().fg(Color::Yellow).add_modifier(Modifier::UNDERLINED),
                () if view.board.stone(cell) == Some(Side::Black) => Style::new().add_modifier(Modifier::BOLD),
                () => Style::new(),
            };
            spans.push(Span::styled(text, style));
        }
        lines.push(Line::from(spans));
    }
    let letters: String = (0..size.cols()).map(|col| format!(" {:<2}", Cell::column_letters(col))).collect();
    lines.push(Line::raw(format!("{}{letters}", " ".repeat(margin + 2))));
    lines
}

fn panel(frame: &mut Frame<'_>, area: Rect, view: &View, hand: &Hand) {
    let mut lines: Vec<Line<'_>> = view.heading.lines().map(Line::raw).collect();
    let state = match (&view.conclusion, hand.thinking) {
        (Some(conclusion), _) => format!("{conclusion}. Enter: leave; undo: take back."),
        (None, Some(since)) => {
            format!("{} thinks: {:.1} s", named(view.board.turn()), since.elapsed().as_secs_f64())
        }
        (None, None) => format!("{} to move", named(view.board.turn())),
    };
    lines.extend([Line::raw(""), Line::styled(state, Style::new().add_modifier(Modifier::BOLD)), Line::raw("")]);
    lines.extend(hand.message.lines().map(Line::raw));
    let shown = 12;
    let skipped = view.plies.len().saturating_sub(shown);
    let last: Vec<_> =
        (skipped + 1..).zip(&view.plies[skipped..]).map(|(number, ply)| format!("{number}. {ply}")).collect();
    lines.extend([Line::raw(""), Line::raw(last.join("  ")), Line::raw(""), Line::raw(KEYS)]);
    let text = Paragraph::new(lines).wrap(Wrap { trim: true });
    frame.render_widget(text.block(Block::bordered()), area);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::konane::{Record, Rules};
    use ratatui::backend::TestBackend;

    fn view(moves: &str) -> View {
        let record = Record::parse("4x4".parse().unwrap(), Rules::default(), moves).unwrap();
        View {
            heading: "4x4".to_owned(),
            board: record.board(),
            choices: record.choices(),
            plies: record.plies(),
            conclusion: None,
        }
    }

    fn keys(hand: &mut Hand, view: &View, codes: &[KeyCode]) -> Option<Step> {
        let words = |typed: &str| {
            ["c4-a4", "save ", "quit"].iter().map(ToString::to_string).filter(|word| word.starts_with(typed)).collect()
        };
        codes.iter().map(|&code| hand.key(KeyEvent::from(code), view, &words)).last().flatten()
    }

    #[test]
    fn cursor_keys_choose_a_stone_and_where_it_goes() {
        let view = view("a4 a3");
        let mut hand = Hand::new(&view);
        let (up, left, right, enter) = (KeyCode::Up, KeyCode::Left, KeyCode::Right, KeyCode::Enter);
        assert_eq!(keys(&mut hand, &view, &[up, up, up, enter]), None);
        assert_eq!(hand.chosen.map(|cell| cell.to_string()).as_deref(), Some("c4"));
        let step = keys(&mut hand, &view, &[left, left, left, enter]);
        assert_eq!(step, Some(Step::Play("c4-a4".parse().map(Ply::Move).unwrap())));
        // A stone without a move is not taken up, and one taken up is put down again.
        assert_eq!(keys(&mut hand, &view, &[right, right, right, enter]), None);
        assert_eq!(hand.chosen, None);
        assert_eq!(keys(&mut hand, &view, &[left, enter, enter]), None);
        assert_eq!(hand.chosen, None);
    }

    #[test]
    fn what_is_typed_is_completed_and_handed_on() {
        let view = view("a4 a3");
        let mut hand = Hand::new(&view);
        let step = keys(&mut hand, &view, &[KeyCode::Char('c'), KeyCode::Tab, KeyCode::Enter]);
        assert_eq!(step, Some(Step::Typed("c4-a4".to_owned())));
        keys(&mut hand, &view, &[KeyCode::Char('s'), KeyCode::Char('x'), KeyCode::Backspace, KeyCode::Tab]);
        assert_eq!(hand.typed, "save ");
        keys(&mut hand, &view, &[KeyCode::Esc]);
        assert_eq!(hand.typed, "");
        let stop = hand.key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL), &view, &|_| Vec::new());
        assert_eq!(stop, Some(Step::Interrupt));
    }

    #[test]
    fn the_screen_shows_the_board_the_players_and_what_is_typed() {
        let view = view("a4 a3");
        let mut hand = Hand::new(&view);
        hand.chosen = Some("c4".parse().unwrap());
        hand.typed = "c4-".to_owned();
        for (width, height) in [(80, 24), (30, 8), (1, 1)] {
            let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
            terminal.draw(|frame| draw(frame, &view, &hand)).unwrap();
            let shown = terminal.backend().to_string();
            if width == 80 {
                assert!(shown.contains("4  +  o (x) o"), "{shown}");
                assert!(shown.contains("2  x  o [x] o"), "{shown}");
                assert!(shown.contains("> c4-") && shown.contains("Black (x) to move"), "{shown}");
            }
        }
    }
}
