//! The material point method: particles carry material and deformation, a grid the momentum of a step.

pub mod mls_mpm;

use meniscus_scene::{Model, Problem, Scene};

use crate::{
    Chosen, Key, Limit, Matter, Quantity, Scope,
    arrays::{Lane, Row},
    grid,
    lists::{
        bodies::place,
        sort::sort,
        step::{begin, end},
    },
    quantity::Form,
    space::{CELLS, PARTICLES},
    stage::{Entry, run},
};

/// Keys of the family.
const KEYS: &[Key] = &[grid::CELL];

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

/// `deformation` in cell order.
const SORTED_DEFORMATION: Row = Row::new("sorted_deformation", "array<vec4<f32>, 3>", PARTICLES);

/// What each particle gives to the nodes, in cell order: its place and mass; gradient and mean of its field of
/// momentum, by components.
const POINTS: [Row; 4] = [
    Row::new("point_place", "vec4<f32>", PARTICLES),
    Row::new("point_x", "vec4<f32>", PARTICLES),
    Row::new("point_y", "vec4<f32>", PARTICLES),
    Row::new("point_z", "vec4<f32>", PARTICLES),
];

/// Velocity in m/s of each node, the centre of a cell, and its mass in kg.
const NODE: Row = Row::new("node", "vec4<f32>", CELLS);

/// Quantities of the family.
const QUANTITIES: &[Quantity] = &[
    Quantity::new("plastic", DEFORMATION, "w", "J − 1 of water, J_p − 1 of snow, q of sand")
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
    if scope.emitters > 0 {
        list.push(run("mpm/emit"));
    }
    list.push(run("grid/leave"));
    list.extend(place(scope));
    list.extend(sort(scope));
    list.extend(grid::busy());
    list.push(run("mpm/carry"));
    list.extend(gather.iter().map(|pass| run(pass)));
    list.extend([run("mpm/move"), run(update), run("mpm/deform")]);
    list.extend(end(scope));
    list
}

/// Warnings of keys that belong to another model than a material's.
fn warnings(scene: &Scene) -> Vec<String> {
    let mut messages = Vec::new();
    for (number, material) in scene.materials.iter().enumerate() {
        let model = material.model.unwrap_or(Model::Water);
        let mut foreign: Vec<_> = material.point_keys().filter(|key| *key != "model").collect();
        foreign.retain(|key| !model.keys().contains(key));
        if model != Model::Water && material.viscosity.is_some_and(|viscosity| viscosity > 0.0) {
            foreign.push("viscosity");
        }
        for key in foreign {
            let name = format!("{model:?}").to_lowercase();
            messages.push(format!("material[{number}].{key} has no effect: {name} has none"));
        }
    }
    messages
}

/// Problems of a scene of the family, beside those that every grid method has.
fn problems(scene: &Scene, chosen: &Chosen) -> Vec<Problem> {
    let mut problems = grid::problems(scene, chosen, "mpm.cell");
    for (number, material) in scene.materials.iter().enumerate() {
        let key = |name: &str| format!("material[{number}].{name}");
        if material.surface_tension != 0.0 {
            let message = "must be left out: the material point method has no surface tension";
            problems.push(Problem::new(key("surface_tension"), message));
        }
    }
    problems
}
