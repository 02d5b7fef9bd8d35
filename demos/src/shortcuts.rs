//! Keyboard shortcuts: one table for the keys and for the help.

use egui::{Context, Event, Key};

use crate::{action::Action, picture::Mode};

/// A shortcut.
pub(crate) struct Shortcut {
    keys: &'static [Key],
    action: fn() -> Action,
    /// Names of the keys, for the help.
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
    row(&[Key::S], "S", "advance one time step", || Action::Step),
    row(&[Key::F, Key::ArrowRight], "F  →", "advance one frame", || Action::Frame),
    row(&[Key::R], "R", "restart the scene", || Action::Reset),
    row(&[Key::OpenBracket, Key::Minus], "[  −", "slower", || Action::Slower),
    row(&[Key::CloseBracket, Key::Plus, Key::Equals], "]  +", "faster", || Action::Faster),
    row(&[Key::Num1], "1", "view as particles", || Action::Mode(Mode::Particles)),
    row(&[Key::Num2], "2", "view as splats", || Action::Mode(Mode::Splats)),
    row(&[Key::Num3], "3", "view as surface mesh", || Action::Mode(Mode::Surface)),
    row(&[Key::Num4], "4", "view as screen-space surface", || Action::Mode(Mode::ScreenSpace)),
    row(&[Key::Num5], "5", "view a slice through smoke", || Action::Mode(Mode::Slice)),
    row(&[Key::Num6], "6", "view smoke", || Action::Mode(Mode::Smoke)),
    row(&[Key::C], "C", "next quantity to colour by", || Action::NextColor),
    row(&[Key::B], "B", "show or hide boundaries", || Action::Boundaries),
    row(&[Key::L], "L", "show or hide the legend", || Action::Legend),
    row(&[Key::Home], "Home", "view the whole scene", || Action::ResetCamera),
    row(&[Key::H], "H", "show or hide the controls", || Action::Controls),
    row(&[Key::P], "P", "show or hide the profiler", || Action::Profiler),
    row(&[Key::F1, Key::Questionmark], "F1  ?", "this help", || Action::Help),
    row(&[Key::F12], "F12", "save a screenshot", || Action::Screenshot),
    row(&[Key::F9], "F9", "start or stop recording a video", || Action::Record),
    row(&[Key::Q], "Ctrl Q", "quit", || Action::Quit),
];

/// Mouse controls, for the help.
pub(crate) const MOUSE: &[(&str, &str)] = &[
    ("Left drag", "pull a body, or the water"),
    ("Alt + left drag", "push the water (or pull, if the hand pushes)"),
    ("Shift + left drag", "move the tank"),
    ("Right drag", "turn the camera"),
    ("Middle or Ctrl + drag", "move the camera"),
    ("Wheel", "zoom"),
    ("Drop a file", "open a scene"),
];

/// Actions of the keys typed, unless a text field has the keyboard focus.
pub(crate) fn typed(ctx: &Context) -> Vec<Action> {
    if ctx.egui_wants_keyboard_input() {
        return Vec::new();
    }
    // Look at events, not at key states: on a slow device a key may go down and up within one
    // picture.
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
