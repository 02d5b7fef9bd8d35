//! Liquids on a grid: particles carry the liquid, a grid of cells with velocities on their faces makes it incompressible.
//!
//! A step gathers the particles' velocities at the faces, adds gravity, subtracts the gradient of the pressure that makes
//! the field free of divergence, extrapolates it beyond the liquid, and gives it back to the particles, which move with it
//! (Harlow 1964; Zhu, Bridson 2005). Solids close faces in part, and push by their velocities (Batty et al. 2007).

pub mod apic;
pub mod eulerian;
pub mod flip;
pub mod gas;
pub mod pic;
pub mod polypic;

use eulerian::SURFACE;
pub use eulerian::has_level_set;

use std::f64::consts::PI;

use meniscus_scene::{Problem, Scene};

use crate::{
    Axis, Chosen, Context, Family, Field, Key, Limit, Loop, Matter, Place, Scope, Solver,
    arrays::Row,
    grid::{
        bodies, cells, diffusion,
        faces::{self, layers},
        multigrid,
        poisson::{self, iterate},
        stress,
    },
    key,
    lists::{
        bodies::{fall, place},
        sort::sort_in_box,
        step::{begin, end},
    },
    passes::{self, Pass},
    space::{
        BUSY_CELLS, CELL_BLOCKS, CELLS, ONE, OPENING_POINTS, OPENINGS, PARTICLES, TENSION,
        WET_CELLS, WORLDS,
    },
    stage::{Entry, Stage, run, stage},
};

/// How the volume is kept.
const VOLUMES: &[(&str, &str)] = &[
    (
        "density",
        "particles move apart where there are too many (Kugelstadt et al. 2021); with a level set the liquid as a whole expands \
         (Kim et al. 2007)",
    ),
    ("none", "not at all: liquid that splashes and sloshes shrinks by a quarter"),
];

/// Integration of the particles' paths.
const TRACES: &[(&str, &str)] = &[
    ("rk2", "the midpoint rule"),
    ("rk1", "Euler's rule: particles drift out of eddies"),
    ("rk3", "Ralston's third order"),
];

/// Keys of the family, besides those of the iterations of pressure.
const KEYS: &[Key] = &[
    cells::CELL,
    Key::choice("trace", TRACES, "Integration of the particles' paths along the field."),
    Key::choice("volume", VOLUMES, "How the volume of the liquid is kept."),
    Key::number(
        "max_volume_error",
        [Key::POSITIVE, 100.0],
        1.0,
        "Error at which the iterations of volume = \"density\" stop, in percent of a cell.",
    )
    .unit("%"),
    stress::MAX_ERROR,
];

/// Largest error of the pressure in percent. With a level set steps of capillary waves have less: the error in each is a current on drops at
/// rest, which the noise of particles hides.
fn max_error(context: &Context<'_>) -> f64 {
    let tense = context.matter().iter().any(|matter| matter.surface_tension > 0.0);
    if tense && has_level_set(context.chosen) {
        0.01 * poisson::MAX_ERROR
    } else {
        poisson::MAX_ERROR
    }
}

/// Conjugate gradients for the pressure, for the volume, and for viscosity.
const LOOPS: &[Loop] = &[
    poisson::LOOP,
    Loop { name: "volume", tolerance: "max_volume_error", shortens_step: false, ..poisson::LOOP },
    stress::LOOP,
];

/// The field as particles give it, for solvers that keep it beside `face`.
const FACE_GATHERED: Row = Row::new("face_gathered", "vec4<f32>", CELLS);

/// The projected field, known at the faces of liquid alone.
const FACE_PROJECTED: Row = Row::new("face_projected", "vec4<f32>", CELLS);

/// Signed distance in cells of the surface from each cell's centre, negative in liquid; 0 if there is none yet.
pub const LEVEL_SET: Row = Row::new("level_set", "f32", CELLS).persistent();

/// Curvature in 1/m of the surface, near it, as it acts and as it is; kept for its rate.
const CURVATURE: Row = Row::new("curvature", "vec2<f32>", CELLS).persistent();

/// Arrays of the family, besides those that all grids share.
const ARRAYS: &[Row] = &[
    // Number of the blocks with liquid, and these in order.
    Row { name: "wet_blocks", ..cells::BUSY_BLOCKS },
    // Workgroups of passes over their cells.
    Row { name: "wet_dispatch", ..cells::BUSY_DISPATCH },
    faces::FACE,
    faces::FACE_OTHER,
    FACE_PROJECTED,
    // Velocity in m/s at the faces that keeps the volume; in w the sum of 1, 2, 4 for those that are known.
    Row::new("shift", "vec4<f32>", CELLS),
    LEVEL_SET,
    CURVATURE,
    // Ways to mirror images, and cover as it is around cells in solids, and blurred; stages bind arrays to them that are made later.
    Row::new("mirror", "vec4<f32>", CELLS),
    Row::new("reflected", "f32", CELLS),
    Row::new("blurred", "f32", CELLS),
    // From which the next step starts.
    poisson::SOLUTION.guess(),
    // P of the pressure that keeps the volume, and its search direction.
    Row { name: "volume_solution", ..poisson::SOLUTION },
];

