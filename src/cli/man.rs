//! `papamu man`: the manual page.

use std::io;

use clap::Args;
use clap_mangen::Man;

use super::messages::Failure;
use super::output::Sink;
use super::report::VERSION;
use super::{Console, Outcome, definition};

/// Write the manual page to standard output
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  papamu man | man -l -                             read it
  papamu man > ~/.local/share/man/man1/papamu.1     install it
  papamu man solve | man -l -                       the page of one command")]
pub(super) struct ManArgs {
    /// The page of this command alone [default: everything on one page].
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

impl ManArgs {
    /// Runs the command.
    pub(super) fn run(self, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        let mut whole = definition();
        // Gives the commands their full names and the options that all have, such as --help.
        whole.build();
        let commands: Vec<_> =
            whole.get_subcommands().filter(|command| command.get_name() != "help").cloned().collect();
        let mut page = Vec::new();
        let written = match &self.command {
            None => whole_page(&whole, &commands, &mut page),
            Some(name) => match commands.iter().find(|command| command.get_name() == name) {
                Some(command) => {
                    let title = format!("papamu-{name}");
                    let source = format!("papamu {VERSION}");
                    Man::new(command.clone().display_name(&title)).title(title).source(source).render(&mut page)
                }
                None => {
                    let names: Vec<_> = commands.iter().map(clap::Command::get_name).collect();
                    return Err(Failure::Usage(format!("`{name}` is not a command: expected {}", names.join(", "))));
                }
            },
        };
        written.map_err(|error| Failure::Run(format!("cannot make the manual page: {error}")))?;
        // What is left over for the generator is the examples here.
        let page =
            String::from_utf8_lossy(&page).replace(".SH EXTRA", ".SH EXAMPLES").replace(".SS EXTRA", ".SS EXAMPLES");
        Sink::stdout().write(console, page.as_bytes())?;
        Ok(Outcome::Complete)
    }
}

/// The page of the program, then its commands as further sections.
fn whole_page(whole: &clap::Command, commands: &[clap::Command], page: &mut Vec<u8>) -> io::Result<()> {
    Man::new(whole.clone()).render(page)?;
    // The commands of a command come after it.
    let with_parts = commands.iter().flat_map(|command| {
        let parts = command.get_subcommands().filter(|part| part.get_name() != "help");
        let parts = parts.map(|part| (format!("{} {}", command.get_name(), part.get_name()), part));
        std::iter::once((command.get_name().to_owned(), command)).chain(parts)
    });
    for (name, command) in with_parts {
        let man = Man::new(command.clone());
        let mut section = Vec::new();
        man.render_synopsis_section(&mut section)?;
        man.render_description_section(&mut section)?;
        man.render_options_section(&mut section)?;
        man.render_extra_section(&mut section)?;
        let heading = format!(".SH \"PAPAMU {}\"\n", name.to_uppercase());
        page.extend(heading.into_bytes());
        // What are sections of a page of its own are parts of one here.
        let section = String::from_utf8_lossy(&section);
        page.extend(section.lines().flat_map(|line| match line.strip_prefix(".SH") {
            Some(rest) => format!(".SS{rest}\n").into_bytes(),
            None => format!("{line}\n").into_bytes(),
        }));
    }
    Ok(())
}
