//! Outputs of a run: particle files, meshes, log, checkpoints.

use std::{
    cell::OnceCell,
    path::{Path, PathBuf},
};

use meniscus::{
    FluidMesh, Gpu, Quantity, Registry, Scene, Simulation, State,
    blocking::block_on,
    methods::{Walls, quantity::Form},
    raw::model::probes::columns,
    scene::{Boundary, Response},
};
use meniscus_formats::{
    Animation, BodyFormat, CellFormat, Checkpoint, Loaded, Mesh, MeshFormat, ParticleFormat,
    Series, body_meshes, boundary_meshes, fluid_mesh, keep_inside, keep_scene, scene_to_toml,
    write_bodies, write_cells, write_checkpoint, write_foam, write_mesh, write_meshes,
    write_particles,
};

use super::{
    forces::{self, Forces},
    frame_log::FrameLog,
    probes::{self, Probes},
    table::Table,
};
use crate::{
    Failure,
    arguments::{Run, SurfaceFormat, find_quantities},
    files, terminal,
};

/// Outputs requested by the user. Only the data that they need is read back.
#[derive(Debug)]
pub(super) struct Outputs {
    gpu: Gpu,
    particles: Option<(PathBuf, ParticleFormat)>,
    /// Folder and format of the files of foam, and their list if they are of VTK.
    foam: Option<(PathBuf, ParticleFormat, Option<Series>)>,
    /// List of the particle files, of VTK.
    particle_series: Option<Series>,
    /// Folder and list of the files of cells.
    cells: Option<(PathBuf, CellFormat, Option<Series>)>,
    /// Quantities added to particle files, and to the log.
    quantities: RunQuantities,
    bodies: Option<(PathBuf, BodyFormat)>,
    /// A surface of all fluid or one of each of these materials.
    surfaces: Vec<FluidMesh>,
    materials: Vec<u32>,
    /// Folder and format of its files, and their list if they are of VTK.
    meshes: Option<(PathBuf, MeshFormat, Option<Series>)>,
    /// Animation of the surface's meshes.
    animation: Option<Animation>,
    /// What the surface's files have at vertices.
    has_speed: bool,
    has_velocity: bool,
    /// Particles outside the surface in the last frame.
    outside: u32,
    log: Option<FrameLog>,
    probes: Probes,
    forces: Option<Forces>,
    checkpoint: Option<(PathBuf, u32)>,
    scene: Scene,
    scene_hash: u64,
    /// Last checkpoint written, and its frame.
    saved: Option<(PathBuf, u32)>,
}

/// Quantities added to particle files, and to the log.
#[derive(Clone, Debug)]
pub(super) struct RunQuantities {
    particles: Vec<Quantity>,
    log: Vec<Quantity>,
}

