//! Boundary particles of a mesh, about a spacing apart and the same on every run.
//!
//! The surface is offset by half a spacing, with edges staying edges. Then corners get a particle
//! each, edges even steps, flat faces a square lattice, and curved faces the samples left after
//! repeatedly removing the most crowded one of many (Yuksel 2015).

use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};

use glam::DVec3;

use super::{Solid, TriangleMesh, area, sorted};
use crate::Vec3;

/// Cosine of the angle between normals beyond which an edge is sharp: 30°.
const SHARP: f64 = 0.866;
/// Cosine of the angle between normals within which a face is flat: 0.5°.
const FLAT: f64 = 0.999_96;
/// Limit on the movement at acute corners, relative to the distance behind the surface.
const MITRE: f64 = 2.5;
/// Least distance of points on different faces, in spacings.
const APART: f64 = 0.6;
/// Number of candidates per sample kept.
const CANDIDATES: f64 = 6.0;

/// Particles on the surface moved outward by `behind` m.
pub(super) fn sample(solid: &Solid, behind: f64, spacing: f64) -> Vec<Vec3> {
    let mesh = solid.mesh();
    let moved = offset(mesh, behind);
    let faces = Faces::of(mesh);
    let mut points = Points { solid, behind, spacing, cells: HashMap::new(), kept: Vec::new() };
    let mut sides: BTreeMap<usize, Vec<[u32; 2]>> = BTreeMap::new();
    for chain in faces.chains(mesh) {
        for patch in faces.beside(&chain) {
            sides.entry(patch).or_default().extend(chain.windows(2).map(|w| [w[0], w[1]]));
        }
        points.add_chain(&chain, mesh, &moved);
    }
    for (number, patch) in faces.patches.iter().enumerate() {
        let sides = sides.get(&number).map_or(&[][..], Vec::as_slice);
        let first = points.kept.len();
        if is_flat(mesh, patch) {
            points.add_lattice(patch, sides, mesh, &moved, first);
        } else {
            points.add_samples(patch, mesh, &moved, first);
        }
    }
    points.kept
}

/// Vertices, moved so that each of their faces is `behind` further out.
fn offset(mesh: &TriangleMesh, behind: f64) -> Vec<DVec3> {
    let mut normals: Vec<Vec<(DVec3, f64)>> = vec![Vec::new(); mesh.positions.len()];
    for triangle in &mesh.triangles {
        let (corners, normal) = (mesh.corners(*triangle), mesh.normal(*triangle));
        for k in 0..3 {
            let (p, q, r) = (corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]);
            normals[triangle[k] as usize].push((normal, (q - p).angle_between(r - p)));
        }
    }
    let moved = |(point, normals): (&Vec3, &Vec<(DVec3, f64)>)| {
        // Least squares of n·d = behind, weighted by the faces' angles; undetermined directions
        // follow the mean normal.
        let total: f64 = normals.iter().map(|(_, angle)| angle).sum();
        let mean = normals.iter().map(|(n, angle)| *angle * *n).sum::<DVec3>() / total.max(1e-12);
        let weak = 1e-9;
        let mut matrix = glam::DMat3::from_diagonal(DVec3::splat(weak));
        for (n, angle) in normals {
            let share = angle / total.max(1e-12);
            matrix += share * glam::DMat3::from_cols(n.x * *n, n.y * *n, n.z * *n);
        }
        let right = behind * mean + weak * behind * mean.normalize_or_zero();
        let step = matrix.inverse() * right;
        DVec3::from(*point) + step.clamp_length_max(MITRE * behind.abs())
    };
    mesh.positions.iter().zip(&normals).map(moved).collect()
}

/// Patches of triangles separated by sharp edges.
struct Faces {
    patches: Vec<Vec<usize>>,
    patch_of: Vec<usize>,
    edges: BTreeMap<[u32; 2], Vec<usize>>,
    sharp: BTreeSet<[u32; 2]>,
}

