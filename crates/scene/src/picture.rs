//! What only pictures show: camera and light.

use meniscus_geometry::bounds::direction;
use meniscus_geometry::{Content, Vec3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scene::{Color, color};

/// Camera for rendering.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Camera {
    /// Position of the camera in m; that of the first key if absent.
    pub eye: Vec3,
    /// Point that the camera looks at, in m; that of the first key if absent.
    pub target: Vec3,
    /// Vertical field of view in degrees.
    #[serde(default = "normal_view")]
    #[schemars(range(min = 1.0, max = 170.0))]
    pub fov: f64,
    /// Places through which the camera flies, in the order of their times; it is at rest if there are none.
    #[serde(default, rename = "key", skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<CameraKey>,
}

/// Place of a camera at a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CameraKey {
    /// Time in s.
    pub time: f64,
    /// Position of the camera in m.
    #[serde(alias = "position")]
    pub eye: Vec3,
    /// Point that the camera looks at, in m.
    pub target: Vec3,
    /// Vertical field of view in degrees; the camera's own if absent.
    #[serde(default)]
    #[schemars(range(min = 1.0, max = 170.0))]
    pub fov: Option<f64>,
}

fn normal_view() -> f64 {
    35.0
}

impl Camera {
    /// A camera at rest.
    #[must_use]
    pub fn still(eye: Vec3, target: Vec3, fov: f64) -> Self {
        Self { eye, target, fov, keys: Vec::new() }
    }

    /// Position, target (both in m) and field of view (in degrees) at a time in s: cubics from key to key, whose slopes at a key
    /// are those of the parabola through it and its neighbours (E. Catmull, R. Rom, “A class of local interpolating splines”,
    /// 1974, for times at any distance). It rests before the first key, after the last, and between keys that are equal.
    #[must_use]
    pub fn at(&self, time: f64) -> (Vec3, Vec3, f64) {
        let keys = &self.keys;
        let (Some(first), Some(last)) = (keys.first(), keys.last()) else {
            return (self.eye, self.target, self.fov);
        };
        let all = |key: &CameraKey| {
            let [[a, b, c], [d, e, f]] = [key.eye, key.target];
            [a, b, c, d, e, f, key.fov.unwrap_or(self.fov)]
        };
        let time = time.clamp(first.time, last.time);
        let next = keys.partition_point(|key| key.time <= time).clamp(1, keys.len().max(2) - 1);
        let (from, to) = (next - 1, next.min(keys.len() - 1));
        let span = keys[to].time - keys[from].time;
        let values: [f64; 7] = std::array::from_fn(|lane| {
            let value = |k: usize| all(&keys[k])[lane];
            let step = |k: usize| (value(k + 1) - value(k)) / (keys[k + 1].time - keys[k].time);
            let slope = |k: usize| {
                let before = k.checked_sub(1).map(step);
                let after = (k + 1 < keys.len()).then(|| step(k));
                match (before, after) {
                    (Some(0.0), _) | (_, Some(0.0)) | (None, None) => 0.0,
                    (Some(one), None) | (None, Some(one)) => one,
                    (Some(before), Some(after)) => {
                        let spans = [k, k + 1].map(|k| keys[k].time - keys[k - 1].time);
                        (before * spans[1] + after * spans[0]) / (spans[0] + spans[1])
                    }
                }
            };
            if span <= 0.0 {
                return value(to);
            }
            let s = (time - keys[from].time) / span;
            let (a, b) = (s * s * (3.0 - 2.0 * s), s * (1.0 - s));
            let bend = (1.0 - s) * slope(from) - s * slope(to);
            (1.0 - a) * value(from) + a * value(to) + span * b * bend
        });
        let [a, b, c, d, e, f, fov] = values;
        ([a, b, c], [d, e, f], fov.clamp(1.0, 170.0))
    }
}

