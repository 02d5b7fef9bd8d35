//! Scale of rounding errors of each scalar that a pass writes.
//!
//! The twin runs a few more times with inputs perturbed at random by a relative 1e-6. The change of
//! a result, divided by this, is the sum (with random signs) of the terms in it: the condition of
//! the formula at this element (Higham 2002, §1.6). So an error is measured relative to the numbers
//! that contribute to this element, and only results in which large terms cancel may have the
//! larger errors of those terms.
//!
//! A scalar that equals its input in all these runs is not touched by the pass.

use std::collections::BTreeMap;

use glam::Vec3;
use meniscus_reference::{Values, World, run};

use crate::{
    fixture::Random,
    single::{Data, contents},
};

/// Number of runs with perturbed inputs.
const RUNS: u64 = 3;
/// Relative perturbation of inputs: about 16 units in the last place of f32.
const SHARE: f64 = 1e-6;
/// Largest scale of a normal of the surface.
const MOST_OF_DIRECTION: f64 = 4e3;

/// Scales of the scalars in a float buffer: the allowed error is the tolerance times the scale.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs, reason = "the comparison reads it")]
pub struct Scale {
    /// Whether the pass writes the scalar.
    pub touched: Vec<bool>,
    /// Scale of the scalar; the components of a vector share one.
    pub scale: Vec<f64>,
}

impl Scale {
    /// Number of elements, of `width` scalars each, to which the pass writes.
    #[must_use]
    pub fn elements(&self, width: usize) -> usize {
        self.touched.chunks(width).filter(|element| element.contains(&true)).count()
    }
}

/// Scales of the buffers `names`, which are float buffers that the pass writes; `after` is the
/// result of the twin for `before`.
///
/// # Panics
/// If a buffer has no floats.
#[must_use]
pub fn scales(
    pass: &str,
    world: &World,
    names: &[&str],
    before: &BTreeMap<String, Data>,
    after: &BTreeMap<String, Data>,
) -> BTreeMap<String, Scale> {
    let mut scales = BTreeMap::new();
    for name in names {
        let (old, new) = (floats(before, name), floats(after, name));
        let touched = old.iter().zip(new).map(|(old, new)| differ(*old, *new)).collect();
        let mut scale = new.to_vec();
        share(name, after[*name].width(), &mut scale);
        scales.insert((*name).to_owned(), Scale { touched, scale });
    }
    if names.is_empty() {
        return scales;
    }
    for seed in 0..RUNS {
        let mut other = shaken(pass, world, seed);
        let before = contents(&mut other);
        run(&mut other, pass);
        let changed = contents(&mut other);
        for (name, Scale { touched, scale }) in &mut scales {
            let (old, new) = (floats(&before, name), floats(&changed, name));
            for (touched, (old, new)) in touched.iter_mut().zip(old.iter().zip(new)) {
                *touched |= differ(*old, *new);
            }
            let expected = floats(after, name);
            let mut change: Vec<f64> =
                new.iter().zip(expected).map(|(new, expected)| (new - expected) / SHARE).collect();
            share(name, after[name].width(), &mut change);
            for (scale, change) in scale.iter_mut().zip(change) {
                *scale = scale.max(change);
            }
        }
    }
    // Where the slope is 0 the inputs do not tell the direction, but the formula does.
    if let Some(Scale { scale, .. }) = scales.get_mut("surface_normal") {
        scale.iter_mut().for_each(|scale| *scale = scale.min(MOST_OF_DIRECTION));
    }
    scales
}

fn floats<'a>(data: &'a BTreeMap<String, Data>, name: &str) -> &'a [f64] {
    match &data[name] {
        Data::Floats(_, data) => data,
        Data::Words(..) => panic!("{name} has no floats"),
    }
}

/// Whether two numbers differ; NaN equals NaN.
fn differ(a: f64, b: f64) -> bool {
    a != b && !(a.is_nan() && b.is_nan())
}

/// The world with each float perturbed.
fn shaken(pass: &str, world: &World, seed: u64) -> World {
    let mut world = world.clone();
    let mut random = Random::new(seed);
    let mut factor = || if random.bits().is_multiple_of(2) { 1.0 + SHARE } else { 1.0 - SHARE };
    // The w lane of an emitter's point is the emitter's number.
    for name in World::BUFFERS.iter().filter(|name| **name != "emitter_points") {
        if let Some(Values::Floats { data, .. }) = world.buffer(name) {
            data.iter_mut().for_each(|value| *value *= factor());
        }
    }
    for time in [&mut world.control.dt, &mut world.control.time_in_frame] {
        *time = (f64::from(*time) * factor()) as f32;
    }
    let mut shift = |place: Vec3| place.to_array().map(|x| (f64::from(x) * factor()) as f32).into();
    for triangle in &mut world.field_triangles {
        triangle.corners = triangle.corners.map(&mut shift);
    }
    world.distance_field.half_extents = shift(world.distance_field.half_extents);
    if pass.starts_with("surface/") {
        // Nodes are positions, too.
        world.params.grid.origin = shift(world.params.grid.origin);
    }
    world
}

/// Replaces each scalar by the length of the vector that it is part of.
fn share(name: &str, width: usize, data: &mut [f64]) {
    for element in data.chunks_mut(width) {
        for lanes in vectors(name, width) {
            let square = |lane: &usize| element[*lane] * element[*lane];
            let length = lanes.iter().map(square).filter(|x| !x.is_nan()).sum::<f64>().sqrt();
            for lane in lanes {
                element[lane] = length;
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
