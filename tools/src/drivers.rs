//! The Vulkan drivers of this machine.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use anyhow::Result;
use tools::{cargo::build, set_up};

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

/// All adapters of all drivers. Each driver is queried by a process of the command `meniscus`, which must be built,
/// that sees only this driver.
pub(crate) fn adapters() -> Result<Vec<Adapter>> {
    let mut adapters = Vec::new();
    let mut manifests: Vec<_> = FOLDERS.iter().flat_map(|folder| manifests(folder)).collect();
    manifests.sort();
    for manifest in manifests {
        // A driver whose query fails has no adapters.
        let Ok(found) = set_up::adapters(&only(&manifest)) else { continue };
        for adapter in found["adapters"].as_array().into_iter().flatten() {
            let [name, driver, details] =
                ["name", "driver", "driver_info"].map(|key| adapter[key].as_str().unwrap_or(""));
            let version = if details.is_empty() { version(&manifest) } else { details.to_owned() };
            let name = format!("{name}, {driver} {version}");
            let number = adapter["index"].to_string();
            adapters.push(Adapter { manifest: manifest.clone(), number, name });
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
pub(crate) fn drivers() -> Result<ExitCode> {
    build(&["meniscus"])?;
    for Adapter { manifest, name, .. } in adapters()? {
        println!("{name} ({})", manifest.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Version of a driver that does not state it in text: `vulkaninfo` reports its number.
fn version(manifest: &Path) -> String {
    let output = Command::new("vulkaninfo").arg("--summary").envs(only(manifest)).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let text = text.unwrap_or_default();
    let line = text.lines().find_map(|line| line.trim().strip_prefix("driverVersion"));
    let number = line.and_then(|rest| rest.split('=').nth(1)).map(str::trim);
    number.unwrap_or("of unknown version (install vulkaninfo to see it)").to_owned()
}
