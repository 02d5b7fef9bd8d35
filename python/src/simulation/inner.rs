//! What runs behind `Simulation`: the library's simulation with its scene, fields and studio.

use std::path::{Path, PathBuf};

use glam::DVec3;
use meniscus::{
    ForceField, Gpu, Quantity, SolidId, Watch,
    blocking::{self, block_on},
    raw::{Params, model::params::KIND_FLUID},
    scene::{Fluid, Force, Shape, Side},
};
use meniscus_formats::{
    Checkpoint, Draft, Loaded, read_checkpoint, scene_to_toml, write_checkpoint,
};
use meniscus_live::Tuning;
use meniscus_render::{Camera, Mode, Studio, View};
use toml::{Table, Value};

use super::Triple;
use crate::{devices, errors::Failure, impulses::Impulses};

/// A simulation, and what the calls of one after another share.
pub(super) struct Inner {
    pub(super) gpu: Gpu,
    pub(super) simulation: blocking::Simulation,
    pub(super) draft: Draft,
    pub(super) loaded: Loaded,
    /// The scene as checkpoints have it.
    toml: String,
    pub(super) tuning: Option<Tuning>,
    pub(super) fields: Vec<Option<ForceField>>,
    pub(super) impulses: Impulses,
    /// Slots of the fluid's particles in the order of ids, of the current state.
    pub(super) order: Option<Vec<u32>>,
    pub(super) studio: Option<(Shot, Studio)>,
    /// What warns when energy comes from nowhere, or particles pair.
    watch: Watch,
}

/// What a studio is made for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shot {
    pub(super) size: [u32; 2],
    pub(super) mode: Mode,
}

/// The fluid's particles in the order of ids.
#[derive(Default)]
pub(super) struct Particles {
    pub(super) ids: Vec<u32>,
    pub(super) positions: Vec<[f32; 3]>,
    pub(super) velocities: Vec<[f32; 3]>,
    pub(super) densities: Vec<f32>,
    pub(super) pressures: Vec<f32>,
    pub(super) materials: Vec<u32>,
}

/// Particles of foam in the order of ids.
#[derive(Default)]
pub(super) struct Foam {
    pub(super) ids: Vec<u32>,
    pub(super) positions: Vec<[f32; 3]>,
    pub(super) velocities: Vec<[f32; 3]>,
    pub(super) kinds: Vec<u32>,
    pub(super) ages: Vec<f32>,
}

impl Inner {
    pub(super) fn start(
        draft: Draft,
        adapter: Option<String>,
        from: Option<PathBuf>,
    ) -> Result<Self, Failure> {
        let loaded = draft.finish()?;
        loaded.sample_meshes();
        let gpu = devices::open(adapter)?;
        let simulation = match from {
            None => blocking::Simulation::on(&gpu, &loaded.scene)?,
            Some(path) => {
                let checkpoint = read_checkpoint(&path).map_err(|error| match error {
                    meniscus_formats::Error::Read { .. } => Failure::File(error.to_string()),
                    error => error.into(),
                })?;
                checkpoint.belongs_to(&path.display().to_string(), &loaded)?;
                blocking::Simulation::resume(&gpu, &loaded.scene, &checkpoint.state)?
            }
        };
        let fields = simulation.force_fields().iter().map(|field| Some(*field)).collect();
        let (tuning, order, studio) = (None, None, None);
        let impulses = Impulses::default();
        let watch = Watch::of(&loaded.scene, &simulation.setup().chosen);
        let toml = scene_to_toml(&loaded.scene);
        let mut inner = Self {
            gpu,
            simulation,
            draft,
            loaded,
            toml,
            tuning,
            fields,
            impulses,
            order,
            studio,
            watch,
        };
        // The state at the start is what later ones are compared with.
        inner.see()?;
        Ok(inner)
    }

    /// Sentences, each once, on what is wrong with the current state.
    pub(super) fn see(&mut self) -> Result<Vec<String>, Failure> {
        if self.watch.is_done() {
            return Ok(Vec::new());
        }
        Ok(self.watch.frame(&self.simulation.report()?))
    }

    /// Something that the scene does not tell works on the fluid from now on.
    pub(super) fn works(&mut self) {
        self.watch.forget_energy();
    }

    /// Makes one submission, of at most this many steps; returns the number made.
    pub(super) fn advance(&mut self, most: u32) -> Result<u32, Failure> {
        self.order = None;
        let made = self.simulation.advance_by(most)?;
        self.impulses.add(&self.simulation);
        Ok(made)
    }

