//! Smoothed particle hydrodynamics: one file per pressure solver, and the lists that they share.

mod conjugate;
pub mod dfsph;
pub mod iisph;
pub mod muller;
pub mod pcisph;
pub mod wcsph;

use meniscus_scene::{Kernel, Problem, Scene};

use crate::{
    Axis, Chosen, Context, Corrected, Family, Key, Loop, Place, Quantity, Scope, Solver, Space,
    Sph, Walls,
    arrays::{Lane, Row},
    lists::{
        bodies::{has_free, place, press, react, react_after},
        neighbours::neighbours,
        sort::over_moving,
        step::{begin, end, fields, forces, mouth, reactions},
    },
    mpm::materials::LARGEST_VISCOSITY,
    passes::{self, Pass},
    quantity::up_to,
    space::{BODY_PARTICLES, CLUSTER_GROUPS, FLUID, MEMBERS, ONE, PARTICLES},
    stage::{Entry, Stage, run, stage},
};

/// ρ0 times DFSPH's α, and s − 1, in cell order.
const FACTORS: Row = Row::new("factor", "vec2<f32>", PARTICLES).lanes(&[
    Lane { lanes: "x", quantity: "factor", unit: "kg/m" },
    Lane { lanes: "y", quantity: "compression", unit: "" },
]);

/// κ = p Δt² of the particles, in cell order.
const fn kappa(name: &'static str) -> Row {
    Row::new(name, "f32", PARTICLES).lanes(&[Lane { lanes: "x", quantity: "kappa", unit: "kg/m" }])
}

/// Pressure that a loop found in the last step, from which the next one starts.
const fn warm(name: &'static str) -> Row {
    let lanes = &[Lane { lanes: "x", quantity: "pressure", unit: "Pa" }];
    Row::new(name, "f32", PARTICLES).guess().lanes(lanes)
}

/// Residual of a loop.
const fn residual(name: &'static str) -> Row {
    Row::new(name, "f32", ONE).lanes(&[Lane { lanes: "x", quantity: "error", unit: "%" }])
}

/// Arrays of every method with iterated pressures.
const ITERATED: &[Row] = &[
    FACTORS,
    // Of an iteration.
    kappa("kappa"),
    // Of all iterations so far.
    kappa("kappa_sum"),
    // Sum of errors, and number of fluid particles, per workgroup of eight clusters.
    Row::new("residuals", "vec2<f32>", CLUSTER_GROUPS).lanes(&[
        Lane { lanes: "x", quantity: "error", unit: "%" },
        Lane { lanes: "y", quantity: "count", unit: "" },
    ]),
];

/// Arrays of a method with one loop, besides those.
const ARRAYS: &[Row] = &[warm("warm_pressure"), residual("pressure_residual")];

/// Passes of every method with iterated pressures.
const PASSES: &[Pass] = &[
    passes::each("sph/warm", FLUID),
    passes::each("sph/push", MEMBERS),
    passes::single("loop/mean", ONE),
    passes::each("sph/correct", MEMBERS),
    passes::each("sph/keep", FLUID),
    passes::each("sph/stiffness", FLUID),
    passes::each("body/press", BODY_PARTICLES),
    passes::each("sph/factor", MEMBERS),
    passes::each("opening/still", PARTICLES),
    passes::each("opening/calm", PARTICLES),
    passes::each("opening/back_pressure", PARTICLES),
];

/// Pass of the compression that pressures are to correct.
const EXCESS: Pass = passes::each("sph/compression", MEMBERS);

/// Compression that the iterations of a step began with.
const COMPRESSION: Quantity =
    Quantity::new("compression", FACTORS, "y", "ρ/ρ0 − 1 before the step, negative at surfaces")
        .range(|_| [-0.05, 0.05]);

/// Factor of the iterations.
const FACTOR: Quantity = Quantity::new(
    "factor",
    FACTORS,
    "x",
    "ρ0 α, which times a compression is a pressure times Δt²",
)
.range(|scene| up_to(scene.rest_density * scene.support_radius * scene.support_radius));

