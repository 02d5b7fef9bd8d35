//! `Simulation`: a scene that runs.

mod inner;
mod report;
mod solids;

use std::{
    ffi::CString,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use glam::{DQuat, DVec3};
use inner::{Inner, Picture, is_of_particles};
use meniscus::{KinematicTarget, Pose, SolidId, SurfaceOptions, raw::model::probes, scene::check};
use pyo3::{
    exceptions::PyRuntimeWarning,
    prelude::*,
    types::{PyBytes, PyDict},
};

use crate::{
    convert::{bytes, to_toml},
    devices,
    errors::{Failure, guarded},
    scene::Scene,
    state::State,
};

/// Vector of three numbers.
type Triple = [f64; 3];

/// Rotation (w, x, y, z).
fn turn([w, x, y, z]: [f64; 4]) -> DQuat {
    DQuat::from_xyzw(x, y, z, w)
}

/// A running simulation. Calls from several threads wait for each other.
#[pyclass(frozen, module = "meniscus_fluids._native")]
pub(crate) struct Simulation(Mutex<Option<Box<Inner>>>);

impl Simulation {
    fn start(
        py: Python<'_>,
        scene: &Scene,
        adapter: Option<String>,
        from: Option<PathBuf>,
    ) -> PyResult<Self> {
        let draft = scene.draft().clone();
        let inner = guarded(py, || Inner::start(draft, adapter, from))?;
        Ok(Self(Mutex::new(Some(Box::new(inner)))))
    }

    /// Works with the simulation while other Python threads run. After a panic it is closed.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Inner) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        guarded(py, || {
            devices::use_here()?;
            let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(mut inner) = slot.take() else {
                return Err(Failure::Value("the simulation is closed".into()));
            };
            let result = work(&mut inner);
            if matches!(&result, Err(Failure::Simulation { step: None, .. })) {
                devices::forget();
            }
            *slot = Some(inner);
            result
        })
    }
}

impl Drop for Simulation {
    fn drop(&mut self) {
        if devices::is_fork() {
            // Its memory is the parent's to free.
            let slot = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
            std::mem::forget(slot.take());
        }
    }
}

#[pymethods]
impl Simulation {
    /// A simulation of a scene at time 0, or resumed from the checkpoint `resume`.
    #[new]
    #[pyo3(signature = (scene, adapter=None, resume=None))]
    fn new(
        py: Python<'_>,
        scene: &Scene,
        adapter: Option<String>,
        resume: Option<PathBuf>,
    ) -> PyResult<Self> {
        Self::start(py, scene, adapter, resume)
    }

    /// Frees the simulation's memory.
    fn close(&self, py: Python<'_>) {
        if devices::is_fork() {
            return;
        }
        py.detach(|| drop(self.0.lock().unwrap_or_else(PoisonError::into_inner).take()));
    }

    /// Whether it was closed.
    fn is_closed(&self, py: Python<'_>) -> bool {
        if devices::is_fork() {
            return true;
        }
        py.detach(|| self.0.lock().unwrap_or_else(PoisonError::into_inner).is_none())
    }

    /// Time in s, frame, steps, particles of the fluid and of walls, and whether the frame is complete.
    fn clock(&self, py: Python<'_>) -> PyResult<(f64, u32, u32, u32, bool)> {
        self.with(py, |inner| {
            let control = inner.simulation.control();
            Ok((
                inner.simulation.time(),
                control.frame,
                control.step,
                control.particle_count,
                control.frame_done == 1,
            ))
        })
    }

    /// Length of a frame in s, end time of the scene in s, name of the adapter, solver.
    fn about(&self, py: Python<'_>) -> PyResult<(f64, f64, String, String)> {
        self.with(py, |inner| {
            let scene = &inner.loaded.scene;
            let adapter = inner.gpu.info().name.clone();
            Ok((scene.frame_duration(), scene.time.until, adapter, scene.solver.clone()))
        })
    }

    /// Makes `count` steps. Ctrl-C is noticed between submissions.
    fn step(&self, py: Python<'_>, count: u32) -> PyResult<()> {
        let mut left = count;
        while left > 0 {
            left -= self.with(py, |inner| inner.advance(left))?.min(left);
            py.check_signals()?;
        }
        Ok(())
    }