impl Faces {
    fn of(mesh: &TriangleMesh) -> Self {
        let mut edges: BTreeMap<[u32; 2], Vec<usize>> = BTreeMap::new();
        for (t, triangle) in mesh.triangles.iter().enumerate() {
            for k in 0..3 {
                edges.entry(sorted(triangle[k], triangle[(k + 1) % 3])).or_default().push(t);
            }
        }
        let normals: Vec<DVec3> = mesh.triangles.iter().map(|t| mesh.normal(*t)).collect();
        let is_sharp = |triangles: &Vec<usize>| match triangles[..] {
            [a, b] => normals[a].dot(normals[b]) < SHARP,
            _ => true,
        };
        let sharp: BTreeSet<_> =
            edges.iter().filter(|(_, of)| is_sharp(of)).map(|(edge, _)| *edge).collect();
        let mut patch_of = vec![usize::MAX; mesh.triangles.len()];
        let mut patches: Vec<Vec<usize>> = Vec::new();
        for first in 0..mesh.triangles.len() {
            if patch_of[first] != usize::MAX {
                continue;
            }
            let number = patches.len();
            patch_of[first] = number;
            let mut patch = vec![first];
            let mut next = 0;
            while next < patch.len() {
                let triangle = mesh.triangles[patch[next]];
                next += 1;
                for k in 0..3 {
                    let edge = sorted(triangle[k], triangle[(k + 1) % 3]);
                    for other in edges[&edge].iter().filter(|_| !sharp.contains(&edge)) {
                        if patch_of[*other] == usize::MAX {
                            patch_of[*other] = number;
                            patch.push(*other);
                        }
                    }
                }
            }
            patches.push(patch);
        }
        Self { patches, patch_of, edges, sharp }
    }

    /// Sharp edges as chains of vertices from corner to corner, or closed.
    fn chains(&self, mesh: &TriangleMesh) -> Vec<Vec<u32>> {
        let mut ends: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for [a, b] in &self.sharp {
            ends.entry(*a).or_default().push(*b);
            ends.entry(*b).or_default().push(*a);
        }
        let at = |i: u32| DVec3::from(mesh.positions[i as usize]);
        let is_corner = |vertex: u32| match ends[&vertex][..] {
            [a, b] => {
                let (before, after) = (at(vertex) - at(a), at(b) - at(vertex));
                before.normalize_or_zero().dot(after.normalize_or_zero()) < SHARP
            }
            _ => true,
        };
        let mut left = self.sharp.clone();
        let mut chains = Vec::new();
        let corners: Vec<u32> = ends.keys().copied().filter(|vertex| is_corner(*vertex)).collect();
        let starts = corners.iter().chain(ends.keys());
        for start in starts {
            for second in &ends[start] {
                if !left.remove(&sorted(*start, *second)) {
                    continue;
                }
                let mut chain = vec![*start, *second];
                loop {
                    let last = chain[chain.len() - 1];
                    if is_corner(last) {
                        break;
                    }
                    let onward = |next: &&u32| left.contains(&sorted(last, **next));
                    let Some(next) = ends[&last].iter().find(onward).copied() else { break };
                    left.remove(&sorted(last, next));
                    chain.push(next);
                }
                chains.push(chain);
            }
        }
        chains
    }

    fn beside(&self, chain: &[u32]) -> BTreeSet<usize> {
        let edges = chain.windows(2).flat_map(|w| &self.edges[&sorted(w[0], w[1])]);
        edges.map(|t| self.patch_of[*t]).collect()
    }
}

fn is_flat(mesh: &TriangleMesh, patch: &[usize]) -> bool {
    let normal = |t: &usize| mesh.normal(mesh.triangles[*t]);
    let mean = patch.iter().map(normal).sum::<DVec3>().normalize_or_zero();
    patch.iter().all(|t| normal(t).dot(mean) > FLAT)
}

/// A point on the surface, and its position after moving the surface.
type Pair = (DVec3, DVec3);

/// Particles so far.
struct Points<'a> {
    solid: &'a Solid,
    behind: f64,
    spacing: f64,
    cells: HashMap<[i64; 3], Vec<u32>>,
    kept: Vec<Vec3>,
}

