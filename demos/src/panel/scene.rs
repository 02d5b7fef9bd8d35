//! Which scene, how large, by which method.

use egui::{ComboBox, RichText, Ui};
use meniscus::model::scene::Solver;

use super::{
    Model,
    widgets::{Knob, row},
};
use crate::{action::Action, text::grouped};

pub(super) fn show(ui: &mut Ui, model: &mut Model, actions: &mut Vec<Action>) {
    row(ui, "Scene", "Scene files can be dropped onto the window", |ui| {
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
    row(ui, "Solver", "The method that computes pressures", |ui| {
        ComboBox::from_id_salt("solver").selected_text(model.solver.name()).show_ui(ui, |ui| {
            for (name, solver) in Solver::ALL {
                if ui.selectable_label(model.solver == *solver, *name).clicked() {
                    actions.push(Action::Solver(name));
                }
            }
        });
    });
    let now = model.figures.particles.max(1);
    let mut wished = model.wished_particles.unwrap_or(now);
    let most = if model.software { 100_000 } else { 10_000_000 };
    let knob = Knob::new("Particles", &mut wished, 500..=most.max(now))
        .logarithmic(1.0)
        .hint("About how many; the scene starts anew when the slider is let go");
    let response = ui.add(knob);
    if response.changed() {
        model.wished_particles = Some(wished);
    }
    let settled = response.drag_stopped() || (response.changed() && !response.dragged());
    if let Some(wished) = model.wished_particles.filter(|_| settled) {
        actions.push(Action::Particles(wished));
        model.wished_particles = None;
    }
    if !model.title.is_empty() {
        let title = RichText::new(&model.title).weak().small();
        ui.label(title).on_hover_text(format!("{} particles", grouped(now.into())));
    }
}

/// The last part of a path.
fn short(source: &str) -> &str {
    source.rsplit(['/', '\\']).next().unwrap_or(source)
}
