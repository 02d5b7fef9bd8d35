//! Set-up of an adapter on machines without one.

use std::{env, path::Path, process::Command};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::cargo::{build, built, run};

const PACKAGE: &str = "mesa-vulkan-drivers";

/// Exit status if there is no adapter and none can be installed.
pub const NO_ADAPTER: u8 = 3;

/// Result of [`adapter`].
#[derive(Clone, Debug)]
pub enum SetUp {
    /// There is an adapter.
    Ready {
        /// Name of the adapter.
        name: String,
        /// Whether the adapter is a software one.
        software: bool,
    },
    /// There is none; the message tells the user how to get one.
    Missing(String),
}

/// Builds the command `meniscus` and asks it which adapter it would choose. If there is none, installs Mesa's
/// software Vulkan on Debian and Ubuntu if the user is root, and otherwise returns instructions.
///
/// # Errors
///
/// If the command cannot be built or run, or the packages cannot be installed.
pub fn adapter() -> Result<SetUp> {
    build(&["meniscus"])?;
    if let Some(ready) = find()? {
        return Ok(ready);
    }
    if !exists("apt-get") {
        let text = "there is no GPU adapter: install your GPU's Vulkan driver, or Mesa's software \
            Vulkan (Fedora: dnf install mesa-vulkan-drivers; Arch: pacman -S vulkan-swrast; Alpine: \
            apk add mesa-vulkan-swrast); macOS and Windows bring a driver with the system";
        return Ok(SetUp::Missing(text.into()));
    }
    if !is_root() {
        let text = format!(
            "there is no GPU adapter; install software Vulkan and start again:\n\n    \
             sudo apt-get update && sudo apt-get install -y {PACKAGE}\n"
        );
        return Ok(SetUp::Missing(text));
    }
    eprintln!("No GPU adapter found; installing software Vulkan ({PACKAGE}).");
    install(&[PACKAGE])?;
    match find()? {
        Some(ready) => Ok(ready),
        None => bail!("{PACKAGE} is installed, but there is still no GPU adapter"),
    }
}

/// Programs that the window's test needs: a virtual display, and input events.
const DISPLAY_PROGRAMS: [&str; 2] = ["Xvfb", "xdotool"];
/// Packages of these programs, and of the libraries that a window loads.
const DISPLAY_PACKAGES: &[&str] = &[
    "xvfb",
    "xdotool",
    "libx11-xcb1",
    "libxcursor1",
    "libxi6",
    "libxkbcommon-x11-0",
    "libxrandr2",
];

/// Installs the programs for the window's test on Debian and Ubuntu if the user is root. Elsewhere
/// the test is skipped with a message.
///
/// # Errors
///
/// If the packages cannot be installed.
pub fn display() -> Result<()> {
    let complete = DISPLAY_PROGRAMS.iter().all(|program| on_path(program));
    if complete || !cfg!(target_os = "linux") || !exists("apt-get") || !is_root() {
        return Ok(());
    }
    eprintln!("Installing a virtual display for the window's test.");
    install(DISPLAY_PACKAGES)
}

/// Installs packages of Debian or Ubuntu.
///
/// # Errors
///
/// If apt-get fails.
pub fn install(packages: &[&str]) -> Result<()> {
    for arguments in [&["update"][..], &[&["install", "-y"], packages].concat()] {
        eprintln!("$ apt-get {}", arguments.join(" "));
        let mut command = Command::new("apt-get");
        let status = run(command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))?;
        ensure!(status.success(), "apt-get {} failed: {status}", arguments.join(" "));
    }
    Ok(())
}

/// Whether a program is on the PATH.
fn on_path(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// The adapter that meniscus would choose.
fn find() -> Result<Option<SetUp>> {
    let adapters = adapters(&[])?;
    let chosen = &adapters["chosen"];
    Ok(chosen["name"]
        .as_str()
        .map(|name| SetUp::Ready { name: name.to_owned(), software: chosen["type"] == "software" }))
}

/// What `meniscus info --json` says in an environment with these variables besides its own.
///
/// # Errors
///
/// If the command cannot be run, or fails for another reason than a lack of adapters.
pub fn adapters(environment: &[(&str, &Path)]) -> Result<Value> {
    let command = built("meniscus")?;
    let mut info = Command::new(&command);
    let output = info.args(["info", "--json"]).envs(environment.iter().copied()).output();
    let output = output.with_context(|| format!("cannot run {}", command.display()))?;
    serde_json::from_slice(&output.stdout).with_context(|| {
        let said = String::from_utf8_lossy(&output.stderr);
        format!("`meniscus info --json` failed ({}): {}", output.status, said.trim())
    })
}

/// Whether the user is root.
#[must_use]
pub fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Whether a program exists.
#[must_use]
pub fn exists(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}
