//! `papamu completions`: a completion script for a shell.

use clap::Args;
use clap_complete::{Shell, generate};

use super::messages::Failure;
use super::output::Sink;
use super::{Console, Outcome, definition};

/// Write a completion script for a shell to standard output
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu completions bash > ~/.local/share/bash-completion/completions/papamu
  papamu completions zsh > ~/.zfunc/_papamu
  papamu completions fish > ~/.config/fish/completions/papamu.fish")]
pub(super) struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

impl CompletionsArgs {
    /// Runs the command.
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let mut script = Vec::new();
        generate(self.shell, &mut definition(), "papamu", &mut script);
        Sink::stdout().write(console, &script)?;
        Ok(Outcome::Complete)
    }
}
