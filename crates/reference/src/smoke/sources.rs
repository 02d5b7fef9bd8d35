//! Sources of smoke, and what burns (`wgsl/smoke/source`, `expand`, `wgsl/common/sources`).

use glam::DVec3;
use meniscus_model::params::{FIELD_STIR, ForceField};

use crate::World;
use crate::body::Posed;
use crate::faces::{cells, element, set};
use crate::grid::{busy_blocks, busy_cells, center, coordinates, edge};
use crate::poisson::by_group;
use crate::solid;
use crate::space::displacement;

/// Share of a source at a place.
pub(super) fn share(world: &World, k: usize, x: DVec3) -> f64 {
    let values = element::<20>(world, "source_values", k);
    let [start, end, phase] = [values[8], values[9], values[10]];
    let control = &world.control;
    let frames = f64::from(control.frame.max(1) - 1);
    let time =
        frames * f64::from(world.params.time.frame_duration) + f64::from(control.time_in_frame);
    if control.primed == 0 || time < start || time >= end {
        return 0.0;
    }
    let region = &world.regions[world.params.counts.drains as usize + k];
    let [moving, swaying] = [12, 16].map(|at| DVec3::from_slice(&values[at..at + 3]));
    // Depth at a part of the step.
    let dt = f64::from(control.dt);
    let depth = |part: f64| {
        let time = time + part * dt;
        let swayed = (values[19] * time + phase).sin() - phase.sin();
        solid::depth(world, &Posed::still(region), x - time * moving - swayed * swaying)
    };
    let path = dt * (moving.length() + swaying.length() * values[19].abs());
    let places = (path / (0.5 * edge(&world.params))).ceil().clamp(1.0, 64.0) as usize;
    let deepest = (0..places).map(|place| depth(place as f64 / places as f64));
    (0.5 + deepest.fold(f64::NEG_INFINITY, f64::max) / edge(&world.params)).clamp(0.0, 1.0)
}

/// The hand's fields, each with its share at a place.
pub(super) fn stirred(world: &World, x: DVec3) -> impl Iterator<Item = (&ForceField, f64)> {
    let params = &world.params;
    let fields = params.force_fields[..params.counts.force_fields as usize].iter();
    fields.filter(|field| field.kind == FIELD_STIR).map(move |field| {
        let away = displacement(params, x, field.center.as_dvec3()).length();
        (field, (1.0 - away / f64::from(field.radius)).max(0.0))
    })
}

/// Numbers of the sources.
pub(super) fn sources(world: &World) -> std::ops::Range<usize> {
    0..world.params.counts.sources as usize
}

/// Decay and sources of smoke, heat and fuel, and what burns of that.
pub(crate) fn source(world: &mut World) {
    let dt = f64::from(world.control.dt);
    let number = |name: &str| world.number(&format!("stable_fluids.{name}"));
    let [fading, cooling] = ["fading", "cooling"].map(number);
    let [burning, ignition, flame] = ["burning", "ignition", "flame"].map(number);
    let [soot, radiation] = ["soot", "radiation"].map(number);
    for c in 0..cells(world) {
        let [s, t, fuel, _]: [f64; 4] = element(world, "smoke", c);
        let mut value = [s * (-dt * fading).exp(), t * (-dt * cooling).exp(), fuel, 0.0];
        let x = center(&world.params, coordinates(&world.params, c));
        for k in sources(world) {
            let [_, _, _, _, s, t, fuel, ..] = element::<20>(world, "source_values", k);
            let w = share(world, k, x);
            for (value, kept) in value.iter_mut().zip([s, t, fuel]) {
                *value += w * (kept - *value);
            }
        }
        for (field, w) in stirred(world, x) {
            value[0] = value[0].max(w * f64::from(field.strength));
        }
        if burning > 0.0 {
            let [s, t, fuel, _] = value;
            let burnt = if t > ignition { fuel.min(dt * burning) } else { 0.0 };
            let heated = t + (burnt * flame).min((flame - t).max(0.0));
            let lost = dt * radiation * (heated.max(0.0) / flame).powi(4);
            let rate = if dt > 0.0 { burnt / dt } else { 0.0 };
            value = [s + soot * burnt, heated - lost.min(heated.max(0.0)), fuel - burnt, rate];
        }
        set(world, "smoke_other", c, value);
    }
}

/// What burns expands, in the right-hand side of the pressure and its sums.
pub(crate) fn expand(world: &mut World) {
    let edge = edge(&world.params);
    let expansion = world.number("stable_fluids.expansion");
    let added = |world: &World, c: usize| {
        let [.., rate] = element::<4>(world, "smoke", c);
        let is_free = element::<4>(world, "coefficient", c)[3] > 0.0;
        if is_free { edge * edge * expansion * rate } else { 0.0 }
    };
    for c in busy_cells(world) {
        let [r, other] = element(world, "remainder", c);
        let more = added(world, c);
        set(world, "remainder", c, [r + more, other]);
    }
    let before = world.floats("poisson_dots").to_vec();
    by_group(
        world,
        |world, c| [added(world, c), 0.0, 0.0, 0.0],
        |a, b| [a[0] + b[0], 0.0, 0.0, 0.0],
    );
    let sums = world.floats("poisson_dots").to_vec();
    let groups = busy_blocks(world).len().div_ceil(8);
    let all = world.floats_mut("poisson_dots");
    for (k, (now, before)) in all.iter_mut().zip(before).enumerate() {
        let is_sum = k % 4 == 0 && k / 4 < groups;
        *now = if is_sum { sums[k] + before } else { before };
    }
}
