//! Sliders for physical parameters.

use egui::{RichText, Ui};
use meniscus_live::{Slider, SliderKind};

use super::{
    Model,
    widgets::{Knob, digits, row},
};
use crate::action::Action;

pub(super) fn show(ui: &mut Ui, model: &mut Model, actions: &mut Vec<Action>) {
    let Some(summary) = model.summary.clone() else { return };
    let Some(tuning) = &mut model.tuning else { return };
    let own = tuning.sliders(&summary.tuning);
    let mut sliders = own.clone();
    for group in
        sliders.chunk_by_mut(|a, b| is_component(a) && is_component(b) && a.label == b.label)
    {
        ui.push_id(group[0].key.clone(), |ui| show_group(ui, group));
    }
    let moved: Vec<_> = own.iter().zip(&sliders).filter(|(a, b)| a != b).collect();
    for (_, slider) in &moved {
        tuning.set(&summary.tuning, &slider.key, slider.value);
    }
    if !moved.is_empty() {
        actions.push(Action::Tune);
    }
    let changed = *tuning != summary.tuning;
    if ui.add_enabled(changed, egui::Button::new("Restore scene parameters")).clicked() {
        actions.push(Action::ResetTuning);
    }
}

fn is_component(slider: &Slider) -> bool {
    slider.kind == SliderKind::Component
}

/// A slider, or the components of a vector in one row.
fn show_group(ui: &mut Ui, group: &mut [Slider]) {
    let Slider { heading, label, unit, help, kind, value, .. } = &mut group[0];
    if !heading.is_empty() {
        ui.label(RichText::new(heading.as_str()).italics());
    }
    let suffix = if unit.is_empty() { String::new() } else { format!(" {unit}") };
    match *kind {
        SliderKind::Number { low, high, logarithmic } => {
            let knob = Knob::new(label, value, low..=high).unit(&suffix).hint(help);
            ui.add(match logarithmic {
                Some(smallest) => knob.logarithmic(smallest),
                None => knob,
            });
        }
        SliderKind::Integer { low, high } => {
            ui.add(Knob::new(label, value, low..=high).decimals(0).hint(help));
        }
        SliderKind::Flag => row(ui, label, help, |ui| {
            let mut on = *value != 0.0;
            ui.checkbox(&mut on, "");
            *value = f64::from(u8::from(on));
        }),
        _ => {
            let (label, unit, help) = (label.clone(), *unit, *help);
            row(ui, &label, help, |ui| {
                for Slider { value, .. } in group {
                    let drag = egui::DragValue::new(value).speed(0.1).range(-100.0..=100.0);
                    ui.add(drag.custom_formatter(|value, _| digits(value)));
                }
                ui.weak(unit);
            });
        }
    }
}
