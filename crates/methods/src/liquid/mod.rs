//! Liquids on a grid: particles carry the liquid, a grid of cells with velocities on their faces makes it incompressible.
//!
//! A step gathers the particles' velocities at the faces, adds gravity, subtracts the gradient of the pressure that makes
//! the field free of divergence, extrapolates it beyond the liquid, and gives it back to the particles, which move with it
//! (Harlow 1964; Zhu, Bridson 2005). Solids close faces in part, and push by their velocities (Batty et al. 2007).

pub mod apic;
pub mod flip;
pub mod pic;
pub mod polypic;

use meniscus_scene::{Kernel, Problem, Scene};

use crate::{
    Chosen, Corrected, Family, Key, Loop, Pressure, Scope,
    arrays::Row,
    grid,
    lists::{
        bodies::place,
        sort::sort,
        step::{begin, end},
    },
    multigrid,
    passes::{self, Pass},
    space::{BUSY_CELLS, CELL_BLOCKS, CELLS, MOVING, ONE, PARTICLES, WET_CELLS},
    stage::{Entry, Stage, run, stage},
};

/// Keys of the iterations of pressure on cells.
pub(crate) const PRESSURE_KEYS: [Key; 4] = [
    multigrid::KEY,
    Key::number(
        "max_error",
        [Key::POSITIVE, 100.0],
        0.1,
        "Largest error of volume in a step at which the iterations of pressure stop, in percent of a cell.",
    )
    .unit("%"),
    Key::integer("min_iterations", 0, 1, "Least number of iterations of pressure."),
    Key::integer("max_iterations", 1, 1000, "Largest number of iterations of pressure.")
        .at_least("min_iterations"),
];

/// How the volume is kept.
const VOLUMES: &[(&str, &str)] = &[
    ("density", "particles move apart where there are too many (Kugelstadt et al. 2021)"),
    ("none", "not at all: liquid that splashes and sloshes shrinks by a quarter"),
];

/// Integration of the particles' paths.
const TRACES: &[(&str, &str)] = &[
    ("rk2", "the midpoint rule"),
    ("rk1", "Euler's rule: particles drift out of eddies"),
    ("rk3", "Ralston's third order"),
];

/// Keys of the family.
const KEYS: [Key; 8] = grid::join(
    &[
        grid::CELL,
        Key::choice("trace", TRACES, "Integration of the particles' paths along the field."),
        Key::choice("volume", VOLUMES, "How the volume of the liquid is kept."),
        Key::number(
            "max_volume_error",
            [Key::POSITIVE, 100.0],
            1.0,
            "Error at which the iterations of volume = \"density\" stop, in percent of a cell.",
        )
        .unit("%"),
    ],
    &PRESSURE_KEYS,
);

/// Conjugate gradients for the pressure, and for the volume.
const LIQUID_LOOPS: &[Loop] = &[
    LOOPS[0],
    Loop { name: "volume", tolerance: "max_volume_error", shortens_step: false, ..LOOPS[0] },
];

/// Conjugate gradients for the pressure.
pub(crate) const LOOPS: &[Loop] = &[Loop {
    name: "pressure",
    tolerance: "max_error",
    least: "min_iterations",
    most: "max_iterations",
    warm_start: 0.0,
    shortens_step: true,
}];

/// Number of the blocks with liquid, and these in order.
const WET_BLOCKS: Row = Row { name: "wet_blocks", ..grid::BUSY_BLOCKS };

/// Workgroups of passes over their cells.
const WET_DISPATCH: Row = Row { name: "wet_dispatch", ..grid::BUSY_DISPATCH };

/// u, v, w in m/s at the middles of the lower faces of each cell; in w, after the gather and after the projection, the
/// sum of 1, 2, 4 for those that are known.
pub(crate) const FACE: Row = Row::new("face", "vec4<f32>", CELLS);

/// The other one of two such fields, of which each pass reads one and writes the other.
pub(crate) const FACE_OTHER: Row = Row::new("face_other", "vec4<f32>", CELLS);

/// Distance in cells of the nearest wall from each cell's lower corner.
pub(crate) const SOLID_DISTANCE: Row = Row::new("solid_distance", "f32", CELLS);

/// Velocity in m/s of the solid at lower faces that it closes in part, along each one's axis, in w the sum of 1, 2, 4 for
/// closed ones that fluid sticks to; then the open shares of all.
pub(crate) const SOLID_FACE: Row = Row::new("solid_face", "array<vec4<f32>, 2>", CELLS);

/// Share of the hat around the cell's centre that solids leave free, at least 0.02.
pub(crate) const SOLID_SHARE: Row = Row::new("solid_share", "f32", CELLS);

/// Velocity in m/s at the faces that keeps the volume; in w the sum of 1, 2, 4 for those that are known.
const SHIFT: Row = Row::new("shift", "vec4<f32>", CELLS);

/// Cover c: 1 in liquid, ½ on its surface.
pub(crate) const COVER: Row = Row::new("cover", "f32", CELLS);

