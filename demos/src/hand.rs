//! The hand tool: dragging the water, bodies and the tank with the mouse.

use egui::{CursorIcon, Event, InputState, Modifiers, PointerButton, Pos2, Rect, Response};
use glam::{DVec2, DVec3, Vec3};
use meniscus::Pull;
use meniscus_render::{Camera, Fluid, Hit};

use crate::simulation_thread::{Command, Grip};

/// Settings of the hand's force field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hand {
    /// Acceleration in m/s².
    pub(crate) strength: f32,
    /// Radius in m.
    pub(crate) radius: f32,
    /// Push rather than pull.
    pub(crate) push: bool,
}

impl Hand {
    /// Settings that suit a scene: the force lifts water against gravity or, without gravity, moves
    /// water across the scene in about a third of a second.
    pub(crate) fn for_scene(fluid: &Fluid) -> Self {
        let size = size(fluid);
        let gravity = fluid.params.world.gravity.length();
        let strength = (5.0 * gravity).max(size / 0.1);
        Self { strength, radius: 0.3 * size, push: false }
    }
}

/// The scene's second-longest extent, in m.
fn size(fluid: &Fluid) -> f32 {
    let mut lengths = (fluid.bounds[1] - fluid.bounds[0]).abs().to_array();
    lengths.sort_by(f32::total_cmp);
    lengths[1]
}

/// Object that the current drag of the left button moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Drag {
    #[default]
    None,
    /// The camera.
    Other,
    /// The water, while the simulation looks for the point under the cursor.
    Reaching { push: bool },
    /// The water: the hand moves in the plane through `depth` that faces the camera.
    Water { depth: DVec3, push: bool },
    /// A body: a spring pulls its point `arm` towards the cursor, in the plane through `depth` that
    /// faces the camera.
    Body { collider: u32, arm: Vec3, depth: DVec3 },
    /// The tank follows the cursor: `start` is where the drag began, `before` the tank's offset
    /// then.
    Tank { start: DVec3, before: DVec3 },
}

/// State of the hand tool.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HandTool {
    drag: Drag,
    /// Target offset of the tank from its place in the scene, in m.
    tank: DVec3,
    cursor: Pos2,
}

impl HandTool {
    /// Handles the mouse over the picture. Returns commands for the simulation.
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
        // On a slow device, a release and the next press may fall into one picture.
        if (released || !down) && self.drag != Drag::None {
            self.drag = Drag::None;
            commands.extend([Command::Grip(None), Command::Pull(None)]);
        }
        if self.drag == Drag::None && down && response.is_pointer_button_down_on() {
            // Start where the button went down: on a slow device the cursor is far from there by
            // now.
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

    /// Starts dragging the water at the point that the simulation found.
    pub(crate) fn grabbed(&mut self, depth: DVec3) {
        if let Drag::Reaching { push } = self.drag {
            self.drag = Drag::Water { depth, push };
        }
    }

    /// Resets the tool for another scene or a restart.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// The spring that pulls a body: the held point in m, and the cursor.
    pub(crate) fn on_body(&self, fluid: &Fluid) -> Option<(DVec3, Pos2)> {
        match self.drag {
            Drag::Body { collider, arm, .. } => Some((fluid.place_of(collider, arm)?, self.cursor)),
            _ => None,
        }
    }

    /// Cursor and grabbed point of a drag in the water, and whether it pushes.
    pub(crate) fn in_water(&self) -> Option<(Pos2, DVec3, bool)> {
        match self.drag {
            Drag::Water { depth, push } => Some((self.cursor, depth, push)),
            _ => None,
        }
    }
}

/// Modifier keys when the button went down, or else now.
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

/// The body under a ray. It takes precedence over the water unless `alt` is held.
fn body_at(fluid: &Fluid, origin: DVec3, direction: DVec3, alt: bool) -> Option<Hit> {
    (!alt).then(|| fluid.body_at(origin, direction)).flatten()
}

/// Subdivisions of a point: rays and projections take sizes in whole pixels, and only ratios
/// matter.
const SCALE: f32 = 1024.0;

fn scaled(rect: Rect) -> [u32; 2] {
    [(rect.width() * SCALE) as u32, (rect.height() * SCALE) as u32]
}

/// Ray through a point of the picture: origin in m and unit direction.
pub(crate) fn ray(camera: &Camera, rect: Rect, at: Pos2) -> (DVec3, DVec3) {
    let offset = DVec2::new((at.x - rect.left()).into(), (at.y - rect.top()).into());
    camera.ray((offset * f64::from(SCALE)).to_array(), scaled(rect))
}

/// Position of a world point in the picture.
pub(crate) fn project(camera: &Camera, rect: Rect, place: DVec3) -> Option<Pos2> {
    let ([x, y], _) = camera.project(place, scaled(rect))?;
    Some(rect.min + egui::vec2(x as f32, y as f32) / SCALE)
}

/// Intersection of the ray with the plane through `depth` that faces the camera.
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
