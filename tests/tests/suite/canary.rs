//! The harness itself must fail on output that is wrong: perturbed, unwritten, stray or NaN.

use conformance::{
    compare::{Expected, check, source},
    device::{Flavour, gpu},
    fixture::{Kind, just_before},
    rows::ROWS,
    worlds::kinds,
};

/// Asserts that the comparison fails in one of some worlds, and names the buffer, when these parts of
/// the pass's file are changed.
fn noticed(pass: &str, changes: &[(&str, &str)], buffer: &str) {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let row = ROWS.iter().find(|row| row.pass == pass).expect("the row exists");
    let sabotage = |source: &str| {
        changes.iter().fold(source.to_owned(), |source, (from, to)| {
            assert!(source.contains(from), "{pass} no longer contains {from}");
            source.replacen(from, to, 1)
        })
    };
    let error = [300, 500, 309].into_iter().find_map(|particles| {
        let world = just_before(pass, Kind::of(particles)).expect("the pass is run");
        check(gpu, row, &world, None).expect("unchanged, the pass conforms");
        check(gpu, row, &world, Some(&sabotage)).err()
    });
    let Some(error) = error else { panic!("{pass} conforms although it was changed: {changes:?}") };
    assert!(error.contains(buffer), "{error}");
}

fn reported(pass: &str, from: &str, to: &str, buffer: &str) {
    noticed(pass, &[(from, to)], buffer);
}

/// Checks that after a change of this part of the pass's file the comparison fails in every world
/// in which the pass writes to the buffer. Returns the number of these worlds.
fn noticed_everywhere(pass: &str, from: &str, to: &str, buffer: &str) -> usize {
    let Some(gpu) = gpu(Flavour::Default) else { return usize::MAX };
    let row = ROWS.iter().find(|row| row.pass == pass).expect("the row exists");
    let text = source(pass).replacen(from, to, 1);
    assert_ne!(text, source(pass), "{pass} no longer contains {from}");
    let mut worlds = 0;
    for kind in kinds(row) {
        // A step of no length changes nothing.
        let world = just_before(pass, kind).filter(|world| world.control.dt > 0.0);
        let Some(world) = world else { continue };
        let expected = Expected::of(row, &world);
        if expected.writes(buffer) {
            let error = expected.compare(gpu, &[(pass, text.clone())]).err();
            let error = error.unwrap_or_else(|| panic!("{kind:?}: {pass} conforms with {to}"));
            assert!(error.contains(buffer), "{kind:?}: {error}");
            worlds += 1;
        }
    }
    worlds
}

/// Small errors that were once detected in few or none of 14 to 18 worlds.
#[test]
fn small_errors_are_noticed_in_every_world() {
    for (pass, from, to, buffer) in [
        ("muller/pressure", "material.mass /", "1.01 * material.mass /", "sorted_position"),
        (
            "muller/pressure",
            "= material.stiffness",
            "= 1.01 * material.stiffness",
            "sorted_velocity",
        ),
        ("wcsph/pressure", "material.mass /", "1.01 * material.mass /", "sorted_position"),
        (
            "wcsph/pressure",
            "= material.stiffness",
            "= 1.01 * material.stiffness",
            "sorted_velocity",
        ),
        ("surface/volume", "= material_of", "= 1.01 * material_of", "sorted_position"),
        ("sph/factor", "compressed - 1.0", "compressed - 1.0 + 0.009", "factor"),
        ("sph/warm", "part * warm", "1.02 * part * warm", "kappa"),
        ("integrate/kick", "+ control.dt", "+ 1.001 * control.dt", "sorted_velocity"),
        ("sph/push", "per_step() *", "1.02 * per_step() *", "sorted_velocity"),
        ("integrate/fields", "+= vec4<f32>(a,", "+= vec4<f32>(1.001 * a,", "acceleration"),
    ] {
        // In the others there are no particles except those of emitters, or no pressures.
        let worlds = noticed_everywhere(pass, from, to, buffer);
        assert!(worlds >= 12, "{pass} writes {buffer} in {worlds} worlds only");
    }
}

