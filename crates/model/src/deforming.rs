//! Boundaries that change their shape by frames: where they are at a time, the curves of the particles that their triangles
//! carry, and the grids of their distances at the ends of a frame of the simulation.

use std::sync::Arc;

use glam::DVec3;
use meniscus_geometry::mesh::{Anchor, Frames, Solid};
use meniscus_scene::{Boundary, Deformation};

use crate::{params::DistanceField, walls};

/// Half of the interval in s of central differences for velocities.
const INSTANT: f64 = 1e-5;

/// Particle of a wall that a triangle carries.
#[derive(Clone, Copy, Debug)]
struct Carried {
    /// Its number among the wall particles.
    number: u32,
    anchor: Anchor,
    /// Its volume in m³ over the area of the triangle in m², at the start.
    thickness: f64,
}

/// A boundary that changes its shape.
#[derive(Clone, Debug)]
pub struct Deforming {
    /// Number of its collider.
    pub number: u32,
    frames: Arc<Frames>,
    fps: f64,
    repeats: bool,
    solid: Arc<Solid>,
    carried: Vec<Carried>,
    /// Grids of its distances: in a frame of the simulation one has those at its start, the other those at its end.
    pub fields: [DistanceField; 2],
}

impl Deforming {
    /// A boundary with the collider of this number, if it has frames. Its first grid begins at `first`.
    pub(crate) fn of(boundary: &Boundary, number: usize, field: DistanceField) -> Option<Self> {
        let Deformation { frames, fps, repeats } = boundary.frames()?;
        let solid = boundary.shape.mesh()?.clone();
        let second = DistanceField { first: field.first + field.length(), ..field };
        Some(Self {
            number: number as u32,
            frames: frames.clone(),
            fps,
            repeats,
            solid,
            carried: Vec::new(),
            fields: [field, second],
        })
    }

    /// The mesh at a time in s, without the boundary's other motions.
    #[must_use]
    pub fn solid_at(&self, time: f64) -> Solid {
        self.solid.posed(&self.positions(time))
    }

    fn positions(&self, time: f64) -> Vec<DVec3> {
        self.frames.at(time * self.fps, self.repeats)
    }

    /// Lets a triangle carry a particle, which is at `point` in m at the start, when its volume is `volume` m³.
    pub(crate) fn carry(&mut self, number: usize, point: DVec3, volume: f64) {
        let anchor = self.solid.anchor(point);
        let start: Vec<_> = self.solid.mesh().positions().iter().map(|p| DVec3::from(*p)).collect();
        let thickness = volume / anchor.area(&start).max(1e-300);
        self.carried.push(Carried { number: number as u32, anchor, thickness });
    }

    /// Numbers of the particles that it carries, among the wall particles.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        self.carried.iter().map(|one| one.number)
    }

    /// Ways of its particles in the frame from `start` for `duration` s, in the axes of its collider about `origin` in m:
    /// place at the start and volume, velocity there, displacement, velocity at the end.
    fn ways(
        &self,
        start: f64,
        duration: f64,
        origin: DVec3,
    ) -> impl Iterator<Item = [[f32; 4]; 4]> {
        let times = [0.0, duration].map(|end| [-INSTANT, 0.0, INSTANT].map(|dt| start + end + dt));
        let poses = times.map(|three| three.map(|time| self.positions(time)));
        self.carried.iter().map(move |Carried { anchor, thickness, .. }| {
            let [from, to] =
                poses.each_ref().map(|three| three.each_ref().map(|p| anchor.place(p)));
            let speed = |[before, _, after]: [DVec3; 3]| (after - before) / (2.0 * INSTANT);
            let volume = walls::marked(thickness * anchor.area(&poses[0][1]), false);
            let words = |v: DVec3, w: f32| v.as_vec3().extend(w).to_array();
            [
                words(from[1] - origin, volume),
                words(speed(from), 0.0),
                words(to[1] - from[1], 0.0),
                words(speed(to), 0.0),
            ]
        })
    }
}

/// Ways of the particles of all of them, one boundary after another ([`Deforming::ways`]); `origin` of a collider in m.
pub(crate) fn ways(
    all: &[Deforming],
    start: f64,
    duration: f64,
    origin: impl Fn(u32) -> DVec3,
) -> Vec<[[f32; 4]; 4]> {
    all.iter().flat_map(|own| own.ways(start, duration, origin(own.number))).collect()
}
