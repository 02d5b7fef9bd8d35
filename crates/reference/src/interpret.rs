//! Runs lists of stages in f64: the same lists that the GPU records.
//!
//! [`Interpreter::run`] runs a list to its end. [`Interpreter::walk`] goes through it a stage at a time, so
//! that a caller may look at the world, or change it, between two stages; a fixture for a pass is a world
//! after [`Interpreter::up_to`].
//!
//! ```ignore
//! let mut world = start::of(&setup);
//! let interpreter = Interpreter::new(&lists, &setup.counts(), &Tables::default())?;
//! let mut walk = interpreter.walk("step")?;
//! while let Some(placed) = walk.next(&mut world)? {
//!     interpreter.perform(&mut world, placed)?;
//! }
//! ```

use std::collections::BTreeMap;

use meniscus_methods::{
    ListError,
    arrays::Row,
    plan::{Part, Placed, Plans},
    space::{Counts, Flag, NEIGHBOURS},
    stage::{List, Phase},
    tables::Tables,
};
use meniscus_model::control::WINDOW_OPEN;

use crate::{
    Twins, World,
    storage::{Array, Values},
    world::StageNumbers,
};

/// Lists worked out, to be run on worlds.
#[derive(Clone, Debug)]
pub struct Interpreter {
    plans: Plans,
    /// The host's flags that are set.
    flags: Vec<Flag>,
    twins: Twins,
    /// Arrays that are not in the table, and those that stages rename variables to; each with its
    /// number of elements.
    arrays: BTreeMap<&'static str, (Row, usize)>,
}

/// Does a stage on the way through a list: [`Interpreter::perform`], or around it what a comparison wants to
/// see of the world before and after.
pub type Perform<'a> =
    &'a mut dyn FnMut(&Interpreter, &mut World, &Placed) -> Result<(), ListError>;

/// A list, gone through a stage at a time.
#[derive(Debug)]
pub struct Walk<'a> {
    stages: Vec<(&'a Placed, Option<usize>)>,
    flags: &'a [Flag],
    next: usize,
}

impl Interpreter {
    /// Works the lists out.
    ///
    /// # Errors
    /// A list that names a pass, array, space or loop that does not exist.
    pub fn new(lists: &[List], counts: &Counts, tables: &Tables<'_>) -> Result<Self, ListError> {
        let plans = Plans::new(lists, counts, tables)?;
        let renamed = plans.stages().flat_map(|placed| &placed.stage.renames);
        let renamed = renamed.map(|(_, array)| tables.array(array));
        let rows = renamed.chain(tables.extra_arrays().map(Ok));
        let elements =
            |row: Row| Ok((row.name, (row, plans.counts.get(row.extent)?.max(1) as usize)));
        let arrays = rows.map(|row| elements(row?)).collect::<Result<_, _>>()?;
        Ok(Self { plans, flags: Vec::new(), twins: Twins::standard(), arrays })
    }

    /// Interpreter with other twins, for methods that have their own.
    #[must_use]
    pub fn with_twins(self, twins: Twins) -> Self {
        Self { twins, ..self }
    }

    /// Gives the world the arrays of the lists that it lacks, and room in others; [`Interpreter::perform`]
    /// does so as well.
    ///
    /// # Errors
    /// An array that is not in the table and has elements that are structs.
    pub fn prepare(&self, world: &mut World) -> Result<(), ListError> {
        self.arrays.values().try_for_each(|(row, elements)| world.ensure(row, *elements))
    }

    /// The twins.
    #[must_use]
    pub fn twins(&self) -> &Twins {
        &self.twins
    }

    /// The lists as worked out.
    #[must_use]
    pub fn plans(&self) -> &Plans {
        &self.plans
    }

    /// Sets the host's flags, as [`FIELDS`](meniscus_methods::space::FIELDS).
    pub fn set_flags(&mut self, flags: &[Flag]) {
        self.flags = flags.to_vec();
    }

    /// The flags that are set.
    #[must_use]
    pub fn flags(&self) -> &[Flag] {
        &self.flags
    }

