//! Triangle meshes of files: `shape.mesh = { file = "…", … }`.

use std::sync::Arc;

use glam::{DVec3, Quat, Vec3 as Vec3f};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Check, Side, Vec3,
    check::WIDEST,
    file::{Content, Placement, Rotation, Scale, rotation, scale, unscaled},
    form::{Bulk, Corners, Form, Kind, Placed, Size, Triangles},
    lattice,
    length::Length,
    mesh::{Solid, TriangleMesh},
};

/// A triangle mesh, scaled, then rotated, then moved. A closed mesh is a solid; an open one is a
/// sheet one particle spacing thick.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeshShape {
    /// File (OBJ, PLY, STL, glTF) in m; the path is relative to the scene's.
    pub file: String,
    /// Scale factors along the file's axes.
    #[serde(default = "unscaled", deserialize_with = "scale")]
    #[schemars(with = "Scale")]
    pub scale: Vec3,
    /// Rotation.
    #[serde(default, deserialize_with = "rotation")]
    pub rotation: Rotation,
    /// Translation in m.
    #[serde(default)]
    pub translation: Vec3,
    /// Whether it is meant to be a sheet, an open mesh with the fluid on both sides.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub sheet: bool,
    /// The file's triangles, placed in the scene ([`MeshShape::fill_in`]).
    #[serde(skip)]
    pub content: Content<Solid>,
}

impl MeshShape {
    /// A mesh without scaling, rotation or translation, whose content is still to be read.
    #[must_use]
    pub fn new(file: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            scale: unscaled(),
            rotation: Rotation::default(),
            translation: [0.0; 3],
            sheet: false,
            content: Content::default(),
        }
    }

    /// Places the file's triangles. Call it again after changing the placement.
    pub fn fill_in(&mut self, mesh: &TriangleMesh) {
        let Rotation { axis, angle } = self.rotation;
        let placed = mesh.placed(self.scale, axis, angle.to_radians(), self.translation);
        self.content = Content::of(Solid::new(placed));
    }
}

impl MeshShape {
    /// World position in m of a point of the file.
    #[must_use]
    pub fn place(&self, point: Vec3) -> Vec3 {
        let Self { scale, rotation, translation, .. } = *self;
        Placement { scale, rotation, translation }.of(point)
    }
}

impl Form for MeshShape {
    fn check(&self, key: &str, check: &mut Check) {
        let Self { scale, rotation, translation, .. } = *self;
        if !(Placement { scale, rotation, translation }).check(key, check) {
            return;
        }
        let Some(solid) = self.mesh() else {
            check.report(format!("{key}.file"), "has not been read");
            return;
        };
        if check.dimensions == 2 {
            check.report(key, "there are no meshes in 2-D: use a polygon");
            return;
        }
        if self.sheet && solid.mesh().is_closed() {
            check.report(format!("{key}.sheet"), "the mesh is closed, and so a solid");
        }
        let (low, high) = solid.mesh().bounds();
        let (size, spacing) = ((high - low).max_element(), check.spacing);
        if size < spacing {
            let message =
                format!("is {} large: less than a particle spacing, {spacing} m", Length(size));
            check.report(key, message);
        } else if size / check.support_radius > WIDEST {
            let message = format!("is {} large: too far for 32-bit positions", Length(size));
            check.report(key, message);
        }
    }

    fn depth(&self, point: DVec3, _dimensions: u32) -> f64 {
        self.mesh().map_or(f64::NEG_INFINITY, |solid| -solid.distance(point))
    }

    fn bounds(&self) -> (DVec3, DVec3) {
        let (low, high) =
            self.mesh().map_or((DVec3::ZERO, DVec3::ZERO), |solid| solid.mesh().bounds());
        (0.5 * (low + high), 0.5 * (high - low))
    }

    fn middle(&self) -> DVec3 {
        let filled = self.mesh().and_then(|solid| solid.as_body());
        filled.map_or_else(|| self.bounds().0, |(filled, _)| filled.center)
    }

    fn is_sheet(&self) -> bool {
        self.mesh().is_none_or(|solid| !solid.mesh().is_closed())
    }

    fn is_convex(&self) -> bool {
        false
    }

    fn fill(&self, spacing: f64, _dimensions: u32) -> Vec<Vec3> {
        self.mesh().map_or(Vec::new(), |solid| solid.particles(spacing).to_vec())
    }

    fn count(&self, spacing: f64, dimensions: u32) -> f64 {
        let sites = lattice::centered(self.bounds(), spacing, dimensions).count();
        // Checking more than this would take long.
        if sites < 1e8 { self.fill(spacing, dimensions).len() as f64 } else { sites }
    }

    fn layer(
        &self,
        side: Side,
        depth: f64,
        spacing: f64,
        _dimensions: u32,
        _region: [DVec3; 2],
    ) -> Vec<Vec3> {
        let grown = side.behind(depth);
        self.mesh().map_or(Vec::new(), |solid| solid.layer_at(grown, spacing).to_vec())
    }

    /// In its own axes, so that the result does not depend on the body's place.
    fn body_layer(&self, depth: f64, spacing: f64, _dimensions: u32) -> Vec<Vec3> {
        let body = self.mesh().and_then(|solid| solid.as_body());
        let Some((filled, own)) = body else { return Vec::new() };
        let layer = own.layer_at(-depth, spacing);
        let placed = |p: &Vec3| filled.center + filled.axes * DVec3::from(*p);
        layer.iter().map(|p| placed(p).to_array()).collect()
    }

    /// Particles are at least the gap inside the convex hull of the mesh's vertices.
    fn corners(&self, _gap: f64, _dimensions: u32) -> Corners {
        let vertices = self.mesh().map_or(&[][..], |solid| solid.mesh().positions());
        vertices.iter().map(|p| (DVec3::from(*p), 0.0)).collect()
    }

    fn mesh(&self) -> Option<&Arc<Solid>> {
        self.content.get()
    }

    fn bulk(&self, _dimensions: u32) -> Option<Bulk> {
        let (filled, _) = self.mesh()?.as_body()?;
        Some(Bulk { volume: filled.volume, inertia: filled.inertia })
    }

    /// Half extents about the centre of the bounding box.
    fn placed(&self, _dimensions: u32) -> Placed {
        let (position, half) = self.bounds();
        let size = Size { half_extents: half.as_vec3(), ..Size::default() };
        Placed { position, rotation: Quat::IDENTITY, size }
    }

    fn placed_body(&self, dimensions: u32) -> Placed {
        let Some((filled, own)) = self.mesh().and_then(|solid| solid.as_body()) else {
            return self.placed(dimensions);
        };
        let (low, high) = own.mesh().bounds();
        Placed {
            position: filled.center,
            rotation: filled.axes.as_quat(),
            size: Size { half_extents: high.max(-low).as_vec3(), ..Size::default() },
        }
    }

    fn triangles(&self) -> Triangles {
        self.mesh().map_or_else(Triangles::default, |solid| of_mesh(solid.mesh()))
    }

    fn own_triangles(&self) -> Triangles {
        let own = self.mesh().and_then(|solid| solid.as_body());
        own.map_or_else(Triangles::default, |(_, own)| of_mesh(own.mesh()))
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_unset(sheet: &bool) -> bool {
    !sheet
}

fn of_mesh(mesh: &TriangleMesh) -> Triangles {
    (mesh.positions().to_vec(), mesh.triangles().to_vec())
}

impl Kind for MeshShape {
    const KEY: &'static str = "mesh";

    fn reach(size: Size) -> Option<Vec3f> {
        Some(size.half_extents)
    }
}
