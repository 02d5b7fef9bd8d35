//! Laws: relations between runs, or between a run and what its scene gives, that hold whatever the right answer is.
//!
//! The scenes of `tests/laws/` begin with lines `#: KEY = VALUE`:
//!
//! ```toml
//! #: laws = ["shift", "balance"]           # which laws it is held to
//! #: solvers = ["flip", "dfsph"]           # with which solvers; by default its own
//! #: coarse = ["balance flip"]             # laws, and with which solver, that every run of the tests checks
//! #: fails = { "balance apic" = "figure: why" }   # what is known to fail; a pair that holds must not be here
//! #: rests = ["crate", "water"]         # bodies that stay where they are, and fluids by their materials
//! #: flies = { fluids = [1], bodies = ["ball"], until = 0.2 }   # what touches nothing, and until when, in s
//! ```

mod alike;
mod balance;
mod given;
mod keys;
mod said;
mod shift;
mod steps;
mod trial;
mod turned;
mod ways;

use std::{collections::BTreeMap, fmt, fs, io, path::PathBuf};

use meniscus::Gpu;
use serde::Deserialize;
use toml::Table;

pub use trial::Trial;

/// A relation.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "tests read it")]
pub struct Law {
    /// Its name in the scenes' heads.
    pub name: &'static str,
    /// What holds.
    pub rule: &'static str,
    /// What comes of it in a scene.
    pub check: fn(&Trial<'_>) -> Vec<Finding>,
}

/// All laws.
pub const LAWS: &[Law] = &[
    Law {
        name: "shift",
        rule: "moved by parts of a cell and by 1,000 m, all that is measured stays within 1 %",
        check: shift::check,
    },
    Law {
        name: "steps",
        rule: "halved steps: differences fall with the method's order; frames change nothing beyond a sixth of a spacing",
        check: steps::check,
    },
    Law {
        name: "resolution",
        rule: "radii of four, two and one times the scene's: differences fall, or are within 5 %",
        check: steps::resolution,
    },
    Law {
        name: "flight",
        rule: "what touches nothing falls on its parabola, to 10⁻⁵ of its path, with any steps and frames",
        check: steps::flight,
    },
    Law {
        name: "ways",
        rule: "shapes said in other formats, other order and other pieces are filled by the same particles",
        check: ways::check,
    },
    Law {
        name: "given",
        rule: "frame 0 is the scene's; what is alone keeps its velocity; what rests stays; what is uniform is so at every probe, and still",
        check: given::check,
    },
    Law {
        name: "balance",
        rule: "mass stays; momentum is what gravity and solids gave, within 1 % (3 % where solids move); heat is what walls gave, within 2 %",
        check: balance::check,
    },
    Law {
        name: "turn",
        rule: "turned by 90° and mirrored, all that is measured turns with the scene, within 1 % (at rest on a grid 0.1 %)",
        check: turned::check,
    },
    Law {
        name: "scale",
        rule: "lengths times 10, times times √10, Froude's and Reynolds' numbers kept: the same numbers without units, within 1 %",
        check: turned::scale,
    },
    Law {
        name: "defaults",
        rule: "every default written out is the same scene, to the bit",
        check: said::defaults,
    },
    Law {
        name: "said",
        rule: "what is used but not given can be read, and written out it is the same scene, to the bit",
        check: said::said,
    },
    Law {
        name: "order",
        rule: "fluids, boundaries, bodies and materials in another order: what is measured stays within 1 %",
        check: said::order,
    },
    Law {
        name: "pieces",
        rule: "run in submissions of one step, or resumed: the same bits",
        check: said::pieces,
    },
    Law {
        name: "families",
        rule: "the same scene by another family: integrals within 5 %",
        check: said::families,
    },
    Law {
        name: "extremes",
        rule: "one particle, no gravity, ratios of 100 and 1,000: finite, and nothing is lost",
        check: said::extremes,
    },
    Law { name: "plane", rule: "2-D stays in its plane to the bit", check: given::plane },
];

/// What was measured of a relation, and what it may be.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs, reason = "tests read it")]
pub struct Finding {
    /// What is compared.
    pub what: String,
    /// Its error.
    pub error: f64,
    /// The largest that the law allows.
    pub bound: f64,
}

impl Finding {
    /// An error, in the unit of its bound.
    pub fn new(what: impl Into<String>, error: f64, bound: f64) -> Self {
        Self { what: what.into(), error, bound }
    }

