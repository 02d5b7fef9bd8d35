//! Principal axes.

use glam::{DMat3, DVec3};

/// Eigenvalues and eigenvectors (a rotation) of a symmetric matrix, by Jacobi rotations of the
/// largest off-diagonal element, to one part in 10¹². Each rotation is by at most 45°, so axes that
/// are already principal, or nearly so, are not exchanged.
#[must_use]
pub fn principal_axes(mut a: DMat3) -> (DVec3, DMat3) {
    let mut axes = DMat3::IDENTITY;
    let nothing = 1e-12 * (a.x_axis.x + a.y_axis.y + a.z_axis.z).abs();
    for _ in 0..50 {
        let off = |p: usize, q: usize| a.col(q)[p].abs();
        let pairs = [(0, 1), (0, 2), (1, 2)];
        let Some((p, q)) = pairs.into_iter().max_by(|m, n| off(m.0, m.1).total_cmp(&off(n.0, n.1)))
        else {
            break;
        };
        let (twice, apart) = (2.0 * a.col(q)[p], a.col(p)[p] - a.col(q)[q]);
        if twice.abs() <= nothing {
            break;
        }
        let angle = if apart < 0.0 { (-twice).atan2(-apart) } else { twice.atan2(apart) };
        let mut turn = DMat3::IDENTITY;
        let (sin, cos) = (0.5 * angle).sin_cos();
        turn.col_mut(p)[p] = cos;
        turn.col_mut(p)[q] = sin;
        turn.col_mut(q)[p] = -sin;
        turn.col_mut(q)[q] = cos;
        a = turn.transpose() * a * turn;
        axes *= turn;
    }
    (DVec3::new(a.x_axis.x, a.y_axis.y, a.z_axis.z), axes)
}
