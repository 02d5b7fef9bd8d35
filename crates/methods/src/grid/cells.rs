//! Cells of the box: the key of their edge, the blocks of active cells, which have something to do, problems of scenes.

use meniscus_geometry::{Length, mesh::Solid};
use meniscus_scene::{Fluid, Problem, Response, Scene, Shape, Side};

use crate::{
    Axis, Chosen, Key,
    arrays::{Lane, Row},
    lists::sort::scan,
    passes::{self, Pass},
    space::{BUSY_CELLS, CELL_BLOCKS, ONE, PARTICLES},
    stage::{Entry, Stage, run, stage},
};

/// Δx over the particle spacing: with fewer, nodes lie between particles; with more, details are lost.
const CELL_BOUNDS: [f64; 2] = [1.5, 4.0];

/// Share of a mesh's surface from which on thin walls are warned of.
const THIN_SHARE: f64 = 0.1;

/// Cells across a drop from which on its splash is round: at half of this the crown is a square with a comb of holes.
const DROP: f64 = 5.0;

/// Key of the edge of the cells.
pub(crate) const CELL: Key = Key::derived(
    "cell",
    "m",
    |scene| 4.0 * scene.scene.particle_radius,
    "2 particle spacings: 8 particles in a cell, in 2-D 4",
    "Edge Δx of the cells.",
)
.at_start();

/// Removal beyond the box.
const LEAVE: Pass = passes::each("grid/leave", PARTICLES);

/// Failure of a crowded cell.
const CROWD: Pass = passes::each("grid/crowd", BUSY_CELLS);

/// Blocks of cells that have something to do.
const BUSY: Pass = passes::each("grid/busy", CELL_BLOCKS.and_one());

/// Their list.
const LIST: Pass = passes::each("grid/list", CELL_BLOCKS.and_one());

/// Rows of the gradient of the field around each particle; 0 in w.
pub(crate) const AFFINE: Row = Row::new("affine", "array<vec4<f32>, 3>", PARTICLES)
    .guess()
    .lanes(&[Lane { lanes: "xyz", quantity: "velocity_gradient", unit: "1/s" }]);

/// 1 for each block of cells that has something to do; the last element is 0.
const BLOCK_BUSY: Row = Row::new("block_busy", "u32", CELL_BLOCKS.and_one());

/// Sums of these before each block; the last element counts all.
const BLOCK_START: Row = Row::new("block_start", "u32", CELL_BLOCKS.and_one());

/// Number of the blocks that have something to do, and these in order. The next step clears what is in those of the last one.
pub(crate) const BUSY_BLOCKS: Row =
    Row::new("busy_blocks", "u32", CELL_BLOCKS.and_one()).persistent();

/// Workgroups of passes over their cells.
pub(crate) const BUSY_DISPATCH: Row =
    Row { drawn: true, ..Row::new("busy_dispatch", "u32", ONE.times(3)).persistent() };

/// Number of the solids whose walls may be within two cells of a block, and the first 31 of them; of all solids where these are
/// more than 31.
pub(crate) const BLOCK_SOLIDS: Row = Row::new("block_solids", "array<u32, 32>", CELL_BLOCKS);

/// Their list.
pub(crate) const NEAR: Pass = passes::each("grid/near", CELL_BLOCKS);

/// Passes that every grid method has.
pub(crate) const PASSES: &[Pass] = &[LEAVE, CROWD, BUSY, LIST];

/// Arrays that every grid method has.
pub(crate) const ARRAYS: &[Row] = &[BLOCK_BUSY, BLOCK_START, BUSY_BLOCKS, BUSY_DISPATCH];

/// List of the cells that have something to do, after a sort, and the failure of those with too many particles.
pub(crate) fn busy() -> Vec<Entry> {
    let [scan, list] = listed(stage("grid/list"));
    vec![run("grid/busy"), scan, list, run("grid/crowd")]
}

