//! Stam 1999: smoke in air, by fields on a grid, without particles.
//!
//! A step keeps up the sources, adds buoyancy, lets the velocity and the smoke follow the flow backwards
//! (semi-Lagrangian advection, stable at any step), and subtracts the gradient of the pressure that makes the field
//! free of divergence, so that frames show such fields.

use meniscus_scene::{Problem, Scene, Settings, Value};

use crate::{
    Axis, Chosen, Context, Family, Field, Key, Loop, Method, Number, Quantity, Scope, Solver,
    arrays::{Lane, Row},
    grid::{cells, diffusion, faces, multigrid, poisson},
    key,
    lists::step::step_length,
    passes::{self, DIAGNOSTICS_BLOCKS, Pass},
    quantity::{ColorMap, up_to},
    space::{BUSY_CELLS, CELL_BLOCKS, CELLS, MOVING, ONE, SOURCES, VORTICES},
    stage::{Entry, run, stage},
};

/// u, v, w in m/s at the middles of the lower faces of each cell; in w the sum of 1, 2, 4 for those that are known, and at the end of
/// a step 1 in cells of air.
const FACE: Row =
    faces::FACE.persistent().lanes(&[Lane { lanes: "xyz", quantity: "velocity", unit: "m/s" }]);

/// A field that is carried along another: with `splitting = "reflect"` the one on the other side of the projection.
const FACE_KEPT: Row = Row::new("face_kept", "vec4<f32>", CELLS);

/// The velocities that were carried, before their correction.
const FACE_CARRIED: Row = Row::new("face_carried", "vec4<f32>", CELLS);

/// Density of the smoke, 1 where it is dense; temperature above that of the surroundings; fuel; fuel that burns in 1/s.
const SMOKE: Row = Row::new("smoke", "vec4<f32>", CELLS).persistent().lanes(&[
    Lane { lanes: "x", quantity: "smoke", unit: "" },
    Lane { lanes: "y", quantity: "temperature", unit: "K" },
    Lane { lanes: "z", quantity: "fuel", unit: "" },
    Lane { lanes: "w", quantity: "burning", unit: "1/s" },
]);

/// Density and temperature after the sources, before they follow the flow.
const SMOKE_OTHER: Row = Row::new("smoke_other", "vec4<f32>", CELLS);

/// Density and temperature in the middle of a step, with `splitting = "reflect"`.
const SMOKE_KEPT: Row = Row::new("smoke_kept", "vec4<f32>", CELLS);

/// The smoke that was carried, before its correction.
const SMOKE_CARRIED: Row = Row::new("smoke_carried", "vec4<f32>", CELLS);

/// Pressure of a step's first half, with `splitting = "reflect"`; the second half has one of its own, near 0.
const SOLUTION_KEPT: Row = Row { name: "solution_kept", ..poisson::SOLUTION.persistent() };

/// ω in 1/s, and its length.
const VORTICITY: Row = Row::new("vorticity", "vec4<f32>", CELLS).lanes(&[
    Lane { lanes: "xyz", quantity: "vorticity", unit: "1/s" },
    Lane { lanes: "w", quantity: "vorticity", unit: "1/s" },
]);

/// Acceleration in m/s² by vorticity confinement; 0.
const CONFINEMENT: Row = Row::new("confinement", "vec4<f32>", CELLS);

/// Of each source: velocity in m/s, 1 if it is set; density, temperature in K, fuel; start and end in s, phase of its sway in
/// rad; velocity of its motion in m/s; amplitude of its sway in m, and angular frequency in rad/s.
const SOURCE_VALUES: Row = Row::new("source_values", "array<vec4<f32>, 5>", SOURCES);

/// Of each vortex: centre, radius of the circle in m; axis, core in m; circulation in m²/s.
const VORTEX_VALUES: Row = Row::new("vortices", "array<vec4<f32>, 3>", VORTICES);

/// Density of the smoke.
pub(crate) const SMOKE_DENSITY: Quantity =
    Quantity::new("smoke", SMOKE, "x", "density of the smoke, 1 where it is dense");

