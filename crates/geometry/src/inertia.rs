//! Principal axes.

use glam::{DMat3, DVec3};

/// Eigenvalues and eigenvectors (a rotation) of a symmetric matrix, by Jacobi's rotations of the
/// largest element off the diagonal, to one part in 10¹². Every one is by 45° at most: axes that are
/// principal already, or nearly so, are not turned into each other.
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
