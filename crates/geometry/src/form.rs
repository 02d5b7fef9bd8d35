//! Operations of shapes.

use std::sync::Arc;

use glam::{DVec3, Quat, Vec3 as Vec3f};

use crate::{Check, Packing, Side, Vec3, drawing::Vertex, fill, lattice, mesh::Solid};

/// Use of a shape in a scene.
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
    /// Principal moments of inertia per mass in m², about the centre in the shape's own axes (y is
    /// the axis of a cylinder or capsule; a mesh has its principal axes).
    pub inertia: DVec3,
}

/// Shape for the GPU: its size in its own axes, and their placement.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "shapes make it")]
pub struct Placed {
    /// Origin of its own axes in m.
    pub position: DVec3,
    /// Rotation from its own axes to world axes.
    pub rotation: Quat,
    /// Size in its own axes.
    pub size: Size,
}

/// Size of a shape in its own axes; each shape says which of the numbers it uses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "shapes make it")]
pub struct Size {
    /// Half extents in m.
    pub half_extents: Vec3f,
    /// Radius in m.
    pub radius: f32,
}

/// Vertices in m, and three vertex indices per triangle, counter-clockwise seen from outside.
pub type Triangles = (Vec<Vec3>, Vec<[u32; 3]>);

/// Points of convex hulls, and how deep inside a container they must be: see [`Form::corners`].
pub type Corners = Vec<(DVec3, f64)>;

/// Operations of a scene's shape. Points are in m; z does not count if `dimensions` is 2.
pub trait Form {
    /// Reports problems of the values at `key` together; each is within the bounds beside its field.
    fn check(&self, _key: &str, _check: &mut Check) {}

