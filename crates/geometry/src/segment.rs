//! Segments between two points: the axes of cylinders and capsules.

use glam::{DQuat, DVec3, Quat};

use crate::Vec3;

/// Middle of a segment.
pub(crate) fn middle(a: Vec3, b: Vec3) -> DVec3 {
    0.5 * DVec3::from(a) + 0.5 * DVec3::from(b)
}

/// Half of the vector from one end to the other.
pub(crate) fn half(a: Vec3, b: Vec3) -> DVec3 {
    0.5 * DVec3::from(b) - 0.5 * DVec3::from(a)
}

/// Rotation from the y axis to the direction of a segment.
pub(crate) fn upright(direction: DVec3) -> Quat {
    DQuat::from_rotation_arc(DVec3::Y, direction).as_quat()
}

/// Ends of a segment of the same length, along y about the origin.
pub(crate) fn own(a: Vec3, b: Vec3) -> (Vec3, Vec3) {
    let half = 0.5 * DVec3::from(a).distance(b.into());
    ([0.0, -half, 0.0], [0.0, half, 0.0])
}