/// Temperature above that of the surroundings.
const TEMPERATURE: Quantity =
    Quantity::new("temperature", SMOKE, "y", "temperature above that of the surroundings")
        .range(|scene| match scene.temperatures {
            [0.0, 0.0] => [0.0, 60.0],
            temperatures => temperatures,
        })
        .map(ColorMap::Turbo);

/// What colours a scene: its smoke, or between walls that heat it, where there is none, its temperature.
fn usual_quantity(scene: &Scene) -> Quantity {
    let heated = scene.boundaries.iter().any(|wall| wall.temperature.is_some());
    if heated && scene.sources.iter().all(|source| source.density == 0.0) {
        return TEMPERATURE;
    }
    SMOKE_DENSITY
}

/// Quantities of cells.
const QUANTITIES: &[Quantity] = &[
    SMOKE_DENSITY,
    TEMPERATURE,
    Quantity::new("fuel", SMOKE, "z", "fuel that has not burnt").map(ColorMap::Turbo),
    Quantity::new("burning", SMOKE, "w", "fuel that burns in a second")
        .range(|_| [0.0, 5.0])
        .map(ColorMap::Turbo),
    Quantity::new("speed", FACE, "xyz", "|u| by the lower faces of each cell")
        .range(|scene| up_to(0.6 * scene.speed))
        .map(ColorMap::Ocean),
    Quantity::new("vorticity", VORTICITY, "w", "|∇ × u| at the last step's start")
        .range(|scene| up_to(0.2 * scene.speed / scene.support_radius))
        .map(ColorMap::Turbo),
];

/// Density of air in kg/m³ at 20 °C and 1013 hPa.
const AIR: f64 = 1.204;

/// Number of cells along the longest side of the domain.
const USUAL_CELLS: f64 = 64.0;

/// Longest side of the scene's domain in m.
fn longest_side(scene: &Scene) -> f64 {
    let Some(domain) = &scene.domain else { return 1.0 };
    let sides =
        (0..scene.dimensions.min(3) as usize).map(|axis| domain.max[axis] - domain.min[axis]);
    sides.fold(0.0, f64::max)
}

/// Names in scenes, each with its meaning.
type Choices = &'static [(&'static str, &'static str)];

const TRACES: Choices = &[
    ("rk3", "Ralston's third order"),
    ("rk2", "the midpoint rule"),
    ("rk1", "Euler's rule, as in Stam's paper"),
];

const INTERPOLATIONS: Choices = &[
    ("cubic", "Catmull and Rom's splines, limited to the values around"),
    ("linear", "linear, as in Stam's paper: smears details"),
];

const CORRECTIONS: Choices = &[
    ("none", "as it was carried"),
    (
        "maccormack",
        "carried on and back, which shows the error: sharper, at twice the cost (Selle et al. 2008)",
    ),
];

const SPLITTINGS: Choices = &[
    ("project", "once in a step, as in Stam's paper: slows eddies down"),
    (
        "reflect",
        "advection and projection twice, in between to the other side: keeps eddies (Zehnder et al. 2018)",
    ),
];

const DENSITIES: Choices = &[
    ("constant", "heat gives it weight alone (Boussinesq): for up to some tens of K"),
    (
        "variable",
        "ρ0/(1 + β T) in the equation of pressure, too: hot gas of fires is light, and is pushed aside",
    ),
];

/// Place among `choices` of the one that the scene chose.
fn place_of(context: &Context<'_>, key: &str, choices: Choices) -> f64 {
    let value = context.scene.settings.get(key);
    let found = choices.iter().position(|(choice, _)| value == Some(&Value::from(*choice)));
    found.unwrap_or(0) as f64
}

/// Share of a step that its parts last.
fn step_share(context: &Context<'_>) -> f64 {
    if place_of(context, "smoke.splitting", SPLITTINGS) == 1.0 { 0.5 } else { 1.0 }
}

/// Longest step in s of explicit diffusion, Δx²/(2dκ).
fn longest_explicit(edge: f64, dimensions: u32, diffusivity: f64) -> f64 {
    edge * edge / (2.0 * f64::from(dimensions) * diffusivity)
}

/// Keys of diffusion: of velocities, and of what is in cells.
const DIFFUSIVITIES: [&str; 3] =
    ["smoke.viscosity", "smoke.thermal_diffusivity", "smoke.diffusivity"];