impl RunQuantities {
    /// The quantities of the scene that the arguments name.
    pub(super) fn of(arguments: &Run, scene: &Scene) -> Result<Self, Failure> {
        let chosen = Registry::standard().choose(scene).ok();
        let family = chosen.as_ref().map(|chosen| chosen.family());
        if arguments.grid.is_some() && family.is_none_or(|family| family.fields.is_empty()) {
            let solver = &scene.solver;
            return Err(Failure::Input(format!(
                "--grid: {solver:?} has no fields on cells to write; smoke and liquids on a grid have"
            )));
        }
        if arguments.surface_options.surface_velocity
            && arguments.surface == Some(SurfaceFormat::Mesh(MeshFormat::Obj))
        {
            let text =
                "--surface-velocity: OBJ files cannot hold velocities; ply, glb, vtk and usd can";
            return Err(Failure::Input(text.into()));
        }
        if arguments.probes.is_some() && scene.probes.is_empty() {
            return Err(Failure::Input("--probes: the scene has no [[probe]]".into()));
        }
        if arguments.bodies.is_some() && scene.bodies.is_empty() {
            return Err(Failure::Input("--bodies: the scene has no [[body]]".into()));
        }
        if arguments.forces.is_some() {
            if family.is_none_or(|family| family.walls != Walls::Sums && !family.leans) {
                let text = "--forces: smoke has no forces on solids";
                return Err(Failure::Input(text.into()));
            }
            let is_measured = |boundary: &Boundary| {
                if family.is_some_and(|family| family.leans) {
                    return true;
                }
                let response = chosen.as_ref().map(|chosen| chosen.response(boundary));
                matches!(response, Some(Response::Particles { .. }))
            };
            let named = scene.boundaries.iter().filter(|boundary| boundary.name.is_some());
            let (measured, others): (Vec<_>, Vec<_>) = named.partition(|one| is_measured(one));
            if scene.bodies.is_empty() && measured.is_empty() {
                let text = "--forces: the scene has no [[body]], and no [[boundary]] with a name (and, with SPH, \
                            response.particles = {})";
                return Err(Failure::Input(text.into()));
            }
            for name in others.iter().filter_map(|boundary| boundary.name.as_ref()) {
                let text = format!("--forces leaves {name:?} out, which has no response.particles");
                terminal::complain("warning", &text);
            }
        }
        if family.is_some_and(|family| !family.has_particles) {
            for (flag, given) in [
                ("--particles", arguments.particles.is_some()),
                ("--particle-quantities", !arguments.particle_quantities.is_empty()),
                ("--surface", arguments.surface.is_some()),
                ("--usd", arguments.usd.is_some()),
            ] {
                if given {
                    let solver = &scene.solver;
                    return Err(Failure::Input(format!("{flag}: {solver:?} has no particles")));
                }
            }
        }
        let names = &arguments.particle_quantities;
        let particles = find_quantities("--particle-quantities", names, scene)?;
        let told = if chosen.is_some() { Quantity::of_files(scene) } else { Vec::new() };
        let told = told.into_iter().filter(|one| !particles.contains(one));
        let particles = told.chain(particles.iter().copied()).collect();
        let names = &arguments.log_quantities;
        let log = find_quantities("--log-quantities", names, scene)?;
        if let Some(label) = log.iter().find(|one| matches!(one.form, Form::Label | Form::Material))
        {
            let text = format!("--log-quantities: `{}` has no mean", label.name);
            return Err(Failure::Input(text));
        }
        // Sums over all particles are in every line.
        let chosen = Registry::standard().choose(scene).ok();
        let sums = chosen.iter().flat_map(|chosen| chosen.quantities());
        let sums = sums.filter(|one| one.form == Form::Sum && !log.contains(one));
        let log = log.iter().copied().chain(sums).collect();
        Ok(Self { particles, log })
    }
}

