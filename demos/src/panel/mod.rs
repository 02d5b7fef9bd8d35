//! The interface around and over the picture.

mod capture;
mod controls;
mod hand;
mod help;
mod overlay;
mod parameters;
mod profiler;
mod scene;
mod view;
mod widgets;

use std::sync::Arc;

use egui::{CentralPanel, Context, Frame, Panel, Rect, Response, Sense, TextureId, Ui};
use meniscus::SurfaceOptions;
use meniscus_live::{Hand, Tuning};
use meniscus_render::{Mode, Quantity, View};

use crate::{
    action::Action,
    notices::Notices,
    profiler::Profiler,
    simulation_thread::{Condition, Stats, Summary},
};

/// State that the panels show and change.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) controls_open: bool,
    pub(crate) profiler_open: bool,
    pub(crate) help_open: bool,

    pub(crate) adapter: String,
    pub(crate) software: bool,

    /// Path or name of the scene.
    pub(crate) source: String,
    /// Scenes in the menu: bundled ones and files that were opened.
    pub(crate) sources: Vec<String>,
    pub(crate) title: String,
    pub(crate) solver: String,
    /// Number of particles that the scene would have on a GPU, if it has fewer here.
    pub(crate) reduced_from: Option<u32>,
    /// Number of particles asked for while the slider moves.
    pub(crate) requested_particles: Option<u32>,

    pub(crate) condition: Condition,
    pub(crate) playing: bool,
    pub(crate) stats: Stats,
    pub(crate) summary: Option<Arc<Summary>>,
    pub(crate) memory: Arc<Vec<(String, u64)>>,
    /// Simulated seconds per real second; `None` is unlimited.
    pub(crate) time_scale: Option<f64>,
    pub(crate) tuning: Option<Tuning>,

    pub(crate) view: View,
    /// Quantities of the fluid that is drawn.
    pub(crate) quantities: Vec<Quantity>,
    pub(crate) surface: SurfaceOptions,
    /// Pixels of the picture per pixel of the window.
    pub(crate) pixel_scale: f32,
    pub(crate) hand: Option<Hand>,

    pub(crate) profiler: Profiler,
    pub(crate) notices: Notices,
    /// Number of frames of the video being recorded.
    pub(crate) video: Option<u32>,
    /// The hand's centre and radius in points, and whether it pushes.
    pub(crate) hand_shown: Option<(egui::Pos2, f32, bool)>,
    /// Ends in points of the spring that pulls a body.
    pub(crate) spring_shown: Option<[egui::Pos2; 2]>,
}

impl Model {
    /// What the scene has many of.
    fn counted(&self) -> &'static str {
        if Mode::OF_SMOKE.contains(&self.view.mode) { "cells" } else { "particles" }
    }
}

/// Result of showing the interface.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) actions: Vec<Action>,
    /// The picture's rectangle in points, and its mouse input.
    pub(crate) picture: Response,
}

/// Sets colours and sizes.
pub(crate) fn set_style(ctx: &Context) {
    ctx.set_theme(egui::Theme::Dark);
    ctx.all_styles_mut(|style| {
        style.animation_time = 0.06;
        style.text_styles.insert(egui::TextStyle::Small, egui::FontId::proportional(11.0));
        style.spacing.slider_width = 110.0;
        style.spacing.item_spacing = egui::vec2(8.0, 5.0);
        style.spacing.interact_size.y = 20.0;
        style.visuals.panel_fill = egui::Color32::from_rgb(24, 27, 32);
        style.visuals.window_fill = egui::Color32::from_rgb(28, 31, 37);
        style.visuals.selection.bg_fill = egui::Color32::from_rgb(22, 92, 140);
        style.visuals.override_text_color = Some(egui::Color32::from_rgb(216, 222, 230));
        style.interaction.selectable_labels = false;
    });
    // Disable egui's own shortcuts; all keys are in the table of shortcuts.
    ctx.options_mut(|options| {
        options.zoom_with_keyboard = false;
        options.quit_shortcuts.clear();
    });
}

/// Shows the panels around the picture and the overlay on it.
pub(crate) fn show(ui: &mut Ui, model: &mut Model, picture: TextureId) -> Shown {
    let mut actions = Vec::new();
    if model.controls_open {
        Panel::left("controls")
            .default_size(330.0)
            .size_range(290.0..=480.0)
            .show(ui, |ui| controls::show(ui, model, &mut actions));
    }
    if model.profiler_open {
        Panel::bottom("profiler")
            .resizable(true)
            .default_size(250.0)
            .size_range(140.0..=600.0)
            .show(ui, |ui| profiler::show(ui, model, &mut actions));
    }
    let picture = CentralPanel::default()
        .frame(Frame::NONE)
        .show(ui, |ui| {
            let rect = ui.max_rect().intersect(ui.ctx().content_rect());
            let whole = Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
            ui.painter().image(picture, rect, whole, egui::Color32::WHITE);
            ui.interact(rect, ui.scope_id().with("picture"), Sense::click_and_drag())
        })
        .inner;
    overlay::show(ui.ctx(), model, picture.rect, &mut actions);
    help::show(ui.ctx(), &mut model.help_open);
    Shown { actions, picture }
}
