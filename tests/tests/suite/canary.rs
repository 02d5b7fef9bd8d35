//! The comparison itself must fail on output that is wrong: perturbed, unwritten, stray or NaN, and on
//! constants that are 1 % off.

use conformance::{
    cases::Case,
    compare::{Stop, check},
    device::{Flavour, gpu},
    moment::Moment,
    single::Side,
};
use meniscus::Shaders;
use meniscus_methods::Registry;
use meniscus_model::Setup;

/// Asserts that a scene notices these changes of a shader file, and that the comparison names the array.
fn noticed([scene, solver]: [&str; 2], file: &str, changes: &[(&str, &str)], array: &str) {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let case = Case::read(scene);
    // Surfaces come with the first solver.
    let first = case.solvers().remove(0);
    let solver = if file.starts_with("surface/") { &first } else { solver };
    let setup = Setup::with_methods(&case.with(solver), &Registry::standard()).expect("a scene");
    let mut shaders = Shaders::standard().for_scene(&setup);
    let text = meniscus_wgsl::file(file).unwrap_or_else(|| panic!("no file is named {file}"));
    let changed = changes.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{file} no longer contains {from}");
        text.replacen(from, to, 1)
    });
    shaders.insert(file, changed);
    let pass = match file {
        STATE => "muller/pressure",
        _ if file.starts_with("terms/") => "sph/forces",
        _ if file.starts_with("materials/") || file == SOLIDS => "mpm/deform",
        FROM_NODES => "mls_mpm/update",
        _ => file,
    };
    let side = Side::new(gpu, shaders);
    let see = &mut |moment: &Moment| check(&side, moment).map(drop);
    match case.run(solver, Some(pass), see) {
        Err(Stop::Differs(difference)) => assert!(difference.array.contains(array), "{difference}"),
        Err(Stop::Failed(error)) => panic!("{file}: {error}"),
        Ok(_) => panic!("{scene}, {solver}: {file} conforms although it was changed: {changes:?}"),
    }
}

/// What both equations of state share.
const STATE: &str = "common/equation_of_state";

/// The walk from nodes to particles.
const FROM_NODES: &str = "common/from_nodes";

const SEAMS: [&str; 2] = ["seams", "wcsph"];
const DFSPH: [&str; 2] = ["seams", "dfsph"];
const MULLER: [&str; 2] = ["seams", "muller"];
const BODIES: [&str; 2] = ["bodies", "wcsph"];
const WALLS: [&str; 2] = ["walls", "wcsph"];
const SOURCES: [&str; 2] = ["sources", "dfsph"];
const APIC: [&str; 2] = ["liquid", "apic"];
const FLIP: [&str; 2] = ["liquid", "flip"];
const PLATE: [&str; 2] = ["drop_on_plate", "flip"];
const SMOKE: [&str; 2] = ["smoke", "stable_fluids"];
const MPM: [&str; 2] = ["mpm", "mls_mpm"];
const STRETCHED: [&str; 2] = ["mpm_stretched", "mls_mpm"];
/// What solids among material points share.
const SOLIDS: &str = "common/solid_points";

#[test]
fn a_constant_that_is_one_percent_off_is_noticed() {
    for (scene, file, from, to, array) in [
        (MULLER, STATE, "material.mass /", "1.01 * material.mass /", "sorted_position"),
        (
            MULLER,
            "muller/pressure",
            "return material.stiffness",
            "return 1.01 * material.stiffness",
            "velocity",
        ),
        (
            SEAMS,
            "wcsph/pressure",
            "return material.stiffness",
            "return 1.01 * material.stiffness",
            "velocity",
        ),
        (
            SEAMS,
            "surface/volume",
            "material_of(who).mass",
            "1.01 * material_of(who).mass",
            "sorted_position",
        ),
        (DFSPH, "sph/factor", "compressed - 1.0", "compressed - 1.0 + 0.009", "factor"),
        (DFSPH, "sph/warm", "part * warm", "1.01 * part * warm", "kappa"),
        (DFSPH, "integrate/kick", "+ control.dt", "+ 1.01 * control.dt", "sorted_velocity"),
        (DFSPH, "sph/push", "per_step() *", "1.01 * per_step() *", "sorted_velocity"),
        (SOURCES, "integrate/fields", "+= vec4<f32>(a,", "+= vec4<f32>(1.01 * a,", "acceleration"),
        (BODIES, "body/kick", "torque += cross", "torque += 1.01 * cross", "bod"),
    ] {
        noticed(scene, file, &[(from, to)], array);
    }
}

#[test]
fn a_constant_of_a_grid_that_is_one_percent_off_is_noticed() {
    for (scene, file, from, to, array) in [
        (APIC, "apic/gather", "0.5 * params", "0.505 * params", "face"),
        (APIC, "apic/update", "sum.xyz / params", "1.01 * sum.xyz / params", "affine"),
        (APIC, "poisson/divergence", "r *= params", "r *= 1.01 * params", "poisson_dots"),
        (APIC, "poisson/apply", "var w = own.w", "var w = 1.01 * own.w", "poisson_"),
        (APIC, "grid/project", "u[axis] -= rise", "u[axis] -= 1.01 * rise", "face"),
        (PLATE, "liquid/blur", "20.0 * at", "20.2 * at", "poisson_"),
        (PLATE, "liquid/distance", "log(share", "1.01 * log(share", "level_set"),
        (PLATE, "liquid/mirror", "way * coll", "1.01 * way * coll", "shift"),
        (FLIP, "flip/update", "+ own;", "+ 1.01 * own;", "velocity"),
        (SMOKE, "smoke/force", "u[axis] += dt *", "u[axis] += 1.01 * dt *", "face"),
        (SMOKE, "smoke/vorticity", "return 0.5 * (mean", "return 0.505 * (mean", "vorticity"),
        (
            SMOKE,
            "smoke/advect",
            "center(cell))",
            "center(cell) + 0.01 * params.grid.cell)",
            "smoke",
        ),
        (MPM, "mls_mpm/point", "part = 4.0", "part = 4.04", "point_"),
        (MPM, "mls_mpm/gather", "mass += w", "mass += 1.01 * w", "node"),
        (MPM, FROM_NODES, "scale = 4.0", "scale = 4.04", "affine"),
        (MPM, "mpm/deform", "change = control.dt", "change = 1.01 * control.dt", "deformation"),
        (MPM, "materials/sand", "2.0 * own.shear * e", "2.02 * own.shear * e", "stress"),
        (STRETCHED, SOLIDS, "+ lambda * j", "+ 1.01 * lambda * j", "stress"),
        (STRETCHED, SOLIDS, "+ 0.5 * lambda", "+ 0.505 * lambda", "stress"),
        (STRETCHED, "materials/water", "= material.visc", "= 1.01 * material.visc", "stress"),
    ] {
        noticed(scene, file, &[(from, to)], array);
    }
}

