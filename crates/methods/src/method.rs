//! Methods: one file describes all of a method.

use meniscus_scene::{Kernel, Problem, Scene, Value};

use crate::{
    Chosen, Context, Family, Key, Quantity, Scope, arrays::Row, foam, liquid::gas, passes::Pass,
    shifting, stage::Entry,
};

/// Part of the physics for which a scene chooses methods by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(clippy::exhaustive_enums, reason = "a scene has a key for each")]
pub enum Axis {
    /// One method: the scene's `solver`.
    Solver,
    /// Any number of methods: the scene's `viscosity.model`.
    Viscosity,
    /// Any number of methods: the scene's `tension.model`.
    Tension,
    /// One method, in scenes with a table `[foam]`.
    Foam,
    /// One method, in scenes with a table `[shifting]`.
    Shifting,
    /// One method, in scenes with a table `[gas]`.
    Gas,
}

impl Axis {
    /// Axes for which a scene may choose several methods, or none.
    pub const TABLES: [Self; 2] = [Self::Viscosity, Self::Tension];

    /// Axes of one method, which the scene's table of its keys switches on.
    pub const SWITCHED: [Self; 3] = [Self::Foam, Self::Shifting, Self::Gas];

    /// Name of the axis, and of the scene's table of its methods' keys (except for solvers).
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Solver => "solver",
            Self::Viscosity => "viscosity",
            Self::Tension => "tension",
            Self::Foam => "foam",
            Self::Shifting => "shifting",
            Self::Gas => "gas",
        }
    }

    /// Key that a table of this name sets where it does not name it, and that switches its methods on.
    #[must_use]
    pub fn switch(table: &str) -> Option<&'static str> {
        Self::SWITCHED.into_iter().find(|axis| axis.name() == table).map(Self::key)
    }

    /// Whether a scene switches the method of such an axis on.
    #[must_use]
    pub fn is_on(self, scene: &Scene) -> bool {
        scene.settings.get(self.key()) == Some(&Value::Flag(true))
    }

    /// Key that selects a method in `SPlisHSPlasH`'s scenes, and its default.
    #[must_use]
    pub fn peer_key(self) -> (&'static str, u32) {
        match self {
            Self::Solver => ("simulationMethod", 4),
            Self::Viscosity => ("viscosityMethod", 1),
            Self::Tension => ("surfaceTensionMethod", 0),
            // It has a program of its own for foam.
            Self::Foam | Self::Shifting | Self::Gas => ("", 0),
        }
    }

    /// Key of the scene that names the methods.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Solver => "solver",
            Self::Viscosity => "viscosity.model",
            Self::Tension => "tension.model",
            Self::Foam => foam::SWITCH,
            Self::Shifting => shifting::SWITCH,
            Self::Gas => gas::SWITCH,
        }
    }
}

/// Place of a step where methods of other axes have stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "every step has each of them")]
pub enum Place {
    /// Particles are sorted and, with SPH, their neighbours are listed.
    Sorted,
    /// Particles are sorted, their neighbours are listed and `density` is summed; volumes are at rest.
    Density,
    /// `acceleration` has everything but iterated pressure and gravity; the stages add to it.
    Force,
    /// After the stages at `Force`, in scenes with bodies: the stages put into `reaction` what these stages do to bodies'
    /// particles, beside the other forces, which bodies have already.
    Reaction,
    /// New positions and velocities are in the unsorted arrays, in the order of the sort.
    End,
    /// Reports between steps.
    Report,
}

/// Stages of a method at a place of the step.
pub type Joined = (Place, fn(&Scope) -> Vec<Entry>);

/// Friction of a wall's particles, relative to the fluid's viscosity, with which the fluid at the wall moves with it,
/// for the kernel, h and the particle spacing in m, and the dimensions.
pub type Friction = fn(Kernel, f64, f64, u32) -> f64;

/// Problems of a scene with these methods, beside those of keys.
pub type Problems = fn(&Scene, &Chosen) -> Vec<Problem>;