/// List of all cells. Their fields are not sums of particles after the first step: crowds are no failure.
pub(crate) fn all() -> Entry {
    run("grid/all")
}

/// List of the blocks of which `block_busy` is 1.
pub(crate) fn listed(list: Stage) -> [Entry; 2] {
    [scan("block_busy", "block_start", CELL_BLOCKS.and_one()), list.into()]
}

/// Problems of a scene whose solver has particles and a grid of cells.
pub(crate) fn problems(scene: &Scene, chosen: &Chosen) -> Vec<Problem> {
    let mut problems = problems_of_cells(scene, chosen);
    let cell = &key(chosen);
    let mut refuse = |key: &str, message: String| problems.push(Problem::new(key, message));
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
    problems
}

/// Warnings of solids and bodies of fluid that are thinner than two cells; `effect` is what a thin solid does.
pub(crate) fn warnings(scene: &Scene, chosen: &Chosen, effect: &str) -> Vec<String> {
    let edge = chosen.length(scene);
    let cell = Length(edge);
    // Thickness along the thinnest axis, of what has any.
    let thin = |shape: &Shape| {
        let (_, half) = shape.bounds();
        let sides = half.to_array().into_iter().take(scene.dimensions as usize);
        let thickness = 2.0 * sides.fold(f64::INFINITY, f64::min);
        (thickness > 0.0 && thickness < 2.0 * edge * (1.0 - 1e-6)).then_some(thickness)
    };
    let bodies = scene.bodies.iter().enumerate().filter_map(|(number, one)| {
        let thickness = thin(&one.shape)?;
        Some(format!(
            "body[{number}] is {} thick, less than two cells of {cell}: {effect}; {}",
            Length(thickness),
            remedy(scene, chosen, thickness)
        ))
    });
    let outside = scene.boundaries.iter().enumerate().filter(|(_, one)| one.side == Side::Outside);
    let solids = outside.filter_map(|(number, one)| {
        if let Some(solid) = one.shape.mesh().filter(|_| scene.dimensions == 3) {
            return walls(number, solid, chosen, scene, effect);
        }
        let thickness = thin(&one.shape)?;
        Some(format!(
            "boundary[{number}] is {} thick, less than two cells of {cell}: {effect}; {}",
            Length(thickness),
            remedy(scene, chosen, thickness)
        ))
    });
    let fluids = scene.fluids.iter().enumerate().filter_map(|(number, one)| {
        let thickness = thin(&one.shape)?;
        Some(format!(
            "fluid[{number}] is {} thick, less than two cells of {cell}: it has no inside",
            Length(thickness)
        ))
    });
    solids.chain(bodies).chain(fluids).collect()
}

/// The key by which a thickness is two cells.
fn remedy(scene: &Scene, chosen: &Chosen, thickness: f64) -> String {
    let (key, value) = match chosen.family().has_particles {
        true => ("particle_radius".to_owned(), scene.particle_radius / chosen.length(scene)),
        false => (key(chosen), 1.0),
    };
    format!("{key} = {} makes it two cells", at_most(value * thickness / 2.0))
}

/// A length in m with three digits, of which the last is rounded down: as an upper bound the text is not beyond it.
fn at_most(length: f64) -> String {
    let text = format!("{length:.2e}");
    let unit = 10f64.powf(length.log10().floor() - 2.0);
    let beyond = text.parse().is_ok_and(|rounded: f64| rounded > length * (1.0 + 1e-9));
    if beyond { format!("{:.2e}", length - 0.5 * unit) } else { text }
}