/// Coefficients of the pressure's equation: of the lower faces, and the diagonal, which is 0 where there is no liquid.
pub(crate) const COEFFICIENT: Row = Row::new("coefficient", "vec4<f32>", CELLS);

/// P = Δt p/ρ0 in m²/s, and the search direction s.
pub(crate) const SOLUTION: Row = Row::new("solution", "vec2<f32>", CELLS);

/// The same of the pressure that keeps the volume.
const VOLUME_SOLUTION: Row = Row { name: "volume_solution", ..SOLUTION };

/// Residual r = b − A P in m²/s, and A s.
pub(crate) const REMAINDER: Row = Row::new("remainder", "vec2<f32>", CELLS);

/// u, the residual over the diagonal.
pub(crate) const U: Row = Row::new("poisson_u", "f32", CELLS);

/// A u.
pub(crate) const W: Row = Row::new("poisson_w", "f32", CELLS);

/// Sums and maxima of workgroups.
pub(crate) const DOTS: Row = Row::new("poisson_dots", "vec4<f32>", CELL_BLOCKS.per(8));

/// α, β, r·u; before the loop the mean of the right-hand side, where that is to be subtracted.
pub(crate) const SCALARS: Row = Row::new("poisson_scalars", "vec4<f32>", ONE);

/// Residual in percent.
pub(crate) const RESIDUAL: Row = Row::new("poisson_residual", "f32", ONE);

/// Arrays of the family.
const ARRAYS: [Row; 28] = grid::join(
    &grid::join::<_, 10>(&grid::ARRAYS, &multigrid::ARRAYS),
    &[
        WET_BLOCKS,
        WET_DISPATCH,
        FACE,
        FACE_OTHER,
        SHIFT,
        SOLID_DISTANCE,
        SOLID_FACE,
        SOLID_SHARE,
        COVER,
        COEFFICIENT,
        // From which the next step starts.
        SOLUTION.persistent(),
        VOLUME_SOLUTION,
        REMAINDER,
        U,
        W,
        DOTS,
        SCALARS,
        RESIDUAL,
    ],
);

/// Passes of the family.
const PASSES: [Pass; 32] = grid::join(
    &grid::join::<_, 10>(&grid::PASSES, &multigrid::PASSES),
    &[
        passes::each("grid/solid", CELLS),
        passes::each("grid/fractions", CELLS),
        passes::each("liquid/clear", BUSY_CELLS),
        passes::each("liquid/cover", BUSY_CELLS),
        passes::each("poisson/system", BUSY_CELLS),
        passes::each("poisson/wet", CELL_BLOCKS.and_one()),
        passes::each("grid/force", BUSY_CELLS),
        passes::each("poisson/divergence", BUSY_CELLS),
        passes::single("poisson/mean", ONE),
        passes::each("poisson/start", BUSY_CELLS),
        passes::each("poisson/warm", BUSY_CELLS),
        passes::each("poisson/apply", BUSY_CELLS),
        passes::single("poisson/total", ONE),
        passes::each("poisson/step", BUSY_CELLS),
        passes::each("grid/project", BUSY_CELLS),
        passes::each("grid/extrapolate", BUSY_CELLS),
        passes::each("grid/constrain", BUSY_CELLS),
        passes::each("grid/limits", BUSY_CELLS),
        passes::each("liquid/excess", BUSY_CELLS),
        passes::each("liquid/shift", BUSY_CELLS),
        passes::each("liquid/move", PARTICLES),
        passes::each("liquid/push", PARTICLES),
    ],
);

/// What a solver of the family says of itself.
const fn pressure(stages: fn(&Scope) -> Vec<Entry>) -> Pressure {
    Pressure {
        family: Family::Liquid,
        // Densities are not corrected.
        corrected: Corrected::Density,
        stages,
        // Of the surface's mesh.
        kernel: Kernel::CubicSpline,
        first_drift: 0.0,
        sound: None,
        step_share: 1.0,
        needs_viscosity: false,
        usual_viscosity: |_| 0.0,
    }
}

/// Pressure that makes the field in the array `face` free of divergence, where all cells are busy.
pub(crate) fn solve(scope: &Scope, face: &str) -> Vec<Entry> {
    let right_side = stage("poisson/divergence").with("face", face);
    iterate(scope, "pressure", [right_side, stage("poisson/start")], |stage| stage)
}

/// Conjugate gradients in the loop of that name, with the stages that make its right-hand side and its start; `over` makes
/// them stages over cells with an equation.
fn iterate(
    scope: &Scope,
    name: &str,
    [right_side, start]: [Stage; 2],
    over: fn(Stage) -> Stage,
) -> Vec<Entry> {
    let first = [right_side, stage("poisson/mean"), start];
    let mut list: Vec<Entry> = first.map(over).map(Entry::from).into();
    let body = multigrid::iteration(scope).into_iter().map(over).collect();
    list.push(Entry::repeat(name, "poisson_residual", body));
    list
}