/// Passes that mark the cells of a surface's mesh and evaluate its field in a scene, if it is not that of the particles.
pub type MeshPasses = fn(&Scope) -> Option<[&'static str; 2]>;

/// A method; each file of a method has one.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "a method's file builds it")]
pub struct Method {
    /// Name in scene files.
    pub name: &'static str,
    /// Axis.
    pub axis: Axis,
    /// Source: the publication.
    pub source: &'static str,
    /// Description in one line.
    pub help: &'static str,
    /// Whether a scene that names no method of its axis gets it.
    pub default: fn(&Scene) -> bool,
    /// Whether a scene that chose other methods, and does not name it, has it as well.
    pub implied: fn(&Scene, &[&'static Method]) -> bool,
    /// Keys for scenes besides its family's, in groups.
    pub keys: &'static [&'static [Key]],
    /// Numbers for its shaders, read as `params.methods.NAME.number`.
    pub numbers: &'static [Number],
    /// Whether its strength is a property of the materials (viscosity or tension).
    pub of_materials: bool,
    /// Whether it takes materials whose viscosity depends on shear ([`Model::flow`](crate::mpm::materials::Model::flow)).
    pub takes_flow: bool,
    /// Term in the walk that sums forces: a file in `wgsl/terms`.
    pub term: Option<&'static str>,
    /// Whether the term of a tension is a sum over pairs, so that bodies feel its reaction; those of viscosity and
    /// pressure always are.
    pub reacts: bool,
    /// Whether the contact angles of walls act on the term of a tension.
    pub wets: bool,
    /// Whether it needs walls of particles, or does better with them: they then have some unless the scene says otherwise.
    pub wall_particles: bool,
    /// Stages at places of the step, of methods that are no solvers.
    pub stages: &'static [Joined],
    /// Iterative loops, in the order of the stages.
    pub loops: &'static [Loop],
    /// Limit on the time step.
    pub limit: Option<Limit>,
    /// Friction of walls without slip, of viscosities that do not act by the kernel's Laplacian.
    pub no_slip: Option<Friction>,
    /// Problems of a scene that chose the method, beside those of its keys.
    pub problems: Option<Problems>,
    /// Warnings on such a scene.
    pub warnings: Option<fn(&Scene, &Chosen) -> Vec<String>>,
    /// Passes of a scene in place of `surface/mark` and `surface/field`, of solvers whose surface is not that of their particles.
    pub mesh: Option<MeshPasses>,
    /// Properties of solvers only.
    pub solver: Option<Solver>,
    /// Additional rows of the pass table besides its family's, in groups: those that it shares with others, its own.
    pub passes: &'static [&'static [Pass]],
    /// Additional rows of the array table besides its family's, in groups.
    pub arrays: &'static [&'static [Row]],
    /// Quantities of its arrays to colour, export and log, besides [`Quantity::COMMON`].
    pub quantities: &'static [Quantity],
    /// Additional shader files, by name below `wgsl/`.
    pub shaders: &'static [(&'static str, &'static str)],
    /// Equivalent in `SPlisHSPlasH`.
    pub peer: Option<Peer>,
}

impl Method {
    /// A method with a name only.
    #[must_use]
    pub const fn new(name: &'static str, axis: Axis) -> Self {
        Self {
            name,
            axis,
            source: "",
            help: "",
            default: |_| false,
            implied: |_, _| false,
            keys: &[],
            numbers: &[],
            of_materials: false,
            takes_flow: false,
            term: None,
            reacts: false,
            wets: false,
            wall_particles: false,
            stages: &[],
            loops: &[],
            limit: None,
            no_slip: None,
            problems: None,
            warnings: None,
            mesh: None,
            solver: None,
            passes: &[],
            arrays: &[],
            quantities: &[],
            shaders: &[],
            peer: None,
        }
    }

