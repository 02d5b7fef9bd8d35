//! Implicit steps of material points (Stomakhin et al. 2013, §8; Gast et al. 2015).
//!
//! The velocities v of the nodes solve (M + Δt² K) v = M v*, with v* those after explicit forces and contacts, and K the
//! stiffness of the particles at the start of the step: backward Euler, linearised once. K is not built: each iteration of
//! conjugate gradients takes a field of the nodes to the particles, which answer with the change of their stress, and back.
//! Held nodes follow the free ones around them, as everywhere (`common/held`), and only the free ones are unknown.
//!
//! Elastic solids and pastes have tangents ([`Model::is_stiff`](super::materials::Model)), those of pastes with the viscosity at
//! the start of the step; stresses of other materials remain explicit, and their sound limits the steps.

use meniscus_scene::{Body, Problem, Scene};

use crate::{
    Chosen, Context, Key, KeyKind, Loop, Scope,
    arrays::Row,
    key::Default,
    lists::gradients::gradients,
    mpm::materials::Model,
    passes::{self, Pass},
    space::{BUSY_CELLS, CELLS, ONE, PARTICLES},
    stage::{Entry, Stage, run, stage},
};

/// Name of the key that chooses the integration.
const CHOICE: &str = "integration";
/// Its value.
const IMPLICIT: &str = "implicit";
/// Name of the key of the longest step.
const LONGEST: &str = "longest_step";

/// Keys.
pub(crate) const KEYS: &[Key] = &[
    Key::choice(
        CHOICE,
        &[
            ("explicit", "Short steps, which sound limits; each is cheap."),
            (
                IMPLICIT,
                "Long steps by iterations, for stiff elastic solids and for pastes; other materials remain explicit. It \
                 damps what is faster than the steps.",
            ),
        ],
        "How velocities are found from stresses, by the solver that has a choice.",
    ),
    Key::new(
        LONGEST,
        KeyKind::Number { low: 1.0, high: 1000.0, default: Default::Is(20.0) },
        "Length of implicit steps in explicit ones, while the material is at rest: sound passes so many times half a cell.",
    ),
    Key::new(
        "max_velocity_error",
        KeyKind::Number {
            low: Key::POSITIVE,
            high: 100.0,
            default: Default::By(error, "1, with pastes 0.1: the errors of steady flow add up"),
        },
        "Error at which the iterations of implicit steps stop, in percent of the velocity (root mean square).",
    )
    .unit("%"),
    Key::integer("min_iterations", 0, 1, "Least number of iterations of implicit steps."),
    Key::integer("max_iterations", 1, 200, "Largest number of iterations of implicit steps.")
        .at_least("min_iterations"),
];

/// Conjugate gradients.
pub(crate) const LOOP: Loop = Loop {
    name: "velocity",
    tolerance: "max_velocity_error",
    least: "min_iterations",
    most: "max_iterations",
    warm_start: 0.0,
    shortens_step: true,
    energy: None,
};

/// Arrays.
pub(crate) const ARRAYS: &[Row] = &[
    // Tangent of each particle in cell order (common/tangent).
    Row::new("tangent", "array<vec4<f32>, 6>", PARTICLES),
    // Inertia of each node in kg, a symmetric matrix: xx, yy, zz and 1 if it is unknown; yz, xz, xy and its own mass.
    Row::new("implicit_mass", "array<vec4<f32>, 2>", CELLS),
    // The free nodes that a held one follows, or the held ones that follow a free one: bits of the cells around it.
    Row::new("implicit_around", "vec4<u32>", CELLS),
    // Δt² K u in kg m/s, and the diagonal of Δt² K in kg.
    Row::new("implicit_q", "vec4<f32>", CELLS),
    // With those of the held nodes, and with M u.
    Row::new("implicit_w", "vec4<f32>", CELLS),
    // Residual in kg m/s, and that over inertia and stiffness of the node.
    Row::new("implicit_r", "vec4<f32>", CELLS),
    Row::new("implicit_u", "vec4<f32>", CELLS),
    // Search direction p, and A p.
    Row::new("implicit_p", "array<vec4<f32>, 2>", CELLS),
    // Sums of workgroups.
    crate::grid::poisson::DOTS,
    // α, β, r·u.
    Row::new("implicit_scalars", "vec4<f32>", ONE),
    // Residual in percent.
    Row::new("implicit_residual", "f32", ONE),
];

