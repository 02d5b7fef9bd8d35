//! Velocity of a tank that follows the mouse.

use glam::DVec3;

/// Time constant of the motion, in frames.
const LAG: f64 = 6.0;

/// Velocity in m/s for the next frame of `duration` s, for a tank that is `way` m from its target;
/// its length is at most `fastest`.
pub(crate) fn velocity(way: DVec3, duration: f64, fastest: f64) -> DVec3 {
    if way.length() < 1e-3 * fastest * duration {
        return DVec3::ZERO;
    }
    (way / (LAG * duration)).clamp_length_max(fastest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tank_arrives_and_stops() {
        let wanted = DVec3::new(0.3, 0.0, -0.1);
        let mut place = DVec3::ZERO;
        for _ in 0..200 {
            let velocity = velocity(wanted - place, 0.02, 2.0);
            assert!(velocity.length() <= 2.0 + 1e-9);
            place += 0.02 * velocity;
        }
        assert!(place.distance(wanted) < 1e-3, "{place}");
        assert_eq!(velocity(wanted - place, 0.02, 2.0), DVec3::ZERO);
    }
}
