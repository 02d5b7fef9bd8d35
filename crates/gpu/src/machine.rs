//! Lists of stages bound to buffers on a device: what a simulation runs on, and what tests use to
//! run a single pass on buffers of their own.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use encase::ShaderType;
use meniscus_model::{
    Control, Params, control::StageUniform, params::MAX_LOOPS, shared::encode_uniform,
};

use crate::{
    Error, Gpu, Timings,
    buffers::{self, CLUSTER, Length, Sizes},
    device::CompiledPass,
    passes::{
        self, DIAGNOSTICS_BLOCKS, FIELD_TILES, INDIRECT_ROW, Invocations, REDUCE_BLOCK, VERTICES_AT,
    },
    shaders::{Binding, Shaders},
    stage::{Entry, LoopPlace, Stage, stage},
};

/// When the stages of a list are active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "the numbers are the shader's")]
pub enum Phase {
    /// While the frame is being computed.
    Step,
    /// Once the frame is done.
    FrameEnd,
    /// Between steps, within a frame or at its end.
    Any,
}

/// A named list of stages.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct List {
    /// The name that [`Machine::record`] takes.
    pub name: &'static str,
    /// When its stages are active.
    pub phase: Phase,
    /// What it does.
    pub entries: Vec<Entry>,
}

/// A pass or buffer that the tables do not have: tests bring their own.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_enums, reason = "built by tests")]
pub enum Extra {
    /// A row of the pass table.
    Pass(passes::Pass),
    /// A row of the buffer table.
    Buffer(buffers::Row),
}

/// Stages bound to buffers.
#[derive(Debug)]
pub struct Machine {
    gpu: Gpu,
    buffers: BTreeMap<String, wgpu::Buffer>,
    params: wgpu::Buffer,
    control: wgpu::Buffer,
    common: [wgpu::BindGroup; 2],
    lists: BTreeMap<&'static str, Vec<Bound>>,
}

#[derive(Debug)]
enum Bound {
    Run(BoundStage),
    WithFields(BoundStage),
    Repeat { number: u32, begin: BoundStage, body: Vec<BoundStage>, end: BoundStage },
}

impl Bound {
    fn stages(&self) -> Vec<&BoundStage> {
        match self {
            Self::Run(stage) | Self::WithFields(stage) => vec![stage],
            Self::Repeat { begin, body, end, .. } => {
                std::iter::once(begin).chain(body).chain([end]).collect()
            }
        }
    }

    fn stages_mut(&mut self) -> Vec<&mut BoundStage> {
        match self {
            Self::Run(stage) | Self::WithFields(stage) => vec![stage],
            Self::Repeat { begin, body, end, .. } => {
                std::iter::once(begin).chain(body).chain([end]).collect()
            }
        }
    }
}

/// How a list is recorded. What it computes does not depend on the iterations.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct Recording {
    /// Repetitions of each loop, by its place in `params.loops`.
    pub iterations: [u32; MAX_LOOPS],
    /// Whether there are force fields.
    pub fields: bool,
}

#[derive(Debug)]
struct BoundStage {
    label: String,
    pass: Arc<CompiledPass>,
    group: wgpu::BindGroup,
    /// What it binds.
    bindings: Vec<BoundBuffer>,
    dispatch: Dispatch,
    offset: u32,
}

#[derive(Debug)]
struct BoundBuffer {
    binding: Binding,
    /// The buffer's name.
    name: String,
    elements: u32,
    /// Whether its elements are particles.
    particles: bool,
}

/// Workgroups that a stage is run with.
#[derive(Debug)]
enum Dispatch {
    /// In x and y.
    Direct([u32; 2]),
    /// What the GPU wrote there; never more than so many.
    Indirect(wgpu::Buffer, u64, u32),
}

/// The buffer of indirect dispatches.
const DISPATCH: &str = "surface_dispatch";
/// That of stages which run while solids touch.
const TOUCHING: &str = "contact_dispatch";

/// Offsets of dynamic uniforms are multiples of this on every device.
const STAGE_STRIDE: usize = 256;

