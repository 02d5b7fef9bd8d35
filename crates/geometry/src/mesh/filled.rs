//! The inside of a closed mesh: volume, centre of mass, moments of inertia.

use glam::{DMat3, DQuat, DVec3};

use super::TriangleMesh;
use crate::principal_axes;

/// Least volume relative to the cube of the mesh's size: less is rounding.
const EMPTY: f64 = 1e-9;

/// The inside of a closed mesh, of uniform density.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Filled {
    /// Volume in m³.
    pub volume: f64,
    /// Centre of mass in m.
    pub center: DVec3,
    /// Rotation from the principal axes to those of the mesh.
    pub axes: DQuat,
    /// Principal moments of inertia per mass, in m².
    pub inertia: DVec3,
}

impl Filled {
    /// The inside of a mesh; `None` if it is open or encloses no volume.
    ///
    /// The integrals over the polyhedron are exact (like those of Mirtich 1996): each triangle's
    /// tetrahedron with a common corner o adds V = det(a, b, c)/6, ∫ x = V s/4 and
    /// ∫ x xᵀ = V (a aᵀ + b bᵀ + c cᵀ + s sᵀ)/20, s = a + b + c, all relative to o (Tonon 2004).
    pub(super) fn of(mesh: &TriangleMesh) -> Option<Self> {
        let (low, high) = mesh.bounds();
        let corner = 0.5 * (low + high);
        let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
        for triangle in mesh.triangles() {
            let [a, b, c] = mesh.corners(*triangle).map(|p| p - corner);
            let (sixth, sum) = (a.dot(b.cross(c)) / 6.0, a + b + c);
            volume += sixth;
            first += sixth / 4.0 * sum;
            second += [a, b, c, sum].map(square).into_iter().sum::<DMat3>() * (sixth / 20.0);
        }
        if !mesh.is_closed() || volume <= EMPTY * (high - low).max_element().powi(3) {
            return None;
        }
        let arm = first / volume;
        let (spread, axes) = principal_axes(second * (1.0 / volume) - square(arm));
        let inertia = DVec3::splat(spread.element_sum()) - spread;
        let axes = DQuat::from_mat3(&axes).normalize();
        Some(Self { volume, center: corner + arm, axes, inertia })
    }
}

