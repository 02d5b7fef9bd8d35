//! Harlow, Welch 1965; Stam 1999: marker and cell, with semi-Lagrangian advection. Osher, Sethian 1988: a level set as its surface.

use super::*;
use crate::{Axis, Method, space::PARTICLES};

/// What says where liquid is.
const SURFACES: &[(&str, &str)] = &[
    ("markers", "cells with particles are liquid (Harlow, Welch 1965)"),
    ("levelset", "a signed distance that the flow carries: a smooth surface (Osher, Sethian 1988)"),
];

/// Key of the table `[liquid]` that chooses it.
const SURFACE: &str = "liquid.surface";

/// Layers of faces beyond the liquid that carry the level set, whose band they cover.
pub(super) const LAYERS: u32 = 4;

/// Sweeps after which the level set is a distance within its band of 4 cells, also along diagonals.
const SWEEPS: usize = 6;

/// The field at the start of the next step; in w the sum of 1, 2, 4 for known faces.
const FACE_CARRIED: Row = Row::new("face_carried", "vec4<f32>", CELLS).persistent();

/// Signed distance in cells of the surface from each cell's centre, negative in liquid; 0 if there is none yet.
pub const LEVEL_SET: Row = Row::new("level_set", "f32", CELLS).persistent();

/// The other one of two, of which each pass reads one and writes the other.
const LEVEL_SET_OTHER: Row = Row::new("level_set_other", "f32", CELLS);

/// The field stays on the grid, and particles only mark where liquid is.
pub const METHOD: Method = Method {
    source: "Harlow, Welch 1965; Stam 1999",
    help: "liquid on a grid, whose velocities stay there and move with themselves: particles only mark where it is",
    keys: &[&[Key::choice("surface", SURFACES, "What says where the liquid of \"eulerian\" is.")]],
    loops: LOOPS,
    arrays: &[&[FACE_GATHERED, FACE_CARRIED, LEVEL_SET, LEVEL_SET_OTHER]],
    passes: &[&[
        passes::each("liquid/gather", BUSY_CELLS),
        passes::each("eulerian/gather", BUSY_CELLS),
        passes::each("liquid/update", PARTICLES),
        passes::each("eulerian/advect", BUSY_CELLS),
        passes::each("grid/all", CELL_BLOCKS),
        passes::each("eulerian/level", BUSY_CELLS),
        passes::each("eulerian/carry", BUSY_CELLS),
        passes::each("eulerian/near", BUSY_CELLS),
        passes::each("eulerian/sweep", BUSY_CELLS),
        passes::each("eulerian/attract", PARTICLES),
    ]],
    problems: Some(problems),
    solver: solver(stages),
    ..Method::new("eulerian", Axis::Solver)
};

/// Markers give the cover, and velocities only where the field has none: at the start, and where they are emitted or fall.
fn stages(scope: &Scope) -> Vec<Entry> {
    let by_level_set = scope.choice(SURFACE) == "levelset";
    let clear = stage("liquid/clear").with("face", "face_gathered");
    let clear = vec![clear.with("face_other", "face_carried")];
    let gather = stage("liquid/gather").with("face", "face_gathered");
    let gather = vec![gather, stage("eulerian/gather")];
    let mut last = vec![stage("eulerian/advect")];
    if by_level_set {
        last.extend(carried());
        last.push(stage("eulerian/attract"));
    }
    super::stages(
        scope,
        Own { clear, gather, last, by_level_set, ..Own::new(&[], "liquid/update") },
    )
}

/// Stages that carry the level set with the field in `face` for a step, and make it a distance again.
#[must_use]
pub fn carried() -> Vec<Stage> {
    let mut list = vec![stage("eulerian/carry"), back("eulerian/near")];
    list.extend((0..SWEEPS / 2).flat_map(|_| [stage("eulerian/sweep"), back("eulerian/sweep")]));
    list
}

/// A stage that reads the other level set and writes the first.
fn back(pass: &str) -> Stage {
    stage(pass).with("level_set", "level_set_other").with("level_set_other", "level_set")
}

/// Problems of a scene with a level set: what adds or removes particles would have to do so with that, too.
fn problems(scene: &Scene, chosen: &Chosen) -> Vec<Problem> {
    let mut problems = Vec::new();
    if chosen.choice(SURFACE) != "levelset" {
        return problems;
    }
    let mut refuse = |is_there: bool, key: &str, what: &str| {
        if is_there {
            let message =
                format!("must be left out with {SURFACE} = \"levelset\", {what}: use \"markers\"");
            problems.push(Problem::new(key, message));
        }
    };
    refuse(!scene.emitters.is_empty(), "emitter[0]", "which takes in nothing yet");
    refuse(!scene.drains.is_empty(), "drain[0]", "which gives off nothing yet");
    refuse(!scene.inlets.is_empty(), "inlet[0]", "which takes in nothing yet");
    refuse(!scene.outlets.is_empty(), "outlet[0]", "which gives off nothing yet");
    refuse(!scene.bodies.is_empty(), "body[0]", "which has no rigid bodies yet");
    if scene.time.cfl > 1.0 {
        let message = format!("must be at most 1 with {SURFACE} = \"levelset\"");
        problems.push(Problem::new("time.cfl", message));
    }
    problems
}