impl Outputs {
    /// Creates the folders and the log.
    pub(super) fn open(
        arguments: &Run,
        quantities: RunQuantities,
        gpu: &Gpu,
        loaded: &Loaded,
        simulation: &Simulation,
    ) -> Result<Self, Failure> {
        let out = arguments.out.clone().or(arguments.has_files().then(|| "out".into()));
        if let Some(out) = &out {
            files::create_folder(out)?;
            if arguments.has_files()
                && let Some(kept) = keep_scene(out, loaded)?
            {
                terminal::complain("warning", &kept);
            }
        }
        if let Some(checkpoint) = &arguments.checkpoint {
            files::create_parent(checkpoint)?;
        }
        let frame = simulation.control().frame;
        let saved = arguments.resume.clone().map(|path| (path, frame));
        let log = arguments.log.as_deref();
        let log = log.map(|path| FrameLog::open(path, saved.as_ref().map(|saved| saved.1)));
        let family = simulation.setup().chosen.family();
        let resumed = saved.as_ref().map(|_| simulation.time());
        let probes = arguments.probes.as_deref().map(|path| {
            let columns = columns(&loaded.scene, family);
            Table::open(path, arguments.probe_every, &columns, resumed)
        });
        let forces = arguments.forces.as_deref().map(|path| {
            let columns = forces::columns(simulation);
            let table = Table::open(path, arguments.forces_every, &columns, resumed)?;
            Ok::<_, Failure>(Forces::new(table, simulation))
        });
        let series = |folder: &Path, name| Series::open(folder.join(name), resumed);
        let mut options = arguments.surface_options.options(&Default::default());
        let materials = simulation.setup().fluid_materials();
        let is_usd = arguments.surface == Some(SurfaceFormat::Usd);
        let usual = out.as_ref().filter(|_| is_usd).map(|folder| folder.join("surface.usda"));
        let animation = arguments.usd.clone().or(usual).map(|path| {
            files::create_parent(&path)?;
            let speed = arguments.surface_options.surface_speed;
            let (walls, kept) = (!arguments.no_boundaries, resumed.map(|_| frame));
            Ok::<_, Failure>(Animation::open(path, &loaded.scene, &materials, speed, walls, kept)?)
        });
        options.velocity |= animation.is_some();
        let is_made = animation.is_some() || arguments.surface.is_some();
        let surfaces =
            is_made.then(|| FluidMesh::of_materials(gpu, simulation, &options, &materials));
        let meshes = match (&out, arguments.surface) {
            (Some(folder), Some(SurfaceFormat::Mesh(format))) => {
                let is_vtk = format == MeshFormat::Vtk;
                Some((folder.clone(), format, is_vtk.then(|| series(folder, "surface.pvd"))))
            }
            _ => None,
        };
        if let Some((folder, format)) = out.as_deref().zip(arguments.boundaries) {
            let path = |name: &str| folder.join(format.file_name(0).replace("surface_00000", name));
            let boundaries = boundary_meshes(&loaded.scene).into_iter().map(|(_, mesh)| mesh);
            write_meshes(&path("boundaries"), format, &boundaries.collect::<Vec<_>>())?;
            for (k, mesh) in body_meshes(&loaded.scene).iter().enumerate() {
                write_mesh(&path(&format!("body_{}", k + 1)), format, mesh)?;
            }
        }
        let is_vtk = arguments.particles == Some(ParticleFormat::Vtk);
        let particle_series = out.as_deref().filter(|_| is_vtk);
        Ok(Self {
            gpu: gpu.clone(),
            particle_series: particle_series.map(|folder| series(folder, "particles.pvd")),
            cells: out.clone().zip(arguments.grid).map(|(folder, format)| {
                let list = (format == CellFormat::Vti).then(|| series(&folder, "cells.pvd"));
                (folder, format, list)
            }),
            foam: out.clone().zip(arguments.foam).map(|(folder, format)| {
                let is_vtk = format == ParticleFormat::Vtk;
                let list = is_vtk.then(|| series(&folder, "foam.pvd"));
                (folder, format, list)
            }),
            particles: out.clone().zip(arguments.particles),
            quantities,
            bodies: out.clone().zip(arguments.bodies),
            surfaces: surfaces.transpose()?.unwrap_or_default(),
            materials,
            meshes,
            animation: animation.transpose()?,
            has_speed: arguments.surface_options.surface_speed,
            has_velocity: arguments.surface_options.surface_velocity,
            outside: 0,
            log: log.transpose()?,
            probes: Probes::new(
                probes.transpose()?,
                arguments.log.is_some(),
                simulation,
                &loaded.scene,
            ),
            forces: forces.transpose()?,
            checkpoint: arguments.checkpoint.clone().map(|path| (path, arguments.every)),
            scene: loaded.scene.clone(),
            scene_hash: loaded.hash,
            saved,
        })
    }

