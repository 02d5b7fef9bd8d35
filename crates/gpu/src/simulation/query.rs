//! The fluid at points of the program, found on the GPU and read back when it has come.

use std::collections::VecDeque;

use glam::DVec3;
use meniscus_methods::{lists::step, passes::NO_LEVEL, space::QUERY_SPACE};
use meniscus_model::Control;

use super::{Simulation, frames::IN_FLIGHT};
use crate::{
    Error, Gpu,
    device::{Answer, Arrival},
    machine::{Machine, Recording, control_of},
};

/// Most points of a query.
pub const MAX_QUERIES: usize = 4096;

/// What a query asks for: [`Simulation::query`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "there are two questions")]
pub enum Query {
    /// Velocity, density, pressure, and the share that is filled.
    Flow,
    /// The level alone.
    Level,
    /// Both.
    Both,
}

/// The fluid at a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct FluidAt {
    /// Height in m of the fluid's surface above the point, against gravity, or less than 0 if it is below: the highest place on the
    /// line through the point that is half filled. `None` if there is no fluid on it, without gravity, or if nobody asked.
    pub level: Option<f64>,
    /// Share of the place that the fluid fills: about 1 in it, ½ at its surface, 0 where there is none. Beside walls it is less.
    pub share: f64,
    /// Velocity in m/s; 0 without fluid, as all that follows.
    pub velocity: DVec3,
    /// Density in kg/m³, kg/m² in 2-D: that of the materials times the share.
    pub density: f64,
    /// Pressure in Pa, N/m in 2-D.
    pub pressure: f64,
}

/// The answer to a query.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Queried {
    /// Simulated time in s.
    pub time: f64,
    /// The fluid at each point, in their order.
    pub points: Vec<FluidAt>,
}

/// Buffers with the answers to the last query that was recorded, for shaders of the program: an element for each point.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct QueryBuffers<'a> {
    /// Velocity in m/s and density in kg/m³: `array<vec4<f32>>`.
    pub velocities: &'a wgpu::Buffer,
    /// Pressure in Pa and share: `array<vec2<f32>>`.
    pub pressures: &'a wgpu::Buffer,
    /// Level in m, 1e30 where there is none: `array<f32>`.
    pub levels: &'a wgpu::Buffer,
}

/// Points, as the GPU has them, and what is asked for.
#[derive(Clone, Debug)]
struct Asked {
    points: Vec<[f32; 4]>,
    query: Query,
}

#[derive(Debug)]
pub(super) struct Queries {
    machine: Machine,
    /// Generation of the simulation's buffers that it binds.
    generation: u64,
    /// Points that it has room for.
    room: usize,
    asked: Option<Asked>,
    /// Points that were written.
    written: usize,
    flights: VecDeque<(Asked, wgpu::Buffer, Arrival)>,
    idle: Vec<wgpu::Buffer>,
    latest: Option<Queried>,
}

const ARRAYS: [(&str, u64); 3] =
    [("query_velocity", 16), ("query_pressure", 8), ("query_level", 4)];

