//! Cost of each pass, and of the window.

use egui::{Color32, Grid, RichText, ScrollArea, Ui};
use egui_plot::{FilledArea, Plot};

use super::Model;
use crate::{
    action::Action,
    profiler::Profiler,
    text::{bytes, grouped, short},
};

/// Number of passes with their own area in the plot; the others share one.
const AREAS: usize = 9;

pub(super) fn show(ui: &mut Ui, model: &mut Model, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("Profiler").strong());
        ui.separator();
        stats(ui, model);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.button("Close").on_hover_text("P").clicked() {
                actions.push(Action::Profiler);
            }
            let hint = "Save recent passes for ui.perfetto.dev";
            let some = !model.profiler.samples().is_empty();
            let button = egui::Button::new("Chrome trace");
            if ui.add_enabled(some, button).on_hover_text(hint).clicked() {
                actions.push(Action::Trace);
            }
        });
    });
    let height = ui.available_height();
    ui.horizontal_top(|ui| {
        let width = ui.available_width() - 40.0;
        column(ui, egui::vec2(0.40 * width, height), |ui| history(ui, model));
        ui.separator();
        column(ui, egui::vec2(0.32 * width, height), |ui| {
            let list = ScrollArea::vertical().id_salt("passes").auto_shrink(false);
            list.show(ui, |ui| passes(ui, &model.profiler));
        });
        ui.separator();
        column(ui, egui::vec2(0.28 * width, height), |ui| {
            ScrollArea::vertical().id_salt("memory").auto_shrink(false).show(ui, |ui| {
                window(ui, model);
                memory(ui, model);
            });
        });
    });
}

/// A column of the panel, with a size in points.
fn column(ui: &mut Ui, size: egui::Vec2, add: impl FnOnce(&mut Ui)) {
    ui.allocate_ui_with_layout(size, egui::Layout::top_down(egui::Align::Min), |ui| {
        ui.set_min_size(size);
        ui.set_max_width(size.x);
        add(ui);
    });
}

/// Stats of the whole simulation.
fn stats(ui: &mut Ui, model: &Model) {
    let stats = &model.stats;
    let per_step = stats.steps_per_second;
    let mut show = |name: &str, value: String| {
        ui.weak(name);
        ui.monospace(value);
    };
    show("steps/s", short(per_step));
    let counted = model.counted().trim_end_matches('s');
    show(&format!("{counted}-steps/s"), short(stats.particle_steps_per_second));
    show("Δt", format!("{:.3} ms", 1e3 * stats.dt));
    if let Some(report) = &stats.report {
        let (mean, most) = (report.density_error_mean, report.density_error_max);
        show("density error", format!("{mean:.2} % (max {most:.1} %)"));
    }
    show("steps/submission", stats.steps_per_submission.to_string());
}

/// Colour of the k-th area.
fn color(k: usize) -> Color32 {
    const COLORS: [Color32; AREAS + 1] = [
        Color32::from_rgb(76, 150, 214),
        Color32::from_rgb(244, 152, 66),
        Color32::from_rgb(104, 186, 112),
        Color32::from_rgb(222, 96, 100),
        Color32::from_rgb(158, 124, 204),
        Color32::from_rgb(232, 198, 84),
        Color32::from_rgb(94, 200, 200),
        Color32::from_rgb(226, 130, 184),
        Color32::from_rgb(168, 146, 124),
        Color32::from_rgb(130, 138, 150),
    ];
    COLORS[k.min(AREAS)]
}

