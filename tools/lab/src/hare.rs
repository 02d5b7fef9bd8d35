//! `lab hare`: the mesh of the bundled scenes with a hare, from smoothly joined ellipsoids.

use std::{collections::BTreeMap, fmt::Write};

use glam::{DVec3, IVec3};
use meniscus_model::marching_cubes::{edge_axis, edge_corner, triangles};

/// Height of the hare in m.
const HEIGHT: f64 = 0.1;
/// Edge of the cells in heights.
const CELL: f64 = 0.0365;
/// Distance in heights over which parts blend.
const BLEND: f64 = 0.05;

/// An ellipsoid: its centre and radii in heights, and its rotation about z in degrees. Those beside the middle are there
/// twice, mirrored at z = 0.
struct Part {
    center: [f64; 3],
    radii: [f64; 3],
    turn: f64,
}

const fn part(center: [f64; 3], radii: [f64; 3], turn: f64) -> Part {
    Part { center, radii, turn }
}

/// The hare sits upright and looks along x.
const PARTS: [Part; 13] = [
    // Rump, back, chest.
    part([-0.13, 0.2, 0.0], [0.22, 0.19, 0.16], 0.0),
    part([-0.02, 0.3, 0.0], [0.25, 0.17, 0.14], 38.0),
    part([0.12, 0.33, 0.0], [0.12, 0.17, 0.12], 20.0),
    // Neck, head, muzzle, cheeks.
    part([0.16, 0.47, 0.0], [0.09, 0.13, 0.09], -20.0),
    part([0.21, 0.58, 0.0], [0.13, 0.1, 0.092], -20.0),
    part([0.3, 0.55, 0.0], [0.075, 0.062, 0.062], -20.0),
    part([0.245, 0.555, 0.05], [0.06, 0.05, 0.04], 0.0),
    // Ears.
    part([0.1, 0.81, 0.078], [0.058, 0.19, 0.046], 14.0),
    // Haunches, hind feet.
    part([-0.12, 0.17, 0.12], [0.17, 0.15, 0.085], 25.0),
    part([0.03, 0.035, 0.14], [0.16, 0.045, 0.055], 0.0),
    // Forelegs, paws.
    part([0.16, 0.19, 0.07], [0.055, 0.17, 0.052], -6.0),
    part([0.2, 0.04, 0.075], [0.075, 0.045, 0.05], 0.0),
    // Tail.
    part([-0.34, 0.2, 0.0], [0.08, 0.08, 0.075], 0.0),
];

/// Distance in heights from a part, negative inside; right near the surface and where it is round.
fn distance(part: &Part, x: DVec3) -> f64 {
    let radii = DVec3::from(part.radii);
    let center = DVec3::from(part.center);
    let x = DVec3::new(x.x, x.y, if center.z > 0.0 { x.z.abs() } else { x.z }) - center;
    let (sin, cos) = part.turn.to_radians().sin_cos();
    let own = DVec3::new(cos * x.x + sin * x.y, cos * x.y - sin * x.x, x.z);
    let (k, slope) = ((own / radii).length(), (own / (radii * radii)).length());
    if slope > 0.0 { k * (k - 1.0) / slope } else { -radii.min_element() }
}

/// Distance in heights from the hare, negative inside: parts that are nearer than [`BLEND`] join smoothly.
fn field(x: DVec3) -> f64 {
    PARTS.iter().map(|part| distance(part, x)).fold(f64::INFINITY, |a, b| {
        let t = ((BLEND - (a - b).abs()) / BLEND).max(0.0);
        a.min(b) - 0.25 * BLEND * t * t
    })
}

fn gradient(x: DVec3) -> DVec3 {
    let along = |axis: DVec3| (field(x + 1e-3 * axis) - field(x - 1e-3 * axis)) / 2e-3;
    DVec3::from(DVec3::AXES.map(along))
}

/// The mesh as an OBJ file in m, by marching cubes; its vertices are moved onto the surface.
pub(crate) fn hare() -> String {
    let (low, high) = (IVec3::new(-15, -2, -9), IVec3::new(14, 31, 9));
    let place = |node: IVec3| CELL * (node.as_dvec3() + DVec3::new(0.13, 0.07, 0.5));
    let at = |node: IVec3| field(place(node));
    let corner = |k: usize| IVec3::new((k & 1) as i32, (k >> 1 & 1) as i32, (k >> 2 & 1) as i32);
    let (mut numbers, mut places) = (BTreeMap::new(), Vec::new());
    let mut vertex = |from: IVec3, axis: usize| {
        *numbers.entry((from.to_array(), axis)).or_insert_with(|| {
            let to = from + IVec3::AXES[axis];
            let (f, g) = (at(from), at(to));
            let mut x = place(from).lerp(place(to), f / (f - g));
            for _ in 0..3 {
                let slope = gradient(x);
                x -= (field(x) * slope / slope.length_squared()).clamp_length_max(0.1 * CELL);
            }
            places.push(x);
            places.len()
        })
    };
    let mut faces = Vec::new();
    for (z, y) in (low.z..high.z).flat_map(|z| (low.y..high.y).map(move |y| (z, y))) {
        for cell in (low.x..high.x).map(|x| IVec3::new(x, y, z)) {
            let inside = |k: &usize| at(cell + corner(*k)) < 0.0;
            let case: u8 = (0..8).filter(inside).map(|k| 1 << k).sum();
            for triangle in triangles(case) {
                faces.push(triangle.map(|edge| {
                    vertex(cell + corner(edge_corner(edge.into())), edge_axis(edge.into()))
                }));
            }
        }
    }
    let sorted = places;
    let floor = sorted.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
    let top = sorted.iter().map(|x| x.y).fold(0.0, f64::max);
    let scale = HEIGHT / (top - floor);
    let mut text = String::from(
        "# A hare that sits on y = 0 and looks along x, 0.1 m high, by `lab hare` (tools/lab/src/hare.rs).\n",
    );
    for x in &sorted {
        let x = scale * (*x - floor * DVec3::Y);
        let _ = writeln!(text, "v {:.6} {:.6} {:.6}", x.x, x.y, x.z);
    }
    for [a, b, c] in faces {
        let _ = writeln!(text, "f {a} {b} {c}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_mesh_is_this_one_and_closed() {
        let bundled = include_str!("../../../crates/formats/scenes/hare.obj");
        assert!(bundled == hare(), "write it again: cargo run --release --bin lab -- hare");
        let faces = bundled.lines().filter_map(|line| line.strip_prefix("f "));
        let mut edges: BTreeMap<(usize, usize), i32> = BTreeMap::new();
        let mut count = 0;
        for face in faces {
            let corners: Vec<usize> = face.split(' ').map(|n| n.parse().unwrap()).collect();
            for k in 0..3 {
                *edges.entry((corners[k], corners[(k + 1) % 3])).or_default() += 1;
            }
            count += 1;
        }
        assert!(count <= 3000, "{count} triangles");
        // Each edge has one triangle on either side.
        for ((a, b), times) in &edges {
            assert_eq!((*times, edges.get(&(*b, *a))), (1, Some(&1)), "edge {a} {b}");
        }
    }
}
