//! The material point method: particles carry material and deformation, a grid the momentum of a step.

pub mod mls_mpm;

use meniscus_scene::{Problem, Response, Scene};

use crate::{
    Axis, Chosen, Context, Family, Key, Limit, Matter, Quantity, Scope,
    arrays::{Lane, Row},
    lists::{
        bodies::place,
        sort::{scan, sort},
        step::{begin, end},
    },
    quantity::Form,
    space::{CELL_BLOCKS, CELLS, ONE, PARTICLES},
    stage::{Entry, run},
};

/// Δx over the particle spacing: with fewer, nodes lie between particles; with more, details are lost.
const CELL_BOUNDS: [f64; 2] = [1.5, 4.0];

/// Keys of the family.
const KEYS: &[Key] = &[Key::derived(
    "cell",
    "m",
    |scene| 4.0 * scene.scene.particle_radius,
    "2 particle spacings: 8 particles in a cell, in 2-D 4",
    "Edge Δx of the cells.",
)];

/// Rows of the gradient of the field around each particle; 0 in w.
const AFFINE: Row = Row::new("affine", "array<vec4<f32>, 3>", PARTICLES)
    .persistent()
    .lanes(&[Lane { lanes: "xyz", quantity: "velocity_gradient", unit: "1/s" }]);

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

/// 1 for each block of cells that has something to do; the last element is 0.
const BLOCK_BUSY: Row = Row::new("block_busy", "u32", CELL_BLOCKS.and_one());

/// Sums of these before each block; the last element counts all.
const BLOCK_START: Row = Row::new("block_start", "u32", CELL_BLOCKS.and_one());

/// The blocks that have something to do, in order.
const BUSY_BLOCKS: Row = Row::new("busy_blocks", "u32", CELL_BLOCKS);

/// Workgroups of passes over their cells, and their number.
const BUSY_DISPATCH: Row = Row { drawn: true, ..Row::new("busy_dispatch", "u32", ONE.times(4)) };

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
    list.push(run("grid/busy"));
    list.push(scan("block_busy", "block_start", CELL_BLOCKS.and_one()));
    list.extend([run("grid/list"), run("grid/crowd"), run("mpm/carry")]);
    list.extend(gather.iter().map(|pass| run(pass)));
    list.extend([run("mpm/move"), run(update), run("mpm/deform")]);
    list.extend(end(scope));
    list
}

/// Problems of a scene of the family, beside those that every grid method has.
fn problems(scene: &Scene, chosen: &Chosen) -> Vec<Problem> {
    let mut problems = grid_problems(scene, chosen, "mpm.cell");
    for (number, material) in scene.materials.iter().enumerate() {
        let key = |name: &str| format!("material[{number}].{name}");
        if material.surface_tension != 0.0 {
            let message = "must be left out: the material point method has no surface tension";
            problems.push(Problem::new(key("surface_tension"), message));
        }
    }
    problems
}

/// Problems of a scene whose solver has a grid of cells of the edge that `cell` sets.
fn grid_problems(scene: &Scene, chosen: &Chosen, cell: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    let solver = chosen.solver().name;
    let mut refuse = |key: &str, message: String| problems.push(Problem::new(key, message));
    if scene.support_radius.is_some() {
        refuse(
            "support_radius",
            format!("must be left out with {solver:?}, whose length is {cell}"),
        );
    }
    if scene.kernel.is_some() {
        refuse("kernel", format!("must be left out: {solver:?} has its own"));
    }
    for axis in Axis::TABLES {
        if scene.settings.get(axis.key()).is_some() {
            refuse(
                axis.key(),
                format!("must be left out: it is a method of SPH, and {solver:?} is not"),
            );
        }
    }
    for (path, _) in scene.settings.iter() {
        let owner = chosen.registry().key(&path).map(|(method, _)| method);
        let foreign = owner.filter(|method| method.family() != chosen.family());
        if let Some(method) = foreign {
            let whose =
                if method.axis == Axis::Pressure { method.name } else { method.axis.name() };
            refuse(&path, format!("must be left out: it is a key of {whose:?}, not of {solver:?}"));
        }
    }
    if let Some(place) = scene.bodies.iter().position(|_| true) {
        let message = format!(
            "must be a [[boundary]], with motion if it moves: {solver:?} has no rigid bodies yet"
        );
        refuse(&format!("body[{place}]"), message);
    }
    for (number, boundary) in scene.boundaries.iter().enumerate() {
        let other = match boundary.response {
            None | Some(Response::Reflect { .. }) => continue,
            Some(Response::Spring { .. }) => "spring",
            Some(Response::Particles { .. }) => "particles",
            Some(Response::Volume { .. }) => "volume",
        };
        let message = format!(
            "must be left out with {solver:?}, which has contact = \"sticky\", \"slip\" or \"separate\", the last with \
             response.reflect.friction"
        );
        refuse(&format!("boundary[{number}].response.{other}"), message);
    }
    if let Some(domain) = &scene.domain {
        let outside = |low: [f64; 3], high: [f64; 3]| {
            (0..scene.dimensions as usize).any(|axis| {
                // Without the last digits of a sum.
                let slack = 1e-6 * scene.spacing();
                low[axis] < domain.min[axis] - slack || high[axis] > domain.max[axis] + slack
            })
        };
        let message =
            "reaches beyond the domain, where particles are removed: make the domain larger";
        for (number, fluid) in scene.fluids.iter().enumerate() {
            let (middle, half) = fluid.shape.bounds();
            if outside((middle - half).into(), (middle + half).into()) {
                refuse(&format!("fluid[{number}].shape"), message.to_owned());
            }
        }
        for (number, emitter) in scene.emitters.iter().enumerate() {
            if outside(emitter.center, emitter.center) {
                refuse(&format!("emitter[{number}].center"), message.to_owned());
            }
        }
    }
    let edge = chosen.length(scene);
    let (low, high) = (CELL_BOUNDS[0] * scene.spacing(), CELL_BOUNDS[1] * scene.spacing());
    // Without the last digits of a product.
    if edge < low * (1.0 - 1e-9) || edge > high * (1.0 + 1e-9) {
        refuse(
            cell,
            format!("must be 1.5 to 4 particle spacings, {low:.6} to {high:.6} m, not {edge} m"),
        );
    }
    if let Some(domain) = &scene.domain {
        for axis in (0..scene.dimensions as usize).filter(|axis| domain.periodic[*axis]) {
            let length = domain.max[axis] - domain.min[axis];
            let cells = length / edge;
            let whole = cells.round();
            if whole < 3.0 || (cells - whole).abs() > 1e-6 * cells {
                let (more, fewer) =
                    (length / cells.floor().max(3.0), length / cells.ceil().max(3.0));
                refuse(
                    cell,
                    format!(
                        "must divide the periodic length {length} m of the domain into whole cells, at least 3: {fewer} or \
                         {more} m, not {edge} m"
                    ),
                );
            }
        }
    }
    problems
}

impl Family {
    /// Length that no signal of this family's methods crosses in a step, in m.
    pub(crate) fn length(self, context: &Context<'_>) -> f64 {
        match self {
            Self::Sph => context.scene.support_radius(),
            Self::Mpm => context.number("mpm.cell"),
        }
    }
}
