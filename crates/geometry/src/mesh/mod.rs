//! Triangle meshes as solids: a checked mesh, placed in a scene, with its boundary particles and
//! signed distances.

mod distance;
mod filled;
mod frames;
mod layer;
mod prism;
mod thin;
#[cfg(not(target_family = "wasm"))]
mod union;

use std::sync::{Arc, Mutex, OnceLock};

use glam::{DQuat, DVec2, DVec3};

use self::distance::Tree;
pub use self::distance::{Batch, BatchBox, BatchTriangle};
pub use self::filled::Filled;
pub use self::frames::{Anchor, Frames, Pose};
pub use self::thin::Thin;
use crate::{
    Side, Vec3,
    fill::{self, Region},
    lattice,
};

/// Most triangles of a mesh.
pub const MAX_TRIANGLES: usize = 2_000_000;
/// Vertices closer than this, relative to the mesh's size, are merged.
const WELD: f64 = 1e-7;
/// Twice the least area of a triangle relative to the square of its longest edge: of less, its direction is rounding.
const SLIVER: f64 = 1e-9;

/// A mesh, the number of each position's vertex in it, and the triangles of each connected part.
type Welded = (TriangleMesh, Vec<u32>, Vec<Vec<usize>>);

/// Valid triangles: finite, with area, counter-clockwise seen from outside if they enclose a
/// volume, and with shared vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct TriangleMesh {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// Edges of only one triangle, or passed more often in one direction than in the other.
    open_edges: usize,
}

