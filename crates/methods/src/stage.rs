//! A solver is a list of these: passes to run, and loops of them.

/// A pass to run, with its variables bound to other buffers where it is renamed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stage {
    /// Name of the pass.
    pub pass: String,
    /// (variable, buffer) where they differ.
    pub renames: Vec<(String, String)>,
    /// Element count, for passes whose table row asks for one.
    pub elements: u32,
    /// Where in `contact_dispatch` its workgroups are, for stages that have none while nothing touches.
    pub touching: Option<u64>,
    /// Place in a loop; set by [`Entry::Repeat`].
    pub place: LoopPlace,
}

/// Where in a loop a stage is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "tests build it")]
pub struct LoopPlace {
    /// 1 + the loop's place in `params.loops`; 0 outside loops.
    pub index: u32,
    /// Whether it is part of the body.
    pub body: bool,
    /// Number of the body's first stage.
    pub first: u32,
}

impl Stage {
    /// Binds the buffer `buffer` to the shader's variable `variable`.
    #[must_use]
    pub fn with(mut self, variable: &str, buffer: &str) -> Self {
        self.renames.push((variable.to_owned(), buffer.to_owned()));
        self
    }

    /// Sets the element count.
    #[must_use]
    pub fn elements(mut self, elements: u32) -> Self {
        self.elements = elements;
        self
    }

    /// Gives it no workgroups while nothing touches: `contact_dispatch` has three words for it from
    /// this byte on, of which `body/touch` writes the last one.
    #[must_use]
    pub fn while_touching(mut self, at: u64) -> Self {
        self.touching = Some(at);
        self
    }

    /// Puts the stage into a loop.
    #[must_use]
    pub fn at(mut self, place: LoopPlace) -> Self {
        self.place = place;
        self
    }

    /// The buffer that a variable is bound to.
    #[must_use]
    pub fn buffer<'a>(&'a self, variable: &'a str) -> &'a str {
        let rename = self.renames.iter().find(|(from, _)| from == variable);
        rename.map_or(variable, |(_, to)| to)
    }

    /// The profiler's label: the pass, and in brackets what it was applied to.
    #[must_use]
    pub fn label(&self) -> String {
        match self.renames.first() {
            Some((_, buffer)) => format!("{}({buffer})", self.pass),
            None => self.pass.clone(),
        }
    }
}

/// One entry of a solver's list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "host and reference must do every kind of entry")]
pub enum Entry {
    /// Run a pass.
    Run(Stage),
    /// Run a pass while there are force fields, which may come and go between frames.
    WithFields(Stage),
    /// Repeat passes until `control.residual` is within the tolerance of `params.loops[number]`.
    Repeat {
        /// Place in `params.loops`.
        number: u32,
        /// One iteration; it leaves its residual in `control.residual`.
        body: Vec<Stage>,
    },
}

/// A stage that runs a pass with its own buffers.
#[must_use]
pub fn stage(pass: &str) -> Stage {
    Stage {
        pass: pass.to_owned(),
        renames: Vec::new(),
        elements: 0,
        touching: None,
        place: LoopPlace::default(),
    }
}

/// An entry that runs a pass with its own buffers.
#[must_use]
pub fn run(pass: &str) -> Entry {
    Entry::Run(stage(pass))
}

impl Entry {
    /// Repeats `body` until the loop `number` of `params.loops` has converged.
    #[must_use]
    pub fn repeat(number: u32, body: Vec<Stage>) -> Self {
        Self::Repeat { number, body }
    }
}

impl From<Stage> for Entry {
    fn from(stage: Stage) -> Self {
        Self::Run(stage)
    }
}