/// Numbers that must be greater than 0.
const POSITIVE: [f64; 2] = [Key::POSITIVE, Key::LARGEST];

/// Key of the speed of sound, for methods with an equation of state.
const SOUND_SPEED: Key = Key::derived(
    "sound_speed",
    "m/s",
    |scene| 10.0 * scene.expected_speed,
    "10 · max(√(2 g H), v0), H the fluid's height",
    "Speed of sound c.",
);

/// Key of negative pressures, for methods with an equation of state.
const NEGATIVE_PRESSURE: Key = Key::flag(
    "negative_pressure",
    "Keep negative pressures (fluid under tension pulls); else they are set to 0.",
);

/// Keys of the convergence of a method with iterations.
const ITERATIONS: [Key; 3] = [
    Key::number(
        "max_error",
        POSITIVE,
        0.01,
        "Mean compression at the end of a step, in percent, at which iterations stop.",
    )
    .unit("%"),
    Key::integer("min_iterations", 0, 2, "Least number of iterations."),
    Key::integer("max_iterations", 1, 100, "Largest number of iterations.")
        .at_least("min_iterations"),
];

/// Loop of a method with one loop.
const PRESSURE_LOOP: Loop = Loop {
    name: "pressure",
    tolerance: "max_error",
    least: "min_iterations",
    most: "max_iterations",
    warm_start: 0.5,
    shortens_step: true,
    energy: None,
};

/// Names of these keys in `SPlisHSPlasH`.
const PEER_KEYS: &[(&str, &str)] = &[
    ("maxError", "max_error"),
    ("minIterations", "min_iterations"),
    ("maxIterations", "max_iterations"),
];

/// Kinematic viscosity in m²/s equivalent to artificial viscosity in a fluid with sound, α h
/// c/(2(d + 2)) (Monaghan 2005).
fn with_sound(scene: &Context<'_>) -> f64 {
    const ALPHA: f64 = 0.1;
    let c = scene.chosen.sound_speed(scene).unwrap_or(10.0 * scene.expected_speed);
    ALPHA * scene.support_radius() * c / (2.0 * (f64::from(scene.scene.dimensions) + 2.0))
}

/// Kinematic viscosity in m²/s equivalent to the velocity filter that Bender and Koschier (2015)
/// use with DFSPH: `v_i` + ε Σ V (`v_j` − `v_i`) W in a step of Δt acts like ε ⟨r²⟩/(2d Δt), which
/// with Δt = 0.4 h/v and the cubic spline's ⟨r²⟩ = ∫ r² W (9/40 h² in 3-D, 31/196 h² in 2-D) is 0.1 ε h v: 0.094 in 3-D,
/// 0.099 in 2-D.
fn filter_like(scene: &Context<'_>) -> f64 {
    // ε of XSPH (Schechter, Bridson 2012).
    const EPSILON: f64 = 0.05;
    0.1 * EPSILON * scene.support_radius() * scene.expected_speed
}

/// Properties of a method with iterated pressures, whose steps are semi-implicit Euler.
const fn incompressible(
    stages: fn(&Scope) -> Vec<Entry>,
    corrected: Corrected,
    limited: bool,
    opens: bool,
) -> Solver {
    let sph = Sph {
        corrected,
        kernel: Kernel::CubicSpline,
        first_drift: 0.0,
        sound: None,
        limited,
        opens,
        needs_viscosity: false,
        usual_viscosity: filter_like,
    };
    Solver { family: &FAMILY, stages, step_share: 0.1, sph: Some(sph) }
}

