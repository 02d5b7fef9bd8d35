//! Blocking API for programs that are not `async` (feature `blocking`).
//!
//! ```no_run
//! # fn main() -> Result<(), meniscus::Error> {
//! use meniscus::{blocking::Simulation, scene::{Boundary, Fluid, Scene}};
//!
//! let scene = Scene::new(0.025)
//!     .with_fluid(Fluid::block([0.0, 0.0, 0.0], [0.3, 0.6, 0.3]))
//!     .with_boundary(Boundary::tank([0.0, 0.0, 0.0], [1.0, 1.0, 0.3]));
//! let mut simulation = Simulation::new(&scene)?;
//! simulation.run_until(0.5)?;
//! println!("{} J", simulation.report()?.kinetic_energy);
//! # Ok(())
//! # }
//! ```

use std::{
    ops::{Deref, DerefMut},
    pin::pin,
    task::{Context, Poll, Waker},
    time::Duration,
};

use crate::{
    AdapterSummary, Cells, Error, FluidMesh, FrameReport, Gpu, GpuOptions, Measured, Quantity,
    Scene, State, SurfaceMesh, SurfaceOptions,
};

/// Shortest and longest sleep between two polls of the device.
const NAPS: [Duration; 2] = [Duration::from_micros(50), Duration::from_micros(250)];

/// Runs a future that waits for the device. Between polls the thread sleeps rather than spinning, since software Vulkan runs on
/// the same cores. It does not wait in the device, which would keep the device locked to other threads.
pub fn block_on<T>(gpu: &Gpu, future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    let mut nap = NAPS[0];
    loop {
        // The first poll after a submission only yields.
        for _ in 0..2 {
            if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
                return value;
            }
        }
        std::thread::sleep(nap);
        // Ignore a failure here: the future polls the device as well and reports it.
        let _ = gpu.device().poll(wgpu::PollType::Poll);
        nap = (2 * nap).min(NAPS[1]);
    }
}

/// Adapters of the system: [`Gpu::adapters`].
#[must_use]
pub fn adapters() -> Vec<AdapterSummary> {
    leave_displays_alone();
    pollster::block_on(Gpu::adapters())
}

/// Open device: [`Gpu::new`].
///
/// # Errors
/// As [`Gpu::new`].
pub fn open(options: &GpuOptions) -> Result<Gpu, Error> {
    leave_displays_alone();
    pollster::block_on(Gpu::new(options))
}

/// Keeps Mesa's device-select layer out of a process that has no other thread yet. The layer only asks X and Wayland
/// which adapter they draw on; without either, libwayland prints an unrelated error about `XDG_RUNTIME_DIR`. Users who
/// set the layer's own variables keep it.
#[allow(unsafe_code, reason = "no other thread runs that could read the environment")]
pub fn leave_displays_alone() {
    let steered = ["NODEVICE_SELECT", "DRI_PRIME", "MESA_VK_DEVICE_SELECT"];
    let alone = std::fs::read_dir("/proc/self/task").is_ok_and(|threads| threads.count() == 1);
    if alone && steered.iter().all(|name| std::env::var_os(name).is_none()) {
        // SAFETY: this is the process's only thread.
        unsafe { std::env::set_var("NODEVICE_SELECT", "1") };
    }
}

/// Running simulation with blocking methods. Methods that need not wait are those of
/// [`Simulation`](crate::Simulation), to which this type dereferences.
#[derive(Debug)]
pub struct Simulation {
    gpu: Gpu,
    simulation: crate::Simulation,
}

impl Deref for Simulation {
    type Target = crate::Simulation;

    fn deref(&self) -> &Self::Target {
        &self.simulation
    }
}

impl DerefMut for Simulation {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.simulation
    }
}

impl Simulation {
    /// Simulation of a scene at time 0, on the adapter that the system prefers.
    ///
    /// # Errors
    /// As [`Gpu::new`] and [`Simulation::new`](crate::Simulation::new).
    pub fn new(scene: &Scene) -> Result<Self, Error> {
        Self::on(&open(&GpuOptions::default())?, scene)
    }

    /// Simulation of a scene at time 0, on an open device.
    ///
    /// # Errors
    /// As [`Simulation::new`](crate::Simulation::new).
    pub fn on(gpu: &Gpu, scene: &Scene) -> Result<Self, Error> {
        let simulation = block_on(gpu, crate::Simulation::new(gpu, scene))?;
        Ok(Self { gpu: gpu.clone(), simulation })
    }

    /// Simulation resumed from a state of the same scene.
    ///
    /// # Errors
    /// As [`Simulation::resume`](crate::Simulation::resume).
    pub fn resume(gpu: &Gpu, scene: &Scene, state: &State) -> Result<Self, Error> {
        let simulation = block_on(gpu, crate::Simulation::resume(gpu, scene, state))?;
        Ok(Self { gpu: gpu.clone(), simulation })
    }

