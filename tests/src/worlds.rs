//! Worlds in which each pass is tested.

use meniscus::shaders::Shaders;
use meniscus_model::scene::Kernel;

use crate::{fixture::Kind, rows::Row};

/// Sizes around a workgroup (64).
const SMALL: [u32; 6] = [0, 1, 63, 64, 65, 300];
/// WG² + 1: enough for several blocks, folds and scan levels of workgroups.
const LARGE: u32 = 4097;
/// Coincident particles: every pair is a neighbour pair.
const CLUSTER: u32 = 1024;

/// Worlds for a row's pass.
///
/// # Panics
/// If the pass's shader does not compose.
#[must_use]
pub fn kinds(row: &Row) -> Vec<Kind> {
    let flat = |kind: Kind| Kind { dimensions: 2, ..kind };
    let periodic = |kind: Kind| Kind { periodic: true, ..kind };
    let seams = |kind: Kind| Kind { three_cells: true, ..kind };
    let mut kinds: Vec<_> = SMALL.iter().map(|n| Kind::of(*n)).collect();
    kinds.push(Kind::of(LARGE));
    kinds.push(seams(Kind::of(200)));
    kinds.push(flat(Kind::of(500)));
    kinds.push(periodic(Kind::of(700)));
    kinds.push(periodic(seams(Kind::of(216))));
    kinds.push(flat(periodic(Kind::of(400))));
    kinds.push(flat(seams(Kind::of(60))));
    kinds.push(Kind { coincident: true, ..Kind::of(CLUSTER) });
    // Other kernels, if the pass uses one.
    let composed = Shaders::standard().compose(row.pass, false).expect("it composes");
    if composed.wgsl.contains("fn density_kernel(") {
        for kernel in [Kernel::CubicSpline, Kernel::WendlandC2] {
            kinds.push(Kind { kernel, ..Kind::of(500) });
            kinds.push(flat(Kind { kernel, ..Kind::of(300) }));
        }
    }
    // No room for further particles.
    if ["surface/shape", "surface/splat"].contains(&row.pass) {
        kinds.push(Kind { full: true, ..Kind::of(65) });
    }
    // As many clusters as there may be.
    if composed.wgsl.contains("fn member_of(") {
        kinds.extend([2, 3].map(|seed| Kind { full: true, seed, ..Kind::of(2) }));
    }
    // Walks over adjacent rows of the torus.
    if composed.wgsl.contains("fn for_each_candidate_from(") {
        kinds.extend([300, 301].map(|seed| seams(Kind { seed, ..Kind::of(200) })));
    }
    // A cluster that spans a short period.
    if row.pass == "neighbours/list" {
        kinds.push(flat(periodic(Kind::of(100))));
    }
    if row.pass == "surface/list" {
        kinds.extend((0..4).map(|seed| Kind { seed, ..Kind::of(64) }));
    }
    if row.pass == "surface/touch" {
        kinds.extend((0..6).map(|seed| periodic(Kind { seed, ..Kind::of(700) })));
    }
    // Passes of loops, clocks, emitters and lists have little state, but many branches: test many worlds.
    let planned = ["emit/plan", "emit/points", "loop/residual", "surface/list", "surface/draw"];
    if row.writes.is_empty() || planned.contains(&row.pass) {
        kinds.extend((0..24).map(|seed| Kind { seed, ..Kind::of(9) }));
    }
    // More than one particle for each invocation.
    if row.pass == "diagnostics/partial" {
        kinds.push(seams(Kind::of(64 * 256 + 100)));
    }
    kinds
}