/// Passes.
pub(crate) const PASSES: &[Pass] = &[
    passes::each("implicit/tangent", PARTICLES),
    passes::each("implicit/inertia", BUSY_CELLS),
    passes::each("implicit/strain", PARTICLES),
    passes::each("implicit/gather", BUSY_CELLS),
    passes::each("implicit/collect", BUSY_CELLS),
    passes::each("implicit/start", BUSY_CELLS),
    passes::each("implicit/follow", BUSY_CELLS),
    passes::each("implicit/apply", BUSY_CELLS),
    passes::single("implicit/total", ONE),
    passes::each("implicit/step", BUSY_CELLS),
];

/// Default of the error in percent.
fn error(context: &Context<'_>) -> f64 {
    let flows = |model: &&Model| !model.flow.is_empty();
    if context.chosen.models().iter().any(flows) { 0.1 } else { 1.0 }
}

/// Whether a scene's solver has the choice of implicit steps.
fn may_act(chosen: &Chosen) -> bool {
    chosen.solver().keys.iter().any(|keys| keys.iter().any(|key| key.name == CHOICE))
}

/// Whether a scene's steps are implicit.
pub(crate) fn acts(chosen: &Chosen) -> bool {
    may_act(chosen) && chosen.choice(&format!("mpm.{CHOICE}")) == IMPLICIT
}

/// Warnings of pastes in explicit steps where implicit ones can be.
pub(crate) fn damped(scene: &Scene, chosen: &Chosen) -> Vec<String> {
    let can = may_act(chosen) && !acts(chosen) && !scene.bodies.iter().any(Body::is_free);
    let flows = |(_, model): &(usize, &&Model)| can && !model.flow.is_empty();
    let message = |(number, model): (usize, &&Model)| {
        format!(
            "material[{number}]: {} flows 10 to 20 % too slowly in explicit steps, whose transfers damp it: \
             mpm.{CHOICE} = {IMPLICIT:?} takes longer ones",
            model.name
        )
    };
    chosen.models().iter().enumerate().filter(flows).map(message).collect()
}

/// Messages about keys of implicit steps where a solver that has them makes none.
pub(crate) fn without_effect<'a>(
    scene: &'a Scene,
    chosen: &Chosen,
) -> impl Iterator<Item = String> + 'a {
    let is_mute = may_act(chosen) && !acts(chosen);
    let others = KEYS.iter().filter(move |key| is_mute && key.name != CHOICE);
    let paths = others.map(|key| format!("mpm.{}", key.name));
    paths
        .filter(|path| scene.settings.get(path).is_some())
        .map(|path| format!("{path} has no effect: mpm.{CHOICE} is not {IMPLICIT:?}"))
}

/// Share of the speed of sound that limits the steps of a material, if it is stiff.
pub(crate) fn sound_share(chosen: &Chosen, is_stiff: bool, number: impl Fn(&str) -> f64) -> f64 {
    if acts(chosen) && is_stiff { 1.0 / number(&format!("mpm.{LONGEST}")) } else { 1.0 }
}

/// From the velocities of the nodes after explicit forces and contacts to those at the end of the step.
pub(crate) fn solve(scope: &Scope) -> Vec<Entry> {
    let at_walls = scope.colliders > 0;
    // The nodes' sums of what a field adds to stresses.
    let sums = |field: &str| {
        let gather = stage("implicit/gather");
        let mut list = vec![stage("implicit/strain").with("node", field)];
        match at_walls {
            true => list.extend([gather, stage("implicit/collect")]),
            false => list.push(gather.with("implicit_q", "implicit_w")),
        }
        list
    };
    let mut list = vec![run("implicit/inertia")];
    list.extend(sums("node").into_iter().map(Entry::from));
    list.push(run("implicit/start"));
    let follow: Vec<Stage> = at_walls.then(|| stage("implicit/follow")).into_iter().collect();
    let before = follow.into_iter().chain(sums("implicit_u")).collect();
    list.extend(gradients(LOOP.name, "implicit", before, "implicit/step", true, |stage| stage));
    if at_walls {
        list.push(run("mpm/spread"));
    }
    list
}

/// Problems of a scene.
pub(crate) fn problems(scene: &Scene, chosen: &Chosen) -> Vec<Problem> {
    let mut problems = Vec::new();
    if acts(chosen)
        && let Some(number) = scene.bodies.iter().position(|body| body.is_free())
    {
        let message = "must be left out with mpm.integration = \"implicit\", whose forces rigid bodies do not feel: take \
                       \"explicit\"";
        problems.push(Problem::new(format!("body[{number}]"), message));
    }
    problems
}
