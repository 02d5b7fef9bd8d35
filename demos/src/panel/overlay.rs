//! Overlay on the picture: status, messages, the hand.

use egui::{Align2, Area, Color32, Context, Frame, Id, Order, Rect, RichText, Stroke, Ui};

use super::{Model, widgets::digits};
use crate::{action::Action, simulation_thread::Condition, text::grouped};

const PAPER: Color32 = Color32::from_rgba_premultiplied(14, 16, 20, 205);
const ERROR: Color32 = Color32::from_rgb(255, 128, 112);
const MARGIN: f32 = 10.0;

pub(super) fn show(ctx: &Context, model: &mut Model, picture: Rect, actions: &mut Vec<Action>) {
    hand(ctx, model, picture);
    status(ctx, model, picture);
    messages(ctx, model, picture, actions);
    condition(ctx, model, picture, actions);
}

fn paper(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    Frame::new().fill(PAPER).corner_radius(5.0).inner_margin(8.0).show(ui, add);
}

/// Time, size and speed, in the upper left corner.
fn status(ctx: &Context, model: &Model, picture: Rect) {
    Area::new(Id::unique("status"))
        .order(Order::Background)
        .interactable(false)
        .fixed_pos(picture.left_top() + egui::vec2(MARGIN, MARGIN))
        .show(ctx, |ui| {
            ui.set_max_width(picture.width() - 2.0 * MARGIN);
            paper(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                let stats = &model.stats;
                let state = match (&model.condition, model.playing) {
                    (Condition::Loading, _) => "setting up …".into(),
                    (Condition::Failed(_) | Condition::Broken(_) | Condition::DeviceLost(_), _) => {
                        "stopped".into()
                    }
                    (Condition::Ready, false) => "paused".into(),
                    (Condition::Ready, true) if stats.pace > 0.0 => pace(stats.pace),
                    (Condition::Ready, true) => "running".to_owned(),
                };
                let line = format!("t = {:.3} s   {state}", stats.time);
                ui.label(RichText::new(line).strong());
                let particles = grouped(stats.particles.into());
                let mode = model.view.mode.name().replace('_', " ");
                ui.label(format!("{particles} {}, drawn as {mode}", model.counted()));
                if let Some(foam) = stats.report.as_ref().and_then(|report| report.foam) {
                    let [spray, foam, bubbles] =
                        [foam.spray, foam.foam, foam.bubbles].map(|count| grouped(count.into()));
                    ui.label(format!("{spray} spray, {foam} foam, {bubbles} bubbles"));
                }
                for (name, iterations, error) in &stats.loops {
                    ui.label(format!("{name}: {iterations:.1} iterations, error {error:.3} %"));
                }
                let name = short_name(&model.adapter);
                let adapter = match (model.software, model.reduced_from) {
                    (true, Some(own)) => {
                        let own = grouped(own.into());
                        format!(
                            "{name} (software adapter: fewer {}; {own} on a GPU)",
                            model.counted()
                        )
                    }
                    (true, None) => format!("{name} (software adapter)"),
                    (false, _) => model.adapter.clone(),
                };
                ui.label(RichText::new(adapter).weak().small());
            });
        });
}

/// Ratio of simulated to real time.
fn pace(pace: f64) -> String {
    match pace {
        _ if pace < 0.1 => format!("1/{:.0} of real time", 1.0 / pace),
        _ if pace > 0.95 && pace < 1.05 => "real time".into(),
        _ => format!("{} × real time", digits(pace)),
    }
}

/// An adapter's name without the part in brackets.
fn short_name(name: &str) -> &str {
    name.split(" (").next().unwrap_or(name)
}

/// Messages in the lower left corner, or a hint if there are none.
fn messages(ctx: &Context, model: &mut Model, picture: Rect, actions: &mut Vec<Action>) {
    let video = model.video;
    let hint = !model.controls_open && !model.help_open;
    let notices = model.notices.show();
    if notices.is_empty() && video.is_none() && !hint {
        return;
    }
    Area::new(Id::unique("messages"))
        .order(Order::Middle)
        .pivot(Align2::LEFT_BOTTOM)
        .fixed_pos(picture.left_bottom() + egui::vec2(MARGIN, -MARGIN))
        .show(ctx, |ui| {
            ui.set_max_width((picture.width() - 2.0 * MARGIN).min(640.0));
            for (index, notice) in notices.iter().enumerate() {
                paper(ui, |ui| {
                    ui.horizontal_top(|ui| {
                        if notice.error && ui.small_button("Close").clicked() {
                            actions.push(Action::CloseNotice(index));
                        }
                        let text = RichText::new(&notice.text);
                        let text = if notice.error { text.color(ERROR) } else { text };
                        ui.add(egui::Label::new(text).wrap());
                    });
                });
            }
            if let Some(count) = video {
                paper(ui, |ui| {
                    let text = format!("recording: {count} frames   (F9 stops)");
                    ui.colored_label(ERROR, text);
                });
            }
            if notices.is_empty() && video.is_none() && hint {
                paper(ui, |ui| {
                    ui.weak("F1: help   H: controls");
                });
            }
        });
}

/// Dialog for a simulation that cannot continue.
fn condition(ctx: &Context, model: &Model, picture: Rect, actions: &mut Vec<Action>) {
    let (title, text) = match &model.condition {
        Condition::Failed(text) => ("The simulation failed", text),
        Condition::Broken(text) => ("The scene could not be set up", text),
        Condition::DeviceLost(text) => ("The device was lost", text),
        Condition::Loading | Condition::Ready => return,
    };
    Area::new(Id::unique("condition"))
        .order(Order::Foreground)
        .pivot(Align2::CENTER_CENTER)
        .fixed_pos(picture.center())
        .show(ctx, |ui| {
            ui.set_max_width((picture.width() - 4.0 * MARGIN).min(460.0));
            Frame::window(ui.style()).inner_margin(14.0).show(ui, |ui| {
                ui.label(RichText::new(title).strong().color(ERROR));
                ui.add(egui::Label::new(text).wrap());
                ui.add_space(4.0);
                ui.horizontal(|ui| {
                    if ui.button("Reset").clicked() {
                        actions.push(Action::Reset);
                    }
                    if model.tuning.as_ref() != model.summary.as_ref().map(|s| &s.tuning)
                        && ui.button("Restore scene parameters and reset").clicked()
                    {
                        actions.extend([Action::ResetTuning, Action::Reset]);
                    }
                });
            });
        });
}

/// A ring around the hand in the water, a line for the spring that pulls a body.
fn hand(ctx: &Context, model: &Model, picture: Rect) {
    let painter = ctx.layer_painter(egui::LayerId::background()).with_clip_rect(picture);
    let pull = Color32::from_rgb(140, 220, 255);
    if let Some([held, end]) = model.spring_shown {
        painter.line_segment([held, end], Stroke::new(2.0, pull));
        painter.circle_filled(held, 4.0, pull);
        painter.circle_filled(end, 3.0, pull);
    }
    let Some((center, radius, push)) = model.hand_shown else { return };
    let color = if push { Color32::from_rgb(255, 170, 110) } else { pull };
    painter.circle_stroke(center, radius, Stroke::new(1.5, color.gamma_multiply(0.7)));
    painter.circle_filled(center, 3.0, color);
}
