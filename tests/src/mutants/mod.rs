//! Shaders with one thing changed, to see whether the comparison of their pass notices.
//!
//! Each change ([`mutants`]) of a file is tried with a pass that uses it, at one moment of the test scenes after the
//! other until the comparison fails; a change of a file that several passes include, with one pass after the
//! other. A change that no comparison notices either does nothing that a scene could show, or the scenes are
//! too few. This is a tool for the author of a pass: nothing depends on its result.

mod bench;
mod changes;
mod report;
mod tokens;

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::{Mutex, PoisonError},
};

pub use changes::{Mutant, mutants};
use meniscus::Shaders;
pub use report::Report;

/// How a change ended with a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// The comparison failed.
    Noticed,
    /// No comparison failed.
    Survived,
    /// The pass does not use what is changed, or does not compile.
    Untried,
}

/// Which passes are tried, and how.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct Plan {
    /// Only these passes, if there are any.
    pub passes: Vec<String>,
    /// Passes that are tried at once.
    pub threads: usize,
}

/// Tries the changes of passes; `progress` gets the pass that is done, how many are of how many, and the report so
/// far.
///
/// # Errors
/// No device, or a pass whose comparison fails unchanged.
pub fn run(
    plan: &Plan,
    progress: impl Fn(&str, [usize; 2], &Report) + Sync,
) -> Result<Report, String> {
    let chosen = all();
    let wanted = |name: &&str| plan.passes.is_empty() || plan.passes.iter().any(|p| p == name);
    let passes: VecDeque<&'static str> = passes().filter(wanted).collect();
    let total = passes.len();
    let (queue, report) = (Mutex::new(passes), Mutex::new(Report::default()));
    let lock = || report.lock().unwrap_or_else(PoisonError::into_inner);
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let work = || -> Result<(), String> {
        while let Some(pass) = next() {
            let mut bench = None;
            for file in files(pass) {
                for mutant in chosen.get(&file).into_iter().flatten() {
                    // What a pass before has noticed is known.
                    if lock().is_open(mutant) {
                        let bench = match &mut bench {
                            Some(bench) => bench,
                            none => none.insert(bench::Bench::new(pass)?),
                        };
                        let (verdict, took) = bench.verdict(mutant)?;
                        lock().add(pass, mutant, verdict, took);
                    }
                }
            }
            let left = queue.lock().unwrap_or_else(PoisonError::into_inner).len();
            progress(pass, [total - left, total], &lock());
        }
        Ok(())
    };
    std::thread::scope(|scope| -> Result<(), String> {
        let workers: Vec<_> = (0..plan.threads.max(1)).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            worker.join().unwrap_or_else(|_| Err("a worker panicked".to_owned()))?;
        }
        Ok(())
    })?;
    Ok(report.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Names of all passes, those of methods too.
pub fn passes() -> impl Iterator<Item = &'static str> {
    let shaders = Shaders::standard();
    let known = move |name: &&str| shaders.passes().any(|pass| pass == *name);
    meniscus_wgsl::files().iter().map(|(name, _)| *name).filter(known)
}

/// Every change of every file that passes use, by file.
fn all() -> BTreeMap<String, Vec<Mutant>> {
    let files: BTreeSet<String> = passes().flat_map(files).collect();
    let changes = |file: String| {
        let text = meniscus_wgsl::file(&file).unwrap_or_default();
        let mutants = mutants(&file, text);
        (file, mutants)
    };
    files.into_iter().map(changes).collect()
}

/// The files of a pass: its own, those of all terms if it sums some, and all that they include, with those for
/// subgroups. Text that is made of the structs of Rust is not among them.
fn files(pass: &str) -> BTreeSet<String> {
    let shaders = Shaders::standard();
    let terms: Vec<_> = shaders.terms().collect();
    let with_terms = format!("{pass}+{}", terms.join("+"));
    let mut files = BTreeSet::new();
    for subgroups in [false, true] {
        let composed = shaders.compose(&with_terms, subgroups);
        let composed = composed.or_else(|_| shaders.compose(pass, subgroups)).expect("it composes");
        for line in 1..=composed.wgsl.lines().count() {
            files.insert(composed.origin(line).0.to_owned());
        }
    }
    files.retain(|file| meniscus_wgsl::file(file).is_some());
    files
}