/// The stage over cells with liquid, if it is one over busy cells.
fn wet(stage: Stage) -> Stage {
    let row = PASSES.iter().find(|row| row.name == stage.pass);
    match row.and_then(|row| row.extent) {
        Some(BUSY_CELLS) => stage.over(WET_CELLS).with("busy_blocks", "wet_blocks"),
        // Sums over all.
        Some(ONE) => stage.with("busy_blocks", "wet_blocks"),
        _ => stage,
    }
}

/// The same for the pressure that keeps the volume, which has a solution of its own.
fn wet_volume(stage: Stage) -> Stage {
    let solves = matches!(stage.pass.as_str(), "poisson/start" | "poisson/step" | "multigrid/step");
    wet(if solves { stage.with("solution", "volume_solution") } else { stage })
}

/// At least so many layers of faces beyond the known ones of an array, which has them in the end; each second one in the
/// other.
fn layers(least: u32, array: &str, other: &str) -> impl Iterator<Item = Stage> {
    let layer = |from: &str, to: &str| match (from, to) {
        ("face", "face_other") => stage("grid/extrapolate"),
        _ => stage("grid/extrapolate").with("face", from).with("face_other", to),
    };
    (0..least.div_ceil(2)).flat_map(move |_| [layer(array, other), layer(other, array)])
}

/// Stages of a step: `gather` makes the field from the particles, `update` gives it back to them. Stages that keep the
/// gathered field come at the beginning, before the forces and after the projection.
fn stages(
    scope: &Scope,
    emit: Option<&str>,
    gather: &[&str],
    [first, before, after]: [Vec<Stage>; 3],
    update: &str,
) -> Vec<Entry> {
    let mut list = begin(scope);
    if let Some(emit) = emit.filter(|_| scope.emitters > 0) {
        list.push(run(emit));
    }
    list.push(run("grid/leave"));
    list.extend(place(scope));
    list.extend(sort(scope));
    let busy = grid::busy();
    list.push(busy[0].clone());
    // Before the new list replaces that of the last step.
    list.push(run("liquid/clear"));
    list.extend(first.into_iter().map(Entry::from));
    list.extend(busy.into_iter().skip(1));
    // What depends on the solids alone stays while they rest.
    list.extend(["grid/solid", "grid/fractions"].map(|pass| run(pass).when(MOVING)));
    list.extend(gather.iter().map(|pass| run(pass)));
    list.push(run("liquid/cover"));
    // Faces beside liquid that no particle reaches move as those around them do, under the same forces.
    list.extend(layers(2, "face", "face_other").map(Entry::from));
    list.extend(before.into_iter().map(Entry::from));
    list.extend(["poisson/system", "poisson/wet"].map(run));
    let list_wet = stage("grid/list").with("busy_blocks", "wet_blocks");
    list.extend(grid::listed(list_wet.with("busy_dispatch", "wet_dispatch")));
    list.extend(multigrid::prepare(scope).into_iter().map(Entry::from));
    let keeps_volume = scope.choice("liquid.volume") == "density";
    if keeps_volume {
        let start = ["liquid/excess", "poisson/start"].map(stage);
        list.extend(iterate(scope, "volume", start, wet_volume));
        list.push(stage("liquid/shift").with("solution", "volume_solution").into());
        list.extend(layers(scope.layers, "shift", "face_other").map(Entry::from));
    }
    list.push(run("grid/force"));
    let start = ["poisson/divergence", "poisson/warm"].map(stage);
    list.extend(iterate(scope, "pressure", start, wet));
    list.push(run("grid/project"));
    list.extend(after.into_iter().map(Entry::from));
    list.extend(layers(scope.layers, "face_other", "face").map(Entry::from));
    list.extend(["grid/constrain", "grid/limits", update, "liquid/move"].map(run));
    if keeps_volume {
        list.push(stage("liquid/push").with("face", "shift").into());
    }
    list.extend(end(scope));
    list
}

/// Problems of a scene of the family, beside those that every grid method has.
fn problems(scene: &Scene, chosen: &Chosen) -> Vec<Problem> {
    let mut problems = grid::problems(scene, chosen, "liquid.cell");
    let solver = chosen.solver().name;
    for (number, material) in scene.materials.iter().enumerate() {
        let mut refuse = |key: &str, message: &str| {
            problems.push(Problem::new(format!("material[{number}].{key}"), message.to_owned()));
        };
        if material.surface_tension != 0.0 {
            refuse(
                "surface_tension",
                "must be left out: liquids on a grid have no surface tension",
            );
        }
        if material.viscosity.unwrap_or(0.0) > 0.0 {
            refuse("viscosity", "must be left out: liquids on a grid have no viscosity yet");
        }
        if material.rest_density != scene.materials[0].rest_density {
            refuse("rest_density", "must be that of the first: liquids on a grid have one density");
        }
        for key in material.point_keys() {
            refuse(key, &format!("must be left out: it is of material points, not of {solver:?}"));
        }
    }
    problems
}
