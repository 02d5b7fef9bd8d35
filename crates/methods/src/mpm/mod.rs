//! The material point method: particles carry material and deformation, a grid the momentum of a step.

pub mod classic_mpm;
pub mod implicit;
pub mod materials;
pub mod mls_mpm;

use meniscus_scene::{Problem, Scene};

use crate::{
    Axis, Chosen, Family, Limit, Matter, Place, Quantity, Scope,
    arrays::{Lane, Row},
    grid::{bodies, cells},
    lists::{
        bodies::{fall, place},
        sort::sort_in_box,
        step::{begin, end},
    },
    passes::{self, Pass},
    quantity::Form,
    space::{BUSY_CELLS, CELLS, MOVING, PARTICLES, PUSHED_CELLS},
    stage::{Entry, run},
};

/// Rows of F − 1; in w of water J − 1, of snow `J_p` − 1, of sand q and, in the second, `v_c`.
const DEFORMATION: Row = Row::new("deformation", "array<vec4<f32>, 3>", PARTICLES)
    .persistent()
    .lanes(&[Lane { lanes: "w", quantity: "plastic", unit: "" }]);

/// Kirchhoff stress τ: xx, yy, zz and von Mises' norm of it; yz, xz, xy and the particle's elastic energy.
const STRESS: Row = Row::new("stress", "array<vec4<f32>, 2>", PARTICLES).persistent().lanes(&[
    Lane { lanes: "xyz", quantity: "stress", unit: "Pa" },
    Lane { lanes: "w", quantity: "von_mises", unit: "Pa" },
    Lane { lanes: "1w", quantity: "elastic_energy", unit: "J" },
]);

/// Arrays of the family.
const ARRAYS: &[Row] = &[
    DEFORMATION,
    STRESS,
    // `deformation` in cell order.
    Row::new("sorted_deformation", "array<vec4<f32>, 3>", PARTICLES),
    // Velocity in m/s of each node, the centre of a cell, and its mass in kg.
    Row::new("node", "vec4<f32>", CELLS),
    // Walls that hold each node: normal and distance in m of up to three; numbers of their solids from 1 on, and a weight.
    Row::new("hold", "array<vec4<f32>, 4>", CELLS),
    // Share of each node's spline in front of the walls.
    Row::new("open_share", "f32", CELLS),
    // Speed in m/s at which particles may still approach each of these walls.
    Row::new("closing", "vec4<f32>", CELLS),
    // Impulse in N s on each of up to three bodies and in w its number from 1 on, and then the angular impulse in N m s.
    Row::new("push", "array<vec4<f32>, 6>", PUSHED_CELLS),
    bodies::PARTIAL,
    cells::BLOCK_SOLIDS,
];

/// What each particle gives to the nodes, in cell order: its place and mass; gradient and mean of its field of
/// momentum, by components (of the classic
/// method Δt V0 τ by rows, and the momentum).
const POINTS: &[Row] = &[
    Row::new("point_place", "vec4<f32>", PARTICLES),
    Row::new("point_x", "vec4<f32>", PARTICLES),
    Row::new("point_y", "vec4<f32>", PARTICLES),
    Row::new("point_z", "vec4<f32>", PARTICLES),
];

/// Passes of the family.
const PASSES: &[Pass] = &[
    passes::each("mpm/carry", PARTICLES),
    cells::NEAR,
    passes::each("mpm/walls", BUSY_CELLS),
    passes::each("mpm/approach", BUSY_CELLS),
    passes::each("mpm/contact", BUSY_CELLS),
    passes::each("mpm/weigh", BUSY_CELLS),
    passes::each("mpm/move", BUSY_CELLS),
    passes::each("mpm/spread", BUSY_CELLS),
    passes::each("mpm/mirror", BUSY_CELLS),
    bodies::sums("mpm/press"),
    bodies::RECEIVE,
    passes::each("mpm/deform", PARTICLES),
];

/// The material point method: particles carry material and deformation, nodes at the centres of a box of cells of the
/// edge `mpm.cell` the momentum of a step.
pub const FAMILY: Family = Family {
    title: "Soft solids and grains by material points (MPM)",
    keys: &[&[cells::CELL]],
    arrays: &[cells::ARRAYS, ARRAYS],
    passes: &[cells::PASSES, PASSES],
    has_bodies: true,
    yields: true,
    leans: true,
    whole_forces: true,
    joins: &[Axis::Foam],
    viscous: true,
    has_models: true,
    repeats: true,
    usual_quantity: Some(|_| Quantity::MATERIAL),
    step_shares: [0.5, 0.25],
    advice: |_| "a larger youngs_modulus of elastic solids: an impact at v crushes it if that is less than ρ v²",
    problems,
    warnings,
    ..Family::new("mpm", |context| context.number("mpm.cell"))
};