impl Simulation {
    /// Asks for the fluid at points in m, at most [`MAX_QUERIES`]: computed on the GPU with the next call of [`Simulation::record`],
    /// after its steps, or if a step is not complete then, with a later one. [`Simulation::poll`] takes the answer when it has come, a
    /// frame or two later, and [`Simulation::queried`] has it; nothing waits. Points that are asked for before then replace these.
    ///
    /// Values are means over the kernel's support, as those of probes, but by the solver's own kernel. They change nothing. The first
    /// call compiles the passes, and one with more points than any before makes room: make one with the most while the program loads.
    ///
    /// # Errors
    /// [`Error::Options`] for smoke, which has no particles, for a scene of several worlds, too many points, or one that is not finite;
    /// [`Error::Device`].
    pub fn query(&mut self, points: &[DVec3], query: Query) -> Result<(), Error> {
        let refuse = |text: String| Err(Error::Options(text));
        if !self.setup.chosen.family().has_particles {
            let solver = self.setup.chosen.solver().name;
            return refuse(format!(
                "`{solver}` has no particles that could be asked for at points: its fields are those of its cells"
            ));
        }
        if self.setup.params.counts.worlds > 1 {
            return refuse(
                "a scene of several worlds cannot be asked at points yet: run one of them alone"
                    .into(),
            );
        }
        if points.len() > MAX_QUERIES {
            let count = points.len();
            return refuse(format!(
                "{count} points are too many for a query: at most {MAX_QUERIES}"
            ));
        }
        let flat = self.setup.params.world.dimensions == 2;
        let local = |point: &DVec3| {
            let local = (*point - self.setup.center).as_vec3();
            if flat { local.with_z(0.0) } else { local }
        };
        let points: Vec<_> = points.iter().map(|point| local(point).extend(1.0)).collect();
        if let Some(number) = points.iter().position(|point| !point.is_finite()) {
            return refuse(format!("point {number} of the query is not finite"));
        }
        let points: Vec<_> = points.into_iter().map(Into::into).collect();
        let mut queries = match self.queries.take() {
            Some(queries) => queries,
            None => Queries::new(self)?,
        };
        let fitted = queries.fit(self, points.len());
        if fitted.is_ok() {
            queries.asked = Some(Asked { points, query });
        }
        self.queries = Some(queries);
        fitted
    }

    /// The last answer that has come.
    #[must_use]
    pub fn queried(&self) -> Option<&Queried> {
        self.queries.as_ref()?.latest.as_ref()
    }

    /// Buffers of the answers on the GPU; `None` before the first query.
    #[must_use]
    pub fn query_buffers(&self) -> Option<QueryBuffers<'_>> {
        let machine = &self.queries.as_ref()?.machine;
        let [velocities, pressures, levels] = ARRAYS.map(|(name, _)| machine.expect(name));
        Some(QueryBuffers { velocities, pressures, levels })
    }

    /// Records what was asked for, and its read-back.
    pub(super) fn record_query(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<(), Error> {
        let Some(mut queries) = self.queries.take() else { return Ok(()) };
        let recorded = queries.record(self, encoder);
        self.queries = Some(queries);
        recorded
    }

    /// Takes the answers that have come.
    pub(super) fn take_queried(&mut self) -> Result<(), Error> {
        let Some(queries) = &mut self.queries else { return Ok(()) };
        queries.take(&self.gpu, self.setup.frame_duration)
    }

    /// Whether an answer may come.
    pub(super) fn is_queried(&self) -> bool {
        self.queries.as_ref().is_some_and(|queries| !queries.flights.is_empty())
    }
}

impl Queries {
    fn new(simulation: &Simulation) -> Result<Self, Error> {
        Ok(Self {
            machine: machine(simulation, 1)?,
            generation: simulation.machine.generation(),
            room: 1,
            asked: None,
            written: 0,
            flights: VecDeque::new(),
            idle: read_backs(simulation, 1)?,
            latest: None,
        })
    }

    /// Makes room for so many points, on the buffers that the simulation has now.
    fn fit(&mut self, simulation: &Simulation, count: usize) -> Result<(), Error> {
        let generation = simulation.machine.generation();
        if self.generation == generation && count <= self.room {
            return Ok(());
        }
        // Each place costs time, whether it is asked for or not.
        self.room = self.room.max(count.next_power_of_two());
        self.machine = machine(simulation, self.room)?;
        self.generation = generation;
        self.written = 0;
        self.idle = read_backs(simulation, self.room)?;
        Ok(())
    }

