//! Descriptions for the page's controls.

use meniscus::{
    Registry, SurfaceOptions,
    methods::{Axis, quantity::Form},
};
use meniscus_formats::{SCENES, scene_from_toml};
use meniscus_live::{Hand, Run, Slider, SliderKind, Tuning};
use meniscus_render::{Mode, View, map_color};
use serde_json::{Value, json};

/// Where the repository shows its files.
const FILES: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/crates/formats/scenes");
/// The methods' equations.
const EQUATIONS: &str = "https://meniscus-sph.github.io/meniscus/methods.html";

/// Scenes, each with its title and its group, the family of its solver, and names of all solvers.
pub(crate) fn menu() -> Value {
    let registry = Registry::standard();
    let scene = |scene: &meniscus_formats::BundledScene| {
        let parsed = scene_from_toml(scene.name, scene.text).unwrap_or_default();
        let chosen = registry.choose(&parsed);
        let group = chosen.map_or_else(|_| "Other", |chosen| chosen.family().title);
        json!({ "name": scene.name, "title": parsed.title, "group": group })
    };
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "first": meniscus_live::FIRST,
        "scenes": SCENES.iter().map(scene).collect::<Vec<_>>(),
        "solvers": registry.names(Axis::Solver),
        "fineness": SurfaceOptions::FINEST,
        "smoothing": SurfaceOptions::SMOOTHEST,
        "equations": EQUATIONS,
    })
}

/// A scene that was set up, and how it is shown.
pub(crate) fn scene(run: &Run, view: &View, hand: &Hand) -> Value {
    let (scene, chosen) = (run.scene(), run.chosen());
    let registry = Registry::standard();
    let family = run.simulation().setup().chosen.family();
    let fits = |name: &str| registry.solvers(family).any(|method| method.name == name);
    let solver = |method: &meniscus::methods::Method| {
        let help = format!("{}: {}", method.source, method.help);
        json!({ "name": method.name, "help": help, "fits": fits(method.name) })
    };
    let modes = if family.has_particles { Mode::OF_PARTICLES } else { Mode::OF_SMOKE };
    let bundled = chosen.choice.text.is_none();
    let bundled = SCENES.iter().find(|scene| bundled && scene.name == chosen.choice.source);
    json!({
        "about": bundled.map(|scene| about(scene.text)),
        "file": bundled.map(|scene| format!("{FILES}/{}.toml", scene.name)),
        "foam": run.simulation().setup().foam > 0,
        "loops": !run.simulation().setup().chosen.loops().is_empty(),
        "what": if family.has_particles { "particles" } else { "cells" },
        "modes": modes.iter().map(|mode| mode.name()).collect::<Vec<_>>(),
        "source": chosen.choice.source,
        "title": scene.title,
        "solver": scene.solver,
        "solvers": registry.of(Axis::Solver).map(solver).collect::<Vec<_>>(),
        "radius": scene.particle_radius,
        "dimensions": scene.dimensions,
        "fps": scene.time.fps,
        "reduced_from": chosen.reduced_from,
        "notes": chosen.notes,
        "sliders": sliders(run.tuning(), run.scene_tuning()),
        "quantities": quantities(run),
        "mode": view.mode.name(),
        "color": view.color.name,
        "hand": { "strength": hand.strength, "radius": hand.radius },
    })
}

/// The first comment of a scene file, without what is for the command.
fn about(text: &str) -> String {
    let lines = text.lines().skip_while(|line| line.starts_with("#:"));
    let lines = lines.map_while(|line| line.strip_prefix('#')).map(str::trim);
    let lines = lines.take_while(|line| !line.starts_with("A picture in seconds"));
    lines.collect::<Vec<_>>().join(" ")
}

/// Sliders of a tuning, around the values of its scene.
pub(crate) fn sliders(tuning: &Tuning, scene: &Tuning) -> Value {
    let slider = |slider: &Slider| {
        let kind = match slider.kind {
            SliderKind::Number { low, high, logarithmic } => {
                json!({ "low": low, "high": high, "smallest": logarithmic })
            }
            SliderKind::Integer { low, high } => json!({ "low": low, "high": high, "step": 1 }),
            SliderKind::Flag => json!({ "flag": true }),
            _ => json!({ "component": true }),
        };
        json!({
            "key": slider.key, "heading": slider.heading, "label": slider.label,
            "unit": slider.unit, "help": slider.help, "value": slider.value, "kind": kind,
        })
    };
    tuning.sliders(scene).iter().map(slider).collect()
}

/// Quantities that can colour the particles, each with the colours of its map.
fn quantities(run: &Run) -> Value {
    let fluid = run.fluid();
    let quantity = |(quantity, _): &(meniscus_render::Quantity, wgpu::Buffer)| {
        let ranged = !matches!(quantity.form, Form::Label | Form::Material);
        let colors: Vec<_> = (0..=8).map(|k| map_color(quantity.map, f64::from(k) / 8.0)).collect();
        json!({
            "name": quantity.name, "title": quantity.title.replace('_', " "),
            "unit": quantity.unit(), "help": quantity.help, "ranged": ranged,
            "range": fluid.default_range(quantity), "colors": colors,
        })
    };
    fluid.quantities.iter().map(quantity).collect()
}
