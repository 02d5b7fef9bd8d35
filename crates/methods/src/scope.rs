//! Scope of lists: the parts of a scene that lists depend on.

use meniscus_scene::Value;

use crate::{Axis, Chosen, Method, Place, Space, stage::Entry, tension::free_surface};

/// Parts of a scene, and its methods.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs, reason = "the host builds it")]
pub struct Scope {
    /// 3, or 2.
    pub dimensions: u32,
    /// Copies of the scene that run in one step.
    pub worlds: u32,
    /// Colliders.
    pub colliders: u32,
    /// Colliders that do not move freely: the first ones.
    pub driven: u32,
    /// Boundary particles.
    pub walls: u32,
    /// Walls without particles.
    pub volumes: u32,
    /// Emitters.
    pub emitters: u32,
    /// Drains.
    pub drains: u32,
    /// Most particles of fluid at once where a program adds and removes some; else 0.
    pub room: u32,
    /// Open boundaries.
    pub openings: u32,
    /// Whether there are rigid bodies.
    pub bodies: bool,
    /// Coarse levels of the multigrid; 0 if the cells are few.
    pub levels: u32,
    /// Cells around those with particles in which a grid method needs its fields.
    pub layers: u32,
    /// Layers of particles of the fluid at the start, along gravity.
    pub depth: u32,
    /// Whether forces on solids that do not move freely are measured.
    pub measured: bool,
    /// Whether the fluid settles at the start.
    pub settles: bool,
    /// Methods of the scene.
    pub chosen: Chosen,
}

impl Scope {
    /// Scope of nothing but these methods with their settings.
    pub(crate) fn of_methods(chosen: &Chosen) -> Self {
        let chosen = chosen.clone();
        Self {
            dimensions: 3,
            worlds: 1,
            colliders: 0,
            driven: 0,
            walls: 0,
            emitters: 0,
            drains: 0,
            room: 0,
            openings: 0,
            bodies: false,
            measured: false,
            settles: false,
            volumes: 0,
            levels: 2,
            layers: 2,
            depth: 0,
            chosen,
        }
    }

    /// Whether solids may rest: their particles then stay as they were sorted. The number of fluid particles is
    /// constant.
    #[must_use]
    pub fn may_rest(&self) -> bool {
        let changes = self.emitters + self.drains + self.openings + self.room > 0;
        self.walls > 0 && !self.bodies && !changes
    }

    /// Whether particles may be removed: by drains, at open boundaries, or beyond the open sides of a grid method's box.
    #[must_use]
    pub fn may_remove(&self) -> bool {
        self.drains + self.openings > 0 || self.chosen.family().space == Space::Box
    }

    /// Stages of the chosen methods at a place of the step: tensions first, then viscosities, shifting and foam.
    #[must_use]
    pub fn joined(&self, place: Place) -> Vec<Entry> {
        let of = |axis: Axis| self.chosen.methods().filter(move |method| method.axis == axis);
        let methods = of(Axis::Tension).chain(of(Axis::Viscosity));
        let methods = methods.chain(of(Axis::Shifting)).chain(of(Axis::Foam));
        let stages = methods.flat_map(|method| method.stages);
        let here = stages.filter(|(at, _)| *at == place);
        here.flat_map(|(_, stages)| stages(self)).collect()
    }

    /// Whether densities are corrected at the free surface.
    #[must_use]
    pub fn corrects_density(&self) -> bool {
        let acts = |method: &Method| {
            method.axis == Axis::Tension && method.name == free_surface::METHOD.name
        };
        let wanted =
            self.chosen.settings().get("tension.density_correction") == Some(&Value::Flag(true));
        wanted && self.chosen.methods().any(acts)
    }

    /// Name chosen by the scene at `path`, as in `wcsph.density`, or the default.
    #[must_use]
    pub fn choice(&self, path: &str) -> &str {
        self.chosen.choice(path)
    }
}
