//! Lists of stages bound to buffers on a device, on which simulations run; tests also use them to
//! run a single pass on their own buffers.

use std::{collections::BTreeMap, sync::Arc};

use encase::ShaderType;
use meniscus_methods::{
    ListError,
    plan::Plans,
    space::{CELLS, Counts, Flag, PARTICLES, Space},
    tables::Tables,
};
use meniscus_model::{
    Control, Params, control::StageUniform, params::MAX_LOOPS, shared::encode_uniform,
};

use crate::{
    Error, Gpu, Timings,
    device::CompiledPass,
    shaders::{Binding, Shaders},
};
pub use bind::fold;
pub use meniscus_methods::{
    stage::{List, Phase},
    tables::Extra,
};
use record::Recorder;

mod bind;
mod images;
mod memory;
mod record;

/// Lists bound to buffers.
#[derive(Debug)]
pub struct Machine {
    gpu: Gpu,
    shaders: Shaders,
    lists: Vec<List>,
    extras: Vec<Extra>,
    counts: Counts,
    loops: Vec<String>,
    buffers: memory::Buffers,
    /// How often buffers were replaced.
    generation: u64,
    images: images::Images,
    params: wgpu::Buffer,
    control: wgpu::Buffer,
    common: [wgpu::BindGroup; 2],
    bound: BTreeMap<&'static str, Vec<Bound>>,
}

#[derive(Debug)]
enum Bound {
    Run(BoundStage),
    Repeat { number: usize, body: Vec<BoundStage> },
}

impl Bound {
    fn stages(&self) -> Vec<&BoundStage> {
        match self {
            Self::Run(stage) => vec![stage],
            Self::Repeat { body, .. } => body.iter().collect(),
        }
    }
}

/// Options for recording a list. Results do not depend on the number of iterations.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct Recording<'a> {
    /// Iterations to record of each loop, by its index in `params.loops`.
    pub iterations: [u32; MAX_LOOPS],
    /// Host flags that are set.
    pub flags: &'a [Flag],
    /// Number of the first stage that is active, where the last recording ended inside a loop: those before it are left out.
    pub first: u32,
}

#[derive(Debug)]
struct BoundStage {
    label: String,
    pass: Arc<CompiledPass>,
    group: wgpu::BindGroup,
    bindings: Vec<BoundBuffer>,
    dispatch: Dispatch,
    offset: u32,
    /// Host flag that must be set for it to be recorded.
    flag: Option<Flag>,
    /// Whether it runs over particles, or over cells that have something to do.
    is_local: bool,
}

#[derive(Debug)]
struct BoundBuffer {
    binding: Binding,
    /// Name of the array.
    name: String,
    elements: u32,
    space: Space,
}

/// Workgroups of a stage.
#[derive(Debug)]
enum Dispatch {
    /// Workgroups in x and y.
    Direct([u32; 2]),
    /// Workgroups in the buffer, at this byte offset; at most the last number.
    Indirect(wgpu::Buffer, u64, u32),
}

impl Machine {
    /// Compiles the lists' passes, allocates their arrays, and binds them.
    ///
    /// # Errors
    /// A shader that does not compile, a list that refers to something that does not exist, buffers
    /// that do not fit, a device error.
    pub fn new(
        gpu: &Gpu,
        shaders: &Shaders,
        counts: &Counts,
        lists: &[List],
        extras: &[Extra],
    ) -> Result<Self, Error> {
        Self::build(gpu, shaders, counts, lists, extras, None)
    }

    /// Like [`Machine::new`], but sharing the buffers, params and control that this machine has.
    ///
    /// # Errors
    /// As [`Machine::new`].
    pub fn beside(
        &self,
        shaders: &Shaders,
        counts: &Counts,
        lists: &[List],
    ) -> Result<Self, Error> {
        Self::build(&self.gpu, shaders, counts, lists, &self.extras, Some(self))
    }

    fn build(
        gpu: &Gpu,
        shaders: &Shaders,
        counts: &Counts,
        lists: &[List],
        extras: &[Extra],
        beside: Option<&Self>,
    ) -> Result<Self, Error> {
        let plans = Plans::new(lists, counts, &Tables::with(extras))?;
        let machine = Self::of_plans(gpu, shaders, &plans, extras, beside)?;
        Ok(Self { lists: lists.to_vec(), counts: counts.clone(), ..machine })
    }