    fn record(
        &mut self,
        simulation: &Simulation,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<(), Error> {
        if self.flights.len() == IN_FLIGHT {
            return Ok(());
        }
        let Some(asked) = self.asked.take() else { return Ok(()) };
        let count = asked.points.len();
        self.fit(simulation, count)?;
        let mut words = asked.points.clone();
        words.resize(self.written.max(count), [0.0; 4]);
        self.written = count;
        self.machine.write_from("query_point", 0, bytemuck::cast_slice(&words))?;
        let flow = (asked.query != Query::Level).then_some("query_flow");
        let level = (asked.query != Query::Flow).then_some("query_level");
        for list in [Some("query"), flow, level].into_iter().flatten() {
            self.machine.record(list, Recording::default(), encoder, None)?;
        }
        let control = simulation.machine.control_buffer();
        let Some(buffer) = self.idle.pop() else { return Ok(()) };
        encoder.copy_buffer_to_buffer(control, 0, &buffer, 0, control.size());
        let mut offset = control.size();
        for (name, bytes) in ARRAYS {
            let size = bytes * count as u64;
            if size > 0 {
                encoder.copy_buffer_to_buffer(self.machine.expect(name), 0, &buffer, offset, size);
            }
            offset += size;
        }
        let arrival = Arrival::default();
        encoder.map_buffer_on_submit(&buffer, wgpu::MapMode::Read, .., arrival.request());
        self.flights.push_back((asked, buffer, arrival));
        Ok(())
    }

    fn take(&mut self, gpu: &Gpu, frame_duration: f64) -> Result<(), Error> {
        while let Some(answer) = self.flights.front().and_then(|(_, _, arrival)| arrival.answer()) {
            let Some((asked, buffer, _)) = self.flights.pop_front() else { break };
            let bytes = match answer {
                Answer::Done => {
                    let view = buffer.slice(..).get_mapped_range();
                    let bytes = view.map_err(|error| gpu.failed(error))?.to_vec();
                    buffer.unmap();
                    Some(bytes)
                }
                Answer::Dropped => None,
                Answer::Failed => return gpu.told(answer),
            };
            // Others have been replaced since.
            if self.idle.first().is_none_or(|idle| idle.size() == buffer.size()) {
                self.idle.push(buffer);
            }
            let Some(bytes) = bytes else { continue };
            let (control, values) = bytes.split_at(self.machine.control_buffer().size() as usize);
            let control = control_of(control)?;
            if control.stalled() {
                self.asked.get_or_insert(asked);
            } else {
                self.latest = Some(answer_of(&control, frame_duration, values, &asked));
            }
        }
        Ok(())
    }
}

/// Buffers that answers about so many points are read from. They are there before anything is recorded: what a lost device
/// makes is no buffer, and to map it is an error of whoever submits the commands.
fn read_backs(simulation: &Simulation, room: usize) -> Result<Vec<wgpu::Buffer>, Error> {
    let bytes: u64 = ARRAYS.iter().map(|(_, bytes)| bytes).sum();
    let descriptor = wgpu::BufferDescriptor {
        label: Some("query"),
        size: simulation.machine.control_buffer().size() + bytes * room as u64,
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    };
    let gpu = &simulation.gpu;
    gpu.caught(|| (0..IN_FLIGHT).map(|_| gpu.device().create_buffer(&descriptor)).collect())
}

fn answer_of(control: &Control, frame_duration: f64, values: &[u8], asked: &Asked) -> Queried {
    let words: Vec<f32> = bytemuck::pod_collect_to_vec(values);
    let count = asked.points.len();
    let (velocities, rest) = words.split_at(4 * count);
    let (pressures, levels) = rest.split_at(2 * count);
    let of = |k: usize| {
        let [x, y, z, density] = std::array::from_fn(|lane| f64::from(velocities[4 * k + lane]));
        let [pressure, share] = std::array::from_fn(|lane| f64::from(pressures[2 * k + lane]));
        let level = Some(levels[k]).filter(|level| *level < NO_LEVEL).map(f64::from);
        let flow = FluidAt { level: None, share, velocity: DVec3::new(x, y, z), density, pressure };
        match asked.query {
            Query::Flow => flow,
            Query::Level => FluidAt { level, ..FluidAt::default() },
            Query::Both => FluidAt { level, ..flow },
        }
    };
    Queried { time: control.time(frame_duration), points: (0..count).map(of).collect() }
}

/// The passes, on the simulation's buffers.
fn machine(simulation: &Simulation, room: usize) -> Result<Machine, Error> {
    let machine = &simulation.machine;
    let counts = machine.counts().clone().with(QUERY_SPACE, room as u32);
    machine.beside(machine.shaders(), &counts, &step::queries(&simulation.setup.scope()))
}
