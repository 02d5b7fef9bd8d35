//! Projected conjugate gradients for pressure: their number grows much less with the depth of the fluid than that of
//! relaxed Jacobi iterations.
//!
//! The change of compression by displacements, D u = Σ `V_j` (`u_i` − `u_j`)·∇W, and the displacements by pressures,
//! u = −(1/ρ0) Σ `V_j` (`κ_i` + `κ_j`) ∇W, are adjoint: with volumes V as weights, A = −D u(κ) is symmetric and positive. So
//! κ ≥ 0 with e = b − A κ ≤ 0 where κ is 0 is found along conjugate directions, which are begun anew where the limit at 0
//! gets in their way; A is applied once an iteration, in two walks over neighbours.
//!
//! Errors over the diagonal make the direction, and, with the choice `multigrid`, a correction of the start's κ by a factor
//! 1 + c of each coarse cell, two of the sort along each axis: the last step's pressures are the smooth mode as it is among
//! disordered particles, where even a constant pressure pushes.

use super::{Loop, PRESSURE_LOOP};
use crate::{
    Chosen, Key, Scope,
    arrays::{Lane, Row},
    grid::multigrid,
    lists::{bodies::press, step::mouth},
    passes::{self, Grain, Pass},
    space::{
        BODY_LANES, BODY_PARTICLES, CLUSTER_GROUPS, COLLIDERS, FLUID, LEVELS, MEMBERS, ONE,
        PARTICLES, WALLS,
    },
    stage::{Entry, Stage, run, stage},
};

/// Name of the key that chooses the iteration.
const CHOICE: &str = "pressure";

/// Name of the key of [`Loop::energy`].
const ENERGY: &str = "max_energy_change";

/// Keys of a method with a choice of iterations, whose last iteration may change this share of the energy.
pub(crate) const fn keys(energy: f64) -> [Key; 2] {
    let choice = Key::choice(
        CHOICE,
        &[
            (
                "auto",
                "Multigrid where the fluid starts deeper than 50 layers of particles, conjugate gradients with more than 20 free \
                 bodies, else Jacobi.",
            ),
            (
                "jacobi",
                "Relaxed Jacobi iterations with momentum: more, the deeper the fluid; each costs half.",
            ),
            ("cg", "Projected conjugate gradients."),
            (
                "multigrid",
                "Conjugate gradients with a correction on coarse cells, where cells are many: hardly more iterations in deep \
                 water than in a puddle.",
            ),
        ],
        "How pressures are iterated.",
    );
    let energy = Key::number(
        ENERGY,
        [Key::POSITIVE, 1.0],
        energy,
        "Share of a step's energy that the last iteration of conjugate gradients may still change: in deep water the mean \
         compression is small long before pressure carries the water.",
    );
    [choice, energy]
}

/// Loop of a method that has a choice of iterations.
pub(crate) const LOOP: Loop = Loop { energy: Some(ENERGY), ..PRESSURE_LOOP };

/// Arrays of the iterations.
pub(crate) const ARRAYS: &[Row] = &[
    // κ, the error e, the direction p, and A p.
    Row::new("pressure_state", "vec4<f32>", PARTICLES).lanes(&[
        Lane { lanes: "x", quantity: "kappa", unit: "kg/m" },
        Lane { lanes: "y", quantity: "compression", unit: "" },
        Lane { lanes: "z", quantity: "kappa", unit: "kg/m" },
        Lane { lanes: "w", quantity: "compression", unit: "" },
    ]),
    // z, the last direction, what the limit at 0 added to κ, and κ.
    Row::new("pressure_search", "vec4<f32>", PARTICLES).lanes(&[Lane {
        lanes: "xyzw",
        quantity: "kappa",
        unit: "kg/m",
    }]),
    // Displacements by the direction, and by what the limit added.
    Row::new("pressure_move", "vec4<f32>", PARTICLES.times(2)).lanes(&[Lane {
        lanes: "xyz",
        quantity: "displacement",
        unit: "m",
    }]),
    // Forces of both on a body's particle, times Δt².
    Row::new("pressure_reaction", "array<vec4<f32>, 2>", WALLS),
    // Displacement and turn of a body by each.
    Row::new("pressure_answer", "array<vec4<f32>, 4>", COLLIDERS),
    // κ at the start.
    Row::new("pressure_start", "f32", PARTICLES).lanes(&[Lane {
        lanes: "x",
        quantity: "kappa",
        unit: "kg/m",
    }]),
    // What cells add to z.
    Row::new("pressure_coarse", "f32", PARTICLES).lanes(&[Lane {
        lanes: "x",
        quantity: "kappa",
        unit: "kg/m",
    }]),
    // Sums of workgroups of eight clusters.
    Row::new("pressure_dots", "vec4<f32>", CLUSTER_GROUPS),
    // α, β, z·V e, and the energy that changes are compared with.
    Row::new("pressure_scalars", "vec4<f32>", ONE),
];

