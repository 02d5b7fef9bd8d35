//! A cylinder that heaves freely (Maskell, Ursell 1970), with linear potential flow in the same tank as theory.

use std::f64::consts::{FRAC_PI_2, PI};

use meniscus::Error;
use meniscus_model::scene::{Body, Shape, Sphere};

use super::{COARSE, Case, Expected, Plot, Trial, block};

const G: f64 = 9.81;
const DENSITY: f64 = 1000.0;
/// Radius in m; half the width of the tank, the depth of its water, and the height by which the cylinder is lifted, in radii.
const RADIUS: f64 = 0.1;
const HALF: f64 = 8.0;
const DEPTH: f64 = 4.0;
const LIFTED: f64 = 1.0 / 3.0;
/// End of the run after the release, in √(a/g).
const END: f64 = 8.5;

pub(super) const CASE: Case = Case {
    name: "heave",
    title: "A cylinder heaves",
    about: "A cylinder of half of water's density, a = 0.1 m in radius, is lifted by a/3 from where it floats half \
            immersed, and released after the water has settled (1 s, SPH), in 2-D, without viscosity. The tank is 16 a \
            wide and 4 a deep. By linear potential flow in that tank (boundary elements) the first crest comes 7.31 \
            √(a/g) = 0.738 s after the release, and the first swing down is 1.56 times the lift. In unbounded water it \
            would be 7.26 and 1.63 (Maskell, Ursell 1970).",
    solvers: &["wcsph", "dfsph", "flip", "apic", "mls_mpm"],
    tunes: true,
    plots: &[Plot {
        name: "height",
        title: "Height of a heaving cylinder",
        x: "time / √(a/g)",
        y: "height / lift",
        scattered: false,
        expected: &[Expected { label: "linear theory", points: linear, line: true }],
    }],
    everyday: &["flip"],
    run,
    ..COARSE
};

fn run(trial: &mut Trial<'_>) -> Result<(), Error> {
    let part = if trial.on_a_grid() { 0.5 } else { 1.0 };
    let spacing = part * RADIUS / trial.pick(6.0, 10.0);
    let mut scene = trial.scene(spacing);
    scene.support_radius = None;
    let settle = if trial.on_a_grid() { 0.0 } else { 1.0 };
    (scene.time.settle, scene.time.fps) = (settle, 200.0);
    if trial.tunes() {
        scene.time.max_step = 0.002;
        if !trial.on_a_grid() {
            Trial::sound_speed(&mut scene, 30.0);
        }
    }
    scene.materials[0].viscosity = Some(0.0);
    let (half, depth) = (HALF * RADIUS, DEPTH * RADIUS);
    scene.fluids = vec![block([0.0; 2], [2.0 * half, depth])];
    scene.boundaries = vec![trial.tank([0.0; 2], [2.0 * half, 2.0 * depth])];
    let center = [half, depth + LIFTED * RADIUS, 0.0];
    let cylinder = Body::new(Shape::Sphere(Sphere { center, radius: RADIUS }));
    scene.bodies = vec![Body { density: Some(0.5 * DENSITY), ..cylinder }];
    let progress = trial.progress;
    let mut water = trial.start(&scene, trial.pick("a/6", "a/10"))?;
    let unit = (RADIUS / G).sqrt();
    let mut heights = vec![(0.0, 1.0)];
    while heights[heights.len() - 1].0 < END {
        water.next_frame()?;
        let after = (water.time() - settle) / unit;
        progress(after / END);
        if after > 0.0 {
            let up = water.simulation.bodies()[0].position[1] - depth;
            heights.push((after, up / (LIFTED * RADIUS)));
        }
    }
    let ([_, swing], [period, _]) = swing(&heights);
    let ([_, due_swing], [due_period, _]) = self::swing(&linear());
    let outcome = &mut trial.outcome;
    outcome.measure("error of the period", 100.0 * (period / due_period - 1.0).abs());
    outcome.measure("error of the first swing", 100.0 * (swing / due_swing - 1.0).abs());
    outcome.curve("height", heights);
    Ok(())
}

