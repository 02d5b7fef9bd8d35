//! Small worlds to test twins with.

use glam::{DVec3, UVec3, Vec3};
use meniscus_model::params::MaterialParams;
use meniscus_model::{Control, Params};
use meniscus_reference::World;

/// Unit support radius, unbounded space, no forces, one material of unit mass and rest density 1.
pub(crate) fn params(dimensions: u32, capacity: usize) -> Params {
    let grid_size = UVec3::new(5, 4, if dimensions == 2 { 1 } else { 3 });
    let material =
        MaterialParams { mass: 1.0, rest_density: 1.0, rest_volume: 1.0, ..<_>::default() };
    let mut params = Params::default();
    params.world.dimensions = dimensions;
    params.world.particle_radius = 0.25;
    params.world.body_depth = 0.3;
    params.world.expected_speed = 1.0;
    params.grid.inverse_cell = Vec3::ONE;
    params.grid.size = grid_size;
    params.grid.cell_count = grid_size.element_product();
    params.grid.z_reach = if dimensions == 2 { 0 } else { 1 };
    params.kernel.support_radius = 1.0;
    params.time.length = 1.0;
    params.kernel.support_radius_squared = 1.0;
    params.kernel.poly6 = f32::NAN;
    params.kernel.spiky_gradient = f32::NAN;
    params.kernel.viscosity_laplacian = f32::NAN;
    params.kernel.density_calibration = 1.0;
    params.kernel.gradient_calibration = 1.0;
    params.kernel.viscosity_calibration = 1.0;
    params.sph.surface_threshold = 1e9;
    params.sph.relaxation = 0.5;
    params.time.frame_duration = 0.125;
    params.time.max_step = 1.0;
    params.time.min_step = 1e-8;
    params.time.cfl = 1.0;
    params.time.sound_speed = 1.0;
    params.time.first_drift = 0.5;
    params.counts.capacity = capacity as u32;
    params.materials = [material; 16];
    params
}

/// A world whose particles, at these positions, fill both the unsorted and the sorted arrays, with
/// the material's volumes.
pub(crate) fn world(params: Params, positions: &[DVec3]) -> World {
    let mut params = params;
    params.counts.capacity = params.counts.capacity.max(positions.len() as u32);
    let mut world = World::new(params, Control::start(positions.len() as u32));
    for (i, x) in positions.iter().enumerate() {
        world.position[i] = x.extend(0.0).to_array();
        world.identity[i] = [i as u32, 0];
        let volume = f64::from(params.materials[0].rest_volume);
        world.sorted_position[i] = x.extend(volume).to_array();
        world.sorted_identity[i] = [i as u32, 0];
    }
    world.control.primed = 1;
    world.stage.element_count = world.params.counts.capacity;
    world
}

/// The first three components.
pub(crate) fn xyz(v: [f64; 4]) -> DVec3 {
    DVec3::new(v[0], v[1], v[2])
}

/// Asserts that two vectors agree to 1e-12.
#[track_caller]
pub(crate) fn assert_near(found: DVec3, expected: DVec3) {
    assert!((found - expected).length() < 1e-12, "found {found}, expected {expected}");
}

/// Asserts that two numbers agree to a relative tolerance (absolute near 0).
#[track_caller]
pub(crate) fn assert_close(found: f64, expected: f64, tolerance: f64) {
    let error = (found - expected).abs() / expected.abs().max(1.0);
    assert!(error < tolerance, "found {found}, expected {expected}: off by {error:e}");
}

/// Reproducible sequence of numbers.
pub(crate) struct Random(fastrand::Rng);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// A number in [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        self.0.f64()
    }

    /// A vector in [−size, size)³, with z = 0 in 2-D.
    pub(crate) fn vector(&mut self, size: f64, dimensions: u32) -> DVec3 {
        let mut v = DVec3::from_array(std::array::from_fn(|_| size * (2.0 * self.unit() - 1.0)));
        if dimensions == 2 {
            v.z = 0.0;
        }
        v
    }
}
