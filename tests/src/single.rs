//! One pass on the GPU, on the buffers of a world.

use std::collections::BTreeMap;

use meniscus::{
    Gpu,
    machine::{List, Machine, Phase, Recording},
    plan::{Part, Plans},
    shaders::Shaders,
    space::{
        BODY_LANES, BODY_PARTICLES, BUCKETS, FIELD_NODES, FIELD_ROWS, FLUID, FREE_BODY_PARTICLES,
        SCANNED,
    },
    stage::{Entry, stage},
    tables::Tables,
};
use meniscus_model::{
    Control,
    params::{KERNEL_CUBIC_SPLINE, KERNEL_WENDLAND_C2},
    scene::Kernel,
    shared::encode,
};
use meniscus_reference::{Values, World};

use crate::{device::block_on, rows::Row};

/// Name of a shader file, and the text that replaces it.
pub type Change<'a> = (&'a str, String);

/// Scalars of a buffer, with the number per element.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_enums, reason = "the comparison matches on it")]
pub enum Data {
    /// Floats, in f64.
    Floats(usize, Vec<f64>),
    /// Integers.
    Words(usize, Vec<u32>),
}

impl Data {
    /// Scalars as stored on the GPU.
    #[must_use]
    pub fn bits(&self) -> Vec<u32> {
        match self {
            Self::Floats(_, data) => data.iter().map(|value| (*value as f32).to_bits()).collect(),
            Self::Words(_, data) => data.clone(),
        }
    }

    /// Scalars per element.
    #[must_use]
    pub fn width(&self) -> usize {
        match self {
            Self::Floats(width, _) | Self::Words(width, _) => *width,
        }
    }
}

/// All arrays of scalars of a world by name, and `surface_control`.
#[must_use]
pub fn contents(world: &mut World) -> BTreeMap<String, Data> {
    let mut all = BTreeMap::new();
    for name in World::BUFFERS {
        let data = match world.buffer(name) {
            Some(Values::Floats { width, data }) => Data::Floats(width, data.to_vec()),
            Some(Values::Words { width, data }) => Data::Words(width, data.to_vec()),
            None => continue,
        };
        all.insert((*name).to_owned(), data);
    }
    let control: Vec<u32> = bytemuck::pod_collect_to_vec(&encode(&[world.surface_control]));
    all.insert("surface_control".to_owned(), Data::Words(control.len(), control));
    all
}

/// Variables that a pass binds in place of an array, each with the array that it stands for here.
fn renames(pass: &str) -> Vec<(&'static str, &'static str)> {
    let text = meniscus_wgsl::file(pass).unwrap_or_default();
    let bound: Vec<_> = text.lines().filter(|line| line.starts_with("//!")).collect();
    let binds = |(variable, _): &&(&str, &str)| {
        let declared = format!(" {variable}:");
        bound.iter().any(|line| line.contains(&declared))
    };
    World::VARIABLES.iter().filter(binds).copied().collect()
}

/// Runs a row's pass on the GPU from `world`, with some shader files replaced. Returns Control and the
/// buffers that the pass binds.
///
/// # Errors
/// A shader that does not compile, or a device error.
pub fn run(
    gpu: &Gpu,
    row: &Row,
    world: &World,
    changes: &[Change<'_>],
) -> Result<(Control, BTreeMap<String, Vec<u32>>), String> {
    let kernel = match world.params.kernel.kind {
        KERNEL_CUBIC_SPLINE => Kernel::CubicSpline,
        KERNEL_WENDLAND_C2 => Kernel::WendlandC2,
        _ => Kernel::Muller,
    };
    let mut shaders = Shaders::standard().with_kernel(kernel);
    for (file, text) in changes {
        shaders.insert(*file, text.clone());
    }
    let reduce = row.pass.starts_with("reduce/");
    let mut run = stage(row.pass);
    let renames = renames(row.pass);
    run = renames.iter().fold(run, |stage, (variable, buffer)| stage.with(variable, buffer));
    let phase = if row.frame_end { Phase::FrameEnd } else { Phase::Step };
    if reduce {
        run = run.over(BUCKETS);
    }
    let list = List { name: "pass", phase, entries: vec![Entry::Run(run)] };
    let problem = |error: &dyn std::fmt::Display| error.to_string();
    let mut plans =
        Plans::new(&[list], &world.counts(), &Tables::default()).map_err(|e| problem(&e))?;
    plans.counts.set(SCANNED.space, world.values.len() as u32);
    for part in plans.lists.values_mut().flatten() {
        let Part::Stage(placed) = part else { continue };
        placed.number = world.stage.number;
        placed.loop_index = world.stage.loop_index;
        placed.loop_first = world.stage.loop_first;
        let own = [BODY_PARTICLES, FREE_BODY_PARTICLES, BODY_LANES, FIELD_NODES, FIELD_ROWS, FLUID];
        if reduce || own.contains(&placed.extent) {
            placed.elements = world.stage.element_count;
        }
    }
    let machine = Machine::of_plans(gpu, &shaders, &plans, &[], None).map_err(|e| problem(&e))?;
    let write = |name: &str, bytes: &[u8]| machine.write(name, bytes).map_err(|e| problem(&e));
    let table_name = |name: &str| -> String {
        let renamed = renames.iter().find(|(world, _)| *world == name);
        renamed.map_or(name, |(_, table)| *table).to_owned()
    };
    let mut names = Vec::new();
    for (name, data) in contents(&mut world.clone()) {
        let renamed = renames.iter().any(|(_, table)| *table == name);
        if !renamed && machine.buffer(&table_name(&name)).is_some() {
            write(&table_name(&name), bytemuck::cast_slice(&data.bits()))?;
            names.push(name);
        }
    }
    write("colliders", &encode(&world.colliders))?;
    write("drains", &encode(&world.drains))?;
    write("emitters", &encode(&world.emitters))?;
    write("distance_field", &encode(&[world.distance_field]))?;
    write("field_boxes", &encode(&world.field_boxes))?;
    write("field_triangles", &encode(&world.field_triangles))?;
    machine.write_params(&world.params);
    machine.write_control(&world.control);
    let mut encoder = gpu.device().create_command_encoder(&Default::default());
    machine.record("pass", Recording::default(), &mut encoder, None).map_err(|e| problem(&e))?;
    gpu.queue().submit([encoder.finish()]);
    let tables: Vec<_> = names.iter().map(|name| table_name(name)).collect();
    let wanted: Vec<_> = tables.iter().map(String::as_str).collect();
    let (control, mut bytes) =
        block_on(gpu, machine.read(&wanted)).map_err(|error| error.to_string())?;
    let words = |bytes: Vec<u8>| bytemuck::pod_collect_to_vec(&bytes);
    let found = names.into_iter().zip(&tables).map(|(name, table)| {
        let data = bytes.remove(table).unwrap_or_default();
        (name, words(data))
    });
    let found = found.collect();
    gpu.check().map_err(|error| error.to_string())?;
    Ok((control, found))
}
