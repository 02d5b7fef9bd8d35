//! A scene on the GPU and in the reference side by side: each stage of a step runs on both from the
//! same bits, and the results are compared.

#![allow(
    clippy::result_large_err,
    reason = "a difference ends the comparison, so its size does not matter"
)]

use std::{collections::BTreeMap, fmt};

use meniscus::{
    Error, Gpu,
    machine::Machine,
    plan::Placed,
    shaders::Shaders,
    space::{Counts, NEIGHBOURS, PARTICLES},
    tables::{Extra, Tables},
};
use meniscus_methods::{Registry, lists::step};
use meniscus_model::{Control, Scene, Setup, control::STRUCTS, shared::encode};
use meniscus_reference::{Array, Replica, Twins, World};

use crate::device::block_on;

/// Largest difference that counts as agreement, relative to the largest value that the pass wrote
/// to the same lanes of the array.
pub const TOLERANCE: f64 = 2e-5;

/// Rounding that counts as agreement where terms cancel, relative to those terms: 16 units in the
/// last place of f32.
const ROUNDING: f64 = 1e-6;

/// A difference between GPU and reference.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "its users read it")]
pub struct Difference {
    /// Step in which it appeared, from 0.
    pub step: u32,
    /// Label of the stage.
    pub stage: String,
    /// Array, or `control`.
    pub array: String,
    /// Element of the array; word of Control.
    pub element: usize,
    /// Lane of the element, or the field of Control.
    pub lane: String,
    /// Id of the particle, for arrays over particles.
    pub id: Option<u32>,
    /// The GPU's value.
    pub gpu: f64,
    /// The reference's value.
    pub reference: f64,
    /// Largest difference allowed; 0 for integers.
    pub allowed: f64,
    /// Number of scalars of the array that differ.
    pub count: usize,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, stage, array, element, lane, id, gpu, reference, allowed, count } = self;
        write!(f, "step {step}, stage {stage}: {array}[{element}]{lane}")?;
        if let Some(id) = id {
            write!(f, " (particle {id})")?;
        }
        write!(
            f,
            " is {gpu:e} on the GPU and {reference:e} in the reference, at most {allowed:.1e} apart is \
             allowed; {count} scalars of the array differ"
        )
    }
}

/// A scene on both sides.
#[derive(Debug)]
pub struct SideBySide {
    gpu: Gpu,
    shaders: Shaders,
    machine: Machine,
    replica: Replica,
    step: u32,
    largest: BTreeMap<String, f64>,
}

impl SideBySide {
    /// A scene before its first step.
    ///
    /// # Errors
    /// A scene with problems, a device error, a list that the reference cannot run.
    pub fn new(gpu: &Gpu, scene: &Scene, shaders: &Shaders) -> Result<Self, Error> {
        Self::with_methods(gpu, scene, shaders, &Registry::standard(), Twins::standard())
    }

    /// The same with methods of this registry and their twins.
    ///
    /// # Errors
    /// As [`SideBySide::new`].
    pub fn with_methods(
        gpu: &Gpu,
        scene: &Scene,
        shaders: &Shaders,
        registry: &Registry,
        twins: Twins,
    ) -> Result<Self, Error> {
        let setup = Setup::with_methods(scene, registry).map_err(Error::Scene)?;
        let shaders = shaders.clone().for_scene(&setup).with_methods(registry);
        let replica = Replica::with_twins(&setup, twins)?;
        let machine = machine(gpu, &shaders, &setup, &counts(&replica))?;
        let largest = BTreeMap::new();
        Ok(Self { gpu: gpu.clone(), shaders, machine, replica, step: 0, largest })
    }

    /// Largest difference of each stage, relative to the scale: at most [`TOLERANCE`].
    #[must_use]
    pub fn largest(&self) -> &BTreeMap<String, f64> {
        &self.largest
    }

    /// The reference's side.
    #[must_use]
    pub fn replica(&self) -> &Replica {
        &self.replica
    }

