//! Open boundaries, from a scene.

use glam::DVec3;
use meniscus_methods::{Chosen, Space};
use meniscus_scene::{Flow, Opening, Profile, Scene};

use super::Setup;
use crate::{
    colliders::plane,
    params::{self, OpeningParams, pack_identity},
};

/// Height in m of a surface above everything.
const ENDLESS: f32 = 1e30;

/// Room in m that a scene's solver needs behind open boundaries, in which particles are removed.
pub(super) fn room(scene: &Scene, chosen: &Chosen) -> f64 {
    match chosen.family().space {
        // In a step particles move by as many cells, and faces move to those of cells.
        Space::Box => (scene.time.cfl.ceil() + 2.0) * chosen.length(scene),
        Space::Torus => kept(scene, chosen) + 2.0 * scene.spacing(),
    }
}

/// Way behind open boundaries in m up to which particles are kept. In SPH those within a support radius, which act on the fluid
/// in front, have all their neighbours then.
fn kept(scene: &Scene, chosen: &Chosen) -> f64 {
    match chosen.family().space {
        Space::Box => 0.0,
        Space::Torus => {
            let layers = (2.0 * chosen.support_radius(scene) / scene.spacing()).ceil();
            layers * scene.spacing()
        }
    }
}

impl Setup {
    /// Adds the open boundaries, with their points.
    pub(super) fn add_openings(&mut self, scene: &Scene, openings: &[Opening]) {
        let (keep, depth) = (kept(scene, &self.chosen), room(scene, &self.chosen));
        let (spacing, dimensions) = (scene.spacing(), scene.dimensions);
        let gravity = DVec3::from(scene.gravity);
        let upward = -gravity.normalize_or_zero();
        for (number, opening) in openings.iter().enumerate() {
            let material = scene.material_index(opening.material.as_deref()).unwrap_or(0);
            let density = scene.materials.get(material).map_or(1.0, |own| own.rest_density);
            let local = |x: DVec3| plane(scene, (x - self.center).as_vec3());
            let (kind, level, head) = match &opening.flow {
                Flow::Velocity(_) => (params::OPENING_VELOCITY, opening.level, 0.0),
                Flow::Pressure(pressure) => (params::OPENING_PRESSURE, None, pressure / density),
                Flow::Level(level) => (params::OPENING_LEVEL, Some(*level), 0.0),
                Flow::Free => (params::OPENING_FREE, None, 0.0),
            };
            let (places, gap) = points(opening, opening.wet(scene), spacing, dimensions);
            let first_point = self.opening_points.len() as u32;
            let is_free = |place: &DVec3| {
                let obstacles = scene.boundaries.iter().filter(|boundary| boundary.is_obstacle());
                let mut depths = obstacles.map(|boundary| boundary.shape.depth(*place, dimensions));
                depths.all(|depth| depth < -0.499 * spacing)
            };
            let back = keep * opening.way_in();
            let layers = (keep / gap).round();
            let free = places.iter().filter(|place| is_free(place));
            for (place, share) in free.zip(meniscus_geometry::ahead()) {
                self.opening_points.push(local(*place - back).extend(number as f32).into());
                let ahead = match keep > 0.0 {
                    // Behind the layers of `fill_openings`.
                    true => (keep - (layers - 0.5) * gap).max(0.0),
                    // Each is ahead of the others by a share of its own: in the mean half of a gap.
                    false => (share + 0.5).fract() * gap,
                };
                self.opening_state.push([ahead as f32, 0.0]);
            }
            let first_row = self.opening_rows.len() as u32;
            let rows = match &opening.flow {
                Flow::Velocity(rows) => rows,
                _ => &opening.rise,
            };
            self.opening_rows.extend(rows.iter().map(|row| row.map(|x| x as f32)));
            let [celerity, wave_number] = opening.waves(scene).unwrap_or([0.0; 2]);
            let along = opening.absorb.map_or(0.0, |absorb| absorb.velocity);
            self.opening_names.push(opening.name.clone());
            self.openings.push(OpeningParams {
                low: local(opening.min),
                axis: opening.axis as u32,
                high: local(opening.max),
                inward: opening.inward as f32,
                kind,
                parabolic: u32::from(opening.profile == Profile::Parabolic),
                first_point,
                point_count: self.opening_points.len() as u32 - first_point,
                identity: pack_identity(params::KIND_FLUID, material as u32, 0),
                first_row,
                row_count: self.opening_rows.len() as u32 - first_row,
                level: level.map_or(ENDLESS, |level| (level - upward.dot(self.center)) as f32),
                head: head as f32,
                keep: keep as f32,
                depth: depth as f32,
                gap: gap as f32,
                celerity: celerity as f32,
                wave_number: wave_number as f32,
                steady: if opening.is_inlet() { -along } else { along } as f32,
                water: opening.depth(scene).unwrap_or(0.0) as f32,
            });
        }
    }

