//! Sizes: slots of particles and foam, elements of each space, and what lists depend on.

use meniscus_methods::{Axis, Scope, foam, space, space::Counts};
use meniscus_scene::{Scene, Value};

use super::Setup;
use crate::params::{self, EmitterParams};

/// Initial room for emitted particles: this number, or the number of particles at the start if
/// larger.
const FIRST_EMITTED: u32 = 1 << 12;

/// Most slots for foam because of emitters, whose particles may be any number.
const MOST_FOAM_OF_EMITTERS: u32 = 1 << 20;

impl Setup {
    /// Number of cells of a fluid without particles, which is what there is to count.
    #[must_use]
    pub fn fluid_cells(&self) -> Option<u32> {
        (!self.chosen.family().has_particles).then_some(self.params.grid.cell_count)
    }

    /// Initial number of particle slots: for the particles at the start and for emitted ones, but
    /// for at most as many again. A simulation allocates more when it needs them.
    #[must_use]
    pub fn capacity(&self) -> u32 {
        let start = self.position.len() as u32;
        let emitted = start + self.most_emitted(start).min(start.max(FIRST_EMITTED));
        emitted.max(self.wall_particles() + self.room)
    }

    /// Slots for foam: as many as the scene says, else as there are fluid particles at the start or by emitters, of these
    /// up to a million.
    pub(super) fn foam_slots(&self, scene: &Scene) -> u32 {
        if !Axis::Foam.is_on(scene) {
            return 0;
        }
        let most = scene.settings.get(foam::MOST).and_then(Value::number).unwrap_or(0.0) as u32;
        let start = self.position.len() as u32 - self.wall_particles();
        let emitted = self.most_emitted(start).min(MOST_FOAM_OF_EMITTERS);
        if most > 0 { most } else { start.saturating_add(emitted).max(1) }
    }

    /// Most particles that emitters may still add to `live` ones.
    fn most_emitted(&self, live: u32) -> u32 {
        if !self.openings.is_empty() {
            return u32::MAX;
        }
        let most = |e: &EmitterParams| {
            let all = e.max_layers.saturating_mul(e.point_count);
            all.min(e.max_live.saturating_sub(live))
        };
        self.emitters.iter().map(most).fold(0, u32::saturating_add)
    }

    /// Number of slots that suffices to the end of a frame that begins with `live` particles:
    /// emission never waits for memory.
    #[must_use]
    pub fn capacity_of_frame(&self, live: u32) -> u32 {
        let layers = |e: &EmitterParams| {
            // The layers that are due, plus one for rounding at each end.
            let due = (self.frame_duration / f64::from(e.interval)).ceil() as u32 + 2;
            due.min(e.max_layers).saturating_mul(e.point_count)
        };
        let emitted = self.emitters.iter().map(layers).chain([self.most_come_in()]);
        let emitted = emitted.fold(0, u32::saturating_add);
        live.saturating_add(emitted.min(self.most_emitted(live)))
    }