/// Passes of the iterations.
pub(crate) const PASSES: &[Pass] = &[
    passes::each("pressure/warm", FLUID),
    passes::each("pressure/push", MEMBERS),
    passes::each("pressure/press", BODY_PARTICLES),
    passes::each("pressure/answer", BODY_LANES),
    passes::each("pressure/carry", BODY_PARTICLES),
    passes::each("pressure/begin", MEMBERS),
    passes::single("pressure/scale", ONE),
    passes::each("pressure/step", MEMBERS),
    passes::single("pressure/turn", ONE),
    passes::each("pressure/apply", MEMBERS),
    passes::single("pressure/total", ONE),
    passes::each("pressure/end", FLUID),
    passes::each("pressure/cells", LEVELS[1]),
    passes::each("pressure/faces", LEVELS[1]),
    passes::generic("pressure/coarsen", Grain::Each),
    passes::each("pressure/restrict", LEVELS[1]),
    passes::each("pressure/spread", LEVELS[1]),
];

/// Layers of particles up to which fewer iterations do not pay for what each costs more.
const DEEP: u32 = 50;

/// Free bodies up to which Jacobi iterations are safe: many light ones in little water answer more than its steps expect.
const FEW: u32 = 20;

/// Whether a scene iterates so.
pub(crate) fn acts(scope: &Scope) -> bool {
    choice(scope) != "jacobi"
}

/// The iteration, by the depth and the bodies where the scene leaves it open.
fn choice(scope: &Scope) -> &str {
    match scope.choice(&path(&scope.chosen)) {
        "auto" if scope.depth > DEEP && scope.openings == 0 && scope.worlds == 1 => "multigrid",
        "auto" if (scope.colliders - scope.driven) / scope.worlds > FEW && scope.openings == 0 => {
            "cg"
        }
        "auto" => "jacobi",
        other => other,
    }
}

fn path(chosen: &Chosen) -> String {
    format!("{}.{CHOICE}", chosen.solver().table())
}

/// Start from the last step's pressures, iterations, and one push by the pressures that they found. Velocities
/// stay as they are until then.
///
/// `name` is that of the loop; pressures persist in the array `warm_` + name, the residual is name + `_residual`.
pub(crate) fn solve(scope: &Scope, name: &str) -> Vec<Entry> {
    let (warm, residual) = (format!("warm_{name}"), format!("{name}_residual"));
    let sum = |pass: &str| stage(pass).with("kappa", "kappa_sum");
    let mut list: Vec<Entry> = vec![stage("pressure/warm").with("warm", &warm).into()];
    list.extend(move_all(scope).into_iter().map(Entry::from));
    list.extend(["pressure/begin", "pressure/scale"].map(run));
    let mut body = Vec::new();
    if scope.levels > 0 && choice(scope) == "multigrid" {
        list.extend(["pressure/cells", "pressure/faces"].map(run));
        list.extend(multigrid::coarsen(scope, 1, "pressure/coarsen").into_iter().map(Entry::from));
        body.push(stage("pressure/restrict"));
        body.extend(multigrid::cycle(scope, 1));
        body.push(stage("pressure/spread"));
    }
    body.extend([stage("pressure/step"), stage("pressure/turn")]);
    body.extend(move_all(scope));
    body.extend([stage("pressure/apply"), stage("pressure/total").with("residual", &residual)]);
    list.push(Entry::repeat_from(name, 0, body));
    list.extend(["pressure/end", "sph/push"].map(|pass| sum(pass).into()));
    list.extend(press(scope, true).into_iter().map(Entry::from));
    list.push(sum("sph/stiffness").with("warm", &warm).into());
    list.extend(mouth(scope, "emit/hold"));
    list
}

/// Displacements of fluid and bodies by the direction.
fn move_all(scope: &Scope) -> Vec<Stage> {
    let answer: &[&str] = match scope.bodies {
        true => &["pressure/press", "pressure/answer", "pressure/carry"],
        false => &[],
    };
    ["pressure/push"].iter().chain(answer).map(|pass| stage(pass)).collect()
}
