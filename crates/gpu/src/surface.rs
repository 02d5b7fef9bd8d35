//! The fluid's surface as an indexed mesh, extracted by marching cubes on the GPU.

use encase::ShaderType;
pub use meniscus_methods::lists::surface::SurfaceOptions;
use meniscus_methods::{
    lists,
    passes::TILE_NODES,
    space::{
        Counts, INDEX_SPACE, INDICES, PARTICLES, SORTED, TILE_SPACE, TILES, VERTEX_SPACE, VERTICES,
    },
};
use meniscus_model::{marching_cubes, surface::SurfaceControl};

use crate::{
    Error, Gpu, Simulation, Timings,
    device::{Answer, Arrival},
    machine::{List, Machine, Phase, Recording},
    shaders::Shaders,
    timings::PassTime,
};

/// λ of Taubin's smoothing.
const SHRINK: f32 = 0.5;
/// μ of Taubin's smoothing.
const INFLATE: f32 = -0.53;
/// Initial guess of the vertices per block at fineness 1.
const VERTICES_PER_BLOCK: u32 = 16;

/// Triangle mesh of the surface, read back.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SurfaceMesh {
    /// World positions of the vertices in m.
    pub position: Vec<[f32; 3]>,
    /// Outward unit normals.
    pub normal: Vec<[f32; 3]>,
    /// Velocity at the vertices in m/s, if requested.
    pub velocity: Option<Vec<[f32; 3]>>,
    /// Triangles, counter-clockwise as seen from outside the fluid.
    pub triangles: Vec<[u32; 3]>,
    /// Number of particles beyond the box of the grid's cells, which the surface leaves out.
    pub outside: u32,
}

/// Surface of a simulation's fluid. Its buffers can be drawn in place ([`FluidMesh::machine`]:
/// `surface_position`, `surface_normal`, `surface_index`, and the arguments of an indexed indirect
/// draw, `surface_draw`); later steps do not change them.
#[derive(Debug)]
pub struct FluidMesh {
    gpu: Gpu,
    shaders: Shaders,
    machine: Machine,
    options: SurfaceOptions,
    counts: Counts,
    control: SurfaceControl,
    /// What the last recording found, on its way back.
    flight: Option<(wgpu::Buffer, Arrival)>,
}

impl FluidMesh {
    /// Buffers for the surface of a simulation; [`FluidMesh::fit`] lets them grow.
    ///
    /// # Errors
    /// [`Error::Options`] for options out of range and for 2-D scenes; buffers that do not fit, a
    /// device error.
    pub fn new(
        gpu: &Gpu,
        simulation: &Simulation,
        options: &SurfaceOptions,
    ) -> Result<Self, Error> {
        Self::with_shaders(gpu, simulation, options, &Shaders::standard())
    }

    /// A surface of each of these materials; of all fluid if it is only one.
    ///
    /// # Errors
    /// As [`FluidMesh::new`].
    pub fn of_materials(
        gpu: &Gpu,
        simulation: &Simulation,
        options: &SurfaceOptions,
        materials: &[u32],
    ) -> Result<Vec<Self>, Error> {
        Self::of_materials_with_shaders(gpu, simulation, options, materials, &Shaders::standard())
    }

    /// Like [`FluidMesh::of_materials`], with shader files that may have been changed.
    ///
    /// # Errors
    /// As [`FluidMesh::new`], and shaders that do not compile.
    pub fn of_materials_with_shaders(
        gpu: &Gpu,
        simulation: &Simulation,
        options: &SurfaceOptions,
        materials: &[u32],
        shaders: &Shaders,
    ) -> Result<Vec<Self>, Error> {
        let each = |material| {
            let options = SurfaceOptions { material, ..*options };
            Self::with_shaders(gpu, simulation, &options, shaders)
        };
        if simulation.setup().fluid_materials().len() < 2 {
            return each(None).map(|one| vec![one]);
        }
        materials.iter().map(|number| each(Some(*number))).collect()
    }

    /// Like [`FluidMesh::new`], with shader files that may have been changed.
    ///
    /// # Errors
    /// As [`FluidMesh::new`], and shaders that do not compile.
    pub fn with_shaders(
        gpu: &Gpu,
        simulation: &Simulation,
        options: &SurfaceOptions,
        shaders: &Shaders,
    ) -> Result<Self, Error> {
        let setup = simulation.setup();
        if setup.params.counts.worlds > 1 {
            let text = "a scene of several worlds has no surface mesh yet: run one of them alone";
            return Err(Error::Options(text.into()));
        }
        options.check(setup.params.world.dimensions).map_err(Error::Options)?;
        // First guess: a cell holds 8 particles at rest, and most of them are not at the surface.
        // If the guess is too large for the device, use less; only an actual surface that does not
        // fit is an error.
        let limits = gpu.device().limits();
        let most = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
        let most = |bytes: u64| u32::try_from(most / bytes).unwrap_or(u32::MAX);
        let tiles = options.fineness.pow(3);
        let blocks = (setup.capacity() / 12 + 64).min(setup.params.grid.cell_count);
        let blocks = blocks.min(most(4 * 64 * u64::from(tiles)));
        let vertices = blocks.saturating_mul(VERTICES_PER_BLOCK * options.fineness.pow(2));
        let vertices = vertices.min(most(16)).min(u32::MAX / 16);
        let counts = setup
            .counts()
            .with(TILE_SPACE, blocks * tiles)
            .with(VERTEX_SPACE, vertices)
            .with(INDEX_SPACE, (6 * vertices).min(most(4)));
        let shaders = shaders.clone().for_scene(setup);
        let (machine, control) = build(simulation, &shaders, &counts, options)?;
        let options = *options;
        Ok(Self { gpu: gpu.clone(), shaders, machine, options, counts, control, flight: None })
    }

