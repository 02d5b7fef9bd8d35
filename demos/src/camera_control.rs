//! The camera glides to where it was sent.

use meniscus_render::{Camera, Fluid};

/// Time in s in which it closes 63 % of the way.
const GLIDE: f64 = 0.07;
/// Turning by a picture's height, in radians.
const TURN: f64 = 3.0;
/// Nearest and farthest, in parts of the distance from which the scene fills the picture.
const REACH: (f64, f64) = (0.02, 20.0);

/// Where the camera is and where it goes.
#[derive(Clone, Debug)]
pub(crate) struct CameraControl {
    now: Camera,
    goal: Camera,
    home: f64,
}

impl CameraControl {
    pub(crate) fn new() -> Self {
        let camera = Camera::default();
        Self { now: camera, goal: camera, home: camera.distance() }
    }

    /// Where the picture is taken from.
    pub(crate) fn camera(&self) -> Camera {
        self.now
    }

    /// Frames the scene, at once or gliding.
    pub(crate) fn frame(&mut self, fluid: &Fluid, aspect: f64, at_once: bool) {
        self.goal = fluid.camera(aspect);
        self.home = self.goal.distance();
        if at_once {
            self.now = self.goal;
        }
    }

    /// Turns by a drag, in picture heights.
    pub(crate) fn orbit(&mut self, right: f64, down: f64) {
        self.goal.orbit(-TURN * right, TURN * down);
    }

    /// Moves by a drag, in picture heights.
    pub(crate) fn pan(&mut self, right: f64, down: f64) {
        self.goal.pan(right, -down);
    }

    /// Comes nearer by turns of the wheel.
    pub(crate) fn zoom(&mut self, turns: f64) {
        let reached = self.goal.distance() * (-0.15 * turns).exp();
        let reached = reached.clamp(REACH.0 * self.home, REACH.1 * self.home);
        self.goal.zoom(reached / self.goal.distance());
    }

    /// Glides on for `dt` s; whether it moved.
    pub(crate) fn glide(&mut self, dt: f64) -> bool {
        if self.now == self.goal {
            return false;
        }
        let share = 1.0 - (-dt / GLIDE).exp();
        let (now, goal) = (self.now, self.goal);
        let target = now.target.lerp(goal.target, share);
        // The eye goes round the target, not through it.
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
    fn zooming_ends_somewhere() {
        let mut control = CameraControl::new();
        for _ in 0..100 {
            control.zoom(9.0);
        }
        assert!(control.goal.distance() > 0.01 * control.home);
    }
}
