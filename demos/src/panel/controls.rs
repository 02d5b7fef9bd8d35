//! The control panel on the left.

use egui::{CollapsingHeader, RichText, ScrollArea, Ui};

use super::{Model, capture, hand, parameters, scene, view};
use crate::{action::Action, simulation_thread::Condition};

pub(super) fn show(ui: &mut Ui, model: &mut Model, actions: &mut Vec<Action>) {
    ui.add_space(4.0);
    scene::show(ui, model, actions);
    ui.add_space(2.0);
    transport(ui, model, actions);
    ui.separator();
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        section(ui, "View", true, |ui| view::show(ui, model, actions));
        section(ui, "Hand", true, |ui| hand::show(ui, model));
        section(ui, "Fluid", true, |ui| parameters::show(ui, model, actions));
        section(ui, "Screenshots and video", false, |ui| capture::show(ui, model, actions));
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            let profiler = ui.selectable_label(model.profiler_open, "Profiler");
            if profiler.on_hover_text("Cost of each pass (P)").clicked() {
                actions.push(Action::Profiler);
            }
            if ui.selectable_label(model.help_open, "Help").on_hover_text("F1").clicked() {
                actions.push(Action::Help);
            }
            if ui.button("Hide").on_hover_text("Press H to show the controls again").clicked() {
                actions.push(Action::Controls);
            }
        });
    });
}

fn section(ui: &mut Ui, title: &str, open: bool, add: impl FnOnce(&mut Ui)) {
    CollapsingHeader::new(RichText::new(title).strong())
        .default_open(open)
        .show_unindented(ui, add);
}

/// Play, step, reset and speed.
fn transport(ui: &mut Ui, model: &mut Model, actions: &mut Vec<Action>) {
    let ready = model.condition == Condition::Ready;
    let failed = matches!(model.condition, Condition::Failed(_) | Condition::Broken(_));
    ui.horizontal(|ui| {
        let size = egui::vec2(66.0, 26.0);
        let mut button = |text: &str, hint: &str, on: bool, action: Action| {
            let button = egui::Button::new(text).min_size(size);
            if ui.add_enabled(on, button).on_hover_text(hint).clicked() {
                actions.push(action);
            }
        };
        let play = if model.playing { "Pause" } else { "Play" };
        button(play, "Space", ready, Action::PlayPause);
        button("Step", "Advance one time step (S)", ready, Action::Step);
        button("Frame", "Advance to the end of the frame (F)", ready, Action::Frame);
        button("Reset", "Restart the scene (R)", ready || failed, Action::Reset);
    });
    super::widgets::row(ui, "Speed", "Simulated seconds per real second ( [ and ] )", |ui| {
        let scales = [Some(0.1), Some(0.25), Some(0.5), Some(1.0), Some(2.0), None];
        let name = |scale: Option<f64>| scale.map_or("unlimited".into(), |s| format!("{s} ×"));
        egui::ComboBox::from_id_salt("speed").selected_text(name(model.time_scale)).show_ui(
            ui,
            |ui| {
                for scale in scales {
                    if ui.selectable_label(model.time_scale == scale, name(scale)).clicked() {
                        actions.push(Action::TimeScale(scale));
                    }
                }
            },
        );
    });
}
