//! The nearest point of a mesh, found with a tree of bounding boxes.

use std::collections::HashMap;

use glam::DVec3;

use super::{TriangleMesh, sorted};

const LEAF: usize = 8;
/// Most triangles of a batch for the GPU: looking at all of them, and twice at their boxes, takes
/// fewer loop iterations than software Vulkan allows per invocation.
const BATCH: usize = 24 << 10;

/// Box around some triangles.
#[derive(Debug)]
struct Node {
    low: DVec3,
    high: DVec3,
    /// Triangles of a leaf, in `order`; for an inner node, the second child (the first follows it).
    first: usize,
    count: usize,
}

/// Boxes around a mesh's triangles, and normals of everything that can be nearest.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    order: Vec<u32>,
    faces: Vec<DVec3>,
    /// Sums of the normals of the faces at each edge.
    edges: HashMap<[u32; 2], DVec3>,
    /// Sums of normals weighted by the faces' angles.
    vertices: Vec<DVec3>,
}

/// Box around triangles of a batch, in depth-first order.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "it has no other parts")]
pub struct BatchBox {
    /// Lower corner in m.
    pub low: glam::Vec3,
    /// Next box that is not inside this one.
    pub past: u32,
    /// Upper corner in m.
    pub high: glam::Vec3,
    /// Sixteen times the first triangle, plus the number of triangles: 0 for a box of boxes.
    pub leaf: u32,
}

/// Triangle of a batch.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "it has no other parts")]
pub struct BatchTriangle {
    /// Corners relative to the mesh's centre, in m.
    pub corners: [glam::Vec3; 3],
    /// Normals of the parts that may be nearest: corners, the edges that begin there, and the face.
    pub normals: [glam::Vec3; 7],
}

/// Neighbouring triangles of a mesh, and boxes around them, relative to the mesh's centre.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Batch {
    /// At most [`MAX_BOXES`](Self::MAX_BOXES), in depth-first order.
    pub boxes: Vec<BatchBox>,
    /// At most [`MAX_TRIANGLES`](Self::MAX_TRIANGLES).
    pub triangles: Vec<BatchTriangle>,
}

impl Batch {
    /// Most triangles.
    pub const MAX_TRIANGLES: u32 = BATCH as u32;
    /// Most boxes: only a mesh of fewer triangles has a leaf of less than four.
    pub const MAX_BOXES: u32 = BATCH as u32 / 2;
}

/// Nearest point of a mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    /// The point.
    pub(super) place: DVec3,
    /// Distance, negative behind the normal.
    pub(super) signed: f64,
    /// Number of the triangle.
    pub(super) triangle: usize,
}

/// Nearest part of a triangle.
#[derive(Clone, Copy)]
enum Part {
    Face,
    Edge(usize),
    Corner(usize),
}