impl TriangleMesh {
    /// Merges vertices, drops triangles without area, flips an inverted mesh, and makes one of shells that cross, nest or
    /// touch: the inside is where the winding number is above 0.
    ///
    /// # Errors
    /// A message: no triangles (left), more than [`MAX_TRIANGLES`], an index out of range, a
    /// coordinate that is not finite, shells that cross and cannot be joined.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Result<Self, String> {
        let (mesh, _, parts) = Self::welded(positions, triangles, SLIVER)?;
        if mesh.is_closed() { mesh.united(&parts) } else { Ok(mesh) }
    }

    /// A page has meshes that are unions.
    #[cfg(target_family = "wasm")]
    fn united(self, _: &[Vec<usize>]) -> Result<Self, String> {
        Ok(self)
    }

    /// Like [`TriangleMesh::new`], with shells that may cross, nest or touch.
    ///
    /// # Errors
    /// Those of [`TriangleMesh::new`].
    pub fn with_shells(positions: &[Vec3], triangles: &[[u32; 3]]) -> Result<Self, String> {
        Ok(Self::welded(positions, triangles, SLIVER)?.0)
    }

    /// The mesh as it is, without slivers, which of its vertices each of the positions has become, and the triangles of each
    /// connected part; errors as those of [`TriangleMesh::new`].
    fn welded(positions: &[Vec3], triangles: &[[u32; 3]], sliver: f64) -> Result<Welded, String> {
        if triangles.is_empty() {
            return Err("it has no triangles".into());
        }
        if triangles.len() > MAX_TRIANGLES {
            return Err(format!(
                "it has {} triangles; at most {MAX_TRIANGLES} are possible: decimate it",
                triangles.len()
            ));
        }
        let beyond = |t: &[u32; 3]| t.iter().any(|i| *i as usize >= positions.len());
        if let Some(i) = triangles.iter().position(beyond) {
            return Err(format!(
                "triangle {i} is {:?}, but there are {} vertices",
                triangles[i],
                positions.len()
            ));
        }
        let wild = |p: &Vec3| p.iter().any(|x| !x.is_finite() || x.abs() > 1e12);
        let used = triangles.iter().flatten().find(|i| wild(&positions[**i as usize]));
        if let Some(i) = used {
            return Err(format!(
                "vertex {i} is at {:?}, which is no place",
                positions[*i as usize]
            ));
        }
        let (low, high) = extent(triangles.iter().flatten().map(|i| positions[*i as usize]));
        let size = (high - low).max_element();
        let (positions, number) = weld(positions, WELD * size);
        let mut mesh = Self { positions, triangles: Vec::new(), open_edges: 0 };
        for triangle in triangles {
            let triangle = triangle.map(|i| number[i as usize]);
            let [a, b, c] = mesh.corners(triangle);
            let longest = (b - a).length().max((c - b).length()).max((a - c).length());
            let is_apart = a != b && b != c && c != a;
            if is_apart && (b - a).cross(c - a).length() >= sliver * longest * longest {
                mesh.triangles.push(triangle);
            }
        }
        if mesh.triangles.is_empty() {
            return Err("none of its triangles has an area".into());
        }
        let parts = mesh.orient();
        Ok((mesh, number, parts))
    }

    /// Vertices in m.
    #[must_use]
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// Three vertex indices per triangle.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Whether the mesh encloses a volume; an open mesh is a sheet with two sides.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.open_edges == 0
    }

    /// Number of edges at which the mesh is open: those of only one triangle, at the rims of its holes.
    #[must_use]
    pub fn open_edges(&self) -> usize {
        self.open_edges
    }

    /// The mesh scaled, then rotated about `axis` by `angle` radians, then moved.
    #[must_use]
    pub fn placed(&self, scale: Vec3, axis: Vec3, angle: f64, translation: Vec3) -> Self {
        let turn = DQuat::from_axis_angle(DVec3::from(axis).normalize_or(DVec3::Y), angle);
        let mut mesh = self.moved(|p| turn * (p * DVec3::from(scale)) + DVec3::from(translation));
        // A mirrored mesh is inside out.
        if scale.iter().product::<f64>() < 0.0 {
            mesh.invert();
        }
        mesh
    }

    fn moved(&self, place: impl Fn(DVec3) -> DVec3) -> Self {
        let positions = self.positions.iter().map(|p| place((*p).into()).to_array()).collect();
        Self { positions, triangles: self.triangles.clone(), open_edges: self.open_edges }
    }

    /// Area in m²: of a sheet, that of one of its sides.
    #[must_use]
    pub fn area(&self) -> f64 {
        self.triangles.iter().map(|triangle| area(self.corners(*triangle))).sum()
    }

    /// Enclosed volume in m³; meaningless for an open mesh.
    #[must_use]
    pub fn volume(&self) -> f64 {
        self.triangles.iter().map(|triangle| self.signed_volume(*triangle)).sum()
    }

    /// Volume in m³ of the tetrahedron of a triangle and the origin.
    fn signed_volume(&self, triangle: [u32; 3]) -> f64 {
        let [a, b, c] = self.corners(triangle);
        a.dot(b.cross(c)) / 6.0
    }

    /// Lower and upper corner of the bounding box.
    #[must_use]
    pub fn bounds(&self) -> (DVec3, DVec3) {
        extent(self.positions.iter().copied())
    }

    fn corners(&self, triangle: [u32; 3]) -> [DVec3; 3] {
        triangle.map(|i| DVec3::from(self.positions[i as usize]))
    }

    fn normal(&self, triangle: [u32; 3]) -> DVec3 {
        let [a, b, c] = self.corners(triangle);
        (b - a).cross(c - a).normalize_or_zero()
    }

    fn invert(&mut self) {
        for triangle in &mut self.triangles {
            triangle.swap(1, 2);
        }
    }

    /// Orients adjacent triangles consistently where possible, and determines whether the mesh is
    /// closed: every edge is passed equally often in both directions. Parts of a closed mesh that lie beside the others have
    /// positive volumes; one of negative volume within another is a cavity. Returns the triangles of each connected part.
    fn orient(&mut self) -> Vec<Vec<usize>> {
        use std::collections::HashMap;
        let mut edges: HashMap<[u32; 2], Vec<usize>> = HashMap::new();
        for (t, triangle) in self.triangles.iter().enumerate() {
            for k in 0..3 {
                edges.entry(sorted(triangle[k], triangle[(k + 1) % 3])).or_default().push(t);
            }
        }
        let passes = |triangle: &[u32; 3], a: u32, b: u32| {
            (0..3).any(|k| triangle[k] == a && triangle[(k + 1) % 3] == b)
        };
        let mut seen = vec![false; self.triangles.len()];
        let mut parts = Vec::new();
        for first in 0..self.triangles.len() {
            if seen[first] {
                continue;
            }
            seen[first] = true;
            let mut part = vec![first];
            let mut next = 0;
            while next < part.len() {
                let triangle = self.triangles[part[next]];
                next += 1;
                for k in 0..3 {
                    let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
                    let sharing = &edges[&sorted(a, b)];
                    // Where more than two triangles meet, each keeps its orientation.
                    let [s, t] = sharing[..] else { continue };
                    for other in [s, t] {
                        if !seen[other] {
                            if passes(&self.triangles[other], a, b) {
                                self.triangles[other].swap(1, 2);
                            }
                            seen[other] = true;
                            part.push(other);
                        }
                    }
                }
            }
            parts.push(part);
        }
        let mut balance: HashMap<[u32; 2], i32> = HashMap::new();
        for triangle in &self.triangles {
            for k in 0..3 {
                let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
                *balance.entry(sorted(a, b)).or_default() += if a < b { 1 } else { -1 };
            }
        }
        self.open_edges = balance.values().filter(|sum| **sum != 0).count();
        if self.is_closed() && self.volume() < 0.0 {
            self.invert();
        }
        if self.is_closed() && parts.len() > 1 {
            self.turn_parts(&parts);
        }
        parts
    }

    /// Turns parts of negative volume around that lie outside the bounds of every part of positive volume.
    fn turn_parts(&mut self, parts: &[Vec<usize>]) {
        let of = |part: &Vec<usize>| {
            let triangles = || part.iter().map(|t| self.triangles[*t]);
            let volume: f64 = triangles().map(|triangle| self.signed_volume(triangle)).sum();
            let corners = triangles().flatten().map(|i| self.positions[i as usize]);
            (volume, extent(corners))
        };
        let found: Vec<_> = parts.iter().map(of).collect();
        let (solids, holes): (Vec<_>, Vec<_>) =
            found.iter().enumerate().partition(|(_, (volume, _))| *volume > 0.0);
        for (k, (_, (low, high))) in holes {
            let holds = |(_, (_, (a, b))): &(usize, &(f64, (DVec3, DVec3)))| {
                a.cmple(*low).all() && high.cmple(*b).all()
            };
            if !solids.iter().any(holds) {
                parts[k].iter().for_each(|t| self.triangles[*t].swap(1, 2));
            }
        }
    }
}

