//! What a method is: one file says all of it.

use meniscus_scene::Kernel;

use crate::{Context, Key, Scope, arrays::Row, passes::Pass, stage::Entry};

/// Part of the physics that a scene chooses by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(clippy::exhaustive_enums, reason = "a scene has a key for each")]
pub enum Axis {
    /// One method: the scene's `solver`.
    Pressure,
    /// Any number of methods: the scene's `viscosity.model`.
    Viscosity,
    /// Any number of methods: the scene's `tension.model`.
    Tension,
}

impl Axis {
    /// The axes of which a scene may choose several methods, or none.
    pub const TABLES: [Self; 2] = [Self::Viscosity, Self::Tension];

    /// Name of the axis, and of the scene's table of its methods' keys but for pressure.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pressure => "pressure",
            Self::Viscosity => "viscosity",
            Self::Tension => "tension",
        }
    }

    /// The scene's key that names the methods.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Pressure => "solver",
            Self::Viscosity => "viscosity.model",
            Self::Tension => "tension.model",
        }
    }
}

/// A method: its file in `crates/methods/src` has one of these.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "a method's file builds it")]
pub struct Method {
    /// Name in scene files.
    pub name: &'static str,
    /// What it is a method for.
    pub axis: Axis,
    /// Where it was published.
    pub source: &'static str,
    /// What it does, in a line.
    pub help: &'static str,
    /// Whether scenes that name no method of its axis have it.
    pub default: bool,
    /// What a scene can set.
    pub keys: &'static [Key],
    /// What its shaders read, as `params.methods.NAME.number`.
    pub numbers: &'static [Number],
    /// Whether its strength is the materials' viscosity or tension.
    pub of_materials: bool,
    /// Its term in the walk that sums forces: a file in `wgsl/terms`.
    pub term: Option<&'static str>,
    /// The longest time step that it allows.
    pub limit: Option<Limit>,
    /// What only methods for pressure have.
    pub pressure: Option<Pressure>,
    /// Rows that it adds to the pass table.
    pub passes: &'static [Pass],
    /// Rows that it adds to the array table.
    pub arrays: &'static [Row],
    /// Shader files, by name below `wgsl/`, that are not there.
    pub shaders: &'static [(&'static str, &'static str)],
    /// What `SPlisHSPlasH` calls it.
    pub peer: Option<Peer>,
}

impl Method {
    /// A method that has nothing yet but a name.
    #[must_use]
    pub const fn new(name: &'static str, axis: Axis) -> Self {
        Self {
            name,
            axis,
            source: "",
            help: "",
            default: false,
            keys: &[],
            numbers: &[],
            of_materials: false,
            term: None,
            limit: None,
            pressure: None,
            passes: &[],
            arrays: &[],
            shaders: &[],
            peer: None,
        }
    }

    /// The scene's table of its keys: its own, or that of its axis.
    #[must_use]
    pub fn table(&self) -> &'static str {
        if self.axis == Axis::Pressure { self.name } else { self.axis.name() }
    }

    /// Name of its numbers in shaders: `wcsph`, `viscosity_xsph`.
    #[must_use]
    pub fn block(&self) -> String {
        match self.axis {
            Axis::Pressure => self.name.to_owned(),
            axis => format!("{}_{}", axis.name(), self.name),
        }
    }
}

/// A number that the method's shaders read.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "a method's file builds it")]
pub struct Number {
    /// Name in shaders.
    pub name: &'static str,
    /// What it is.
    pub help: &'static str,
    /// Whether it is a whole number there, u32 in place of f32.
    pub whole: bool,
    /// Its value.
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
    /// The longest step in s, for the support radius in m and the scene's materials.
    pub step: fn(f64, &[Matter]) -> f64,
}

/// What limits need of a material.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "limits' users build it")]
pub struct Matter {
    /// In kg/m³ (kg/m² in 2-D).
    pub rest_density: f64,
    /// Dynamic viscosity in Pa·s.
    pub viscosity: f64,
    /// Surface tension in N/m.
    pub surface_tension: f64,
}

/// What only methods for pressure have.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "a method's file builds it")]
pub struct Pressure {
    /// Stages of a step.
    pub stages: fn(&Scope) -> Vec<Entry>,
    /// Iterative loops, in the order of the stages.
    pub loops: &'static [Loop],
    /// The kernel where a scene names none.
    pub kernel: Kernel,
    /// Whether boundaries that name no response are layers of boundary particles; else they reflect.
    pub walls_of_particles: bool,
    /// Share of the step that positions are moved before forces are found: ½ in the leap-frog, 0 in
    /// semi-implicit Euler.
    pub first_drift: f64,
    /// Sound of methods with an equation of state; incompressible ones have none.
    pub sound: Option<Sound>,
    /// Share of the time h/(c + v) that a step may last.
    pub step_share: f64,
    /// Whether its forces do not conserve energy, so that thin fluids heat up.
    pub needs_viscosity: bool,
    /// The kinematic viscosity in m²/s of materials that name none, which keeps the resolution smooth.
    pub usual_viscosity: fn(&Context<'_>) -> f64,
}

/// Sound in a fluid with an equation of state.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "a method's file builds it")]
pub struct Sound {
    /// Speed in m/s.
    pub speed: fn(&Context<'_>) -> f64,
    /// Stiffness of a material of this rest density in the equation of state.
    pub stiffness: fn(&Context<'_>, f64) -> f64,
    /// Whether negative pressures become 0.
    pub clamp: fn(&Context<'_>) -> bool,
    /// The key that sets the speed, where it is too small for the scene.
    pub key: fn(&Context<'_>) -> Option<&'static str>,
}

/// An iterative loop: its name, and the method's keys that say when it ends.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "a method's file builds it")]
pub struct Loop {
    /// Name in logs.
    pub name: &'static str,
    /// Key of the error at which it ends.
    pub tolerance: &'static str,
    /// Key of the least number of iterations.
    pub least: &'static str,
    /// Key of the largest number of iterations.
    pub most: &'static str,
    /// Part of the last step's pressures with which it begins.
    pub warm_start: f64,
}

/// A method in `SPlisHSPlasH`'s scenes.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "a method's file builds it")]
pub struct Peer {
    /// `Configuration.simulationMethod`.
    pub number: u32,
    /// The object of its keys.
    pub object: &'static str,
    /// Their keys, and ours.
    pub keys: &'static [(&'static str, &'static str)],
}