impl Tree {
    pub(super) fn new(mesh: &TriangleMesh) -> Self {
        let faces: Vec<DVec3> = mesh.triangles.iter().map(|t| mesh.normal(*t)).collect();
        let mut vertices = vec![DVec3::ZERO; mesh.positions.len()];
        let mut edges: HashMap<[u32; 2], DVec3> = HashMap::new();
        for (triangle, normal) in mesh.triangles.iter().zip(&faces) {
            let corners = mesh.corners(*triangle);
            for k in 0..3 {
                let (p, q, r) = (corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]);
                vertices[triangle[k] as usize] += (q - p).angle_between(r - p) * *normal;
                *edges.entry(sorted(triangle[k], triangle[(k + 1) % 3])).or_default() += *normal;
            }
        }
        let centers: Vec<DVec3> =
            mesh.triangles.iter().map(|t| mesh.corners(*t).iter().sum::<DVec3>() / 3.0).collect();
        let order = (0..mesh.triangles.len() as u32).collect();
        let mut tree = Self { nodes: Vec::new(), order, faces, edges, vertices };
        tree.split(mesh, &centers, 0, mesh.triangles.len());
        tree
    }

    fn split(&mut self, mesh: &TriangleMesh, centers: &[DVec3], first: usize, count: usize) {
        let mine = &mut self.order[first..first + count];
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let (mut near, mut far) = (low, high);
        for t in mine.iter() {
            for corner in mesh.corners(mesh.triangles[*t as usize]) {
                (low, high) = (low.min(corner), high.max(corner));
            }
            (near, far) = (near.min(centers[*t as usize]), far.max(centers[*t as usize]));
        }
        let place = self.nodes.len();
        self.nodes.push(Node { low, high, first, count });
        if count <= LEAF {
            return;
        }
        let axis = (far - near).max_position();
        let half = count / 2;
        let along = |t: &u32| centers[*t as usize][axis];
        mine.select_nth_unstable_by(half, |a, b| along(a).total_cmp(&along(b)).then(a.cmp(b)));
        self.split(mesh, centers, first, half);
        let second = self.nodes.len();
        self.split(mesh, centers, first + half, count - half);
        self.nodes[place].first = second;
        self.nodes[place].count = 0;
    }

    pub(super) fn batches(
        &self,
        mesh: &TriangleMesh,
        middle: DVec3,
    ) -> impl Iterator<Item = Batch> {
        // Subtrees by index, first triangle and count, halved as they were split.
        let mut parts = vec![(0, 0, self.order.len())];
        std::iter::from_fn(move || {
            let (mut place, first, mut count) = parts.pop()?;
            while count > BATCH {
                let half = count / 2;
                parts.push((self.nodes[place].first, first + half, count - half));
                (place, count) = (place + 1, half);
            }
            let mut batch = Batch::default();
            self.gather(place, first, middle, &mut batch.boxes);
            let own = &self.order[first..first + count];
            batch.triangles.extend(own.iter().map(|t| self.triangle(mesh, *t as usize, middle)));
            Some(batch)
        })
    }

    /// Boxes of a subtree whose triangles begin at `first`.
    fn gather(&self, place: usize, first: usize, middle: DVec3, boxes: &mut Vec<BatchBox>) {
        let (node, at) = (&self.nodes[place], boxes.len());
        let [low, high] = [node.low, node.high].map(|corner| (corner - middle).as_vec3());
        let leaf = if node.count > 0 { 16 * (node.first - first) + node.count } else { 0 };
        boxes.push(BatchBox { low, past: 0, high, leaf: leaf as u32 });
        if node.count == 0 {
            self.gather(place + 1, first, middle, boxes);
            self.gather(node.first, first, middle, boxes);
        }
        boxes[at].past = boxes.len() as u32;
    }

    fn triangle(&self, mesh: &TriangleMesh, t: usize, middle: DVec3) -> BatchTriangle {
        let triangle = mesh.triangles[t];
        let parts = [0, 1, 2].map(Part::Corner).into_iter().chain([0, 1, 2].map(Part::Edge));
        let mut normals = [glam::Vec3::ZERO; 7];
        for (normal, part) in normals.iter_mut().zip(parts.chain([Part::Face])) {
            *normal = self.normal(triangle, t, part).normalize_or_zero().as_vec3();
        }
        let corners = mesh.corners(triangle).map(|corner| (corner - middle).as_vec3());
        BatchTriangle { corners, normals }
    }

    /// Normal of the nearest part.
    fn normal(&self, triangle: [u32; 3], t: usize, part: Part) -> DVec3 {
        match part {
            Part::Face => self.faces[t],
            Part::Edge(k) => self.edges[&sorted(triangle[k], triangle[(k + 1) % 3])],
            Part::Corner(k) => self.vertices[triangle[k] as usize],
        }
    }

    /// Whether a triangle whose box meets the box between two corners fulfils a condition.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn any_within(
        &self,
        low: DVec3,
        high: DVec3,
        holds: impl Fn(usize) -> bool,
    ) -> bool {
        let mut stack = vec![0];
        while let Some(place) = stack.pop() {
            let node = &self.nodes[place];
            if node.low.cmpgt(high).any() || low.cmpgt(node.high).any() {
                continue;
            }
            if node.count == 0 {
                stack.extend([place + 1, node.first]);
            } else if self.order[node.first..node.first + node.count]
                .iter()
                .any(|t| holds(*t as usize))
            {
                return true;
            }
        }
        false
    }

    pub(super) fn nearest(&self, mesh: &TriangleMesh, point: DVec3) -> Nearest {
        let gap = |node: &Node| {
            (node.low - point).max(point - node.high).max(DVec3::ZERO).length_squared()
        };
        let mut best = (f64::INFINITY, DVec3::ZERO, 0, Part::Face);
        let mut stack = vec![(0, gap(&self.nodes[0]))];
        while let Some((place, distance)) = stack.pop() {
            if distance >= best.0 {
                continue;
            }
            let node = &self.nodes[place];
            if node.count > 0 {
                for t in &self.order[node.first..node.first + node.count] {
                    let corners = mesh.corners(mesh.triangles[*t as usize]);
                    let (on, part) = nearest_of_triangle(point, corners);
                    let squared = point.distance_squared(on);
                    if squared < best.0 {
                        best = (squared, on, *t as usize, part);
                    }
                }
                continue;
            }
            let children = [place + 1, node.first].map(|child| (child, gap(&self.nodes[child])));
            let [a, b] = children;
            stack.extend(if a.1 <= b.1 { [b, a] } else { [a, b] });
        }
        let (squared, on, t, part) = best;
        let normal = self.normal(mesh.triangles[t], t, part);
        let distance = squared.sqrt();
        let signed = if (point - on).dot(normal) < 0.0 { -distance } else { distance };
        Nearest { place: on, signed, triangle: t }
    }
}

/// Point of a triangle that is nearest to p (Ericson 2005, §5.1.5), and the part it is on.
fn nearest_of_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> (DVec3, Part) {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return (a, Part::Corner(0));
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return (b, Part::Corner(1));
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return (a + d1 / (d1 - d3) * ab, Part::Edge(0));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return (c, Part::Corner(2));
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return (a + d2 / (d2 - d6) * ac, Part::Edge(2));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        return (b + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b), Part::Edge(1));
    }
    let sum = va + vb + vc;
    (a + vb / sum * ab + vc / sum * ac, Part::Face)
}
