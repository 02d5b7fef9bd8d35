//! Meshes that change their shape: poses of the same triangles at equal intervals of time, and points that triangles carry.

use glam::{DMat3, DVec3};

use super::{SLIVER, Solid, TriangleMesh, area, extent};
use crate::Vec3;

/// Pose of a mesh as a file has it.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct Pose {
    /// Name of the file, for messages.
    pub name: String,
    /// Vertices in m.
    pub positions: Vec<Vec3>,
    /// Three vertex indices per triangle.
    pub triangles: Vec<[u32; 3]>,
}

/// Poses of one mesh, one after another at equal intervals.
#[derive(Clone, Debug, PartialEq)]
pub struct Frames {
    first: TriangleMesh,
    /// Of each pose, the vertices of `first` in m.
    poses: Vec<Vec<DVec3>>,
    /// Poses per frame.
    rate: f64,
}

impl Frames {
    /// Most vertices of all poses together: 1 GB.
    pub const MOST: usize = 40_000_000;

    /// Frames of files, in their order.
    ///
    /// # Errors
    /// A message that names the file: fewer than two, other triangles than those of the first, a vertex at no place, and
    /// those of [`TriangleMesh::new`] for the first.
    pub fn new(files: &[Pose]) -> Result<Self, String> {
        let [start, _, ..] = files else {
            let found = files.first().map_or(String::new(), |pose| format!(": {:?}", pose.name));
            return Err(format!("{} file{found}; frames need at least two", files.len()));
        };
        let (first, number, _) = TriangleMesh::welded(&start.positions, &start.triangles, SLIVER)
            .map_err(|message| format!("mesh {:?}: {message}", start.name))?;
        if files.len().saturating_mul(first.positions.len()) > Self::MOST {
            return Err(format!(
                "{} frames of {} vertices are more than {} vertices: decimate the mesh or leave frames out",
                files.len(),
                first.positions.len(),
                Self::MOST
            ));
        }
        let pose = |pose: &Pose| {
            let name = &pose.name;
            let [own, others] = [&pose.positions, &start.positions].map(Vec::len);
            let [mine, theirs] = [&pose.triangles, &start.triangles].map(Vec::len);
            if own != others || mine != theirs {
                return Err(format!(
                    "mesh {name:?} has {own} vertices and {mine} triangles, but the first frame, {:?}, has {others} and \
                     {theirs}: all frames need the same vertices and triangles in the same order",
                    start.name
                ));
            }
            if let Some(t) = (0..mine).find(|t| pose.triangles[*t] != start.triangles[*t]) {
                return Err(format!(
                    "mesh {name:?}: triangle {t} joins other vertices than in the first frame, {:?}: all frames need the \
                     same vertices and triangles in the same order",
                    start.name
                ));
            }
            let wild = |p: &Vec3| p.iter().any(|x| !x.is_finite() || x.abs() > 1e12);
            if let Some(i) = pose.positions.iter().position(wild) {
                let place = pose.positions[i];
                return Err(format!(
                    "mesh {name:?}: vertex {i} is at {place:?}, which is no place"
                ));
            }
            let mut places = vec![DVec3::ZERO; first.positions.len()];
            // Of merged vertices the first one counts.
            for (place, vertex) in pose.positions.iter().zip(&number).rev() {
                places[*vertex as usize] = DVec3::from(*place);
            }
            Ok(places)
        };
        let poses = files.iter().map(pose).collect::<Result<_, _>>()?;
        Ok(Self { first, poses, rate: 1.0 })
    }

    /// The frames with `rate` poses for each: of an animation that does not last a whole number of frames, but is to end, or
    /// to begin anew, when it is due.
    #[must_use]
    pub fn at_rate(self, rate: f64) -> Self {
        Self { rate, ..self }
    }

    /// The first pose.
    #[must_use]
    pub fn first(&self) -> &TriangleMesh {
        &self.first
    }

    /// Number of poses.
    #[must_use]
    pub fn count(&self) -> usize {
        self.poses.len()
    }

    /// The frames with every point moved by `place`.
    #[must_use]
    pub fn placed(&self, place: impl Fn(Vec3) -> Vec3) -> Self {
        let moved = |p: &DVec3| DVec3::from(place(p.to_array()));
        let poses = self.poses.iter().map(|pose| pose.iter().map(moved).collect()).collect();
        let first = self.first.moved(|p| moved(&p));
        Self { first, poses, rate: self.rate }
    }

