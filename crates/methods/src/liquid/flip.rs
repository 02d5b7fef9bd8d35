//! Brackbill, Ruppel 1986; Zhu, Bridson 2005: the fluid implicit particle method.

use super::*;
use crate::{Axis, Method, Number, space::PARTICLES};

/// The field as it was gathered, extrapolated as the one after the projection is.
const FACE_BEFORE: Row = Row::new("face_before", "vec4<f32>", CELLS);

/// The particles' own velocities and the change of the field: lively, splashes, somewhat noisy.
pub const METHOD: Method = Method {
    source: "Brackbill, Ruppel 1986; Zhu, Bridson 2005",
    help: "liquid on a grid, fluid implicit particle: lively, splashes",
    keys: &[&[Key::number(
        "blend",
        [0.0, 1.0],
        0.97,
        "β of \"flip\": share of the particles' own velocities; the rest is the field's. 1 is noisy, less is thicker.",
    )]],
    numbers: &[Number::new("blend", "β", |context| context.number("liquid.blend"))],
    loops: LOOPS,
    warnings: Some(warnings),
    arrays: &[&[FACE_GATHERED, FACE_BEFORE]],
    passes: &[&[
        passes::each("liquid/gather", BUSY_CELLS),
        passes::each("flip/extrapolate", BUSY_CELLS),
        passes::each("flip/update", PARTICLES),
    ]],
    limit: Some(CAPILLARY),
    wets: true,
    solver: solver(stages),
    ..Method::new("flip", Axis::Solver)
};

/// The gathered field is kept, and extrapolated from the same faces as the projected one, or their difference would change
/// particles that no pressure has reached.
fn stages(scope: &Scope) -> Vec<Entry> {
    let clear = stage("liquid/clear").with("face", "face_gathered");
    let clear = vec![clear.with("face_other", "face_before")];
    // The second layer once more.
    let again = stage("grid/extrapolate").with("face", "face_other");
    let before = vec![again.with("face_other", "face_before")];
    let own = Own::new(&["liquid/gather"], "flip/update");
    super::stages(scope, Own { clear, before, layer: Some(both), ..own })
}

/// A layer of the projected field, and of the gathered one.
fn both(layer: Stage) -> Stage {
    let (from, to) = match layer.array("face") {
        "face_other" => ("face_before", "face_gathered"),
        _ => ("face_gathered", "face_before"),
    };
    let layer = Stage { pass: "flip/extrapolate".to_owned(), ..layer };
    layer.with("face_before", from).with("face_gathered", to)
}

/// Warnings of a scene.
fn warnings(scene: &Scene, _: &Chosen) -> Vec<String> {
    let fast = scene.time.cfl > 2.0;
    let message = "time.cfl above 2 makes \"flip\" noisy: particles keep velocities of places several cells away";
    fast.then(|| message.to_owned()).into_iter().collect()
}