    /// Options of the surface.
    #[must_use]
    pub fn options(&self) -> &SurfaceOptions {
        &self.options
    }

    /// Buffers and stages, for drawing and inspection. They are [raw](crate::raw).
    #[must_use]
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Result of the last [`FluidMesh::fit`] or [`FluidMesh::counts`].
    #[must_use]
    pub fn control(&self) -> &SurfaceControl {
        &self.control
    }

    /// Extracts the surface of the current particles, without waiting. If it does not fit, the
    /// previous mesh stays.
    pub fn extract(&self) -> Result<(), Error> {
        self.machine.submit("surface")
    }

    /// Records the extraction of the surface into a program's commands, and never waits. A surface that does not fit leaves the mesh of
    /// before; this is known once the device has been polled, and the next recording has larger buffers. Whether they were replaced,
    /// so that what draws them binds anew.
    ///
    /// # Errors
    /// Buffers that do not fit, a device error.
    pub fn record(
        &mut self,
        simulation: &Simulation,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<bool, Error> {
        let mut replaced = self.follow(simulation)?;
        if let Some(answer) = self.flight.as_ref().and_then(|(_, arrival)| arrival.answer())
            && let Some((buffer, _)) = self.flight.take()
            && answer != Answer::Dropped
        {
            self.gpu.told(answer)?;
            let bytes = buffer.slice(..).get_mapped_range();
            let found = Self::control_of(&bytes.map_err(|error| self.gpu.failed(error))?)?;
            // After buffers were replaced one of the old ones may come.
            if found.overflow != 0 && found.block_capacity == self.control.block_capacity {
                self.grow(simulation, &found)?;
                replaced = true;
            }
        }
        self.machine.record("surface", Recording::default(), encoder, None)?;
        if self.flight.is_none() {
            let source = self.machine.expect("surface_control");
            let buffer = self.gpu.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some("surface"),
                size: source.size(),
                usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
                mapped_at_creation: false,
            });
            encoder.copy_buffer_to_buffer(source, 0, &buffer, 0, source.size());
            let arrival = Arrival::default();
            encoder.map_buffer_on_submit(&buffer, wgpu::MapMode::Read, .., arrival.request());
            self.flight = Some((buffer, arrival));
        }
        Ok(replaced)
    }

    /// Extracts the surface; returns the times of its passes as far as they have arrived, usually all.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub async fn extract_timed(&mut self, timings: &mut Timings) -> Result<Vec<PassTime>, Error> {
        self.machine.submit_with(|encoder| {
            self.machine.record("surface", Recording::default(), encoder, Some(timings))?;
            timings.resolve(encoder);
            Ok(())
        })?;
        timings.submitted(0)?;
        self.counts().await?;
        timings.take()
    }

    /// Result of the last extraction: counts, and whether they fitted.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub async fn counts(&mut self) -> Result<SurfaceControl, Error> {
        let buffer = self.machine.expect("surface_control");
        let bytes = self.gpu.read(&[buffer]).await?;
        self.control = Self::control_of(&bytes[0])?;
        Ok(self.control)
    }

    fn control_of(bytes: &[u8]) -> Result<SurfaceControl, Error> {
        let malformed = |error| Error::Device(format!("surface_control is malformed: {error}"));
        encase::StorageBuffer::new(bytes).create().map_err(malformed)
    }

    /// Extracts the surface, repeatedly with larger buffers until it fits. Buffers that grew are
    /// replaced.
    ///
    /// # Errors
    /// Buffers that do not fit, a device error.
    pub async fn fit(&mut self, simulation: &Simulation) -> Result<SurfaceControl, Error> {
        self.follow(simulation)?;
        loop {
            self.extract()?;
            let found = self.counts().await?;
            if found.overflow == 0 {
                return Ok(found);
            }
            self.grow(simulation, &found)?;
        }
    }

    /// Moves to the buffers of a simulation that has moved to larger ones; whether it has.
    fn follow(&mut self, simulation: &Simulation) -> Result<bool, Error> {
        let slots = simulation.setup().params.counts.capacity;
        if self.counts.get(PARTICLES)? == slots {
            return Ok(false);
        }
        self.counts.set(PARTICLES.space, slots);
        self.counts.set(SORTED.space, simulation.setup().params.counts.sorted());
        (self.machine, self.control) =
            build(simulation, &self.shaders, &self.counts, &self.options)?;
        Ok(true)
    }

    /// Number of particles beyond the box of the grid's cells, which the last extraction left out.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub async fn outside(&self) -> Result<u32, Error> {
        let bytes = self.gpu.read(&[self.machine.expect("surface_outside")]).await?;
        Ok(bytemuck::pod_collect_to_vec(&bytes[0])[0])
    }

    /// Makes room for the surface found, plus a quarter.
    fn grow(&mut self, simulation: &Simulation, found: &SurfaceControl) -> Result<(), Error> {
        let room =
            |had: u32, need: u32| if need > had { need.saturating_add(need / 4) } else { had };
        let cells = simulation.setup().params.grid.cell_count;
        let per_block = self.options.fineness.pow(3);
        let old = |extent| self.counts.get(extent);
        let blocks = room(old(TILES)? / per_block, found.block_count).min(cells);
        self.counts = self
            .counts
            .clone()
            .with(TILE_SPACE, blocks * per_block)
            .with(VERTEX_SPACE, room(old(VERTICES)?, found.vertex_count))
            .with(INDEX_SPACE, room(old(INDICES)?, found.index_count));
        (self.machine, self.control) =
            build(simulation, &self.shaders, &self.counts, &self.options)?;
        Ok(())
    }

    /// Extracts the surface and reads its mesh.
    ///
    /// # Errors
    /// As [`FluidMesh::fit`].
    pub async fn read(&mut self, simulation: &Simulation) -> Result<SurfaceMesh, Error> {
        let found = self.fit(simulation).await?;
        let [position, normal, index, outside] =
            ["surface_position", "surface_normal", "surface_index", "surface_outside"]
                .map(|name| self.machine.expect(name));
        let vertices = 16 * u64::from(found.vertex_count);
        let indices = 4 * u64::from(found.index_count);
        let velocity = self.options.velocity.then(|| self.machine.expect("surface_velocity"));
        let mut parts =
            vec![(position, vertices), (normal, vertices), (index, indices), (outside, 4)];
        parts.extend(velocity.map(|velocity| (velocity, vertices)));
        let read = self.gpu.read_starts(&parts).await?;
        let position: Vec<[f32; 4]> = bytemuck::pod_collect_to_vec(&read[0]);
        let normal: Vec<[f32; 4]> = bytemuck::pod_collect_to_vec(&read[1]);
        let outside: Vec<u32> = bytemuck::pod_collect_to_vec(&read[3]);
        let center = simulation.setup().center;
        let world = |[x, y, z, _]: &[f32; 4]| {
            (glam::Vec3::new(*x, *y, *z).as_dvec3() + center).as_vec3().to_array()
        };
        let unit = |[x, y, z, _]: &[f32; 4]| {
            glam::Vec3::new(*x, *y, *z).normalize_or(glam::Vec3::Y).to_array()
        };
        Ok(SurfaceMesh {
            position: position.iter().map(world).collect(),
            normal: normal.iter().map(unit).collect(),
            velocity: read.get(4).map(|bytes| {
                let velocity: Vec<[f32; 4]> = bytemuck::pod_collect_to_vec(bytes);
                velocity.iter().map(|[x, y, z, _]| [*x, *y, *z]).collect()
            }),
            triangles: bytemuck::pod_collect_to_vec(&read[2]),
            outside: outside.first().copied().unwrap_or(0),
        })
    }
}

