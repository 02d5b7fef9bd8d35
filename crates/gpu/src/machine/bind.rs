//! Plans bound to buffers: pipelines, bind groups, workgroups and the stages' own uniforms.

use std::{collections::BTreeMap, sync::Arc};

use meniscus_methods::{
    ListError,
    arrays::Row,
    passes::{Grain, INDIRECT_ROW},
    plan::{Part, Placed, Plans},
    space::{BUSY_CELLS, Flag, MEMBERS, PARTICLES, Words},
    tables::Tables,
};

use meniscus_model::{Control, control::StageUniform, shared::encode_uniform};

use super::{Bound, BoundBuffer, BoundStage, Dispatch, images::Images, memory::Buffers};
use crate::{Error, Gpu, device::CompiledPass, shaders::Shaders};

/// Alignment of dynamic uniform offsets on every device.
const STAGE_STRIDE: usize = 256;

/// A compiled pass, and the bindings of its stages with the same renames.
pub(super) struct Shader {
    pass: Arc<CompiledPass>,
    name: String,
    renames: Vec<(String, String)>,
    /// Rows and bytes per element of the arrays that it needs, including those of indirect
    /// dispatches.
    pub(super) arrays: Vec<(Row, u32)>,
    /// Rows of the arrays that it gathers from textures, and their formats.
    pub(super) images: Vec<(Row, wgpu::TextureFormat)>,
}

/// Compiles the passes of all stages, and looks up their arrays.
pub(super) fn compile(
    gpu: &Gpu,
    shaders: &Shaders,
    plans: &Plans,
    tables: &Tables<'_>,
) -> Result<Vec<Shader>, Error> {
    let mut compiled: Vec<Shader> = Vec::new();
    for placed in plans.stages() {
        let stage = &placed.stage;
        if compiled.iter().any(|shader| shader.is_of(placed)) {
            continue;
        }
        let known = compiled.iter().find(|shader| shader.name == stage.pass);
        let pass = match known {
            Some(shader) => shader.pass.clone(),
            None => gpu.compile(&shaders.compose(&stage.pass, gpu.uses_subgroups())?)?,
        };
        let bindings = &pass.reflection.bindings;
        for (variable, _) in &stage.renames {
            if !bindings.iter().any(|binding| binding.name == *variable) {
                let pass = &stage.pass;
                let problem = format!("pass `{pass}` has no variable `{variable}` to rename");
                return Err(ListError(problem).into());
            }
        }
        let words = |array: &str| Ok::<_, Error>((tables.array(array)?, 4));
        let (mut arrays, mut images) = (Vec::new(), Vec::new());
        for binding in bindings {
            let row = tables.array(stage.array(&binding.name)).map_err(|error| {
                ListError(format!("pass `{}`, variable `{}`: {error}", stage.pass, binding.name))
            })?;
            // A pass may see the vectors of an array as scalars.
            let whole = row.width(&|_| None).map_or(0, |words| 4 * words);
            arrays.push((row, binding.stride.max(whole)));
            images.extend(binding.image.map(|format| (row, format)));
        }
        if let Some(at) = placed.extent.space.dispatch {
            arrays.push(words(at.array)?);
        }
        if let Some(array) = stage.when.and_then(|flag| flag.array) {
            arrays.push(words(array)?);
        }
        let (name, renames) = (stage.pass.clone(), stage.renames.clone());
        compiled.push(Shader { pass, name, renames, arrays, images });
    }
    Ok(compiled)
}

impl Shader {
    fn is_of(&self, placed: &Placed) -> bool {
        // Stages of one pass may take their workgroup counts from different arrays.
        let needs = |array: &str| self.arrays.iter().any(|(row, _)| row.name == array);
        let dispatch = placed.extent.space.dispatch.map(|words| words.array);
        let flag = placed.stage.when.and_then(|flag| flag.array);
        self.name == placed.stage.pass
            && self.renames == placed.stage.renames
            && dispatch.into_iter().chain(flag).all(needs)
    }
}

