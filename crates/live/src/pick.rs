//! Picking the fluid under the cursor.

use glam::DVec3;

/// A ray hits a particle that is within this many radii of it.
const REACH: f64 = 3.0;

/// Depth in m along a ray at which it meets the fluid: that of the first particle within [`REACH`],
/// or of the particle nearest to the ray if there is none. `None` if no particle is in front of the
/// eye.
///
/// Positions in m are relative to `center`; `direction` is a unit vector.
pub(crate) fn depth(
    positions: &[[f32; 4]],
    center: DVec3,
    radius: f64,
    origin: DVec3,
    direction: DVec3,
) -> Option<f64> {
    let reach = (REACH * radius).powi(2);
    let mut hit: Option<f64> = None;
    let mut nearest: Option<(f64, f64)> = None;
    for position in positions {
        let to = DVec3::new(position[0].into(), position[1].into(), position[2].into()) + center
            - origin;
        let along = to.dot(direction);
        if along <= 0.0 {
            continue;
        }
        let away = (to - along * direction).length_squared();
        if away < reach {
            hit = Some(hit.map_or(along, |best| best.min(along)));
        }
        if nearest.is_none_or(|(best, _)| away < best) {
            nearest = Some((away, along));
        }
    }
    hit.or(nearest.map(|(_, along)| along))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_particle_on_the_ray_is_picked_or_else_the_nearest_to_it() {
        let pick = |positions: &[[f32; 4]]| {
            depth(positions, DVec3::X, 0.1, DVec3::new(1.0, 0.0, -5.0), DVec3::Z)
        };
        assert_eq!(pick(&[]), None);
        let on_ray = [[0.0, 0.0, 3.0, 0.0], [0.1, 0.0, 1.0, 0.0], [2.0, 0.0, -1.0, 0.0]];
        assert_eq!(pick(&on_ray), Some(6.0));
        let beside = [[1.0, 0.0, 1.0, 0.0], [2.0, 0.0, 0.0, 0.0]];
        assert_eq!(pick(&beside), Some(6.0));
        assert_eq!(pick(&[[0.0, 0.0, -7.0, 0.0]]), None, "behind the eye");
    }
}