    /// Device that it runs on.
    #[must_use]
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Makes `count` steps: [`Simulation::step`](crate::Simulation::step).
    ///
    /// # Errors
    /// [`Error::Failed`], [`Error::Device`].
    pub fn step(&mut self, count: u32) -> Result<(), Error> {
        block_on(&self.gpu, self.simulation.step(count))
    }

    /// Runs to the end of the frame: [`Simulation::next_frame`](crate::Simulation::next_frame).
    ///
    /// # Errors
    /// [`Error::Failed`], [`Error::Device`].
    pub fn next_frame(&mut self) -> Result<(), Error> {
        block_on(&self.gpu, self.simulation.next_frame())
    }

    /// Runs whole frames until `time` in s: [`Simulation::run_until`](crate::Simulation::run_until).
    ///
    /// # Errors
    /// [`Error::Failed`], [`Error::Device`].
    pub fn run_until(&mut self, time: f64) -> Result<(), Error> {
        block_on(&self.gpu, self.simulation.run_until(time))
    }

    /// Sums over the particles: [`Simulation::report`](crate::Simulation::report).
    ///
    /// # Errors
    /// [`Error::Failed`], [`Error::Device`].
    pub fn report(&mut self) -> Result<FrameReport, Error> {
        block_on(&self.gpu, self.simulation.report())
    }

    /// Makes as many steps as a submission may hold: [`Simulation::advance`](crate::Simulation::advance).
    ///
    /// # Errors
    /// [`Error::Failed`], [`Error::Device`].
    pub fn advance(&mut self) -> Result<u32, Error> {
        block_on(&self.gpu, self.simulation.advance())
    }

    /// Like [`Simulation::advance`], with at most this many steps: [`Simulation::advance_by`](crate::Simulation::advance_by).
    ///
    /// # Errors
    /// [`Error::Failed`], [`Error::Device`].
    pub fn advance_by(&mut self, most: u32) -> Result<u32, Error> {
        block_on(&self.gpu, self.simulation.advance_by(most))
    }

    /// Fields on the cells of a grid: [`Simulation::cells`](crate::Simulation::cells).
    ///
    /// # Errors
    /// [`Error::Options`], [`Error::Device`].
    pub fn cells(&self) -> Result<Cells, Error> {
        block_on(&self.gpu, self.simulation.cells())
    }

    /// Reads quantities back: [`Simulation::measure`](crate::Simulation::measure).
    ///
    /// # Errors
    /// [`Error::Options`], [`Error::Device`].
    pub fn measure(&self, quantities: &[Quantity]) -> Result<Vec<Measured>, Error> {
        block_on(&self.gpu, self.simulation.measure(quantities))
    }

    /// Complete state from which a run can be resumed:
    /// [`Simulation::read`](crate::Simulation::read).
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn read(&self) -> Result<State, Error> {
        block_on(&self.gpu, self.simulation.read())
    }

    /// Goes on from a state of the same scene, in place: [`Simulation::restore`](crate::Simulation::restore).
    ///
    /// # Errors
    /// As [`Simulation::restore`](crate::Simulation::restore).
    pub fn restore(&mut self, state: &State) -> Result<(), Error> {
        block_on(&self.gpu, self.simulation.restore(state))
    }

    /// Puts worlds back to their start: [`Simulation::reset_worlds`](crate::Simulation::reset_worlds).
    ///
    /// # Errors
    /// As [`Simulation::reset_worlds`](crate::Simulation::reset_worlds).
    pub fn reset_worlds(&mut self, worlds: &[u32]) -> Result<(), Error> {
        block_on(&self.gpu, self.simulation.reset_worlds(worlds))
    }

    /// Gives particles other positions and velocities: [`Simulation::set_particles`](crate::Simulation::set_particles).
    ///
    /// # Errors
    /// As [`Simulation::set_particles`](crate::Simulation::set_particles).
    pub fn set_particles(
        &mut self,
        ids: &[u32],
        positions: Option<&[[f64; 3]]>,
        velocities: Option<&[[f64; 3]]>,
    ) -> Result<(), Error> {
        block_on(&self.gpu, self.simulation.set_particles(ids, positions, velocities))
    }

    /// Mesh of the fluid's current surface. For repeated use, keep a [`FluidMesh`].
    ///
    /// # Errors
    /// As [`FluidMesh::new`] and [`FluidMesh::read`].
    pub fn surface(&self, options: &SurfaceOptions) -> Result<SurfaceMesh, Error> {
        let mut surface = FluidMesh::new(&self.gpu, &self.simulation, options)?;
        block_on(&self.gpu, surface.read(&self.simulation))
    }
}
