//! The survivors that `tests/mutants.toml` explains.

use std::sync::OnceLock;

use serde::Deserialize;

use super::Mutant;

/// Changes of a line that no comparison can notice, and why.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
#[allow(clippy::exhaustive_structs, reason = "read by tools")]
pub struct Explained {
    /// Shader file below `wgsl/`, without extension; `*` for the same line in any file.
    pub file: String,
    /// The line as it is, without spaces around it.
    pub from: String,
    /// The line as it becomes, by each of the changes.
    pub to: Vec<String>,
    /// Reason why no result changes.
    pub why: String,
}

impl Explained {
    /// Whether a change is one of these.
    #[must_use]
    pub fn is(&self, mutant: &Mutant) -> bool {
        (self.file == "*" || self.file == mutant.file)
            && self.from == mutant.from
            && self.to.contains(&mutant.to)
    }

    /// Each change on its own.
    pub fn single(&self) -> impl Iterator<Item = Self> + '_ {
        self.to.iter().map(|to| Self { to: vec![to.clone()], ..self.clone() })
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
