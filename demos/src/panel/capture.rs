//! Screenshots and films.

use egui::Ui;

use super::Model;
use crate::action::Action;

pub(super) fn show(ui: &mut Ui, model: &Model, actions: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        if ui.button("Screenshot").on_hover_text("The picture as PNG (F12)").clicked() {
            actions.push(Action::Screenshot);
        }
        let text = match model.film {
            Some(count) => format!("End film ({count})"),
            None => "Film".into(),
        };
        let hint = "One picture for each frame of the simulation (F9): an MP4 where ffmpeg is \
                    installed, otherwise PNG files";
        if ui.button(text).on_hover_text(hint).clicked() {
            actions.push(Action::Record);
        }
    });
}
