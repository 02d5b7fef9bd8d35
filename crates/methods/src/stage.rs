//! Stages, loops and lists.

use crate::space::{Extent, Flag};

/// A pass to run, optionally with variables bound to other buffers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stage {
    /// Name of the pass.
    pub pass: String,
    /// (variable, array) if they differ.
    pub renames: Vec<(String, String)>,
    /// Number of elements, for passes whose table row leaves it to the stage.
    pub extent: Option<Extent>,
    /// Condition on which it runs.
    pub when: Option<Flag>,
    /// The loop whose limits it reads, of stages outside its body.
    pub of_loop: Option<String>,
    /// Level of the multigrid that it works on.
    pub level: u32,
}

impl Stage {
    /// Binds the array `array` to the shader's variable `variable`, which may be its own.
    #[must_use]
    pub fn with(mut self, variable: &str, array: &str) -> Self {
        if variable != array {
            self.renames.push((variable.to_owned(), array.to_owned()));
        }
        self
    }

    /// Sets the number of elements.
    #[must_use]
    pub fn over(mut self, extent: Extent) -> Self {
        self.extent = Some(extent);
        self
    }

    /// Runs it only while the flag is set.
    #[must_use]
    pub fn when(mut self, flag: Flag) -> Self {
        self.when = Some(flag);
        self
    }

    /// Sets the level of the multigrid.
    #[must_use]
    pub fn level(mut self, level: u32) -> Self {
        self.level = level;
        self
    }

    /// Lets it read the limits of a loop that it is not in.
    #[must_use]
    pub fn of_loop(mut self, name: &str) -> Self {
        self.of_loop = Some(name.to_owned());
        self
    }

    /// The array that a variable is bound to.
    #[must_use]
    pub fn array<'a>(&'a self, variable: &'a str) -> &'a str {
        let rename = self.renames.iter().find(|(from, _)| from == variable);
        rename.map_or(variable, |(_, to)| to)
    }

    /// Label in the profiler: the pass, and its renamed buffers in parentheses.
    #[must_use]
    pub fn label(&self) -> String {
        match self.renames.first() {
            Some((_, array)) => format!("{}({array})", self.pass),
            None => self.pass.clone(),
        }
    }
}

/// One entry of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "host and reference must do every kind of entry")]
pub enum Entry {
    /// Run a pass.
    Run(Stage),
    /// Exclusive prefix sums of `values` into `scanned`, by reduce-then-scan.
    Scan {
        /// Array of u32.
        values: String,
        /// Array of u32.
        scanned: String,
        /// Number of elements of both.
        extent: Extent,
        /// Condition on which it runs.
        when: Option<Flag>,
    },
    /// Repeat passes until the loop's residual is within its tolerance, or its iterations are used up.
    Repeat {
        /// Name of the loop, as in the log.
        name: String,
        /// Stages of the body that the first iteration is without.
        enter: usize,
        /// One iteration, whose last stage is the test.
        body: Vec<Stage>,
    },
}

/// A stage that runs a pass with its default buffers.
#[must_use]
pub fn stage(pass: &str) -> Stage {
    Stage {
        pass: pass.to_owned(),
        renames: Vec::new(),
        extent: None,
        when: None,
        of_loop: None,
        level: 0,
    }
}

/// An entry that runs a pass with its default buffers.
#[must_use]
pub fn run(pass: &str) -> Entry {
    Entry::Run(stage(pass))
}

impl Entry {
    /// Runs it only while the flag is set; a loop's stages have flags of their own.
    #[must_use]
    pub fn when(self, flag: Flag) -> Self {
        match self {
            Self::Run(stage) => Self::Run(stage.when(flag)),
            Self::Scan { values, scanned, extent, .. } => {
                Self::Scan { values, scanned, extent, when: Some(flag) }
            }
            repeat @ Self::Repeat { .. } => repeat,
        }
    }

    /// Repeats `body` until the loop `name` has converged, whose residual is the element of the array
    /// `residual`.
    #[must_use]
    pub fn repeat(name: &str, residual: &str, mut body: Vec<Stage>) -> Self {
        body.push(stage("loop/test").with("residual", residual));
        Self::repeat_from(name, 0, body)
    }

    /// The same where the last stage of the body is the test itself (`common/iteration`), and the first iteration begins with the
    /// stage `enter`.
    #[must_use]
    pub fn repeat_from(name: &str, enter: usize, body: Vec<Stage>) -> Self {
        Self::Repeat { name: name.to_owned(), enter, body }
    }
}

impl From<Stage> for Entry {
    fn from(stage: Stage) -> Self {
        Self::Run(stage)
    }
}

/// Phase of a frame in which stages are active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "the numbers are the shader's")]
pub enum Phase {
    /// While the frame is being computed.
    Step,
    /// Once the frame is done.
    FrameEnd,
    /// Between steps, within a frame or at its end.
    Any,
}

/// A named list of stages.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct List {
    /// Name by which it is recorded.
    pub name: &'static str,
    /// Phase in which its stages are active.
    pub phase: Phase,
    /// Stages and loops, in order.
    pub entries: Vec<Entry>,
}
