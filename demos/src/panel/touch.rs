//! The hand in the water.

use egui::Ui;

use super::{
    Model,
    widgets::{Knob, row},
};

pub(super) fn show(ui: &mut Ui, model: &mut Model) {
    let Some(hand) = &mut model.hand else { return };
    row(ui, "Left drag", "Alt does the other one", |ui| {
        ui.selectable_value(&mut hand.push, false, "pulls");
        ui.selectable_value(&mut hand.push, true, "pushes");
    });
    let knob = Knob::new("Strength", &mut hand.strength, 0.1..=1000.0);
    ui.add(knob.logarithmic(0.1).unit(" m/s²").hint("Acceleration towards the cursor"));
    let knob = Knob::new("Radius", &mut hand.radius, 0.001..=10.0);
    ui.add(knob.logarithmic(1e-3).unit(" m").hint("Where the pull has tapered to nothing"));
}