/// Quantities of the family.
const QUANTITIES: &[Quantity] = &[
    Quantity::new(
        "plastic",
        DEFORMATION,
        "w",
        "state of the model: J − 1 of liquids, what yielded of solids",
    )
    .range(|_| [-0.1, 0.1]),
    Quantity::new("von_mises", STRESS, "w", "von Mises stress, by shear alone").of_pressure(),
    Quantity::new("elastic_energy", STRESS, "1w", "elastic energy of the particle").form(Form::Sum),
];

/// Explicit viscosity of water.
const LIMIT: Limit = Limit {
    name: "viscosity (Δx²/(12 ν))",
    step: |edge, matter: &[Matter]| {
        let kinematic = matter.iter().map(|m| m.viscosity / m.rest_density);
        edge * edge / 12.0 / kinematic.fold(0.0, f64::max)
    },
};

/// Stages of a step: `gather` makes velocities of the nodes, `update` moves particles with them.
fn stages(scope: &Scope, gather: &[&str], update: &str) -> Vec<Entry> {
    let mut list = begin(scope);
    list.extend(place(scope));
    list.extend(sort_in_box(scope));
    list.extend(scope.joined(Place::Sorted));
    list.extend(cells::busy());
    list.push(run("mpm/carry"));
    let is_implicit = implicit::acts(&scope.chosen);
    if is_implicit {
        list.push(run(&scope.chosen.with_models("implicit/tangent")));
    }
    list.extend(gather.iter().map(|pass| run(pass)));
    if scope.driven < scope.colliders {
        list.extend(fall());
    }
    if scope.colliders > 0 {
        list.push(run("grid/near").when(MOVING));
        let passes = ["walls", "approach", "contact", "weigh", "move", "spread"];
        list.extend(passes.map(|pass| run(&format!("mpm/{pass}"))));
    }
    if scope.bodies {
        list.extend(["mpm/press", "body/receive"].map(run));
    }
    if is_implicit {
        list.extend(implicit::solve(scope));
    }
    list.push(run("mpm/mirror"));
    list.extend([run(update), run(&scope.chosen.with_models("mpm/deform"))]);
    list.extend(end(scope));
    list
}

/// Warnings of thin solids, and of viscosities that no model takes.
fn warnings(scene: &Scene, chosen: &Chosen) -> Vec<String> {
    let effect = "what touches one side drags what touches the other";
    let mut messages = cells::warnings(scene, chosen, effect);
    messages.extend(implicit::without_effect(scene, chosen));
    messages.extend(implicit::damped(scene, chosen));
    for (number, (material, model)) in scene.materials.iter().zip(chosen.models()).enumerate() {
        if !model.viscous && material.viscosity.is_some_and(|viscosity| viscosity > 0.0) {
            let name = model.name;
            messages.push(format!("material[{number}].viscosity has no effect: {name} has none"));
        }
    }
    for (number, fluid) in scene.fluids.iter().enumerate() {
        let index = scene.material_index(fluid.material.as_deref()).unwrap_or(0);
        let Some((material, model)) =
            scene.materials.get(index).zip(chosen.models().get(index).copied())
        else {
            continue;
        };
        let expected_speed = fluid.velocity.iter().map(|v| v * v).sum::<f64>().sqrt();
        let rest_density = material.rest_density;
        let own = materials::Own { material, model, rest_density, expected_speed };
        let (bears, impact) = ((model.bears)(&own), rest_density * expected_speed.powi(2));
        if bears < impact {
            let name = model.name;
            messages.push(format!(
                "fluid[{number}].velocity: {name} of {bears:.1e} Pa is crushed where it hits a wall at \
                 {expected_speed:.1} m/s; material[{index}].{} should be at least ρ v² = {impact:.1e} Pa",
                model.softens
            ));
        }
    }
    messages
}

/// Problems of a scene of the family, beside those that every grid method has.
fn problems(scene: &Scene, chosen: &Chosen) -> Vec<Problem> {
    let mut problems = cells::problems(scene, chosen);
    for (number, (material, model)) in scene.materials.iter().zip(chosen.models()).enumerate() {
        let mut refuse = |name: &str, message: String| {
            problems.push(Problem::new(format!("material[{number}].{name}"), message));
        };
        for (name, value) in &material.keys {
            let found = model.keys.iter().find(|key| key.name == name);
            let message = match found {
                None => Some(format!("must be left out: {} has none", model.name)),
                Some(key) => key.problem(value),
            };
            if let Some(message) = message {
                refuse(name, message);
            }
        }
        if material.surface_tension != 0.0 {
            let message = "must be left out: the material point method has no surface tension";
            refuse("surface_tension", message.to_owned());
        }
    }
    problems
}
