//! Bodies of another engine in the water of this one.

use std::ops::{Add, Div, Mul, Sub};

/// Coupling of a body that another engine moves, with numbers as that has them, `f32` or `f64`: the engine moves it, the fluid follows it by
/// [`Simulation::set_kinematic_target`](crate::Simulation::set_kinematic_target), and the engine gets what the fluid did to it.
///
/// Water answers an acceleration a frame late. A light body would be shaken ever harder by that, as its own mass is less than what it carries
/// along. So to the engine it is heavier by an added mass, at most about what it displaces, whose force in the frame
/// before is given back; gravity acts on its own mass alone:
///
/// ```
/// # use meniscus::Coupling;
/// // 8 kg that displace 16 kg of water when they are under it, at 100 frames per second.
/// let mut coupling = Coupling::new(8.0, 16.0, 0.01);
/// let (mass, scale) = (coupling.mass(), coupling.gravity_scale());
/// assert!((mass * scale - 8.0_f64).abs() < 1e-12);
/// // In each frame, after the fluid's: the water's force and torque (`ForceReport::mean_force`, `mean_torque`), the body's velocity and
/// // angular velocity, and its tensor of inertia in world axes as the engine has it.
/// let inertia = [[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]];
/// let [force, torque] = coupling.load([[0.0, 90.0, 0.0], [0.0; 3]], [[0.0, 0.1, 0.0], [0.0; 3]], inertia);
/// # assert!((force[1] - (90.0 + 16.0 * 0.1 / 0.01)).abs() < 1e-9 && torque == [0.0; 3]);
/// ```
///
/// `examples/rapier.rs` couples two bodies of Rapier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coupling<T> {
    own: T,
    added: T,
    frame: T,
    /// Velocity in m/s and angular velocity in rad/s at the end of the frame before.
    before: [[T; 3]; 2],
}

/// `f32` or `f64`.
pub trait Real:
    Copy + Default + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
}

impl Real for f32 {}
impl Real for f64 {}

impl<T: Real> Coupling<T> {
    /// Coupling of a body at rest of this mass in kg, with an added mass in kg and the length of a frame in s. What moves
    /// at the start is given its velocities by [`Coupling::at`].
    #[must_use]
    pub fn new(mass: T, added: T, frame: T) -> Self {
        Self { own: mass, added, frame, before: Default::default() }
    }

    /// Coupling of a body that moves: velocity in m/s and angular velocity in rad/s.
    #[must_use]
    pub fn at(self, velocities: [[T; 3]; 2]) -> Self {
        Self { before: velocities, ..self }
    }

    /// Mass in kg for the engine. Its inertia is to be as much larger: set its density, not its mass alone.
    #[must_use]
    pub fn mass(&self) -> T {
        self.own + self.added
    }

    /// Factor on the engine's gravity for this body.
    #[must_use]
    pub fn gravity_scale(&self) -> T {
        self.own / self.mass()
    }

    /// Force in N and torque in N m for the engine's next frame, from those of the fluid in the last one, the body's velocity and angular velocity
    /// at its end, and its tensor of inertia in kg m² in world axes, as the engine has it.
    pub fn load(
        &mut self,
        fluid: [[T; 3]; 2],
        velocities: [[T; 3]; 2],
        inertia: [[T; 3]; 3],
    ) -> [[T; 3]; 2] {
        let change =
            |k: usize, axis: usize| (velocities[k][axis] - self.before[k][axis]) / self.frame;
        let share = self.added / self.mass();
        let spin = |axis: usize| {
            let row = inertia[axis];
            row[0] * change(1, 0) + row[1] * change(1, 1) + row[2] * change(1, 2)
        };
        let force = std::array::from_fn(|axis| fluid[0][axis] + self.added * change(0, axis));
        let torque = std::array::from_fn(|axis| fluid[1][axis] + share * spin(axis));
        self.before = velocities;
        [force, torque]
    }
}
