//! The hand: dragging the water, bodies and the tank.

use glam::{DVec2, DVec3, Vec3};
use meniscus::{Pull, SolidId};
use meniscus_render::{Camera, FluidBuffers, Hit};

/// What the hand asks of the simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum HandCommand {
    /// Finds the first fluid along a ray.
    Grab {
        /// The eye, in m.
        origin: DVec3,
        /// Unit vector.
        direction: DVec3,
    },
    /// Moves the hand's force field, or removes it.
    Grip(Option<Grip>),
    /// Pulls a body with a spring, or lets it go.
    Pull(Option<Pull>),
    /// Target offset of the tank from its place in the scene, in m.
    MoveTank(DVec3),
}

/// The force field at the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "its users build it")]
pub struct Grip {
    /// Position of the pointer at the grabbed depth, in m.
    pub center: DVec3,
    /// Acceleration towards the centre in m/s²; negative values push.
    pub strength: f32,
    /// Radius in m at which the force has tapered to 0.
    pub radius: f32,
}

/// Settings of the hand's force field.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "its users build it")]
pub struct Hand {
    /// Acceleration in m/s².
    pub strength: f32,
    /// Radius in m.
    pub radius: f32,
    /// Push rather than pull.
    pub push: bool,
}

impl Hand {
    /// Settings that suit a scene: the force lifts water against gravity or, without gravity, moves
    /// water across the scene in about a third of a second.
    #[must_use]
    pub fn for_scene(fluid: &FluidBuffers) -> Self {
        let size = size(fluid);
        let gravity = fluid.params.world.gravity.length();
        let strength = (5.0 * gravity).max(size / 0.1);
        Self { strength, radius: 0.3 * size, push: false }
    }
}

/// The scene's second-longest extent, in m.
fn size(fluid: &FluidBuffers) -> f32 {
    let mut lengths = (fluid.bounds[1] - fluid.bounds[0]).abs().to_array();
    lengths.sort_by(f32::total_cmp);
    lengths[1]
}

/// Modifier keys that say what a drag moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "its users build it")]
pub struct Modifiers {
    /// The tank.
    pub shift: bool,
    /// The water even where a body is, and the opposite of [`Hand::push`].
    pub alt: bool,
    /// Nothing: the camera moves.
    pub command: bool,
}

/// A camera's picture of a size in points.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "its users build it")]
pub struct Viewport<'a> {
    /// The camera.
    pub camera: &'a Camera,
    /// Width and height in points.
    pub size: [f64; 2],
}

/// Subdivisions of a point: rays and projections take sizes in whole pixels, and only ratios
/// matter.
const SCALE: f64 = 1024.0;

impl Viewport<'_> {
    fn scaled(&self) -> [u32; 2] {
        self.size.map(|side| (side * SCALE) as u32)
    }

    /// Ray through a point of the picture, from its upper left corner: origin in m and unit
    /// direction.
    #[must_use]
    pub fn ray(&self, at: [f64; 2]) -> (DVec3, DVec3) {
        self.camera.ray(at.map(|x| x * SCALE), self.scaled())
    }

    /// Position of a world point in the picture.
    #[must_use]
    pub fn project(&self, place: DVec3) -> Option<[f64; 2]> {
        let (at, _) = self.camera.project(place, self.scaled())?;
        Some((DVec2::from(at) / SCALE).to_array())
    }

    /// Intersection of the ray with the plane through `depth` that faces the camera.
    fn on_plane(&self, at: [f64; 2], depth: DVec3) -> DVec3 {
        let (origin, direction) = self.ray(at);
        let forward = -self.camera.basis().z_axis;
        let away = (depth - origin).dot(forward) / direction.dot(forward).max(1e-6);
        origin + away * direction
    }
}

/// Object that the current drag moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Drag {
    #[default]
    None,
    /// The camera.
    Other,
    /// The water, while the simulation looks for the point under the pointer.
    Reaching { push: bool },
    /// The water: the hand moves in the plane through `depth` that faces the camera.
    Water { depth: DVec3, push: bool },
    /// A body: a spring pulls its point `arm` towards the pointer, in the plane through `depth` that
    /// faces the camera.
    Body { body: SolidId, arm: Vec3, depth: DVec3 },
    /// The tank follows the pointer: `start` is where the drag began, `before` the tank's offset
    /// then.
    Tank { start: DVec3, before: DVec3 },
}

/// State of the hand. Places are in points from the picture's upper left corner.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandTool {
    drag: Drag,
    /// Target offset of the tank from its place in the scene, in m.
    tank: DVec3,
    pointer: [f64; 2],
}

impl HandTool {
    /// Whether a drag has begun.
    #[must_use]
    pub fn is_dragging(&self) -> bool {
        self.drag != Drag::None
    }

    /// Begins a drag where the button went down.
    pub fn press(
        &mut self,
        frame: Viewport<'_>,
        at: [f64; 2],
        fluid: &FluidBuffers,
        hand: Hand,
        Modifiers { shift, alt, command }: Modifiers,
    ) -> Option<HandCommand> {
        self.pointer = at;
        let (origin, direction) = frame.ray(at);
        if command {
            self.drag = Drag::Other;
        } else if shift {
            self.drag = Drag::Tank { start: frame.on_plane(at, middle(fluid)), before: self.tank };
        } else if let Some(hit) = body_at(fluid, origin, direction, alt) {
            let (body, arm, depth) = (hit.body, hit.arm, hit.place);
            self.drag = Drag::Body { body, arm, depth };
        } else {
            self.drag = Drag::Reaching { push: hand.push != alt };
            return Some(HandCommand::Grab { origin, direction });
        }
        None
    }

