//! The commands of README.md are run and what they print is compared with what it shows.
//!
//! After a change that changes the output, such as the node counts of the search, rewrite the outputs in place:
//!
//! ```text
//! UPDATE_README=1 cargo test --release --test readme
//! ```
//!
//! What the test reads are the blocks marked `console`:
//!
//! * `$ papamu …` runs the program in a scratch folder with a copy of `tests/data`, the same for all of them; words may be
//!   in single quotes. What follows, to the next `$` or the end of the block, is its standard output and then its
//!   standard error.
//! * `… | head -n N` keeps the first N lines.
//! * `$ cat FILE` shows a file of the repository.
//! * `$ echo $?` shows the exit code of the command before it, which must be 0 where this line is missing.
//!
//! Seconds, rates and the commit are left out of the comparison, and so are node counts and the number of threads in
//! commands that solve without `--threads`. Where figures differ in width columns move, so runs of blanks compare
//! as one.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// A command line of the README and what it shows below it.
#[derive(Clone, Debug, PartialEq)]
struct Example {
    /// Where the command stands, from 1.
    line: usize,
    command: String,
    shown: String,
}

/// The README in pieces: text that is copied, and examples.
#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Text(String),
    Example(Example),
}

fn pieces(readme: &str) -> Vec<Piece> {
    let mut pieces = vec![Piece::Text(String::new())];
    let mut inside = false;
    for (number, line) in (1..).zip(readme.lines()) {
        let fence = line.starts_with("```");
        if fence {
            inside = !inside && line == "```console";
        }
        match (inside && !fence, line.strip_prefix("$ "), pieces.last_mut()) {
            (true, Some(command), _) => {
                pieces.push(Piece::Example(Example {
                    line: number,
                    command: command.to_owned(),
                    shown: String::new(),
                }));
            }
            (true, None, Some(Piece::Example(example))) => example.shown += &format!("{line}\n"),
            (_, _, Some(Piece::Text(text))) => *text += &format!("{line}\n"),
            _ => pieces.push(Piece::Text(format!("{line}\n"))),
        }
    }
    pieces
}

/// The words of a command line; single quotes keep blanks.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, part) in command.split('\'').enumerate() {
        match at % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

/// What a command prints, and its exit code.
fn run(example: &Example, scratch: &Path, before: Option<i32>) -> (String, Option<i32>) {
    let (command, lines) = match example.command.split_once(" | head -n ") {
        Some((command, lines)) => (command, lines.parse().expect("head -n takes a number")),
        None => (example.command.as_str(), usize::MAX),
    };
    let words = words(command);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (out, code) = match words[..] {
        ["papamu", ref arguments @ ..] => {
            let mut program = Command::new(env!("CARGO_BIN_EXE_papamu"));
            let output = program.args(arguments).current_dir(scratch).stdin(Stdio::null()).output();
            let output = output.expect("the program starts");
            let text = |bytes| String::from_utf8(bytes).expect("output is text");
            (text(output.stdout) + &text(output.stderr), output.status.code())
        }
        ["cat", file] => (fs::read_to_string(root.join(file)).expect("a file of the repository"), Some(0)),
        ["echo", "$?"] => (format!("{}\n", before.unwrap_or(-1)), Some(0)),
        _ => panic!("README.md:{}: no command that this test knows: {}", example.line, example.command),
    };
    (out.lines().take(lines).map(|line| format!("{line}\n")).collect(), code)
}

/// Output without what differs from run to run.
fn lasting(command: &str, output: &str) -> String {
    let words = words(command);
    let has = |word: &str| words.iter().any(|other| other == word);
    let threads_vary = has("solve") && !has("--threads");
    let csv = has("csv") && output.lines().next().is_some_and(|header| header.ends_with(",seconds"));
    let mut lasting = String::new();
    for line in output.lines() {
        let mut line = without_commit(line);
        if let (true, Some((rest, _))) = (csv, line.rsplit_once(',')) {
            line = format!("{rest},#");
        }
        for (key, varies) in
            [("seconds", true), ("nodes", threads_vary), ("threads", threads_vary), ("table_fill", true)]
        {
            line = if varies { without_value(&line, key) } else { line };
        }
        let words = line.split_whitespace().map(|word| {
            let bare = word.trim_matches([',', '(', ')']);
            let figure = |rest: &str| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit() || c == ',');
            let seconds = bare.split_once('.').is_some_and(|(whole, part)| figure(whole) && figure(part));
            let rate = bare.strip_suffix("/s").is_some_and(figure);
            if seconds || rate || threads_vary && figure(bare) { word.replace(bare, "#") } else { word.to_owned() }
        });
        let words: Vec<_> = words.collect();
        writeln!(lasting, "{}", words.join(" ")).expect("a string takes everything");
    }
    lasting
}

/// A line without the commit that follows the version of the program or of a record: ` (0123456789ab, modified)`.
fn without_commit(line: &str) -> String {
    let named = |before: &str| {
        let version = format!("{before}{} (", env!("CARGO_PKG_VERSION"));
        line.find(&version).map(|at| at + version.len() - 2)
    };
    let Some(start) = named("papamu ").or_else(|| named("\"version\":\"")) else { return line.to_owned() };
    let Some(end) = line[start..].find(')') else { return line.to_owned() };
    line[..start].to_owned() + &line[start + end + 1..]
}

