//! The keyboard: one table for what keys do and for what the help says.

use egui::{Context, Event, Key};

use crate::{action::Action, picture::Mode};

/// A line of the help.
pub(crate) struct Shortcut {
    keys: &'static [Key],
    action: fn() -> Action,
    /// The keys as a person reads them.
    pub(crate) name: &'static str,
    pub(crate) what: &'static str,
}

const fn row(
    keys: &'static [Key],
    name: &'static str,
    what: &'static str,
    action: fn() -> Action,
) -> Shortcut {
    Shortcut { keys, action, name, what }
}

/// Every key.
pub(crate) const KEYS: &[Shortcut] = &[
    row(&[Key::Space], "Space", "play or pause", || Action::PlayPause),
    row(&[Key::S], "S", "one time step", || Action::Step),
    row(&[Key::F, Key::ArrowRight], "F  →", "one frame", || Action::Frame),
    row(&[Key::R], "R", "reset to the scene's start", || Action::Reset),
    row(&[Key::OpenBracket, Key::Minus], "[  −", "slower", || Action::Slower),
    row(&[Key::CloseBracket, Key::Plus, Key::Equals], "]  +", "faster", || Action::Faster),
    row(&[Key::Num1], "1", "particles", || Action::Mode(Mode::Particles)),
    row(&[Key::Num2], "2", "splats", || Action::Mode(Mode::Splats)),
    row(&[Key::Num3], "3", "surface", || Action::Mode(Mode::Surface)),
    row(&[Key::Num4], "4", "screen space", || Action::Mode(Mode::ScreenSpace)),
    row(&[Key::C], "C", "next colour", || Action::NextColor),
    row(&[Key::B], "B", "boundaries", || Action::Boundaries),
    row(&[Key::L], "L", "legend", || Action::Legend),
    row(&[Key::Home], "Home", "the whole scene", || Action::ResetCamera),
    row(&[Key::H], "H", "hide or show the controls", || Action::Controls),
    row(&[Key::P], "P", "profiler", || Action::Profiler),
    row(&[Key::F1, Key::Questionmark], "F1  ?", "this help", || Action::Help),
    row(&[Key::F12], "F12", "screenshot", || Action::Screenshot),
    row(&[Key::F9], "F9", "start or end a film", || Action::Record),
    row(&[Key::Q], "Ctrl Q", "quit", || Action::Quit),
];

/// The mouse, for the help.
pub(crate) const MOUSE: &[(&str, &str)] = &[
    ("Left drag", "pull a body, or the water"),
    ("Alt + left drag", "push the water (the hand's other way)"),
    ("Shift + left drag", "move the tank"),
    ("Right drag", "look around"),
    ("Middle or Ctrl + drag", "move the view"),
    ("Wheel", "nearer, farther"),
    ("Drop a file", "open that scene"),
];

/// What was typed, unless a text field has the keyboard.
pub(crate) fn typed(ctx: &Context) -> Vec<Action> {
    if ctx.egui_wants_keyboard_input() {
        return Vec::new();
    }
    // By event: on a slow device, a key comes and goes within one picture.
    let pressed = |event: &Event| match event {
        Event::Key { key, pressed: true, repeat, modifiers, .. } => {
            let row = KEYS.iter().find(|row| row.keys.contains(key))?;
            let action = (row.action)();
            let repeats = matches!(action, Action::Step | Action::Frame);
            let command = action == Action::Quit;
            let meant = (repeats || !repeat) && command == modifiers.command && !modifiers.alt;
            meant.then_some(action)
        }
        _ => None,
    };
    ctx.input(|input| input.events.iter().filter_map(pressed).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_has_two_meanings() {
        let keys: Vec<_> = KEYS.iter().flat_map(|row| row.keys).collect();
        for (i, key) in keys.iter().enumerate() {
            assert!(!keys[..i].contains(key), "{key:?}");
        }
    }
}
