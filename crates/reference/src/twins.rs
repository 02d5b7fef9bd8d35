//! The table of twins.

use meniscus_methods::ListError;

use crate::{PASSES, TERMS, Term, World};

/// CPU implementation of a pass, which runs whether or not the pass would be active.
pub type Twin = fn(&mut World);

/// Twins of passes, and of the terms that passes sum, by their names.
#[derive(Clone, Debug)]
pub struct Twins {
    passes: Vec<(&'static str, Twin)>,
    terms: Vec<(&'static str, Term)>,
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
        Self { passes: PASSES.to_vec(), terms: TERMS.to_vec() }
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

    /// Twin of a pass, and the terms that follow the name of its file
    /// (`sph/forces+viscosity_muller`).
    ///
    /// # Errors
    /// A pass or term without a twin.
    pub fn of(&self, pass: &str) -> Result<(Twin, Vec<Term>), ListError> {
        let mut names = pass.split('+');
        let file = names.next().unwrap_or(pass);
        let twin = find(&self.passes, "pass", file)?;
        let terms = names.map(|name| find(&self.terms, "term", name)).collect::<Result<_, _>>()?;
        Ok((twin, terms))
    }

    /// Runs the twin of a pass.
    ///
    /// # Errors
    /// As [`Twins::of`].
    pub fn run(&self, world: &mut World, pass: &str) -> Result<(), ListError> {
        let (twin, terms) = self.of(pass)?;
        world.terms = terms;
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
