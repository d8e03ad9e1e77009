//! Tells the program which commit it is built from, for `--version`. Without a repository the commit is left out.

use std::process::Command;

fn git(args: &[&str]) -> Option<String> {
    // Without the option, asking for the status would write the index and start the next build.
    let output = Command::new("git").arg("--no-optional-locks").args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // A source archive inside somebody else's repository must not report that one's commit.
    let here = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let ours = git(&["rev-parse", "--show-toplevel"]).is_some_and(|top| top == here);
    let mut version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    if let (true, Some(commit)) = (ours, git(&["rev-parse", "--short=12", "HEAD"])) {
        let dirty = git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|changes| !changes.is_empty());
        version = format!("{version} ({commit}{})", if dirty { ", modified" } else { "" });
        for path in ["HEAD", "index", "refs"] {
            if let Some(path) = git(&["rev-parse", "--git-path", path]) {
                println!("cargo:rerun-if-changed={path}");
            }
        }
    }
    println!("cargo:rustc-env=PAPAMU_VERSION={version}");
}