/// Keys besides those of the iterations of pressure.
const KEYS: &[Key] = &[
        Key::derived(
            "cell",
            "m",
            |context| longest_side(context.scene) / USUAL_CELLS,
            "1/64 of the domain's longest side",
            "Edge Δx of the cells.",
        ),
        Key::number(
            "buoyancy",
            [0.0, 1.0],
            1.0 / 293.0,
            "β of hot air, whose weight falls by β T; 1/293 is that of a gas at 20 °C.",
        )
        .unit("1/K"),
        Key::number("weight", [0.0, 100.0], 0.1, "α of dense smoke, by which its weight grows."),
        Key::number(
            "cooling",
            [0.0, 1e6],
            0.0,
            "Rate at which the temperature decays.",
        )
        .unit("1/s"),
        Key::number("fading", [0.0, 1e6], 0.0, "Rate at which the smoke decays.").unit("1/s"),
        Key::number(
            "confinement",
            [0.0, 100.0],
            0.0,
            "ε of vorticity confinement, which turns eddies that the grid would damp (Fedkiw, Stam, Jensen 2001).",
        )
        .unit("1/s"),
        Key::number(
            "ignition",
            [0.0, 1e4],
            100.0,
            "Temperature above that of the surroundings at which fuel burns.",
        )
        .unit("K"),
        Key::number("burn_time", [Key::POSITIVE, 1e4], 0.3, "Time in which a fuel of 1 burns.").unit("s"),
        Key::number(
            "flame_temperature",
            [1.0, 1e4],
            1500.0,
            "Temperature above that of the surroundings to which burning a fuel of 1 heats, and the largest.",
        )
        .unit("K"),
        Key::number("soot", [0.0, 100.0], 0.5, "Smoke that a fuel of 1 leaves."),
        Key::number(
            "expansion",
            [0.0, 100.0],
            1.0,
            "Volume that a fuel of 1 adds by burning, in that of its cells.",
        ),
        Key::number(
            "radiation",
            [0.0, 1e6],
            3000.0,
            "Rate at which flames cool by their light, times (T/flame_temperature)⁴.",
        )
        .unit("K/s"),
        Key::choice(
            "trace",
            TRACES,
            "Integration of the paths along which fields are carried.",
        ),
        Key::choice(
            "interpolation",
            INTERPOLATIONS,
            "Interpolation where these paths begin.",
        ),
        Key::choice(
            "correct",
            CORRECTIONS,
            "Correction of what is carried.",
        ),
        Key::choice(
            "splitting",
            SPLITTINGS,
            "How a step alternates between the flow along itself and its projection.",
        ),
        Key::choice("density", DENSITIES, "How the air's density depends on its temperature."),
        Key::number("viscosity", [0.0, 1e6], 0.0, "ν of the air; it clings to sticky walls.")
            .unit("m²/s"),
        Key::number("thermal_diffusivity", [0.0, 1e6], 0.0, "κ by which temperatures even out.")
            .unit("m²/s"),
        Key::number("diffusivity", [0.0, 1e6], 0.0, "κ by which the smoke spreads.").unit("m²/s"),
        Key::choice("diffusion", diffusion::SCHEMES, "How velocities, heat and smoke diffuse."),
        diffusion::MAX_ERROR,
];

/// Conjugate gradients: for the pressure, velocities, and what is in cells.
const LOOPS: &[Loop] =
    &[poisson::LOOP, diffusion::repeats("viscosity"), diffusion::repeats("diffusion")];

/// Passes of its own.
const PASSES: &[Pass] = &[
    passes::each("grid/all", CELL_BLOCKS),
    passes::each("smoke/vortex", CELLS),
    passes::each("smoke/source", CELLS),
    passes::each("smoke/expand", BUSY_CELLS),
    passes::each("smoke/walls", CELLS),
    passes::each("smoke/vorticity", CELLS),
    passes::each("smoke/confine", CELLS),
    passes::each("smoke/force", CELLS),
    passes::each("smoke/advect_velocity", CELLS),
    passes::each("smoke/advect", CELLS),
    passes::each("smoke/correct_velocity", CELLS),
    passes::each("smoke/correct", CELLS),
    passes::each("smoke/system", CELLS),
    passes::each("smoke/lighten", CELLS),
    passes::each("smoke/reflect", CELLS),
    passes::each("smoke/limits", CELLS),
    passes::groups("smoke/partial", 1, ONE.times(DIAGNOSTICS_BLOCKS)),
];