    /// Writes the outputs of a frame. The checkpoint comes last, so that the outputs up to it are
    /// complete.
    pub(super) fn frame(&mut self, simulation: &mut Simulation, last: u32) -> Result<(), Failure> {
        let frame = simulation.control().frame;
        // Read back once for all that need it.
        let state = OnceCell::new();
        let probed = self
            .probes
            .read(&self.scene, simulation, true, || read(&self.gpu, simulation, &state))?;
        if let Some(log) = &mut self.log {
            let report = block_on(&self.gpu, simulation.report())?;
            let measured = block_on(&self.gpu, simulation.measure(&self.quantities.log))?;
            let mut named = probes::named(&self.scene, simulation, &probed);
            named.extend(self.forces.iter().flat_map(|_| forces::named(simulation)));
            named.extend(forces::of_joints(simulation));
            if frame == 0 {
                named.extend(viscosities(&self.scene, simulation));
            }
            log.write(report.log_line(simulation.setup()), &measured, named)?;
        }
        if let Some(forces) = &mut self.forces {
            forces.step(simulation, true)?;
        }
        if let Some((folder, format)) = &self.bodies {
            let path = folder.join(format.file_name(frame));
            write_bodies(&path, *format, &self.scene, &simulation.bodies())?;
        }
        self.surface(simulation)?;
        if let Some((folder, format, series)) = &mut self.cells {
            let path = folder.join(format.file_name(frame));
            write_cells(&path, *format, &block_on(&self.gpu, simulation.cells())?)?;
            if let Some(series) = series {
                series.add(simulation.time(), &path)?;
            }
        }
        let checkpoint = self
            .checkpoint
            .as_ref()
            .filter(|(_, every)| frame == last || (frame > 0 && frame.is_multiple_of(*every)));
        if self.particles.is_none() && self.foam.is_none() && checkpoint.is_none() {
            return Ok(());
        }
        let state = match state.into_inner() {
            Some(state) => state,
            None => block_on(&self.gpu, simulation.read())?,
        };
        if let Some((folder, format)) = &self.particles {
            let more = block_on(&self.gpu, simulation.measure(&self.quantities.particles))?;
            let path = folder.join(format.file_name(frame));
            write_particles(&path, *format, &state, &more)?;
            if let Some(series) = &mut self.particle_series {
                series.add(simulation.time(), &path)?;
            }
        }
        if let Some((folder, format, series)) = &mut self.foam {
            let path = folder.join(format.foam_file_name(frame));
            write_foam(&path, *format, &state)?;
            if let Some(series) = series {
                series.add(simulation.time(), &path)?;
            }
        }
        if checkpoint.is_some() { self.checkpoint(state) } else { Ok(()) }
    }

    /// Writes the checkpoint of this frame if that has not been done.
    pub(super) fn save(&mut self, simulation: &Simulation) -> Result<(), Failure> {
        let frame = simulation.control().frame;
        if self.checkpoint.is_none() || self.saved.as_ref().is_some_and(|saved| saved.1 == frame) {
            return Ok(());
        }
        let state = block_on(&self.gpu, simulation.read())?;
        self.checkpoint(state)
    }

    fn checkpoint(&mut self, state: State) -> Result<(), Failure> {
        let Some((path, _)) = self.checkpoint.clone() else { return Ok(()) };
        if let Some(animation) = &mut self.animation {
            animation.save()?;
        }
        let frame = state.control.frame;
        write_checkpoint(&path, &self.checkpoint_of(state))?;
        self.saved = Some((path, frame));
        Ok(())
    }

    /// Whether it writes something between frames.
    pub(super) fn has_steps(&self) -> bool {
        let forces = self.forces.as_ref();
        self.probes.is_between_frames() || forces.is_some_and(Forces::is_between_frames)
    }

    /// Writes the outputs of a step that does not end a frame.
    pub(super) fn step(&mut self, simulation: &Simulation) -> Result<(), Failure> {
        let state = OnceCell::new();
        let state = || read(&self.gpu, simulation, &state);
        self.probes.read(&self.scene, simulation, false, state)?;
        match &mut self.forces {
            Some(forces) => forces.step(simulation, false),
            None => Ok(()),
        }
    }

