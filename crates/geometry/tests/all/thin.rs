//! How thick the walls of a mesh are.

use meniscus_geometry::mesh::{Solid, TriangleMesh};

/// Corners and faces of a cube about the origin.
fn cube(half: f64) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let end = |k: usize, bit: usize| if k >> bit & 1 == 1 { half } else { -half };
    let corners = (0..8).map(|k| [end(k, 0), end(k, 1), end(k, 2)]).collect();
    let sides =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let faces = sides.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    (corners, faces)
}

#[test]
fn a_block_is_as_thick_as_it_is() {
    let (corners, faces) = cube(0.5);
    let block = Solid::new(TriangleMesh::new(&corners, &faces).expect("a cube"));
    assert_eq!(block.thin(0.9, 0.1), None);
    let found = block.thin(1.1, 0.1).expect("thinner");
    assert!(found.share == 1.0 && (1.0..1.0003).contains(&found.thickness), "{found:?}");
}

#[test]
fn a_box_with_a_cavity_has_thin_walls() {
    let ((mut corners, mut faces), (inner, inside)) = (cube(0.5), cube(0.45));
    corners.extend(inner);
    faces.extend(inside.iter().map(|[a, b, c]| [a + 8, c + 8, b + 8]));
    let shell = Solid::new(TriangleMesh::new(&corners, &faces).expect("a shell"));
    let found = shell.thin(0.2, 0.1).expect("thin");
    assert!(found.share == 1.0 && (found.thickness - 0.05).abs() < 1e-4, "{found:?}");
    assert_eq!(shell.thin(0.04, 0.1), None);
}

#[test]
fn an_open_mesh_is_thin_all_over() {
    let (corners, faces) = cube(0.5);
    let found = Solid::new(TriangleMesh::new(&corners, &faces[2..]).expect("open")).thin(0.1, 0.1);
    let found = found.expect("a sheet");
    assert_eq!((found.share, found.thickness), (1.0, 0.0));
}
