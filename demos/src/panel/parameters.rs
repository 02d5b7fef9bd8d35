//! Sliders for physical parameters.

use egui::{RichText, Ui};
use meniscus::model::params::{FIELD_ROTATION, FIELD_UNIFORM};

use super::{
    Model,
    widgets::{Knob, digits, row},
};
use crate::{
    action::Action,
    tuning::{MethodKey, Tuning, Value},
};

pub(super) fn show(ui: &mut Ui, model: &mut Model, actions: &mut Vec<Action>) {
    let Some(summary) = model.summary.clone() else { return };
    let Some(tuning) = &mut model.tuning else { return };
    let before = tuning.clone();
    gravity(ui, tuning, summary.dimensions);
    materials(ui, tuning, &summary.tuning, summary.dimensions);
    methods(ui, tuning, &summary.tuning);
    time_step(ui, tuning, &summary.tuning);
    fields(ui, tuning, &summary.tuning);
    if *tuning != before {
        actions.push(Action::Tune);
    }
    let changed = *tuning != summary.tuning;
    if ui.add_enabled(changed, egui::Button::new("Restore scene parameters")).clicked() {
        actions.push(Action::ResetTuning);
    }
}

fn gravity(ui: &mut Ui, tuning: &mut Tuning, dimensions: u32) {
    row(ui, "Gravity", "x, y, z in m/s²", |ui| {
        let axes = [&mut tuning.gravity.x, &mut tuning.gravity.y, &mut tuning.gravity.z];
        for axis in axes.into_iter().take(dimensions as usize) {
            let drag = egui::DragValue::new(axis).speed(0.1).range(-100.0..=100.0);
            ui.add(drag.custom_formatter(|value, _| digits(value)));
        }
        ui.weak("m/s²");
    });
}

/// The scene's value, around which a slider's range extends, or a default if it is 0.
fn around(value: f32, otherwise: f32) -> f32 {
    if value > 0.0 { value } else { otherwise }
}

fn materials(ui: &mut Ui, tuning: &mut Tuning, scene: &Tuning, dimensions: u32) {
    let several = tuning.materials.len() > 1;
    for (fluid, own) in tuning.materials.iter_mut().zip(&scene.materials) {
        ui.push_id(&own.name, |ui| {
            if several {
                ui.label(RichText::new(&fluid.name).italics());
            }
            let unit = if dimensions == 2 { " kg/m²" } else { " kg/m³" };
            let rest = around(own.rest_density, 1000.0);
            let range = 0.1 * rest..=10.0 * rest;
            let knob = Knob::new("Rest density", &mut fluid.rest_density, range);
            ui.add(
                knob.logarithmic(1.0)
                    .unit(unit)
                    .hint("ρ0; particles keep their volume, so their mass changes"),
            );
            let usual = around(own.viscosity, 1.0);
            let knob = Knob::new("Viscosity", &mut fluid.viscosity, 0.0..=100.0 * usual);
            let hint = "Dynamic viscosity μ; high values need small time steps";
            ui.add(knob.logarithmic((0.01 * usual).into()).unit(" Pa·s").hint(hint));
            let usual = around(own.surface_tension, 0.0728);
            let knob = Knob::new("Tension", &mut fluid.surface_tension, 0.0..=100.0 * usual);
            let hint = "Surface tension σ, M (19); water has 0.073 N/m";
            ui.add(knob.logarithmic((0.01 * usual).into()).unit(" N/m").hint(hint));
        });
    }
}

/// Keys of the scene's methods.
fn methods(ui: &mut Ui, tuning: &mut Tuning, scene: &Tuning) {
    for (key, own) in tuning.keys.iter_mut().zip(&scene.keys) {
        let MethodKey { path, label, unit, help, value } = key;
        ui.push_id(path.as_str(), |ui| match (value, own.value) {
            (Value::Number(value, [low, high]), Value::Number(own, _)) => {
                // For keys with a wide range, the slider covers values around the scene's own.
                let wide = *high > 1e3 && own > 0.0;
                let (from, to) = if wide { (0.01 * own, 10.0 * own) } else { (*low, *high) };
                let knob = Knob::new(label, value, from.max(*low)..=to.min(*high));
                let knob = if wide { knob.logarithmic(1e-6) } else { knob };
                ui.add(knob.unit(unit).hint(help));
            }
            (Value::Integer(value, low), Value::Integer(own, _)) => {
                ui.add(Knob::new(label, value, *low..=10 * own.max(10)).hint(help));
            }
            (Value::Flag(value), _) => row(ui, label, help, |ui| {
                ui.checkbox(value, "");
            }),
            _ => {}
        });
    }
}

fn time_step(ui: &mut Ui, tuning: &mut Tuning, scene: &Tuning) {
    row(ui, "Time step", "Adaptive by the CFL condition, or fixed", |ui| {
        let mut fixed = tuning.fixed_step > 0.0;
        ui.selectable_value(&mut fixed, false, "adaptive");
        ui.selectable_value(&mut fixed, true, "fixed");
        if fixed != (tuning.fixed_step > 0.0) {
            let some = around(scene.fixed_step, 0.2 * scene.max_step);
            tuning.fixed_step = if fixed { some } else { 0.0 };
        }
    });
    if tuning.fixed_step > 0.0 {
        let knob = Knob::new("Δt", &mut tuning.fixed_step, 1e-6..=0.05);
        ui.add(knob.logarithmic(1e-6).unit(" s"));
        return;
    }
    let knob = Knob::new("CFL", &mut tuning.cfl, 0.05..=2.0);
    ui.add(
        knob.decimals(2).hint("Factor on every limit of the time step; may be unstable above 1"),
    );
    let knob = Knob::new("Max Δt", &mut tuning.max_step, 1e-6..=0.05);
    ui.add(knob.logarithmic(1e-6).unit(" s"));
}

fn fields(ui: &mut Ui, tuning: &mut Tuning, scene: &Tuning) {
    for (number, (field, own)) in tuning.fields.iter_mut().zip(&scene.fields).enumerate() {
        ui.push_id(number, |ui| match field.kind {
            FIELD_UNIFORM => {
                row(ui, "Force", "Uniform acceleration in m/s²", |ui| {
                    let v = &mut field.direction;
                    for axis in [&mut v.x, &mut v.y, &mut v.z] {
                        ui.add(egui::DragValue::new(axis).speed(0.1));
                    }
                });
            }
            kind => {
                let (name, unit) = match kind {
                    FIELD_ROTATION => ("Swirl", " 1/s²"),
                    _ => ("Attraction", " m/s²"),
                };
                let most = 5.0 * around(own.strength.abs(), 10.0);
                ui.add(Knob::new(name, &mut field.strength, -most..=most).unit(unit));
                let range = 0.1 * own.radius..=10.0 * own.radius;
                let knob = Knob::new("  radius", &mut field.radius, range);
                ui.add(knob.logarithmic(1e-4).unit(" m"));
            }
        });
    }
}
