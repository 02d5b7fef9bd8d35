//! A polygon of the plane z = 0 as the solid of an endless prism along z, for scenes in 2-D.

use std::sync::{Arc, OnceLock};

use glam::{DQuat, DVec2, DVec3};

use super::{Filled, Solid, TriangleMesh};
use crate::Vec3;

impl Solid {
    /// The prism over a polygon, whose corners go round counter-clockwise; of the sides there is as much as the polygon is
    /// large, which near z = 0 has the distances of an endless one. As a body it turns about z alone: `center`, `volume` and
    /// `inertia` are the polygon's centre of mass, area in m² and moment of inertia per mass in m².
    #[must_use]
    pub fn prism(corners: &[DVec2], center: DVec2, volume: f64, inertia: f64) -> Self {
        let center = center.extend(0.0);
        let inertia = DVec3::new(0.0, 0.0, inertia);
        let filled = Filled { volume, center, axes: DQuat::IDENTITY, inertia };
        let moved: Vec<_> = corners.iter().map(|p| *p - center.truncate()).collect();
        let own = Self { outline: moved.clone(), ..Self::about(DVec3::ZERO, sides(&moved)) };
        let body = OnceLock::from(Some((filled, Arc::new(own))));
        let solid = Self::new(sides(corners));
        let outline = corners.iter().map(|p| *p - solid.middle.truncate()).collect();
        Self { body, outline, ..solid }
    }

    /// Corners of the polygon whose prism it is, in its own axes; none of a mesh.
    #[must_use]
    pub fn outline(&self) -> &[DVec2] {
        &self.outline
    }
}

/// Two triangles for each side.
fn sides(corners: &[DVec2]) -> TriangleMesh {
    let (low, high) = corners
        .iter()
        .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), p| (low.min(*p), high.max(*p)));
    let half = (high - low).max_element();
    let count = corners.len() as u32;
    let at = |z: f64| corners.iter().map(move |p| -> Vec3 { [p.x, p.y, z] });
    let positions = at(-half).chain(at(half)).collect();
    let side = |k: u32| {
        let next = (k + 1) % count;
        [[k, next, count + next], [k, count + next, count + k]]
    };
    TriangleMesh { positions, triangles: (0..count).flat_map(side).collect(), open_edges: 0 }
}
