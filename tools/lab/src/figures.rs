//! `lab figures`: meshes of bundled scenes, from smoothly joined ellipsoids.

use std::{collections::BTreeMap, fmt::Write};

use glam::{DVec3, IVec3};
use meniscus_model::marching_cubes::{edge_axis, edge_corner, triangles};

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

/// A figure.
pub(crate) struct Figure {
    /// Name of its file.
    pub(crate) name: &'static str,
    /// First line of the file.
    about: &'static str,
    /// Height in m.
    height: f64,
    parts: &'static [Part],
    /// Edge of the lattice's cells in heights.
    cell: f64,
    /// First and last node of the lattice that it is cut from.
    nodes: [[i32; 3]; 2],
}

/// All figures.
pub(crate) const FIGURES: [Figure; 4] = [
    Figure {
        name: "hare",
        about: "A hare that sits on y = 0 and looks along x, 0.1 m high",
        height: 0.1,
        parts: &HARE,
        cell: 0.0365,
        nodes: [[-15, -2, -9], [14, 31, 9]],
    },
    Figure {
        name: "banana",
        about: "A banana that lies on y = 0 with its ends up, 0.07 m high",
        height: 0.07,
        parts: &BANANA,
        cell: 0.06,
        nodes: [[-18, -3, -4], [18, 16, 4]],
    },
    Figure {
        name: "armadillo",
        about: "An armadillo that stands on y = 0 and looks along x, 0.12 m high",
        height: 0.12,
        parts: &ARMADILLO,
        cell: 0.05,
        nodes: [[-13, -2, -7], [11, 22, 7]],
    },
    Figure {
        name: "bust",
        about: "A bust that stands on y = 0 and looks along x, 0.3 m high",
        height: 0.3,
        parts: &BUST,
        cell: 0.036,
        nodes: [[-8, -2, -11], [8, 30, 10]],
    },
];

const BUST: [Part; 13] = [
    // Plinth, stem.
    part([0.0, 0.05, 0.0], [0.19, 0.06, 0.19], 0.0),
    part([0.0, 0.14, 0.0], [0.09, 0.14, 0.09], 0.0),
    // Chest, shoulders.
    part([0.01, 0.35, 0.0], [0.15, 0.15, 0.2], 0.0),
    part([-0.01, 0.4, 0.17], [0.1, 0.1, 0.13], 0.0),
    // Neck, head, its back, jaw.
    part([0.0, 0.56, 0.0], [0.075, 0.16, 0.075], -8.0),
    part([0.03, 0.82, 0.0], [0.125, 0.16, 0.11], 0.0),
    part([-0.04, 0.85, 0.0], [0.13, 0.13, 0.12], 0.0),
    part([0.08, 0.71, 0.0], [0.08, 0.06, 0.065], 20.0),
    // Brow, nose, lips, ears, hair.
    part([0.12, 0.855, 0.045], [0.045, 0.025, 0.05], 0.0),
    part([0.165, 0.79, 0.0], [0.035, 0.055, 0.024], 25.0),
    part([0.15, 0.725, 0.0], [0.02, 0.018, 0.035], 0.0),
    part([0.0, 0.79, 0.115], [0.035, 0.05, 0.02], 10.0),
    part([-0.15, 0.8, 0.0], [0.08, 0.08, 0.08], 0.0),
];

const BANANA: [Part; 10] = [
    part([0.0, 0.1, 0.0], [0.17, 0.15, 0.14], 0.0),
    part([0.233, 0.131, 0.0], [0.17, 0.145, 0.135], 15.0),
    part([-0.233, 0.131, 0.0], [0.17, 0.145, 0.135], -15.0),
    part([0.45, 0.221, 0.0], [0.16, 0.125, 0.12], 30.0),
    part([-0.45, 0.221, 0.0], [0.16, 0.125, 0.12], -30.0),
    part([0.636, 0.364, 0.0], [0.15, 0.1, 0.095], 45.0),
    part([-0.636, 0.364, 0.0], [0.15, 0.1, 0.095], -45.0),
    part([0.77, 0.53, 0.0], [0.12, 0.065, 0.065], 58.0),
    part([-0.75, 0.5, 0.0], [0.11, 0.065, 0.065], -58.0),
    // Its stalk.
    part([0.84, 0.66, 0.0], [0.1, 0.045, 0.045], 64.0),
];