/// Arrays of its own.
const ARRAYS: &[Row] = &[
    cells::BUSY_BLOCKS,
    cells::BUSY_DISPATCH,
    FACE,
    faces::FACE_OTHER,
    FACE_KEPT,
    FACE_CARRIED,
    SMOKE,
    SMOKE_OTHER,
    SMOKE_KEPT,
    SMOKE_CARRIED,
    VORTICITY,
    CONFINEMENT,
    SOURCE_VALUES,
    VORTEX_VALUES,
    poisson::SOLUTION.persistent(),
    SOLUTION_KEPT,
];

/// Gases without particles: fields on the faces and centres of a box of cells of the edge `smoke.cell`.
pub const FAMILY: Family = Family {
    title: "Smoke and fire on a grid",
    keys: &[KEYS, &poisson::keys(key::Default::Is(poisson::MAX_ERROR))],
    passes: &[
        faces::PASSES,
        poisson::PASSES,
        multigrid::PASSES,
        multigrid::CYCLE,
        diffusion::PASSES,
        PASSES,
    ],
    arrays: &[
        faces::SOLIDS,
        poisson::ARRAYS,
        multigrid::ARRAYS,
        diffusion::ARRAYS,
        diffusion::LINKS,
        ARRAYS,
    ],
    has_particles: false,
    deforms: true,
    quantities: &[],
    usual_quantity: Some(usual_quantity),
    fields: &[
        Field { name: "density", array: ("smoke", 4, 0), of_fire: false },
        Field { name: "temperature", array: ("smoke", 4, 1), of_fire: false },
        Field { name: "fuel", array: ("smoke", 4, 2), of_fire: true },
        Field { name: "flame", array: ("smoke", 4, 3), of_fire: true },
    ],
    density: Some(AIR),
    step_shares: [1.0, f64::INFINITY],
    diagnostics: "smoke/partial",
    problems,
    warnings: |scene, chosen| {
        cells::warnings(scene, chosen, "smoke and air leak through it or are blocked beside it")
    },
    ..Family::new("smoke", |context| context.number("smoke.cell"))
};

/// Semi-Lagrangian advection and projection.
pub const METHOD: Method = Method {
    source: "Stam 1999",
    help: "smoke and hot air on a grid, without particles: stable fluids",
    numbers: &[
        Number::new("buoyancy", "β in 1/K", |c| c.number("smoke.buoyancy")),
        Number::new("weight", "α", |c| c.number("smoke.weight")),
        Number::new("cooling", "1/τ_T in 1/s", |c| c.number("smoke.cooling")),
        Number::new("fading", "1/τ_s in 1/s", |c| c.number("smoke.fading")),
        Number::new("confinement", "ε in 1/s", |c| c.number("smoke.confinement")),
        Number::new("burning", "1/t_burn in 1/s; 0 without fuel", |c| match c.chosen.burns() {
            true => 1.0 / c.number("smoke.burn_time"),
            false => 0.0,
        }),
        Number::new("ignition", "Temperature in K at which fuel burns", |c| {
            c.number("smoke.ignition")
        }),
        Number::new("flame", "Temperature of flames in K", |c| c.number("smoke.flame_temperature")),
        Number::new("soot", "Smoke of a fuel of 1", |c| c.number("smoke.soot")),
        Number::new("expansion", "Volume of a fuel of 1", |c| c.number("smoke.expansion")),
        Number::new("radiation", "Cooling of flames by their light in K/s", |c| {
            c.number("smoke.radiation")
        }),
        Number::new("share", "Share of a step that its parts last", step_share),
        Number::new("viscosity", "ν in m²/s", |c| c.number("smoke.viscosity")),
        Number::new("thermal_diffusivity", "κ of heat in m²/s", |c| {
            c.number("smoke.thermal_diffusivity")
        }),
        Number::new("diffusivity", "κ of smoke in m²/s", |c| c.number("smoke.diffusivity")),
        Number::new("spread", "Velocity in m/s that limits Δt as explicit diffusion does", |c| {
            if c.choice("smoke.diffusion") != "explicit" {
                return 0.0;
            }
            let largest = DIFFUSIVITIES.map(|key| c.number(key)).into_iter().fold(0.0, f64::max);
            let edge = c.number("smoke.cell");
            let longest = longest_explicit(edge, c.scene.dimensions, step_share(c) * largest);
            c.scene.time.cfl * edge / longest
        }),
        Number::whole("variable", "1 if the density depends on the temperature", |c| {
            place_of(c, "smoke.density", DENSITIES)
        }),
        Number::whole("linear", "1 if interpolation is linear", |c| {
            place_of(c, "smoke.interpolation", INTERPOLATIONS)
        }),
    ],
    loops: LOOPS,
    quantities: QUANTITIES,
    solver: Some(Solver { family: &FAMILY, stages, step_share: 1.0, sph: None }),
    ..Method::new("stable_fluids", Axis::Solver)
};