/// Workgroups in x and y: more than `limit` fold into a second dimension.
///
/// # Errors
/// More than `limit`² workgroups.
pub fn fold(workgroups: u64, limit: u32) -> Result<[u32; 2], Error> {
    let limit = u64::from(limit);
    let rows = workgroups.div_ceil(limit).max(1);
    if rows > limit {
        return Err(Error::TooLarge(format!(
            "{workgroups} workgroups are needed, the device runs {limit} × {limit}"
        )));
    }
    Ok([workgroups.div_ceil(rows) as u32, rows as u32])
}

impl Machine {
    /// Compiles the lists' passes, allocates the buffers that they name, and binds them.
    ///
    /// # Errors
    /// A shader that does not compile, buffers that do not fit, a device error.
    pub fn new(
        gpu: &Gpu,
        shaders: &Shaders,
        sizes: Sizes,
        lists: &[List],
        extras: &[Extra],
    ) -> Result<Self, Error> {
        Self::build(gpu, shaders, sizes, lists, extras, None)
    }

    /// Like [`Machine::new`], but with the buffers, params and control of this machine, where it
    /// has them.
    ///
    /// # Errors
    /// As [`Machine::new`].
    pub fn beside(&self, shaders: &Shaders, sizes: Sizes, lists: &[List]) -> Result<Self, Error> {
        Self::build(&self.gpu, shaders, sizes, lists, &[], Some(self))
    }

