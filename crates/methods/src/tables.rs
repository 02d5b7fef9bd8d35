//! The pass table and the array table, with additional rows.

use crate::{
    Chosen, ListError, Method, Registry,
    arrays::{self, Row},
    passes::{self, Pass},
};

/// An additional pass or array.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_enums, reason = "built by tests and methods")]
pub enum Extra {
    /// A row of the pass table.
    Pass(Pass),
    /// A row of the array table.
    Array(Row),
}

impl Extra {
    /// Additional rows of a scene's methods.
    #[must_use]
    pub fn of(chosen: &Chosen) -> Vec<Self> {
        Self::by(chosen.methods())
    }

    /// Additional rows of all methods; methods of a family have equal ones.
    #[must_use]
    pub fn of_all(registry: &Registry) -> Vec<Self> {
        Self::by(registry.methods())
    }

    fn by(methods: impl Iterator<Item = &'static Method>) -> Vec<Self> {
        let rows = methods.flat_map(|method| {
            let passes = method.passes().copied().map(Self::Pass);
            passes.chain(method.arrays().copied().map(Self::Array))
        });
        rows.collect()
    }
}

/// Tables of arrays and passes with additional rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tables<'a> {
    extras: &'a [Extra],
}

impl<'a> Tables<'a> {
    /// The tables with these additional rows.
    #[must_use]
    pub fn with(extras: &'a [Extra]) -> Self {
        Self { extras }
    }

    /// The row of a pass.
    ///
    /// # Errors
    /// No pass of that name.
    pub fn pass(&self, name: &str) -> Result<Pass, ListError> {
        // Terms and models follow the name of a file.
        let file = name.split('+').next();
        let extra = self.extras.iter().find_map(|extra| match extra {
            Extra::Pass(row) if Some(row.name) == file => Some(*row),
            _ => None,
        });
        let found = passes::find(name).or(extra);
        found.ok_or_else(|| ListError(format!("no pass is named `{name}`")))
    }

    /// The additional rows of arrays.
    pub fn extra_arrays(&self) -> impl Iterator<Item = Row> + 'a {
        self.extras.iter().filter_map(|extra| match extra {
            Extra::Array(row) => Some(*row),
            Extra::Pass(_) => None,
        })
    }

    /// The row of an array.
    ///
    /// # Errors
    /// No array of that name.
    pub fn array(&self, name: &str) -> Result<Row, ListError> {
        let extra = self.extras.iter().find_map(|extra| match extra {
            Extra::Array(row) if row.name == name => Some(*row),
            _ => None,
        });
        let found = arrays::find(name).or(extra);
        found.ok_or_else(|| ListError(format!("no array is named `{name}`")))
    }
}
