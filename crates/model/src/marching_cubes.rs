//! The cases of marching cubes, computed rather than listed.
//!
//! Corners of a cube are numbered by three bits, x = 1, y = 2, z = 4, each set if the corner is at
//! the far end of that axis. A *case* is the mask of the corners *inside*, where the field is above
//! the iso value. Edges are numbered `4 · axis + rank`, with the rank of their first corner among
//! the four corners with that axis' bit clear.
//!
//! Method: W. E. Lorensen, H. E. Cline, “Marching cubes”, SIGGRAPH 1987, without its holes.
//!
//! * On each face the surface leaves one directed segment per run of inside corners. Where two
//!   inside corners face each other diagonally, they are kept apart, as by C. Montani, R. Scateni,
//!   R. Scopigno, “A modified look-up table for implicit disambiguation of marching cubes”, The
//!   Visual Computer 1994. This depends only on the face, so both cubes that share it agree.
//! * The segments chain into loops (J. Bloomenthal, “Polygonization of implicit surfaces”, 1988),
//!   and each loop is cut into triangles whose diagonals run through the inside of the cube. A
//!   diagonal within a face could be chosen by both cubes that share the face, and then four
//!   triangles would meet in it. Every loop has such a triangulation.
//!
//! So the mesh of any field is a closed, oriented 2-manifold wherever the field is below the iso
//! value on the boundary of the grid.

/// Most triangles of a case.
pub const MAX_TRIANGLES: usize = 5;

/// The four corners of each face, counter-clockwise seen from outside of the cube.
const FACES: [[usize; 4]; 6] = {
    let mut faces = [[0; 4]; 6];
    let mut axis = 0;
    while axis < 3 {
        let [far, u, v] = [1 << axis, 1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3)];
        faces[2 * axis] = [v, u | v, u, 0];
        faces[2 * axis + 1] = [far, far | u, far | u | v, far | v];
        axis += 1;
    }
    faces
};

/// The axis along which an edge runs.
#[must_use]
pub const fn edge_axis(edge: usize) -> usize {
    edge / 4
}

/// The corner at which an edge starts: the one with the bit of its axis clear.
#[must_use]
pub const fn edge_corner(edge: usize) -> usize {
    let (axis, rank) = (edge / 4, edge % 4);
    let below = rank & ((1 << axis) - 1);
    ((rank - below) << 1) | below
}

/// The edge between two corners that differ in one bit.
fn edge_between(a: usize, b: usize) -> u8 {
    let axis_bit = a ^ b;
    let start = a & b;
    let below = start & (axis_bit - 1);
    let rank = ((start - below) >> 1) | below;
    (4 * axis_bit.trailing_zeros() as usize + rank) as u8
}

/// Whether both edges belong to one face of the cube.
fn share_a_face(a: u8, b: u8) -> bool {
    let ends = |edge: u8| {
        let start = edge_corner(edge.into());
        [start, start | 1 << edge_axis(edge.into())]
    };
    let [[a, b], [c, d]] = [ends(a), ends(b)];
    // A bit that is set in all four corners, or in none.
    (a & b & c & d) | (7 & !(a | b | c | d)) != 0
}

/// For each edge, the edge to which the surface continues: the segments of all faces. Seen from
/// outside the cube, the fluid is to the right of a segment.
fn segments(case: u8) -> [Option<u8>; 12] {
    let inside = |corner: usize| case >> corner & 1 == 1;
    let mut next = [None; 12];
    for face in FACES {
        for first in 0..4 {
            let before = face[(first + 3) % 4];
            if !inside(face[first]) || inside(before) {
                continue;
            }
            let mut last = first;
            while inside(face[(last + 1) % 4]) {
                last += 1;
            }
            let enter = edge_between(before, face[first]);
            next[usize::from(enter)] = Some(edge_between(face[last % 4], face[(last + 1) % 4]));
        }
    }
    next
}