fn build(
    simulation: &Simulation,
    shaders: &Shaders,
    counts: &Counts,
    options: &SurfaceOptions,
) -> Result<(Machine, SurfaceControl), Error> {
    let [tiles, vertices, indices] = [TILES, VERTICES, INDICES].map(|extent| counts.get(extent));
    let (tiles, vertices, indices) = (tiles?, vertices?, indices?);
    let nodes = u64::from(tiles) * u64::from(TILE_NODES);
    if nodes > u64::from(u32::MAX) || indices > u32::MAX / 2 {
        return Err(Error::TooLarge(format!(
            "the surface needs {nodes} nodes and {indices} indices, more than 32 bits can address; use a smaller fineness"
        )));
    }
    let setup = simulation.setup();
    let entries = lists::surface::mesh(&setup.scope(), options);
    let lists = [List { name: "surface", phase: Phase::Any, entries }];
    let machine = simulation.machine().beside(shaders, counts, &lists)?;
    let control = SurfaceControl {
        iso: options.iso(),
        fineness: options.fineness,
        block_capacity: tiles / options.fineness.pow(3),
        vertex_capacity: vertices,
        index_capacity: indices,
        material: options.only(),
        ..SurfaceControl::default()
    };
    let mut bytes =
        encase::StorageBuffer::new(Vec::with_capacity(SurfaceControl::min_size().get() as usize));
    bytes.write(&control).expect("a Vec grows");
    machine.write("surface_control", &bytes.into_inner())?;
    machine.write("marching_cubes", bytemuck::cast_slice(&marching_cubes::cases()))?;
    machine.write("taubin_shrink", bytemuck::bytes_of(&SHRINK))?;
    machine.write("taubin_inflate", bytemuck::bytes_of(&INFLATE))?;
    Ok((machine, control))
}