    /// The reference's side, which may be changed between steps.
    pub fn replica_mut(&mut self) -> &mut Replica {
        &mut self.replica
    }

    /// Makes a step, running each stage on both sides from the reference's state in f32. Returns
    /// the first difference, at which the step ends.
    ///
    /// # Errors
    /// A device error, a list that one side cannot run, a failed simulation.
    pub fn step(&mut self) -> Result<Option<Difference>, Error> {
        let slots = self.replica.world.params.counts.capacity;
        self.replica.open_frame()?;
        if self.replica.world.params.counts.capacity != slots {
            self.machine =
                machine(&self.gpu, &self.shaders, &self.replica.setup, &counts(&self.replica))?;
        }
        let Replica { world, interpreter, setup, .. } = &mut self.replica;
        let mut walk = interpreter.walk("step")?;
        while let Some(placed) = walk.next(world)? {
            let room = self.machine.counts().get(NEIGHBOURS)?.max(1) as usize;
            if room != world.neighbours.len() {
                let room = world.neighbours.len() as u32;
                let counts = self.machine.counts().clone().with(NEIGHBOURS.space, room);
                self.machine = machine(&self.gpu, &self.shaders, setup, &counts)?;
            }
            world.round_to_f32();
            let before = bound(&self.machine, placed, world)?;
            upload(&self.machine, &before, world)?;
            interpreter.perform(world, placed)?;
            let expected = bound(&self.machine, placed, world)?;
            let found = run(&self.gpu, &self.machine, placed, &before)?;
            let stage = placed.stage.label();
            let compared = compare(placed.pass.name, &before, &expected, &found, world);
            let compared = compared.and_then(|most| {
                control_difference(&world.control, &found.0).map_or(Ok(most), Err)
            });
            match compared {
                Ok(most) => {
                    let largest = self.largest.entry(stage).or_default();
                    *largest = largest.max(most);
                }
                Err(difference) => {
                    return Ok(Some(Difference { step: self.step, stage, ..difference }));
                }
            }
        }
        self.step += 1;
        Ok(None)
    }
}

fn machine(gpu: &Gpu, shaders: &Shaders, setup: &Setup, counts: &Counts) -> Result<Machine, Error> {
    let lists = step::lists(&setup.scope());
    Machine::new(gpu, shaders, counts, &lists, &Extra::of(&setup.chosen))
}

/// Numbers of elements in the reference: the neighbour lists have grown.
fn counts(replica: &Replica) -> Counts {
    let room = replica.world.neighbours.len() as u32;
    replica.setup.counts().with(NEIGHBOURS.space, room)
}

type Arrays = BTreeMap<String, Array>;

/// Arrays that a stage binds and that the reference has as scalars.
fn bound(machine: &Machine, placed: &Placed, world: &mut World) -> Result<Arrays, Error> {
    let names = machine.arrays_of_stage("step", placed.number)?;
    let copy = |name: &&str| Some(((*name).to_owned(), world.storage(name)?.copy()));
    Ok(names.iter().filter_map(copy).collect())
}

fn upload(machine: &Machine, arrays: &Arrays, world: &World) -> Result<(), Error> {
    for (name, array) in arrays {
        machine.write(name, bytemuck::cast_slice(&array.bits()))?;
    }
    machine.write("colliders", &encode(&world.colliders))?;
    machine.write("drains", &encode(&world.drains))?;
    machine.write("emitters", &encode(&world.emitters))?;
    machine.write_params(&world.params);
    machine.write_control(&world.control);
    Ok(())
}

/// Runs the stage on the GPU, and reads its arrays.
fn run(
    gpu: &Gpu,
    machine: &Machine,
    placed: &Placed,
    arrays: &Arrays,
) -> Result<(Control, BTreeMap<String, Vec<u32>>), Error> {
    let mut encoder = gpu.device().create_command_encoder(&Default::default());
    machine.record_stage_alone("step", placed.number, &mut encoder)?;
    gpu.queue().submit([encoder.finish()]);
    let names: Vec<_> = arrays.keys().map(String::as_str).collect();
    let (control, bytes) = block_on(gpu, machine.read(&names))?;
    let words = |(name, bytes): (String, Vec<u8>)| (name, bytemuck::pod_collect_to_vec(&bytes));
    Ok((control, bytes.into_iter().map(words).collect()))
}

