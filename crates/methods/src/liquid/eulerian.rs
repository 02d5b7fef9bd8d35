//! Harlow, Welch 1965; Stam 1999: marker and cell, with semi-Lagrangian advection. Enright, Marschner, Fedkiw 2002: a level set with
//! markers as its surface.

use super::*;
use crate::{
    Axis, Method,
    space::{FIELD_GROUPS, NO_TENSION, PARTICLES, TENSION},
};

/// What says where liquid is.
const SURFACES: &[(&str, &str)] = &[
    ("markers", "cells with particles are liquid (Harlow, Welch 1965)"),
    (
        "levelset",
        "a signed distance that the flow carries and markers correct: a smooth surface (Enright, Marschner, Fedkiw 2002)",
    ),
];

/// Key of the table `[liquid]` that chooses it.
pub(super) const SURFACE: &str = "liquid.surface";

/// Layers of faces beyond the liquid that carry the level set, whose band they cover.
pub(super) const LAYERS: u32 = 4;

/// Sweeps after which the level set is a distance within its band of 4 cells, also along diagonals.
const SWEEPS: usize = 6;

/// The field at the start of the next step; in w the sum of 1, 2, 4 for known faces.
const FACE_CARRIED: Row = Row::new("face_carried", "vec4<f32>", CELLS).persistent();

/// Places and radii of the markers that correct it.
const LEVEL_MARKERS: Row = Row::new("level_markers", "vec4<f32>", CELLS.times(SLOTS)).persistent();

/// Most markers of a cell.
const SLOTS: u32 = 16;

/// Arrays of a level set.
pub const LEVEL_ARRAYS: &[Row] = &[
    LEVEL_MARKERS,
    // The other ones of two, of which each pass reads one and writes the other.
    Row::new("level_set_other", "f32", CELLS),
    Row::new("level_markers_other", "vec4<f32>", CELLS.times(SLOTS)),
    // Bits of a cell's markers that have escaped.
    Row::new("level_escaped", "u32", CELLS),
    // As the flow has carried it, where surface tension acts.
    Row::new("level_carried", "f32", CELLS),
];

/// Passes that carry a level set.
pub const LEVEL_PASSES: &[Pass] = &[
    passes::each("grid/all", CELL_BLOCKS),
    passes::each("eulerian/carry", BUSY_CELLS),
    passes::each("eulerian/drift", CELLS.times(SLOTS)),
    passes::each("eulerian/settle", BUSY_CELLS),
    passes::each("eulerian/escape", BUSY_CELLS),
    passes::each("eulerian/correct", BUSY_CELLS),
    passes::each("eulerian/near", BUSY_CELLS),
    passes::each("eulerian/sweep", BUSY_CELLS),
    passes::each("eulerian/bound", BUSY_CELLS),
    passes::each("eulerian/seed", BUSY_CELLS),
];

/// Rate in 1/s at which liquid expands to keep its volume; the volume in cells of a particle, 0 before the first step.
const LEVEL_RATE: Row = Row::new("level_rate", "f32", ONE.times(2)).persistent();

/// The field stays on the grid, and particles only mark where liquid is.
pub const METHOD: Method = Method {
    source: "Harlow, Welch 1965; Stam 1999",
    help: "liquid on a grid, whose velocities stay there and move with themselves: particles only mark where it is",
    keys: &[&[Key::choice("surface", SURFACES, "What says where the liquid of \"eulerian\" is.")]],
    loops: LOOPS,
    arrays: &[&[FACE_GATHERED, FACE_CARRIED, LEVEL_RATE], LEVEL_ARRAYS],
    passes: &[
        &[
            passes::each("liquid/gather", BUSY_CELLS),
            passes::each("eulerian/gather", BUSY_CELLS),
            passes::each("liquid/update", PARTICLES),
            passes::each("eulerian/advect", BUSY_CELLS),
            passes::each("eulerian/measure", BUSY_CELLS),
            passes::single("eulerian/total", ONE),
            passes::each("eulerian/fill", BUSY_CELLS),
            passes::each("eulerian/level", BUSY_CELLS),
            passes::each("eulerian/attract", PARTICLES),
            passes::each("eulerian/mark", CELLS),
            passes::groups("eulerian/surface", passes::FIELD_TILES, FIELD_GROUPS),
        ],
        LEVEL_PASSES,
    ],
    problems: Some(problems),
    mesh: Some(mesh),
    limit: Some(CAPILLARY),
    wets: true,
    warnings: Some(warnings),
    solver: solver(stages),
    ..Method::new("eulerian", Axis::Solver)
};

/// Passes of the mesh of a level set.
fn mesh(scope: &Scope) -> Option<[&'static str; 2]> {
    has_level_set(&scope.chosen).then_some(["eulerian/mark", "eulerian/surface"])
}