/// Times and depths below the start of the lowest point of the first part and of the highest one after it, from heights in equal steps
/// of time; NaN where these are at an end.
fn swing(heights: &[(f64, f64)]) -> ([f64; 2], [f64; 2]) {
    let turn = |sign: f64, begin: f64, end: f64| -> [f64; 2] {
        let high = |k: usize| sign * heights[k].1;
        let inside = (1..heights.len() - 1).filter(|k| (begin..end).contains(&heights[*k].0));
        let Some(k) = inside.max_by(|a, b| high(*a).total_cmp(&high(*b))) else {
            return [f64::NAN; 2];
        };
        // The vertex of the parabola through three points.
        let (before, after) = (high(k) - high(k - 1), high(k) - high(k + 1));
        if before < 0.0 || after < 0.0 {
            return [f64::NAN; 2];
        }
        let aside = 0.5 * (before - after) / (before + after);
        let time = heights[k].0 + aside * (heights[k + 1].0 - heights[k].0);
        [time, heights[0].1 - sign * (high(k) + 0.25 * aside * (before - after))]
    };
    let trough = turn(-1.0, 0.0, 0.65 * END);
    (trough, turn(1.0, trough[0], END))
}

/// Height over the lift by time in √(a/g): linear potential flow by boundary elements in one half of the tank, in units of a, g and
/// the density.
fn linear() -> Vec<(f64, f64)> {
    let Flow { flux, flux_of_body, lift, added } = Flow::new();
    let count = flux_of_body.len();
    // Height and velocity of the body, potential and elevation of the level.
    let slope = |state: &[f64]| -> Vec<f64> {
        let ([z, v], (potential, level)) = ([state[0], state[1]], state[2..].split_at(count));
        let pressed: f64 = lift.iter().zip(level).map(|(lift, level)| lift * level).sum();
        let mut out = vec![v, (pressed - 2.0 * z) / (0.5 * PI + added)];
        out.extend(level.iter().map(|level| -level));
        out.extend(flux.iter().zip(&flux_of_body).map(|(row, body)| {
            row.iter().zip(potential).map(|(share, value)| share * value).sum::<f64>() + body * v
        }));
        out
    };
    let moved = |state: &[f64], by: &[f64], share: f64| -> Vec<f64> {
        state.iter().zip(by).map(|(value, by)| value + share * by).collect()
    };
    let step = 0.05;
    let mut state = vec![0.0; 2 + 2 * count];
    state[0] = 1.0;
    let mut heights = vec![(0.0, 1.0)];
    for k in 0..(END / step) as u32 {
        let a = slope(&state);
        let b = slope(&moved(&state, &a, 0.5 * step));
        let c = slope(&moved(&state, &b, 0.5 * step));
        let d = slope(&moved(&state, &c, step));
        for (by, share) in [(a, 1.0), (b, 2.0), (c, 2.0), (d, 1.0)] {
            state = moved(&state, &by, share * step / 6.0);
        }
        heights.push((step * f64::from(k + 1), state[0]));
    }
    heights
}

/// What the potential of the level and the motion of the body give, by elements of the level.
struct Flow {
    /// Upward velocity of the level by its potential.
    flux: Vec<Vec<f64>>,
    /// Upward velocity of the level with a body of unit velocity.
    flux_of_body: Vec<f64>,
    /// Force on the body by elevations of the level.
    lift: Vec<f64>,
    /// Mass of the water that moves with the body.
    added: f64,
}

/// Straight element with constant potential and flux, with the fluid on its right.
struct Element {
    from: [f64; 2],
    along: [f64; 2],
    length: f64,
}

impl Element {
    fn middle(&self) -> [f64; 2] {
        [0, 1].map(|axis| self.from[axis] + 0.5 * self.length * self.along[axis])
    }

    /// Integrals of ln r and of its slope along the outward normal, as seen from `x`.
    fn seen(&self, x: [f64; 2]) -> [f64; 2] {
        let apart = [x[0] - self.from[0], x[1] - self.from[1]];
        let s = apart[0] * self.along[0] + apart[1] * self.along[1];
        let h = apart[0] * self.along[1] - apart[1] * self.along[0];
        let rest = self.length - s;
        let angle = if h.abs() < 1e-12 { 0.0 } else { (rest / h).atan() + (s / h).atan() };
        let log = s * s.hypot(h).ln() + rest * rest.hypot(h).ln() - self.length + h * angle;
        [log, angle]
    }

