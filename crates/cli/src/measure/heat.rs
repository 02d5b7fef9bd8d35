//! Work that brings a GPU's clock up before something is timed.

use std::time::{Duration, Instant};

use meniscus::{
    Gpu, Scene, Simulation,
    blocking::block_on,
    scene::{Boundary, Fluid},
    wgpu::DeviceType,
};

use crate::Failure;

/// Wall time of the work. An H200 that has just been idle runs passes half as fast for longer than a few steps take.
const TIME: Duration = Duration::from_millis(500);

/// A dam break of 64,000 particles.
fn scene() -> Scene {
    Scene::new(0.0125)
        .with_solver("wcsph")
        .with_fluid(Fluid::block([0.0, 0.0, 0.0], [1.0, 1.0, 1.0]))
        .with_boundary(Boundary::tank([0.0, 0.0, 0.0], [2.0, 2.0, 1.0]))
}

/// A simulation whose steps are never measured.
#[derive(Debug)]
pub(crate) struct Heater(Option<Box<Simulation>>);

impl Heater {
    /// A dam break, or nothing on a processor, whose clock is up.
    pub(crate) fn new(gpu: &Gpu) -> Result<Self, Failure> {
        if gpu.info().device_type == DeviceType::Cpu {
            return Ok(Self(None));
        }
        Ok(Self(Some(Box::new(block_on(gpu, Simulation::new(gpu, &scene()))?))))
    }

    /// Keeps the GPU busy.
    pub(crate) fn heat(&mut self, gpu: &Gpu) -> Result<(), Failure> {
        let begin = Instant::now();
        while let Some(simulation) = self.0.as_mut().filter(|_| begin.elapsed() < TIME) {
            block_on(gpu, simulation.step(simulation.steps_per_submission()))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use meniscus::raw::Setup;

    #[test]
    fn its_scene_has_no_problems() {
        assert!(Setup::new(&super::scene()).is_ok());
    }
}