/// Whether a level set says where the liquid is.
#[must_use]
pub fn has_level_set(chosen: &Chosen) -> bool {
    chosen.solver().name == METHOD.name && chosen.choice(SURFACE) == "levelset"
}

/// Markers give the cover, and velocities only where the field has none: at the start, and where they are emitted or fall.
fn stages(scope: &Scope) -> Vec<Entry> {
    let by_level_set = has_level_set(&scope.chosen);
    let clear = stage("liquid/clear").with("face", "face_gathered");
    let clear = vec![clear.with("face_other", "face_carried")];
    let gather = stage("liquid/gather").with("face", "face_gathered");
    let gather = vec![gather, stage("eulerian/gather")];
    let has_gas = gas::acts(&scope.chosen);
    let mut last = vec![stage("eulerian/advect")];
    if has_gas {
        let of_gas = gas::of_gas(stage("eulerian/advect")).with("face_carried", "gas_carried");
        last.extend([of_gas, stage("gas/both")]);
    }
    if by_level_set {
        last.extend(carried(true).into_iter().map(|of| if has_gas { by_both(of) } else { of }));
        last.push(stage("eulerian/attract"));
    }
    super::stages(
        scope,
        Own { clear, gather, last, by_level_set, ..Own::new(&[], "liquid/update") },
    )
}

/// The stage of the level set that acts with gas: both phases carry it.
fn by_both(of: Stage) -> Stage {
    match of.pass.as_str() {
        "eulerian/near" => Stage { pass: "gas/near".to_owned(), ..of },
        "eulerian/carry" | "eulerian/drift" => of.with("face", "gas_other"),
        _ => of,
    }
}

/// Stages that carry the level set with the field in `face` for a step, and make it a distance again, perhaps without the
/// markers that correct it before and after that.
#[must_use]
pub fn carried(with_markers: bool) -> Vec<Stage> {
    let sweeps = |first: Stage, second: Stage| {
        (0..SWEEPS / 2).flat_map(move |_| [first.clone(), second.clone()])
    };
    let mut list = vec![stage("eulerian/carry")];
    if !with_markers {
        list.push(back("eulerian/near"));
        list.extend(sweeps(stage("eulerian/sweep"), back("eulerian/sweep")));
        return list;
    }
    let moved = |stage: Stage| stage.with("level_markers", "level_markers_other");
    let escape = || moved(stage("eulerian/escape").with("level_set", "level_set_other"));
    let settle = stage("eulerian/settle").with("level_set", "level_set_other");
    list.extend([stage("eulerian/drift"), settle, escape()]);
    let correct = || moved(back("eulerian/correct"));
    let near = || stage("eulerian/near");
    list.extend([correct().when(NO_TENSION), near().when(NO_TENSION)]);
    // Surface tension needs what the flow has carried once more, after the sweeps.
    let carried = |variable: &str, stage: Stage| stage.with(variable, "level_carried");
    let apart = moved(stage("eulerian/correct").with("level_set", "level_set_other"));
    list.push(carried("level_set_other", apart).when(TENSION));
    list.push(carried("level_set", near()).when(TENSION));
    list.extend(sweeps(back("eulerian/sweep"), stage("eulerian/sweep")));
    list.push(carried("level_set", stage("eulerian/bound")).when(TENSION));
    list.extend([escape(), correct(), stage("eulerian/seed")]);
    list
}

/// A stage that reads the other level set and writes the first.
fn back(pass: &str) -> Stage {
    stage(pass).with("level_set", "level_set_other").with("level_set_other", "level_set")
}

/// Warnings of contact angles.
fn warnings(scene: &Scene, chosen: &Chosen) -> Vec<String> {
    let angles = scene.boundaries.iter().map(|boundary| boundary.contact_angle);
    let given = angles.enumerate().filter(|(_, angle)| angle.is_some_and(|angle| angle != 90.0));
    let message = |(number, _)| {
        format!(
            "boundary[{number}].contact_angle has no effect: a level set meets walls at 90°, {SURFACE} = \"markers\" at any angle"
        )
    };
    if has_level_set(chosen) { given.map(message).collect() } else { Vec::new() }
}

/// Problems of a scene with a level set: what adds or removes particles would have to do so with that, too.
fn problems(scene: &Scene, chosen: &Chosen) -> Vec<Problem> {
    let mut problems = Vec::new();
    if scene.worlds > 1 {
        let message = "must be 1: the solver \"eulerian\" has one world only".to_owned();
        problems.push(Problem::new("worlds", message));
    }
    if !has_level_set(chosen) {
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
    refuse(scene.capacity.is_some(), "capacity", "which takes in nothing yet");
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