    /// Number of elements of each space, except those of surface extraction.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let params = &self.params;
        let fluid = params.counts.capacity - params.counts.walls;
        let rows = params.grid.cell_count / params.grid.size.x.max(1);
        let blocks = params.blocks();
        let walls_from = |first: usize| {
            let bodies = self.colliders.iter().skip(first).filter(|body| body.particle_count > 0);
            let first = bodies.map(|body| body.first_particle).min();
            params.counts.walls - first.unwrap_or(params.counts.walls)
        };
        let largest = self.colliders.iter().map(|collider| collider.particle_count).max();
        let lanes = if largest.unwrap_or(0) > 64 { 64 } else { 8 };
        let stops = if self.measures() { fluid } else { 0 };
        self.level_counts()
            .with(space::PARTICLES.space, params.counts.capacity)
            .with(space::SORTED.space, params.counts.sorted())
            .with(space::FLUID.space, fluid)
            .with(space::WORLDS.space, params.counts.worlds)
            .with(space::CELLS.space, params.grid.cell_count)
            .with(space::CELL_BLOCKS.space, blocks)
            .with(space::BUSY_CELLS.space, 8 * blocks)
            .with(space::WET_CELLS.space, 8 * blocks)
            .with(space::LEVEL_COLUMNS.space, 16 * params.grid.cell_count)
            .with(space::ROWS.space, rows)
            .with(space::CLUSTERS.space, space::clusters(fluid, rows))
            .with(space::NEIGHBOUR_SPACE, fluid.saturating_mul(space::FIRST_NEIGHBOURS))
            .with(space::COLLIDERS.space, self.colliders.len() as u32)
            .with(space::JOINTS.space, self.joints.len() as u32)
            .with(
                space::PUSHED_CELLS.space,
                if self.bodies.is_empty() && self.measured.is_empty() {
                    0
                } else {
                    params.grid.cell_count
                },
            )
            .with(space::WALLS.space, self.model_position.len() as u32)
            .with(space::CARRIED.space, self.carried())
            .with(space::BODY_PARTICLES.space, walls_from(0))
            .with(space::FREE_BODY_PARTICLES.space, walls_from(params.counts.driven as usize))
            .with(space::BODY_LANES.space, lanes * params.counts.colliders)
            .with(
                space::COLLIDER_SUMS.space,
                space::sums_of_collider(params.counts.colliders) * params.counts.colliders,
            )
            .with(space::STOPS.space, stops)
            .with(
                space::STOP_SUMS.space,
                (stops / params.counts.worlds).div_ceil(space::STOP_BLOCK) * params.counts.driven,
            )
            .with(space::DISTANCES.space, self.distance_count())
            .with(space::REGIONS.space, self.regions.len() as u32)
            .with(space::SPAWN.space, self.room)
            .with(space::SOURCES.space, self.params.counts.sources)
            .with(space::VORTICES.space, self.params.counts.vortices)
            .with(foam::FOAM.space, self.foam)
            .with(space::OPENINGS.space, self.openings.len() as u32)
            .with(space::OPENING_POINTS.space, self.opening_points.len() as u32)
            .with(space::OPENING_ROWS.space, self.opening_rows.len() as u32)
            .with(space::EMITTERS.space, self.emitters.len() as u32)
            .with(space::EMITTER_POINTS.space, self.emitter_points.len() as u32)
    }

    /// Number of wall particles that triangles carry.
    fn carried(&self) -> u32 {
        self.model_position.iter().filter(|position| position[3] > 0.0).count() as u32
    }

    /// Whether forces on solids that do not move freely are measured.
    fn measures(&self) -> bool {
        let driven = self.colliders.iter().take(self.params.counts.driven as usize);
        driven.into_iter().any(|collider| collider.particle_count > 0 || collider.is_body == 2)
    }

    /// Number of cells of the levels of the multigrid, by their numbers, and of those of odd and even numbers.
    fn level_counts(&self) -> Counts {
        let levels = self.params.grid.levels();
        let levels: Vec<_> = levels.into_iter().map(|cells| cells.element_product()).collect();
        let every_second = |first: usize| levels.iter().skip(first).step_by(2).sum::<u32>();
        let counts = Counts::default()
            .with(space::ODD_LEVELS.space, every_second(0))
            .with(space::EVEN_LEVELS.space, every_second(1));
        let set = |counts: Counts, (level, cells): (&space::Extent, &u32)| {
            counts.with(level.space, *cells)
        };
        space::LEVELS[1..].iter().zip(&levels).fold(counts, set)
    }

    /// Scope of the scene: the parts that lists of stages depend on.
    #[must_use]
    pub fn scope(&self) -> Scope {
        let params::CountParams {
            worlds,
            colliders,
            walls,
            volumes,
            emitters,
            drains,
            driven,
            openings,
            ..
        } = self.params.counts;
        Scope {
            dimensions: self.params.world.dimensions,
            worlds,
            colliders,
            walls,
            volumes,
            emitters,
            drains,
            room: self.room,
            openings,
            driven,
            bodies: !self.bodies.is_empty() || !self.measured.is_empty(),
            levels: self.params.grid.levels().len() as u32,
            layers: self.params.grid.layers as u32,
            depth: self.depth,
            measured: self.measures(),
            settles: self.params.time.settle > 0.0,
            chosen: self.chosen.clone(),
        }
    }
}
