//! Diagnostics of a simulation.

use glam::Vec3;
use meniscus_methods::foam;
use meniscus_model::{Control, Setup, diagnostics::Diagnostics};

/// Diagnostics after a step, computed on the GPU in a fixed order of summation.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FrameReport {
    /// Control at the end of the frame. It is [raw](crate::raw).
    pub control: Control,
    /// Number of the frame; frame n ends at n / fps.
    pub frame: u32,
    /// Simulated time in s.
    pub time: f64,
    /// Steps since the start.
    pub steps: u32,
    /// Length of the last step in s.
    pub dt: f64,
    /// Iterations of all loops of the solver in this frame.
    pub iterations: u32,
    /// Of each of these loops the residual in percent after each iteration in the last step, of the first 127. After a state was read there
    /// are none.
    pub residuals: Vec<Vec<f64>>,
    /// Fluid particles.
    pub fluid: u32,
    /// Fluid particles outside a closed wall by more than a particle radius.
    pub lost: u32,
    /// Particles that have left through open sides of a grid method's box.
    pub left: u32,
    /// Mass in kg.
    pub mass: f64,
    /// Mean over particles of max(0, ρ/ρ0 − 1), in percent.
    pub density_error_mean: f64,
    /// Largest max(0, ρ/ρ0 − 1), in percent.
    pub density_error_max: f64,
    /// Kinetic energy in J.
    pub kinetic_energy: f64,
    /// Potential energy in gravity, in J: 0 at the world's origin; NaN if worlds have gravities of their own.
    pub potential_energy: f64,
    /// Momentum in kg m/s.
    pub momentum: [f64; 3],
    /// Angular momentum about the world's origin in kg m²/s.
    pub angular_momentum: [f64; 3],
    /// Centre of mass in m.
    pub center_of_mass: [f64; 3],
    /// Lower corner of all fluid particles' centres in m.
    pub bounds_min: [f64; 3],
    /// Upper corner of all fluid particles' centres in m.
    pub bounds_max: [f64; 3],
    /// Largest speed in m/s.
    pub max_speed: f64,
    /// Smoke: the integral of its density, in m³ (m² in 2-D).
    pub smoke: f64,
    /// Largest error of volume of a cell of smoke in the last step, in percent.
    pub divergence: f64,
    /// Share of the fluid particles with another one nearer than half a spacing, from 0 to 1: pairs, which act as one particle.
    /// Absent without SPH.
    pub close: Option<f64>,
    /// Foam, spray and bubbles; absent without foam.
    pub foam: Option<FoamReport>,
    /// What has come and gone through each open boundary.
    pub openings: Vec<OpeningReport>,
}

/// Volumes in m³ (in 2-D m²) that have passed an open boundary since the start.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct OpeningReport {
    /// Name of the inlet or outlet.
    pub name: String,
    /// Volume that has come in.
    pub came: f64,
    /// Volume that has left.
    pub left: f64,
}

impl OpeningReport {
    /// Reports of all, from `opening_counts`.
    pub(crate) fn all(counts: &[u32], setup: &Setup) -> Vec<Self> {
        let volume = f64::from(setup.params.materials[0].rest_volume);
        let (counts, _) = counts.as_chunks::<2>();
        let names = setup.opening_names.iter().zip(counts);
        names
            .map(|(name, [came, left])| Self {
                name: name.clone(),
                came: volume * f64::from(*came),
                left: volume * f64::from(*left),
            })
            .collect()
    }
}

/// Numbers of particles of foam.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoamReport {
    /// Spray.
    pub spray: u32,
    /// Foam.
    pub foam: u32,
    /// Bubbles.
    pub bubbles: u32,
    /// Births since the start.
    pub born: u32,
    /// Deaths since the start.
    pub died: u32,
    /// Updates in which there was no room for all births.
    pub thinned: u32,
}

impl FoamReport {
    /// Report from `foam_state` and `foam_tally`.
    pub(crate) fn of(state: &[u32], tally: &[u32]) -> Self {
        let [state, tally] =
            [state, tally].map(|words| move |k: u32| words.get(k as usize).copied().unwrap_or(0));
        Self {
            spray: tally(foam::FOAM_SPRAY),
            foam: tally(foam::FOAM_FOAM),
            bubbles: tally(foam::FOAM_BUBBLE),
            born: state(foam::FOAM_BORN),
            died: state(foam::FOAM_DIED),
            thinned: state(foam::FOAM_THINNED),
        }
    }
}

impl FrameReport {
    /// Report from `diagnostics`, as computed by the list `report`.
    pub(crate) fn of(control: Control, sums: &Diagnostics, setup: &Setup) -> Self {
        let (mass, count) = (f64::from(sums.mass), f64::from(sums.count));
        let (center, momentum) = (setup.center, sums.momentum.as_dvec3());
        let world_moment = sums.first_moment.as_dvec3() + mass * center;
        let share = |value: f64, of: f64| if of > 0.0 { value / of } else { 0.0 };
        let bound =
            |v: Vec3| if count > 0.0 { (v.as_dvec3() + center).to_array() } else { [0.0; 3] };
        Self {
            control,
            frame: control.frame,
            time: control.time(setup.frame_duration),
            steps: control.step,
            dt: control.dt.into(),
            iterations: control.iterations_in_frame,
            residuals: Vec::new(),
            fluid: sums.count as u32,
            lost: sums.lost as u32,
            left: control.left,
            mass,
            density_error_mean: 100.0 * share(f64::from(sums.compression_sum), count),
            density_error_max: 100.0 * f64::from(sums.compression_max),
            kinetic_energy: f64::from(sums.kinetic_energy),
            potential_energy: match setup.params.has_one_gravity() {
                true => -setup.params.world.gravity.as_dvec3().dot(world_moment),
                false => f64::NAN,
            },
            momentum: momentum.to_array(),
            angular_momentum: (sums.angular_momentum.as_dvec3() + center.cross(momentum))
                .to_array(),
            center_of_mass: world_moment.to_array().map(|moment| share(moment, mass)),
            bounds_min: bound(sums.bounds_min),
            bounds_max: bound(sums.bounds_max),
            max_speed: f64::from(sums.speed_max),
            smoke: f64::from(sums.smoke),
            divergence: f64::from(sums.divergence),
            close: None,
            foam: None,
            openings: Vec::new(),
        }
    }
}
