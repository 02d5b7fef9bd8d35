//! The camera.

use glam::{DMat3, DQuat, DVec3, Mat4, Vec3};

/// A pinhole camera in world coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct Camera {
    /// Position of the eye in m.
    pub eye: DVec3,
    /// Point that the camera looks at, in m.
    pub target: DVec3,
    /// Direction that is up in the picture; it need not have unit length nor be perpendicular to
    /// the view.
    pub up: DVec3,
    /// Vertical field of view in radians.
    pub fov_y: f64,
}

/// Smallest angle in radians that [`Camera::orbit`] keeps from looking straight up or down.
const POLE: f64 = 0.02;
/// Distance of the near plane, relative to the distance to the target.
pub(crate) const NEAR: f64 = 0.005;

impl Default for Camera {
    fn default() -> Self {
        Self::framing(DVec3::splat(-1.0), DVec3::ONE, 16.0 / 9.0)
    }
}

impl Camera {
    /// A camera that shows the box between `corners`, in m, as large as possible in a picture whose
    /// width is `aspect` times its height: obliquely from above with y up, or straight along z if
    /// the box is flat in z (2-D scenes).
    #[must_use]
    pub fn framing(min: DVec3, max: DVec3, aspect: f64) -> Self {
        let size = max - min;
        let flat = size.z <= 0.02 * size.x.max(size.y);
        let towards = if flat { DVec3::Z } else { DVec3::new(0.42, 0.40, 1.0) };
        Self::framing_from(min, max, aspect, towards, DVec3::Y)
    }

    /// Like [`Camera::framing`], looking from the direction `towards`, with `up` up.
    #[must_use]
    pub fn framing_from(min: DVec3, max: DVec3, aspect: f64, towards: DVec3, up: DVec3) -> Self {
        let target = 0.5 * (min + max);
        let fov_y = 35f64.to_radians();
        let back = towards.try_normalize().unwrap_or(DVec3::Z);
        let mut camera = Self { eye: target + back, target, up, fov_y };
        let basis = camera.basis();
        let tan = DVec3::new(aspect.max(1e-3), 1.0, 0.0) * (fov_y / 2.0).tan();
        // Perspective makes the near side of the box larger, so centre and fit it a few times.
        let half = (0.5 * (max - min)).max(DVec3::splat(1e-9));
        let corners = [0, 1, 2, 3, 4, 5, 6, 7].map(|k| {
            let sign = |bit: i32| if k & bit == 0 { -1.0 } else { 1.0 };
            basis.transpose() * (half * DVec3::new(sign(1), sign(2), sign(4)))
        });
        let (mut distance, mut shift) = (half.length() * 4.0, DVec3::ZERO);
        for _ in 0..12 {
            let seen = corners.map(|c| (c - shift).truncate() / (distance - c.z));
            let low = seen.iter().fold(seen[0], |a, b| a.min(*b));
            let high = seen.iter().fold(seen[0], |a, b| a.max(*b));
            shift += (0.5 * (low + high) * distance).extend(0.0);
            let extent = (0.5 * (high - low) / tan.truncate()).max_element();
            distance = (distance * extent * 1.12).max(half.length() * 1.05);
        }
        camera.target += basis * shift;
        camera.eye = camera.target + back * distance;
        camera
    }

    /// Distance from the eye to the target in m.
    #[must_use]
    pub fn distance(&self) -> f64 {
        self.eye.distance(self.target).max(1e-9)
    }

    /// Unit vectors right, up and back, as columns.
    #[must_use]
    pub fn basis(&self) -> DMat3 {
        let back = (self.eye - self.target).try_normalize().unwrap_or(DVec3::Z);
        let right = self.up.cross(back).try_normalize();
        let right = right.unwrap_or_else(|| back.any_orthonormal_vector());
        DMat3::from_cols(right, back.cross(right), back)
    }

    /// Turns about the target by `yaw` radians about `up` and by `pitch` radians upwards, stopping
    /// short of the poles.
    pub fn orbit(&mut self, yaw: f64, pitch: f64) {
        let up = self.up.try_normalize().unwrap_or(DVec3::Y);
        let offset = DQuat::from_axis_angle(up, yaw) * (self.eye - self.target);
        self.eye = self.target + offset;
        let height = offset.angle_between(up);
        let turned = (height - pitch).clamp(POLE, std::f64::consts::PI - POLE);
        let axis = self.basis().x_axis;
        self.eye = self.target + DQuat::from_axis_angle(axis, turned - height) * offset;
    }

    /// Moves eye and target so that points at the target's depth move by `right` and `up` picture
    /// heights.
    pub fn pan(&mut self, right: f64, up: f64) {
        let height = 2.0 * self.distance() * (self.fov_y / 2.0).tan();
        let basis = self.basis();
        let offset = -height * (right * basis.x_axis + up * basis.y_axis);
        self.eye += offset;
        self.target += offset;
    }

    /// Scales the distance from the target by `factor`; values below 1 zoom in.
    pub fn zoom(&mut self, factor: f64) {
        let factor = if factor.is_finite() { factor.clamp(1e-3, 1e3) } else { 1.0 };
        self.eye = self.target + factor * (self.eye - self.target);
    }

    /// Ray through a point of the picture, given in pixels from the upper left corner: origin in m
    /// and unit direction.
    #[must_use]
    pub fn ray(&self, pixel: [f64; 2], size: [u32; 2]) -> (DVec3, DVec3) {
        let [width, height] = size.map(|n| f64::from(n.max(1)));
        let tan = (self.fov_y / 2.0).tan();
        let x = (2.0 * pixel[0] / width - 1.0) * tan * width / height;
        let y = (1.0 - 2.0 * pixel[1] / height) * tan;
        let basis = self.basis();
        let direction = x * basis.x_axis + y * basis.y_axis - basis.z_axis;
        (self.eye, direction.normalize())
    }

