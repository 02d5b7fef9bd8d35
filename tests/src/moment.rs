//! A stage of a scene in the reference: what it reads, and what comes of it.

use std::{cell::OnceCell, collections::BTreeMap};

use meniscus::methods::tables::Extra;
use meniscus_methods::{
    ListError, Registry,
    plan::{Part, Placed, Plans},
    space::{Counts, NEIGHBOURS},
    stage::{Entry, List, Phase, Stage},
    tables::Tables,
};
use meniscus_model::{Control, shared::encode};
use meniscus_reference::{Array, Interpreter, World};

use crate::scale::{Scale, scales};

/// Arrays of scalars by name.
pub type Arrays = BTreeMap<&'static str, Array>;

/// A stage, the world before it, and the arrays and Control after it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Moment {
    /// The stage.
    pub placed: Placed,
    /// The world before it, in numbers that are exact in f32.
    pub world: World,
    /// Arrays before it.
    pub before: Arrays,
    /// Arrays after it, in f64.
    pub after: Arrays,
    /// Control after it.
    pub control: Control,
    /// Rows of the tables that the scene's methods add.
    pub extras: Vec<Extra>,
    interpreter: Interpreter,
    scales: OnceCell<BTreeMap<&'static str, Scale>>,
}

impl Moment {
    /// Lets the reference do a stage in `world`, whose floats are rounded to f32 first.
    ///
    /// # Errors
    /// A stage that the reference does not have.
    pub fn of(
        interpreter: &Interpreter,
        extras: &[Extra],
        world: &mut World,
        placed: &Placed,
    ) -> Result<Self, ListError> {
        interpreter.prepare(world)?;
        world.round_to_f32();
        let start = world.clone();
        let before = arrays(world);
        interpreter.perform(world, placed)?;
        Ok(Self {
            placed: placed.clone(),
            world: start,
            before,
            after: arrays(world),
            control: world.control,
            extras: extras.to_vec(),
            interpreter: interpreter.clone(),
            scales: OnceCell::new(),
        })
    }

    /// A stage alone, in a world that was made for it.
    ///
    /// # Errors
    /// As [`Moment::of`].
    pub fn alone(stage: Stage, world: &mut World) -> Result<Self, ListError> {
        let list = List { name: "stage", phase: Phase::Any, entries: vec![Entry::Run(stage)] };
        let extras = Extra::of_all(&Registry::standard());
        let interpreter = Interpreter::new(&[list], &world.counts(), &Tables::with(&extras))?;
        let plans = interpreter.plans().clone();
        let placed = plans.stages().next().ok_or_else(|| ListError("no stage".to_owned()))?;
        Self::of(&interpreter, &extras, world, placed)
    }

    /// Whether the reference writes anything.
    #[must_use]
    pub fn writes(&self) -> bool {
        self.before != self.after || self.world.control != self.control
    }

    /// Number of elements of each space.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let neighbours = self.world.neighbours.len() as u32;
        self.interpreter.plans().counts.clone().with(NEIGHBOURS.space, neighbours)
    }

    /// The plan of this stage alone, which runs whatever its flag says.
    #[must_use]
    pub fn plans(&self) -> Plans {
        let mut plans = self.interpreter.plans().clone();
        let mut placed = self.placed.clone();
        placed.stage.when = None;
        plans.lists = BTreeMap::from([("stage", vec![Part::Stage(placed)])]);
        plans.counts = self.counts();
        plans
    }

    /// The arrays after the stage if it began in this world.
    ///
    /// # Panics
    /// If the reference cannot do the stage, which it has done before.
    #[must_use]
    pub fn again(&self, mut world: World) -> Arrays {
        self.interpreter.perform(&mut world, &self.placed).expect("it was done before");
        arrays(&mut world)
    }

    /// Scale of rounding errors of each float that it writes.
    pub fn scales(&self) -> &BTreeMap<&'static str, Scale> {
        self.scales.get_or_init(|| scales(self))
    }
}

/// All arrays of scalars of a world by name, and the words of `surface_control`.
fn arrays(world: &mut World) -> Arrays {
    let mut all = world.arrays();
    let control: Vec<u32> = bytemuck::pod_collect_to_vec(&encode(&[world.surface_control]));
    all.insert("surface_control", Array::Words { width: control.len(), data: control });
    all
}