/// Smoothed particle hydrodynamics: a torus of cells of the support radius; viscosities and tensions join.
pub const FAMILY: Family = Family {
    title: "Water and syrup by smoothed particles (SPH)",
    table: None,
    space: Space::Torus,
    letter: "h",
    walls: Walls::Sums,
    deforms: true,
    joins: &[Axis::Viscosity, Axis::Tension, Axis::Foam, Axis::Shifting],
    viscous: true,
    repeats: true,
    // Fluid particles with another one nearer than half a spacing.
    arrays: &[&[Row::new("close_count", "u32", ONE).lanes(&[Lane {
        lanes: "x",
        quantity: "count",
        unit: "",
    }])]],
    passes: &[&[passes::each("sph/close", FLUID)]],
    quantities: &[Quantity::COMMON, Quantity::SPH],
    step_shares: [0.4, 0.25],
    advice: |chosen| match chosen.sound() {
        Some(_) => "more viscosity or a larger speed of sound",
        None => "more viscosity",
    },
    problems,
    ..Family::new("sph", |context| context.support_radius())
};

/// A leap-frog step with passes for densities and pressures, for methods with an equation of state (Müller,
/// Charypar, Gross 2003; Becker, Teschner 2007).
#[must_use]
pub fn leap_frog(scope: &Scope, density: &[&str], pressure: &str) -> Vec<Entry> {
    let mut list = begin(scope);
    list.extend(over_moving(scope, "integrate/drift"));
    list.extend(place(scope));
    list.extend(neighbours(scope));
    list.extend(density.iter().copied().map(run));
    list.extend(scope.joined(Place::Density));
    let of_density = stage(pressure);
    list.push(match scope.corrects_density() {
        true => of_density.with("density", "density_filled").into(),
        false => of_density.into(),
    });
    list.extend(behind(scope, "opening/head"));
    list.extend(forces(scope));
    list.push(fields());
    let after = react_after(scope);
    if !after.is_empty() {
        list.extend(react(scope));
        list.extend(has_free(scope).then(|| run("body/carry")));
    }
    list.extend(scope.joined(Place::Force));
    list.extend(mouth(scope, "emit/drive"));
    list.extend(mouth(scope, "emit/grown"));
    list.extend(behind(scope, "opening/drive"));
    list.extend(over_moving(scope, "integrate/kick_drift"));
    list.extend(if after.is_empty() { react(scope) } else { after });
    list.extend(end(scope));
    list
}

/// Beginning of a step that computes velocities first: neighbours at the start of the step, and their densities by a
/// pass.
#[must_use]
pub fn euler_begin(scope: &Scope, density: &str) -> Vec<Entry> {
    let mut list = begin(scope);
    list.extend(place(scope));
    list.extend(neighbours(scope));
    list.push(run(density));
    // Only with iterated pressures there is a factor.
    if density == "sph/factor" {
        list.extend(behind(scope, "opening/still"));
    }
    list.extend(scope.joined(Place::Density));
    list
}

/// A pass over the particles behind open boundaries, whose velocities are given (Federico et al. 2012).
fn behind(scope: &Scope, pass: &str) -> Option<Entry> {
    (scope.openings > 0).then(|| run(pass))
}

/// All forces except pressure, on fluid and bodies.
#[must_use]
pub fn euler_kick(scope: &Scope) -> Vec<Entry> {
    let mut list = forces(scope);
    // Reactions on bodies use the velocities that the forces on the fluid used, before the kick.
    if scope.bodies {
        list.extend(reactions(scope));
    }
    list.push(fields());
    if scope.bodies {
        let moves = has_free(scope);
        list.extend(moves.then(|| run("body/fall")));
        list.push(run("body/kick"));
        list.extend(moves.then(|| run("body/carry")));
    }
    list.extend(scope.joined(Place::Force));
    list.extend(mouth(scope, "emit/drive"));
    list.extend(behind(scope, "opening/drive"));
    list.push(run("integrate/kick"));
    let after = react_after(scope);
    if !after.is_empty() {
        list.extend(after);
        list.extend(has_free(scope).then(|| run("body/carry")));
    }
    list
}