#[test]
fn a_perturbed_result_is_noticed() {
    for (scene, file, from, to, array) in [
        (SEAMS, "sph/density", "* sum *", "* 1.00001 * sum *", "density"),
        (
            MULLER,
            "terms/pressure_muller",
            "+ pressure_of",
            "+ 1.0001 * pressure_of",
            "acceleration",
        ),
        (SEAMS, "terms/pressure_wcsph", ") / volume_i", ") / pair.volume", "acceleration"),
        (SEAMS, "integrate/drift", "0.5 *", "0.501 *", "position"),
        (SEAMS, "surface/field", "mine), d", "mine), 1.00001 * d", "surface_field"),
        (SEAMS, "surface/shape", "FULL = 0.15;", "FULL = 0.1501;", "surface_shape"),
        (SEAMS, "surface/shape", "SMOOTHING = 0.9", "SMOOTHING = 0.9001", "smoothed_position"),
        (SEAMS, "surface/field_anisotropic", "+ heights * dot", "+ 1.001 * heights * dot", "field"),
        (SEAMS, "surface/vertices", "1.0 - MARGIN);", "1.0 - MARGIN) + 1e-5;", "surface_"),
    ] {
        noticed(scene, file, &[(from, to)], array);
    }
}

#[test]
fn a_wrong_mesh_is_noticed() {
    for (file, from, to, array) in [
        ("surface/mark", ">= vec3<f32>(0.25)", ">= vec3<f32>(0.3)", "surface_state"),
        ("surface/touch", "0xccu, 0xffu, 0x33u", "0x33u, 0xffu, 0xccu", "surface_flag"),
        ("surface/list", "cell, pack", "cell.yxz, pack", "surface_tiles"),
        ("surface/classify", "value > surface", "value >= 0.9 * surface", "surface_nodes"),
        ("surface/draw", "indices <= surface", "indices + 8u <= surface", "surface_"),
        (
            "surface/indices",
            "(owner >> 3u) + before",
            "(owner >> 3u) + 2u - before",
            "surface_index",
        ),
        ("surface/ring", "at - STRIDE[c]", "at - STRIDE[b]", "surface_ring"),
        ("surface/smooth", "+ surface_position[ring.w].xyz", "+ x.xyz", "surface_"),
        (
            "surface/velocity",
            "vec4<f32>(mean, 0.0)",
            "vec4<f32>(mean.yxz, 0.0)",
            "surface_velocity",
        ),
        ("surface/splat", "-n / steepness", "n / steepness", "splat_normal"),
    ] {
        noticed(WALLS, file, &[(from, to)], array);
    }
}

#[test]
fn the_misprint_of_equation_10_is_noticed() {
    // ρ_i instead of ρ_j: the neighbour's volume m_j/ρ_j becomes the particle's own.
    let misprints =
        [("(pair, pair.volume *", "(pair, select(0.0, volume_i, pair.volume != 0.0) *")];
    noticed(MULLER, "terms/pressure_muller", &misprints, "acceleration");
}

#[test]
fn an_unwritten_result_is_noticed() {
    let rank = ("order[start + rank] = i;", "if (i != 7u) { order[start + rank] = i; }");
    noticed(SEAMS, "sort/rank", &[rank], "order");
    noticed(
        SEAMS,
        "sph/density",
        &[("if (live) {", "if (live && member.slot % 8u != 5u) {")],
        "density",
    );
    noticed(SEAMS, "sort/rank", &[("atomicStore(&cell_count[bucket], 0u);", "")], "cell_count");
}

#[test]
fn a_stray_write_is_noticed() {
    let write = "sorted_identity[s] = who;";
    let stray = format!("{write} sorted_position[(s + 1u) % 300u].y += 1.0;");
    noticed(SEAMS, "sort/reorder", &[(write, &stray)], "sorted_position");
    let stray = "binned[params.counts.capacity - 1u].x = 3u; binned[cell_start";
    noticed(SOURCES, "sort/bin", &[("binned[cell_start", stray)], "binned");
    let stray = "control.step += 1u; control.next_id += 1u;";
    noticed(SEAMS, "time/end_step", &[("control.step += 1u;", stray)], "control");
}

#[test]
fn a_nan_is_noticed() {
    let nan = "select(material.mass / density[i], bitcast<f32>(0x7fc00000u | min(i, 0u)), i == 9u)";
    noticed(MULLER, STATE, &[("material.mass / density[i]", nan)], "sorted_position");
}

#[test]
fn an_unordered_sort_is_noticed() {
    noticed(SEAMS, "sort/rank", &[("there < x.x", "other.y < i")], "order");
}
