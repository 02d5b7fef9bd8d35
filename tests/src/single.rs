//! One stage on the GPU, from the bits of the world before it.

use std::collections::BTreeMap;

use meniscus::{
    Error, Gpu,
    machine::{Machine, Recording},
    shaders::Shaders,
};
use meniscus_model::{Control, shared::encode};

use crate::{device::block_on, moment::Moment};

/// What a stage left on the GPU.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs, reason = "the comparison reads it")]
pub struct Found {
    /// Control.
    pub control: Control,
    /// Bits of the arrays that the stage binds.
    pub arrays: BTreeMap<String, Vec<u32>>,
}

/// Runs a stage on the GPU, from its world but with this Control.
///
/// # Errors
/// A shader that does not compile, a device error.
pub fn run(
    gpu: &Gpu,
    shaders: &Shaders,
    moment: &Moment,
    control: &Control,
) -> Result<Found, Error> {
    let machine = Machine::of_plans(gpu, shaders, &moment.plans(), &moment.extras, None)?;
    for (name, array) in &moment.before {
        machine.write(name, bytemuck::cast_slice(&array.bits()))?;
    }
    let world = &moment.world;
    machine.write("colliders", &encode(&world.colliders))?;
    machine.write("regions", &encode(&world.regions))?;
    machine.write("emitters", &encode(&world.emitters))?;
    machine.write("openings", &encode(&world.openings))?;
    machine.write("distance_field", &encode(&[world.distance_field]))?;
    machine.write("field_boxes", &encode(&world.field_boxes))?;
    machine.write("field_triangles", &encode(&world.field_triangles))?;
    machine.write_params(&world.params);
    machine.write_control(control);
    let mut encoder = gpu.device().create_command_encoder(&Default::default());
    machine.record("stage", Recording::default(), &mut encoder, None)?;
    gpu.queue().submit([encoder.finish()]);
    let bound = machine.arrays_of_stage("stage", 0)?;
    let known: Vec<_> = bound.into_iter().filter(|name| moment.before.contains_key(name)).collect();
    let (control, bytes) = block_on(gpu, machine.read(&known))?;
    gpu.check()?;
    let words = |(name, bytes): (String, Vec<u8>)| (name, bytemuck::pod_collect_to_vec(&bytes));
    Ok(Found { control, arrays: bytes.into_iter().map(words).collect() })
}
