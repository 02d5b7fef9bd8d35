//! Settings of the hand.

use egui::Ui;

use super::{
    Model,
    widgets::{Knob, row},
};

pub(super) fn show(ui: &mut Ui, model: &mut Model) {
    let Some(hand) = &mut model.hand else { return };
    row(ui, "Left drag", "Hold Alt for the opposite", |ui| {
        ui.selectable_value(&mut hand.push, false, "pulls");
        ui.selectable_value(&mut hand.push, true, "pushes");
    });
    let knob = Knob::new("Strength", &mut hand.strength, 0.1..=1000.0);
    ui.add(
        knob.logarithmic(0.1)
            .unit(" m/s²")
            .hint("Acceleration towards the cursor, or away from it"),
    );
    let knob = Knob::new("Radius", &mut hand.radius, 0.001..=10.0);
    ui.add(knob.logarithmic(1e-3).unit(" m").hint("Distance at which the force has tapered to 0"));
}