/// Stacked areas: µs per step for each submission.
fn history(ui: &mut Ui, model: &Model) {
    let profiler = &model.profiler;
    if profiler.samples().is_empty() {
        let can = model.summary.as_ref().is_none_or(|summary| summary.can_time);
        ui.centered_and_justified(|ui| {
            ui.weak(match (can, model.playing) {
                (false, _) => "this adapter cannot time passes",
                (true, false) => "no times yet: the simulation is paused",
                (true, true) => "measuring …",
            });
        });
        return;
    }
    let order: Vec<_> = profiler.rows().iter().map(|row| row.label).collect();
    let xs: Vec<f64> = (0..profiler.samples().len()).map(|x| x as f64).collect();
    let mut base = vec![0.0; xs.len()];
    let mut areas = Vec::new();
    for (k, labels) in order
        .iter()
        .take(AREAS)
        .map(|l| vec![*l])
        .enumerate()
        .chain([(AREAS, order.iter().skip(AREAS).copied().collect())])
    {
        let value = |us: &[f64]| {
            labels.iter().map(|label| us.get(*label).copied().unwrap_or(0.0)).sum::<f64>()
        };
        let top: Vec<f64> =
            base.iter().zip(profiler.samples()).map(|(b, s)| b + value(&s.us)).collect();
        let name = match labels.as_slice() {
            [label] => profiler.labels()[*label].clone(),
            _ => "others".into(),
        };
        areas.push(FilledArea::new(name, &xs, &base, &top).fill_color(color(k)).id(k));
        base = top;
    }
    // A few submissions that were interrupted would squeeze everything else.
    base.sort_by(f64::total_cmp);
    let usual = base.get(base.len() * 9 / 10).copied().unwrap_or(0.0);
    let ceiling = (1.4 * usual).max(1.0);
    Plot::new("history")
        .show_x(false)
        .show_axes([false, true])
        .y_axis_label("µs per step")
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .show(ui, |plot| {
            plot.set_plot_bounds_y(0.0..=ceiling);
            for area in areas {
                plot.add(area);
            }
        });
}

fn passes(ui: &mut Ui, profiler: &Profiler) {
    let rows = profiler.rows();
    Grid::new("passes").striped(true).num_columns(4).spacing([10.0, 2.0]).show(ui, |ui| {
        for head in ["pass", "µs", "p95", "%"] {
            ui.weak(head);
        }
        ui.end_row();
        for (k, row) in rows.iter().enumerate() {
            ui.horizontal(|ui| {
                let (rect, _) = ui.allocate_exact_size(egui::vec2(9.0, 9.0), egui::Sense::hover());
                ui.painter().rect_filled(rect, 2.0, color(k));
                ui.label(&profiler.labels()[row.label]);
            });
            ui.monospace(format!("{:.1}", row.median));
            ui.monospace(format!("{:.1}", row.p95));
            ui.monospace(format!("{:.1}", 100.0 * row.share));
            ui.end_row();
        }
        let total = rows.iter().fold(0.0, |sum, row| sum + row.median);
        ui.strong("step");
        ui.monospace(format!("{total:.1}"));
        ui.end_row();
    });
}

/// The window's own costs: everything but the simulation's passes.
fn window(ui: &mut Ui, model: &Model) {
    let overhead = model.profiler.overhead;
    ui.strong("Window, per picture");
    Grid::new("window").num_columns(2).spacing([10.0, 2.0]).show(ui, |ui| {
        let mut line = |name: &str, value: String| {
            ui.label(name);
            ui.monospace(value);
            ui.end_row();
        };
        line("CPU", format!("{:.2} ms", overhead.cpu_ms));
        let gpu = |ms: Option<f64>| ms.map_or("unknown".into(), |ms| format!("{ms:.2} ms"));
        line("GPU, with fluid", gpu(overhead.water_ms));
        line("GPU, interface only", gpu(overhead.interface_ms));
        line("waiting for the screen", format!("{:.2} ms", overhead.wait_ms));
        let rate = if overhead.frame_ms > 0.0 { 1e3 / overhead.frame_ms } else { 0.0 };
        line("interval", format!("{:.1} ms", overhead.frame_ms));
        line("pictures/s", format!("{rate:.0}"));
    });
    ui.add_space(6.0);
}

fn memory(ui: &mut Ui, model: &Model) {
    let total: u64 = model.memory.iter().map(|(_, bytes)| bytes).sum();
    ui.strong(format!("Memory: {}", bytes(total)));
    Grid::new("memory").striped(true).num_columns(2).spacing([10.0, 2.0]).show(ui, |ui| {
        for (name, size) in model.memory.iter() {
            ui.label(name).on_hover_text(format!("{} bytes", grouped(*size)));
            ui.monospace(bytes(*size));
            ui.end_row();
        }
    });
}
