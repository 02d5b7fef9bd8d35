//! What runs between steps, for pictures and meshes: it needs the sort, and so leaves the sorted
//! arrays as they are at the end of the last step.

use meniscus_model::Setup;

use crate::{
    buffers::Sizes,
    stage::{Entry, run, stage},
    surface::SurfaceOptions,
};

/// The particles in cell order, each with its volume m/ρ.
fn volumes(setup: &Setup) -> Vec<Entry> {
    let mut list = super::sort(setup);
    list.push(run("surface/volume"));
    list
}

/// Splats of the particles (M §4.1).
#[must_use]
pub fn splats(setup: &Setup) -> Vec<Entry> {
    let mut list = volumes(setup);
    list.push(run("surface/splat"));
    list
}

/// The mesh: blocks of cells near the surface, the field on their nodes, marching cubes.
#[must_use]
pub fn mesh(setup: &Setup, sizes: &Sizes, options: &SurfaceOptions) -> Vec<Entry> {
    let (cells, tiles) = (setup.params.cell_count, sizes.tiles());
    let mut list = volumes(setup);
    if options.anisotropic {
        list.push(run("surface/shape"));
        list.extend(super::sort_by(setup, "smoothed_position"));
        list.push(run("surface/volume"));
    }
    list.push(super::clear("surface_outside", 1));
    list.push(stage("surface/mark").elements(cells).into());
    list.push(stage("surface/touch").elements(cells).into());
    list.extend(super::scan("surface_flag", "surface_block", cells));
    list.push(stage("surface/list").elements(cells).into());
    let field = if options.anisotropic { "surface/field_anisotropic" } else { "surface/field" };
    list.push(run(field));
    // Tiles that are not in use count nothing.
    list.extend(["tile_vertices", "tile_triangles"].map(|counts| super::clear(counts, tiles)));
    list.push(run("surface/classify"));
    list.extend(super::scan("tile_vertices", "tile_vertex_start", tiles));
    list.extend(super::scan("tile_triangles", "tile_triangle_start", tiles));
    list.extend([run("surface/draw"), run("surface/vertices"), run("surface/indices")]);
    if options.smoothing > 0 {
        list.push(run("surface/ring"));
    }
    for _ in 0..options.smoothing {
        let smooth = stage("surface/smooth");
        list.push(smooth.clone().with("taubin_factor", "taubin_shrink").into());
        let back = smooth.clone().with("taubin_factor", "taubin_inflate");
        let back = back.with("surface_position", "surface_smoothed");
        list.push(back.with("surface_smoothed", "surface_position").into());
        // Normals only shrink: their directions are what counts.
        let normals = smooth.with("taubin_factor", "taubin_shrink");
        let there = normals.clone().with("surface_position", "surface_normal");
        list.push(there.into());
        let back = normals.with("surface_position", "surface_smoothed");
        list.push(back.with("surface_smoothed", "surface_normal").into());
    }
    if options.speed {
        list.push(run("surface/speed"));
    }
    list
}