    /// Continues a drag with the pointer at a place.
    pub fn follow(
        &mut self,
        frame: Viewport<'_>,
        at: [f64; 2],
        fluid: &FluidBuffers,
        hand: Hand,
    ) -> Option<HandCommand> {
        self.pointer = at;
        match self.drag {
            Drag::None | Drag::Other | Drag::Reaching { .. } => None,
            Drag::Water { depth, push } => {
                let center = frame.on_plane(at, depth);
                let strength = if push { -hand.strength } else { hand.strength };
                Some(HandCommand::Grip(Some(Grip { center, strength, radius: hand.radius })))
            }
            Drag::Body { body, arm, depth } => {
                let goal = frame.on_plane(at, depth);
                Some(HandCommand::Pull(Some(Pull { body, arm, goal })))
            }
            Drag::Tank { start, before } => {
                self.tank = before + (frame.on_plane(at, middle(fluid)) - start);
                Some(HandCommand::MoveTank(self.tank))
            }
        }
    }

    /// Ends the drag, if there is one.
    pub fn release(&mut self) -> Vec<HandCommand> {
        match std::mem::take(&mut self.drag) {
            Drag::None => Vec::new(),
            _ => vec![HandCommand::Grip(None), HandCommand::Pull(None)],
        }
    }

    /// Starts dragging the water at the point that the simulation found.
    pub fn grabbed(&mut self, depth: DVec3) {
        if let Drag::Reaching { push } = self.drag {
            self.drag = Drag::Water { depth, push };
        }
    }

    /// Resets the tool for another scene or a restart. Returns what lets go of everything, and puts
    /// the tank back where the scene has it.
    pub fn forget(&mut self) -> [HandCommand; 3] {
        *self = Self::default();
        [HandCommand::Grip(None), HandCommand::Pull(None), HandCommand::MoveTank(DVec3::ZERO)]
    }

    /// Whether a drag from here would move a body.
    #[must_use]
    pub fn is_over_body(
        frame: Viewport<'_>,
        at: [f64; 2],
        fluid: &FluidBuffers,
        keys: Modifiers,
    ) -> bool {
        let (origin, direction) = frame.ray(at);
        !(keys.shift || keys.command) && body_at(fluid, origin, direction, keys.alt).is_some()
    }

    /// Whether a body is being pulled.
    #[must_use]
    pub fn is_pulling(&self) -> bool {
        matches!(self.drag, Drag::Body { .. })
    }

    /// The spring that pulls a body: the held point in m, and the pointer.
    #[must_use]
    pub fn on_body(&self, fluid: &FluidBuffers) -> Option<(DVec3, [f64; 2])> {
        match self.drag {
            Drag::Body { body, arm, .. } => Some((fluid.place_of(body, arm)?, self.pointer)),
            _ => None,
        }
    }

    /// Pointer and grabbed point of a drag in the water, and whether it pushes.
    #[must_use]
    pub fn in_water(&self) -> Option<([f64; 2], DVec3, bool)> {
        match self.drag {
            Drag::Water { depth, push } => Some((self.pointer, depth, push)),
            _ => None,
        }
    }
}

fn middle(fluid: &FluidBuffers) -> DVec3 {
    fluid.center + 0.5 * (fluid.bounds[0] + fluid.bounds[1]).as_dvec3()
}

/// The body under a ray. It takes precedence over the water unless `alt` is held.
fn body_at(fluid: &FluidBuffers, origin: DVec3, direction: DVec3, alt: bool) -> Option<Hit> {
    (!alt).then(|| fluid.body_at(origin, direction)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hand_stays_on_the_plane_that_it_grabbed() {
        let camera = Camera::default();
        let frame = Viewport { camera: &camera, size: [800.0, 450.0] };
        let depth = DVec3::new(0.2, -0.1, 0.3);
        let forward = -camera.basis().z_axis;
        for at in [[400.0, 225.0], [0.0, 0.0], [400.0, 250.0]] {
            let place = frame.on_plane(at, depth);
            assert!((place - depth).dot(forward).abs() < 1e-9);
        }
        let shown = frame.project(depth).expect("before the eye");
        assert!(frame.on_plane(shown, depth).distance(depth) < 1e-9);
        let middle = frame.on_plane([400.0, 225.0], camera.target);
        assert!(middle.distance(camera.target) < 1e-9, "{middle}");
    }

    #[test]
    fn water_is_pulled_once_it_was_found_and_let_go_at_the_end() {
        let mut tool = HandTool { drag: Drag::Reaching { push: true }, ..HandTool::default() };
        assert_eq!(tool.in_water(), None);
        tool.grabbed(DVec3::X);
        assert_eq!(tool.in_water(), Some(([0.0; 2], DVec3::X, true)));
        assert_eq!(tool.release(), [HandCommand::Grip(None), HandCommand::Pull(None)]);
        assert!(!tool.is_dragging() && tool.release().is_empty());
        tool.grabbed(DVec3::X);
        assert_eq!(tool.in_water(), None, "the answer came after the end");
    }
}
