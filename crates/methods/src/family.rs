//! Families: what solvers have in common that cut space in the same way.

use meniscus_scene::{Problem, Scene};

use crate::{Axis, Chosen, Context, Key, Quantity, arrays::Row, passes::Pass};

/// Cells that space is cut into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "the host does each")]
pub enum Space {
    /// A torus of cells of the support radius, for the search of neighbours; the domain is unbounded.
    Torus,
    /// A dense box of cubic cells of the edge Δx; particles beyond its open sides are removed.
    Box,
}

/// How solids keep the fluid off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "the host does each")]
pub enum Walls {
    /// By particles or shares of volume in the sums of SPH, which measure forces, too.
    Sums,
    /// By a rule for the velocity at nodes or faces: sticky, slip or separate.
    Contact,
}

/// Field on cells to write: lane of an array over the cells of the box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "a family's file builds it")]
pub struct Field {
    /// Name in files.
    pub name: &'static str,
    /// The array, its number of f32 lanes, and the lane.
    pub array: (&'static str, usize, usize),
    /// Whether only scenes that burn have it.
    pub of_fire: bool,
}

/// Family of solvers: a constant in the file of each. Methods of other axes, scene checks, time steps, files and
/// pictures ask for these properties, never for the name.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "a family's file builds it")]
pub struct Family {
    /// Name, different from that of every other family.
    pub name: &'static str,
    /// Title of its scenes in menus.
    pub title: &'static str,
    /// Table of the keys that its solvers share; `None` where each has its own.
    pub table: Option<&'static str>,
    /// Keys of that table, in groups.
    pub keys: &'static [&'static [Key]],
    /// Rows of the pass table.
    pub passes: &'static [&'static [Pass]],
    /// Rows of the array table.
    pub arrays: &'static [&'static [Row]],
    /// Cells that space is cut into.
    pub space: Space,
    /// Length in m that no signal crosses in a step: the support radius, or the edge of the cells.
    pub length: fn(&Context<'_>) -> f64,
    /// Name of that length in formulas.
    pub letter: &'static str,
    /// Whether particles carry the fluid; else fields on cells do, with sources and vortices, and what is counted is
    /// cells.
    pub has_particles: bool,
    /// How solids keep the fluid off.
    pub walls: Walls,
    /// Whether its solvers of a grid have rigid bodies.
    pub has_bodies: bool,
    /// Whether a gap around a body is air in which no pressure holds it, so that fluid begins close around.
    pub yields: bool,
    /// Whether its solvers of a grid measure forces on walls with a name.
    pub leans: bool,
    /// Whether these forces are by all stresses at once, so that their part by pressure is not known.
    pub whole_forces: bool,
    /// Whether it has boundaries that change their shape.
    pub deforms: bool,
    /// Axes whose methods join a step.
    pub joins: &'static [Axis],
    /// Whether the viscosity of materials acts, by its solvers or methods that join.
    pub viscous: bool,
    /// Whether the surface tension of materials acts by its solvers themselves, without a method of tension.
    pub tense: bool,
    /// Whether material points have a model: jelly, snow, sand, …
    pub has_models: bool,
    /// Whether its particles follow paths through several cells in a step: `time.cfl` up to 4 is taken, and fields reach
    /// as many cells beyond the fluid.
    pub long_steps: bool,
    /// Whether it has open boundaries.
    pub opens: bool,
    /// Whether its scenes may have several worlds.
    pub repeats: bool,
    /// Whether its solvers have one state, so that a run may change from one to another.
    pub one_state: bool,
    /// Quantities of all of its solvers, in the order of menus.
    pub quantities: &'static [&'static [Quantity]],
    /// Quantity that colours a scene whatever its materials, if there is one.
    pub usual_quantity: Option<fn(&Scene) -> Quantity>,
    /// Fields on cells to write, besides velocity and pressure; empty without such.
    pub fields: &'static [Field],
    /// Density in kg/m³ of its fluid where that is not the first material's.
    pub density: Option<f64>,
    /// Longest step over length/speed, and over √(length/acceleration); infinite where that is no limit.
    pub step_shares: [f64; 2],
    /// Pass that sums energies, momenta and counts for reports.
    pub diagnostics: &'static str,
    /// What to try when a step fails, besides a smaller `time.cfl` or `time.step`; empty if nothing.
    pub advice: fn(&Chosen) -> &'static str,
    /// Problems of a scene, besides those of its method.
    pub problems: fn(&Scene, &Chosen) -> Vec<Problem>,
    /// Warnings of a scene, besides those of its method.
    pub warnings: fn(&Scene, &Chosen) -> Vec<String>,
}

impl Family {
    /// A family with a name only, in a box of cells whose edge is `length`, with particles.
    #[must_use]
    pub const fn new(name: &'static str, length: fn(&Context<'_>) -> f64) -> Self {
        Self {
            name,
            title: name,
            table: Some(name),
            keys: &[],
            passes: &[],
            arrays: &[],
            space: Space::Box,
            length,
            letter: "Δx",
            has_particles: true,
            walls: Walls::Contact,
            has_bodies: false,
            yields: false,
            leans: false,
            whole_forces: false,
            deforms: false,
            joins: &[],
            viscous: false,
            tense: false,
            has_models: false,
            long_steps: false,
            opens: false,
            repeats: false,
            one_state: false,
            quantities: &[Quantity::COMMON],
            usual_quantity: None,
            fields: &[],
            density: None,
            step_shares: [1.0, 1.0],
            diagnostics: "diagnostics/partial",
            advice: |_| "",
            problems: |_, _| Vec::new(),
            warnings: |_, _| Vec::new(),
        }
    }

    /// Largest `time.cfl`.
    #[must_use]
    pub fn largest_cfl(&self) -> f64 {
        if self.long_steps { 4.0 } else { 2.0 }
    }

    /// Cells around those with particles in which it needs its fields: as far as paths and the values around them reach
    /// in a step; with surface tension one more, since its surface is blurred.
    #[must_use]
    pub fn layers(&self, scene: &Scene) -> u32 {
        let paths = if self.long_steps { scene.time.cfl.ceil() as u32 + 1 } else { 1 };
        let tense = self.tense && scene.materials.iter().any(|one| one.surface_tension > 0.0);
        paths + u32::from(tense)
    }
}

impl PartialEq for Family {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Family {}
