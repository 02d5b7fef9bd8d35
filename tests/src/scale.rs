//! Scale of rounding errors of each scalar that a stage writes.
//!
//! The reference does the stage a few more times from inputs perturbed at random by a relative 1e-6. The
//! change of a result, divided by this, is the sum (with random signs) of the terms in it: the condition of
//! the formula at this element (Higham 2002, §1.6). So an error is measured relative to the numbers
//! that contribute to this element, and only results in which large terms cancel may have the
//! larger errors of those terms.
//!
//! A scalar that equals its input in all these runs is not touched by the stage.

use std::collections::BTreeMap;

use glam::Vec3;
use meniscus_reference::{Array, Values, World};

use crate::{
    moment::{Arrays, Moment},
    random::Random,
};

/// Number of runs with perturbed inputs.
const RUNS: u64 = 3;
/// Relative perturbation of inputs: about 16 units in the last place of f32.
const SHARE: f64 = 1e-6;
/// Eigenvalue below which two may be 0, of lines and planes of particles.
const LITTLE_EIGENVALUE: f64 = 1e-3;
/// p · 0.82 √(1 − r), with p ≤ 1/3 and r rounded by two units in the last place, over the relative tolerance.
const ROOT_OF_ROUNDING: f64 = 33.0;
/// Largest scale of a normal of the surface.
const MOST_OF_DIRECTION: f64 = 4e3;

/// Scales of the scalars in an array of floats: the allowed error is the tolerance times the scale.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs, reason = "the comparison reads it")]
pub struct Scale {
    /// Whether the stage writes the scalar.
    pub touched: Vec<bool>,
    /// Scale of the scalar; the components of a vector share one.
    pub scale: Vec<f64>,
}

/// Scales of all arrays of floats that a stage changes.
pub(crate) fn scales(moment: &Moment) -> BTreeMap<&'static str, Scale> {
    let mut scales = BTreeMap::new();
    for (name, after) in &moment.after {
        let Some((old, new)) = floats(&moment.before, name).zip(floats(&moment.after, name)) else {
            continue;
        };
        let touched = old.iter().zip(new).map(|(old, new)| differ(*old, *new)).collect();
        let mut scale = new.to_vec();
        share(name, after.width(), &mut scale);
        scales.insert(*name, Scale { touched, scale });
    }
    // Limits of interpolation hide what the sums that they cut off would show. A corrected value has two of them, and
    // where a path begins between two cells each run is on a side by chance.
    let name = moment.placed.pass.name;
    let runs = if name.starts_with("smoke/correct") {
        5 * RUNS
    } else if name.starts_with("smoke/advect") || name == "eulerian/carry" {
        2 * RUNS
    } else {
        RUNS
    };
    for seed in 0..runs {
        let mut world = shaken(moment, seed);
        let before = world.arrays();
        let changed = moment.again(world);
        for (name, Scale { touched, scale }) in &mut scales {
            let (Some(old), Some(new)) = (floats(&before, name), floats(&changed, name)) else {
                continue;
            };
            // Of an array that it does not write, the scale is its own size.
            if old == new && moment.before[name] == moment.after[name] {
                continue;
            }
            for (touched, (old, new)) in touched.iter_mut().zip(old.iter().zip(new)) {
                *touched |= differ(*old, *new);
            }
            let expected = floats(&moment.after, name).unwrap_or_default();
            let mut change: Vec<f64> =
                new.iter().zip(expected).map(|(new, expected)| (new - expected) / SHARE).collect();
            share(name, moment.after[name].width(), &mut change);
            for (scale, change) in scale.iter_mut().zip(change) {
                *scale = scale.max(change);
            }
        }
    }
    for (name, Scale { touched, .. }) in &mut scales {
        let width = moment.after[name].width();
        let vectors = vectors(name, width);
        for element in touched.chunks_mut(width) {
            for lanes in &vectors {
                let any = lanes.iter().any(|lane| element[*lane]);
                lanes.iter().for_each(|lane| element[*lane] = any);
            }
        }
    }
    // Where the slope is 0 the inputs do not tell the direction, but the formula does.
    if let Some(Scale { scale, .. }) = scales.get_mut("surface_normal") {
        scale.iter_mut().for_each(|scale| *scale = scale.min(MOST_OF_DIRECTION));
    }
    // A distance is a difference from the end of the band, also where the one known before is the least; it
    // may be written again, rounded.
    if let Some(Scale { touched, scale }) = scales.get_mut("distances") {
        let band = f64::from(moment.world.distance_field.band);
        scale.iter_mut().for_each(|scale| *scale = scale.max(band));
        touched.fill(true);
    }
    if name == "mpm/deform" {
        deformed(moment, &mut scales);
    }
    // Speeds are what is left of a gap, over Δt: the rounding of the places that the gap lies between counts, also where
    // the reference has none left. Two places of half a unit in the last place over the relative tolerance.
    if let Some(Scale { touched, scale }) =
        scales.get_mut("closing").filter(|_| name == "mpm/approach")
    {
        let (grid, dt) = (&moment.world.params.grid, f64::from(moment.world.control.dt));
        let end = grid.origin + grid.size.as_vec3() * grid.cell;
        let farthest = f64::from(grid.origin.abs().max(end.abs()).max_element());
        let least = 0.03 * farthest / dt.max(1e-20);
        scale.iter_mut().for_each(|scale| *scale = scale.max(least));
        touched.fill(true);
    }
    // The smallest of three eigenvalues is a root of the rounding where the next is its equal (tension/normals).
    if let Some(Scale { touched, scale }) = scales.get_mut("tension_normal") {
        let values = floats(&moment.after, "tension_normal").unwrap_or_default();
        for at in (3..scale.len()).step_by(4).filter(|at| values[*at].abs() < LITTLE_EIGENVALUE) {
            scale[at] = scale[at].max(ROOT_OF_ROUNDING);
            touched[at] = true;
        }
    }
    let carries = [
        "smoke/advect",
        "smoke/advect_velocity",
        "eulerian/advect",
        "eulerian/carry",
        "eulerian/surface",
    ];
    if carries.contains(&name) {
        carried(moment, &mut scales);
    }
    scales
}

