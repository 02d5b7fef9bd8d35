//! Sums over the particles for the log.

use glam::Vec3;
use meniscus_shared::shared;

shared! {
    /// Sums over fluid particles, largest and smallest values.
    struct Diagnostics {
        /// Momentum in kg m/s.
        momentum: Vec3,
        /// Mass in kg (kg/m in 2-D).
        mass: f32,
        /// Angular momentum about the domain's centre in kg m²/s.
        angular_momentum: Vec3,
        /// Kinetic energy in J.
        kinetic_energy: f32,
        /// Σ m x in kg m, x relative to the domain's centre.
        first_moment: Vec3,
        /// Σ max(0, ρ/ρ0 − 1).
        compression_sum: f32,
        /// Lower corner of the particles' bounding box, relative to the domain's centre, in m.
        bounds_min: Vec3,
        /// Largest max(0, ρ/ρ0 − 1).
        compression_max: f32,
        /// Upper corner of the particles' bounding box, relative to the domain's centre, in m.
        bounds_max: Vec3,
        /// Largest speed in m/s.
        speed_max: f32,
        /// Number of particles.
        count: f32,
        /// Number of particles more than a radius beyond a closed wall.
        lost: f32,
        /// Σ s Δxᵈ of smoke in m³ (m² in 2-D).
        smoke: f32,
        /// Largest error of volume of a cell of smoke in the last step, in percent.
        divergence: f32,
    }
}