    fn build(
        gpu: &Gpu,
        shaders: &Shaders,
        sizes: Sizes,
        lists: &[List],
        extras: &[Extra],
        beside: Option<&Self>,
    ) -> Result<Self, Error> {
        let mut builder = Builder {
            gpu,
            shaders,
            sizes,
            extras,
            buffers: beside.map(|other| other.buffers.clone()).unwrap_or_default(),
            uniforms: Vec::new(),
            number: 0,
            phase: Phase::Step,
        };
        let mut compiled = Vec::new();
        for list in lists {
            for stage in list.entries.iter().flat_map(stages_of) {
                compiled.push((stage.pass.clone(), builder.compile(&stage.pass)?));
            }
        }
        builder.allocate(lists, &compiled)?;
        let mut bound = BTreeMap::new();
        for list in lists {
            bound.insert(list.name, builder.bind_list(list)?);
        }
        let device = gpu.device();
        let uniform = |label, size, usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage: usage | wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let (params, control) = match beside {
            Some(other) => (other.params.clone(), other.control.clone()),
            None => {
                let control = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
                (
                    uniform("params", Params::min_size().get(), wgpu::BufferUsages::COPY_SRC),
                    uniform("control", Control::min_size().get(), control),
                )
            }
        };
        let stage_size = (builder.uniforms.len().max(1) * STAGE_STRIDE) as u64;
        let stages = uniform("stage", stage_size, wgpu::BufferUsages::empty());
        let mut bytes = vec![0; stage_size as usize];
        for (index, stage) in builder.uniforms.iter().enumerate() {
            let at = index * STAGE_STRIDE;
            let stage = encode_uniform(stage);
            bytes[at..at + stage.len()].copy_from_slice(&stage);
        }
        gpu.queue().write_buffer(&stages, 0, &bytes);
        let buffers = builder.buffers;
        let common = [false, true].map(|writes_control| {
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("params, control, stage"),
                layout: gpu.common_layout(writes_control),
                entries: &[
                    wgpu::BindGroupEntry { binding: 0, resource: params.as_entire_binding() },
                    wgpu::BindGroupEntry { binding: 1, resource: control.as_entire_binding() },
                    wgpu::BindGroupEntry {
                        binding: 2,
                        resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                            buffer: &stages,
                            offset: 0,
                            size: Some(StageUniform::min_size()),
                        }),
                    },
                ],
            })
        });
        gpu.check()?;
        Ok(Self { gpu: gpu.clone(), buffers, params, control, common, lists: bound })
    }

    /// Copies all that fits of the buffers, params and Control of another machine.
    pub(crate) fn take_over(&self, other: &Self) {
        let mut encoder = self.gpu.device().create_command_encoder(&Default::default());
        let named = self.buffers.iter().filter_map(|(name, new)| Some((other.buffer(name)?, new)));
        let common = [(&other.params, &self.params), (&other.control, &self.control)];
        for (old, new) in named.chain(common) {
            encoder.copy_buffer_to_buffer(old, 0, new, 0, old.size().min(new.size()));
        }
        self.gpu.queue().submit([encoder.finish()]);
    }

    /// Records a list without loops and submits it.
    pub fn submit(&self, list: &str) {
        let mut encoder = self.gpu.device().create_command_encoder(&Default::default());
        self.record(list, Recording::default(), &mut encoder, None);
        self.gpu.queue().submit([encoder.finish()]);
    }

    /// Records a list.
    pub fn record(
        &self,
        list: &str,
        recording: Recording,
        encoder: &mut wgpu::CommandEncoder,
        timings: Option<&Timings>,
    ) {
        for entry in self.lists.get(list).into_iter().flatten() {
            match entry {
                Bound::Run(stage) => self.record_stage(stage, encoder, timings),
                Bound::WithFields(stage) if recording.fields => {
                    self.record_stage(stage, encoder, timings);
                }
                Bound::WithFields(_) => {}
                Bound::Repeat { number, begin, body, end } => {
                    self.record_stage(begin, encoder, timings);
                    let iterations = recording.iterations[*number as usize];
                    for stage in (0..iterations).flat_map(|_| body) {
                        self.record_stage(stage, encoder, timings);
                    }
                    self.record_stage(end, encoder, timings);
                }
            }
        }
    }

    fn record_stage(
        &self,
        stage: &BoundStage,
        encoder: &mut wgpu::CommandEncoder,
        timings: Option<&Timings>,
    ) {
        let record = |pass: &mut wgpu::ComputePass<'_>| {
            let common = &self.common[usize::from(stage.pass.reflection.writes_control)];
            pass.set_pipeline(&stage.pass.pipeline);
            pass.set_bind_group(0, common, &[stage.offset]);
            pass.set_bind_group(1, &stage.group, &[]);
            match &stage.dispatch {
                Dispatch::Direct([x, y]) => pass.dispatch_workgroups(*x, *y, 1),
                Dispatch::Indirect(buffer, at, _) => pass.dispatch_workgroups_indirect(buffer, *at),
            }
        };
        match timings {
            Some(timings) => timings.pass(&stage.label, encoder, record),
            None => record(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some(&stage.label),
                timestamp_writes: None,
            })),
        }
    }

    /// A buffer by name.
    #[must_use]
    pub fn buffer(&self, name: &str) -> Option<&wgpu::Buffer> {
        self.buffers.get(name)
    }

    /// The buffer of Control, which has the live count.
    #[must_use]
    pub fn control_buffer(&self) -> &wgpu::Buffer {
        &self.control
    }

    /// A buffer that the lists are known to bind.
    pub(crate) fn expect(&self, name: &str) -> &wgpu::Buffer {
        self.buffer(name).unwrap_or_else(|| panic!("no list binds {name}"))
    }

    /// Makes a buffer larger, which loses what it holds; a machine beside this one keeps the old one.
    ///
    /// # Errors
    /// [`Error::TooLarge`], a device error.
    pub(crate) fn enlarge(&mut self, name: &str, size: u64, particles: u32) -> Result<(), Error> {
        fits(&self.gpu, name, size, particles)?;
        let buffer = storage(&self.gpu, name, size, wgpu::BufferUsages::empty());
        self.buffers.insert(name.to_owned(), buffer);
        let stages = self.lists.values_mut().flatten().flat_map(Bound::stages_mut);
        for stage in stages.filter(|stage| stage.bindings.iter().any(|bound| bound.name == name)) {
            let BoundStage { label, pass, bindings, .. } = stage;
            stage.group = bind_group(&self.gpu, label, pass, bindings, &self.buffers);
        }
        self.gpu.check()
    }

    /// Names of all buffers.
    pub fn buffer_names(&self) -> impl Iterator<Item = &str> {
        self.buffers.keys().map(String::as_str)
    }

    /// Bytes of all buffers, by name.
    pub fn memory(&self) -> impl Iterator<Item = (&str, u64)> {
        self.buffers.iter().map(|(name, buffer)| (name.as_str(), buffer.size()))
    }

    /// Labels and dispatched invocations of a list's stages.
    pub fn stages(&self, list: &str) -> impl Iterator<Item = (&str, u64)> {
        let invocations = |stage: &BoundStage| {
            let workgroups = match stage.dispatch {
                Dispatch::Direct([x, y]) => u64::from(x) * u64::from(y),
                Dispatch::Indirect(_, _, most) => u64::from(most),
            };
            workgroups * u64::from(stage.pass.reflection.workgroup_size)
        };
        self.bound(list).into_iter().map(move |stage| (stage.label.as_str(), invocations(stage)))
    }

    fn bound(&self, list: &str) -> Vec<&BoundStage> {
        self.lists.get(list).into_iter().flatten().flat_map(Bound::stages).collect()
    }

    /// Labels of a list's stages, and the least bytes that each must move: every element of every
    /// bound buffer once, twice where it is read and written. Particle buffers count `live`
    /// elements.
    pub fn traffic(&self, list: &str, live: u32) -> impl Iterator<Item = (&str, u64)> {
        self.bound(list).into_iter().map(move |stage| {
            let bytes = |bound: &BoundBuffer| {
                let BoundBuffer { binding, elements, particles, .. } = bound;
                let elements = if *particles { live.min(*elements) } else { *elements };
                let times = if binding.read_only { 1 } else { 1 + u64::from(binding.reads) };
                u64::from(elements) * u64::from(binding.stride) * times
            };
            (stage.label.as_str(), stage.bindings.iter().map(bytes).sum())
        })
    }

    /// Writes the start of a buffer; unknown names and empty data are ignored.
    pub fn write(&self, name: &str, bytes: &[u8]) {
        if let Some(buffer) = self.buffers.get(name).filter(|_| !bytes.is_empty()) {
            self.gpu.queue().write_buffer(buffer, 0, bytes);
        }
    }

    /// Writes the parameters.
    pub fn write_params(&self, params: &Params) {
        self.gpu.queue().write_buffer(&self.params, 0, &encode_uniform(params));
    }

    /// Writes Control. Never while work is in flight that was not waited for.
    pub fn write_control(&self, control: &Control) {
        self.gpu.queue().write_buffer(&self.control, 0, &encode_uniform(control));
    }

    /// Reads Control.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub async fn read_control(&self) -> Result<Control, Error> {
        let bytes = self.gpu.read(&[&self.control]).await?;
        from_bytes(&bytes[0])
    }

    /// Reads buffers by name, and Control, in one submission. Unknown names give no bytes.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub async fn read(
        &self,
        names: &[&str],
    ) -> Result<(Control, BTreeMap<String, Vec<u8>>), Error> {
        let known: Vec<_> =
            names.iter().filter_map(|n| Some((*n, self.buffers.get(*n)?))).collect();
        let buffers: Vec<_> =
            std::iter::once(&self.control).chain(known.iter().map(|(_, buffer)| *buffer)).collect();
        let mut bytes = self.gpu.read(&buffers).await?.into_iter();
        let control = from_bytes(&bytes.next().unwrap_or_default())?;
        Ok((control, known.iter().map(|(name, _)| (*name).to_owned()).zip(bytes).collect()))
    }
}