/// Stages of a step.
fn stages(scope: &Scope) -> Vec<Entry> {
    let mut list = vec![step_length(scope)];
    // What depends on the solids alone stays while they rest.
    list.push(run("grid/all").when(MOVING));
    list.extend(faces::solids());
    list.push(run("smoke/system").when(MOVING));
    let levels = multigrid::prepare(scope).into_iter().map(|stage| stage.when(MOVING));
    list.extend(levels.map(Entry::from));
    list.extend(["smoke/vortex", "smoke/source"].map(run));
    match scope.choice("smoke.splitting") == "reflect" {
        false => {
            let smoke = ["smoke_other", "smoke"];
            list.extend(part(scope, ["face", "face_other"], smoke, "solution"));
        }
        true => {
            let smoke = [["smoke_other", "smoke_kept"], ["smoke_kept", "smoke"]];
            list.extend(part(scope, ["face", "face_kept"], smoke[0], "solution_kept"));
            list.push(run("smoke/reflect"));
            list.extend(part(scope, ["face_kept", "face_other"], smoke[1], "solution"));
        }
    }
    list.push(run("smoke/limits"));
    if scope.colliders > 0 {
        list.push(run("body/end"));
    }
    list.push(run("time/end_step"));
    list
}

/// The field `carried` follows the flow of `face` into the array `moved`, as the smoke does; then forces on it, the diffusion of
/// both, and the projection of that into `face`. Forces come after, so that paths follow a flow without divergence: by one that
/// buoyancy has just pushed, air would come out of floors, without smoke. The pressure is in the array `solution`.
fn part(scope: &Scope, face: [&str; 2], smoke: [&str; 2], solution: &str) -> Vec<Entry> {
    let ([carried, moved], [air, air_moved]) = (face, smoke);
    let mut list = ["smoke/vorticity", "smoke/confine"].map(run).to_vec();
    if scope.colliders > 0 {
        list.push(stage("smoke/walls").with("smoke_other", air).into());
    }
    let velocities = |pass, to| stage(pass).with("face_kept", carried).with("face_other", to);
    let air = |pass, to| stage(pass).with("smoke_other", air).with("smoke", to);
    if scope.choice("smoke.correct") == "maccormack" {
        list.extend([
            velocities("smoke/advect_velocity", "face_carried").into(),
            air("smoke/advect", "smoke_carried").into(),
            velocities("smoke/correct_velocity", moved).into(),
            air("smoke/correct", air_moved).into(),
        ]);
    } else {
        list.push(velocities("smoke/advect_velocity", moved).into());
        list.push(air("smoke/advect", air_moved).into());
    }
    list.push(stage("smoke/force").with("face", moved).with("smoke_other", air_moved).into());
    let is_explicit = scope.choice("smoke.diffusion") == "explicit";
    let [viscous, heat, smoke] =
        DIFFUSIVITIES.map(|key| number(scope.chosen.settings(), key) > 0.0);
    if viscous {
        list.extend(diffusion::diffuse("diffusion/faces", moved, "viscosity", is_explicit));
    }
    if heat || smoke {
        list.extend(diffusion::diffuse("diffusion/cells", air_moved, "diffusion", is_explicit));
    }
    let is_variable = scope.choice("smoke.density") == "variable";
    if is_variable {
        list.push(stage("smoke/system").with("smoke_other", air_moved).into());
        list.extend(multigrid::prepare(scope).into_iter().map(Entry::from));
    }
    let expand = stage("smoke/expand").with("smoke", air_moved);
    let more = scope.chosen.burns().then_some(expand).into_iter().collect();
    list.extend(poisson::solve(scope, moved, solution, more));
    let project = stage("grid/project").with("face", moved).with("face_other", "face");
    list.push(project.with("solution", solution).into());
    if is_variable {
        let lighten = stage("smoke/lighten").with("smoke_other", air_moved);
        list.push(lighten.with("solution", solution).into());
    }
    list.extend(["grid/extrapolate", "grid/constrain"].map(run));
    list
}