/// The largest difference of all arrays relative to the scale, or the first one that is too large.
fn compare(
    pass: &str,
    before: &Arrays,
    expected: &Arrays,
    found: &(Control, BTreeMap<String, Vec<u32>>),
    world: &World,
) -> Result<f64, Difference> {
    let mut most: f64 = 0.0;
    for (name, array) in expected {
        let Some(found) = found.1.get(name) else { continue };
        // Cells count their particles in order of atomic arrival.
        let unordered = name == "arrival";
        let found = &if unordered { sorted(found) } else { found.clone() };
        let array = &if unordered { sorted_array(array) } else { array.clone() };
        let (old, new) = (before[name].bits(), array.bits());
        let width = array.width();
        let scales = scales(array, &old, &new, found);
        let allowed =
            |lane: usize| (TOLERANCE * scales[lane]).max(ROUNDING * terms(pass, name, lane, world));
        let allowed: Vec<_> = (0..width).map(allowed).collect();
        let mut first: Option<Difference> = None;
        for (at, (found, new)) in found.iter().zip(&new).enumerate() {
            let (lane, allowed) = (at % width, allowed[at % width]);
            let (gpu, reference, fine) = match array {
                Array::Words { .. } => (f64::from(*found), f64::from(*new), found == new),
                Array::Floats { data, .. } => {
                    let (gpu, reference) = (f64::from(f32::from_bits(*found)), data[at]);
                    let error = (gpu - reference).abs();
                    if error > 0.0 && error <= allowed {
                        most = most.max(TOLERANCE * error / allowed);
                    }
                    (gpu, reference, error <= allowed || f64::from(f32::from_bits(*new)) == gpu)
                }
            };
            if fine {
                continue;
            }
            match &mut first {
                Some(first) => first.count += 1,
                None => {
                    first = Some(Difference {
                        step: 0,
                        stage: String::new(),
                        array: name.clone(),
                        element: at / width,
                        lane: if width > 1 { format!("[{lane}]") } else { String::new() },
                        id: particle(world, name, at / width),
                        gpu,
                        reference,
                        allowed: if matches!(array, Array::Words { .. }) { 0.0 } else { allowed },
                        count: 1,
                    });
                }
            }
        }
        if let Some(first) = first {
            return Err(first);
        }
    }
    Ok(most)
}

fn sorted(words: &[u32]) -> Vec<u32> {
    let mut words = words.to_vec();
    words.sort_unstable();
    words
}

fn sorted_array(array: &Array) -> Array {
    match array {
        Array::Words { width, data } => Array::Words { width: *width, data: sorted(data) },
        Array::Floats { .. } => array.clone(),
    }
}

/// The largest value per lane among the scalars that either side changed. x, y and z of a vec4
/// share one; w is a different quantity.
fn scales(array: &Array, old: &[u32], new: &[u32], found: &[u32]) -> Vec<f64> {
    let width = array.width();
    let mut scales = vec![0.0_f64; width];
    let group =
        |lane: usize| if width.is_multiple_of(4) && lane % 4 < 3 { lane / 4 * 4 } else { lane };
    if let Array::Floats { data, .. } = array {
        for (at, value) in data.iter().enumerate() {
            let changed = old.get(at) != new.get(at) || old.get(at) != found.get(at);
            if changed && value.is_finite() {
                let scale = &mut scales[group(at % width)];
                *scale = scale.max(value.abs());
            }
        }
    }
    (0..width).map(|lane| scales[group(lane)]).collect()
}

