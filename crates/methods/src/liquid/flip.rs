//! Brackbill, Ruppel 1986; Zhu, Bridson 2005: the fluid implicit particle method.

use super::*;
use crate::{Axis, Method, Number, space::PARTICLES};

/// The field as it was gathered, extrapolated as the one after the projection is.
const FACE_BEFORE: Row = Row::new("face_before", "vec4<f32>", CELLS);

/// The field as it was gathered.
const FACE_GATHERED: Row = Row::new("face_gathered", "vec4<f32>", CELLS);

/// A layer of one array into another.
fn layer(from: &str, to: &str) -> Stage {
    stage("grid/extrapolate").with("face", from).with("face_other", to)
}

/// Keys of the family, and the blend.
const FLIP_KEYS: [Key; KEYS.len() + 1] = grid::join(
    &KEYS,
    &[Key::number(
        "blend",
        [0.0, 1.0],
        0.97,
        "β of \"flip\": share of the particles' own velocities; the rest is the field's. 1 is noisy, less is thicker.",
    )],
);

/// The particles' own velocities and the change of the field: lively, splashes, somewhat noisy.
pub const METHOD: Method = Method {
    source: "Brackbill, Ruppel 1986; Zhu, Bridson 2005",
    help: "liquid on a grid, fluid implicit particle: lively, splashes",
    keys: &FLIP_KEYS,
    numbers: &[Number::new("blend", "β", |context| context.number("liquid.blend"))],
    loops: LIQUID_LOOPS,
    problems: Some(problems),
    arrays: &grid::join::<_, { ARRAYS.len() + 2 }>(&ARRAYS, &[FACE_GATHERED, FACE_BEFORE]),
    passes: &grid::join::<_, { PASSES.len() + 3 }>(
        &PASSES,
        &[
            passes::each("liquid/gather", BUSY_CELLS),
            passes::each("flip/keep", BUSY_CELLS),
            passes::each("flip/update", PARTICLES),
        ],
    ),
    pressure: Some(pressure(stages)),
    ..Method::new("flip", Axis::Pressure)
};

/// The gathered field is kept, and extrapolated from the same faces as the projected one.
fn stages(scope: &Scope) -> Vec<Entry> {
    let clear = stage("liquid/clear").with("face", "face_gathered");
    let clear = vec![clear.with("face_other", "face_before")];
    // The second layer once more.
    let before = vec![layer("face_other", "face_gathered")];
    let after = vec![
        stage("flip/keep"),
        layer("face_before", "face_gathered"),
        layer("face_gathered", "face_before"),
    ];
    super::stages(scope, None, &["liquid/gather"], [clear, before, after], "flip/update")
}
