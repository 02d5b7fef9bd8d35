//! The Vulkan drivers of this machine.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use anyhow::{Context, Result};
use meniscus::blocking;

/// Folders with driver manifests: those of the Vulkan loader, and of browsers, which include
/// `SwiftShader`.
const FOLDERS: &[&str] = &[
    "/usr/share/vulkan/icd.d",
    "/usr/local/share/vulkan/icd.d",
    "/etc/vulkan/icd.d",
    "/usr/lib/chromium",
    "/opt/google/chrome",
];

/// An adapter of a driver.
#[derive(Debug)]
pub(crate) struct Adapter {
    /// Manifest of its driver.
    pub(crate) manifest: PathBuf,
    /// Number among the driver's adapters, as `--adapter` takes it.
    pub(crate) number: String,
    /// Name, driver, version.
    pub(crate) name: String,
}

/// All adapters of all drivers. Each driver is queried by a separate process that sees only this
/// driver.
pub(crate) fn adapters() -> Result<Vec<Adapter>> {
    let mut adapters = Vec::new();
    let mut manifests: Vec<_> = FOLDERS.iter().flat_map(|folder| manifests(folder)).collect();
    manifests.sort();
    for manifest in manifests {
        let this = env::current_exe().context("this program does not know where it is")?;
        let mut list = Command::new(this);
        let output = list.args(["drivers", "--loaded"]).envs(only(&manifest)).output()?;
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            if let Some((number, name)) = line.split_once(": ") {
                let (number, name) = (number.to_owned(), name.to_owned());
                adapters.push(Adapter { manifest: manifest.clone(), number, name });
            }
        }
    }
    Ok(adapters)
}

fn manifests(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.map(|entry| entry.path());
    let named = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        name.contains("icd") && name.ends_with(".json")
    };
    files.filter(named).collect()
}

/// Environment in which this driver is the only one. (The older name is for older loaders.)
pub(crate) fn only(manifest: &Path) -> [(&'static str, &Path); 3] {
    [
        ("VK_DRIVER_FILES", manifest),
        ("VK_ICD_FILENAMES", manifest),
        ("WGPU_BACKEND", Path::new("vulkan")),
    ]
}

/// `tools drivers`: a line for each adapter.
pub(crate) fn drivers(loaded: bool) -> Result<ExitCode> {
    if !loaded {
        for Adapter { manifest, name, .. } in adapters()? {
            println!("{name} ({})", manifest.display());
        }
        return Ok(ExitCode::SUCCESS);
    }
    for adapter in blocking::adapters() {
        let info = &adapter.info;
        let version =
            if info.driver_info.is_empty() { version() } else { info.driver_info.clone() };
        println!("{}: {}, {} {version}", adapter.index, info.name, info.driver);
    }
    Ok(ExitCode::SUCCESS)
}

/// Version of the only driver, for drivers that do not state it in text: `vulkaninfo` reports its
/// number.
fn version() -> String {
    let output = Command::new("vulkaninfo").arg("--summary").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let text = text.unwrap_or_default();
    let line = text.lines().find_map(|line| line.trim().strip_prefix("driverVersion"));
    let number = line.and_then(|rest| rest.split('=').nth(1)).map(str::trim);
    number.unwrap_or("of unknown version (install vulkaninfo to see it)").to_owned()
}