    /// Reason why the shape cannot be used this way, if any.
    fn unfit(&self, _use: Use) -> Option<&'static str> {
        None
    }

    /// Depth of `point` below the surface in m, negative outside; for a plane, positive on the side
    /// to which its normal points.
    fn depth(&self, point: DVec3, dimensions: u32) -> f64;

    /// Bounding box along the axes: centre and half extents in m. That of a plane is its point.
    fn bounds(&self) -> (DVec3, DVec3);

    /// Origin of its own axes, about which bodies rotate: the centre of mass.
    fn middle(&self) -> DVec3 {
        self.bounds().0
    }

    /// Largest distance in m of its points from its centre.
    fn farthest(&self) -> f64 {
        let (center, half) = self.bounds();
        half.length() + center.distance(self.middle())
    }

    /// Whether it fills its [`bounds`](Self::bounds).
    fn fills_bounds(&self) -> bool {
        false
    }

    /// Lower and upper corner in m, if it is a box along the axes.
    fn box_corners(&self) -> Option<[Vec3; 2]> {
        None
    }

    /// Whether the shape is infinite, with the fluid on one side only.
    fn is_endless(&self) -> bool {
        false
    }

    /// Whether the shape is a sheet with two sides rather than a solid.
    fn is_sheet(&self) -> bool {
        false
    }

    /// Radius in m if it is a ball; 0 of others.
    fn ball(&self) -> f64 {
        0.0
    }

    /// Whether it contains all of a shape if it contains its [`corners`](Self::corners).
    fn is_convex(&self) -> bool {
        true
    }

    /// World coordinates in m of the particles that fill its volume, `spacing` m apart: from sites of a lattice about the centre,
    /// which give way near the surface, about half a spacing below it at least. Memory is allocated for all particles: check
    /// [`count`](Self::count) first.
    fn fill(&self, spacing: f64, dimensions: u32) -> Vec<Vec3>;

    /// Upper bound on the number of particles that [`fill`](Self::fill) makes, without making them: exact for boxes, and
    /// 0 exactly if there are none.
    fn count(&self, spacing: f64, dimensions: u32) -> f64 {
        let volume = self.bulk(dimensions).map_or(0.0, |bulk| bulk.volume);
        let is_deep = self.depth(self.middle(), dimensions) >= lattice::least_depth(spacing);
        if is_deep { fill::count(volume, spacing, dimensions).max(1.0) } else { 0.0 }
    }

    /// Sites of the cubic lattice from which [`fill`](Self::fill) begins, at least half a spacing below the surface.
    fn sites(&self, spacing: f64, dimensions: u32) -> Vec<Vec3> {
        let least = lattice::least_depth(spacing);
        let sites = lattice::centered(self.bounds(), spacing, dimensions).places();
        sites.filter(|p| self.depth(*p, dimensions) >= least).map(DVec3::into).collect()
    }

    /// Velocity in m/s of each particle that [`fill`](Self::fill) gives, in its order; empty where they have none of
    /// their own.
    fn velocities(&self) -> &[Vec3] {
        &[]
    }

    /// Whether its particles are those of a list, which may have two in one place.
    fn is_list(&self) -> bool {
        false
    }

    /// Particles of a packing; `None` if the shape has no such packing.
    fn fill_packed(&self, packing: Packing, spacing: f64, dimensions: u32) -> Option<Vec<Vec3>> {
        match packing {
            Packing::Filled => Some(self.fill(spacing, dimensions)),
            Packing::Cubic => Some(self.sites(spacing, dimensions)),
            Packing::Staggered | Packing::Hexagonal => None,
        }
    }

    /// Upper bound on the number of particles that [`fill_packed`](Self::fill_packed) makes.
    fn count_packed(&self, packing: Packing, spacing: f64, dimensions: u32) -> Option<f64> {
        let count = self.count(spacing, dimensions);
        match packing {
            // A lattice has fewer, but in large shapes counting them takes long.
            Packing::Cubic if count < 1e8 => Some(self.sites(spacing, dimensions).len() as f64),
            Packing::Filled | Packing::Cubic => Some(count),
            Packing::Staggered | Packing::Hexagonal => None,
        }
    }

    /// Boundary particles, about `spacing` m apart, `depth` m behind the surface of a solid with
    /// the fluid on this side. Infinite shapes are covered between the corners of `region`.
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

    /// Points with distances: particles that fill the shape, at least half a spacing (`gap`) below
    /// its surface, are inside a convex container if every point is at least its distance deep in
    /// it.
    fn corners(&self, gap: f64, dimensions: u32) -> Corners;

    /// Triangles of a mesh, once they were read; none for shapes given by numbers.
    fn mesh(&self) -> Option<&Arc<Solid>> {
        None
    }

    /// Volume and inertia of the filled shape; `None` if it has no inside.
    fn bulk(&self, dimensions: u32) -> Option<Bulk>;

    /// Size and placement, for the GPU.
    fn placed(&self, dimensions: u32) -> Placed;

    /// Size and placement of a rigid body of this shape, for the GPU: about its centre of mass, in its principal axes.
    fn placed_body(&self, dimensions: u32) -> Placed {
        self.placed(dimensions)
    }

    /// Surface of the shape in the scene; empty if it has none.
    fn triangles(&self) -> Triangles;

    /// Surface of the shape in its own axes, for a rigid body.
    fn own_triangles(&self) -> Triangles;
}

/// Properties of all shapes of a kind, and operations that need only the GPU's numbers.
pub trait Kind: Form {
    /// Name in scene files, `shape.KEY = { … }`, and of the shader, `wgsl/shapes/KEY.wgsl`.
    const KEY: &'static str;

    /// Whether particles can collide with it, so that it has a shader.
    const IS_SOLID: bool = true;

    /// Distance in m of `p` from the surface of a shape of this size in its own axes, negative
    /// inside; infinite if the numbers do not determine it.
    fn distance(_size: Size, _p: Vec3f) -> f32 {
        f32::INFINITY
    }

    /// Half extents in m of the bounding box of a shape of this size in its own axes; `None` if it
    /// is infinite.
    fn reach(_size: Size) -> Option<Vec3f> {
        None
    }

    /// Triangles for drawing the shape in any size; see [`Vertex`].
    fn drawn() -> Vec<Vertex> {
        Vec::new()
    }

    /// Segments along the edges of a shape of this size, in its own axes; its outline in the plane
    /// z = 0 if it is `flat`.
    fn outline(_size: Size, _flat: bool) -> Vec<[Vec3f; 2]> {
        Vec::new()
    }
}