/// Workgroups in x and y: more than `limit` are folded into a second dimension.
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

/// Binds the stages of all lists.
pub(super) struct Binder<'a> {
    pub(super) gpu: &'a Gpu,
    pub(super) plans: &'a Plans,
    pub(super) tables: Tables<'a>,
    pub(super) shaders: &'a [Shader],
    pub(super) buffers: &'a Buffers,
    pub(super) images: &'a Images,
    pub(super) control: &'a wgpu::Buffer,
    uniforms: Vec<StageUniform>,
    /// Workgroups in x and y of stages with a GPU flag, by its array.
    flagged: BTreeMap<&'static str, Vec<[u32; 2]>>,
}

impl<'a> Binder<'a> {
    pub(super) fn new(
        gpu: &'a Gpu,
        plans: &'a Plans,
        tables: Tables<'a>,
        shaders: &'a [Shader],
        (buffers, images, control): (&'a Buffers, &'a Images, &'a wgpu::Buffer),
    ) -> Self {
        let (uniforms, flagged) = (Vec::new(), BTreeMap::new());
        Self { gpu, plans, tables, shaders, buffers, images, control, uniforms, flagged }
    }

    /// Bound lists.
    pub(super) fn lists(&mut self) -> Result<BTreeMap<&'static str, Vec<Bound>>, Error> {
        let plans = self.plans;
        let mut lists = BTreeMap::new();
        for (name, parts) in &plans.lists {
            let bound: Result<Vec<_>, _> = parts.iter().map(|part| self.part(part)).collect();
            lists.insert(*name, bound?);
        }
        Ok(lists)
    }