/// Area in m² of a triangle.
fn area([a, b, c]: [DVec3; 3]) -> f64 {
    0.5 * (b - a).cross(c - a).length()
}

fn sorted(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

fn extent(points: impl Iterator<Item = Vec3>) -> (DVec3, DVec3) {
    points.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| {
        (low.min(p.into()), high.max(p.into()))
    })
}

/// Vertices without copies closer than `tolerance`, and the new index of each.
fn weld(positions: &[Vec3], tolerance: f64) -> (Vec<Vec3>, Vec<u32>) {
    use std::collections::HashMap;
    let grid = 2.0 * tolerance.max(f64::MIN_POSITIVE);
    let cell = |p: &Vec3| p.map(|x| (x / grid).floor() as i64);
    let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    let mut kept: Vec<Vec3> = Vec::new();
    let mut number = Vec::with_capacity(positions.len());
    for p in positions {
        let [x, y, z] = cell(p);
        let near = (0..27).find_map(|k| {
            let key = [x, y, z];
            let step = [k % 3, k / 3 % 3, k / 9].map(|s| i64::from(s) - 1);
            let key = std::array::from_fn::<_, 3, _>(|axis| key[axis].saturating_add(step[axis]));
            let known = cells.get(&key)?;
            let same =
                |i: &&u32| DVec3::from(kept[**i as usize]).distance(DVec3::from(*p)) <= tolerance;
            known.iter().find(same).copied()
        });
        number.push(near.unwrap_or_else(|| {
            let new = kept.len() as u32;
            kept.push(*p);
            cells.entry([x, y, z]).or_default().push(new);
            new
        }));
    }
    (kept, number)
}

