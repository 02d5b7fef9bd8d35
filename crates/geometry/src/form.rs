//! What a shape can do.

use std::sync::Arc;

use glam::{DVec3, Quat, Vec3 as Vec3f};

use crate::{Check, Packing, Side, Vec3, drawing::Vertex, lattice, mesh::Solid};

/// A use of a shape in a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "shapes answer for each of them")]
pub enum Use {
    /// Filled with fluid.
    Fluid,
    /// A wall.
    Boundary,
    /// A rigid body.
    Body,
    /// The region of a drain.
    Drain,
}

/// Volume and inertia of a shape of uniform density.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "shapes make it")]
pub struct Bulk {
    /// Volume in m³ (area in m² in 2-D).
    pub volume: f64,
    /// Principal moments of inertia by the mass, about the middle, in the shape's own axes (of which
    /// y is that of a cylinder or capsule; a mesh's are its principal axes), in m².
    pub inertia: DVec3,
}

/// A shape as the GPU has it: its size in its own axes, and where these are.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "shapes make it")]
pub struct Placed {
    /// Origin of its own axes in m.
    pub position: DVec3,
    /// From its own axes to the world's.
    pub rotation: Quat,
    /// Size in its own axes.
    pub size: Size,
}

/// The size of a shape in its own axes; each shape says which of the numbers it uses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "shapes make it")]
pub struct Size {
    /// Half extents in m.
    pub half_extents: Vec3f,
    /// Radius in m.
    pub radius: f32,
}

/// Vertices in m, and three of them for each triangle, counter-clockwise seen from outside.
pub type Triangles = (Vec<Vec3>, Vec<[u32; 3]>);

/// Points of convex hulls and how far inside a container they must be: see [`Form::corners`].
pub type Corners = Vec<(DVec3, f64)>;

/// What a shape of a scene can do. Points are in m, and z does not count where `dimensions` is 2.
pub trait Form {
    /// Reports what is wrong with the values at `key`.
    fn check(&self, key: &str, check: &mut Check);

    /// Why it cannot be used so; none where it can.
    fn unfit(&self, _use: Use) -> Option<&'static str> {
        None
    }

    /// Depth of `point` below the surface in m, negative outside; below a plane is where its normal
    /// points.
    fn depth(&self, point: DVec3, dimensions: u32) -> f64;

    /// The smallest box along the axes that holds it: centre and half extents in m. A plane's is its
    /// point.
    fn bounds(&self) -> (DVec3, DVec3);

    /// Origin of its own axes, about which bodies turn: the centre of mass.
    fn middle(&self) -> DVec3 {
        self.bounds().0
    }

    /// How far from its middle it reaches at most, in m.
    fn farthest(&self) -> f64 {
        let (center, half) = self.bounds();
        half.length() + center.distance(self.middle())
    }

    /// Whether it is all of its [`bounds`](Self::bounds).
    fn fills_bounds(&self) -> bool {
        false
    }

    /// Whether it goes on for ever, with the fluid on one side only.
    fn is_endless(&self) -> bool {
        false
    }

    /// Whether it is a sheet with two sides rather than a solid.
    fn is_sheet(&self) -> bool {
        false
    }

    /// Whether what holds the [`corners`](Self::corners) of something holds all of it.
    fn is_convex(&self) -> bool {
        true
    }

    /// World coordinates in m of the particles that fill it, `spacing` m apart.
    ///
    /// By default sites of a lattice about the centre, each at least half a spacing below the
    /// surface. Memory is taken for all particles: see [`count`](Self::count) first.
    fn fill(&self, spacing: f64, dimensions: u32) -> Vec<Vec3> {
        let sites = lattice::centered(self.bounds(), spacing, dimensions);
        sites.filled(|point| self.depth(point, dimensions) >= lattice::least_depth(spacing))
    }

    /// At least as many particles as [`fill`](Self::fill) makes, found without making them: exact
    /// for boxes, a few per cent too many for large round shapes, 0 exactly when there are none.
    fn count(&self, spacing: f64, dimensions: u32) -> f64;

    /// The particles that fill it in a denser packing than the cubic one; none where it cannot be
    /// packed so.
    fn fill_packed(&self, _packing: Packing, _spacing: f64, _dimensions: u32) -> Option<Vec<Vec3>> {
        None
    }

    /// At least as many particles as [`fill_packed`](Self::fill_packed) makes.
    fn count_packed(&self, _packing: Packing, _spacing: f64, _dimensions: u32) -> Option<f64> {
        None
    }

    /// Boundary particles, about `spacing` m apart, `depth` m behind the surface of a solid with the
    /// fluid on this side. What goes on for ever is covered between the corners of `region`.
    fn layer(
        &self,
        side: Side,
        depth: f64,
        spacing: f64,
        dimensions: u32,
        region: [DVec3; 2],
    ) -> Vec<Vec3>;

    /// Particles of a rigid body: a [`layer`](Self::layer) within it.
    fn body_layer(&self, depth: f64, spacing: f64, dimensions: u32) -> Vec<Vec3> {
        let nowhere = [DVec3::NEG_INFINITY, DVec3::INFINITY];
        self.layer(Side::Outside, depth, spacing, dimensions, nowhere)
    }

    /// Points, each with a distance, such that particles that fill the shape, half a spacing (`gap`)
    /// or more below its surface, are inside a convex container where every point is at least its
    /// distance deep in it.
    fn corners(&self, gap: f64, dimensions: u32) -> Corners;

    /// Its triangles, once they were read; none of shapes by numbers.
    fn mesh(&self) -> Option<&Arc<Solid>> {
        None
    }

    /// Volume and inertia where it is filled; none of what has no inside.
    fn bulk(&self, dimensions: u32) -> Option<Bulk>;

    /// Where it is and how large, for the GPU.
    fn placed(&self, dimensions: u32) -> Placed;

    /// The same as a rigid body: about its middle, in its principal axes.
    fn placed_body(&self, dimensions: u32) -> Placed {
        self.placed(dimensions)
    }

    /// Its surface where the scene has it; empty for what has none.
    fn triangles(&self) -> Triangles;

    /// Its surface in its own axes, as a rigid body's.
    fn own_triangles(&self) -> Triangles;
}

/// What all shapes of a kind have in common, and what the GPU's numbers alone tell of one.
pub trait Kind: Form {
    /// The name in scene files, `shape.KEY = { … }`, and of the shader, `wgsl/shapes/KEY.wgsl`.
    const KEY: &'static str;

    /// Whether particles can collide with it, so that it has a shader.
    const IS_SOLID: bool = true;

    /// Distance of `p` from the surface of a shape of this size in its own axes, in m, negative
    /// inside; infinite where numbers do not tell.
    fn distance(_size: Size, _p: Vec3f) -> f32 {
        f32::INFINITY
    }

    /// Half extents in m of the box about a shape of this size in its own axes; none where it is
    /// endless.
    fn reach(_size: Size) -> Option<Vec3f> {
        None
    }

    /// The triangles of the shape as it is drawn, for all sizes; see [`Vertex`].
    fn drawn() -> Vec<Vertex> {
        Vec::new()
    }

    /// Segments along the edges of a shape of this size, in its own axes; of what it looks like in
    /// the plane z = 0 where it is `flat`.
    fn outline(_size: Size, _flat: bool) -> Vec<[Vec3f; 2]> {
        Vec::new()
    }
}