/// The loops of a case, each from its smallest edge, in the order of those.
fn loops(case: u8) -> Vec<Vec<u8>> {
    let mut next = segments(case);
    let mut loops = Vec::new();
    for first in 0..12 {
        let mut edges = Vec::new();
        let mut edge = first;
        while let Some(after) = next[usize::from(edge)].take() {
            edges.push(edge);
            edge = after;
        }
        if !edges.is_empty() {
            loops.push(edges);
        }
    }
    loops
}

/// The first triangulation of the vertices `i..=j` of a loop whose diagonals lie in no face.
fn triangulation(edges: &[u8], i: usize, j: usize) -> Option<Vec<[u8; 3]>> {
    let allowed = |a: usize, b: usize| {
        b - a == 1 || b - a == edges.len() - 1 || !share_a_face(edges[a], edges[b])
    };
    if j == i + 1 {
        return Some(Vec::new());
    }
    (i + 1..j).filter(|&k| allowed(i, k) && allowed(k, j)).find_map(|k| {
        let mut triangles = triangulation(edges, i, k)?;
        let after = triangulation(edges, k, j)?;
        triangles.push([edges[i], edges[k], edges[j]]);
        triangles.extend(after);
        Some(triangles)
    })
}

/// Triangles of a case, as the edges that their vertices lie on, counter-clockwise seen from
/// outside the fluid: normals point from inside corners to outside ones.
///
/// # Panics
///
/// Never: all 256 cases can be triangulated, as tests check.
#[must_use]
pub fn triangles(case: u8) -> Vec<[u8; 3]> {
    let cut = |edges: Vec<u8>| {
        triangulation(&edges, 0, edges.len() - 1).expect("every loop has a triangulation")
    };
    loops(case).into_iter().flat_map(cut).collect()
}

