//! Signed distances of meshes on grids (`wgsl/solid/`; Bærentzen, Aanæs 2005), from all triangles.

use glam::{DVec3, UVec3};
use meniscus_model::params::FieldTriangle;

use crate::World;

/// The nearest part of a triangle: the index of its normal.
const FACE: usize = 6;

/// Nodes hold the distance within the band, signed by side; 0 if nothing was found.
pub(crate) fn bake(world: &mut World) {
    let field = world.distance_field;
    let (first, band) = (field.first as usize, f64::from(field.band));
    let half = field.half_extents.as_dvec3();
    for i in 0..world.stage.element_count {
        let UVec3 { x, y, .. } = field.size;
        let node = field.low + UVec3::new(i % x, i / x % y, i / x / y);
        let p = f64::from(field.cell) * node.as_dvec3() - half;
        let at = node.x + field.nodes.x * (node.y + field.nodes.y * node.z);
        let value = &mut world.distances[first + 3 + at as usize];
        for triangle in &world.field_triangles {
            let (way, part) = from_triangle(p, triangle);
            let near = band - way.length();
            if near > value.abs() {
                let behind = way.dot(triangle.normals[part].as_dvec3()) < 0.0;
                *value = if behind { -near } else { near };
            }
        }
    }
    if world.stage.element_count > 0 {
        world.distances[first..first + 3].copy_from_slice(&half.to_array());
    }
}

/// Vector from the nearest point of a triangle to p (Ericson 2005, §5.1.5), and the part of the
/// triangle it is on.
fn from_triangle(p: DVec3, triangle: &FieldTriangle) -> (DVec3, usize) {
    let [a, b, c] = triangle.corners.map(|corner| corner.as_dvec3());
    let (ab, ac) = (b - a, c - a);
    let [ap, bp, cp] = [a, b, c].map(|corner| p - corner);
    let [d1, d3, d5] = [ap, bp, cp].map(|way| ab.dot(way));
    let [d2, d4, d6] = [ap, bp, cp].map(|way| ac.dot(way));
    let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    if d1 <= 0.0 && d2 <= 0.0 {
        (ap, 0)
    } else if d3 >= 0.0 && d4 <= d3 {
        (bp, 1)
    } else if d6 >= 0.0 && d5 <= d6 {
        (cp, 2)
    } else if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        (ap - d1 / (d1 - d3) * ab, 3)
    } else if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        (bp - (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b), 4)
    } else if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        (ap - d2 / (d2 - d6) * ac, 5)
    } else {
        let sum = va + vb + vc;
        (ap - vb / sum * ab - vc / sum * ac, FACE)
    }
}

pub(crate) fn flood(world: &mut World) {
    let field = world.distance_field;
    let band = f64::from(field.band);
    let values = &mut world.distances[field.first as usize..];
    let length = field.nodes.x.max(1) as usize;
    let rows = values.iter_mut().skip(3).take(length * world.stage.element_count as usize);
    let mut side = 1.0;
    for (i, value) in rows.enumerate() {
        if *value != 0.0 {
            side = value.signum();
        } else if i % length == 0 {
            side = 1.0;
        }
        let distance = band - value.abs();
        *value = match f64::from(field.half_thickness) {
            0.0 => side * distance,
            half => distance - half,
        };
    }
}
