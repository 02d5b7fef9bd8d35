//! Camera control with smooth motion.

use glam::DVec3;
use meniscus_render::{Camera, FluidBuffers};

/// Time constant of the motion in s.
const GLIDE: f64 = 0.07;
/// Rotation in radians for a drag over the picture's height.
const TURN: f64 = 3.0;
/// Nearest and farthest distance, relative to the distance at which the scene fills the picture.
const REACH: (f64, f64) = (0.02, 20.0);

/// A camera that moves smoothly from `now` to `goal`.
#[derive(Clone, Debug)]
pub struct CameraControl {
    now: Camera,
    goal: Camera,
    home: f64,
}

impl Default for CameraControl {
    fn default() -> Self {
        let camera = Camera::default();
        Self { now: camera, goal: camera, home: camera.distance() }
    }
}

impl CameraControl {
    /// The default camera, at rest.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Current camera.
    #[must_use]
    pub fn camera(&self) -> Camera {
        self.now
    }

    /// Moves the camera so that the scene fills the picture, at once or smoothly.
    pub fn frame(&mut self, fluid: &FluidBuffers, aspect: f64, at_once: bool) {
        self.goal = fluid.camera(aspect);
        self.home = self.goal.distance();
        if at_once {
            self.now = self.goal;
        }
    }

    /// Where the camera comes to rest.
    #[must_use]
    pub fn goal(&self) -> Camera {
        self.goal
    }

    /// Looks from `eye` at `target`, both in m, at once. Returns whether that is a direction.
    pub fn look(&mut self, eye: DVec3, target: DVec3) -> bool {
        let way = eye - target;
        if !way.is_finite() || way.length() <= 0.0 {
            return false;
        }
        self.goal = Camera { eye, target, ..self.goal };
        self.now = self.goal;
        true
    }

    /// Turns around the target by a drag, in picture heights.
    pub fn orbit(&mut self, right: f64, down: f64) {
        self.goal.orbit(-TURN * right, TURN * down);
    }

    /// Moves the target by a drag, in picture heights.
    pub fn pan(&mut self, right: f64, down: f64) {
        self.goal.pan(right, -down);
    }

    /// Zooms in by notches of the mouse wheel.
    pub fn zoom(&mut self, turns: f64) {
        let reached = self.goal.distance() * (-0.15 * turns).exp();
        let reached = reached.clamp(REACH.0 * self.home, REACH.1 * self.home);
        self.goal.zoom(reached / self.goal.distance());
    }

    /// Advances the motion by `dt` s. Returns whether the camera moved.
    pub fn glide(&mut self, dt: f64) -> bool {
        if self.now == self.goal {
            return false;
        }
        let share = 1.0 - (-dt / GLIDE).exp();
        let (now, goal) = (self.now, self.goal);
        let target = now.target.lerp(goal.target, share);
        // Move the eye around the target, not through it.
        let (from, to) = (now.eye - now.target, goal.eye - goal.target);
        let distance = from.length() * (to.length() / from.length()).powf(share);
        let direction = from.normalize().lerp(to.normalize(), share);
        let eye = target + distance * direction.try_normalize().unwrap_or(to.normalize());
        self.now = Camera { eye, target, up: goal.up, fov_y: goal.fov_y };
        let rest = eye.distance(goal.eye).max(target.distance(goal.target));
        if rest < 2e-4 * goal.distance() {
            self.now = goal;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_arrives_within_half_a_second_and_rests() {
        let mut control = CameraControl::new();
        control.orbit(0.3, 0.1);
        control.zoom(3.0);
        control.pan(0.1, 0.2);
        let before = control.camera();
        assert!(control.glide(0.016));
        assert_ne!(control.camera(), before);
        for _ in 0..60 {
            control.glide(0.016);
        }
        assert_eq!(control.camera(), control.goal);
        assert!(!control.glide(0.016));
    }

    #[test]
    fn it_looks_from_where_it_is_told() {
        let mut control = CameraControl::new();
        let (eye, target) = (DVec3::new(1.0, 2.0, 3.0), DVec3::Y);
        assert!(control.look(eye, target));
        assert_eq!((control.camera().eye, control.goal().target), (eye, target));
        assert!(!control.glide(0.016));
        for wrong in [eye, DVec3::NAN, DVec3::INFINITY] {
            assert!(!control.look(eye, wrong), "{wrong}");
        }
        assert_eq!(control.camera().target, target);
    }

    #[test]
    fn zooming_ends_somewhere() {
        let mut control = CameraControl::new();
        for _ in 0..100 {
            control.zoom(9.0);
        }
        assert!(control.goal.distance() > 0.01 * control.home);
    }
}