/// The table for shaders, by case: four bits per edge of the flattened triangles, edges 0..8 in
/// word 0 and 8..15 in word 1, whose topmost four bits are the number of triangles.
#[must_use]
pub fn cases() -> Vec<[u32; 2]> {
    let pack = |case: u8| {
        let triangles = triangles(case);
        let mut bits = (triangles.len() as u64) << 60;
        for (i, &edge) in triangles.as_flattened().iter().enumerate() {
            bits |= u64::from(edge) << (4 * i);
        }
        [bits as u32, (bits >> 32) as u32]
    };
    (0..=255).map(pack).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_numbered_by_axis_and_start() {
        let mut edge = 0;
        for axis in 0..3 {
            for corner in (0..8).filter(|corner| corner >> axis & 1 == 0) {
                assert_eq!((edge_axis(edge), edge_corner(edge)), (axis, corner));
                assert_eq!(usize::from(edge_between(corner | 1 << axis, corner)), edge);
                edge += 1;
            }
        }
        assert_eq!(edge, 12);
    }

    #[test]
    fn edges_on_a_common_face() {
        // Each edge lies on two faces with four edges each, so it shares a face with itself and six
        // others.
        for a in 0..12 {
            assert_eq!((0..12).filter(|&b| share_a_face(a, b)).count(), 7);
        }
    }

    #[test]
    fn each_crossed_edge_is_in_one_loop() {
        for case in 0..=255u8 {
            let mut used: Vec<u8> = loops(case).into_iter().flatten().collect();
            used.sort_unstable();
            let crossed = (0..12).filter(|&edge: &u8| {
                let start = edge_corner(edge.into());
                let end = start | 1 << edge_axis(edge.into());
                (case >> start ^ case >> end) & 1 == 1
            });
            assert_eq!(used, crossed.collect::<Vec<_>>(), "case {case:#010b}");
        }
    }

    /// The directed edges of triangles.
    fn sides(triangles: &[[u8; 3]]) -> Vec<(u8, u8)> {
        triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).collect()
    }

    #[test]
    fn triangles_within_a_face_end_at_its_segments_and_elsewhere_at_each_other() {
        for case in 0..=255 {
            let next = segments(case);
            let mut sides = sides(&triangles(case));
            let mut bordering = 0;
            while let Some((a, b)) = sides.pop() {
                if share_a_face(a, b) {
                    assert_eq!(next[usize::from(a)], Some(b), "case {case:#010b}");
                    bordering += 1;
                } else {
                    let opposite = sides.iter().position(|&side| side == (b, a));
                    sides.remove(opposite.expect("the other side of a diagonal"));
                    assert!(!sides.contains(&(a, b)) && !sides.contains(&(b, a)));
                }
            }
            assert_eq!(bordering, next.iter().flatten().count(), "case {case:#010b}");
        }
    }

    #[test]
    fn neighbours_agree_on_their_common_face() {
        for axis in 0..3 {
            // Corners on the far face of the axis, and their images on the next cube's near face.
            let far = 1usize << axis;
            let face = |side: usize| (0..8).filter(move |corner| corner & far == side);
            let state = |case: u8, side| -> Vec<u8> {
                face(side).map(|corner| case >> corner & 1).collect()
            };
            let within = |case: u8, side| -> Vec<(u8, u8)> {
                let on = |edge: u8| {
                    let edge = usize::from(edge);
                    edge_axis(edge) != axis && edge_corner(edge) & far == side
                };
                let all = sides(&triangles(case));
                let mut all: Vec<_> = all.into_iter().filter(|&(a, b)| on(a) && on(b)).collect();
                all.sort_unstable();
                all
            };
            let image = |edge: u8| {
                let start = edge_corner(edge.into()) & !far;
                edge_between(start, start | 1 << edge_axis(edge.into()))
            };
            // For each state of the near face, the set of segments that all its cases share.
            let mut near = vec![None; 16];
            let number = |bits: &[u8]| bits.iter().fold(0, |sum, &bit| 2 * sum + usize::from(bit));
            for case in 0..=255 {
                let found = within(case, 0);
                let known = near[number(&state(case, 0))].get_or_insert_with(|| found.clone());
                assert_eq!(*known, found, "case {case:#010b}");
            }
            for case in 0..=255 {
                let mut seen_from_next: Vec<_> =
                    within(case, far).into_iter().map(|(a, b)| (image(b), image(a))).collect();
                seen_from_next.sort_unstable();
                let next = near[number(&state(case, far))].as_ref().expect("16 states");
                assert_eq!(seen_from_next, *next, "case {case:#010b}");
            }
        }
    }

    #[test]
    fn normals_point_out_of_the_inside() {
        // One corner inside: the triangle through the midpoints of its edges.
        let middle = |edge: u8| {
            let start = edge_corner(edge.into());
            [0, 1, 2].map(|axis| {
                let half = if edge_axis(edge.into()) == axis { 0.5 } else { 0.0 };
                (start >> axis & 1) as f64 + half
            })
        };
        for corner in 0..8usize {
            let [triangle] = triangles(1 << corner)[..] else { panic!("one triangle") };
            let [a, b, c] = triangle.map(|edge| glam::DVec3::from(middle(edge)));
            let corner = glam::DVec3::from([0, 1, 2].map(|axis| (corner >> axis & 1) as f64));
            assert!((b - a).cross(c - a).dot(a - corner) > 0.0);
        }
    }

    #[test]
    fn the_packed_table_says_the_same() {
        let cases = cases();
        assert_eq!(cases.len(), 256);
        let mut most = 0;
        for (case, words) in (0..=255).zip(&cases) {
            let count = (words[1] >> 28) as usize;
            let edge = |i: usize| (words[i / 8] >> (4 * (i % 8)) & 15) as u8;
            let unpacked: Vec<u8> = (0..3 * count).map(edge).collect();
            assert_eq!(unpacked, triangles(case).as_flattened());
            most = most.max(count);
        }
        assert_eq!(most, MAX_TRIANGLES);
    }
}
