//! Help on keys and mouse.

use egui::{Align2, Area, Context, Frame, Grid, Id, Order, Rect, RichText, ScrollArea, Ui};

use crate::shortcuts::{KEYS, MOUSE};

/// Width in points for three tables side by side.
const WIDE: f32 = 860.0;

pub(super) fn show(ctx: &Context, open: &mut bool) {
    if !*open {
        return;
    }
    let window: Rect = ctx.content_rect();
    Area::new(Id::unique("help"))
        .order(Order::Foreground)
        .pivot(Align2::CENTER_CENTER)
        .fixed_pos(window.center())
        .show(ctx, |ui| {
            Frame::window(ui.style()).inner_margin(16.0).show(ui, |ui| {
                ui.set_max_size(window.size() - egui::vec2(50.0, 50.0));
                ScrollArea::vertical().show(ui, |ui| {
                    let keys: Vec<_> = KEYS.iter().map(|row| (row.name, row.what)).collect();
                    let (first, second) = keys.split_at(keys.len().div_ceil(2));
                    let tables = |ui: &mut Ui| {
                        table(ui, "Mouse", MOUSE);
                        ui.add_space(20.0);
                        table(ui, "Keys", first);
                        ui.add_space(20.0);
                        table(ui, if window.width() > WIDE { " " } else { "" }, second);
                    };
                    if window.width() > WIDE {
                        ui.horizontal_top(tables);
                    } else {
                        ui.vertical(tables);
                    }
                    ui.add_space(8.0);
                    if ui.button("Close").on_hover_text("F1").clicked() {
                        *open = false;
                    }
                });
            });
        });
}

fn table(ui: &mut Ui, title: &str, rows: &[(&str, &str)]) {
    ui.vertical(|ui| {
        if !title.is_empty() {
            ui.label(RichText::new(title).strong());
        }
        Grid::new((title, rows.len())).num_columns(2).spacing([16.0, 6.0]).show(ui, |ui| {
            for (keys, what) in rows {
                ui.label(RichText::new(*keys).monospace());
                ui.label(*what);
                ui.end_row();
            }
        });
    });
}