    /// Family of a solver; `None` of viscosities and tensions, which join the families that name their axis.
    #[must_use]
    pub fn family(&self) -> Option<&'static Family> {
        self.solver.map(|solver| solver.family)
    }

    /// Whether its pressures limit the step ([`Sph::limited`]).
    #[must_use]
    pub fn is_limited(&self) -> bool {
        self.solver.and_then(|solver| solver.sph).is_some_and(|sph| sph.limited)
    }

    /// Whether it is a solver with open boundaries.
    #[must_use]
    pub fn opens(&self) -> bool {
        self.solver
            .is_some_and(|solver| solver.family.opens || solver.sph.is_some_and(|sph| sph.opens))
    }

    /// Keys for scenes: those of its family, then its own.
    pub fn keys(&self) -> impl Iterator<Item = &'static Key> + use<> {
        self.of_family(|family| family.keys).iter().chain(self.keys).copied().flatten()
    }

    /// Groups of rows that its family has.
    fn of_family<T>(&self, rows: fn(&Family) -> &'static [T]) -> &'static [T] {
        self.family().map_or(&[], rows)
    }

    /// Additional rows of the pass table: those of its family, then its own.
    pub fn passes(&self) -> impl Iterator<Item = &'static Pass> + use<> {
        self.of_family(|family| family.passes).iter().chain(self.passes).copied().flatten()
    }

    /// Additional rows of the array table: those of its family, then its own.
    pub fn arrays(&self) -> impl Iterator<Item = &'static Row> + use<> {
        self.of_family(|family| family.arrays).iter().chain(self.arrays).copied().flatten()
    }

    /// Table of its keys in scenes: its own, that of its family or that of its axis.
    #[must_use]
    pub fn table(&self) -> &'static str {
        match self.axis {
            Axis::Solver => self.family().and_then(|family| family.table).unwrap_or(self.name),
            axis => axis.name(),
        }
    }

    /// Name of its numbers in shaders: `wcsph`, `viscosity_xsph`.
    #[must_use]
    pub fn block(&self) -> String {
        match self.axis {
            Axis::Solver | Axis::Foam | Axis::Shifting | Axis::Gas => self.name.to_owned(),
            axis => format!("{}_{}", axis.name(), self.name),
        }
    }
}

