//! Set-up: an adapter to run on. Where there is one, nothing happens.

use std::{env, process::Command};

use anyhow::{Result, bail, ensure};
use meniscus::{Error, GpuOptions, blocking};

use crate::cargo::run;

const PACKAGE: &str = "mesa-vulkan-drivers";

/// The exit status where there is no adapter and none can be installed.
pub(crate) const NO_ADAPTER: u8 = 3;

/// What [`adapter`] comes to.
pub(crate) enum SetUp {
    /// There is an adapter.
    Ready {
        /// Its name.
        name: String,
        /// Whether the CPU plays the GPU.
        software: bool,
    },
    /// There is none, and this is what the user can do about it.
    Missing(String),
}

/// Finds the adapter that meniscus would choose. Where there is none, installs Mesa's software
/// Vulkan if this is Debian or Ubuntu and the user is root, and says how to do it otherwise.
pub(crate) fn adapter() -> Result<SetUp> {
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
    eprintln!("There is no GPU adapter: installing software Vulkan ({PACKAGE}).");
    install(&[PACKAGE])?;
    match find()? {
        Some(ready) => Ok(ready),
        None => bail!("{PACKAGE} is installed, but there still is no GPU adapter"),
    }
}

/// What the test of the window needs: a display of its own, and a hand for mouse and keys.
const DISPLAY_PROGRAMS: [&str; 2] = ["Xvfb", "xdotool"];
/// The packages with these, and with the libraries that a window loads when it opens.
const DISPLAY_PACKAGES: &[&str] = &[
    "xvfb",
    "xdotool",
    "libx11-xcb1",
    "libxcursor1",
    "libxi6",
    "libxkbcommon-x11-0",
    "libxrandr2",
];

/// Installs what the test of the window needs, if this is Debian or Ubuntu and the user is root.
/// Elsewhere that test says that it was skipped.
pub(crate) fn display() -> Result<()> {
    let complete = DISPLAY_PROGRAMS.iter().all(|program| on_path(program));
    if complete || !cfg!(target_os = "linux") || !exists("apt-get") || !is_root() {
        return Ok(());
    }
    eprintln!("Installing a display for the test of the window.");
    install(DISPLAY_PACKAGES)
}

fn install(packages: &[&str]) -> Result<()> {
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

/// The adapter that meniscus chooses, looked for anew.
fn find() -> Result<Option<SetUp>> {
    match blocking::open(&GpuOptions::default()) {
        Ok(gpu) => Ok(Some(SetUp::Ready {
            name: gpu.info().name.clone(),
            software: gpu.info().device_type == wgpu::DeviceType::Cpu,
        })),
        Err(Error::NoAdapter(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Whether a program exists.
pub(crate) fn exists(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}
