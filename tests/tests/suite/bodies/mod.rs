//! Moving solids, and bodies that the fluid moves.

mod contacts;
mod coupling;
mod deforming;
mod floating;
mod impacts;
mod joints;
mod motion;

use conformance::scenes::state;
use glam::{DVec3, Vec3};
use meniscus::{Gpu, Simulation};
use meniscus_model::{BodyReport, params, shared::decode};

/// Bodies as stored on the GPU.
fn bodies(gpu: &Gpu, simulation: &Simulation) -> Vec<params::Body> {
    let state = state(gpu, simulation);
    decode(bytemuck::cast_slice(&state.arrays["bodies"])).unwrap()
}

fn vector([x, y, z, _]: [f32; 4]) -> DVec3 {
    Vec3::new(x, y, z).as_dvec3()
}

/// Rotation of a body about z, in radians.
fn angle(body: &BodyReport) -> f64 {
    let [_, _, z, w] = body.rotation;
    2.0 * z.atan2(w)
}
