//! Mouths of emitters.

use glam::DVec3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Vec3,
    lattice::{SLACK, cells, centered_sites},
};

/// Mouth of an emitter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Mouth {
    /// A rectangle, in m.
    Rectangle {
        /// Width in m.
        width: f64,
        /// Height in m (ignored in 2-D).
        height: f64,
    },
    /// A circle, in m.
    Circle {
        /// Radius in m.
        radius: f64,
    },
    /// A square lattice of particles, cut to a circle.
    Disc {
        /// Number of particles across it.
        across: u32,
    },
}

impl Mouth {
    /// World coordinates in m of one layer of particles, `spacing` m apart, in an emitter's mouth:
    /// in the plane through `center` perpendicular to `direction` (of any length), or on a line in
    /// 2-D.
    ///
    /// The width of a rectangle is horizontal (along x for a vertical direction). Memory is
    /// allocated for all particles: check [`count`](Self::count) first.
    #[must_use]
    pub fn layer(
        &self,
        center: Vec3,
        direction: Vec3,
        up: Option<Vec3>,
        spacing: f64,
        dimensions: u32,
    ) -> Vec<Vec3> {
        let center = DVec3::from(center);
        let Some(normal) = DVec3::from(direction).try_normalize() else { return Vec::new() };
        let up = up.map_or(DVec3::Y, DVec3::from);
        let across = if dimensions == 2 { normal.cross(DVec3::Z) } else { normal.cross(up) };
        // Nearly vertical: take x as horizontal, made perpendicular to the direction.
        let fallback = (DVec3::X - normal * normal.x).normalize_or_zero();
        let across = if across.length() > 1e-6 { across.normalize() } else { fallback };
        let along = across.cross(normal);
        let [width, height] = self.lattice(spacing, dimensions);
        let mut layer = Vec::new();
        for j in 0..height as u64 {
            for i in 0..width as u64 {
                let u = (i as f64 - 0.5 * (width - 1.0)) * spacing;
                let v = (j as f64 - 0.5 * (height - 1.0)) * spacing;
                let held = match self {
                    Self::Rectangle { .. } => true,
                    Self::Disc { across } => {
                        u.hypot(v) <= (0.5 * f64::from(*across) + SLACK) * spacing
                    }
                    Self::Circle { radius } => u.hypot(v) <= radius - (0.5 - SLACK) * spacing,
                };
                if held {
                    layer.push((center + across * u + along * v).to_array());
                }
            }
        }
        layer
    }

    /// Distance in m from its centre within which its particles are, `spacing` m apart.
    #[must_use]
    pub fn radius(&self, spacing: f64) -> f64 {
        match *self {
            Self::Rectangle { width, height } => 0.5 * width.hypot(height),
            Self::Circle { radius } => radius,
            Self::Disc { across } => 0.5 * f64::from(across) * spacing,
        }
    }

    /// Upper bound on the number of particles that [`layer`](Self::layer) makes; 0 exactly if there
    /// are none.
    #[must_use]
    pub fn count(&self, spacing: f64, dimensions: u32) -> f64 {
        self.lattice(spacing, dimensions).iter().product()
    }

    /// Numbers of lattice sites across and along a mouth.
    fn lattice(&self, spacing: f64, dimensions: u32) -> [f64; 2] {
        let (across, along) = match *self {
            Self::Rectangle { width, height } => (cells(width, spacing), cells(height, spacing)),
            Self::Disc { across } => (f64::from(across), f64::from(across)),
            Self::Circle { radius } => {
                let sites = centered_sites(radius - 0.5 * spacing, spacing);
                (sites, sites)
            }
        };
        [across, if dimensions == 2 { 1.0 } else { along }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: f64 = 0.05;

    #[test]
    fn emitter_layers_lie_in_their_plane() {
        let mouth = Mouth::Rectangle { width: 0.2, height: 0.1 };
        for direction in [[0.0, -2.0, 0.0], [1.0, 0.0, 0.0], [0.3, -0.2, 0.9]] {
            let layer = mouth.layer([1.0, 2.0, 3.0], direction, None, S, 3);
            assert_eq!(layer.len(), 8);
            assert_eq!(mouth.count(S, 3), 8.0);
            let (d, c) = (DVec3::from(direction), DVec3::new(1.0, 2.0, 3.0));
            assert!(layer.iter().all(|&p| (DVec3::from(p) - c).dot(d).abs() < 1e-12));
        }
        let circle = Mouth::Circle { radius: 0.125 };
        let layer = circle.layer([0.0; 3], [0.0, -1.0, 0.0], None, S, 3);
        assert_eq!(layer.len(), 13);
        let line = mouth.layer([0.0; 3], [0.0, -1.0, 0.0], None, S, 2);
        assert_eq!(line.len(), 4);
        assert!(line.iter().all(|p| p[1] == 0.0 && p[2] == 0.0));
        assert!(mouth.layer([0.0; 3], [0.0; 3], None, S, 3).is_empty());
    }
}
