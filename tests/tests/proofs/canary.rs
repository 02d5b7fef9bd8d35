//! The harness itself must fail on output that is wrong: perturbed, unwritten, stray or NaN.

use conformance::{
    compare::check,
    device::{Flavour, gpu},
    fixture::{Kind, just_before},
    rows::ROWS,
};

/// What the comparison says when `from` in the pass's file is changed into `to`.
fn verdict(pass: &str, from: &str, to: &str) -> Option<String> {
    let gpu = gpu(Flavour::Default)?;
    let row = ROWS.iter().find(|row| row.pass == pass).expect("the row exists");
    let world = just_before(pass, Kind::of(300));
    check(gpu, row, &world, None).expect("unchanged, the pass conforms");
    let sabotage = |source: &str| {
        assert!(source.contains(from), "{pass} no longer contains {from}");
        source.replacen(from, to, 1)
    };
    let error = check(gpu, row, &world, Some(&sabotage));
    Some(error.expect_err("the sabotaged pass must not conform"))
}

/// The report names the buffer that is wrong.
fn reported(pass: &str, from: &str, to: &str, buffer: &str) {
    if let Some(error) = verdict(pass, from, to) {
        assert!(error.contains(buffer), "{error}");
    }
}

#[test]
fn a_perturbed_result_is_noticed() {
    reported("sph/density", "* sum *", "* 1.00001 * sum *", "density");
    reported(
        "muller/forces",
        "+ candidate.velocity.w)",
        "+ 1.0001 * candidate.velocity.w)",
        "acceleration",
    );
    reported("integrate/drift", "0.5 *", "0.501 *", "position");
}

#[test]
fn the_misprint_of_equation_10_is_noticed() {
    // 2ρ_i in place of 2ρ_j: the neighbour's volume becomes the particle's own.
    let own = "- pressure * spiky_gradient(r) * inverse_r * offset)";
    let misprint = "- pressure * spiky_gradient(r) * inverse_r * offset * 1.02)";
    reported("muller/forces", own, misprint, "acceleration");
}

#[test]
fn an_unwritten_result_is_noticed() {
    reported(
        "sort/rank",
        "order[start + rank] = i;",
        "if (i != 7u) { order[start + rank] = i; }",
        "order",
    );
    reported("sph/density", "if (live) {", "if (live && i != 5u) {", "density");
    reported("sort/clear", "cell_count[i] = 0u;", "", "cell_count");
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
        "binned[params.capacity - 1u].x = 3u; binned[cell_start",
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
    reported("sort/rank", "binned[t].x < who.x", "binned[t].y < i", "order");
}
