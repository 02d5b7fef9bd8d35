//! Meshes of whole fields: closed, manifold and oriented, with the correct topology and volume.

use std::collections::HashMap;

use glam::{DVec3, IVec3};
use meniscus_model::marching_cubes::{edge_axis, edge_corner, triangles};
use proptest::prelude::*;

struct Mesh {
    position: Vec<DVec3>,
    triangles: Vec<[usize; 3]>,
}

fn offset(corner: usize) -> IVec3 {
    IVec3::from([0, 1, 2].map(|axis| (corner >> axis & 1) as i32))
}

/// The iso surface 0 of `field` at the points 0..=cells of each axis.
fn mesh(cells: i32, field: impl Fn(IVec3) -> f64) -> Mesh {
    let mut position = Vec::new();
    let mut vertices = HashMap::new();
    let mut found = Vec::new();
    for (z, y, x) in cells_of(cells) {
        let cell = IVec3::new(x, y, z);
        let inside = |corner: &usize| field(cell + offset(*corner)) > 0.0;
        let case = (0..8).filter(inside).fold(0, |case, corner| case | 1u8 << corner);
        for triangle in triangles(case) {
            found.push(triangle.map(|edge| {
                let (start, axis) =
                    (cell + offset(edge_corner(edge.into())), edge_axis(edge.into()));
                *vertices.entry((start, axis)).or_insert_with(|| {
                    let end = start + IVec3::AXES[axis];
                    let (a, b) = (field(start), field(end));
                    position.push(start.as_dvec3() + IVec3::AXES[axis].as_dvec3() * (a / (a - b)));
                    position.len() - 1
                })
            }));
        }
    }
    Mesh { position, triangles: found }
}

fn cells_of(cells: i32) -> impl Iterator<Item = (i32, i32, i32)> {
    (0..cells).flat_map(move |z| (0..cells).flat_map(move |y| (0..cells).map(move |x| (z, y, x))))
}

impl Mesh {
    /// For each directed edge, the third vertex of the triangle on its left.
    fn sides(&self) -> HashMap<(usize, usize), usize> {
        let mut sides = HashMap::new();
        for &[a, b, c] in &self.triangles {
            for (from, to, third) in [(a, b, c), (b, c, a), (c, a, b)] {
                assert!(sides.insert((from, to), third).is_none(), "an edge is used twice");
            }
        }
        sides
    }

    /// Checks that every edge is used once in each direction, and that the triangles around a
    /// vertex form one fan.
    fn check_closed_manifold(&self) {
        let sides = self.sides();
        let mut degree = vec![0; self.position.len()];
        for &(a, b) in sides.keys() {
            assert!(sides.contains_key(&(b, a)), "a border");
            degree[a] += 1;
        }
        let mut first = HashMap::new();
        for &(a, b) in sides.keys() {
            first.entry(a).or_insert(b);
        }
        for (&a, &b) in &first {
            let (mut to, mut seen) = (b, 0);
            loop {
                to = sides[&(a, to)];
                seen += 1;
                if to == b {
                    break;
                }
            }
            assert_eq!(seen, degree[a], "two fans meet in a vertex");
        }
        assert_eq!(first.len(), self.position.len(), "a vertex without a triangle");
    }

    fn volume(&self) -> f64 {
        let sixth = |&[a, b, c]: &[usize; 3]| {
            let [a, b, c] = [a, b, c].map(|i| self.position[i]);
            a.dot(b.cross(c)) / 6.0
        };
        self.triangles.iter().map(sixth).sum()
    }

    fn euler_characteristic(&self) -> i64 {
        let edges = self.sides().len() / 2;
        self.position.len() as i64 - edges as i64 + self.triangles.len() as i64
    }
}

/// A ball, `cells` across, slightly off the grid's centre.
fn ball(cells: i32) -> (Mesh, f64) {
    let radius = f64::from(cells) / 2.0;
    let center = DVec3::splat(radius + 2.0) + DVec3::new(0.31, 0.17, 0.43);
    let field = |point: IVec3| radius - point.as_dvec3().distance(center);
    let exact = 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let mesh = mesh(cells + 5, field);
    let error = (mesh.volume() / exact - 1.0).abs();
    (mesh, error)
}

#[test]
fn a_ball_has_the_volume_of_a_ball() {
    let (mesh, error) = ball(20);
    mesh.check_closed_manifold();
    assert_eq!(mesh.euler_characteristic(), 2);
    assert!(error < 0.01, "{error}");
    // Second order: a quarter of the error with half the cell size.
    let (coarser, finer) = (ball(10).1, ball(40).1);
    assert!(coarser / error > 3.0 && error / finer > 3.0, "{coarser} {error} {finer}");
}

#[test]
fn a_torus_has_a_hole() {
    let field = |point: IVec3| {
        let from = point.as_dvec3() - DVec3::new(12.3, 11.8, 12.1);
        3.0 - (from.truncate().length() - 7.0).hypot(from.z)
    };
    let mesh = mesh(25, field);
    mesh.check_closed_manifold();
    assert_eq!(mesh.euler_characteristic(), 0);
}

const CELLS: i32 = 6;

/// Noise at every inner point, from mostly outside to mostly inside, surrounded by outside.
fn noise() -> impl Strategy<Value = Vec<f64>> {
    let points = (CELLS - 1).pow(3) as usize;
    (-0.9..0.9).prop_flat_map(move |bias: f64| {
        prop::collection::vec((-1.0..1.0f64).prop_map(move |value| value + bias), points)
    })
}

proptest! {
    #[test]
    fn any_field_has_a_closed_manifold_mesh(values in noise()) {
        let field = |point: IVec3| {
            let inner = point - IVec3::ONE;
            let points = CELLS - 1;
            if inner.min_element() < 0 || inner.max_element() >= points {
                return -1.0;
            }
            values[(inner.x + points * (inner.y + points * inner.z)) as usize]
        };
        let mesh = mesh(CELLS, field);
        mesh.check_closed_manifold();
        prop_assert_eq!(mesh.euler_characteristic() % 2, 0);
        // Some of it is inside, and the triangles face away from that.
        prop_assert!(mesh.triangles.is_empty() || mesh.volume() > 0.0);
    }
}