const ARMADILLO: [Part; 11] = [
    // Shell, belly, head, snout.
    part([-0.03, 0.4, 0.0], [0.19, 0.26, 0.19], 12.0),
    part([0.06, 0.37, 0.0], [0.16, 0.22, 0.16], 0.0),
    part([0.08, 0.71, 0.0], [0.12, 0.11, 0.1], 0.0),
    part([0.22, 0.67, 0.0], [0.12, 0.055, 0.055], -14.0),
    // Ears, arms, hands.
    part([0.03, 0.85, 0.075], [0.045, 0.1, 0.04], 10.0),
    part([0.14, 0.52, 0.19], [0.15, 0.055, 0.055], 18.0),
    part([0.28, 0.57, 0.2], [0.055, 0.055, 0.05], 0.0),
    // Legs, feet, tail.
    part([0.02, 0.17, 0.12], [0.09, 0.15, 0.085], 0.0),
    part([0.08, 0.04, 0.13], [0.13, 0.045, 0.065], 0.0),
    part([-0.19, 0.19, 0.0], [0.16, 0.09, 0.08], 35.0),
    part([-0.35, 0.08, 0.0], [0.17, 0.05, 0.05], 18.0),
];

const HARE: [Part; 13] = [
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

/// Distance in heights from a figure, negative inside: parts that are nearer than [`BLEND`] join smoothly.
fn field(parts: &[Part], x: DVec3) -> f64 {
    parts.iter().map(|part| distance(part, x)).fold(f64::INFINITY, |a, b| {
        let t = ((BLEND - (a - b).abs()) / BLEND).max(0.0);
        a.min(b) - 0.25 * BLEND * t * t
    })
}

fn gradient(parts: &[Part], x: DVec3) -> DVec3 {
    let along =
        |axis: DVec3| (field(parts, x + 1e-3 * axis) - field(parts, x - 1e-3 * axis)) / 2e-3;
    DVec3::from(DVec3::AXES.map(along))
}

/// The mesh as an OBJ file in m, by marching cubes; its vertices are moved onto the surface.
pub(crate) fn mesh(figure: &Figure) -> String {
    let parts = figure.parts;
    let [low, high] = figure.nodes.map(IVec3::from);
    let place = |node: IVec3| figure.cell * (node.as_dvec3() + DVec3::new(0.13, 0.07, 0.5));
    let at = |node: IVec3| field(parts, place(node));
    let corner = |k: usize| IVec3::new((k & 1) as i32, (k >> 1 & 1) as i32, (k >> 2 & 1) as i32);
    let (mut numbers, mut places) = (BTreeMap::new(), Vec::new());
    let mut vertex = |from: IVec3, axis: usize| {
        *numbers.entry((from.to_array(), axis)).or_insert_with(|| {
            let to = from + IVec3::AXES[axis];
            let (f, g) = (at(from), at(to));
            let mut x = place(from).lerp(place(to), f / (f - g));
            for _ in 0..3 {
                let slope = gradient(parts, x);
                x -= (field(parts, x) * slope / slope.length_squared())
                    .clamp_length_max(0.1 * figure.cell);
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
    let scale = figure.height / (top - floor);
    let mut text = format!("# {}, by `lab figures` (tools/lab/src/figures.rs).\n", figure.about);
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
    fn the_bundled_meshes_are_these_and_closed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/formats/scenes");
        for figure in &FIGURES {
            let name = figure.name;
            let bundled = std::fs::read_to_string(format!("{folder}/{name}.obj")).unwrap();
            assert!(
                bundled == mesh(figure),
                "write {name} again: cargo run --release --bin lab -- figures"
            );
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
            assert!((500..=3200).contains(&count), "{name}: {count} triangles");
            // Each edge has one triangle on either side.
            for ((a, b), times) in &edges {
                assert_eq!((*times, edges.get(&(*b, *a))), (1, Some(&1)), "{name}: edge {a} {b}");
            }
        }
    }
}