    /// Projection of a world point, given in m: pixels from the upper left corner of the picture,
    /// and depth along the view in m. `None` behind the eye.
    #[must_use]
    pub fn project(&self, point: DVec3, size: [u32; 2]) -> Option<([f64; 2], f64)> {
        let [width, height] = size.map(|n| f64::from(n.max(1)));
        let local = self.basis().transpose() * (point - self.eye);
        let depth = -local.z;
        if depth <= self.near() {
            return None;
        }
        let tan = (self.fov_y / 2.0).tan();
        let x = 0.5 * width * (1.0 + local.x / (depth * tan * width / height));
        let y = 0.5 * height * (1.0 - local.y / (depth * tan));
        Some(([x, y], depth))
    }

    /// Distance of the near plane in m.
    pub(crate) fn near(&self) -> f64 {
        NEAR * self.distance()
    }

    /// Transform from positions relative to `center` to view space.
    pub(crate) fn view(&self, center: DVec3) -> Mat4 {
        let basis = self.basis();
        let rotation = basis.transpose();
        let translation = -(rotation * (self.eye - center));
        let column = |v: DVec3, w: f32| v.as_vec3().extend(w);
        Mat4::from_cols(
            column(rotation.x_axis, 0.0),
            column(rotation.y_axis, 0.0),
            column(rotation.z_axis, 0.0),
            column(translation, 1.0),
        )
    }

    /// Projection from view space to clip space, with depth 1 at the near plane and 0 at infinity,
    /// so that f32 resolves all distances equally well.
    pub(crate) fn projection(&self, aspect: f64) -> Mat4 {
        let cot = 1.0 / (self.fov_y / 2.0).tan();
        Mat4::from_cols(
            Vec3::new((cot / aspect) as f32, 0.0, 0.0).extend(0.0),
            Vec3::new(0.0, cot as f32, 0.0).extend(0.0),
            Vec3::ZERO.extend(-1.0),
            Vec3::new(0.0, 0.0, self.near() as f32).extend(0.0),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [u32; 2] = [640, 360];

    #[test]
    fn framing_shows_the_whole_box_and_fills_the_picture() {
        let boxes = [
            (DVec3::ZERO, DVec3::new(4.0, 2.0, 1.0)),
            (DVec3::splat(1000.0), DVec3::new(1000.1, 1000.3, 1000.1)),
            (DVec3::new(-1.0, -1.0, 0.0), DVec3::new(1.0, 1.0, 0.0)),
        ];
        for (min, max) in boxes {
            let camera = Camera::framing(min, max, 16.0 / 9.0);
            let mut most: f64 = 0.0;
            for k in 0..8 {
                let pick = |bit: i32, a: f64, b: f64| if k & bit == 0 { a } else { b };
                let corner =
                    DVec3::new(pick(1, min.x, max.x), pick(2, min.y, max.y), pick(4, min.z, max.z));
                let ([x, y], _) = camera.project(corner, SIZE).expect("before the eye");
                assert!((0.0..640.0).contains(&x) && (0.0..360.0).contains(&y), "{x} {y}");
                most = most.max((x / 320.0 - 1.0).abs()).max((y / 180.0 - 1.0).abs());
            }
            assert!((0.8..1.0).contains(&most), "fills {most} of the picture");
        }
    }

    #[test]
    fn rays_go_through_the_points_that_project_to_their_pixels() {
        let mut camera = Camera::framing(DVec3::ZERO, DVec3::ONE, 16.0 / 9.0);
        camera.orbit(0.4, -0.2);
        camera.pan(0.1, 0.05);
        let point = DVec3::new(0.3, 0.8, 0.2);
        let (pixel, depth) = camera.project(point, SIZE).expect("before the eye");
        let (origin, direction) = camera.ray(pixel, SIZE);
        let along = (point - origin).dot(direction);
        assert!((origin + along * direction).distance(point) < 1e-12);
        let view = camera.projection(16.0 / 9.0) * camera.view(DVec3::ZERO);
        let clip = view * point.as_vec3().extend(1.0);
        assert!((f64::from(clip.w) - depth).abs() < 1e-5, "{clip} {depth}");
        let x = 320.0 * (1.0 + clip.x / clip.w);
        assert!((f64::from(x) - pixel[0]).abs() < 1e-2, "{x} {pixel:?}");
    }

    #[test]
    fn orbits_keep_the_distance_and_stop_at_the_poles() {
        let mut camera = Camera::default();
        let distance = camera.distance();
        for _ in 0..100 {
            camera.orbit(0.3, 0.3);
        }
        assert!((camera.distance() / distance - 1.0).abs() < 1e-9);
        assert!((camera.eye - camera.target).angle_between(camera.up) > 0.5 * POLE);
        let before = camera.target;
        camera.zoom(0.5);
        assert!((camera.distance() / distance - 0.5).abs() < 1e-9);
        assert_eq!(camera.target, before);
    }

    #[test]
    fn panning_moves_the_target_by_picture_heights() {
        let mut camera = Camera::default();
        let old = camera.target;
        camera.pan(0.25, 0.0);
        let ([x, y], _) = camera.project(old, SIZE).expect("before the eye");
        assert!((x - (320.0 + 90.0)).abs() < 1e-6 && (y - 180.0).abs() < 1e-6, "{x} {y}");
    }
}
