//! The hand in the water and on the tank.

use egui::{CursorIcon, Event, InputState, Modifiers, PointerButton, Pos2, Rect, Response};
use glam::{DVec2, DVec3, Vec3};
use meniscus::Pull;
use meniscus_render::{Camera, Fluid, Hit};

use crate::simulation_thread::{Command, Grip};

/// What the hand is, as the sliders have it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hand {
    /// m/s².
    pub(crate) strength: f32,
    /// m.
    pub(crate) radius: f32,
    /// It pushes rather than pulls.
    pub(crate) push: bool,
}

impl Hand {
    /// A hand that suits a scene: it lifts water against gravity, or crosses the scene in a third
    /// of a second where there is none.
    pub(crate) fn for_scene(fluid: &Fluid) -> Self {
        let size = size(fluid);
        let gravity = fluid.params.gravity.length();
        let strength = (5.0 * gravity).max(size / 0.1);
        Self { strength, radius: 0.3 * size, push: false }
    }
}

/// The middle one of the scene's lengths, in m.
fn size(fluid: &Fluid) -> f32 {
    let mut lengths = (fluid.bounds[1] - fluid.bounds[0]).abs().to_array();
    lengths.sort_by(f32::total_cmp);
    lengths[1]
}

/// What a drag of the left button does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Drag {
    #[default]
    None,
    /// It moves the view.
    Other,
    /// The simulation looks for what is under the cursor.
    Reaching { push: bool },
    /// A plane through this point, across the view, carries the hand.
    Water { depth: DVec3, push: bool },
    /// A plane through this point, across the view, carries the end of a spring, whose other end is at
    /// a point of a body.
    Body { collider: u32, arm: Vec3, depth: DVec3 },
    /// The tank goes with the cursor: where the drag began on the plane, and where the tank was.
    Tank { start: DVec3, before: DVec3 },
}

/// The state of the hand.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Touch {
    drag: Drag,
    /// Where the tank is wanted, from where the scene has it.
    tank: DVec3,
    cursor: Pos2,
}

impl Touch {
    /// Follows the mouse over the picture; what the simulation should do.
    pub(crate) fn follow(
        &mut self,
        response: &Response,
        camera: &Camera,
        fluid: &Fluid,
        hand: Hand,
    ) -> Vec<Command> {
        let mut commands = Vec::new();
        let Modifiers { shift, alt, command, .. } = response.ctx.input(modifiers);
        if let Some(cursor) = response.interact_pointer_pos() {
            self.cursor = cursor;
        }
        let rect = response.rect;
        let button = PointerButton::Primary;
        let (down, released) = response
            .ctx
            .input(|i| (i.pointer.button_down(button), i.pointer.button_released(button)));
        // On a slow device, a release and the next press may come in one picture.
        if (released || !down) && self.drag != Drag::None {
            self.drag = Drag::None;
            commands.extend([Command::Grip(None), Command::Pull(None)]);
        }
        if self.drag == Drag::None && down && response.is_pointer_button_down_on() {
            // Where the button went down: on a slow device that is some way off already.
            let pressed = response.ctx.input(|i| i.pointer.press_origin()).unwrap_or(self.cursor);
            let (origin, direction) = ray(camera, rect, pressed);
            if command {
                self.drag = Drag::Other;
            } else if shift {
                let plane = on_plane(camera, rect, pressed, middle(fluid));
                self.drag = Drag::Tank { start: plane, before: self.tank };
            } else if let Some(hit) = body_at(fluid, origin, direction, alt) {
                let (collider, arm, depth) = (hit.collider, hit.arm, hit.place);
                self.drag = Drag::Body { collider, arm, depth };
            } else {
                self.drag = Drag::Reaching { push: hand.push != alt };
                commands.push(Command::Grab { origin, direction });
            }
        }
        match self.drag {
            Drag::None => {
                let free = response.hover_pos().filter(|_| !(shift || command));
                let over = free.and_then(|at| {
                    let (origin, direction) = ray(camera, rect, at);
                    body_at(fluid, origin, direction, alt)
                });
                if over.is_some() {
                    response.ctx.set_cursor_icon(CursorIcon::Grab);
                }
            }
            Drag::Other | Drag::Reaching { .. } => {}
            Drag::Water { depth, push } => {
                let center = on_plane(camera, rect, self.cursor, depth);
                let strength = if push { -hand.strength } else { hand.strength };
                let grip = Grip { center, strength, radius: hand.radius };
                commands.push(Command::Grip(Some(grip)));
            }
            Drag::Body { collider, arm, depth } => {
                response.ctx.set_cursor_icon(CursorIcon::Grabbing);
                let goal = on_plane(camera, rect, self.cursor, depth);
                commands.push(Command::Pull(Some(Pull { collider, arm, goal })));
            }
            Drag::Tank { start, before } => {
                let plane = on_plane(camera, rect, self.cursor, middle(fluid));
                self.tank = before + (plane - start);
                commands.push(Command::MoveTank(self.tank));
            }
        }
        commands
    }