/// Results cached by spacing (its bits).
type Made<K, T> = Mutex<Vec<(K, Arc<T>)>>;

/// A mesh placed in a scene, with cached results.
#[derive(Debug)]
pub struct Solid {
    mesh: TriangleMesh,
    middle: DVec3,
    tree: OnceLock<Tree>,
    body: OnceLock<Option<(Filled, Arc<Solid>)>>,
    layers: Made<[u64; 2], Vec<Vec3>>,
    particles: Made<u64, Vec<Vec3>>,
    /// Corners of a polygon, relative to the middle.
    outline: Vec<DVec2>,
}

impl Solid {
    /// The solid of a mesh.
    #[must_use]
    pub fn new(mesh: TriangleMesh) -> Self {
        let (low, high) = mesh.bounds();
        Self::about(0.5 * (low + high), mesh)
    }

    fn about(middle: DVec3, mesh: TriangleMesh) -> Self {
        Self {
            mesh,
            middle,
            tree: OnceLock::new(),
            body: OnceLock::new(),
            layers: Mutex::default(),
            particles: Mutex::default(),
            outline: Vec::new(),
        }
    }

    /// Triangles of the solid.
    #[must_use]
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    /// Origin of its own axes: the centre of the bounding box, or the centre of mass of a rigid
    /// body.
    #[must_use]
    pub fn middle(&self) -> DVec3 {
        self.middle
    }

    /// Inside of the mesh, and the mesh as a rigid body: about its centre of mass, in its principal axes.
    /// `None` if it encloses no volume.
    #[must_use]
    pub fn as_body(&self) -> Option<(&Filled, &Arc<Self>)> {
        let make = || {
            let filled = Filled::of(&self.mesh)?;
            let own = self.mesh.moved(|p| filled.axes.inverse() * (p - filled.center));
            Some((filled, Arc::new(Self::about(DVec3::ZERO, own))))
        };
        self.body.get_or_init(make).as_ref().map(|(filled, own)| (filled, own))
    }

    fn tree(&self) -> &Tree {
        self.tree.get_or_init(|| Tree::new(&self.mesh))
    }

    /// Distance of a point from the surface in m, negative inside a closed mesh but never for an
    /// open one. The sign is that of the angle-weighted normal at the nearest point (Bærentzen,
    /// Aanæs 2005).
    #[must_use]
    pub fn distance(&self, point: DVec3) -> f64 {
        let nearest = self.tree().nearest(&self.mesh, point);
        if self.mesh.is_closed() { nearest.signed } else { nearest.signed.abs() }
    }

    /// The solid with its vertices at other places in m, about the same origin of its own axes.
    #[must_use]
    pub fn posed(&self, positions: &[DVec3]) -> Self {
        let positions = positions.iter().map(|p| p.to_array()).collect();
        let TriangleMesh { triangles, open_edges, .. } = &self.mesh;
        let mesh =
            TriangleMesh { positions, triangles: triangles.clone(), open_edges: *open_edges };
        Self::about(self.middle, mesh)
    }

    /// Triangles of the solid, in batches for the GPU.
    pub fn batches(&self) -> impl Iterator<Item = Batch> {
        self.tree().batches(&self.mesh, self.middle)
    }

    /// Boundary particles, about `spacing` m apart: half a spacing behind the surface of a closed
    /// mesh, on an open one, which is a sheet one spacing thick. The same on every run.
    #[must_use]
    pub fn layer(&self, side: Side, spacing: f64) -> Arc<Vec<Vec3>> {
        self.layer_at(side.behind(0.5 * spacing), spacing)
    }

    /// Boundary particles, about `spacing` m apart, on the surface of a closed mesh moved outward by
    /// `grown` m; on an open one.
    #[must_use]
    pub fn layer_at(&self, grown: f64, spacing: f64) -> Arc<Vec<Vec3>> {
        let grown = if self.mesh.is_closed() { grown } else { 0.0 };
        let key = [spacing, grown].map(f64::to_bits);
        once(&self.layers, key, || layer::sample(self, grown, spacing))
    }

