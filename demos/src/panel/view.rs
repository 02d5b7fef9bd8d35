//! View settings.

use egui::{ComboBox, Ui};
use meniscus::{SurfaceOptions, methods::quantity::Form};

use super::{
    Model,
    widgets::{Knob, row},
};
use crate::{action::Action, picture::Mode};

/// A key as a label: `particle_radius` becomes `Particle radius`.
fn readable(name: &str) -> String {
    let spaced = name.replace('_', " ");
    let mut letters = spaced.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

pub(super) fn show(ui: &mut Ui, model: &mut Model, actions: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        // Smoke has no particles.
        let smoke = model.quantities.iter().any(|quantity| quantity.name == "smoke");
        for mode in if smoke { Mode::OF_SMOKE } else { Mode::OF_PARTICLES } {
            if ui.selectable_label(model.view.mode == *mode, readable(mode.name())).clicked() {
                actions.push(Action::Mode(*mode));
            }
        }
    });
    if matches!(model.view.mode, Mode::Particles | Mode::Slice) {
        row(ui, "Colour", "Quantity that colours the particles (C)", |ui| {
            let before = model.view.color;
            let color = &mut model.view.color;
            ComboBox::from_id_salt("color").selected_text(readable(color.name)).show_ui(ui, |ui| {
                for value in &model.quantities {
                    ui.selectable_value(color, *value, readable(value.name))
                        .on_hover_text(value.help);
                }
            });
            if *color != before {
                model.view.range = None;
            }
        });
        if !matches!(model.view.color.form, Form::Label | Form::Material) {
            range(ui, model);
        }
    }
    if model.view.mode == Mode::Surface {
        let hint = "Mesh cells per particle radius";
        ui.add(
            Knob::new("Resolution", &mut model.surface.fineness, 1..=SurfaceOptions::FINEST)
                .hint(hint),
        );
        let hint = "Iterations of volume-preserving smoothing";
        ui.add(
            Knob::new("Smoothing", &mut model.surface.smoothing, 0..=SurfaceOptions::SMOOTHEST)
                .hint(hint),
        );
    }
    if matches!(model.view.mode, Mode::Surface | Mode::ScreenSpace) {
        let hint = "How far light penetrates the water";
        let knob = Knob::new("Clarity", &mut model.view.clarity, 0.1..=10.0);
        ui.add(knob.logarithmic(0.1).hint(hint));
    }
    let knob = Knob::new("Exposure", &mut model.view.exposure, 0.1..=10.0);
    ui.add(knob.logarithmic(0.1).hint("Brightness factor"));
    let knob = Knob::new("Pixel scale", &mut model.pixel_scale, 0.25..=1.0);
    ui.add(
        knob.decimals(2).hint("Resolution of the picture relative to the window; lower is faster"),
    );
    ui.horizontal_wrapped(|ui| {
        ui.checkbox(&mut model.view.boundaries, "Boundaries").on_hover_text("B");
        ui.checkbox(&mut model.view.ground, "Floor");
        ui.checkbox(&mut model.view.legend, "Legend").on_hover_text("L");
        if model.stats.report.as_ref().is_some_and(|report| report.foam.is_some()) {
            ui.checkbox(&mut model.view.foam, "Foam").on_hover_text("Foam, spray and bubbles");
        }
        ui.checkbox(&mut model.view.antialias, "Antialiasing");
        if ui.button("View all").on_hover_text("Home").clicked() {
            actions.push(Action::ResetCamera);
        }
    });
}

/// Range of the colour map.
fn range(ui: &mut Ui, model: &mut Model) {
    let unit = model.view.color.unit();
    row(ui, "Range", "Values at the ends of the colour map", |ui| {
        let mut own = model.view.range.is_some();
        ui.checkbox(&mut own, "")
            .on_hover_text("Set the range by hand; otherwise it follows from the scene");
        if own != model.view.range.is_some() {
            model.view.range = own.then_some([0.0, 1.0]);
        }
        match &mut model.view.range {
            Some([low, high]) => {
                let speed = 0.01 * (*high - *low).abs().max(1e-3);
                ui.add(egui::DragValue::new(low).speed(speed));
                ui.add(egui::DragValue::new(high).speed(speed).suffix(format!(" {unit}")));
                *high = high.max(*low + 1e-6);
            }
            None => {
                ui.weak("automatic");
            }
        }
    });
}
