//! Single stages on the GPU, from the bits of the world before them.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use meniscus::{
    Error, Gpu, Shaders,
    raw::{Machine, Recording},
};
use meniscus_methods::{plan::Placed, space::Counts};
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

/// The GPU's side of a scene with a solver. What it has compiled and bound for a stage serves the later moments of that stage.
#[derive(Debug)]
pub struct Side {
    gpu: Gpu,
    shaders: Shaders,
    machines: RefCell<Vec<(Placed, Counts, Rc<Machine>)>>,
}

impl Side {
    /// A scene's side on this device.
    #[must_use]
    pub fn new(gpu: &Gpu, shaders: Shaders) -> Self {
        Self { gpu: gpu.clone(), shaders, machines: RefCell::default() }
    }

    /// Runs a stage, from its world but with this Control.
    ///
    /// # Errors
    /// A shader that does not compile, a device error.
    pub fn run(&self, moment: &Moment, control: &Control) -> Result<Found, Error> {
        let machine = self.machine(moment)?;
        let mut encoder = self.gpu.device().create_command_encoder(&Default::default());
        for name in machine.buffer_names() {
            let bytes = bytes(moment, name);
            machine.write(name, &bytes)?;
            // What an earlier moment left behind the end.
            let buffer = machine.buffer(name).filter(|buffer| buffer.size() > bytes.len() as u64);
            if let Some(buffer) = buffer {
                encoder.clear_buffer(buffer, bytes.len() as u64, None);
            }
        }
        machine.write_params(&moment.world.params);
        machine.write_control(control);
        machine.record("stage", Recording::default(), &mut encoder, None)?;
        self.gpu.queue().submit([encoder.finish()]);
        let bound = machine.arrays_of_stage("stage", 0)?;
        let known: Vec<_> =
            bound.into_iter().filter(|name| moment.before.contains_key(name)).collect();
        let (control, bytes) = block_on(&self.gpu, machine.read(&known))?;
        self.gpu.check()?;
        let words = |(name, bytes): (String, Vec<u8>)| (name, bytemuck::pod_collect_to_vec(&bytes));
        Ok(Found { control, arrays: bytes.into_iter().map(words).collect() })
    }

    /// The machine of a stage.
    fn machine(&self, moment: &Moment) -> Result<Rc<Machine>, Error> {
        let counts = moment.counts();
        let mut machines = self.machines.borrow_mut();
        let mut known = machines.iter();
        if let Some((.., machine)) = known.find(|(p, c, _)| *p == moment.placed && *c == counts) {
            return Ok(Rc::clone(machine));
        }
        let plans = moment.plans();
        let machine = Machine::of_plans(&self.gpu, &self.shaders, &plans, &moment.extras, None)?;
        let machine = Rc::new(machine);
        machines.push((moment.placed.clone(), counts, Rc::clone(&machine)));
        Ok(machine)
    }
}

/// An array of a moment's world as the GPU has it; nothing of one that the reference lacks.
fn bytes(moment: &Moment, name: &str) -> Vec<u8> {
    let world = &moment.world;
    match name {
        "colliders" => encode(&world.colliders),
        "regions" => encode(&world.regions),
        "emitters" => encode(&world.emitters),
        "openings" => encode(&world.openings),
        "distance_field" => encode(&[world.distance_field]),
        "field_boxes" => encode(&world.field_boxes),
        "field_triangles" => encode(&world.field_triangles),
        _ => moment
            .before
            .get(name)
            .map_or_else(Vec::new, |array| bytemuck::pod_collect_to_vec(&array.bits())),
    }
}
