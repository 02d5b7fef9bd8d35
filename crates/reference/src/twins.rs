//! The table of twins.

use meniscus_methods::ListError;

use crate::{MATERIALS, Material, PASSES, TERMS, Term, World};

/// CPU implementation of a pass, which runs whether or not the pass would be active.
pub type Twin = fn(&mut World);

/// Twins of passes, and of the terms that passes sum, by their names.
#[derive(Clone, Debug)]
pub struct Twins {
    passes: Vec<(&'static str, Twin)>,
    terms: Vec<(&'static str, Term)>,
    materials: Vec<(&'static str, Material)>,
}

/// What follows the name of a pass's file.
#[derive(Clone, Debug, Default)]
#[allow(clippy::exhaustive_structs, reason = "callers take it apart")]
pub struct Parts {
    /// Terms of a sum of forces.
    pub terms: Vec<Term>,
    /// Models of material points, by their names.
    pub materials: Vec<(String, Material)>,
}

impl Default for Twins {
    fn default() -> Self {
        Self::standard()
    }
}

impl Twins {
    /// The twins of this crate.
    #[must_use]
    pub fn standard() -> Self {
        Self { passes: PASSES.to_vec(), terms: TERMS.to_vec(), materials: MATERIALS.to_vec() }
    }

    /// Twins with that of another pass.
    #[must_use]
    pub fn with(mut self, pass: &'static str, twin: Twin) -> Self {
        self.passes.push((pass, twin));
        self
    }

    /// Twins with that of another term.
    #[must_use]
    pub fn with_term(mut self, name: &'static str, term: Term) -> Self {
        self.terms.push((name, term));
        self
    }

    /// Twins with that of another model of material points.
    #[must_use]
    pub fn with_material(mut self, name: &'static str, material: Material) -> Self {
        self.materials.push((name, material));
        self
    }

    /// Twin of a pass, and the terms or models that follow the name of its file
    /// (`sph/forces+viscosity_muller`).
    ///
    /// # Errors
    /// A pass, term or model without a twin.
    pub fn of(&self, pass: &str) -> Result<(Twin, Parts), ListError> {
        let mut names = pass.split('+');
        let file = names.next().unwrap_or(pass);
        let twin = find(&self.passes, "pass", file)?;
        let mut parts = Parts::default();
        for name in names {
            match self.materials.iter().find(|(known, _)| *known == name) {
                Some((_, material)) => parts.materials.push((name.to_owned(), *material)),
                None => parts.terms.push(find(&self.terms, "term", name)?),
            }
        }
        Ok((twin, parts))
    }

    /// Runs the twin of a pass.
    ///
    /// # Errors
    /// As [`Twins::of`].
    pub fn run(&self, world: &mut World, pass: &str) -> Result<(), ListError> {
        let (twin, parts) = self.of(pass)?;
        (world.terms, world.materials) = (parts.terms, parts.materials);
        twin(world);
        Ok(())
    }
}

fn find<T: Copy>(all: &[(&str, T)], kind: &str, name: &str) -> Result<T, ListError> {
    let found = all.iter().find(|(known, _)| *known == name);
    let missing = || ListError(format!("the reference has no {kind} `{name}`"));
    Ok(found.ok_or_else(missing)?.1)
}

/// Runs a pass of this repository on `world`: [`Twins::run`] of the standard twins.
///
/// # Panics
/// If there is no twin of that name.
pub fn run(world: &mut World, name: &str) {
    Twins::standard().run(world, name).unwrap_or_else(|error| panic!("{error}"));
}
