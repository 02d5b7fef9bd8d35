//! Tests of the crate, in one binary so that it is linked once.

use glam::DVec3;
use meniscus_geometry::Vec3;

mod bulk;
mod fill;
mod layers;
mod mesh_fill;
mod places;
mod thin;
mod triangles;
mod union;

/// Smallest distance of two particles in m.
pub(crate) fn closest(particles: &[Vec3]) -> f64 {
    let others = |i: usize| particles[..i].iter().map(|p| DVec3::from(*p));
    let nearest = |(i, p): (usize, &Vec3)| {
        others(i).map(|q| q.distance(DVec3::from(*p))).fold(f64::INFINITY, f64::min)
    };
    particles.iter().enumerate().map(nearest).fold(f64::INFINITY, f64::min)
}