/// A line of JSON with `#` for the number of a key, wherever the key stands.
fn without_value(line: &str, key: &str) -> String {
    let key = format!("\"{key}\":");
    let mut parts = line.split(&key);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find([',', '}']).unwrap_or(part.len());
        text += &format!("{key}#{}", &part[end..]);
    }
    text
}

/// A folder for files that examples write, with the data that they read.
fn scratch() -> tempfile::TempDir {
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let data = Path::new("tests/data");
    fs::create_dir_all(scratch.path().join(data)).expect("a folder");
    for file in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(data)).expect("the data").flatten() {
        fs::copy(file.path(), scratch.path().join(data).join(file.file_name())).expect("a copy");
    }
    scratch
}

#[test]
fn examples_show_what_the_program_prints() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(&path).expect("the README is text");
    let update = std::env::var_os("UPDATE_README").is_some();
    let pieces = pieces(&readme);
    let examples: Vec<&Example> = pieces
        .iter()
        .filter_map(|piece| match piece {
            Piece::Example(example) => Some(example),
            Piece::Text(_) => None,
        })
        .collect();
    assert!(examples.len() > 10, "README.md has few examples: are its blocks still marked `console`?");

    let scratch = scratch();
    let mut printed = Vec::new();
    let mut wrong = String::new();
    let mut code = Some(0);
    for (at, example) in examples.iter().enumerate() {
        // Without optimisation this one alone would take as long as all the others.
        if cfg!(debug_assertions) && example.command == "papamu bench" {
            assert!(!update, "update the README with --release");
            continue;
        }
        let (out, next) = run(example, scratch.path(), code);
        code = next;
        let code_is_shown = examples.get(at + 1).is_some_and(|next| next.command == "echo $?");
        if code != Some(0) && !code_is_shown {
            wrong += &format!("README.md:{}: {} ended with {code:?}\n{out}\n", example.line, example.command);
        }
        let (expected, found) = (lasting(&example.command, &example.shown), lasting(&example.command, &out));
        if expected != found {
            wrong += &format!("README.md:{}: $ {}\n--- shown\n{expected}", example.line, example.command);
            wrong += &format!("--- printed\n{found}\n");
            printed.push((example.line, out));
        }
    }

    if update {
        let text = pieces.iter().map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Example(Example { line, command, shown }) => {
                // Examples that still hold keep their seconds, so that an update changes no more than it must.
                let now = printed.iter().find(|(number, _)| number == line).map_or(shown, |(_, out)| out);
                format!("$ {command}\n{now}")
            }
        });
        fs::write(&path, text.collect::<String>()).expect("the README is written");
        return;
    }
    assert!(wrong.is_empty(), "run with UPDATE_README=1 to rewrite the README if this is meant:\n{wrong}");
}

#[test]
fn what_varies_is_left_out() {
    let board = "x  6  W o\n  a6:b6    white   166,759    0.935\n1,234 nodes in 10.185 s, threads 2, engine pn\n";
    let exact = "x 6 W o\na6:b6 white 166,759 #\n1,234 nodes in # s, threads 2, engine pn\n";
    assert_eq!(lasting("papamu solve 6x6 --threads 2", board), exact);
    let loose = "x # W o\na6:b6 white # #\n# nodes in # s, threads #, engine pn\n";
    assert_eq!(lasting("papamu solve 6x6", board), loose);
    let json = r#"{"nodes":12,"seconds":1e-6},{"nodes":3,"seconds":0.5}"#;
    let exact = "{\"nodes\":12,\"seconds\":#},{\"nodes\":3,\"seconds\":#}\n";
    assert_eq!(lasting("papamu solve --position 'x. x' --threads 1 --format json", json), exact);
    assert_eq!(lasting("papamu solve 3x3 --threads 1 --format csv", "a,seconds\nb,1\n"), "a,#\nb,#\n");
    assert_eq!(
        lasting("papamu bench", "total 5 nodes in 0.379 s (1,832/s), engine pn"),
        "total 5 nodes in # s (#), engine pn\n"
    );
    let version = concat!("papamu ", env!("CARGO_PKG_VERSION"), " (0123456789ab, modified)");
    assert_eq!(lasting("papamu --version", version), concat!("papamu ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn the_readme_is_the_sum_of_its_pieces() {
    let readme = "a\n```console\n$ papamu x\nout\n$ echo $?\n2\n```\n```sh\n$ no\n```\n";
    let found = pieces(readme);
    let example = |line, command: &str, shown: &str| {
        Piece::Example(Example { line, command: command.to_owned(), shown: shown.to_owned() })
    };
    let text = |text: &str| Piece::Text(text.to_owned());
    assert_eq!(
        found,
        [
            text("a\n```console\n"),
            example(3, "papamu x", "out\n"),
            example(5, "echo $?", "2\n"),
            text("```\n```sh\n$ no\n```\n")
        ]
    );
    assert_eq!(
        words("papamu solve --position '.o x' --turn x"),
        ["papamu", "solve", "--position", ".o x", "--turn", "x"]
    );
}
