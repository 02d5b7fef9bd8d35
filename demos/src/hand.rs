//! The mouse over the picture, as the hand's drags.

use egui::{CursorIcon, Event, InputState, Modifiers, PointerButton, Pos2, Rect, Response};
use meniscus_live::{Hand, HandCommand, HandTool, Viewport};
use meniscus_render::{Camera, FluidBuffers};

/// Handles the mouse over the picture. Returns commands for the simulation.
pub(crate) fn follow(
    tool: &mut HandTool,
    response: &Response,
    camera: &Camera,
    fluid: &FluidBuffers,
    hand: Hand,
) -> Vec<HandCommand> {
    let mut commands = Vec::new();
    let Modifiers { shift, alt, command, .. } = response.ctx.input(modifiers);
    let keys = meniscus_live::Modifiers { shift, alt, command };
    let (frame, corner) = (frame(camera, response.rect), response.rect.min);
    let place = |at: Pos2| [f64::from(at.x - corner.x), f64::from(at.y - corner.y)];
    let button = PointerButton::Primary;
    let (down, released) =
        response.ctx.input(|i| (i.pointer.button_down(button), i.pointer.button_released(button)));
    // On a slow device, a release and the next press may fall into one picture.
    if released || !down {
        commands.extend(tool.release());
    }
    let cursor = response.interact_pointer_pos();
    if !tool.is_dragging() && down && response.is_pointer_button_down_on() {
        // Start where the button went down: on a slow device the cursor is far from there by now.
        let pressed = response.ctx.input(|i| i.pointer.press_origin()).or(cursor);
        if let Some(at) = pressed {
            commands.extend(tool.press(frame, place(at), fluid, hand, keys));
        }
    }
    if let Some(at) = cursor {
        commands.extend(tool.follow(frame, place(at), fluid, hand));
    }
    let over = |at| HandTool::is_over_body(frame, place(at), fluid, keys);
    if tool.is_pulling() {
        response.ctx.set_cursor_icon(CursorIcon::Grabbing);
    } else if !tool.is_dragging() && response.hover_pos().is_some_and(over) {
        response.ctx.set_cursor_icon(CursorIcon::Grab);
    }
    commands
}

/// The picture in a rectangle of the window.
pub(crate) fn frame(camera: &Camera, rect: Rect) -> Viewport<'_> {
    Viewport { camera, size: [rect.width().into(), rect.height().into()] }
}

/// A point of the picture as a place in the window.
pub(crate) fn in_window(rect: Rect, [x, y]: [f64; 2]) -> Pos2 {
    rect.min + egui::vec2(x as f32, y as f32)
}

/// Modifier keys when the button went down, or else now.
fn modifiers(input: &InputState) -> Modifiers {
    let pressed = |event: &Event| match event {
        Event::PointerButton { pressed: true, modifiers, .. } => Some(*modifiers),
        _ => None,
    };
    input.events.iter().rev().find_map(pressed).unwrap_or(input.modifiers)
}
