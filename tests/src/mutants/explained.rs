//! The survivors that `tests/mutants.toml` explains.

use std::sync::OnceLock;

use serde::Deserialize;

use super::Mutant;

/// A change that no comparison can notice, and why.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
#[allow(clippy::exhaustive_structs, reason = "read by tools")]
pub struct Explained {
    /// The shader file below `wgsl/`, without extension.
    pub file: String,
    /// The line as it is.
    pub from: String,
    /// The line as it becomes.
    pub to: String,
    /// Why nothing that a pass may be asked for changes.
    pub why: String,
}

impl Explained {
    /// Whether it is this change.
    #[must_use]
    pub fn is(&self, mutant: &Mutant) -> bool {
        self.file == mutant.file && self.from == mutant.from && self.to == mutant.to
    }
}

/// All that the file explains.
///
/// # Panics
/// When the file is not what it should be.
#[must_use]
pub fn explained() -> &'static [Explained] {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        #[serde(default)]
        survivor: Vec<Explained>,
    }
    static ALL: OnceLock<Vec<Explained>> = OnceLock::new();
    ALL.get_or_init(|| {
        let file: File = toml::from_str(include_str!("../../mutants.toml"))
            .unwrap_or_else(|error| panic!("tests/mutants.toml: {error}"));
        file.survivor
    })
}
