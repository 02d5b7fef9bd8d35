//! Lists for the surface mesh and splats, run between steps. They begin with the sort, and so leave
//! the sorted arrays as they were at the end of the last step.

use super::sort::{clear, scan, sort_by};
use crate::{
    Scope,
    space::{CELLS, ONE, TILES},
    stage::{Entry, run, stage},
};

/// Options of surface extraction.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct SurfaceOptions {
    /// Resolution: cubes along an edge of a grid cell, divided by 4, from 1 to
    /// [`SurfaceOptions::FINEST`]. At the usual h = 4 radii, a cube is a radius divided by this.
    pub fineness: u32,
    /// Value of the colour field (M 15) at the surface, between 0 outside and 1 inside. The default is 0.5, at which flat
    /// levels and balls of fluid keep their volume to 2 %, or 0.25 with anisotropic kernels: 6 %, at h = 4 radii.
    pub value: Option<f32>,
    /// Anisotropic kernels, stretched along the surface at smoothed centres (Yu, Turk 2013): flatter, with sharper edges.
    pub anisotropic: bool,
    /// Iterations of Taubin's volume-preserving smoothing, up to 32.
    pub smoothing: u32,
    /// Whether vertices get the fluid's velocity.
    pub velocity: bool,
    /// Number of the only material that it is the surface of; of all fluid if absent. Surfaces of materials that touch meet
    /// there.
    pub material: Option<u32>,
}

impl Default for SurfaceOptions {
    fn default() -> Self {
        Self {
            fineness: 1,
            value: None,
            anisotropic: false,
            smoothing: 0,
            velocity: false,
            material: None,
        }
    }
}

impl SurfaceOptions {
    /// Largest `fineness`: tiles have 2 bits for each coordinate within a block.
    pub const FINEST: u32 = 4;
    /// Largest `smoothing`.
    pub const SMOOTHEST: u32 = 32;

    /// Value of the colour field on the surface.
    #[must_use]
    pub fn iso(&self) -> f32 {
        self.value.unwrap_or(if self.anisotropic { 0.25 } else { 0.5 })
    }

    /// `material` as `surface_control` has it.
    #[must_use]
    pub fn only(&self) -> u32 {
        self.material.map_or(0, |number| number + 1)
    }

    /// Checks the options for a scene with this number of dimensions.
    ///
    /// # Errors
    /// A message that names the value and the values allowed.
    pub fn check(&self, dimensions: u32) -> Result<(), String> {
        let complaint = if dimensions != 3 {
            "a surface needs a 3-D scene; this one is 2-D".to_owned()
        } else if !(1..=Self::FINEST).contains(&self.fineness) {
            format!("fineness is {}, expected 1 to {}", self.fineness, Self::FINEST)
        } else if !(self.iso() > 0.0 && self.iso() < 1.0) {
            format!("the surface's value is {}, expected more than 0 and less than 1", self.iso())
        } else if self.smoothing > Self::SMOOTHEST {
            format!("{} rounds of smoothing, expected up to {}", self.smoothing, Self::SMOOTHEST)
        } else {
            return Ok(());
        };
        Err(complaint)
    }
}

/// The particles in cell order, each with its volume m/ρ.
fn volumes(scope: &Scope) -> Vec<Entry> {
    let mut list = sort_by(scope, "position");
    list.push(run("surface/volume"));
    list
}

/// Splats of the particles (M §4.1).
#[must_use]
pub fn splats(scope: &Scope) -> Vec<Entry> {
    let mut list = volumes(scope);
    list.push(run("surface/splat"));
    list
}

/// The mesh: blocks of cells near the surface, the field at their nodes, marching cubes.
#[must_use]
pub fn mesh(scope: &Scope, options: &SurfaceOptions) -> Vec<Entry> {
    let mut list = volumes(scope);
    if options.anisotropic {
        list.push(run("surface/shape"));
        list.extend(sort_by(scope, "smoothed_position"));
        list.push(run("surface/volume"));
    }
    list.push(clear("surface_outside", ONE));
    let own = scope.chosen.solver().mesh.and_then(|mesh| mesh(scope));
    let [mark, of_particles] = own.unwrap_or(["surface/mark", "surface/field"]);
    list.push(run(mark));
    list.push(run("surface/touch"));
    list.push(scan("surface_flag", "surface_block", CELLS));
    list.push(run("surface/list"));
    let anisotropic = own.is_none() && options.anisotropic;
    let field = if anisotropic { "surface/field_anisotropic" } else { of_particles };
    list.push(run(field));
    // Unused tiles count nothing.
    list.extend(["tile_vertices", "tile_triangles"].map(|counts| clear(counts, TILES)));
    list.push(run("surface/classify"));
    list.push(scan("tile_vertices", "tile_vertex_start", TILES));
    list.push(scan("tile_triangles", "tile_triangle_start", TILES));
    list.push(run("surface/cut"));
    list.push(scan("tile_cut", "tile_cut_start", TILES));
    let mesh = ["surface/draw", "surface/cut_list", "surface/vertices", "surface/indices"];
    list.extend(mesh.map(run));
    if options.smoothing > 0 {
        list.push(run("surface/ring"));
    }
    for _ in 0..options.smoothing {
        let smooth = stage("surface/smooth");
        list.push(smooth.clone().with("taubin_factor", "taubin_shrink").into());
        let back = smooth.clone().with("taubin_factor", "taubin_inflate");
        let back = back.with("surface_position", "surface_smoothed");
        list.push(back.with("surface_smoothed", "surface_position").into());
        // Normals are only smoothed by λ: their lengths do not matter.
        let normals = smooth.with("taubin_factor", "taubin_shrink");
        let there = normals.clone().with("surface_position", "surface_normal");
        list.push(there.into());
        let back = normals.with("surface_position", "surface_smoothed");
        list.push(back.with("surface_smoothed", "surface_normal").into());
    }
    if options.velocity {
        list.push(run("surface/velocity"));
    }
    list
}
