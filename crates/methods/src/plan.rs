//! Plans: lists with expanded scans, counts and loops, as recorded by the GPU host and run by the
//! reference.

use std::collections::BTreeMap;

use crate::{
    ListError,
    arrays::SCAN_LEVELS,
    passes::{Pass, REDUCE_BLOCK},
    space::{Counts, Extent, SCANNED, SCANNED_SPACE, Words},
    stage::{Entry, List, Phase, Stage, stage},
    tables::Tables,
};

/// A stage at its place in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Placed {
    /// The stage.
    pub stage: Stage,
    /// Row of the pass table.
    pub pass: Pass,
    /// Space and number of its elements.
    pub extent: Extent,
    /// Number of its elements.
    pub elements: u32,
    /// Index in the list; iterations of a loop's body share theirs.
    pub number: u32,
    /// Condition on which it is active.
    pub phase: Phase,
    /// 1 + the index of its loop in [`Plans::loops`]; 0 outside loops.
    pub loop_index: u32,
    /// Whether the stage is part of a loop's body.
    pub in_body: bool,
    /// Index of the first stage of the loop's body, for the stage that tests it.
    pub loop_first: u32,
    /// 0 and 1 in turn for the list's loops, which may run more than once.
    pub loop_place: u32,
    /// Whether the loop's first iteration is without it.
    pub not_first: bool,
}

impl Placed {
    /// Words from which the stage's workgroups come, if the GPU counts them: it does so for the passes that have the
    /// space themselves, since workgroups of others have another size.
    #[must_use]
    pub fn counted(&self) -> Option<Words> {
        self.extent.space.dispatch.filter(|_| self.pass.extent.is_some())
    }
}

/// A stage or a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "host and reference must do every kind")]
#[allow(clippy::large_enum_variant, reason = "a plan has a few dozen parts")]
pub enum Part {
    /// A stage outside loops.
    Stage(Placed),
    /// A loop.
    Loop {
        /// Index in [`Plans::loops`].
        number: usize,
        /// One iteration, with the test at its end.
        body: Vec<Placed>,
    },
}

impl Part {
    /// Stages of the part; a loop's body once.
    pub fn stages(&self) -> impl Iterator<Item = &Placed> {
        match self {
            Self::Stage(stage) => std::slice::from_ref(stage),
            Self::Loop { body, .. } => body,
        }
        .iter()
    }
}

/// Planned lists.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Plans {
    /// Parts of each list, by name.
    pub lists: BTreeMap<&'static str, Vec<Part>>,
    /// Counts, including those that follow from the lists.
    pub counts: Counts,
    /// Names of the loops, in the order of the lists.
    pub loops: Vec<String>,
}

impl Plans {
    /// Plans the lists.
    ///
    /// # Errors
    /// An unknown pass, space or loop, or a pass without a number of elements.
    pub fn new(lists: &[List], counts: &Counts, tables: &Tables<'_>) -> Result<Self, ListError> {
        let mut counts = counts.clone();
        let mut loops: Vec<String> = Vec::new();
        for entry in lists.iter().flat_map(|list| &list.entries) {
            match entry {
                Entry::Run(_) => {}
                Entry::Scan { extent, .. } => {
                    let longest = counts.get(*extent)?.max(counts.get(SCANNED)?);
                    counts.set(SCANNED_SPACE, longest);
                }
                Entry::Repeat { name, .. } if loops.contains(name) => {}
                Entry::Repeat { name, .. } => loops.push(name.clone()),
            }
        }
        let mut plans = BTreeMap::new();
        for list in lists {
            let mut planner = Planner {
                counts: &counts,
                loops: &loops,
                tables,
                phase: list.phase,
                number: 0,
                loops_placed: 0,
            };
            plans.insert(list.name, planner.parts(&list.entries)?);
        }
        Ok(Self { lists: plans, counts, loops })
    }

    /// Parts of a list.
    ///
    /// # Errors
    /// No list of that name.
    pub fn list(&self, name: &str) -> Result<&[Part], ListError> {
        let found = self.lists.get(name);
        found.map(Vec::as_slice).ok_or_else(|| ListError(format!("no list is named `{name}`")))
    }

