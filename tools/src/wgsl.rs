//! `tools wgsl`: writes composed shaders.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use anyhow::{Context, Result, ensure};
use conformance::rows::ROWS;
use meniscus::shaders::Shaders;

use crate::set_up::exists;

pub(crate) fn wgsl(passes: &[String], out: &Path, check: bool) -> Result<ExitCode> {
    ensure!(!check || exists("tint"), "--check needs `tint` on the PATH");
    let files = write(passes, out)?;
    println!("{} shaders in {}", files.len(), out.display());
    if !check {
        return Ok(ExitCode::SUCCESS);
    }
    let mut refused = 0;
    for file in &files {
        // `--format none` would suffice, but not every build of Tint has it.
        let tint = Command::new("tint").args(["--format", "wgsl"]).arg(file).output()?;
        if !tint.status.success() {
            refused += 1;
            eprintln!("{}", String::from_utf8_lossy(&tint.stderr).trim_end());
        }
    }
    ensure!(refused == 0, "Tint rejects {refused} of {} shaders", files.len());
    println!("Tint accepts all of them");
    Ok(ExitCode::SUCCESS)
}

/// Writes the passes, or all; returns their files.
fn write(passes: &[String], out: &Path) -> Result<Vec<PathBuf>> {
    let shaders = Shaders::standard();
    let mut files = Vec::new();
    let with_terms = ROWS.iter().map(|row| row.pass).filter(|pass| pass.contains('+'));
    let mut chosen: Vec<&str> = passes.iter().map(String::as_str).collect();
    if chosen.is_empty() {
        chosen.extend(shaders.passes().chain(with_terms));
    }
    for pass in chosen {
        let plain = shaders.compose(pass, false)?.for_browser();
        let subgroup = shaders.compose(pass, true)?.for_browser();
        let variants = [("wgsl", &plain), ("subgroup.wgsl", &subgroup)];
        let count = if plain == subgroup { 1 } else { 2 };
        for (extension, text) in &variants[..count] {
            let file = out.join(format!("{pass}.{extension}"));
            let folder = file.parent().unwrap_or(out);
            fs::create_dir_all(folder)
                .and_then(|()| fs::write(&file, text))
                .with_context(|| format!("cannot write {}", file.display()))?;
            files.push(file);
        }
    }
    Ok(files)
}