/// Arrays with bodies.
const BODY_ARRAYS: &[Row] = &[
    // What P = 1 in a cell gives to each of up to three bodies beside it, in cells' faces, and the body's number from 1 in w;
    // and the moment of that about its centre; then for each how far beyond the cell's centre the pressure on a wall acts.
    Row::new("levers", "array<vec4<f32>, 9>", CELLS),
    // Number of the blocks with such cells, and these in order.
    Row { name: "body_blocks", ..cells::BUSY_BLOCKS },
    // Workgroups of passes over their cells.
    Row { name: "body_dispatch", ..cells::BUSY_DISPATCH },
    bodies::PARTIAL,
];

/// Passes with bodies.
const BODY_PASSES: &[Pass] = &[
    passes::each("liquid/levers", BUSY_CELLS),
    passes::each("liquid/beside", CELL_BLOCKS.and_one()),
    bodies::sums("liquid/press"),
    bodies::sums("liquid/lean"),
    bodies::sums("liquid/press_residual"),
    passes::each("liquid/yield", BUSY_CELLS),
    bodies::RECEIVE,
];

/// Passes of the family, besides those that all grids share.
const PASSES: &[Pass] = &[
    passes::each("liquid/clear", BUSY_CELLS),
    passes::each("liquid/cover", BUSY_CELLS),
    passes::each("liquid/mirror", BUSY_CELLS),
    passes::each("liquid/reflect", BUSY_CELLS),
    passes::each("liquid/blur", BUSY_CELLS),
    passes::each("liquid/distance", BUSY_CELLS),
    passes::each("liquid/curvature", BUSY_CELLS),
    passes::each("liquid/jump", BUSY_CELLS),
    passes::each("liquid/pull", BUSY_CELLS),
    passes::each("poisson/system", BUSY_CELLS),
    passes::each("poisson/wet", CELL_BLOCKS.and_one()),
    passes::each("grid/force", BUSY_CELLS),
    passes::each("grid/limits", BUSY_CELLS),
    passes::each("liquid/beyond", BUSY_CELLS),
    passes::each("liquid/excess", BUSY_CELLS),
    passes::each("liquid/pour", BUSY_CELLS),
    passes::each("opening/faces", BUSY_CELLS),
    passes::groups("opening/level", 1, OPENINGS),
    passes::each("opening/press", BUSY_CELLS),
    passes::each("opening/push", BUSY_CELLS),
    passes::each("opening/measure", OPENING_POINTS),
    passes::each("liquid/shift", BUSY_CELLS),
    passes::each("liquid/move", PARTICLES),
    passes::each("liquid/push", PARTICLES),
];

/// Liquids whose pressure is solved on the faces and centres of a box of cells of the edge `liquid.cell`.
pub const FAMILY: Family = Family {
    title: "Water by particles and a grid (FLIP, APIC, level set)",
    keys: &[
        KEYS,
        &poisson::keys(key::Default::By(
            max_error,
            "0.1, with surface tension of a level set 0.001",
        )),
    ],
    arrays: &[
        cells::ARRAYS,
        multigrid::ARRAYS,
        faces::SOLIDS,
        poisson::ARRAYS,
        diffusion::ARRAYS,
        stress::LINKS,
        ARRAYS,
        BODY_ARRAYS,
    ],
    passes: &[
        cells::PASSES,
        multigrid::PASSES,
        multigrid::CYCLE,
        faces::PASSES,
        poisson::PASSES,
        stress::PASSES,
        PASSES,
        BODY_PASSES,
    ],
    has_bodies: true,
    yields: true,
    leans: true,
    deforms: true,
    joins: &[Axis::Foam, Axis::Gas],
    viscous: true,
    tense: true,
    long_steps: true,
    opens: true,
    repeats: true,
    one_state: true,
    fields: &[Field { name: "cover", array: ("cover", 1, 0), of_fire: false }],
    problems,
    warnings: |scene, chosen| {
        let mut all =
            cells::warnings(scene, chosen, "liquid leaks through it or is blocked beside it");
        all.extend(cells::drops(scene, chosen));
        all
    },
    ..Family::new("liquid", |context| context.number("liquid.cell"))
};

/// Limit of the time step by the shortest capillary waves (Brackbill, Kothe, Zemach 1992).
const CAPILLARY: Limit = Limit { name: "tension (√(ρΔx³/(4πσ)))", step: longest_step };

