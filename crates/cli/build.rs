//! Gives the command the git commit that it is built from, as the environment variable
//! `MENISCUS_COMMIT`.

use std::process::Command;

/// Sources of the command, relative to the root of the repository.
const SOURCES: [&str; 3] = ["crates", "wgsl", "Cargo.lock"];

fn main() {
    let commit = commit().unwrap_or_else(|| "unknown".into());
    println!("cargo:rustc-env=MENISCUS_COMMIT={commit}");
}

/// Short name of the commit, and whether the sources differ from it.
fn commit() -> Option<String> {
    // A published crate may lie in the repository of a program that uses it.
    if git(&["rev-parse", "--show-prefix"])? != "crates/cli/" {
        println!("cargo:rerun-if-changed=build.rs");
        return None;
    }
    let root = git(&["rev-parse", "--show-toplevel"])?;
    // Every commit and checkout adds to this file.
    println!("cargo:rerun-if-changed={}", git(&["rev-parse", "--git-path", "logs/HEAD"])?);
    for source in SOURCES {
        println!("cargo:rerun-if-changed={root}/{source}");
    }
    let commit = git(&["rev-parse", "--short", "HEAD"])?;
    let sources = SOURCES.map(|source| format!(":/{source}"));
    let mut status = vec!["status", "--porcelain", "--"];
    status.extend(sources.iter().map(String::as_str));
    let changed = !git(&status)?.is_empty();
    Some(if changed { commit + " with changes" } else { commit })
}

/// Output of git, without the line's end.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = output.status.success().then(|| String::from_utf8(output.stdout).ok())??;
    Some(text.trim().to_owned())
}