    /// Coordinates of all vertices of all poses in m.
    pub fn coordinates(&self) -> impl Iterator<Item = f64> + '_ {
        self.poses.iter().flatten().flat_map(|p| p.to_array())
    }

    /// Vertices in m at a time in frames since the first pose: cubic curves through the poses, with the slopes of the chords
    /// of their neighbours (Catmull, Rom 1974), and of parabolas at the ends. It `repeats` with the first pose after the last
    /// one, or is at rest beyond the ends.
    #[must_use]
    pub fn at(&self, time: f64, repeats: bool) -> Vec<DVec3> {
        let (count, time) = (self.poses.len(), time * self.rate);
        let last = count - 1;
        let (k, s) = if repeats {
            let place = time.rem_euclid(count as f64);
            let k = (place as usize).min(last);
            (k, place - k as f64)
        } else {
            let place = time.clamp(0.0, last as f64);
            let k = (place as usize).min(last - 1);
            (k, place - k as f64)
        };
        // Weights of the poses before, at, after, and after next.
        let (s2, s3) = (s * s, s * s * s);
        let (a, b) = (2.0 * s3 - 3.0 * s2 + 1.0, 3.0 * s2 - 2.0 * s3);
        let (slope_a, slope_b) = (s3 - 2.0 * s2 + s, s3 - s2);
        let mut weights = [-0.5 * slope_a, a - 0.5 * slope_b, b + 0.5 * slope_a, 0.5 * slope_b];
        let at = |step: usize| (k + count + step - 1) % count;
        if !repeats && last == 1 {
            weights = [0.0, 1.0 - s, s, 0.0];
        } else if !repeats {
            if k == 0 {
                // 2 (x1 − x0) − (x2 − x0)/2 in place of (x1 − x)/2.
                weights = [
                    0.0,
                    a - 1.5 * slope_a - 0.5 * slope_b,
                    b + 2.0 * slope_a,
                    0.5 * slope_b - 0.5 * slope_a,
                ];
            }
            if k + 1 == last {
                weights = [
                    0.5 * slope_b - 0.5 * slope_a,
                    a - 2.0 * slope_b,
                    b + 0.5 * slope_a + 1.5 * slope_b,
                    0.0,
                ];
            }
        }
        let parts = [0, 1, 2, 3].map(|step| &self.poses[at(step)]);
        let blend = |i: usize| (0..4).map(|part| weights[part] * parts[part][i]).sum();
        (0..self.first.positions.len()).map(blend).collect()
    }

    /// Largest way in m of a vertex in one frame.
    #[must_use]
    pub fn longest_way(&self, repeats: bool) -> f64 {
        let count = self.poses.len();
        let pairs = (0..if repeats { count } else { count - 1 }).map(|k| (k, (k + 1) % count));
        let longest = |(a, b): (usize, usize)| {
            let ways = self.poses[a].iter().zip(&self.poses[b]).map(|(a, b)| a.distance(*b));
            ways.fold(0.0, f64::max)
        };
        self.rate * pairs.map(longest).fold(0.0, f64::max)
    }

    /// Lower and upper corner in m of the box around all poses.
    #[must_use]
    pub fn bounds(&self) -> (DVec3, DVec3) {
        extent(self.poses.iter().flatten().map(|p| p.to_array()))
    }

    /// The pose, from 0, in which an edge longer than `least` m is stretched most, relative to the first one, and by which
    /// factor.
    #[must_use]
    pub fn stretch(&self, least: f64) -> (usize, f64) {
        let edges = || self.first.triangles.iter().flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]]);
        let mut most = (0, 1.0);
        for (k, pose) in self.poses.iter().enumerate() {
            for [a, b] in edges().map(|edge| edge.map(|i| *i as usize)) {
                let length = pose[a].distance(pose[b]);
                let factor = length / self.poses[0][a].distance(self.poses[0][b]).max(1e-300);
                if length > least && factor > most.1 {
                    most = (k, factor);
                }
            }
        }
        most
    }
}

/// Point that a triangle of a mesh carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    corners: [u32; 3],
    /// Shares of the corners in its place on the triangle.
    weights: [f64; 3],
    /// The rest of the way in m, along the first edge, across it, and along the normal.
    arm: DVec3,
}

impl Solid {
    /// Anchor of a point in m: on the triangle that is nearest to it.
    #[must_use]
    pub fn anchor(&self, point: DVec3) -> Anchor {
        let nearest = self.tree().nearest(&self.mesh, point);
        let corners = self.mesh.triangles[nearest.triangle];
        let [a, b, c] = self.mesh.corners(corners);
        let normal = (b - a).cross(c - a);
        let area = normal.length_squared();
        let on = nearest.place;
        let share = |from: DVec3, to: DVec3| (from - on).cross(to - on).dot(normal) / area;
        let weights = [share(b, c), share(c, a), share(a, b)];
        let foot = weights[0] * a + weights[1] * b + weights[2] * c;
        Anchor { corners, weights, arm: axes([a, b, c]).transpose() * (point - foot) }
    }
}