/// Light and background of pictures in 3-D.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Light {
    /// Direction towards the sun; obliquely from above if absent.
    #[schemars(transform = direction)]
    pub sun: Option<Vec3>,
    /// Factor on the light of the sun.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub sunlight: f64,
    /// Factor on the light of the sky.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub sky: f64,
    /// Colour behind everything, in place of the sky, as sRGB, each from 0 to 1.
    #[serde(deserialize_with = "color")]
    #[schemars(with = "Option<Color>")]
    pub background: Option<[f64; 3]>,
    /// File of an image of everything around the scene, in place of sky and colour, which water mirrors and bends: longitudes
    /// across, twice as wide as high; PNG, JPEG or Radiance HDR, relative to the scene's file; none if empty.
    pub sky_image: String,
    /// Angle in degrees, −360 to 360, by which the image is turned about the upward direction, counter-clockwise from above.
    /// At 0 a camera that looks along −z (along y where z is up) sees its middle.
    #[schemars(range(min = -360.0, max = 360.0))]
    pub sky_rotation: f64,
    /// Whether the floor is drawn.
    pub floor: bool,
    /// The image, once it was read.
    #[serde(skip)]
    pub panorama: Content<Panorama>,
}

/// An image of everything around a place: its columns are longitudes and its rows latitudes, from the top.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "built by its readers")]
pub struct Panorama {
    /// Width and height in pixels, not 0.
    pub size: [u32; 2],
    /// Its pixels.
    pub texels: Texels,
}

/// Pixels row by row, as many as the size says.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_enums, reason = "built by its readers")]
pub enum Texels {
    /// Colours as a screen shows them, in sRGB.
    Screen(Vec<[u8; 3]>),
    /// Linear light, not negative and finite.
    Light(Vec<[f32; 3]>),
}

impl Default for Light {
    fn default() -> Self {
        Self {
            sun: None,
            sunlight: 1.0,
            sky: 1.0,
            background: None,
            sky_image: String::new(),
            sky_rotation: 0.0,
            floor: true,
            panorama: Content::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(time: f64, x: f64) -> CameraKey {
        CameraKey { time, eye: [x, 0.0, 1.0], target: [0.0; 3], fov: None }
    }

    fn camera(keys: Vec<CameraKey>) -> Camera {
        Camera { keys, ..Camera::still([9.0; 3], [0.0; 3], 35.0) }
    }

    #[test]
    fn a_camera_flies_through_its_keys_along_a_parabola() {
        // At any times: x = t² + t is the parabola through all keys, apart from the ends.
        let x = |t: f64| t * t + t;
        let camera = camera([0.0, 1.0, 1.5, 3.0, 4.0].map(|t| key(t, x(t))).into());
        for key in &camera.keys {
            assert_eq!(camera.at(key.time).0, key.eye);
        }
        for time in [1.1, 1.4, 1.9, 2.7] {
            assert!((camera.at(time).0[0] - x(time)).abs() < 1e-12, "{time}");
        }
        assert_eq!((camera.at(-1.0).0, camera.at(9.0).0), ([0.0, 0.0, 1.0], [20.0, 0.0, 1.0]));
        // No jump of the speed at a key.
        let speed = |t: f64| (camera.at(t + 1e-6).0[0] - camera.at(t - 1e-6).0[0]) / 2e-6;
        assert!((speed(1.0) - speed(1.0 + 1e-5)).abs() < 1e-3);
    }

    #[test]
    fn a_camera_rests_between_equal_keys() {
        let camera = camera(vec![key(0.0, 0.0), key(1.0, 2.0), key(2.0, 2.0), key(3.0, 5.0)]);
        for time in [1.0, 1.3, 1.9] {
            assert_eq!(camera.at(time).0, [2.0, 0.0, 1.0], "{time}");
        }
        let one = Camera { keys: vec![key(1.0, 4.0)], ..camera };
        assert_eq!(one.at(0.0).0, [4.0, 0.0, 1.0]);
    }
}
