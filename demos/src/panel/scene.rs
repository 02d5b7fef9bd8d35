//! Scene, solver and number of particles.

use egui::{ComboBox, RichText, Ui};
use meniscus::{Registry, methods::Axis};

use super::{
    Model,
    widgets::{Knob, row},
};
use crate::{action::Action, text::grouped};

pub(super) fn show(ui: &mut Ui, model: &mut Model, actions: &mut Vec<Action>) {
    row(ui, "Scene", "Drop a scene file onto the window to open it", |ui| {
        let width = ui.available_width() - 8.0;
        ComboBox::from_id_salt("scene")
            .width(width)
            .height(420.0)
            .selected_text(short(&model.source))
            .show_ui(ui, |ui| {
                for source in &model.sources {
                    let chosen = *source == model.source;
                    if ui.selectable_label(chosen, short(source)).on_hover_text(source).clicked() {
                        actions.push(Action::Load(source.clone()));
                    }
                }
            });
    });
    row(ui, "Solver", "Pressure solver", |ui| {
        ComboBox::from_id_salt("solver").selected_text(&model.solver).show_ui(ui, |ui| {
            for method in Registry::standard().of(Axis::Solver) {
                let chosen = model.solver == method.name;
                let hint = format!("{}: {}", method.source, method.help);
                if ui.selectable_label(chosen, method.name).on_hover_text(hint).clicked() {
                    actions.push(Action::Solver(method.name));
                }
            }
        });
    });
    let now = model.stats.particles.max(1);
    let mut requested = model.requested_particles.unwrap_or(now);
    let most = if model.software { 100_000 } else { 10_000_000 };
    let label = if model.counted() == "cells" { "Cells" } else { "Particles" };
    let knob = Knob::new(label, &mut requested, 500..=most.max(now))
        .logarithmic(1.0)
        .hint("Approximate number; releasing the slider restarts the scene");
    let response = ui.add(knob);
    if response.changed() {
        model.requested_particles = Some(requested);
    }
    let settled = response.drag_stopped() || (response.changed() && !response.dragged());
    if let Some(requested) = model.requested_particles.filter(|_| settled) {
        actions.push(Action::Particles(requested));
        model.requested_particles = None;
    }
    if let Some(own) = model.reduced_from {
        let label = format!("As many as the scene asks for: {}", grouped(own.into()));
        let hint =
            "The scene has fewer here since a software adapter needs seconds for a step of them";
        if ui.button(RichText::new(label).small()).on_hover_text(hint).clicked() {
            actions.push(Action::Particles(own));
        }
    }
    if !model.title.is_empty() {
        let title = RichText::new(&model.title).weak().small();
        ui.label(title).on_hover_text(format!("{} {}", grouped(now.into()), model.counted()));
    }
}

/// File name of a path.
fn short(source: &str) -> &str {
    source.rsplit(['/', '\\']).next().unwrap_or(source)
}