    /// Behind the plane of symmetry.
    fn mirrored(&self) -> Self {
        let from = [
            -(self.from[0] + self.length * self.along[0]),
            self.from[1] + self.length * self.along[1],
        ];
        Self { from, along: [self.along[0], -self.along[1]], length: self.length }
    }
}

impl Flow {
    fn new() -> Self {
        let line = |count: u32, at: &dyn Fn(f64) -> [f64; 2]| -> Vec<Element> {
            let ends = (0..=count).map(|k| at(f64::from(k) / f64::from(count))).collect::<Vec<_>>();
            let element = |ends: &[[f64; 2]]| {
                let apart = [0, 1].map(|axis| ends[1][axis] - ends[0][axis]);
                let length = apart[0].hypot(apart[1]);
                Element { from: ends[0], along: apart.map(|x| x / length), length }
            };
            ends.windows(2).map(element).collect()
        };
        let (body, level) = (24, 72);
        let mut elements = line(body, &|s| {
            let angle = FRAC_PI_2 * (s - 1.0);
            [angle.cos(), angle.sin()]
        });
        // Finer beside the body.
        elements.extend(line(level, &|s| [1.0 + (HALF - 1.0) * s * (0.15 + 0.85 * s), 0.0]));
        elements.extend(line(24, &|s| [HALF, -DEPTH * s]));
        elements.extend(line(32, &|s| [HALF * (1.0 - s), -DEPTH]));
        let (body, level) = (body as usize, level as usize);
        let (on_body, on_level) = (0..body, body..body + level);
        let n = elements.len();
        // Σ H φ = Σ G q, with known flux q but on the level, where the potential φ is known.
        let mut rows: Vec<Vec<f64>> = Vec::new();
        let upward = |j: usize| elements[j].along[0];
        for (i, x) in elements.iter().map(Element::middle).enumerate() {
            let pairs: Vec<[f64; 2]> = elements
                .iter()
                .map(|element| {
                    let (real, image) = (element.seen(x), element.mirrored().seen(x));
                    [real[0] + image[0], real[1] + image[1]]
                })
                .collect();
            let own = pairs[i][1] - pairs.iter().map(|pair| pair[1]).sum::<f64>();
            let h = |j: usize| if i == j { own } else { pairs[j][1] };
            let mut row: Vec<f64> =
                (0..n).map(|j| if on_level.contains(&j) { -pairs[j][0] } else { h(j) }).collect();
            row.extend(on_level.clone().map(|j| -h(j)));
            row.push(on_body.clone().map(|j| pairs[j][0] * upward(j)).sum());
            rows.push(row);
        }
        eliminate(&mut rows);
        let force = |column: usize| -> f64 {
            2.0 * on_body
                .clone()
                .map(|j| rows[j][column] * upward(j) * elements[j].length)
                .sum::<f64>()
        };
        Self {
            flux: on_level.clone().map(|j| rows[j][n..n + level].to_vec()).collect(),
            flux_of_body: on_level.clone().map(|j| rows[j][n + level]).collect(),
            lift: (n..n + level).map(force).collect(),
            added: force(n + level),
        }
    }
}

/// Solves a system of as many rows for all columns beyond its square, in place.
fn eliminate(rows: &mut [Vec<f64>]) {
    for k in 0..rows.len() {
        let largest =
            (k..rows.len()).max_by(|a, b| rows[*a][k].abs().total_cmp(&rows[*b][k].abs()));
        rows.swap(k, largest.unwrap_or(k));
        let pivot: Vec<f64> = rows[k].iter().map(|value| value / rows[k][k]).collect();
        for (i, row) in rows.iter_mut().enumerate() {
            let share = if i == k { 1.0 } else { row[k] };
            for (value, pivot) in row.iter_mut().zip(&pivot) {
                *value = if i == k { *pivot } else { *value - share * pivot };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn theory_of_the_tank_is_as_the_page_says() {
        let ([_, swing], [period, crest]) = swing(&linear());
        println!("{swing} {period} {crest} {}", Flow::new().added / (0.5 * PI));
        // Twice as fine it is within 0.005 of all.
        assert!((period - 7.311).abs() < 0.02, "{period}");
        assert!((swing - 1.5645).abs() < 0.01, "{swing}");
        // Added mass in unbounded water is that of the displaced water.
        let added = Flow::new().added / (0.5 * PI);
        assert!((added - 1.0548).abs() < 0.005, "{added}");
    }
}