impl Points<'_> {
    fn cell(&self, p: DVec3) -> [i64; 3] {
        (p / self.spacing).floor().to_array().map(|x| x as i64)
    }

    /// Whether one of the particles before index `until` is within `reach` (≤ 1) spacings of p.
    fn is_near(&self, p: DVec3, reach: f64, until: usize) -> bool {
        let [x, y, z] = self.cell(p);
        (0..27).any(|k| {
            let key = [x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1];
            self.cells.get(&key).into_iter().flatten().any(|i| {
                let i = *i as usize;
                i < until && DVec3::from(self.kept[i]).distance(p) < reach * self.spacing
            })
        })
    }

    /// Position of a particle for a point of the surface: less far where it would come out of the
    /// solid on the other side, or pass its middle.
    fn settle(&self, (on, moved): Pair) -> DVec3 {
        if self.behind >= 0.0 {
            return moved;
        }
        let depth = |share: f64| -self.solid.distance(on.lerp(moved, share));
        if depth(1.0) > 0.9 * -self.behind {
            return moved;
        }
        let shares = [1.0, 0.875, 0.75, 0.625, 0.5, 0.375, 0.25, 0.125, 0.0];
        let deepest = shares.into_iter().max_by(|a, b| depth(*a).total_cmp(&depth(*b)));
        on.lerp(moved, deepest.unwrap_or(0.0))
    }

    fn add(&mut self, p: DVec3) {
        self.cells.entry(self.cell(p)).or_default().push(self.kept.len() as u32);
        self.kept.push(p.to_array());
    }

    /// Even steps along a chain of edges, its ends included.
    fn add_chain(&mut self, chain: &[u32], mesh: &TriangleMesh, moved: &[DVec3]) {
        let pair = |i: u32| (DVec3::from(mesh.positions[i as usize]), moved[i as usize]);
        let length = |w: &[u32]| pair(w[0]).1.distance(pair(w[1]).1);
        let total: f64 = chain.windows(2).map(length).sum();
        let steps = (total / self.spacing).round().max(1.0);
        let (mut at, mut before) = (0, 0.0);
        for step in 0..=steps as u64 {
            let along = total * step as f64 / steps;
            while at + 2 < chain.len() && before + length(&chain[at..at + 2]) < along {
                before += length(&chain[at..at + 2]);
                at += 1;
            }
            let share = ((along - before) / length(&chain[at..at + 2]).max(1e-300)).clamp(0.0, 1.0);
            let (a, b) = (pair(chain[at]), pair(chain[at + 1]));
            let p = self.settle((a.0.lerp(b.0, share), a.1.lerp(b.1, share)));
            if !self.is_near(p, APART, self.kept.len()) {
                self.add(p);
            }
        }
    }

    /// A square lattice on a flat face, along its longest edge, that fits its extent; particles of
    /// other faces and edges come first.
    fn add_lattice(
        &mut self,
        patch: &[usize],
        sides: &[[u32; 2]],
        mesh: &TriangleMesh,
        moved: &[DVec3],
        first: usize,
    ) {
        let normal = mesh.normal(mesh.triangles[patch[0]]);
        let span = |[a, b]: &[u32; 2]| moved[*b as usize] - moved[*a as usize];
        let longest = sides.iter().map(span).max_by(|a, b| {
            // Of equal edges choose the first, regardless of rounding.
            if (a.length() - b.length()).abs() < 1e-9 * b.length() {
                std::cmp::Ordering::Greater
            } else {
                a.length().total_cmp(&b.length())
            }
        });
        let u = longest.unwrap_or(DVec3::ZERO);
        let u = (u - normal * u.dot(normal)).normalize_or(normal.any_orthonormal_vector());
        let v = normal.cross(u);
        let vertices = patch.iter().flat_map(|t| mesh.triangles[*t]);
        let mut low = [f64::INFINITY; 2];
        let mut high = [f64::NEG_INFINITY; 2];
        for vertex in vertices {
            for (k, axis) in [u, v].iter().enumerate() {
                let along = moved[vertex as usize].dot(*axis);
                (low[k], high[k]) = (low[k].min(along), high[k].max(along));
            }
        }
        let step: [f64; 2] = std::array::from_fn(|k| {
            let length = high[k] - low[k];
            length / (length / self.spacing).round().max(1.0)
        });
        let mut taken = BTreeSet::new();
        for t in patch {
            let triangle = mesh.triangles[*t];
            let corners = triangle.map(|i| moved[i as usize]);
            let on = mesh.corners(triangle);
            let flat = corners.map(|c| [c.dot(u) - low[0], c.dot(v) - low[1]]);
            let range = |k: usize| {
                let along = flat.map(|c| c[k] / step[k].max(1e-300));
                let from = along.into_iter().fold(f64::INFINITY, f64::min);
                let to = along.into_iter().fold(f64::NEG_INFINITY, f64::max);
                ((from - 1e-6).ceil() as i64, (to + 1e-6).floor() as i64)
            };
            let ((i0, i1), (j0, j1)) = (range(0), range(1));
            for j in j0..=j1 {
                for i in i0..=i1 {
                    let site = [i as f64 * step[0], j as f64 * step[1]];
                    let Some(weights) = barycentric(site, flat) else { continue };
                    if !taken.insert((j, i)) {
                        continue;
                    }
                    let blend = |c: [DVec3; 3]| (0..3).map(|k| weights[k] * c[k]).sum::<DVec3>();
                    let p = self.settle((blend(on), blend(corners)));
                    if !self.is_near(p, APART, first) {
                        self.add(p);
                    }
                }
            }
        }
    }

    /// The least crowded of many samples of a curved face.
    fn add_samples(&mut self, patch: &[usize], mesh: &TriangleMesh, moved: &[DVec3], first: usize) {
        let area = |t: &usize| area(mesh.triangles[*t].map(|i| moved[i as usize]));
        let per_area = CANDIDATES / (self.spacing * self.spacing);
        let total: f64 = patch.iter().map(area).sum();
        let mut candidates = Vec::new();
        // Each triangle gets its share; the remainder goes to the next.
        let mut due = 0.5;
        let mut number = 0u64;
        for t in patch {
            due += area(t) * per_area;
            while due >= 1.0 {
                due -= 1.0;
                number += 1;
                // Roberts' R2 sequence, folded into the triangle.
                let (mut r, mut s) = (
                    (0.754_877_666_246_693 * number as f64).fract(),
                    (0.569_840_290_998_053 * number as f64).fract(),
                );
                if r + s > 1.0 {
                    (r, s) = (1.0 - r, 1.0 - s);
                }
                let triangle = mesh.triangles[*t];
                let blend = |c: [DVec3; 3]| c[0] + r * (c[1] - c[0]) + s * (c[2] - c[0]);
                let pair =
                    (blend(mesh.corners(triangle)), blend(triangle.map(|i| moved[i as usize])));
                let p = self.settle(pair);
                if !self.is_near(p, APART, first) {
                    candidates.push(p);
                }
            }
        }
        // Samples covered by the edges are not needed; a face that is too small needs none.
        let share = candidates.len() as f64 / (total * per_area).max(1.0);
        let wanted = (total * share / (self.spacing * self.spacing)).round() as usize;
        for p in self.thin_out(candidates, wanted) {
            self.add(p);
        }
    }

    /// Sample elimination (Yuksel 2015): repeatedly removes the candidate that is most crowded by
    /// the others and by existing particles.
    fn thin_out(&self, candidates: Vec<DVec3>, wanted: usize) -> Vec<DVec3> {
        /// Crowding as an ordered number; of equals the last one is removed.
        #[derive(PartialEq, Eq, PartialOrd, Ord)]
        struct Crowded(u64, usize);

        if candidates.len() <= wanted {
            return candidates;
        }
        // The largest possible distance of `wanted` samples is 2 r.
        let reach = 2.0 * (1.0 / (2.0 * 3f64.sqrt())).sqrt() * self.spacing;
        let cell = |p: DVec3| (p / reach).floor().to_array().map(|x| x as i64);
        let mut cells: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
        for (i, p) in candidates.iter().enumerate() {
            cells.entry(cell(*p)).or_default().push(i);
        }
        let mut fixed: HashMap<[i64; 3], Vec<DVec3>> = HashMap::new();
        for p in &self.kept {
            fixed.entry(cell(DVec3::from(*p))).or_default().push(DVec3::from(*p));
        }
        let around = |p: DVec3| {
            let [x, y, z] = cell(p);
            (0..27).map(move |k: i64| [x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1])
        };
        let weight = |a: DVec3, b: DVec3| (1.0 - a.distance(b) / reach).max(0.0).powi(8);
        let beside = |i: usize| -> Vec<usize> {
            let near = around(candidates[i]).filter_map(|key| cells.get(&key)).flatten();
            near.copied()
                .filter(|j| *j != i && candidates[i].distance(candidates[*j]) < reach)
                .collect()
        };
        let mut crowding: Vec<f64> = (0..candidates.len())
            .map(|i| {
                let p = candidates[i];
                let others: f64 = beside(i).iter().map(|j| weight(p, candidates[*j])).sum();
                let walls = around(p).filter_map(|key| fixed.get(&key)).flatten();
                others + walls.map(|q| weight(p, *q)).sum::<f64>()
            })
            .collect();
        // Bits of positive floats have the same order as the floats.
        let mut heap: BinaryHeap<Crowded> =
            crowding.iter().enumerate().map(|(i, c)| Crowded(c.to_bits(), i)).collect();
        let mut gone = vec![false; candidates.len()];
        let mut left = candidates.len();
        while left > wanted {
            let Some(Crowded(bits, i)) = heap.pop() else { break };
            // Entries that were removed or have become less crowded are void.
            if gone[i] || crowding[i].to_bits() != bits {
                continue;
            }
            gone[i] = true;
            left -= 1;
            for j in beside(i) {
                if !gone[j] {
                    crowding[j] = (crowding[j] - weight(candidates[i], candidates[j])).max(0.0);
                    heap.push(Crowded(crowding[j].to_bits(), j));
                }
            }
        }
        candidates.into_iter().zip(gone).filter(|(_, gone)| !gone).map(|(p, _)| p).collect()
    }
}

/// Barycentric weights of a point in a triangle; `None` outside.
fn barycentric(p: [f64; 2], [a, b, c]: [[f64; 2]; 3]) -> Option<[f64; 3]> {
    let cross = |o: [f64; 2], p: [f64; 2], q: [f64; 2]| {
        (p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0])
    };
    let area = cross(a, b, c);
    let weights = [cross(p, b, c), cross(p, c, a), cross(p, a, b)].map(|part| part / area);
    weights.iter().all(|w| *w >= -1e-9).then_some(weights)
}
