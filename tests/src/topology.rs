//! Topology of a triangle mesh, from its edges.

use std::collections::BTreeMap;

use glam::DVec3;

/// A closed, oriented 2-manifold.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Topology {
    /// Vertices − edges + triangles: 2 for each ball, 0 for a torus.
    pub euler_characteristic: i64,
    /// Number of connected components.
    pub components: usize,
    /// Enclosed volume.
    pub volume: f64,
}

/// Determines the topology of a mesh.
///
/// # Errors
/// The reason why it is not a closed, oriented 2-manifold of finite vertices.
pub fn topology(position: &[[f32; 3]], triangles: &[[u32; 3]]) -> Result<Topology, String> {
    if let Some(i) = position.iter().position(|x| x.iter().any(|x| !x.is_finite())) {
        return Err(format!("vertex {i} is {:?}", position[i]));
    }
    // Third vertex of the triangle to the left of each directed edge.
    let mut sides = BTreeMap::new();
    for &[a, b, c] in triangles {
        if [a, b, c].iter().any(|&i| i as usize >= position.len()) {
            return Err(format!("triangle {:?} of {} vertices", [a, b, c], position.len()));
        }
        for (from, to, third) in [(a, b, c), (b, c, a), (c, a, b)] {
            if sides.insert((from, to), third).is_some() {
                return Err(format!("two triangles are on the left of edge {from} → {to}"));
            }
        }
    }
    let mut degrees = vec![0; position.len()];
    let mut component: Vec<u32> = (0..position.len() as u32).collect();
    for &(a, b) in sides.keys() {
        if !sides.contains_key(&(b, a)) {
            return Err(format!("edge {a} → {b} is a border"));
        }
        degrees[a as usize] += 1;
        let (a, b) = (root(&mut component, a), root(&mut component, b));
        component[a as usize] = b;
    }
    // Walking around each vertex from triangle to triangle must meet all of its edges.
    let mut at = None;
    for &(a, first) in sides.keys() {
        if at == Some(a) {
            continue;
        }
        at = Some(a);
        let (mut to, mut met) = (sides[&(a, first)], 1);
        while to != first {
            to = sides[&(a, to)];
            met += 1;
        }
        if met != degrees[a as usize] {
            return Err(format!(
                "{met} of the {} edges of vertex {a} are a fan",
                degrees[a as usize]
            ));
        }
    }
    if let Some(lone) = degrees.iter().position(|&degree| degree == 0) {
        return Err(format!("no triangle has vertex {lone}"));
    }
    let vertex = |i: u32| DVec3::from(position[i as usize].map(f64::from));
    let sixth = |&[a, b, c]: &[u32; 3]| vertex(a).dot(vertex(b).cross(vertex(c))) / 6.0;
    let edges = sides.len() / 2;
    Ok(Topology {
        euler_characteristic: position.len() as i64 - edges as i64 + triangles.len() as i64,
        components: (0..position.len()).filter(|&i| component[i] == i as u32).count(),
        volume: triangles.iter().map(sixth).sum(),
    })
}

/// Representative of all vertices that are connected with this one.
fn root(component: &mut [u32], mut vertex: u32) -> u32 {
    while component[vertex as usize] != vertex {
        let above = component[vertex as usize];
        component[vertex as usize] = component[above as usize];
        vertex = above;
    }
    vertex
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNERS: [[f32; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    const FACES: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];

    #[test]
    fn a_tetrahedron_is_a_ball() {
        let found = topology(&CORNERS, &FACES).expect("closed");
        let volume = 1.0 / 6.0;
        assert_eq!(found, Topology { euler_characteristic: 2, components: 1, volume });
    }

    #[test]
    fn faults_are_found() {
        let fault = |corners: &[[f32; 3]], faces: &[[u32; 3]]| {
            topology(corners, faces).expect_err("a fault")
        };
        let mut corners = CORNERS;
        corners[1][0] = f32::NAN;
        assert_eq!(fault(&corners, &FACES), "vertex 1 is [NaN, 0.0, 0.0]");
        assert!(fault(&CORNERS[..3], &FACES).contains("of 3 vertices"));
        assert!(fault(&CORNERS, &FACES[..3]).contains("border"));
        let mut faces = FACES;
        faces[1].reverse();
        assert!(fault(&CORNERS, &faces).contains("two triangles"));
        assert!(fault(&[&CORNERS[..], &[[0.0; 3]]].concat(), &FACES).contains("no triangle"));
        // Two tetrahedra that share a vertex.
        let corners = [&CORNERS[..], &[[-1.0; 3]; 3]].concat();
        let second = FACES.map(|face| face.map(|i| if i == 0 { 0 } else { i + 3 }));
        assert!(fault(&corners, &[FACES, second].concat()).contains("are a fan"));
    }
}