/// Longest step in s, √(ρΔx³/(4πσ)).
fn longest_step(edge: f64, matter: &[Matter]) -> f64 {
    let tension = matter.iter().map(|m| m.surface_tension / m.rest_density).fold(0.0, f64::max);
    (edge.powi(3) / (4.0 * PI * tension)).sqrt()
}

/// What a solver of the family says of itself.
const fn solver(stages: fn(&Scope) -> Vec<Entry>) -> Option<Solver> {
    Some(Solver { family: &FAMILY, stages, step_share: 1.0, sph: None })
}

/// The stage over cells with liquid, if it is one over busy cells.
fn wet(stage: Stage) -> Stage {
    let row = FAMILY.passes.iter().copied().flatten().find(|row| row.name == stage.pass);
    match row.and_then(|row| row.extent) {
        Some(BUSY_CELLS) => stage.over(WET_CELLS).with("busy_blocks", "wet_blocks"),
        // Sums over all of a world.
        Some(WORLDS) => stage.with("busy_blocks", "wet_blocks"),
        _ => stage,
    }
}

/// The stage over cells with liquid for the pressure that keeps the volume, which has a solution of its own.
fn wet_volume(stage: Stage) -> Stage {
    wet(poisson::solved(stage, "volume_solution"))
}

/// Stages of a step that a solver has of its own.
#[derive(Default)]
struct Own {
    /// Stages that clear its fields, before the new list of busy blocks replaces that of the last step.
    clear: Vec<Stage>,
    /// Stages that make the field, and the cover.
    gather: Vec<Stage>,
    /// Stages before the forces.
    before: Vec<Stage>,
    /// What a layer of the projected field is instead, where it is one of more fields.
    layer: Option<fn(Stage) -> Stage>,
    /// Pass that gives the field to the particles.
    update: &'static str,
    /// Stages after the particles' motion.
    last: Vec<Stage>,
    /// Whether a level set says where liquid is, in all cells.
    by_level_set: bool,
}

impl Own {
    /// Stages of a solver whose particles carry the field: passes that gather it, and the one that gives it back.
    fn new(gather: &[&str], update: &'static str) -> Self {
        let gather = gather.iter().map(|pass| stage(pass)).collect();
        Self { gather, update, ..Self::default() }
    }
}

