//! The free surface: particles of it are found by the eigenvalues and the cone of Marrone et al. 2010, and the distance of
//! others from it.
//!
//! With `density_correction` densities are divided by the share of the kernel that is full, which is summed over the nodes of
//! a level set, for every pressure method at the place where it takes them ([`Corrected`]).
//!
//! It joins the scenes that need it: those with the tension near the surface, and those with this correction under any
//! tension. A scene that names it beside its tension has its quantities.

use std::f64::consts::PI;

use meniscus_scene::{Problem, Scene, Value};

use crate::{
    Axis, Chosen, Corrected, Key, Method, Number, Place, Quantity, Scope,
    arrays::{Lane, Row},
    kernel,
    lists::sort::{clear, scan},
    passes,
    quantity::{Form, up_to},
    space::{CELLS, FLUID, LEVEL_COLUMNS, MEMBERS, ONE, PARTICLES, TENSION},
    stage::{Entry, run, stage},
};

/// Key of the correction.
const CORRECTION: &str = "tension.density_correction";

/// Outward unit normal, 0 where there is none, and the smallest eigenvalue λ; in cell order.
const NORMAL: Row = Row::new("tension_normal", "vec4<f32>", PARTICLES).lanes(&[
    Lane { lanes: "xyz", quantity: "normal", unit: "" },
    Lane { lanes: "w", quantity: "lambda", unit: "" },
]);

/// h times the gradient of the volumes' sum, into the fluid, and the distance from the surface, at most h.
const GRADIENT: Row = Row::new("tension_gradient", "vec4<f32>", PARTICLES).lanes(&[
    Lane { lanes: "xyz", quantity: "gradient", unit: "" },
    Lane { lanes: "w", quantity: "surface_distance", unit: "m" },
]);

/// 0 inside, 2 at the surface, 3 in a splash.
const CLASS: Row = Row::new("tension_class", "u32", PARTICLES).lanes(&[Lane {
    lanes: "x",
    quantity: "surface",
    unit: "",
}]);

/// Share of the kernel that is full, for PCISPH with what `tension/correct_fill` leaves for later, and rest density; in
/// cell order.
const FILL: Row = Row::new("tension_fill", "vec2<f32>", PARTICLES).lanes(&[
    Lane { lanes: "x", quantity: "fill", unit: "" },
    Lane { lanes: "y", quantity: "rest_density", unit: "kg/m³" },
]);

/// Component of the normal.
const fn component(name: &'static str, lane: &'static str) -> Quantity {
    Quantity::new(name, NORMAL, lane, "component of the surface's outward normal; 0 inside")
        .range(|_| [-1.0, 1.0])
}

/// Normals, classes and distances, and the correction of densities.
pub const METHOD: Method = Method {
    source: "Marrone et al. 2010",
    help: "no tension, but where the surface is, as colours and numbers; joins where the correction of densities or shifts of particles need it",
    implied: |scene, chosen| {
        let near = |method: &&Method| method.name == super::near_surface::METHOD.name;
        let wanted = is_wanted(scene.settings.get(CORRECTION)) || Axis::Shifting.is_on(scene);
        wanted || chosen.iter().any(near)
    },
    keys: &[&[
        Key::flag(
            "density_correction",
            "Divide densities at the free surface by the share of the kernel that is full, with any tension.",
        ),
        Key::number(
            "correction_limit",
            [0.0, 0.05],
            0.003,
            "Largest compression that the density correction adds.",
        ),
    ]],
    numbers: &[
        Number::new("gradient", "1/g of gradients of the volumes' sum", |scene| {
            let (h, spacing) = (scene.support_radius(), scene.scene.spacing());
            1.0 / kernel::lattice_gradient(scene.kernel(), h, spacing, scene.scene.dimensions)
        }),
        Number::new("share", "β of the tension near the surface", |scene| {
            scene.number("tension.cohesion_share")
        }),
        Number::new("unit", "1 if the area's normals are unit normals, else 0", |scene| {
            f64::from(u8::from(scene.choice("tension.normals") == "unit"))
        }),
        Number::new("offset", "δ in m, from the outermost particles to the surface", |scene| {
            let (h, spacing) = (scene.support_radius(), scene.scene.spacing());
            match scene.flag("tension.density_correction") {
                true => kernel::surface_offset(scene.kernel(), h, spacing, scene.scene.dimensions),
                false => 0.0,
            }
        }),
        Number::new("ball", "radius in m of a particle's volume", |scene| {
            let spacing = scene.scene.spacing();
            match scene.scene.dimensions {
                2 => spacing / PI.sqrt(),
                _ => spacing * (3.0 / (4.0 * PI)).cbrt(),
            }
        }),
        Number::new("nodes", "1/Σ W ΔV over the nodes within h of one", |scene| {
            let h = scene.support_radius();
            1.0 / kernel::lattice_sum(scene.kernel(), h, 0.25 * h, scene.scene.dimensions)
        }),
        Number::new("own", "share of a particle in its own density", |scene| {
            let (h, spacing, dimensions) =
                (scene.support_radius(), scene.scene.spacing(), scene.scene.dimensions);
            let center = kernel::density(scene.kernel(), h, dimensions, 0.0);
            center * spacing.powi(dimensions as i32)
                / kernel::lattice_sum(scene.kernel(), h, spacing, dimensions)
        }),
        Number::new("limit", "ε, the largest compression that the correction adds", |scene| {
            scene.number("tension.correction_limit")
        }),
        Number::new(
            "rate",
            "share in 1/s of the compression that the correction adds which solvers correct",
            |scene| 0.1 / super::longest_step(scene.support_radius(), &scene.matter()),
        ),
    ],
    stages: &[(Place::Density, stages), (Place::End, restore)],
    arrays: &[&[
        NORMAL,
        GRADIENT,
        CLASS,
        FILL,
        // ρ' in kg/m³, in cell order.
        Row::new("density_filled", "f32", PARTICLES),
        // Particles of the surface: their number in each cell, its sums, and their slots.
        Row::new("levelset_count", "u32", CELLS.and_one()),
        Row::new("levelset_start", "u32", CELLS.and_one()),
        Row::new("levelset_slot", "u32", PARTICLES),
        // Cells near the surface: 1 of these, its sums, a list of them, workgroups of passes over their columns and their number;
        // empty shares 1 − H of the 64 nodes of each cell in 8 bits each.
        Row::new("levelset_flag", "u32", CELLS),
        Row::new("levelset_place", "u32", CELLS),
        Row::new("levelset_cells", "u32", CELLS),
        Row { drawn: true, ..Row::new("levelset_dispatch", "u32", ONE.times(4)) },
        Row::new("levelset_empty", "u32", CELLS.times(16)),
    ]],
    passes: &[&[
        passes::each("tension/normals", MEMBERS),
        passes::each("tension/class", MEMBERS),
        passes::each("levelset/mark", CELLS.and_one()),
        passes::each("levelset/touch", CELLS),
        passes::each("tension/near", MEMBERS),
        passes::each("levelset/list", CELLS),
        passes::each("levelset/field", LEVEL_COLUMNS),
        passes::each("levelset/solid", LEVEL_COLUMNS),
        passes::each("levelset/fill", FLUID),
        passes::each("tension/correct", FLUID),
        passes::each("tension/correct_excess", FLUID),
        passes::each("tension/correct_fill", FLUID),
        passes::each("tension/restore", FLUID),
        passes::each("pcisph/compression_filled", MEMBERS),
    ]],
    quantities: &[
        Quantity::new("surface", CLASS, "x", "0 inside, 2 at the surface, 3 in a splash")
            .title("class of the surface")
            .form(Form::Label),
        Quantity::new("lambda", NORMAL, "w", "smallest eigenvalue λ, 1 inside"),
        component("normal_x", "x"),
        component("normal_y", "y"),
        component("normal_z", "z"),
        Quantity::new(
            "color_gradient",
            GRADIENT,
            "xyz",
            "h |∇c| of the colour field c, the volumes' sum: the surface where it is large (Müller et al. 2003)",
        ),
        Quantity::new("surface_distance", GRADIENT, "w", "distance from the surface, at most h")
            .range(|scene| up_to(scene.support_radius)),
    ],
    problems: Some(problems),
    warnings: Some(warnings),
    ..Method::new("free_surface", Axis::Tension)
};