    /// What the law does not allow; NaN is none of it.
    #[must_use]
    pub fn fails(&self) -> bool {
        self.error.is_nan() || self.error > self.bound
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:.3e} of at most {:.3e}", self.what, self.error, self.bound)
    }
}

/// The first lines of a scene.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(clippy::exhaustive_structs, reason = "tests read it")]
pub struct Head {
    /// Names of laws.
    pub laws: Vec<String>,
    /// Names of solvers.
    #[serde(default)]
    pub solvers: Vec<String>,
    /// `LAW SOLVER` of the pairs that every run of the tests checks.
    #[serde(default)]
    pub coarse: Vec<String>,
    /// `LAW SOLVER` of the pairs that fail, with the figure and the cause.
    #[serde(default)]
    pub fails: BTreeMap<String, String>,
    /// What touches nothing.
    pub flies: Option<Flight>,
    /// Names of bodies that rest where they are.
    #[serde(default)]
    pub rests: Vec<String>,
}

/// What touches nothing, and until when.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(clippy::exhaustive_structs, reason = "tests read it")]
pub struct Flight {
    /// Numbers of fluids.
    #[serde(default)]
    pub fluids: Vec<usize>,
    /// Names of bodies.
    #[serde(default)]
    pub bodies: Vec<String>,
    /// Until when, in s.
    pub until: f64,
}

/// A scene with what is said about it.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs, reason = "tests read it")]
pub struct Case {
    /// Name of the file without extension.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// The scene's keys.
    pub keys: Table,
    /// What its first lines say.
    pub head: Head,
}

/// The folder of the scenes.
fn folder() -> PathBuf {
    let built = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/laws"));
    if built.is_dir() { built } else { "tests/laws".into() }
}

impl Case {
    /// All scenes, in the order of their names.
    ///
    /// # Errors
    /// A folder or a file that cannot be read.
    ///
    /// # Panics
    /// With a message that names the file, if its text is no scene with a head.
    pub fn all() -> io::Result<Vec<Self>> {
        let mut cases = Vec::new();
        for entry in fs::read_dir(folder())? {
            let path = entry?.path();
            if path.extension().is_none_or(|extension| extension != "toml") {
                continue;
            }
            let (file, text) = (path.display(), fs::read_to_string(&path)?);
            let lines: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("#: ")).collect();
            let head: Head = toml::from_str(&lines.join("\n"))
                .unwrap_or_else(|error| panic!("{file}, lines `#:`: {error}"));
            let keys = text.parse().unwrap_or_else(|error| panic!("{file}: {error}"));
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            cases.push(Self { name, path, keys, head });
        }
        cases.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(cases)
    }

    /// Names of its solvers.
    #[must_use]
    pub fn solvers(&self) -> Vec<String> {
        match self.head.solvers.as_slice() {
            [] => vec![
                self.keys.get("solver").and_then(toml::Value::as_str).unwrap_or("dfsph").to_owned(),
            ],
            some => some.to_vec(),
        }
    }

    /// What comes of a law with a solver.
    #[must_use]
    pub fn check(&self, gpu: &Gpu, law: &Law, solver: &str) -> Vec<Finding> {
        (law.check)(&Trial { gpu, case: self, solver })
    }
}

/// The laws by scenes, as tables of Markdown: which solvers keep a law, and by how much others miss it.
///
/// # Panics
/// If a scene cannot be read.
#[must_use]
pub fn tables() -> String {
    let cases = Case::all().unwrap_or_else(|error| panic!("tests/laws: {error}"));
    let mut text = String::new();
    for law in LAWS {
        text += &format!(
            "\n## {}\n\n{}.\n\n| scene | holds with | misses |\n|---|---|---|\n",
            law.name, law.rule
        );
        for case in cases.iter().filter(|case| case.head.laws.iter().any(|one| one == law.name)) {
            let miss = |solver: &String| case.head.fails.get(&format!("{} {solver}", law.name));
            let solvers = case.solvers();
            let names =
                |all: Vec<String>| if all.is_empty() { "–".to_owned() } else { all.join(", ") };
            let holds = solvers.iter().filter(|solver| miss(solver).is_none()).cloned().collect();
            let misses =
                solvers.iter().filter_map(|solver| Some(format!("{solver}: {}", miss(solver)?)));
            let title = case.keys.get("title").and_then(toml::Value::as_str).unwrap_or(&case.name);
            text += &format!("| {title} | {} | {} |\n", names(holds), names(misses.collect()));
        }
    }
    text
}