fn from_bytes(bytes: &[u8]) -> Result<Control, Error> {
    let control = encase::StorageBuffer::new(bytes).create();
    control.map_err(|error| Error::Device(format!("Control came back malformed: {error}")))
}

fn stages_of(entry: &Entry) -> Vec<Stage> {
    match entry {
        Entry::Run(stage) | Entry::WithFields(stage) => vec![stage.clone()],
        Entry::Repeat { body, .. } => {
            let ends = ["loop/begin", "loop/test", "loop/end"].map(stage);
            body.iter().cloned().chain(ends).collect()
        }
    }
}

fn bind_group(
    gpu: &Gpu,
    label: &str,
    pass: &CompiledPass,
    bindings: &[BoundBuffer],
    buffers: &BTreeMap<String, wgpu::Buffer>,
) -> wgpu::BindGroup {
    let resource = |bound: &BoundBuffer| wgpu::BindGroupEntry {
        binding: bound.binding.index,
        resource: buffers[&bound.name].as_entire_binding(),
    };
    let entries: Vec<_> = bindings.iter().map(resource).collect();
    gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some(label),
        layout: &pass.layout,
        entries: &entries,
    })
}

/// A storage buffer, of which no more than the device allows may be asked.
fn storage(gpu: &Gpu, name: &str, size: u64, more: wgpu::BufferUsages) -> wgpu::Buffer {
    gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: Some(name),
        size,
        usage: wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST
            | more,
        mapped_at_creation: false,
    })
}