impl Anchor {
    /// Place in m while the vertices are at `positions`.
    #[must_use]
    pub fn place(&self, positions: &[DVec3]) -> DVec3 {
        let corners = self.corners(positions);
        let foot: DVec3 = (0..3).map(|k| self.weights[k] * corners[k]).sum();
        foot + axes(corners) * self.arm
    }

    /// Area in m² of its triangle.
    #[must_use]
    pub fn area(&self, positions: &[DVec3]) -> f64 {
        area(self.corners(positions))
    }

    fn corners(&self, positions: &[DVec3]) -> [DVec3; 3] {
        self.corners.map(|i| positions[i as usize])
    }
}

/// Axes of a triangle: along the first edge, across it, and along the normal.
fn axes([a, b, c]: [DVec3; 3]) -> DMat3 {
    let along = (b - a).normalize_or(DVec3::X);
    let normal = along.cross(c - a).normalize_or(along.any_orthonormal_vector());
    DMat3::from_cols(along, normal.cross(along), normal)
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;
    use crate::mesh::tests::box_mesh;

    fn pose(name: &str, place: impl Fn(DVec3) -> DVec3) -> Pose {
        let mesh = box_mesh([0.0; 3], [1.0, 2.0, 3.0]).moved(place);
        let (positions, triangles) = (mesh.positions().to_vec(), mesh.triangles().to_vec());
        Pose { name: name.into(), positions, triangles }
    }

    #[test]
    fn poses_are_met_and_a_cubic_between_them_is_exact_but_at_the_ends() {
        // x = t³ has the chords' slopes up to a third derivative's share; t² is met exactly.
        let files: Vec<_> =
            (0..5).map(|k| pose(&k.to_string(), |p| p + DVec3::X * f64::from(k * k))).collect();
        let frames = Frames::new(&files).expect("sound");
        for time in [0.0, 0.3, 1.0, 2.5, 3.7, 4.0] {
            let moved = frames.at(time, false)[0].x - frames.at(0.0, false)[0].x;
            assert!((moved - time * time).abs() < 1e-12, "{time}: {moved}");
        }
        assert_eq!(frames.at(9.0, false), frames.at(4.0, false));
        assert_eq!(frames.at(-1.0, false), frames.at(0.0, false));
        assert!(frames.at(5.0, true)[0].distance(frames.at(0.0, false)[0]) < 1e-12);
        assert!((frames.longest_way(false) - 7.0).abs() < 1e-12);
        assert!((frames.longest_way(true) - 16.0).abs() < 1e-12);
    }

    #[test]
    fn what_a_triangle_carries_turns_with_it() {
        let mesh = box_mesh([0.0; 3], [1.0, 2.0, 3.0]);
        let solid = Solid::new(mesh);
        let turn = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, -0.5).normalize(), 1.3);
        let place = |p: DVec3| turn * p + DVec3::new(0.3, -4.0, 1.0);
        let moved: Vec<_> =
            solid.mesh().positions().iter().map(|p| place(DVec3::from(*p))).collect();
        for point in [[0.4, 1.9, 0.7], [-0.2, -0.1, 3.3], [0.5, 2.0, 1.5], [1.2, 0.3, 0.2]] {
            let point = DVec3::from(point);
            let found = solid.anchor(point).place(&moved);
            assert!(found.distance(place(point)) < 1e-12, "{point}: {found}");
        }
    }

    #[test]
    fn frames_that_do_not_fit_are_refused_with_the_name_of_the_file() {
        let refused = |files: &[Pose]| Frames::new(files).expect_err("bad");
        let first = pose("a.obj", |p| p);
        assert_eq!(refused(&[]), "0 file; frames need at least two");
        assert_eq!(
            refused(std::slice::from_ref(&first)),
            "1 file: \"a.obj\"; frames need at least two"
        );
        let mut fewer = pose("b.obj", |p| p);
        fewer.triangles.pop();
        assert!(
            refused(&[first.clone(), fewer])
                .starts_with("mesh \"b.obj\" has 8 vertices and 11 triangles")
        );
        let mut other = pose("c.obj", |p| p);
        other.triangles[3].swap(0, 1);
        assert!(
            refused(&[first.clone(), other]).starts_with("mesh \"c.obj\": triangle 3 joins other")
        );
        let mut wild = pose("d.obj", |p| p);
        wild.positions[2][1] = f64::NAN;
        assert!(refused(&[first, wild]).starts_with("mesh \"d.obj\": vertex 2 is at"));
    }
}