/// The place in cells where a path begins, or where a node is, is rounded by half a unit in the last place of the number of
/// cells, however short the path is: beside a step of the largest value the carried value differs by that share of it, and
/// where a path begins at a cell's centre, a value that is 0 there is not exactly 0.
fn carried(moment: &Moment, scales: &mut BTreeMap<&'static str, Scale>) {
    // Half a unit in the last place over the relative tolerance of floats.
    const SHARE_OF_A_CELL: f64 = 0.3;
    let cells = f64::from(moment.world.params.grid.size.max_element());
    for (name, Scale { touched, scale }) in scales.iter_mut() {
        let width = moment.after[name].width();
        let values = floats(&moment.after, name).unwrap_or_default();
        let mut largest = vec![0.0_f64; width];
        for (at, value) in values.iter().enumerate() {
            largest[at % width] = largest[at % width].max(value.abs());
        }
        for (at, scale) in scale.iter_mut().enumerate() {
            *scale = scale.max(SHARE_OF_A_CELL * cells * largest[at % width]);
            touched[at] |= largest[at % width] > 0.0;
        }
    }
}

/// Deformations are differences from 1, and stresses those times a modulus: of water the stiffness, of solids λ + 2μ,
/// with snow's hardening.
fn deformed(moment: &Moment, scales: &mut BTreeMap<&'static str, Scale>) {
    let world = &moment.world;
    let Some(state) = floats(&moment.after, "deformation") else { return };
    let modulus = |slot: usize| {
        let material = world.params.materials[(world.identity[slot][1] >> 8 & 255) as usize];
        let model = world.methods.models()[material.model as usize];
        let words = [material.numbers_0.to_array(), material.numbers_1.to_array()].concat();
        let number = |name: &str| {
            let at = model.numbers.iter().position(|number| number.name == name);
            at.map_or(0.0, |at| f64::from(words[at]))
        };
        let own = 7.0 * number("stiffness") + number("lambda") + 2.0 * number("shear");
        // A model that names its moduli otherwise: its largest number is one.
        let own =
            if own > 0.0 { own } else { f64::from(words.iter().copied().fold(0.0, f32::max)) };
        own * (-number("hardening") * state[12 * slot + 3]).exp()
    };
    let mut raise = |name: &str, least: &dyn Fn(usize) -> f64| {
        if let Some(Scale { scale, .. }) = scales.get_mut(name) {
            scale.iter_mut().enumerate().for_each(|(at, scale)| *scale = scale.max(least(at)));
        }
    };
    raise("deformation", &|_| 1.0);
    let volume = f64::from(world.params.materials[0].rest_volume);
    raise("stress", &|at| modulus(at / 8) * if at % 8 == 7 { volume } else { 1.0 });
    raise("velocity", &|at| if at % 4 == 3 { modulus(at / 4) } else { 0.0 });
    // Also where the reference has exactly 0: fused or not, products round, and a pressure is cut off where rounding decides.
    if let Some(Scale { touched, .. }) = scales.get_mut("velocity") {
        touched.iter_mut().skip(3).step_by(4).for_each(|touched| *touched = true);
    }
    for (name, width) in [("deformation", 12), ("stress", 8)] {
        let Some(Scale { touched, .. }) = scales.get_mut(name) else { continue };
        for element in touched.chunks_mut(width) {
            let any = element.contains(&true);
            element.fill(any);
        }
    }
}