    /// Stores a result of [`layer_at`](Self::layer_at) that was computed before.
    pub fn remember_layer(&self, grown: f64, spacing: f64, points: Vec<Vec3>) {
        let grown = if self.mesh.is_closed() { grown } else { 0.0 };
        lock(&self.layers).push(([spacing, grown].map(f64::to_bits), Arc::new(points)));
    }

    /// World coordinates in m of the particles that fill a closed mesh to its volume, `spacing` m apart and at least about
    /// half a spacing below the surface.
    pub(crate) fn particles(&self, spacing: f64) -> Arc<Vec<Vec3>> {
        once(&self.particles, spacing.to_bits(), || {
            let (low, high) = self.mesh.bounds();
            let center = 0.5 * (low + high);
            let count = self.mesh.positions.len();
            let own = self.mesh.moved(|p| fill::vertex_in_spacings(p - center, spacing, count));
            let volume = self.mesh.volume() / spacing.powi(3);
            let placed = |p: Vec3| (center + spacing * DVec3::from(p)).to_array();
            Self::new(own).packed(volume).into_iter().map(placed).collect()
        })
    }

    /// Particles a unit apart that fill this volume.
    fn packed(&self, volume: f64) -> Vec<Vec3> {
        let (low, high) = self.mesh.bounds();
        let counts = (high - low).to_array().map(|length| lattice::cells(length, 1.0).max(1.0));
        let depth = |point| -self.distance(point);
        let inward = |point| {
            let nearest = self.tree().nearest(&self.mesh, point);
            let away = (point - nearest.place) * -nearest.signed.signum();
            (away.normalize_or_zero(), -nearest.signed)
        };
        fill::fill(&Region {
            sites: lattice::about(0.5 * (low + high), counts, 1.0, 3),
            volume,
            dimensions: 3,
            depth: &depth,
            inward: &inward,
            layer: &|| self.layer(Side::Inside, 1.0).to_vec(),
        })
    }
}

/// The cached result for a key, computed if missing.
fn once<K: PartialEq, T>(made: &Made<K, T>, key: K, make: impl FnOnce() -> T) -> Arc<T> {
    if let Some((_, known)) = lock(made).iter().find(|(known, _)| *known == key) {
        return known.clone();
    }
    let new = Arc::new(make());
    lock(made).push((key, new.clone()));
    new
}

