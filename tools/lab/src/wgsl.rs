//! `lab wgsl`: writes composed shaders.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use anyhow::{Context, Result, ensure};
use meniscus::Shaders;
use meniscus_model::{
    Scene,
    methods::{Axis, Method, Registry},
};

use tools::set_up::exists;

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
    let mut chosen = passes.to_vec();
    if chosen.is_empty() {
        chosen.extend(shaders.passes().map(str::to_owned));
        chosen.extend(walks(&shaders));
        chosen.extend(shaders.drawings().map(str::to_owned));
    }
    for pass in &chosen {
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

/// The walks that sum forces, with each term alone and with those of each solver's defaults.
fn walks(shaders: &Shaders) -> Vec<String> {
    let mut walks: Vec<_> = shaders.terms().map(|term| format!("sph/forces+{term}")).collect();
    let registry = Registry::standard();
    let is_joined = |method: &&Method| method.family().is_some_and(|one| !one.joins.is_empty());
    for solver in registry.of(Axis::Solver).filter(is_joined) {
        let mut scene = Scene::default();
        scene.solver = solver.name.into();
        if let Ok(chosen) = registry.choose(&scene) {
            walks.extend([chosen.forces(), chosen.reactions()]);
        }
    }
    walks.sort();
    walks.dedup();
    walks
}