    /// Runs to the end of the frame, or of the next one. Ctrl-C is noticed between submissions.
    fn next_frame(&self, py: Python<'_>) -> PyResult<()> {
        loop {
            let (is_done, found) = self.with(py, |inner| {
                inner.advance(u32::MAX)?;
                let is_done = inner.simulation.control().frame_done == 1;
                Ok((is_done, if is_done { inner.see()? } else { Vec::new() }))
            })?;
            py.check_signals()?;
            for sentence in found {
                let text = CString::new(sentence)?;
                PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &text, 2)?;
            }
            if is_done {
                return Ok(());
            }
        }
    }

    /// Bytes of the fluid's ids (u32), positions and velocities (3 f32 each), densities, pressures (f32) and materials
    /// (u32), in the order of ids.
    #[allow(clippy::type_complexity, reason = "the package gives them names")]
    fn particles<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(
        Bound<'py, PyBytes>,
        Bound<'py, PyBytes>,
        Bound<'py, PyBytes>,
        Bound<'py, PyBytes>,
        Bound<'py, PyBytes>,
        Bound<'py, PyBytes>,
    )> {
        let all = self.with(py, Inner::particles)?;
        Ok((
            bytes(py, &all.ids),
            bytes(py, &all.positions),
            bytes(py, &all.velocities),
            bytes(py, &all.densities),
            bytes(py, &all.pressures),
            bytes(py, &all.materials),
        ))
    }

    /// Bytes of foam's ids (u32), positions and velocities (3 f32 each), kinds (u32: 0 spray, 1 foam, 2 bubble) and ages (f32),
    /// in the order of ids; `None` without foam.
    #[allow(clippy::type_complexity, reason = "the package gives them names")]
    fn foam<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<
        Option<(
            Bound<'py, PyBytes>,
            Bound<'py, PyBytes>,
            Bound<'py, PyBytes>,
            Bound<'py, PyBytes>,
            Bound<'py, PyBytes>,
        )>,
    > {
        let Some(all) = self.with(py, |inner| inner.foam())? else { return Ok(None) };
        Ok(Some((
            bytes(py, &all.ids),
            bytes(py, &all.positions),
            bytes(py, &all.velocities),
            bytes(py, &all.kinds),
            bytes(py, &all.ages),
        )))
    }

    /// Name, unit and description of the scene's quantities, and whether they are of particles.
    fn quantities(
        &self,
        py: Python<'_>,
    ) -> PyResult<Vec<(&'static str, &'static str, &'static str, bool)>> {
        self.with(py, |inner| {
            let all = inner.simulation.quantities();
            Ok(all.iter().map(|q| (q.name, q.unit(), q.help, is_of_particles(q))).collect())
        })
    }

    /// Bytes of a quantity (f32).
    fn quantity<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyBytes>> {
        Ok(bytes(py, &self.with(py, |inner| inner.quantity(name))?))
    }

    /// Lowest corner in m, edge of a cell in m, cells along x, y, z; and name, components and bytes (f32) of the fields.
    #[allow(clippy::type_complexity, reason = "the package gives them names")]
    fn cells<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Triple, f64, [usize; 3], Vec<(&'static str, usize, Bound<'py, PyBytes>)>)> {
        let cells = self.with(py, |inner| Ok(inner.simulation.cells()?))?;
        let fields = cells.fields.iter();
        let fields = fields.map(|field| (field.name, field.components, bytes(py, &field.values)));
        Ok((cells.low, cells.edge, cells.size, fields.collect()))
    }

    /// Sums over the fluid.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (report, loops, viscosities) = self.with(py, |inner| {
            let setup = inner.simulation.setup();
            let names = inner.loaded.scene.materials.iter().map(|material| material.name.clone());
            let used = setup.params.materials.iter().map(|material| f64::from(material.viscosity));
            let viscosities: Vec<_> = names.zip(used).collect();
            let loops = setup.chosen.loops();
            Ok((inner.simulation.report()?, loops, viscosities))
        })?;
        report::dict(py, &report, &loops, &viscosities)
    }

    /// Values of the scene's probes with their units, by name; NaN where there is no fluid.
    fn probes(&self, py: Python<'_>) -> PyResult<Vec<(String, f64, &'static str)>> {
        self.with(py, |inner| {
            let (scene, setup) = (&inner.loaded.scene, inner.simulation.setup());
            let state = inner.simulation.read()?;
            let values = probes::values(scene, setup, &state);
            let columns = probes::columns(scene, setup.chosen.family());
            let all = columns.into_iter().zip(values);
            Ok(all.map(|(column, value)| (column.name, value, column.unit)).collect())
        })
    }

    /// Name and number of the bodies and then of the boundaries with a name, whether it is a body, and whether it moves
    /// freely.
    fn solids(&self, py: Python<'_>) -> PyResult<Vec<(String, u32, bool, bool)>> {
        self.with(py, |inner| inner.solids())
    }

    /// Position in m, rotation (w, x, y, z), velocity in m/s and angular velocity in rad/s of a solid.
    fn place(&self, py: Python<'_>, solid: u32) -> PyResult<(Triple, [f64; 4], Triple, Triple)> {
        self.with(py, |inner| inner.place(solid))
    }

    /// Force in N and torque in N m on the solid of this name in the last step, and then their means in the frame; `None` if
    /// they are not measured.
    fn forces(&self, py: Python<'_>, name: &str) -> PyResult<Option<[Triple; 4]>> {
        self.with(py, |inner| inner.forces(name))
    }

    /// Number of worlds, and mass in kg of a particle of each material.
    fn worlds(&self, py: Python<'_>) -> PyResult<(u32, Vec<f64>)> {
        self.with(py, |inner| {
            let count = inner.loaded.scene.materials.len();
            let materials = inner.simulation.setup().params.materials.iter().take(count.max(1));
            let masses = materials.map(|material| f64::from(material.mass)).collect();
            Ok((inner.simulation.worlds(), masses))
        })
    }

    /// Numbers of the solid of this name in all worlds; `None` if there is no such.
    fn solids_in_worlds(&self, py: Python<'_>, name: &str) -> PyResult<Option<Vec<u32>>> {
        self.with(py, |inner| inner.solids_in_worlds(name))
    }

    /// Gravity of each world in m/s².
    fn set_gravities(&self, py: Python<'_>, gravities: Vec<Triple>) -> PyResult<()> {
        let gravities: Vec<_> = gravities.into_iter().map(DVec3::from).collect();
        self.with(py, |inner| {
            // Other weights have other energies.
            inner.works();
            Ok(inner.simulation.set_gravities(&gravities)?)
        })
    }

    /// Puts worlds back to their start.
    fn reset_worlds(&self, py: Python<'_>, worlds: Vec<u32>) -> PyResult<()> {
        self.with(py, |inner| inner.reset_worlds(&worlds))
    }

    /// Places of solids, as by `place`.
    fn places(&self, py: Python<'_>, solids: Vec<u32>) -> PyResult<Vec<(Triple, [f64; 4])>> {
        self.with(py, |inner| inner.places(solids))
    }

    /// Mean force in N and torque in N m in the frame on the solid of this name in each world; `None` if they are not measured.
    fn forces_in_worlds(&self, py: Python<'_>, name: &str) -> PyResult<Option<Vec<[Triple; 2]>>> {
        self.with(py, |inner| inner.forces_in_worlds(name))
    }

    /// Names of the joints and mooring lines, with the mean force in N and torque in N m in the frame, and the angle, way or length.
    #[allow(clippy::type_complexity, reason = "the package gives them names")]
    fn joints(&self, py: Python<'_>) -> PyResult<Vec<(String, Triple, Triple, f64)>> {
        self.with(py, |inner| {
            let all = inner.simulation.joints().into_iter();
            Ok(all.map(|joint| (joint.name, joint.force, joint.torque, joint.way)).collect())
        })
    }

    /// Gives a hinge or slider another motor.
    fn drive(&self, py: Python<'_>, joint: &str, speed: f64, most: f64) -> PyResult<()> {
        self.with(py, |inner| Ok(inner.simulation.drive(joint, speed, most)?))
    }

    /// Impulse in N s and angular impulse in N m s on the solid of this name since the last call; `None` if they are not
    /// measured.
    fn impulse(&self, py: Python<'_>, name: &str) -> PyResult<Option<[f64; 6]>> {
        self.with(py, |inner| inner.impulse(name))
    }

    /// Moves a solid to a place in the next frame; the rotation is (w, x, y, z).
    #[pyo3(signature = (solid, position, rotation, velocity=None, angular_velocity=None))]
    fn steer(
        &self,
        py: Python<'_>,
        solid: u32,
        position: Triple,
        rotation: [f64; 4],
        velocity: Option<Triple>,
        angular_velocity: Option<Triple>,
    ) -> PyResult<()> {
        let mut goal = KinematicTarget::new(position.into(), turn(rotation));
        goal.velocity = velocity.map(DVec3::from);
        goal.angular_velocity = angular_velocity.map(DVec3::from);
        self.with(py, |inner| {
            inner.works();
            Ok(inner.simulation.set_kinematic_target(SolidId::new(solid), goal)?)
        })
    }

    /// Force in N and torque in N m on a free body, until the next call.
    fn push(&self, py: Python<'_>, solid: u32, force: Triple, torque: Triple) -> PyResult<()> {
        self.with(py, |inner| {
            Ok(inner.simulation.set_force(SolidId::new(solid), force.into(), torque.into())?)
        })
    }

    /// Changes a key of the scene while it runs.
    fn set(&self, py: Python<'_>, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = to_toml(key, value)?;
        self.with(py, |inner| inner.set(key, value))
    }

    /// Adds a force field, or changes the one of this number; returns the number.
    #[pyo3(signature = (kind, values, number=None))]
    fn set_force(
        &self,
        py: Python<'_>,
        kind: &str,
        values: &Bound<'_, PyAny>,
        number: Option<usize>,
    ) -> PyResult<usize> {
        let value = to_toml(kind, values)?;
        self.with(py, |inner| {
            inner.works();
            let force = inner.force(kind, value)?;
            match number {
                Some(number) => {
                    let field = inner.field(number)?;
                    inner.simulation.set_force_field(field, &force)?;
                    Ok(number)
                }
                None => {
                    let field = inner.simulation.add_force_field(&force)?;
                    inner.fields.push(Some(field));
                    Ok(inner.fields.len() - 1)
                }
            }
        })
    }

    /// Removes a force field.
    fn remove_force(&self, py: Python<'_>, number: usize) -> PyResult<()> {
        self.with(py, |inner| {
            let field = inner.field(number)?;
            inner.simulation.remove_force_field(field)?;
            inner.fields[number] = None;
            Ok(())
        })
    }

    /// Bytes of the surface's positions, normals (3 f32 each), triangles (3 u32 each), velocities (3 f32 each); number of
    /// particles that it leaves out.
    #[allow(clippy::type_complexity, reason = "the package gives them names")]
    #[allow(clippy::too_many_arguments, reason = "the package names them")]
    fn surface<'py>(
        &self,
        py: Python<'py>,
        fineness: u32,
        value: Option<f32>,
        anisotropic: bool,
        smoothing: u32,
        velocity: bool,
        material: Option<u32>,
    ) -> PyResult<(
        Bound<'py, PyBytes>,
        Bound<'py, PyBytes>,
        Bound<'py, PyBytes>,
        Option<Bound<'py, PyBytes>>,
        u32,
    )> {
        let options =
            SurfaceOptions { fineness, value, anisotropic, smoothing, velocity, material };
        let mesh = self.with(py, |inner| {
            let count = inner.loaded.scene.materials.len();
            match material.filter(|number| *number as usize >= count) {
                Some(number) => Err(Failure::Value(format!(
                    "material: there is no number {number}; the scene has {count}"
                ))),
                None => Ok(inner.simulation.surface(&options)?),
            }
        })?;
        let velocity = mesh.velocity.as_ref().map(|velocity| bytes(py, velocity));
        let [position, normal] = [&mesh.position, &mesh.normal].map(|rows| bytes(py, rows));
        Ok((position, normal, bytes(py, &mesh.triangles), velocity, mesh.outside))
    }

    /// Bytes of a picture: red, green and blue of its pixels, row by row.
    #[allow(clippy::too_many_arguments, reason = "the package names them")]
    fn picture<'py>(
        &self,
        py: Python<'py>,
        size: [u32; 2],
        view: Option<String>,
        color: Option<String>,
        range: Option<[f32; 2]>,
        eye: Option<Triple>,
        target: Option<Triple>,
        fov: Option<f64>,
        legend: bool,
        boundaries: bool,
        world: u32,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let options =
            Picture { size, view, color, range, eye, target, fov, legend, boundaries, world };
        let pixels = self.with(py, |inner| inner.picture(&options))?;
        Ok(PyBytes::new(py, &pixels))
    }

    /// The state between two steps.
    fn state(&self, py: Python<'_>) -> PyResult<State> {
        self.with(py, |inner| Ok(State(Arc::new(inner.checkpoint()?))))
    }

    /// Goes on from a state.
    fn restore(&self, py: Python<'_>, state: &State) -> PyResult<()> {
        let state = Arc::clone(&state.0);
        self.with(py, |inner| inner.restore(&state))
    }

    /// Gives particles other positions and velocities: rows of 64-bit floats, in the order of ids (u32), which are those of all
    /// particles if there are none.
    #[pyo3(signature = (ids, positions, velocities))]
    fn set_particles(
        &self,
        py: Python<'_>,
        ids: Option<&[u8]>,
        positions: Option<&[u8]>,
        velocities: Option<&[u8]>,
    ) -> PyResult<()> {
        let rows = bytemuck::pod_collect_to_vec::<u8, [f64; 3]>;
        let ids = ids.map(bytemuck::pod_collect_to_vec::<u8, u32>);
        let (positions, velocities) = (positions.map(rows), velocities.map(rows));
        self.with(py, |inner| inner.set_particles(ids, positions.as_deref(), velocities.as_deref()))
    }

    /// Adds fluid; returns the most particles that come of it.
    fn add_fluid(&self, py: Python<'_>, keys: &Bound<'_, PyAny>) -> PyResult<u32> {
        let keys = to_toml("fluid", keys)?;
        self.with(py, |inner| {
            let fluid = inner.fluid(keys)?;
            Ok(inner.simulation.spawn(&fluid)?)
        })
    }

    /// Removes the fluid in a shape.
    fn remove_fluid(&self, py: Python<'_>, keys: &Bound<'_, PyAny>) -> PyResult<()> {
        let keys = to_toml("region", keys)?;
        self.with(py, |inner| {
            let region = inner.region(keys)?;
            Ok(inner.simulation.remove(&region)?)
        })
    }

    /// A byte for each of these points, three f64 each: 1 for those within a shape.
    fn within<'py>(
        &self,
        py: Python<'py>,
        keys: &Bound<'_, PyAny>,
        points: &[u8],
    ) -> PyResult<Bound<'py, PyBytes>> {
        let keys = to_toml("region", keys)?;
        let points: Vec<Triple> = bytemuck::pod_collect_to_vec(points);
        let found = self.with(py, |inner| {
            let region = inner.region(keys)?;
            let scene = &inner.loaded.scene;
            let problems = check::region(&region, scene.dimensions, scene.spacing());
            if !problems.is_empty() {
                return Err(meniscus::Error::Scene(problems).into());
            }
            inner.simulation.setup().region(&region).map_err(Failure::Value)?;
            let is_within = |x: &Triple| region.depth((*x).into(), scene.dimensions) > 0.0;
            Ok(points.iter().map(|x| u8::from(is_within(x))).collect())
        });
        found.map(|found: Vec<u8>| PyBytes::new(py, &found))
    }

    /// Sets the speed of an emitter, and moves its mouth to a place if there is one; the rotation is (w, x, y, z).
    #[pyo3(signature = (emitter, speed, mouth=None))]
    fn set_emitter(
        &self,
        py: Python<'_>,
        emitter: u32,
        speed: f64,
        mouth: Option<(Triple, [f64; 4])>,
    ) -> PyResult<()> {
        let mouth = mouth.map(|(position, rotation)| Pose {
            position: position.into(),
            rotation: turn(rotation),
        });
        self.with(py, |inner| Ok(inner.simulation.set_emitter(emitter, speed, mouth)?))
    }

    /// Writes a checkpoint.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.with(py, |inner| inner.save(&path))
    }
}