    /// Fills the room behind open boundaries of SPH: behind inlets with layers of particles, behind outlets with mirror images of
    /// those in front.
    pub(super) fn fill_openings(&mut self, scene: &Scene, openings: &[Opening]) {
        let keep = kept(scene, &self.chosen);
        let (spacing, dimensions) = (scene.spacing(), scene.dimensions);
        let local = |x: DVec3| plane(scene, (x - self.center).as_vec3());
        let mut more = Vec::new();
        for opening in openings.iter().filter(|_| keep > 0.0) {
            if let Flow::Velocity(rows) = &opening.flow {
                let material = scene.material_index(opening.material.as_deref()).unwrap_or(0);
                let density = scene.materials[material].rest_density as f32;
                let what = pack_identity(params::KIND_FLUID, material as u32, 0);
                let speed = rows.first().map_or(0.0, |row| row[1]);
                let (places, gap) = points(opening, opening.wet(scene), spacing, dimensions);
                for place in places {
                    for layer in 0..(keep / gap).round() as u32 {
                        let x = place - (f64::from(layer) + 0.5) * gap * opening.way_in();
                        let v = plane(scene, (speed * opening.way_in()).as_vec3());
                        more.push((local(x).extend(density), v.extend(0.0), what));
                    }
                }
            } else {
                let axis = opening.axis;
                let face = local(opening.min)[axis];
                let [low, high] = [opening.min, opening.max].map(local);
                for k in 0..self.position.len() {
                    let mut x = glam::Vec4::from(self.position[k]);
                    let front = opening.inward as f32 * (x[axis] - face);
                    let beside = (0..dimensions as usize)
                        .any(|a| a != axis && (x[a] < low[a] || x[a] > high[a]));
                    if front > 0.0 && front < keep as f32 && !beside {
                        x[axis] = 2.0 * face - x[axis];
                        more.push((x, self.velocity[k].into(), self.identity[k][1]));
                    }
                }
            }
        }
        for (x, v, what) in more {
            self.identity.push([self.position.len() as u32, what]);
            self.position.push(x.into());
            self.velocity.push(v.into());
        }
    }

    /// Moves open boundaries of grid methods to the nearest faces of cells, and their points with them.
    pub(super) fn fit_openings(&mut self) {
        let grid = self.params.grid;
        if grid.cell == 0.0 {
            return;
        }
        for (number, opening) in self.openings.iter_mut().enumerate() {
            let axis = opening.axis as usize;
            let before = opening.low[axis];
            let face = ((before - grid.origin[axis]) / grid.cell).round();
            // Not on the outer side of the ring.
            let face = face.clamp(1.0, grid.size[axis] as f32 - 1.0);
            let place = grid.origin[axis] + face * grid.cell;
            (opening.low[axis], opening.high[axis]) = (place, place);
            // What a given velocity brings fills the gap to the water; a pressure finds it there.
            let is_given = opening.kind == params::OPENING_VELOCITY;
            let moved = if is_given { opening.inward * (before - place) } else { 0.0 };
            for (point, state) in self.opening_points.iter_mut().zip(&mut self.opening_state) {
                if point[3] == number as f32 {
                    point[axis] = place;
                    state[0] = (state[0] + moved).max(0.0);
                }
            }
        }
    }

    /// Most particles that come in through open boundaries in a frame.
    pub(super) fn most_come_in(&self) -> u32 {
        let of = |opening: &OpeningParams| {
            let first = opening.first_row as usize;
            let rows = &self.opening_rows[first..first + opening.row_count as usize];
            // A parabola's largest velocity is 1.5 times its mean, in 3-D twice.
            let own = rows.iter().map(|[_, velocity]| 2.25 * velocity).fold(0.0, f32::max);
            let speed = match opening.kind {
                params::OPENING_VELOCITY => f64::from(own),
                _ => self.expected_speed,
            };
            let each = (speed * self.frame_duration / f64::from(opening.gap)).ceil() + 2.0;
            (each as u32).saturating_mul(opening.point_count)
        };
        self.openings.iter().map(of).fold(0, u32::saturating_add)
    }
}

/// Points of the wet part of a face, each with an equal share of its area, and the distance in m of particles behind one another with which
/// they have the volume of the fluid.
fn points(
    opening: &Opening,
    [low, high]: [DVec3; 2],
    spacing: f64,
    dimensions: u32,
) -> (Vec<DVec3>, f64) {
    let size = high - low;
    let counts: [u32; 3] = std::array::from_fn(|axis| {
        let across = axis != opening.axis && axis < dimensions as usize;
        if across { ((size[axis] / spacing).round() as u32).max(1) } else { 1 }
    });
    let mut places = Vec::new();
    for k in 0..counts[2] {
        for j in 0..counts[1] {
            for i in 0..counts[0] {
                let share = DVec3::from_array(std::array::from_fn(|axis| {
                    (f64::from([i, j, k][axis]) + 0.5) / f64::from(counts[axis])
                }));
                places.push(low + share * size);
            }
        }
    }
    let across = (0..dimensions as usize).filter(|axis| *axis != opening.axis);
    let gap =
        across.fold(spacing, |gap, axis| gap * spacing * f64::from(counts[axis]) / size[axis]);
    (places, gap)
}