    /// All stages of all lists.
    pub fn stages(&self) -> impl Iterator<Item = &Placed> {
        self.lists.values().flatten().flat_map(Part::stages)
    }
}

struct Planner<'a> {
    counts: &'a Counts,
    loops: &'a [String],
    tables: &'a Tables<'a>,
    phase: Phase,
    number: u32,
    loops_placed: u32,
}

impl Planner<'_> {
    fn parts(&mut self, entries: &[Entry]) -> Result<Vec<Part>, ListError> {
        let mut parts = Vec::new();
        for entry in entries {
            match entry {
                Entry::Run(stage) => parts.push(Part::Stage(self.place(stage.clone())?)),
                Entry::Scan { values, scanned, extent, when } => {
                    for stage in scan(values, scanned, *extent, self.counts.get(*extent)?) {
                        let stage = Stage { when: *when, ..stage };
                        parts.push(Part::Stage(self.place(stage)?));
                    }
                }
                Entry::Repeat { name, enter, body } => parts.push(self.repeat(name, *enter, body)?),
            }
        }
        Ok(parts)
    }

    fn repeat(&mut self, name: &str, enter: usize, body: &[Stage]) -> Result<Part, ListError> {
        let (loop_first, loop_place) = (self.number, self.loops_placed % 2);
        self.loops_placed += 1;
        let place = |(at, stage): (usize, &Stage)| {
            let placed = self.place(stage.clone().of_loop(name))?;
            Ok(Placed { in_body: true, loop_first, loop_place, not_first: at < enter, ..placed })
        };
        let body: Vec<_> = body.iter().enumerate().map(place).collect::<Result<_, ListError>>()?;
        let empty = || ListError(format!("loop `{name}` has no stages"));
        let number = body.first().ok_or_else(empty)?.loop_index as usize - 1;
        Ok(Part::Loop { number, body })
    }

    fn place(&mut self, stage: Stage) -> Result<Placed, ListError> {
        let pass = self.tables.pass(&stage.pass)?;
        let extent = stage.extent.or(pass.extent).ok_or_else(|| {
            ListError(format!("a stage of pass `{}` does not say how many elements", stage.pass))
        })?;
        let loop_index = match &stage.of_loop {
            None => 0,
            Some(name) => {
                let found = self.loops.iter().position(|known| known == name);
                let unknown =
                    || ListError(format!("pass `{}`: no loop is named `{name}`", pass.name));
                1 + found.ok_or_else(unknown)? as u32
            }
        };
        let placed = Placed {
            elements: self.counts.get(extent)?,
            number: self.number,
            phase: self.phase,
            in_body: false,
            loop_first: 0,
            loop_place: 0,
            not_first: false,
            stage,
            pass,
            extent,
            loop_index,
        };
        self.number += 1;
        Ok(placed)
    }
}

/// Exclusive prefix sums of `values` into `scanned`: sums of blocks upwards, then scans of blocks
/// downwards, through as many levels as `elements` need.
fn scan(values: &str, scanned: &str, extent: Extent, elements: u32) -> Vec<Stage> {
    let name = |kind: &str, level: u32, base: &str| match level {
        0 => base.to_owned(),
        _ => format!("{kind}_{level}"),
    };
    let per = |level: u32| REDUCE_BLOCK.pow(level);
    let top = (0..SCAN_LEVELS).find(|level| elements.div_ceil(per(*level)) <= REDUCE_BLOCK);
    let top = top.unwrap_or(SCAN_LEVELS);
    let up = (0..top).map(|level| {
        stage("reduce/sum")
            .with("values", &name("totals", level, values))
            .with("totals", &name("totals", level + 1, values))
            .over(extent.per(per(level)))
    });
    // The top level is a single block with offset 0, so any array will do for offsets.
    let down = (0..=top).rev().map(|level| {
        let values = name("totals", level, values);
        let offsets = if level == top { values.clone() } else { name("offsets", level + 1, "") };
        stage("reduce/scan")
            .with("values", &values)
            .with("offsets", &offsets)
            .with("scanned", &name("offsets", level, scanned))
            .over(extent.per(per(level)))
    });
    up.chain(down).collect()
}