/// Whether a setting asks for the correction.
fn is_wanted(setting: Option<&Value>) -> bool {
    setting == Some(&Value::Flag(true))
}

fn stages(scope: &Scope) -> Vec<Entry> {
    let found =
        ["tension/normals", "tension/class", "levelset/mark", "levelset/touch", "tension/near"];
    if !scope.corrects_density() {
        // A scene that names it has its quantities without tension, too.
        let near = |method: &Method| method.name == super::near_surface::METHOD.name;
        let shifts = scope.chosen.methods().any(|method| method.axis == Axis::Shifting);
        if shifts || !scope.chosen.methods().any(near) {
            return found.map(run).into();
        }
        return found.map(|pass| stage(pass).when(TENSION).into()).into();
    }
    let mut list: Vec<Entry> = found.map(run).into();
    list.push(scan("levelset_count", "levelset_start", CELLS.and_one()));
    list.push(scan("levelset_flag", "levelset_place", CELLS));
    list.push(run("levelset/list"));
    list.push(clear("levelset_empty", CELLS.times(16)));
    // The pass walks over the list of the surface's particles in place of all.
    let exchanged = stage("levelset/field").with("cell_start", "levelset_start");
    list.push(exchanged.with("levelset_start", "cell_start").into());
    if scope.colliders > 0 {
        list.push(run("levelset/solid"));
    }
    list.push(run("levelset/fill"));
    list.push(run(match scope.chosen.sph().map(|sph| sph.corrected) {
        Some(Corrected::Excess) => "tension/correct_excess",
        Some(Corrected::Anew) => "tension/correct_fill",
        Some(Corrected::Density) | None => "tension/correct",
    }));
    list
}

/// Densities of particles as without the correction.
fn restore(scope: &Scope) -> Vec<Entry> {
    let changed = scope.corrects_density()
        && scope.chosen.sph().map(|sph| sph.corrected) == Some(Corrected::Density);
    if changed { vec![run("tension/restore")] } else { Vec::new() }
}

fn problems(scene: &Scene, chosen: &Chosen) -> Vec<Problem> {
    let mut problems = Vec::new();
    if !is_wanted(scene.settings.get(CORRECTION)) {
        return problems;
    }
    let continuity = Value::Text("continuity".into());
    if chosen.sph().map(|sph| sph.corrected) == Some(Corrected::Density)
        && scene.settings.get("wcsph.density") == Some(&continuity)
    {
        let message = "densities by the continuity equation are those at rest at the surface anyway: leave one of both out";
        problems.push(Problem::new(CORRECTION, message));
    }
    problems
}

fn warnings(scene: &Scene, chosen: &Chosen) -> Vec<String> {
    let iterates = chosen.sph().is_some_and(|sph| sph.corrected != Corrected::Density);
    if !iterates || super::acts(scene) || !is_wanted(scene.settings.get(CORRECTION)) {
        return Vec::new();
    }
    let message = format!(
        "{CORRECTION} has no effect: without surface tension {} leaves a free surface as it is",
        chosen.solver().name
    );
    vec![message]
}
