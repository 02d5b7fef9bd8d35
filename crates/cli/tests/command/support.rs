//! Running the command and reading its output.

use std::{
    path::Path,
    process::{Command, Output, Stdio},
};

use tempfile::TempDir;

/// A dam break of 250 particles, 6 frames long.
pub(crate) const TINY: &[&str] =
    &["run", "dam_break", "--set", "particle_radius=0.1", "--until", "0.1", "--quiet"];

/// A temporary folder.
pub(crate) fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// The command, in a folder.
pub(crate) fn meniscus(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_meniscus"));
    // As on a machine without a display, without the environment that Cargo sets in this workspace.
    command.env_remove("NODEVICE_SELECT").env_remove("XDG_RUNTIME_DIR");
    command.current_dir(folder).args(arguments).stdin(Stdio::null());
    command
}

/// Exit status and standard error.
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let Output { status, stderr, .. } =
        meniscus(folder, arguments).output().expect("the command starts");
    let text = String::from_utf8(stderr).expect("UTF-8");
    assert!(!text.contains("panicked"), "{arguments:?}: {text}");
    (status.code(), text)
}

/// Runs a command that must succeed.
pub(crate) fn succeed(folder: &Path, arguments: &[&str]) {
    let (status, text) = run(folder, arguments);
    assert_eq!(status, Some(0), "{arguments:?}: {text}");
}

/// Runs a command that must exit with a status and a message that contains each of `parts`.
pub(crate) fn refuse(folder: &Path, arguments: &[&str], status: i32, parts: &[&str]) {
    let (found, text) = run(folder, arguments);
    assert_eq!(found, Some(status), "{arguments:?}: {text}");
    for part in parts {
        assert!(text.contains(part), "{arguments:?}: no {part:?} in: {text}");
    }
}

/// Bytes of a file.
pub(crate) fn bytes(path: impl AsRef<Path>) -> Vec<u8> {
    let path = path.as_ref();
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Names in a folder, sorted.
pub(crate) fn names(folder: impl AsRef<Path>) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("an entry").file_name();
    let mut names: Vec<_> = entries.map(|entry| name(entry).display().to_string()).collect();
    names.sort();
    names
}

/// Whether there is a GPU to test on. `MENISCUS_GPU=off` skips these tests, and so does a machine
/// without an adapter, unless `MENISCUS_GPU=require`.
pub(crate) fn gpu() -> bool {
    let mode = std::env::var("MENISCUS_GPU").unwrap_or_else(|_| "auto".into());
    if mode == "off" {
        eprintln!("SKIPPED: MENISCUS_GPU=off; this test does not run");
        return false;
    }
    let (status, text) = run(&std::env::temp_dir(), &["info"]);
    let found = status == Some(0);
    assert!(found || mode != "require", "MENISCUS_GPU=require, but {text}");
    if !found {
        eprintln!("SKIPPED: {text}this test does not run");
    }
    found
}