    /// Reads the fluid's particles back.
    pub(super) fn particles(&mut self) -> Result<Particles, Failure> {
        let machine = self.simulation.machine();
        if machine.buffer("identity").is_none() {
            return Ok(Particles::default());
        }
        let names = ["identity", "position", "velocity"];
        let (control, mut read) = block_on(&self.gpu, machine.read(&names))?;
        let count = control.particle_count as usize;
        let [identity, position, velocity] =
            names.map(|name| read.remove(name).unwrap_or_default());
        let identity = bytemuck::pod_collect_to_vec::<u8, [u32; 2]>(&identity);
        let position = bytemuck::pod_collect_to_vec::<u8, [f32; 4]>(&position);
        let velocity = bytemuck::pod_collect_to_vec::<u8, [f32; 4]>(&velocity);
        let live = identity.iter().take(count).zip(0..);
        let mut order: Vec<(u32, u32)> = live
            .filter(|([_, what], _)| what & 0xff == KIND_FLUID)
            .map(|([id, _], slot)| (*id, slot))
            .collect();
        order.sort_unstable();
        let center = self.simulation.setup().center.to_array();
        let mut all = Particles::default();
        for &(id, slot) in &order {
            let [p, v] = [position[slot as usize], velocity[slot as usize]];
            all.ids.push(id);
            // As files have them.
            all.positions.push([0, 1, 2].map(|k| (f64::from(p[k]) + center[k]) as f32));
            all.velocities.push([v[0], v[1], v[2]]);
            all.densities.push(p[3]);
            all.pressures.push(v[3]);
            all.materials.push(identity[slot as usize][1] >> 8 & 0xff);
        }
        self.order = Some(order.into_iter().map(|(_, slot)| slot).collect());
        Ok(all)
    }

    /// Reads foam back; nothing in a scene without it.
    pub(super) fn foam(&self) -> Result<Option<Foam>, Failure> {
        if self.simulation.setup().foam == 0 {
            return Ok(None);
        }
        let mut all = Foam::default();
        for one in self.simulation.read()?.foam() {
            all.ids.push(one.id);
            // As files have them.
            all.positions.push(one.position.map(|coordinate| coordinate as f32));
            all.velocities.push(one.velocity);
            all.kinds.push(one.kind.number());
            all.ages.push(one.age);
        }
        Ok(Some(all))
    }

    /// Values of a quantity: of the fluid's particles in the order of ids, or of cells without solids.
    pub(super) fn quantity(&mut self, name: &str) -> Result<Vec<f32>, Failure> {
        let quantity = self.known_quantity(name)?;
        if self.order.is_none() {
            self.particles()?;
        }
        let measured = self.simulation.measure(&[quantity])?;
        let values = measured.into_iter().next().map(|one| one.values).unwrap_or_default();
        Ok(match &self.order {
            Some(order) if is_of_particles(&quantity) => {
                order.iter().map(|slot| values[*slot as usize]).collect()
            }
            _ => values,
        })
    }

    pub(super) fn known_quantity(&self, name: &str) -> Result<Quantity, Failure> {
        self.simulation.setup().chosen.quantity(name).map_err(Failure::Value)
    }

    /// Changes a key while the simulation runs.
    pub(super) fn set(&mut self, key: &str, value: Value) -> Result<(), Failure> {
        let mut draft = self.draft.clone();
        draft.set(key, value)?;
        // Other weights have other energies.
        if key == "gravity" || key.ends_with(".rest_density") {
            self.works();
        }
        let (scene, setup) = (&self.loaded.scene, self.simulation.setup());
        let mut tuning = self.tuning.clone().unwrap_or_else(|| Tuning::of(scene, setup));
        let new = draft.scene();
        // That of a state may be another than the scene's.
        tuning.gravity = setup.params.world.gravity;
        if key == "gravity" {
            self.simulation.set_gravity(DVec3::from(new.gravity))?;
            self.draft = draft;
            return Ok(());
        }
        let mut known = vec!["gravity".to_owned(), "time.cfl".into(), "time.max_step".into()];
        match key {
            "time.cfl" => tuning.cfl = new.time.cfl as f32,
            "time.max_step" => tuning.max_step = new.time.max_step as f32,
            _ => {
                let mut found = false;
                for (number, material) in tuning.materials.iter_mut().enumerate() {
                    let own = &new.materials[number];
                    for (name, slot, value) in [
                        ("rest_density", &mut material.rest_density, Some(own.rest_density)),
                        ("viscosity", &mut material.viscosity, own.viscosity),
                        (
                            "surface_tension",
                            &mut material.surface_tension,
                            Some(own.surface_tension),
                        ),
                    ] {
                        known.push(format!("material[{number}].{name}"));
                        let paths =
                            [format!("[{number}]"), format!(".{number}"), format!(".{}", own.name)];
                        let is_meant =
                            paths.iter().any(|path| format!("material{path}.{name}") == key);
                        if let Some(value) = value.filter(|_| is_meant) {
                            *slot = value as f32;
                            found = true;
                        }
                    }
                }
                for own in &mut tuning.keys {
                    known.push(own.path.clone());
                    if own.path == key {
                        let value = draft.get(key).map_err(Failure::Value)?;
                        let number = value.as_float().or(value.as_integer().map(|n| n as f64));
                        own.set(number, value.as_bool());
                        found = true;
                    }
                }
                if !found {
                    return Err(Failure::Value(format!(
                        "{key} cannot change while the simulation runs; what can: {}",
                        known.join(", ")
                    )));
                }
            }
        }
        self.simulation.set_params(|params: &mut Params| {
            let (fields, count) = (params.force_fields, params.counts.force_fields);
            tuning.apply(params, None);
            (params.force_fields, params.counts.force_fields) = (fields, count);
        })?;
        (self.draft, self.tuning) = (draft, Some(tuning));
        Ok(())
    }

