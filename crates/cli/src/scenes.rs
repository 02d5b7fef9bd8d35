//! `meniscus scenes`: lists the bundled scenes, or gives one of them.

use std::{fs, path::Path};

use meniscus::raw::{
    Setup,
    model::params::{EmitterParams, KIND_FLUID},
};
use meniscus_formats::{
    BundledScene, LoadOptions, SCENES, load_scene, scene_keys, scene_schema, write_whole,
};
use rayon::prelude::*;

use crate::{
    Failure,
    arguments::Scenes,
    terminal::{note, print, table},
};

pub(crate) fn scenes(arguments: &Scenes) -> Result<(), Failure> {
    if arguments.keys {
        return print(&scene_keys());
    }
    if arguments.schema {
        return print(&(scene_schema() + "\n"));
    }
    let Some(name) = &arguments.name else { return list() };
    let found = SCENES.iter().find(|bundled| bundled.name == name);
    let scene = found.ok_or_else(|| {
        Failure::Input(format!("no bundled scene is named {name}: `meniscus scenes` lists them"))
    })?;
    match &arguments.out {
        Some(folder) => give(scene, folder),
        None => {
            let meshes: Vec<_> = scene.meshes().map(|(name, _)| name).collect();
            if !meshes.is_empty() {
                note(&format!("It reads {}: --out DIR writes both.", meshes.join(", ")));
            }
            print(scene.text)
        }
    }
}

/// Writes a scene and its meshes to a folder.
fn give(scene: &BundledScene, folder: &Path) -> Result<(), Failure> {
    let failed = |path: &Path, why: &dyn std::fmt::Display| {
        Failure::Failed(format!("cannot write {}: {why}", path.display()))
    };
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    let text = (format!("{}.toml", scene.name), scene.text.as_bytes());
    let files: Vec<_> =
        scene.meshes().map(|(name, bytes)| (name.to_owned(), bytes)).chain([text]).collect();
    if let Some((there, _)) = files.iter().find(|(name, _)| folder.join(name).exists()) {
        let path = folder.join(there);
        return Err(Failure::Input(format!(
            "{} is there already; nothing was written",
            path.display()
        )));
    }
    for (name, bytes) in files {
        let path = folder.join(name);
        write_whole(&path, |file| file.write_all(bytes)).map_err(|error| failed(&path, &error))?;
        note(&path.display().to_string());
    }
    Ok(())
}

fn list() -> Result<(), Failure> {
    let row = |bundled: &BundledScene| {
        let scene = load_scene(bundled.name, &LoadOptions::default())?.scene;
        let setup = Setup::new(&scene).map_err(|problems| {
            let problems: Vec<_> = problems.iter().map(ToString::to_string).collect();
            Failure::Input(format!("{}: {}", bundled.name, problems.join("; ")))
        })?;
        let fluid = |who: &&[u32; 2]| who[1] & 0xff == KIND_FLUID;
        let start = setup.identity.iter().filter(fluid).count();
        let emitted = match emitted(&setup, scene.time.until) {
            0 => String::new(),
            more => format!("+ {more}"),
        };
        Ok([bundled.name.to_owned(), start.to_string(), emitted, scene.title])
    };
    // Millions of particles are placed only to be counted.
    let rows: Vec<_> = SCENES.par_iter().map(row).collect::<Result<_, Failure>>()?;
    print(&table(["scene", "particles", "emitted", ""], &[1, 2], rows))
}

/// Particles that emitters have emitted at a time in s, if nothing makes them pause.
fn emitted(setup: &Setup, until: f64) -> u64 {
    let of = |emitter: &EmitterParams| {
        let time = until.min(f64::from(emitter.end)) - f64::from(emitter.start);
        if time < 0.0 {
            return 0;
        }
        let layers = (time / f64::from(emitter.interval)).floor() as u64 + 1;
        layers.min(u64::from(emitter.max_layers)) * u64::from(emitter.point_count)
    };
    setup.emitters.iter().map(of).sum()
}
