//! Screenshots and videos.

use egui::Ui;

use super::Model;
use crate::action::Action;

pub(super) fn show(ui: &mut Ui, model: &Model, actions: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        if ui.button("Screenshot").on_hover_text("Save the picture as a PNG file (F12)").clicked() {
            actions.push(Action::Screenshot);
        }
        let text = match model.video {
            Some(count) => format!("Stop recording ({count})"),
            None => "Record video".into(),
        };
        let hint = "One image per frame of the simulation (F9): an MP4 file if ffmpeg is \
                    installed, otherwise a folder of PNG files";
        if ui.button(text).on_hover_text(hint).clicked() {
            actions.push(Action::Record);
        }
    });
}