/// Problems of an SPH scene that has keys of other families.
fn problems(scene: &Scene, chosen: &Chosen) -> Vec<Problem> {
    let solver = chosen.solver().name;
    let mut keys = Vec::new();
    let mut problems = Vec::new();
    let takes_flow = chosen.methods().any(|method| method.takes_flow);
    for (number, (material, model)) in scene.materials.iter().zip(chosen.models()).enumerate() {
        let path = |key: &str| format!("material[{number}].{key}");
        if model.flow.is_empty() {
            keys.extend(material.point_keys().map(path));
            continue;
        }
        if !takes_flow {
            let message =
                format!("{} needs viscosity.model = \"implicit\" with {solver:?}", model.name);
            problems.push(Problem::new(path("model"), message));
        }
        for (name, value) in &material.keys {
            let key =
                model.keys.iter().find(|key| key.name == name && model.flow.contains(&key.name));
            match key {
                None => keys.push(path(name)),
                Some(key) => {
                    let wrong = key.problem(value);
                    problems.extend(wrong.map(|message| Problem::new(path(name), message)));
                }
            }
        }
        if material.viscosity.is_none_or(|largest| largest <= 0.0) {
            problems.push(Problem::new(path("viscosity"), LARGEST_VISCOSITY));
        }
    }
    for (number, boundary) in scene.boundaries.iter().enumerate() {
        keys.extend(boundary.contact.map(|_| format!("boundary[{number}].contact")));
    }
    keys.extend((0..scene.sources.len()).map(|number| format!("source[{number}]")));
    keys.extend((0..scene.vortices.len()).map(|number| format!("vortex[{number}]")));
    let owner = |path: &str| chosen.registry().key(path).and_then(|(method, _)| method.family());
    let settings = scene.settings.iter().map(|(path, _)| path);
    keys.extend(settings.filter(|path| owner(path).is_some_and(|family| *family != FAMILY)));
    let message =
        format!("must be left out: it is a key of grid methods, and {solver:?} is not one");
    problems.extend(keys.into_iter().map(|key| Problem::new(key, message.clone())));
    problems
}

/// Warm start from the last step's pressures, then iterations. Bodies react in each iteration, so
/// that the next one includes their motion: light bodies could not be coupled otherwise.
///
/// `name` is that of the loop, `error` the pass that computes an iteration's errors. Pressures
/// persist in the array `warm_` + name, the mean error in name + `_residual`, by the pass `keep`.
#[must_use]
pub fn solve(scope: &Scope, name: &str, error: &str, keep: &str) -> Vec<Entry> {
    let (warm, residual) = (format!("warm_{name}"), format!("{name}_residual"));
    let sum = |stage: Stage| stage.with("kappa", "kappa_sum");
    // Bodies that move freely answer each iteration; forces on others are measured at the end.
    let answer = has_free(scope);
    let pressed = if answer { press(scope, false) } else { Vec::new() };
    let all = || press(scope, true).into_iter().map(Entry::from);
    let begin = stage("sph/warm").with("warm", &warm).of_loop(name);
    let opens = scope.openings > 0;
    let mut list: Vec<Entry> = vec![sum(begin).into()];
    if opens {
        // The divergence solver's pressures carry the weight of what is outside.
        let outside = if name == "density" { "opening/calm" } else { "opening/back_pressure" };
        list.push(sum(stage(outside)).into());
    }
    list.push(sum(stage("sph/push")).into());
    list.extend(behind(scope, "opening/hold"));
    if answer {
        list.extend(all());
    }
    let body = [stage(error), stage("sph/correct")].into_iter().chain(pressed);
    let held = opens.then(|| stage("opening/hold"));
    let test = stage("loop/mean").with("residual", &residual);
    list.push(Entry::repeat_from(name, 0, body.chain(held).chain([test]).collect()));
    if !answer {
        list.extend(all());
    }
    list.push(sum(stage(keep).with("warm", &warm)).into());
    list.extend(mouth(scope, "emit/hold"));
    list
}

/// End of a step that computes velocities first: positions from velocities.
#[must_use]
pub fn euler_end(scope: &Scope) -> Vec<Entry> {
    let mut list = over_moving(scope, "integrate/advance");
    list.extend(end(scope));
    list
}