    /// Machine for plans that may have been changed, as by tests that run a single stage; it cannot
    /// grow.
    ///
    /// # Errors
    /// As [`Machine::new`].
    pub fn of_plans(
        gpu: &Gpu,
        shaders: &Shaders,
        plans: &Plans,
        extras: &[Extra],
        beside: Option<&Self>,
    ) -> Result<Self, Error> {
        if plans.loops.len() > MAX_LOOPS {
            let names = plans.loops.join(", ");
            return Err(ListError(format!("more than {MAX_LOOPS} loops: {names}")).into());
        }
        let tables = Tables::with(extras);
        let compiled = bind::compile(gpu, shaders, plans, &tables)?;
        let machine = gpu.caught(|| {
            Self::of_compiled(gpu, shaders, plans, extras, beside, (tables, &compiled))
        })??;
        gpu.sound()?;
        Ok(machine)
    }

    fn of_compiled(
        gpu: &Gpu,
        shaders: &Shaders,
        plans: &Plans,
        extras: &[Extra],
        beside: Option<&Self>,
        (tables, compiled): (Tables<'_>, &[bind::Shader]),
    ) -> Result<Self, Error> {
        let had = beside.map(|other| other.buffers.clone()).unwrap_or_default();
        let buffers = memory::allocate(gpu, plans, compiled, had)?;
        let images = images::allocate(gpu, compiled, &buffers)?;
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
                let params = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
                let control = wgpu::BufferUsages::STORAGE
                    | wgpu::BufferUsages::INDIRECT
                    | wgpu::BufferUsages::COPY_SRC;
                (
                    uniform("params", Params::min_size().get(), params),
                    uniform("control", Control::min_size().get(), control),
                )
            }
        };
        let bound_to = (&buffers, &images, &control);
        let mut binder = bind::Binder::new(gpu, plans, tables, compiled, bound_to);
        let bound = binder.lists()?;
        let bytes = binder.uniforms();
        let stages = uniform("stage", bytes.len() as u64, wgpu::BufferUsages::empty());
        gpu.queue().write_buffer(&stages, 0, &bytes);
        let stage = wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: &stages,
            offset: 0,
            size: Some(StageUniform::min_size()),
        });
        let all = [params.as_entire_binding(), control.as_entire_binding(), stage];
        let again = gpu.bounds_in_storage().then(|| params.as_entire_binding());
        let resources = all.into_iter().chain(again).zip(0..);
        let entries: Vec<_> = resources
            .map(|(resource, binding)| wgpu::BindGroupEntry { binding, resource })
            .collect();
        let common = [false, true].map(|writes_control| {
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("params, control, stage"),
                layout: gpu.common_layout(writes_control),
                entries: &entries,
            })
        });
        Ok(Self {
            gpu: gpu.clone(),
            shaders: shaders.clone(),
            lists: Vec::new(),
            extras: extras.to_vec(),
            counts: plans.counts.clone(),
            loops: plans.loops.clone(),
            buffers,
            generation: 0,
            images,
            params,
            control,
            common,
            bound,
        })
    }

    /// Number of elements of each space.
    #[must_use]
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Shaders that its passes are made of.
    pub(crate) fn shaders(&self) -> &Shaders {
        &self.shaders
    }

    /// Names of the loops, in the order of `params.loops`.
    #[must_use]
    pub fn loops(&self) -> &[String] {
        &self.loops
    }

    /// Records a list without loops and submits it.
    ///
    /// # Errors
    /// No list of that name.
    pub fn submit(&self, list: &str) -> Result<(), Error> {
        self.submit_with(|encoder| self.record(list, Recording::default(), encoder, None))
    }

    /// Submits what `record` records.
    pub(crate) fn submit_with<T>(
        &self,
        record: impl FnOnce(&mut wgpu::CommandEncoder) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.gpu.caught(|| {
            let mut encoder = self.gpu.device().create_command_encoder(&Default::default());
            let value = record(&mut encoder)?;
            self.gpu.queue().submit([encoder.finish()]);
            Ok(value)
        })?
    }

    /// Records a list.
    ///
    /// # Errors
    /// No list of that name.
    pub fn record(
        &self,
        list: &str,
        recording: Recording<'_>,
        encoder: &mut wgpu::CommandEncoder,
        timings: Option<&Timings>,
    ) -> Result<(), Error> {
        let mut recorder = Recorder::new(self, encoder, timings);
        let mut record = |stage: &BoundStage| {
            if stage.flag.is_none_or(|flag| recording.flags.contains(&flag)) {
                recorder.record(stage);
            }
        };
        let mut next = 0;
        for entry in self.list(list)? {
            next += entry.stages().len() as u32;
            if next <= recording.first {
                continue;
            }
            match entry {
                Bound::Run(stage) => record(stage),
                Bound::Repeat { number, body } => {
                    let iterations = recording.iterations[*number];
                    (0..iterations).flat_map(|_| body).for_each(&mut record);
                }
            }
        }
        Ok(())
    }

    /// Records a list of plain stages in a compute pass of its own, which may be timed.
    pub(crate) fn record_stamped(
        &self,
        list: &str,
        encoder: &mut wgpu::CommandEncoder,
        stamps: Option<wgpu::ComputePassTimestampWrites<'_>>,
    ) -> Result<(), Error> {
        let descriptor =
            wgpu::ComputePassDescriptor { label: Some(list), timestamp_writes: stamps };
        let mut pass = encoder.begin_compute_pass(&descriptor);
        self.list(list)?
            .iter()
            .flat_map(Bound::stages)
            .for_each(|one| self.dispatch(one, &mut pass));
        Ok(())
    }

    /// Records a single stage of a list, the one with this
    /// [`Placed::number`](meniscus_methods::plan::Placed).
    ///
    /// # Errors
    /// No list of that name, or no stage of that number in it.
    pub fn record_stage_alone(
        &self,
        list: &str,
        number: u32,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<(), Error> {
        Recorder::new(self, encoder, None).record(self.numbered(list, number)?);
        Ok(())
    }

    /// Names of the arrays that this stage of a list binds, to a buffer or a texture or both.
    ///
    /// # Errors
    /// As [`Machine::record_stage_alone`].
    pub fn arrays_of_stage(&self, list: &str, number: u32) -> Result<Vec<&str>, Error> {
        let stage = self.numbered(list, number)?;
        Ok(stage.bindings.iter().map(|bound| bound.name.as_str()).collect())
    }

    fn numbered(&self, list: &str, number: u32) -> Result<&BoundStage, Error> {
        let mut stages = self.list(list)?.iter().flat_map(Bound::stages);
        let unknown = || ListError(format!("list `{list}` has no stage {number}"));
        Ok(stages.nth(number as usize).ok_or_else(unknown)?)
    }

    fn list(&self, name: &str) -> Result<&[Bound], Error> {
        let found = self.bound.get(name).map(Vec::as_slice);
        Ok(found.ok_or_else(|| ListError(format!("no list is named `{name}`")))?)
    }

    /// Buffer by name.
    #[must_use]
    pub fn buffer(&self, name: &str) -> Option<&wgpu::Buffer> {
        self.buffers.get(name)
    }

    /// How often buffers were replaced by larger ones.
    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }

    /// Buffer of Control, which has the number of live particles.
    #[must_use]
    pub fn control_buffer(&self) -> &wgpu::Buffer {
        &self.control
    }

    /// Buffer that the lists are known to bind.
    pub(crate) fn expect(&self, name: &str) -> &wgpu::Buffer {
        self.buffer(name).unwrap_or_else(|| panic!("no list binds {name}"))
    }

    /// Names of all buffers.
    pub fn buffer_names(&self) -> impl Iterator<Item = &str> {
        self.buffers.keys().map(String::as_str)
    }

    /// Bytes of all buffers, by name.
    pub fn memory(&self) -> impl Iterator<Item = (&str, u64)> {
        self.buffers.iter().map(|(name, buffer)| (name.as_str(), buffer.size()))
    }

    /// Labels and dispatched invocations of a list's stages; empty for an unknown list.
    pub fn stages(&self, list: &str) -> impl Iterator<Item = (&str, u64)> {
        let invocations = |stage: &BoundStage| {
            let workgroups = match stage.dispatch {
                Dispatch::Direct([x, y]) => u64::from(x) * u64::from(y),
                Dispatch::Indirect(_, _, most) => u64::from(most),
            };
            workgroups * u64::from(stage.pass.reflection.workgroup_size)
        };
        self.bound(list).map(move |stage| (stage.label.as_str(), invocations(stage)))
    }

    fn bound(&self, list: &str) -> impl Iterator<Item = &BoundStage> {
        self.bound.get(list).into_iter().flatten().flat_map(Bound::stages)
    }

    /// Labels of a list's stages, and the least number of bytes that each must move: every element
    /// of every bound array once, or twice if it is read and written. Of arrays over particles `particles` elements count, and
    /// of those over cells `busy`, where a stage runs over particles or over cells that have something to do.
    pub fn traffic(
        &self,
        list: &str,
        particles: u32,
        busy: u32,
    ) -> impl Iterator<Item = (&str, u64)> {
        self.bound(list).map(move |stage| {
            let bytes = |bound: &BoundBuffer| {
                let BoundBuffer { binding, elements, space: own, .. } = bound;
                let most = match *own {
                    own if own == PARTICLES.space => particles,
                    own if own == CELLS.space && stage.is_local => busy,
                    _ => u32::MAX,
                };
                let elements = most.min(*elements);
                let times = if binding.read_only { 1 } else { 1 + u64::from(binding.reads) };
                u64::from(elements) * u64::from(binding.stride) * times
            };
            (stage.label.as_str(), stage.bindings.iter().map(bytes).sum())
        })
    }

    /// Writes the start of an array; does nothing if no list binds it.
    ///
    /// # Errors
    /// No array of that name, more bytes than it has.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.write_from(name, 0, bytes)
    }

    /// Writes a part of an array, from byte `first` on.
    ///
    /// # Errors
    /// As [`Machine::write`].
    pub fn write_from(&self, name: &str, first: u64, bytes: &[u8]) -> Result<(), Error> {
        Tables::with(&self.extras).array(name)?;
        let Some(buffer) = self.buffers.get(name) else { return Ok(()) };
        let end = first + bytes.len() as u64;
        if end > buffer.size() {
            let size = buffer.size();
            return Err(Error::TooLarge(format!(
                "{end} bytes for array `{name}`, which has {size}"
            )));
        }
        if !bytes.is_empty() {
            self.gpu.caught(|| self.gpu.queue().write_buffer(buffer, first, bytes))?;
        }
        Ok(())
    }

    /// Sets `count` words of an array from word `first` on to 0.
    ///
    /// # Errors
    /// As [`Machine::write`].
    pub fn clear(&self, name: &str, first: u32, count: u32) -> Result<(), Error> {
        Tables::with(&self.extras).array(name)?;
        let Some(buffer) = self.buffers.get(name) else { return Ok(()) };
        let [first, size] = [first, count].map(|words| 4 * u64::from(words));
        if first + size > buffer.size() {
            let size = buffer.size();
            return Err(Error::TooLarge(format!(
                "words of array `{name}`, which has {size} bytes"
            )));
        }
        self.submit_with(|encoder| {
            encoder.clear_buffer(buffer, first, Some(size));
            Ok(())
        })
    }

    /// Sets arrays to 0, in one submission.
    pub(crate) fn clear_all(&self, names: &[&str]) -> Result<(), Error> {
        self.submit_with(|encoder| {
            for buffer in names.iter().filter_map(|name| self.buffers.get(*name)) {
                encoder.clear_buffer(buffer, 0, None);
            }
            Ok(())
        })
    }

    /// Writes the parameters.
    pub fn write_params(&self, params: &Params) {
        self.write_uniform(&self.params, 0, &encode_uniform(params));
    }

    /// Writes Control. Call it only when no submitted work is in flight.
    pub fn write_control(&self, control: &Control) {
        self.write_uniform(&self.control, 0, &encode_uniform(control));
    }

    /// Writes a uniform, with any error at the next check of the device.
    fn write_uniform(&self, buffer: &wgpu::Buffer, first: u64, bytes: &[u8]) {
        self.gpu.caught_for_later(|| self.gpu.queue().write_buffer(buffer, first, bytes));
    }

    /// Sets the most iterations that loops have needed, which are counted for the host alone, to 0.
    pub(crate) fn forget_iterations(&self, encoder: &mut wgpu::CommandEncoder) {
        let at = Control::offset_of("most_iterations").unwrap_or_else(|error| panic!("{error}"));
        encoder.clear_buffer(&self.control, at, Some(4 * MAX_LOOPS as u64));
    }

    /// Reads Control.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub async fn read_control(&self) -> Result<Control, Error> {
        let bytes = self.gpu.read(&[&self.control]).await?;
        control_of(&bytes[0])
    }

    /// Reads arrays by name, and Control, in one submission; arrays that no list binds are left
    /// out.
    ///
    /// # Errors
    /// No array of that name, [`Error::Device`].
    pub async fn read(
        &self,
        names: &[&str],
    ) -> Result<(Control, BTreeMap<String, Vec<u8>>), Error> {
        for name in names {
            Tables::with(&self.extras).array(name)?;
        }
        let known: Vec<_> =
            names.iter().filter_map(|n| Some((*n, self.buffers.get(*n)?))).collect();
        let buffers: Vec<_> =
            std::iter::once(&self.control).chain(known.iter().map(|(_, buffer)| *buffer)).collect();
        let mut bytes = self.gpu.read(&buffers).await?.into_iter();
        let control = control_of(&bytes.next().unwrap_or_default())?;
        Ok((control, known.iter().map(|(name, _)| (*name).to_owned()).zip(bytes).collect()))
    }
}

pub(crate) fn control_of(bytes: &[u8]) -> Result<Control, Error> {
    let control = encase::StorageBuffer::new(bytes).create();
    control.map_err(|error| Error::Device(format!("Control came back malformed: {error}")))
}
