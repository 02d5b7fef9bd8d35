//! Frames of a swimming fish: rings of a slender body along a midline that a wave runs down, for `lab figures`.

use std::{f64::consts::TAU, fmt::Write};

use glam::DVec3;

/// Number of frames of a beat of the tail.
pub(crate) const FRAMES: u32 = 12;
/// Length in m.
const LENGTH: f64 = 0.36;
/// Vertices of a ring.
const AROUND: usize = 12;
/// Length of the wave in body lengths.
const WAVE: f64 = 1.05;

/// Rings: place along the body from the nose, 0 to 1; half the width; lower and upper edge, in lengths.
const RINGS: [[f64; 4]; 22] = [
    [0.012, 0.016, -0.017, 0.017],
    [0.04, 0.036, -0.037, 0.036],
    [0.08, 0.052, -0.056, 0.057],
    [0.13, 0.063, -0.074, 0.078],
    [0.19, 0.07, -0.09, 0.097],
    [0.25, 0.073, -0.101, 0.11],
    [0.31, 0.073, -0.107, 0.13],
    [0.36, 0.072, -0.108, 0.152],
    [0.41, 0.069, -0.105, 0.158],
    [0.46, 0.065, -0.1, 0.146],
    [0.52, 0.058, -0.091, 0.117],
    [0.58, 0.05, -0.085, 0.087],
    [0.64, 0.042, -0.075, 0.068],
    [0.7, 0.035, -0.055, 0.052],
    [0.75, 0.03, -0.042, 0.041],
    [0.79, 0.027, -0.037, 0.037],
    [0.83, 0.025, -0.047, 0.049],
    [0.87, 0.024, -0.069, 0.073],
    [0.91, 0.023, -0.096, 0.102],
    [0.945, 0.022, -0.116, 0.124],
    [0.975, 0.021, -0.122, 0.132],
    [0.99, 0.018, -0.112, 0.122],
];

/// Way of the midline to the side in lengths at a place along it, in this share of a beat: amplitudes as of fish that swim with
/// their tails (Videler 1993).
fn side(s: f64, beat: f64) -> f64 {
    (0.02 - 0.08 * s + 0.16 * s * s) * (TAU * (s / WAVE - beat)).sin()
}

/// A frame as an OBJ file in m: the fish looks along x, its middle is at the origin, y is up.
pub(crate) fn mesh(frame: u32) -> String {
    let beat = f64::from(frame) / f64::from(FRAMES);
    // The midline is no longer than the fish where it bends.
    let step = 1e-3;
    let mut line = vec![DVec3::ZERO];
    for k in 0..1000 {
        let s = step * f64::from(k);
        let slope = (side(s + step, beat) - side(s, beat)) / step;
        let along = (1.0 - slope * slope).max(0.0).sqrt();
        line.push(line[line.len() - 1] - step * DVec3::new(along, 0.0, 0.0));
    }
    let place = |s: f64| {
        let k = ((s / step) as usize).min(999);
        line[k].lerp(line[k + 1], s / step - k as f64) + DVec3::new(0.5, 0.0, side(s, beat))
    };
    let across = |s: f64| {
        let along = (place((s - 0.01).max(0.0)) - place((s + 0.01).min(1.0))).normalize();
        DVec3::Y.cross(along)
    };
    let mut points = vec![place(0.0)];
    for [s, width, low, high] in RINGS {
        let (middle, across) = (place(s), across(s));
        for k in 0..AROUND {
            let (sin, cos) = (TAU * k as f64 / AROUND as f64).sin_cos();
            let height = 0.5 * (low + high) + 0.5 * (high - low) * sin;
            points.push(middle + height * DVec3::Y - width * cos * across);
        }
    }
    points.push(place(1.0));
    let mut text = format!(
        "# A fish that looks along x, {LENGTH} m long, frame {} of {FRAMES}, by `lab figures` (tools/lab/src/fish.rs).\n",
        frame + 1
    );
    for p in &points {
        let p = LENGTH * *p;
        let _ = writeln!(text, "v {:.5} {:.5} {:.5}", p.x, p.y, p.z);
    }
    let at = |ring: usize, k: usize| 2 + ring * AROUND + k % AROUND;
    for k in 0..AROUND {
        let _ = writeln!(text, "f 1 {} {}", at(0, k + 1), at(0, k));
        for ring in 0..RINGS.len() - 1 {
            let [a, b] = [at(ring, k), at(ring, k + 1)];
            let [c, d] = [at(ring + 1, k + 1), at(ring + 1, k)];
            let _ = writeln!(text, "f {a} {c} {d}\nf {a} {b} {c}");
        }
        let last = RINGS.len() - 1;
        let _ = writeln!(text, "f {} {} {}", at(last, k), at(last, k + 1), points.len());
    }
    text
}

/// Name of the file of a frame.
pub(crate) fn name(frame: u32) -> String {
    format!("fish_{:02}", frame + 1)
}

#[cfg(test)]
mod tests {
    use meniscus_model::mesh::TriangleMesh;

    use super::*;

    #[test]
    fn the_bundled_frames_are_these_and_closed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/formats/scenes");
        for frame in 0..FRAMES {
            let text = mesh(frame);
            let bundled = std::fs::read_to_string(format!("{folder}/{}.obj", name(frame))).unwrap();
            assert!(bundled == text, "write it again: cargo run --release --bin lab -- figures");
            let numbers = |line: &str| -> Vec<f64> {
                line.split(' ').skip(1).map(|word| word.parse().unwrap()).collect()
            };
            let lines =
                |kind: &'static str| text.lines().filter(move |line| line.starts_with(kind));
            let points: Vec<_> =
                lines("v ").map(|line| <[f64; 3]>::try_from(numbers(line)).unwrap()).collect();
            let faces: Vec<_> = lines("f ")
                .map(|line| {
                    <[u32; 3]>::try_from(
                        numbers(line).iter().map(|n| *n as u32 - 1).collect::<Vec<_>>(),
                    )
                    .unwrap()
                })
                .collect();
            let mesh = TriangleMesh::new(&points, &faces).unwrap();
            assert!(mesh.is_closed() && mesh.triangles() == faces, "frame {frame}");
            // An ellipsoid's volume is 4/3 π a b c.
            let slim = mesh.volume() / (TAU / 12.0 * LENGTH.powi(3));
            assert!((0.015..0.03).contains(&slim), "frame {frame}: {slim}");
        }
    }
}