/// Cached results are complete even after a panic.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A box between two corners, counter-clockwise seen from outside.
    pub(crate) fn box_mesh(min: Vec3, max: Vec3) -> TriangleMesh {
        let corner = |k: usize| {
            std::array::from_fn(|axis| if k >> axis & 1 == 0 { min[axis] } else { max[axis] })
        };
        let positions: Vec<Vec3> = (0..8).map(corner).collect();
        let faces =
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles: Vec<[u32; 3]> =
            faces.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
        TriangleMesh::new(&positions, &triangles).expect("a box")
    }

    /// A ball, finely faceted.
    pub(crate) fn ball_mesh(radius: f64, rings: u32, around: u32) -> TriangleMesh {
        let mut positions = Vec::new();
        for i in 0..=rings {
            let polar = std::f64::consts::PI * f64::from(i) / f64::from(rings);
            for k in 0..around {
                let turn = std::f64::consts::TAU * f64::from(k) / f64::from(around);
                let (sin, cos) = polar.sin_cos();
                positions.push([sin * turn.cos(), cos, -sin * turn.sin()].map(|x| radius * x));
            }
        }
        let mut triangles = Vec::new();
        for i in 0..rings {
            for k in 0..around {
                let at = |i: u32, k: u32| i * around + k % around;
                triangles.push([at(i, k), at(i + 1, k), at(i + 1, k + 1)]);
                triangles.push([at(i, k), at(i + 1, k + 1), at(i, k + 1)]);
            }
        }
        TriangleMesh::new(&positions, &triangles).expect("a ball")
    }

    #[test]
    fn a_closed_mesh_is_told_from_an_open_one() {
        let mesh = box_mesh([0.0; 3], [1.0, 2.0, 3.0]);
        assert!(mesh.is_closed());
        assert!((mesh.volume() - 6.0).abs() < 1e-12);
        let lidless = TriangleMesh::new(mesh.positions(), &mesh.triangles()[2..]).expect("sound");
        assert!(!lidless.is_closed());
        assert_eq!((lidless.open_edges(), mesh.open_edges()), (4, 0));
        assert!(ball_mesh(1.0, 16, 32).is_closed());
    }

    #[test]
    fn inverted_and_mixed_meshes_are_turned_round() {
        let mesh = box_mesh([0.0; 3], [1.0; 3]);
        let flip = |t: &[u32; 3]| [t[0], t[2], t[1]];
        let inverted: Vec<_> = mesh.triangles().iter().map(flip).collect();
        let mut mixed = inverted.clone();
        for triangle in mixed.iter_mut().step_by(3) {
            *triangle = flip(triangle);
        }
        for triangles in [inverted, mixed] {
            let turned = TriangleMesh::new(mesh.positions(), &triangles).expect("sound");
            assert!(turned.is_closed());
            assert!((turned.volume() - 1.0).abs() < 1e-12);
        }
        let mirrored = mesh.placed([-1.0, 1.0, 1.0], [0.0, 1.0, 0.0], 0.0, [0.0; 3]);
        assert!((mirrored.volume() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_soup_of_triangles_is_welded_and_slivers_go() {
        let mesh = box_mesh([0.0; 3], [1.0; 3]);
        let soup: Vec<Vec3> =
            mesh.triangles().iter().flatten().map(|i| mesh.positions()[*i as usize]).collect();
        let mut triangles: Vec<[u32; 3]> = (0..12).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        triangles.push([0, 0, 1]);
        let welded = TriangleMesh::new(&soup, &triangles).expect("sound");
        assert_eq!((welded.positions().len(), welded.triangles().len()), (8, 12));
        assert!(welded.is_closed());
    }

    #[test]
    fn bad_meshes_are_refused_with_a_sentence() {
        let refused = |positions: &[Vec3], triangles: &[[u32; 3]]| {
            TriangleMesh::new(positions, triangles).expect_err("bad")
        };
        assert_eq!(refused(&[], &[]), "it has no triangles");
        let corners = [[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, f64::NAN, 0.0]];
        assert_eq!(refused(&corners, &[[0, 1, 2]]), "none of its triangles has an area");
        assert!(refused(&corners, &[[0, 1, 3]]).starts_with("vertex 3 is at"));
        assert!(refused(&corners, &[[0, 1, 4]]).contains("there are 4 vertices"));
        let many = vec![[0, 1, 2]; MAX_TRIANGLES + 1];
        assert!(refused(&corners, &many).contains("at most 2000000"));
    }

    #[test]
    fn distances_of_a_box_and_a_ball() {
        let solid = Solid::new(box_mesh([-1.0; 3], [1.0; 3]));
        for (point, expected) in [
            (DVec3::new(0.0, 0.0, 0.0), -1.0),
            (DVec3::new(0.9, 0.3, 0.2), -0.1),
            (DVec3::new(1.5, 0.3, 0.2), 0.5),
            (DVec3::new(2.0, 2.0, 0.0), 2f64.sqrt()),
            (DVec3::new(2.0, 2.0, 2.0), 3f64.sqrt()),
            (DVec3::new(-4.0, 0.5, 0.5), 3.0),
        ] {
            assert!((solid.distance(point) - expected).abs() < 1e-12, "{point}");
        }
        let ball = Solid::new(ball_mesh(1.0, 64, 128));
        for r in [0.2, 0.9, 1.1, 3.0] {
            let point = r * DVec3::new(0.6, 0.48, 0.64);
            assert!((ball.distance(point) - (r - 1.0)).abs() < 2e-3, "{r}");
        }
    }
}