    /// A force field as a scene has it.
    pub(super) fn force(&self, kind: &str, value: Value) -> Result<Force, Failure> {
        let mut draft = self.draft.clone();
        draft.set("force", Value::Array(Vec::new()))?;
        draft.set("force[0]", Value::Table(Table::from_iter([(kind.to_owned(), value)])))?;
        let force = draft.scene().forces.first().cloned();
        force.ok_or_else(|| Failure::Value("expected a force field".into()))
    }

    /// A fluid as a scene has it.
    pub(super) fn fluid(&self, keys: Value) -> Result<Fluid, Failure> {
        let mut draft = self.draft.clone();
        draft.set("fluid", Value::Array(Vec::new()))?;
        draft.set("fluid[0]", keys)?;
        let fluid = draft.scene().fluids.first().cloned();
        fluid.ok_or_else(|| Failure::Value("expected a fluid".into()))
    }

    /// A region from which fluid is removed, as a scene's drains have it.
    pub(super) fn region(&self, keys: Value) -> Result<Shape, Failure> {
        let mut draft = self.draft.clone();
        draft.set("drain", Value::Array(Vec::new()))?;
        draft.set("drain[0]", keys)?;
        let drain = draft.scene().drains.first().cloned();
        drain.map(|drain| drain.shape).ok_or_else(|| Failure::Value("expected a shape".into()))
    }

    pub(super) fn field(&self, number: usize) -> Result<ForceField, Failure> {
        let field = self.fields.get(number).copied().flatten();
        field.ok_or_else(|| Failure::Value("the force field has been removed".into()))
    }

    pub(super) fn picture(&mut self, options: &Picture) -> Result<Vec<u8>, Failure> {
        let (scene, chosen) = (&self.loaded.scene, &self.simulation.setup().chosen);
        let mode = match &options.view {
            None => Mode::usual(scene, chosen),
            Some(name) => name.parse().map_err(|_| {
                let all: Vec<_> = Mode::ALL.iter().map(|mode| mode.name()).collect();
                Failure::Value(format!("view: {name:?} is none of {}", all.join(", ")))
            })?,
        };
        let has_particles = chosen.family().has_particles;
        if has_particles == Mode::OF_SMOKE.contains(&mode) {
            let all = if has_particles { Mode::OF_PARTICLES } else { Mode::OF_SMOKE };
            let all: Vec<_> = all.iter().map(|mode| mode.name()).collect();
            let (name, all) = (mode.name(), all.join(", "));
            return Err(Failure::Value(format!("view: {name} does not show this scene; {all} do")));
        }
        let is_coloured = scene.dimensions == 2 || matches!(mode, Mode::Particles | Mode::Slice);
        if !is_coloured && (options.color.is_some() || options.range.is_some()) {
            let other = if has_particles { Mode::Particles } else { Mode::Slice };
            return Err(Failure::Value(format!(
                "color, range: the view {} shows no quantity; view={:?} does",
                mode.name(),
                other.name()
            )));
        }
        let mut camera = Camera::of_scene(scene, &self.simulation, options.size);
        camera.eye = options.eye.map_or(camera.eye, DVec3::from);
        camera.target = options.target.map_or(camera.target, DVec3::from);
        camera.fov_y = options.fov.map_or(camera.fov_y, f64::to_radians);
        let sound = [camera.eye, camera.target].iter().all(|v| v.is_finite());
        if !sound || camera.eye == camera.target || !(0.01..3.0).contains(&camera.fov_y) {
            let text =
                "camera: expected finite points eye and target that differ, and fov in degrees";
            return Err(Failure::Value(text.into()));
        }
        let color = match &options.color {
            Some(name) => self.known_quantity(name)?,
            None => meniscus::Registry::standard().usual_quantity(scene),
        };
        let view = View {
            mode,
            color,
            range: options.range,
            camera,
            boundaries: options.boundaries,
            legend: options.legend,
            ..View::default()
        }
        .with_light_of(scene);
        let shot = Shot { size: options.size, mode };
        if self.studio.as_ref().is_none_or(|(known, _)| *known != shot) {
            let surface = Studio::usual_surface();
            let studio = Studio::new(&self.gpu, &self.simulation, shot.size, mode, &surface)?;
            self.studio = Some((shot, studio));
        }
        let Some((_, studio)) = &mut self.studio else { return Ok(Vec::new()) };
        studio.set_world(options.world);
        let picture = block_on(&self.gpu, studio.picture(&self.simulation, &view))?;
        Ok(image::DynamicImage::ImageRgba8(picture).into_rgb8().into_raw())
    }