/// Value of a number that is 0 where the scene does not set it.
fn number(settings: &Settings, key: &str) -> f64 {
    settings.get(key).and_then(Value::number).unwrap_or(0.0)
}

/// Problems of a scene of smoke.
fn problems(scene: &Scene, chosen: &Chosen) -> Vec<Problem> {
    let mut problems = cells::problems_of_cells(scene, chosen);
    let mut refuse = |key: &str, message: &str| problems.push(Problem::new(key, message));
    if scene.domain.is_none() {
        refuse(
            "domain",
            "must be given: smoke fills it, and leaves through its sides where no solid closes them",
        );
    }
    for number in (0..scene.materials.len()).filter(|k| scene.materials[*k].viscosity.is_some()) {
        let message = "must be left out: the air's is smoke.viscosity, ν in m²/s";
        refuse(&format!("material[{number}].viscosity"), message);
    }
    let is = |key: &str, name: &str| scene.settings.get(key) == Some(&Value::from(name));
    if let Some(step) = scene.time.step.filter(|_| is("smoke.diffusion", "explicit")) {
        let share = if is("smoke.splitting", "reflect") { 0.5 } else { 1.0 };
        let largest = DIFFUSIVITIES.map(|key| number(&scene.settings, key));
        let largest = share * largest.into_iter().fold(0.0, f64::max);
        let longest = longest_explicit(chosen.length(scene), scene.dimensions, largest);
        if step > longest * (1.0 + 1e-6) {
            let message = format!(
                "{step} s is more than the {longest:.3e} s that explicit diffusion allows, Δx²/(2dκ); leave it out for a \
                 step that adapts, or set smoke.diffusion = \"implicit\""
            );
            refuse("time.step", &message);
        }
    }
    if number(&scene.settings, "smoke.thermal_diffusivity") == 0.0 {
        for (number, boundary) in scene.boundaries.iter().enumerate() {
            let message = "needs smoke.thermal_diffusivity, κ in m²/s, by which heat leaves the wall (of air 2.1e-5; eddies that \
                           the cells do not resolve carry more)";
            if boundary.temperature.is_some() {
                refuse(&format!("boundary[{number}].temperature"), message);
            }
            if boundary.heat_flux.is_some() {
                refuse(&format!("boundary[{number}].heat_flux"), message);
            }
        }
    }
    let particles = "must be left out: smoke has no particles; its sources are [[source]]";
    for (key, found) in [
        ("fluid[0]", !scene.fluids.is_empty()),
        ("emitter[0]", !scene.emitters.is_empty()),
        ("drain[0]", !scene.drains.is_empty()),
        ("capacity", scene.capacity.is_some()),
    ] {
        if found {
            refuse(key, particles);
        }
    }
    if let Some(domain) = &scene.domain {
        let edge = chosen.length(scene);
        let cells: f64 = (0..scene.dimensions.min(3) as usize)
            .map(|axis| ((domain.max[axis] - domain.min[axis]) / edge).ceil() + 2.0)
            .product();
        if cells > MOST_CELLS {
            let (millions, most) = (cells / 1e6, MOST_CELLS / 1e6);
            let message = format!(
                "makes {millions:.0} million cells of the domain; at most {most:.0} million fit"
            );
            refuse("smoke.cell", &message);
        }
    }
    problems
}

/// Most cells: of 16 bytes in a binding of 1 GiB.
const MOST_CELLS: f64 = (1u32 << 26) as f64;