#[test]
fn a_perturbed_result_is_noticed() {
    reported("sph/density", "* sum *", "* 1.00001 * sum *", "density");
    let muller = "sph/forces+pressure_muller";
    reported(muller, "+ pressure_of", "+ 1.0001 * pressure_of", "acceleration");
    reported("sph/forces+pressure_wcsph", ") / volume_i", ") / pair.volume", "acceleration");
    reported("integrate/drift", "0.5 *", "0.501 *", "position");
    reported("surface/field", "mine) * d", "mine) * 1.00001 * d", "surface_field");
    reported("surface/shape", "FULL = 0.15;", "FULL = 0.1501;", "surface_shape");
    reported("surface/shape", "products += w", "products -= w", "surface_shape");
    reported("surface/shape", "SMOOTHING = 0.9", "SMOOTHING = 0.9001", "smoothed_position");
    reported("surface/field_anisotropic", "+ heights * dot", "+ 1.001 * heights * dot", "field");
    reported("surface/field_anisotropic", "shape[0].w", "1.0", "surface_field");
    reported("surface/vertices", "1.0 - MARGIN);", "1.0 - MARGIN) + 1e-5;", "surface_position");
}

#[test]
fn a_wrong_mesh_is_noticed() {
    reported("surface/mark", ">= vec3<f32>(0.25)", ">= vec3<f32>(0.3)", "surface_state");
    reported("surface/touch", "0xccu, 0xffu, 0x33u", "0x33u, 0xffu, 0xccu", "surface_flag");
    reported("surface/list", "cell, pack", "cell.yxz, pack", "surface_tiles");
    reported("surface/classify", "value > surface", "value >= 0.99 * surface", "surface_nodes");
    reported("surface/draw", "indices <= surface", "indices + 8u <= surface", "surface_draw");
    reported(
        "surface/indices",
        "(owner >> 3u) + before",
        "(owner >> 3u) + 2u - before",
        "surface_index",
    );
    reported("surface/ring", "at - STRIDE[c]", "at - STRIDE[b]", "surface_ring");
    reported("surface/smooth", "+ surface_position[ring.w].xyz", "+ x.xyz", "surface_smoothed");
    reported("surface/speed", "length(velocity_sum)", "abs(velocity_sum.x)", "surface_position");
    reported("surface/splat", "-n / steepness", "n / steepness", "splat_normal");
}

#[test]
fn the_misprint_of_equation_10_is_noticed() {
    // ρ_i instead of ρ_j: the neighbour's volume m_j/ρ_j becomes the particle's own.
    let misprints =
        [("(pair, pair.volume *", "(pair, select(0.0, volume_i, pair.volume != 0.0) *")];
    noticed("sph/forces+pressure_muller", &misprints, "acceleration");
}

#[test]
fn an_unwritten_result_is_noticed() {
    reported(
        "sort/rank",
        "order[start + rank] = i;",
        "if (i != 7u) { order[start + rank] = i; }",
        "order",
    );
    reported("sph/density", "if (live) {", "if (live && i % 8u != 5u) {", "density");
    reported("reduce/clear", "values[i] = 0u;", "", "values");
}

#[test]
fn a_stray_write_is_noticed() {
    reported(
        "sort/reorder",
        "sorted_identity[s] = who;",
        "sorted_identity[s] = who; sorted_position[(s + 1u) % 300u].y += 1.0;",
        "sorted_position",
    );
    reported(
        "sort/bin",
        "binned[cell_start",
        "binned[params.counts.capacity - 1u].x = 3u; binned[cell_start",
        "binned",
    );
    reported(
        "time/end_step",
        "control.step += 1u;",
        "control.step += 1u; control.next_id += 1u;",
        "Control",
    );
}

#[test]
fn a_nan_is_noticed() {
    reported(
        "muller/pressure",
        "material.mass / density[i]",
        "select(material.mass / density[i], bitcast<f32>(0x7fc00000u | min(i, 0u)), i == 9u)",
        "sorted_position",
    );
}

#[test]
fn an_unordered_sort_is_noticed() {
    reported("sort/rank", "there < x.x", "other.y < i", "order");
    reported("sort/rank", "there == x.x && other.x < who.x", "false", "order");
}