    /// The state between two steps.
    pub(super) fn checkpoint(&mut self) -> Result<Checkpoint, Failure> {
        // Ctrl-C may have left a step half done.
        while self.simulation.control().stalled() {
            self.advance(1)?;
        }
        Ok(Checkpoint {
            state: self.simulation.read()?,
            scene_hash: self.loaded.hash,
            adapter: self.gpu.info().name.clone(),
            scene_toml: self.toml.clone(),
        })
    }

    pub(super) fn save(&mut self, path: &Path) -> Result<(), Failure> {
        Ok(write_checkpoint(path, &self.checkpoint()?)?)
    }

    /// Goes on from a state of the same scene.
    pub(super) fn restore(&mut self, checkpoint: &Checkpoint) -> Result<(), Failure> {
        checkpoint.belongs_to("state", &self.loaded)?;
        self.simulation.restore(&checkpoint.state)?;
        (self.order, self.impulses) = (None, Impulses::default());
        self.works();
        Ok(())
    }

    /// Puts worlds back to their start.
    pub(super) fn reset_worlds(&mut self, worlds: &[u32]) -> Result<(), Failure> {
        self.simulation.reset_worlds(worlds)?;
        (self.order, self.impulses) = (None, Impulses::default());
        self.works();
        Ok(())
    }

    /// Gives particles of the fluid other positions and velocities.
    pub(super) fn set_particles(
        &mut self,
        ids: Option<Vec<u32>>,
        positions: Option<&[Triple]>,
        velocities: Option<&[Triple]>,
    ) -> Result<(), Failure> {
        let ids = match ids {
            Some(ids) => ids,
            None => self.particles()?.ids,
        };
        if let Some(problem) = positions.and_then(|all| self.misplaced(&ids, all)) {
            return Err(Failure::Value(format!("positions: {problem}")));
        }
        self.simulation.set_particles(&ids, positions, velocities)?;
        self.order = None;
        self.works();
        Ok(())
    }

    /// What is wrong with the places of particles, if they are beyond the domain or in solids that stand still.
    fn misplaced(&self, ids: &[u32], positions: &[Triple]) -> Option<String> {
        let (scene, setup) = (&self.loaded.scene, self.simulation.setup());
        let steered = self.simulation.steered();
        let slack = 0.5 * scene.spacing();
        let still = scene.boundaries.iter().enumerate().filter(|(number, boundary)| {
            let moves = setup.motions.get(*number).is_some_and(|motions| !motions.is_empty());
            !moves
                && !steered.contains_key(&SolidId::new(*number as u32))
                && !boundary.shape.is_sheet()
        });
        let still: Vec<_> = still.collect();
        for (id, position) in ids.iter().zip(positions) {
            let place = DVec3::from(*position);
            let axes = 0..scene.dimensions as usize;
            if let Some(domain) = &scene.domain
                && axes.clone().any(|k| place[k] < domain.min[k] || place[k] > domain.max[k])
            {
                return Some(format!("particle {id} is outside the domain"));
            }
            for (number, boundary) in &still {
                let depth = boundary.shape.depth(place, scene.dimensions);
                let is_inner = boundary.side == Side::Inside || boundary.shape.is_endless();
                let beyond = if is_inner { -depth } else { depth };
                if beyond > slack {
                    return Some(format!(
                        "particle {id} is {beyond:.3} m deep in boundary[{number}]"
                    ));
                }
            }
        }
        None
    }
}

/// What a picture shows.
pub(super) struct Picture {
    pub(super) size: [u32; 2],
    pub(super) view: Option<String>,
    pub(super) color: Option<String>,
    pub(super) range: Option<[f32; 2]>,
    pub(super) eye: Option<Triple>,
    pub(super) target: Option<Triple>,
    pub(super) fov: Option<f64>,
    pub(super) legend: bool,
    pub(super) boundaries: bool,
    pub(super) world: u32,
}

pub(super) fn is_of_particles(quantity: &Quantity) -> bool {
    quantity.array.extent != meniscus::methods::space::CELLS
}
