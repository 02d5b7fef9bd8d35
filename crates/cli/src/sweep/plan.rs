//! The plan of a sweep: `runs.jsonl` and a scene for each of its lines.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use meniscus_formats::{Error, LoadOptions, load_scene, load_text, native_scene};
use serde::{Deserialize, Serialize};

use super::vary::Axis;
use crate::{Failure, files, terminal};

/// Most runs of a plan.
const MOST: usize = 1_000_000;
/// Name of the list of runs.
const LIST: &str = "runs.jsonl";

/// A line of the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Planned {
    pub(super) index: usize,
    /// Folder of the run, in that of the plan.
    pub(super) folder: String,
    pub(super) seed: u32,
    /// Values of the keys that vary.
    pub(super) values: BTreeMap<String, serde_json::Value>,
    /// Format of the particle files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) particles: Option<String>,
}

/// What a plan is made of.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    /// Scene file, or the name of a bundled scene.
    pub source: String,
    /// Text of the scene, in place of the file's.
    pub text: Option<String>,
    /// Solver and keys that all runs have.
    pub options: LoadOptions,
    /// `KEY=VALUES` of each key that varies.
    pub vary: Vec<String>,
    /// Number of seeds; the scene's own seed if absent.
    pub seeds: Option<u32>,
    /// Format of particle files.
    pub particles: Option<String>,
}

impl Sweep {
    /// Writes the plan, and returns the number of its runs.
    pub(super) fn write(&self, folder: &Path) -> Result<usize, Failure> {
        let mut axes = Vec::new();
        for text in &self.vary {
            let axis = Axis::parse(text)?;
            if axes.iter().any(|other: &Axis| other.key == axis.key) {
                return Err(Failure::Input(format!("--vary {text}: the key varies already")));
            }
            if self.seeds.is_some() && axis.key == "seed" {
                return Err(Failure::Input(format!("--vary {text}: --seeds sets the key, too")));
            }
            axes.push(axis);
        }
        let seeds = self.seeds.unwrap_or(1) as usize;
        let count = axes.iter().try_fold(seeds, |all, axis| all.checked_mul(axis.values.len()));
        let Some(count) = count.filter(|count| *count <= MOST) else {
            return Err(Failure::Input(format!("the plan has more than {MOST} runs")));
        };
        let mut list = String::new();
        let mut scenes = Vec::new();
        for index in 0..count {
            let (run, scene) = self.one(index, &axes, seeds)?;
            // Numbers, strings and tables of them always serialise.
            list += &(serde_json::to_string(&run).unwrap_or_default() + "\n");
            scenes.push((folder.join(&run.folder).join("scene.toml"), scene));
        }
        let path = folder.join(LIST);
        if path.exists() {
            let is_same =
                |path: &Path, text: &str| fs::read_to_string(path).is_ok_and(|found| found == text);
            if is_same(&path, &list) && scenes.iter().all(|(path, text)| is_same(path, text)) {
                return Ok(count);
            }
            return Err(Failure::Input(format!(
                "{} is of another plan: expected another folder, or remove it",
                path.display()
            )));
        }
        for (path, text) in &scenes {
            files::write(path, text)?;
        }
        // The list comes last, so that a plan with a list is complete.
        files::write(&path, &list)?;
        Ok(count)
    }

    /// A run and the text of its scene.
    fn one(&self, index: usize, axes: &[Axis], seeds: usize) -> Result<(Planned, String), Failure> {
        let mut rest = index / seeds;
        let mut chosen = Vec::new();
        for axis in axes.iter().rev() {
            chosen.push((&axis.key, &axis.values[rest % axis.values.len()]));
            rest /= axis.values.len();
        }
        chosen.reverse();
        let mut options = self.options.clone();
        let varied: Vec<_> =
            chosen.iter().map(|(key, choice)| format!("{key}={}", choice.text)).collect();
        options.set.extend_from_slice(&varied);
        if self.seeds.is_some() {
            options.set.push(format!("seed={}", index % seeds));
        }
        let loaded = match &self.text {
            Some(text) => load_text(&self.source, text, &options),
            None => load_scene(&self.source, &options),
        };
        let loaded = loaded.map_err(|error| named(error, &varied))?;
        if seeds > 1 && loaded.scene.fluids.iter().all(|fluid| fluid.jitter == 0.0) {
            return Err(Failure::Input(
                "--seeds: no fluid has jitter, so all seeds would give the run of the first; as in --set \
                 fluid[0].jitter=0.1, it is in particle spacings"
                    .into(),
            ));
        }
        for warning in loaded.warnings.iter().filter(|_| index == 0) {
            terminal::complain("warning", &format!("{}: {warning}", loaded.source));
        }
        let json = |value| serde_json::to_value(value).unwrap_or_default();
        let values =
            chosen.iter().map(|(key, choice)| ((*key).clone(), json(&choice.value))).collect();
        let folder = format!("{index:05}");
        let (seed, particles) = (loaded.scene.seed, self.particles.clone());
        Ok((Planned { index, folder, seed, values, particles }, native_scene(&loaded)?))
    }
}

/// The error with `--vary` in the place of `--set`, where that set the key.
fn named(mut error: Error, varied: &[String]) -> Failure {
    if let Error::Input(problems) = &mut error {
        for problem in problems {
            let set = problem.place.strip_prefix("--set ").map(str::to_owned);
            if let Some(set) = set.filter(|set| varied.contains(set)) {
                problem.place = format!("--vary {set}");
            }
        }
    }
    error.into()
}

/// A plan that was written.
#[derive(Debug)]
pub(super) struct Plan {
    folder: PathBuf,
    pub(super) runs: Vec<Planned>,
}

impl Plan {
    /// Reads the plan of a folder.
    pub(super) fn read(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(LIST);
        let text = fs::read_to_string(&path).map_err(|error| {
            let place = folder.display();
            Failure::Input(format!(
                "{place} is no folder of `meniscus sweep plan`: cannot read {}: {error}",
                path.display()
            ))
        })?;
        let mut runs = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let place = format!("{}:{}", path.display(), number + 1);
            let run: Planned = serde_json::from_str(line).map_err(|error| {
                Failure::Input(format!(
                    "{place}: expected a line of `meniscus sweep plan`: {error}"
                ))
            })?;
            if run.index != number {
                let index = run.index;
                let text = format!("{place}: expected the run {number}, not {index}");
                return Err(Failure::Input(text));
            }
            runs.push(run);
        }
        Ok(Self { folder: folder.to_owned(), runs })
    }

    /// The run of an index.
    pub(super) fn run(&self, index: usize) -> Result<&Planned, Failure> {
        self.runs.get(index).ok_or_else(|| {
            let has = match self.runs.len() {
                0 => "it has none".to_owned(),
                count => format!("expected 0 to {}", count - 1),
            };
            Failure::Input(format!("--index {index}: there is no such run; {has}"))
        })
    }

    /// Folder of a run.
    pub(super) fn folder(&self, run: &Planned) -> PathBuf {
        self.folder.join(&run.folder)
    }
}