/// Warning about a boundary whose mesh has thin walls.
fn walls(
    number: usize,
    solid: &Solid,
    chosen: &Chosen,
    scene: &Scene,
    effect: &str,
) -> Option<String> {
    let edge = chosen.length(scene);
    let thin = solid.thin(2.0 * edge * (1.0 - 1e-6), THIN_SHARE)?;
    let begin = format!("boundary[{number}].shape.mesh");
    if thin.thickness == 0.0 {
        return Some(format!(
            "{begin} is a sheet, and two cells are {}: {effect}; give it that thickness{}",
            Length(2.0 * edge),
            if chosen.family().has_particles { ", or take a solver of SPH" } else { "" }
        ));
    }
    let share = 100.0 * thin.share;
    Some(format!(
        "{begin} has {share:.0} % of its surface on walls that are {} thick, less than two cells of {}: \
         {effect}; {}",
        Length(thin.thickness),
        Length(edge),
        remedy(scene, chosen, thin.least)
    ))
}

/// Warnings about drops of a few cells, whose splashes show these.
pub(crate) fn drops(scene: &Scene, chosen: &Chosen) -> Vec<String> {
    let edge = chosen.length(scene);
    let drop = |(number, fluid): (usize, &Fluid)| {
        let (_, half) = fluid.shape.bounds();
        let sides = half.to_array().into_iter().take(scene.dimensions as usize);
        let cells = 2.0 * sides.fold(0.0, f64::max) / edge;
        (cells > 0.0 && cells < DROP * (1.0 - 1e-6)).then(|| {
            format!(
                "fluid[{number}] is {cells:.1} cells of {} across: what splashes shows the cells, a square crown; \
                 particle_radius = {} has {DROP} cells there",
                Length(edge),
                at_most(scene.particle_radius * cells / DROP)
            )
        })
    };
    scene.fluids.iter().enumerate().filter_map(drop).collect()
}

/// Key of the edge of the scene's cells.
fn key(chosen: &Chosen) -> String {
    format!("{}.{}", chosen.solver().table(), CELL.name)
}

/// Problems of a scene whose solver has a grid of cells.
pub(crate) fn problems_of_cells(scene: &Scene, chosen: &Chosen) -> Vec<Problem> {
    let mut problems = Vec::new();
    let cell = &key(chosen);
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
        let foreign = owner.filter(|method| {
            // These say themselves whether they can join.
            method.family() != Some(chosen.family()) && !Axis::SWITCHED.contains(&method.axis)
        });
        if let Some(method) = foreign {
            let whose = if method.axis == Axis::Solver { method.name } else { method.axis.name() };
            refuse(&path, format!("must be left out: it is a key of {whose:?}, not of {solver:?}"));
        }
    }
    if !scene.bodies.is_empty() && !chosen.family().has_bodies {
        let message = format!(
            "must be a [[boundary]], with motion if it moves: {solver:?} has no rigid bodies yet"
        );
        refuse("body[0]", message);
    }
    for (number, boundary) in scene.boundaries.iter().enumerate() {
        if boundary.suction.is_some() {
            let message = format!(
                "must be left out: it is of the solvers of SPH; with {solver:?} contact = \"slip\" keeps fluid on the wall"
            );
            refuse(&format!("boundary[{number}].suction"), message);
        }
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
    let edge = chosen.length(scene);
    if let Some(domain) = &scene.domain {
        for axis in (0..scene.dimensions as usize).filter(|axis| domain.periodic[*axis]) {
            let length = domain.max[axis] - domain.min[axis];
            let cells = length / edge;
            let whole = cells.round();
            if whole < 3.0 || (cells - whole).abs() > 1e-6 * cells {
                // Nine digits are enough, and are not those of a quotient's rounding.
                let written = |length: f64| format!("{length:.8e}").parse().unwrap_or(length);
                let [fewer, more] = [cells.ceil(), cells.floor()]
                    .map(|cells: f64| written(length / cells.max(3.0)));
                let what = match fewer == more {
                    true => format!("{more}"),
                    false => format!("{fewer} or {more}"),
                };
                refuse(
                    cell,
                    format!(
                        "must divide the periodic length {length} m of the domain into whole cells, at least 3: {what} m, not \
                         {edge} m"
                    ),
                );
            }
        }
    }
    problems
}