    fn surface(&mut self, simulation: &Simulation) -> Result<(), Failure> {
        if self.surfaces.is_empty() {
            return Ok(());
        }
        self.outside = 0;
        let mut files = Vec::new();
        for (surface, material) in self.surfaces.iter_mut().zip(&self.materials) {
            let mesh = block_on(&self.gpu, surface.read(simulation))?;
            self.outside += mesh.outside;
            let plain = Mesh::new(mesh.position, mesh.normal, mesh.triangles);
            let mut file = fluid_mesh(&self.scene, *material, plain).at_time(simulation.time());
            keep_inside(&self.scene, &mut file);
            let velocity = mesh.velocity.unwrap_or_default();
            if self.has_speed {
                let speed = velocity.iter().map(|v| glam::Vec3::from(*v).length()).collect();
                // Use the same colour scale in every frame.
                let end = simulation.setup().params.world.expected_speed;
                file = file.with_speed(speed, Some(end));
            }
            if self.has_velocity || self.animation.is_some() {
                file = file.with_velocity(velocity);
            }
            files.push(file);
        }
        let (frame, time) = (simulation.control().frame, simulation.time());
        if let Some(animation) = &mut self.animation {
            let foam = match simulation.setup().foam {
                0 => Vec::new(),
                _ => block_on(&self.gpu, simulation.read())?.foam().collect(),
            };
            animation.add(frame, time, &files, &simulation.bodies(), &foam)?;
        }
        let Some((folder, format, series)) = &mut self.meshes else { return Ok(()) };
        if !self.has_velocity {
            files.iter_mut().for_each(|file| file.velocity = None);
        }
        let path = folder.join(format.file_name(frame));
        write_meshes(&path, *format, &files)?;
        match series {
            Some(series) => Ok(series.add(time, &path)?),
            None => Ok(()),
        }
    }

    /// Writes what is only written at the end of a run, also of one that failed.
    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        match &mut self.animation {
            Some(animation) => Ok(animation.save()?),
            None => Ok(()),
        }
    }

    fn checkpoint_of(&self, state: State) -> Checkpoint {
        Checkpoint {
            state,
            scene_hash: self.scene_hash,
            adapter: self.gpu.info().name.clone(),
            scene_toml: scene_to_toml(&self.scene),
        }
    }

    /// Particles that the surface of the last frame leaves out.
    pub(super) fn outside(&self) -> u32 {
        self.outside
    }

    /// Removes files of an earlier, longer run that would follow this one's, which ends with the frame `last`.
    pub(super) fn remove_later(&self, last: u32) -> Result<(), Failure> {
        let particles = self.particles.as_ref().map(|(out, format)| (out, format.file_name(0)));
        let foam = self.foam.as_ref().map(|(out, format, _)| (out, format.foam_file_name(0)));
        let bodies = self.bodies.as_ref().map(|(out, format)| (out, format.file_name(0)));
        let surface = self.meshes.as_ref().map(|(out, format, _)| (out, format.file_name(0)));
        let cells = self.cells.as_ref().map(|(out, format, _)| (out, format.file_name(0)));
        for (folder, first) in [particles, foam, bodies, surface, cells].into_iter().flatten() {
            let removed = files::remove_later(folder, &first, last)?;
            if let [.., end] = &removed[..] {
                let count = removed.len();
                let text = format!("removed {count} later frames of an earlier run, up to {end}");
                terminal::complain("warning", &text);
            }
        }
        Ok(())
    }

    /// Text to append to the message of a failure.
    pub(super) fn how_to_go_on(&self) -> String {
        match &self.saved {
            Some((path, frame)) => {
                format!("; the last good checkpoint is {}, of frame {frame}", path.display())
            }
            None => String::new(),
        }
    }
}

/// Viscosity of each material as it is used, that of the method where the scene gives none.
fn viscosities(scene: &Scene, simulation: &Simulation) -> Vec<(String, f64)> {
    let setup = simulation.setup();
    if !setup.chosen.family().viscous {
        return Vec::new();
    }
    let used = setup.params.materials.iter().map(|material| f64::from(material.viscosity));
    let names = scene.materials.iter().map(|material| format!("viscosity_{}", material.name));
    names.zip(used).collect()
}

/// The complete state, read back unless it has been already.
fn read<'a>(
    gpu: &Gpu,
    simulation: &Simulation,
    kept: &'a OnceCell<State>,
) -> Result<&'a State, Failure> {
    match kept.get() {
        Some(state) => Ok(state),
        None => {
            let state = block_on(gpu, simulation.read())?;
            Ok(kept.get_or_init(|| state))
        }
    }
}