    /// Uniforms of all stages.
    pub(super) fn uniforms(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.uniforms.len().max(1) * STAGE_STRIDE];
        for (uniform, place) in self.uniforms.iter().zip(bytes.chunks_mut(STAGE_STRIDE)) {
            let uniform = encode_uniform(uniform);
            place[..uniform.len()].copy_from_slice(&uniform);
        }
        bytes
    }

    fn part(&mut self, part: &Part) -> Result<Bound, Error> {
        Ok(match part {
            Part::Stage(stage) => Bound::Run(self.stage(stage)?),
            Part::Loop { number, body } => {
                let body: Result<_, _> = body.iter().map(|stage| self.stage(stage)).collect();
                Bound::Repeat { number: *number, body: body? }
            }
        })
    }

    fn stage(&mut self, placed: &Placed) -> Result<BoundStage, Error> {
        let stage = &placed.stage;
        let shader = self.shaders.iter().find(|shader| shader.is_of(placed)).expect("compiled");
        let pass = shader.pass.clone();
        let size = pass.reflection.workgroup_size;
        let workgroups = u64::from(match placed.pass.grain {
            Grain::Single => 1,
            Grain::Each => placed.elements.div_ceil(size).max(1),
            Grain::Group(elements) => placed.elements.div_ceil(elements).max(1),
        });
        let (dispatch, width) = match self.by_control(placed, workgroups)? {
            Some(dispatch) => (dispatch, INDIRECT_ROW),
            None => self.dispatch(placed.counted(), stage.when, workgroups)?,
        };
        let offset = (self.uniforms.len() * STAGE_STRIDE) as u32;
        self.uniforms.push(StageUniform {
            number: placed.number,
            element_count: placed.elements,
            row: width * size,
            phase: placed.phase as u32,
            loop_index: placed.loop_index,
            loop_first: placed.loop_first,
            level: stage.level,
            loop_place: placed.loop_place,
            not_first: u32::from(placed.not_first),
        });
        let mut bindings = Vec::new();
        for binding in &pass.reflection.bindings {
            let row = self.tables.array(stage.array(&binding.name))?;
            bindings.push(BoundBuffer {
                binding: binding.clone(),
                name: row.name.to_owned(),
                elements: self.plans.counts.get(row.extent)?.max(1),
                space: row.extent.space,
            });
        }
        let label = stage.label();
        let view = |bound: &BoundBuffer| bound.binding.image.map(|_| self.images.view(&bound.name));
        let views: Vec<_> = bindings.iter().map(view).collect();
        let mut entries = Vec::new();
        for (bound, view) in bindings.iter().zip(&views) {
            let resource = match view {
                Some(view) => wgpu::BindingResource::TextureView(view),
                None => self.buffers[&bound.name].as_entire_binding(),
            };
            entries.push(wgpu::BindGroupEntry { binding: bound.binding.index, resource });
        }
        let group = self.gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(&label),
            layout: &pass.layout,
            entries: &entries,
        });
        let flag = stage.when.filter(|flag| flag.array.is_none());
        let over = placed.extent.space;
        let is_local = [PARTICLES, BUSY_CELLS].iter().any(|extent| extent.space == over);
        Ok(BoundStage { label, pass, group, bindings, dispatch, offset, flag, is_local })
    }

    /// Dispatch of a pass over clusters with the number of workgroups in Control, if indirect
    /// dispatches are cheap: those without work cost a part of the full time on software Vulkan,
    /// where each thread gets an equal share of workgroups, and a branch skips nothing. The same of a
    /// pass over busy cells in a loop: there are none once it has ended.
    fn by_control(&self, placed: &Placed, workgroups: u64) -> Result<Option<Dispatch>, Error> {
        let by_flag = placed.stage.when.is_some_and(|flag| flag.array.is_some());
        let clusters = placed.extent == MEMBERS && self.gpu.uses_subgroups();
        let cells = placed.in_body && placed.pass.extent == Some(BUSY_CELLS);
        if by_flag || !clusters && !cells {
            return Ok(None);
        }
        let (word, place) = match placed.in_body {
            true => ("loop_groups", u64::from(placed.loop_place)),
            false => ("cluster_groups", 0),
        };
        let most = fold(workgroups, INDIRECT_ROW * self.gpu.max_workgroups())?[0];
        // Vectors of three are 16 bytes apart.
        let offset = Control::offset_of(word).map_err(ListError)? + 16 * place;
        Ok(Some(Dispatch::Indirect(self.control.clone(), offset, most)))
    }

    /// Source of a stage's workgroup counts, and the number of workgroups per row.
    fn dispatch(
        &mut self,
        words: Option<Words>,
        when: Option<Flag>,
        workgroups: u64,
    ) -> Result<(Dispatch, u32), Error> {
        let limit = self.gpu.max_workgroups();
        let flag = when.and_then(|flag| flag.array);
        if let Some(at) = words {
            let most = fold(workgroups, INDIRECT_ROW * limit)?[0];
            let buffer = self.buffers[at.array].clone();
            return Ok((Dispatch::Indirect(buffer, 4 * u64::from(at.first), most), INDIRECT_ROW));
        }
        let folded = fold(workgroups, limit)?;
        let Some(array) = flag else { return Ok((Dispatch::Direct(folded), folded[0])) };
        let sizes = self.flagged.entry(array).or_default();
        let place = sizes.iter().position(|size| *size == folded).unwrap_or_else(|| {
            sizes.push(folded);
            sizes.len() - 1
        });
        let room = self.plans.counts.get(self.tables.array(array)?.extent)? as usize / 3;
        if place >= room {
            let problem = format!("`{array}` has room for stages of {room} sizes, there are more");
            return Err(ListError(problem).into());
        }
        let (buffer, at) = (self.buffers[array].clone(), 12 * place as u64);
        self.gpu.queue().write_buffer(&buffer, at, bytemuck::cast_slice(&folded));
        Ok((Dispatch::Indirect(buffer, at, folded[0] * folded[1]), folded[0]))
    }
}