/// Whether a buffer of so many bytes can be had.
fn fits(gpu: &Gpu, name: &str, size: u64, particles: u32) -> Result<(), Error> {
    let limits = gpu.device().limits();
    let most = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    if size <= most {
        return Ok(());
    }
    Err(Error::TooLarge(format!(
        "buffer `{name}` needs {} MiB for {particles} particles, but adapter {} allows {} MiB in one buffer",
        mib(size),
        gpu.info().name,
        mib(most),
    )))
}

struct Builder<'a> {
    gpu: &'a Gpu,
    shaders: &'a Shaders,
    sizes: Sizes,
    extras: &'a [Extra],
    buffers: BTreeMap<String, wgpu::Buffer>,
    uniforms: Vec<StageUniform>,
    number: u32,
    phase: Phase,
}

impl Builder<'_> {
    fn compile(&self, pass: &str) -> Result<Arc<CompiledPass>, Error> {
        self.gpu.compile(&self.shaders.compose(pass, self.gpu.uses_subgroups())?)
    }

    fn row(&self, pass: &str) -> passes::Pass {
        let extra = self.extras.iter().find_map(|extra| match extra {
            Extra::Pass(row) if row.name == pass => Some(*row),
            _ => None,
        });
        // The table test keeps files and rows in step, so that a pass without one cannot ship.
        passes::find(pass)
            .or(extra)
            .unwrap_or_else(|| panic!("pass {pass} has no row in the table"))
    }

    fn buffer_row(&self, buffer: &str) -> buffers::Row {
        let extra = self.extras.iter().find_map(|extra| match extra {
            Extra::Buffer(row) if row.name == buffer => Some(*row),
            _ => None,
        });
        let row = buffers::find(buffer).or(extra);
        row.unwrap_or_else(|| panic!("buffer {buffer} has no row in the table"))
    }

    fn length(&self, buffer: &str) -> Length {
        self.buffer_row(buffer).length
    }

    fn allocate(
        &mut self,
        lists: &[List],
        compiled: &[(String, Arc<CompiledPass>)],
    ) -> Result<(), Error> {
        let mut bytes = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for stage in lists.iter().flat_map(|list| &list.entries).flat_map(stages_of) {
            if !seen.insert((stage.pass.clone(), stage.renames.clone())) {
                continue;
            }
            let pass = &compiled.iter().find(|(name, _)| *name == stage.pass).expect("compiled").1;
            for binding in &pass.reflection.bindings {
                let buffer = stage.buffer(&binding.name);
                let elements = self.sizes.elements(self.length(buffer));
                bytes.insert(buffer.to_owned(), u64::from(elements) * u64::from(binding.stride));
            }
            if matches!(self.row(&stage.pass).invocations, Invocations::Surface(_)) {
                let words = self.sizes.elements(self.length(DISPATCH));
                bytes.insert(DISPATCH.to_owned(), 4 * u64::from(words));
            }
        }
        // Buffers of the machine beside which this one is built, where they are long enough.
        let had = |name: &str| self.buffers.get(name).map_or(0, wgpu::Buffer::size);
        bytes.retain(|name, size| had(name) < *size);
        for (name, size) in &bytes {
            fits(self.gpu, name, *size, self.sizes.particles)?;
        }
        for (name, size) in bytes {
            let mut usage = wgpu::BufferUsages::empty();
            if self.buffer_row(&name).drawn {
                usage = wgpu::BufferUsages::VERTEX
                    | wgpu::BufferUsages::INDEX
                    | wgpu::BufferUsages::INDIRECT;
            }
            let buffer = storage(self.gpu, &name, size, usage);
            self.buffers.insert(name, buffer);
        }
        self.gpu.check()
    }

    fn bind_list(&mut self, list: &List) -> Result<Vec<Bound>, Error> {
        self.phase = list.phase;
        self.number = 0;
        let mut bound = Vec::new();
        for entry in &list.entries {
            bound.push(match entry {
                Entry::Run(stage) => Bound::Run(self.bind(stage)?),
                Entry::WithFields(stage) => Bound::WithFields(self.bind(stage)?),
                Entry::Repeat { number, body } => {
                    let around = LoopPlace { index: number + 1, ..Default::default() };
                    let begin = self.bind(&stage("loop/begin").at(around))?;
                    let first = self.number;
                    let inside = LoopPlace { body: true, ..around };
                    let mut stages = Vec::new();
                    for stage in body.iter().cloned().chain([stage("loop/test")]) {
                        stages.push(self.bind(&stage.at(inside))?);
                    }
                    let end = self.bind(&stage("loop/end").at(LoopPlace { first, ..around }))?;
                    Bound::Repeat { number: *number, begin, body: stages, end }
                }
            });
        }
        Ok(bound)
    }

    fn bind(&mut self, stage: &Stage) -> Result<BoundStage, Error> {
        let pass = self.compile(&stage.pass)?;
        let size = pass.reflection.workgroup_size;
        let per = |invocations: u32| u64::from(invocations.div_ceil(size).max(1));
        let (sizes, row) = (self.sizes, self.row(&stage.pass));
        let workgroups = match row.invocations {
            Invocations::One => 1,
            Invocations::Particles => per(self.sizes.particles),
            Invocations::Members => per(CLUSTER * sizes.clusters()),
            Invocations::EmitterPoints => per(self.sizes.emitter_points),
            Invocations::Colliders => per(self.sizes.colliders),
            Invocations::Elements => per(stage.elements),
            Invocations::Blocks => u64::from(stage.elements.div_ceil(REDUCE_BLOCK).max(1)),
            Invocations::Diagnostics => u64::from(DIAGNOSTICS_BLOCKS),
            Invocations::Surface(0) => u64::from(sizes.tiles().div_ceil(FIELD_TILES)),
            Invocations::Surface(VERTICES_AT) => per(sizes.surface_vertices),
            Invocations::Surface(_) => u64::from(sizes.tiles()),
        };
        let (dispatch, width) = if let Invocations::Surface(at) = row.invocations {
            let most = fold(workgroups, INDIRECT_ROW * self.gpu.max_workgroups())?[0];
            (Dispatch::Indirect(self.buffers[DISPATCH].clone(), at, most), INDIRECT_ROW)
        } else {
            let folded = fold(workgroups, self.gpu.max_workgroups())?;
            let dispatch = stage.touching.map_or(Dispatch::Direct(folded), |at| {
                let buffer = self.buffers[TOUCHING].clone();
                self.gpu.queue().write_buffer(&buffer, at, bytemuck::cast_slice(&folded));
                Dispatch::Indirect(buffer, at, folded[0] * folded[1])
            });
            (dispatch, folded[0])
        };
        let offset = (self.uniforms.len() * STAGE_STRIDE) as u32;
        self.uniforms.push(StageUniform {
            number: self.number,
            element_count: stage.elements,
            row: width * size,
            phase: self.phase as u32,
            loop_index: stage.place.index,
            loop_body: u32::from(stage.place.body),
            loop_first: stage.place.first,
            reserved: 0,
        });
        self.number += 1;
        let bound = |binding: &Binding| {
            let name = stage.buffer(&binding.name);
            let length = self.length(name);
            BoundBuffer {
                binding: binding.clone(),
                name: name.to_owned(),
                elements: self.sizes.elements(length),
                particles: length == Length::Particles,
            }
        };
        let bindings: Vec<_> = pass.reflection.bindings.iter().map(bound).collect();
        let label = stage.label();
        let group = bind_group(self.gpu, &label, &pass, &bindings, &self.buffers);
        Ok(BoundStage { label, pass, group, bindings, dispatch, offset })
    }
}