/// Number for a method's shaders.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "a method's file builds it")]
pub struct Number {
    /// Name in shaders.
    pub name: &'static str,
    /// Description.
    pub help: &'static str,
    /// Whether it is a whole number (u32) rather than f32.
    pub whole: bool,
    /// Value.
    pub value: fn(&Context<'_>) -> f64,
}

impl Number {
    /// An f32.
    #[must_use]
    pub const fn new(
        name: &'static str,
        help: &'static str,
        value: fn(&Context<'_>) -> f64,
    ) -> Self {
        Self { name, help, whole: false, value }
    }

    /// A u32.
    #[must_use]
    pub const fn whole(
        name: &'static str,
        help: &'static str,
        value: fn(&Context<'_>) -> f64,
    ) -> Self {
        Self { name, help, whole: true, value }
    }
}

/// A limit on the time step.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "a method's file builds it")]
pub struct Limit {
    /// Name and formula, for messages.
    pub name: &'static str,
    /// Longest step in s, for the length in m that no signal crosses (h or Δx) and the scene's materials.
    pub step: fn(f64, &[Matter]) -> f64,
}

/// Material properties for limits.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "limits' users build it")]
pub struct Matter {
    /// Rest density in kg/m³ (kg/m² in 2-D).
    pub rest_density: f64,
    /// Dynamic viscosity in Pa·s.
    pub viscosity: f64,
    /// Surface tension in N/m.
    pub surface_tension: f64,
}

/// Properties of solvers only.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "a method's file builds it")]
pub struct Solver {
    /// Family.
    pub family: &'static Family,
    /// Stages of a step.
    pub stages: fn(&Scope) -> Vec<Entry>,
    /// Limit on the step relative to length/(c + v).
    pub step_share: f64,
    /// Properties of solvers of SPH only.
    pub sph: Option<Sph>,
}

/// Properties of solvers of SPH only.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "a method's file builds it")]
pub struct Sph {
    /// Where it takes a correction of densities.
    pub corrected: Corrected,
    /// Default kernel.
    pub kernel: Kernel,
    /// Share of the step by which positions move before forces are computed: ½ in leap-frog, 0 in
    /// semi-implicit Euler.
    pub first_drift: f64,
    /// Sound, for methods with an equation of state; `None` for incompressible ones.
    pub sound: Option<Sound>,
    /// Whether pressure limits the step ([`kernel::signal_by_pressure`](crate::kernel::signal_by_pressure)).
    pub limited: bool,
    /// Whether it has open boundaries.
    pub opens: bool,
    /// Whether its forces do not conserve energy, so that fluids with low viscosity heat up.
    pub needs_viscosity: bool,
    /// Default kinematic viscosity in m²/s of materials, which keeps the flow smooth at the scene's
    /// resolution.
    pub usual_viscosity: fn(&Context<'_>) -> f64,
}

/// Where a pressure method takes densities that are corrected at the free surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "methods that correct do each of them")]
pub enum Corrected {
    /// Its pressure pass reads `density_filled` in place of `density`.
    Density,
    /// It reads the excess in `factor.y`.
    Excess,
    /// It sums densities anew, and has a pass for it.
    Anew,
}

/// Sound in a fluid with an equation of state.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "a method's file builds it")]
pub struct Sound {
    /// Speed in m/s.
    pub speed: fn(&Context<'_>) -> f64,
    /// Stiffness of a material with this rest density in the equation of state.
    pub stiffness: fn(&Context<'_>, f64) -> f64,
    /// Whether negative pressures become 0.
    pub clamp: fn(&Context<'_>) -> bool,
    /// Key to report if the speed is too low for the scene.
    pub key: fn(&Context<'_>) -> Option<&'static str>,
}

/// Iterative loop: its name, and the method's keys for its convergence.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "a method's file builds it")]
pub struct Loop {
    /// Name in logs.
    pub name: &'static str,
    /// Key of the tolerance.
    pub tolerance: &'static str,
    /// Key of the least number of iterations.
    pub least: &'static str,
    /// Key of the largest number of iterations.
    pub most: &'static str,
    /// Share of the last step's pressures for the warm start.
    pub warm_start: f64,
    /// Whether the steps become shorter while it does not converge.
    pub shortens_step: bool,
    /// Key of the share of the step's energy that the last iteration may change, of loops that test it.
    pub energy: Option<&'static str>,
}

/// A method in `SPlisHSPlasH`'s scenes.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "a method's file builds it")]
pub struct Peer {
    /// Value of the key that selects a method ([`Axis::peer_key`]).
    pub number: u32,
    /// The object of its keys.
    pub object: &'static str,
    /// Their keys, and ours.
    pub keys: &'static [(&'static str, &'static str)],
    /// Our keys whose defaults are others there.
    pub usual: &'static [(&'static str, f64)],
    /// Their key of the material's property.
    pub coefficient: Option<Coefficient>,
}

/// A property of materials in `SPlisHSPlasH`'s scenes.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "a method's file builds it")]
pub struct Coefficient {
    /// Name of the key.
    pub key: &'static str,
    /// Value without the key.
    pub default: f64,
    /// Whether it is per unit of density: a kinematic viscosity in m²/s instead of Pa·s.
    pub kinematic: bool,
    /// Tension in N/m that a coefficient of 1 amounts to, in a scene and for a material with this rest density in kg/m³;
    /// `None` if it is one.
    pub tension: Option<fn(&Context<'_>, f64) -> f64>,
    /// Name of the key of the same at walls, if they have one: its share of the fluid's is the walls' friction.
    pub at_walls: Option<&'static str>,
}

impl Peer {
    /// A method with a number only.
    #[must_use]
    pub const fn new(number: u32) -> Self {
        Self { number, object: "", keys: &[], usual: &[], coefficient: None }
    }
}