/// v vᵀ.
fn square(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{PI, TAU};

    use super::*;
    use crate::mesh::Solid;
    use crate::mesh::tests::{ball_mesh, box_mesh};

    const AXIS: [f64; 3] = [1.0, -2.0, 0.7];
    const MOVED: [f64; 3] = [10.0, -3.0, 2.5];

    /// Moments of inertia about the mesh's axes, as a matrix.
    fn tensor(filled: &Filled) -> DMat3 {
        let axes = DMat3::from_quat(filled.axes);
        axes * DMat3::from_diagonal(filled.inertia) * axes.transpose()
    }

    fn differ(a: DMat3, b: DMat3) -> f64 {
        (a - b).to_cols_array().into_iter().fold(0.0, |most, x| x.abs().max(most))
    }

    #[test]
    fn a_turned_box_has_the_moments_of_a_box_about_its_own_axes() {
        let mesh = box_mesh([-0.2, 0.1, 0.3], [0.8, 0.5, 2.3]).placed([1.0; 3], AXIS, 1.1, MOVED);
        let filled = Filled::of(&mesh).expect("closed");
        let turn = DQuat::from_axis_angle(DVec3::from(AXIS).normalize(), 1.1);
        assert!((filled.volume / 0.8 - 1.0).abs() < 1e-12);
        let center = turn * DVec3::new(0.3, 0.3, 1.3) + DVec3::from(MOVED);
        assert!(filled.center.distance(center) < 1e-12);
        let square = DVec3::new(1.0, 0.16, 4.0) / 12.0;
        let turn = DMat3::from_quat(turn);
        let inertia = DMat3::from_diagonal(DVec3::splat(square.element_sum()) - square);
        assert!(differ(tensor(&filled), turn * inertia * turn.transpose()) < 1e-12);
    }

    #[test]
    fn axes_of_a_box_that_is_not_turned_are_its_own() {
        let filled = Filled::of(&box_mesh([0.0; 3], [1.0, 2.0, 3.0])).expect("closed");
        assert!(filled.axes.angle_between(DQuat::IDENTITY) < 1e-12, "{:?}", filled.axes);
    }

    #[test]
    fn a_torus_and_a_ball_have_theirs() {
        let (large, small, around) = (1.0, 0.4, 200);
        let mut positions = Vec::new();
        for (i, k) in (0..around).flat_map(|i| (0..around).map(move |k| (i, k))) {
            let [u, v] = [i, k].map(|n| TAU * f64::from(n) / f64::from(around));
            let r = large + small * v.cos();
            positions.push([r * u.cos(), small * v.sin(), -r * u.sin()]);
        }
        let mut triangles = Vec::new();
        for (i, k) in (0..around).flat_map(|i| (0..around).map(move |k| (i, k))) {
            let at = |i: u32, k: u32| i % around * around + k % around;
            triangles.push([at(i, k), at(i + 1, k), at(i + 1, k + 1)]);
            triangles.push([at(i, k), at(i + 1, k + 1), at(i, k + 1)]);
        }
        let torus = TriangleMesh::new(&positions, &triangles).expect("a torus");
        let torus = Filled::of(&torus.placed([1.0; 3], AXIS, 0.6, MOVED)).expect("closed");
        // Because of the facets both are about 1e-3 smaller.
        let near = |found: f64, expected: f64| {
            let ratio = found / expected;
            assert!(ratio < 1.0 && ratio > 1.0 - 2e-3, "{found}, expected {expected}");
        };
        near(torus.volume, 2.0 * PI * PI * large * small * small);
        let along = large * large + 0.75 * small * small;
        let across = 0.5 * large * large + 0.625 * small * small;
        let turn = DMat3::from_quat(DQuat::from_axis_angle(DVec3::from(AXIS).normalize(), 0.6));
        let expected = DMat3::from_diagonal(DVec3::new(across, along, across));
        let expected = turn * expected * turn.transpose();
        assert!(differ(tensor(&torus), expected) < 2e-3 * along);

        let ball = ball_mesh(0.5, 100, 200).placed([1.0; 3], AXIS, 0.6, MOVED);
        let ball = Filled::of(&ball).expect("closed");
        near(ball.volume, 4.0 / 3.0 * PI * 0.125);
        ball.inertia.to_array().into_iter().for_each(|moment| near(moment, 0.4 * 0.25));
        assert!(ball.center.distance(MOVED.into()) < 1e-9);
    }

    #[test]
    fn its_own_mesh_is_about_its_centre_in_its_axes() {
        // A wedge: neither symmetric nor along the axes.
        let mesh = box_mesh([0.0; 3], [1.0; 3]);
        let mesh = TriangleMesh::new(
            &mesh.positions()[..7],
            &[[0, 2, 1], [1, 2, 3], [0, 1, 4], [1, 5, 4], [0, 4, 2], [2, 4, 6], [1, 3, 5]]
                .iter()
                .copied()
                .chain([[2, 6, 3], [3, 6, 5], [4, 5, 6]])
                .collect::<Vec<_>>(),
        )
        .expect("a wedge");
        let solid = Solid::new(mesh.placed([2.0, 0.5, 1.0], AXIS, 0.9, MOVED));
        let (filled, own) = solid.as_body().expect("closed");
        let own_filled = Filled::of(own.mesh()).expect("closed");
        assert!(own_filled.center.length() < 1e-12);
        assert!(differ(tensor(&own_filled), DMat3::from_diagonal(filled.inertia)) < 1e-12);
        for p in [DVec3::ZERO, DVec3::new(0.3, -0.2, 0.4)] {
            let there = filled.center + filled.axes * p;
            assert!((own.distance(p) - solid.distance(there)).abs() < 1e-12);
        }
    }

    #[test]
    fn what_encloses_nothing_is_no_body() {
        let whole = box_mesh([0.0; 3], [1.0; 3]);
        let open = TriangleMesh::new(whole.positions(), &whole.triangles()[1..]).expect("sound");
        assert!(Solid::new(open).as_body().is_none());
        // A square with triangles on both sides is closed, and empty.
        let square = [[0, 1, 3], [0, 3, 2], [0, 3, 1], [0, 2, 3]];
        let sheet = TriangleMesh::new(whole.positions(), &square).expect("sound");
        assert!(sheet.is_closed());
        assert!(Solid::new(sheet).as_body().is_none());
    }
}