fn floats<'a>(arrays: &'a Arrays, name: &str) -> Option<&'a [f64]> {
    match arrays.get(name) {
        Some(Array::Floats { data, .. }) => Some(data),
        _ => None,
    }
}

/// Whether two numbers differ; NaN equals NaN.
fn differ(a: f64, b: f64) -> bool {
    a != b && !(a.is_nan() && b.is_nan())
}

/// The world with each float perturbed.
fn shaken(moment: &Moment, seed: u64) -> World {
    let mut world = moment.world.clone();
    // Of either sign, and never twice the same, so that copies of one number differ.
    let factor = |random: &mut Random| {
        let share = SHARE * (0.75 + 0.25 * random.signed());
        if random.bits().is_multiple_of(2) { 1.0 + share } else { 1.0 - share }
    };
    // The w lane of an emitter's point is the emitter's number.
    for name in moment.before.keys().filter(|name| **name != "emitter_points") {
        if let Some(Values::Floats { data, .. }) = world.buffer(name) {
            // A sequence for each, so that another array changes none.
            let own = name.bytes().fold(seed, |sum, byte| sum.wrapping_mul(31) + u64::from(byte));
            let mut random = Random::new(own);
            data.iter_mut().for_each(|value| *value *= factor(&mut random));
        }
    }
    let mut random = Random::new(seed);
    let mut factor = || factor(&mut random);
    for time in [&mut world.control.dt, &mut world.control.time_in_frame] {
        *time = (f64::from(*time) * factor()) as f32;
    }
    let mut shift = |place: Vec3| place.to_array().map(|x| (f64::from(x) * factor()) as f32).into();
    for triangle in &mut world.field_triangles {
        triangle.corners = triangle.corners.map(&mut shift);
    }
    world.distance_field.half_extents = shift(world.distance_field.half_extents);
    let of_nodes =
        ["grid/", "surface/", "apic/", "polypic/", "flip/", "eulerian/", "liquid/", "smoke/"];
    if of_nodes.iter().any(|folder| moment.placed.pass.name.starts_with(folder)) {
        // Nodes and faces are positions, too.
        world.params.grid.origin = shift(world.params.grid.origin);
    }
    let name = moment.placed.pass.name;
    if name.starts_with("smoke/") || matches!(name, "eulerian/carry" | "eulerian/surface") {
        // So are places in cells, whose rounding grows with the distance from the first cell. Limits of
        // interpolation jump where they cross from one cell into the next: to both sides, that none is missed.
        let way = if seed.is_multiple_of(2) { 1.0 + SHARE } else { 1.0 - SHARE };
        world.params.grid.inverse_cell *= way as f32;
    }
    world
}

/// Replaces each scalar by the length of the vector that it is part of.
pub(crate) fn share(name: &str, width: usize, data: &mut [f64]) {
    let vectors = vectors(name, width);
    for element in data.chunks_mut(width) {
        for lanes in &vectors {
            let square = |lane: &usize| element[*lane] * element[*lane];
            let length = lanes.iter().map(square).filter(|x| !x.is_nan()).sum::<f64>().sqrt();
            for lane in lanes {
                element[*lane] = length;
            }
        }
    }
}

/// The scalars of an element that make one quantity.
fn vectors(name: &str, width: usize) -> Vec<Vec<usize>> {
    match name {
        // The elements of a symmetric tensor, and its determinant.
        "surface_shape" => vec![vec![0, 1, 2, 4, 5, 6], vec![3], vec![7]],
        _ if width < 3 => (0..width).map(|lane| vec![lane]).collect(),
        _ => (0..width / 4)
            .flat_map(|part| {
                let at = 4 * part;
                // The rotation of a body is a quaternion; elsewhere w is a different quantity.
                match (name, part) {
                    ("bodies", 1) => vec![vec![at, at + 1, at + 2, at + 3]],
                    _ => vec![vec![at, at + 1, at + 2], vec![at + 3]],
                }
            })
            .collect(),
    }
}