    /// The simulation found the water.
    pub(crate) fn grabbed(&mut self, depth: DVec3) {
        if let Drag::Reaching { push } = self.drag {
            self.drag = Drag::Water { depth, push };
        }
    }

    /// Another scene, or the start: the tank is where the scene has it.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// The spring between a body and the cursor: the point that is held, and the end that is wanted.
    pub(crate) fn on_body(&self, fluid: &Fluid) -> Option<(DVec3, Pos2)> {
        match self.drag {
            Drag::Body { collider, arm, .. } => Some((fluid.place_of(collider, arm)?, self.cursor)),
            _ => None,
        }
    }

    /// Where the hand is in the water, and whether it pushes.
    pub(crate) fn in_water(&self) -> Option<(Pos2, DVec3, bool)> {
        match self.drag {
            Drag::Water { depth, push } => Some((self.cursor, depth, push)),
            _ => None,
        }
    }
}

/// The modifier keys as they were when the button went down, or are now.
fn modifiers(input: &InputState) -> Modifiers {
    let pressed = |event: &Event| match event {
        Event::PointerButton { pressed: true, modifiers, .. } => Some(*modifiers),
        _ => None,
    };
    input.events.iter().rev().find_map(pressed).unwrap_or(input.modifiers)
}

fn middle(fluid: &Fluid) -> DVec3 {
    fluid.center + 0.5 * (fluid.bounds[0] + fluid.bounds[1]).as_dvec3()
}

/// The body under a ray, which comes before the water, unless `alt` asks for that.
fn body_at(fluid: &Fluid, origin: DVec3, direction: DVec3, alt: bool) -> Option<Hit> {
    (!alt).then(|| fluid.body_at(origin, direction)).flatten()
}

/// The parts of a point in which rays and projections are counted: only ratios matter, and pixels are
/// whole numbers.
const SCALE: f32 = 1024.0;

fn scaled(rect: Rect) -> [u32; 2] {
    [(rect.width() * SCALE) as u32, (rect.height() * SCALE) as u32]
}

/// The ray through a point of the picture.
pub(crate) fn ray(camera: &Camera, rect: Rect, at: Pos2) -> (DVec3, DVec3) {
    let offset = DVec2::new((at.x - rect.left()).into(), (at.y - rect.top()).into());
    camera.ray((offset * f64::from(SCALE)).to_array(), scaled(rect))
}

/// Where a point of the world is in the picture.
pub(crate) fn project(camera: &Camera, rect: Rect, place: DVec3) -> Option<Pos2> {
    let ([x, y], _) = camera.project(place, scaled(rect))?;
    Some(rect.min + egui::vec2(x as f32, y as f32) / SCALE)
}

/// Where the ray meets the plane through `depth` that faces the camera.
fn on_plane(camera: &Camera, rect: Rect, at: Pos2, depth: DVec3) -> DVec3 {
    let (origin, direction) = ray(camera, rect, at);
    let forward = -camera.basis().z_axis;
    let away = (depth - origin).dot(forward) / direction.dot(forward).max(1e-6);
    origin + away * direction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hand_stays_on_the_plane_that_it_grabbed() {
        let camera = Camera::default();
        let rect = Rect::from_min_size(Pos2::new(100.0, 50.0), egui::vec2(800.0, 450.0));
        let depth = DVec3::new(0.2, -0.1, 0.3);
        let forward = -camera.basis().z_axis;
        for at in [rect.center(), rect.left_top(), Pos2::new(500.0, 300.0)] {
            let place = on_plane(&camera, rect, at, depth);
            assert!((place - depth).dot(forward).abs() < 1e-9);
        }
        let shown = project(&camera, rect, depth).expect("before the eye");
        assert!(on_plane(&camera, rect, shown, depth).distance(depth) < 1e-5);
        let middle = on_plane(&camera, rect, rect.center(), camera.target);
        assert!(middle.distance(camera.target) < 1e-9, "{middle}");
    }
}