    /// Goes through a list a stage at a time.
    ///
    /// # Errors
    /// No list of that name.
    pub fn walk(&self, list: &str) -> Result<Walk<'_>, ListError> {
        let mut stages = Vec::new();
        for part in self.plans.list(list)? {
            match part {
                Part::Stage(stage) => stages.push((stage, None)),
                Part::Loop { body, .. } => {
                    let first = stages.len();
                    stages.extend(body.iter().map(|stage| (stage, None)));
                    if let Some((_, again)) = stages.last_mut() {
                        *again = Some(first);
                    }
                }
            }
        }
        Ok(Walk { stages, flags: &self.flags, next: 0 })
    }

    /// Runs a list to its end.
    ///
    /// # Errors
    /// No list of that name, a stage whose pass or arrays the reference does not have.
    pub fn run(&self, world: &mut World, list: &str) -> Result<(), ListError> {
        self.run_by(world, list, &mut Self::perform)
    }

    /// Runs a list to its end, with each stage done by `perform`.
    ///
    /// # Errors
    /// As [`Interpreter::run`], and those of `perform`.
    pub fn run_by(
        &self,
        world: &mut World,
        list: &str,
        perform: Perform<'_>,
    ) -> Result<(), ListError> {
        let mut walk = self.walk(list)?;
        while let Some(placed) = walk.next(world)? {
            perform(self, world, placed)?;
        }
        Ok(())
    }

    /// Runs a list up to just before the pass `pass` is run for the `occurrence`-th time, from 0. Returns
    /// that stage, or none where the list ends before; `world.stage` is set for it.
    ///
    /// # Errors
    /// As [`Interpreter::run`].
    pub fn up_to(
        &self,
        world: &mut World,
        list: &str,
        pass: &str,
        occurrence: usize,
    ) -> Result<Option<&Placed>, ListError> {
        let (mut walk, mut seen) = (self.walk(list)?, 0);
        while let Some(placed) = walk.next(world)? {
            if placed.pass.name == pass || placed.stage.pass == pass {
                if seen == occurrence {
                    world.stage = StageNumbers::from(placed);
                    return Ok(Some(placed));
                }
                seen += 1;
            }
            self.perform(world, placed)?;
        }
        Ok(None)
    }

    /// Does what a stage does, whether or not it would be active: variables that it renames stand for their
    /// arrays meanwhile.
    ///
    /// # Errors
    /// A pass that the reference does not have, a rename of arrays of different kinds.
    pub fn perform(&self, world: &mut World, placed: &Placed) -> Result<(), ListError> {
        self.twins.of(&placed.stage.pass)?;
        self.prepare(world)?;
        world.stage = StageNumbers::from(placed);
        let renames = &placed.stage.renames;
        let unknown = |name: &str| {
            ListError(format!("pass `{}`: the reference has no array `{name}`", placed.stage.pass))
        };
        let mut saved: BTreeMap<&str, Array> = BTreeMap::new();
        for (variable, array) in renames {
            let own = world.storage(variable).ok_or_else(|| unknown(variable))?.copy();
            let held = world.storage(array).ok_or_else(|| unknown(array))?.copy();
            saved.insert(variable, own);
            saved.insert(array, held);
        }
        let assign = |world: &mut World, name: &str, value: &Array| {
            let storage = world.storage(name).ok_or_else(|| unknown(name))?;
            let mismatch = || {
                ListError(format!(
                    "pass `{}`: `{name}` is renamed to an array of another kind",
                    placed.stage.pass
                ))
            };
            storage.assign(value).then_some(()).ok_or_else(mismatch)
        };
        for (variable, array) in renames {
            assign(world, variable, &saved[array.as_str()])?;
        }
        self.twins.run(world, &placed.stage.pass)?;
        let mut results = Vec::new();
        for (variable, array) in renames {
            let result = world.storage(variable).ok_or_else(|| unknown(variable))?.copy();
            // Two variables may stand for one array, which at most one of them changes.
            if result != saved[array.as_str()] {
                results.push((array, result));
            }
        }
        for (name, value) in &saved {
            assign(world, name, value)?;
        }
        for (array, result) in results {
            assign(world, array, &result)?;
        }
        Ok(())
    }
}

impl<'a> Walk<'a> {
    /// The next stage that is active in this world. Where the last one has stalled the step for want of
    /// room, there is room now, and it is the next one again.
    ///
    /// # Errors
    /// A flag or dispatch that stands in an array that the world does not have.
    pub fn next(&mut self, world: &mut World) -> Result<Option<&'a Placed>, ListError> {
        let done = self.next.checked_sub(1).map(|last| self.stages[last]);
        if let Some((placed, again)) = done {
            let control = world.control;
            let goes_on = control.resume_hi != WINDOW_OPEN;
            if let Some(first) = again.filter(|_| goes_on) {
                self.next = first;
            } else if goes_on && !placed.in_body {
                // The step waits for room for all candidates.
                world.resize(NEIGHBOURS.space, control.neighbours);
                self.next -= 1;
            }
        }
        while let Some((placed, _)) = self.stages.get(self.next) {
            let control = &world.control;
            let in_phase = match placed.phase {
                Phase::Step => control.frame_done == 0,
                Phase::FrameEnd => control.frame_done == 1,
                Phase::Any => true,
            };
            if control.failure != 0 || !in_phase {
                return Ok(None);
            }
            self.next += 1;
            if placed.not_first && control.iteration == 0 {
                continue;
            }
            if self.has_workgroups(world, placed)? {
                return Ok(Some(placed));
            }
        }
        Ok(None)
    }

    /// Whether a stage's flag is set, and the GPU would find workgroups for it.
    fn has_workgroups(&self, world: &mut World, placed: &Placed) -> Result<bool, ListError> {
        let mut words = |array: &str, first: usize| match world.buffer(array) {
            Some(Values::Words { data, .. }) if data.len() >= first + 3 => {
                Ok([data[first], data[first + 1], data[first + 2]])
            }
            _ => Err(ListError(format!(
                "the reference has no words {first} to {} of `{array}`",
                first + 2
            ))),
        };
        if let Some(at) = placed.counted() {
            return Ok(words(at.array, at.first as usize)?.iter().all(|count| *count > 0));
        }
        match placed.stage.when {
            None => Ok(true),
            Some(flag) => match flag.array {
                Some(array) => Ok(words(array, 0)?[2] != 0),
                None => Ok(self.flags.contains(&flag)),
            },
        }
    }
}

impl From<&Placed> for StageNumbers {
    fn from(placed: &Placed) -> Self {
        Self {
            element_count: placed.elements,
            loop_index: placed.loop_index,
            number: placed.number,
            loop_first: placed.loop_first,
            loop_place: placed.loop_place,
            level: placed.stage.level,
        }
    }
}
