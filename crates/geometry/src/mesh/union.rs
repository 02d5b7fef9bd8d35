//! The union of a closed mesh's shells where these cross, nest or touch: the surface of all points with a winding number above
//! 0, from an exact arrangement of the triangles (Zhou, Grinspun, Zorin, Jacobson 2016).

use glam::DVec3;
use manifold_rust::{
    linalg::Vec3 as Corner,
    manifold::Manifold,
    robust::repair::shells_well_nested,
    types::{Error, MeshGL64, WindingRule},
};
use rayon::prelude::*;

use super::{TriangleMesh, distance::Tree, extent, sorted};

impl TriangleMesh {
    /// The union of the shells; the mesh itself, to the bit, where none of them crosses another or itself, and each is alone or
    /// the wall of a cavity.
    ///
    /// # Errors
    /// A message: the union could not be found, or is empty.
    pub(super) fn united(self, parts: &[Vec<usize>]) -> Result<Self, String> {
        let touches = self.has_crowded_edge();
        if !touches && !self.may_nest(parts) && !self.may_cross() {
            return Ok(self);
        }
        let found = Manifold::from_mesh_gl64_robust(&MeshGL64 {
            num_prop: 3,
            vert_properties: self.positions.iter().flatten().copied().collect(),
            tri_verts: self.triangles.iter().flatten().map(|i| u64::from(*i)).collect(),
            ..MeshGL64::default()
        });
        let corners = |t: &[u32; 3]| self.corners(*t).map(|p| Corner::new(p.x, p.y, p.z));
        let is_union = || {
            let all: Vec<_> = self.triangles.iter().map(corners).collect();
            shells_well_nested(&all)
        };
        let is_sound = found.status() == Error::NoError;
        // The library's mesh already lacks triangles that are there twice, in opposite directions.
        if !touches && is_sound && !found.has_self_intersections() && is_union() {
            return Ok(self);
        }
        let union = found.repair_orientation().rebuild_solid(WindingRule::Positive);
        let fault = |what: &str| {
            format!(
                "its shells cross, and their union {what}: join them in the program that made it"
            )
        };
        if union.status() != Error::NoError {
            return Err(fault(&format!("was not found ({})", union.status().to_str())));
        }
        if union.is_empty() {
            // A sheet with triangles on both sides.
            return Ok(self);
        }
        let made = union.get_mesh_gl64(-1);
        let stride = made.num_prop as usize;
        let positions: Vec<_> =
            made.vert_properties.chunks_exact(stride).map(|p| [p[0], p[1], p[2]]).collect();
        let triangles: Vec<_> =
            made.tri_verts.chunks_exact(3).map(|t| [t[0], t[1], t[2]].map(|i| i as u32)).collect();
        // Slivers along the seams stay, without which it would not be closed.
        let (mesh, ..) = Self::welded(&positions, &triangles, 0.0)?;
        if mesh.is_closed() { Ok(mesh) } else { Err(fault("has holes")) }
    }

    /// Whether more than two triangles have an edge in common.
    fn has_crowded_edge(&self) -> bool {
        let edges = |[a, b, c]: &[u32; 3]| [sorted(*a, *b), sorted(*b, *c), sorted(*c, *a)];
        let mut all: Vec<_> = self.triangles.iter().flat_map(edges).collect();
        all.par_sort_unstable();
        all.windows(3).any(|three| three[0] == three[2])
    }

    /// Whether two triangles may cross that have no vertex in common.
    fn may_cross(&self) -> bool {
        let tree = Tree::new(self);
        (0..self.triangles.len()).into_par_iter().any(|t| {
            let triangle = self.triangles[t];
            let own = self.corners(triangle);
            let (low, high) = extent(own.map(|p| p.to_array()).into_iter());
            tree.any_within(low, high, |other| {
                let others = self.triangles[other];
                other < t
                    && !triangle.iter().any(|i| others.contains(i))
                    && !apart(own, self.corners(others))
            })
        })
    }

    /// Whether one of the parts may be within another: their bounds meet.
    fn may_nest(&self, parts: &[Vec<usize>]) -> bool {
        let bounds = |part: &Vec<usize>| {
            let corners = part.iter().flat_map(|t| self.triangles[*t]);
            extent(corners.map(|i| self.positions[i as usize]))
        };
        let all: Vec<_> = parts.iter().map(bounds).collect();
        let meets =
            |a: &(DVec3, DVec3), b: &(DVec3, DVec3)| a.0.cmple(b.1).all() && b.0.cmple(a.1).all();
        (1..all.len()).any(|i| all[..i].iter().any(|other| meets(&all[i], other)))
    }
}

/// Whether one of two triangles is on one side of the other's plane, or their boxes do not meet; by more than rounding.
fn apart(a: [DVec3; 3], b: [DVec3; 3]) -> bool {
    let [(a0, a1), (b0, b1)] = [a, b].map(|c| extent(c.map(|p| p.to_array()).into_iter()));
    let little = 1e-12 * (a1.max(b1) - a0.min(b0)).max_element();
    let beside = |a: [DVec3; 3], b: [DVec3; 3]| {
        let normal = (a[1] - a[0]).cross(a[2] - a[0]).normalize_or_zero();
        let heights = b.map(|p| normal.dot(p - a[0]));
        heights.iter().all(|h| *h > little) || heights.iter().all(|h| *h < -little)
    };
    (a0 - little).cmpgt(b1).any() || (b0 - little).cmpgt(a1).any() || beside(a, b) || beside(b, a)
}