/// Stages of a step.
fn stages(scope: &Scope, own: Own) -> Vec<Entry> {
    let keeps_volume = scope.choice("liquid.volume") == "density";
    let has_gas = gas::acts(&scope.chosen);
    let entries = |stages: Vec<Stage>| stages.into_iter().map(Entry::from);
    let mut list = begin(scope);
    list.extend(place(scope));
    list.extend(sort_in_box(scope));
    list.extend(scope.joined(Place::Sorted));
    if own.by_level_set {
        list.push(cells::all());
    } else {
        let busy = cells::busy();
        list.push(busy[0].clone());
        list.push(run("liquid/clear"));
        list.extend(entries(own.clear));
        list.extend(busy.into_iter().skip(1));
    }
    // Walls whose forces are measured are like bodies that nothing moves.
    let moves = scope.driven < scope.colliders;
    if moves {
        // The equation of pressure has the velocities that bodies would have without it.
        list.extend(fall());
    }
    list.extend(faces::solids());
    list.extend(entries(own.gather));
    list.push(run("liquid/cover"));
    if own.by_level_set {
        list.push(run("eulerian/level"));
        if keeps_volume {
            list.extend(["eulerian/measure", "eulerian/total"].map(run));
        }
    } else {
        list.extend(distances(scope).into_iter().map(|stage| Entry::from(stage.when(TENSION))));
    }
    list.push(run("liquid/curvature").when(TENSION));
    let opens = scope.openings > 0;
    if opens {
        list.extend(["opening/level", "opening/faces"].map(run));
    }
    if has_gas {
        list.push(run("gas/blend"));
    } else {
        // Faces beside liquid that no particle reaches move as those around them do, under the same forces.
        list.extend(layers(2, "face", "face_other").map(Entry::from));
    }
    list.extend(entries(own.before));
    if has_gas {
        list.extend(["gas/faces", "gas/system"].map(run));
    } else {
        list.push(run("poisson/system"));
    }
    list.push(run("grid/force"));
    if opens {
        list.push(run("opening/press"));
    }
    if scope.chosen.is_viscous() {
        // Its iterations are over all busy cells: before the list of wet ones.
        list.extend(if has_gas { gas::viscosity() } else { stress::viscosity() });
    }
    if scope.bodies {
        // Before the list of wet cells, which says how many workgroups the iterations have.
        list.extend(["liquid/levers", "liquid/beside"].map(run));
        let list_beside = stage("grid/list").with("busy_blocks", "body_blocks");
        list.extend(cells::listed(list_beside.with("busy_dispatch", "body_dispatch")));
    }
    list.push(run("poisson/wet"));
    let list_wet = stage("grid/list").with("busy_blocks", "wet_blocks");
    list.extend(cells::listed(list_wet.with("busy_dispatch", "wet_dispatch")));
    list.extend(multigrid::prepare(scope).into_iter().map(Entry::from));
    // A level set keeps it in the equation of pressure.
    let moves_apart = keeps_volume && !own.by_level_set;
    if moves_apart {
        let first = ["liquid/excess", "poisson/mean"].map(stage).into();
        list.extend(iterate(scope, "volume", first, stage("poisson/start"), &[], wet_volume));
        list.push(stage("liquid/shift").with("solution", "volume_solution").into());
        list.extend(layers(scope.layers, "shift", "face_other").map(Entry::from));
    }
    let mut first = vec![stage("poisson/divergence")];
    if scope.emitters > 0 {
        first.push(stage("liquid/pour"));
    }
    if opens {
        first.push(stage("opening/push"));
    }
    if keeps_volume && own.by_level_set {
        first.push(stage("eulerian/fill"));
    }
    let jump = if has_gas { "gas/jump" } else { "liquid/jump" };
    first.extend([stage(jump).when(TENSION), stage("poisson/mean")]);
    let press = |pass: &str| stage(pass).with("busy_blocks", "body_blocks");
    let mut more = Vec::new();
    if moves {
        first.extend([press("liquid/press"), stage("liquid/yield")]);
        more = vec![press("liquid/press_residual"), stage("liquid/yield")];
    }
    let warm = stage("poisson/warm").level(u32::from(moves));
    list.extend(iterate(scope, "pressure", first, warm, &more, wet));
    if scope.bodies {
        // All of it is by pressure.
        let receive = stage("body/receive").with("body_force", "body_pressure");
        if moves {
            // Of free bodies; lean is of the others.
            list.push(press("liquid/press").into());
        }
        list.extend([press("liquid/lean"), receive].map(Entry::from));
    }
    if moves {
        // With the velocities that the pressure gave to the bodies.
        list.push(run("grid/fractions"));
    }
    if has_gas {
        list.extend(gas::project());
    } else if own.by_level_set {
        // What carries a level set is the same along its normals.
        list.extend([run("grid/project"), run("liquid/pull").when(TENSION)]);
    } else {
        let projected = |pass: &str| stage(pass).with("face_other", "face_projected");
        list.push(projected("grid/project").into());
        list.push(projected("liquid/pull").when(TENSION).into());
        list.push(run("liquid/beyond"));
    }
    let around = if own.by_level_set { scope.layers.max(eulerian::LAYERS) } else { scope.layers };
    let own_layer = own.layer.unwrap_or(|layer| layer);
    list.extend(layers(around, "face_other", "face").map(own_layer).map(Entry::from));
    list.push(run("grid/constrain"));
    if opens {
        list.push(run("opening/measure"));
    }
    list.extend(["grid/limits", own.update, "liquid/move"].map(run));
    if moves_apart {
        list.push(stage("liquid/push").with("face", "shift").into());
    }
    list.extend(entries(own.last));
    list.extend(end(scope));
    list
}

/// Stages that make distances of the surface from what particles cover.
fn distances(scope: &Scope) -> Vec<Stage> {
    // Arrays that are made anew later in the step.
    let mirrored = |pass: &str| stage(pass).with("mirror", "shift");
    let mut list = Vec::new();
    let mut cover = "cover";
    if scope.colliders > 0 {
        cover = "poisson_u";
        list.extend([
            mirrored("liquid/mirror"),
            mirrored("liquid/reflect").with("reflected", cover),
        ]);
    }
    for axis in 0..scope.dimensions {
        let blurred = ["poisson_w", "poisson_u"][axis as usize % 2];
        let blur = stage("liquid/blur").with("cover", cover).with("blurred", blurred);
        list.push(blur.level(axis));
        cover = blurred;
    }
    list.push(mirrored("liquid/distance").with("blurred", cover));
    list
}

/// Problems of a scene of the family, beside those that every grid method has.
fn problems(scene: &Scene, chosen: &Chosen) -> Vec<Problem> {
    let mut problems = cells::problems(scene, chosen);
    let solver = chosen.solver().name;
    for (number, material) in scene.materials.iter().enumerate() {
        let mut refuse = |key: &str, message: &str| {
            problems.push(Problem::new(format!("material[{number}].{key}"), message.to_owned()));
        };
        let tension = material.surface_tension;
        if tension != scene.materials[0].surface_tension {
            refuse(
                "surface_tension",
                "must be that of the first: liquids on a grid have one surface tension",
            );
        }
        let viscosity = |number: usize| scene.materials[number].viscosity.unwrap_or(0.0);
        if viscosity(number) != viscosity(0) {
            refuse("viscosity", "must be that of the first: liquids on a grid have one viscosity");
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