/// Size of the terms of a sum or difference, which cannot be seen from the result if they cancel.
fn terms(pass: &str, array: &str, lane: usize, world: &World) -> f64 {
    let params = &world.params;
    let materials = || params.materials.iter();
    let largest = |values: &mut dyn Iterator<Item = f32>| f64::from(values.fold(0.0, f32::max));
    match (pass, array, lane) {
        // Tait: B ((ρ/ρ0)^γ − 1), whose terms are B.
        ("wcsph/pressure", "sorted_velocity", 3) => {
            largest(&mut materials().map(|material| material.stiffness))
        }
        // A compression s − 1 times a pressure: the terms are those for s = 1.
        ("pcisph/compression", "kappa", _) => {
            let rest_density = largest(&mut materials().map(|material| material.rest_density));
            world.number("pcisph.factor") * rest_density
        }
        ("sph/compression" | "dfsph/divergence", "kappa", _) => {
            let factors = world.factor.iter().map(|factor| factor[0]);
            factors.fold(0.0, f64::max)
        }
        // Sums of errors in percent.
        (_, "residuals", 0) => 100.0 * 64.0,
        (_, "factor", 1) => 1.0,
        // Torques about the centre of a body cancel; their terms are forces times about a radius:
        // angular momentum m v r, and the angular velocity that follows from it.
        (_, "bodies", 12..20) => {
            let speeds = world.bodies.iter().map(|b| b[8].hypot(b[9]).hypot(b[10]));
            let speed = speeds.fold(0.0, f64::max);
            let radius = f64::from(world.params.world.particle_radius);
            let lightest = world.colliders.iter().map(|c| c.inverse_mass).filter(|m| *m > 0.0);
            let mass = 1.0 / f64::from(lightest.fold(f32::INFINITY, f32::min));
            if lane < 16 { speed / radius } else { mass * speed * radius }
        }
        ("body/kick", "body_force", _) => {
            let terms = world.reaction.iter().map(|f| f[0].hypot(f[1]).hypot(f[2]));
            terms.fold(0.0, f64::max)
        }
        _ => 0.0,
    }
}

/// Id of the particle to which an element of an array belongs.
fn particle(world: &World, name: &str, element: usize) -> Option<u32> {
    let row = Tables::default().array(name).ok()?;
    let unsorted = ["position", "velocity", "identity", "arrival"].contains(&name)
        || name.starts_with("warm_");
    let identity = if unsorted { &world.identity } else { &world.sorted_identity };
    let live = element < world.control.particle_count as usize;
    let known = row.extent == PARTICLES && live;
    known.then(|| identity.get(element).map(|who| who[0])).flatten()
}

/// Difference of a word of Control: integers and bits must be equal, floats within a relative
/// [`TOLERANCE`].
fn control_difference(expected: &Control, found: &Control) -> Option<Difference> {
    let words =
        |control: &Control| -> Vec<u32> { bytemuck::pod_collect_to_vec(&encode(&[*control])) };
    let (expected, found) = (words(expected), words(found));
    // The bits of integers below 2²³ are subnormal floats, no two of which are within a tolerance.
    let same = |(a, b): (&u32, &u32)| {
        let [a, b] = [a, b].map(|bits| f64::from(f32::from_bits(*bits)));
        a.to_bits() == b.to_bits() || (a - b).abs() <= TOLERANCE * b.abs()
    };
    let differ: Vec<_> =
        (0..expected.len()).filter(|i| !same((&found[*i], &expected[*i]))).collect();
    let at = *differ.first()?;
    let control = STRUCTS.iter().find(|known| known.name == "Control")?;
    let field = control.offsets.iter().rposition(|offset| *offset <= 4 * at as u64);
    let name = field.map_or("?", |field| control.fields[field].name);
    let float = |bits: u32| {
        let value = f64::from(f32::from_bits(bits));
        if value.abs() < 1e-30 { f64::from(bits) } else { value }
    };
    Some(Difference {
        step: 0,
        stage: String::new(),
        array: "control".into(),
        element: at,
        lane: format!(".{name}"),
        id: None,
        gpu: float(found[at]),
        reference: float(expected[at]),
        allowed: 0.0,
        count: differ.len(),
    })
}
