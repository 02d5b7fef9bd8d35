//! `meniscus waves`: the motion of a piston that makes waves, as a table for `motion = [{ table = … }]`, or the rise of the water at
//! an inlet.

use std::{f64::consts::TAU, fmt::Write as _};

use glam::DVec3;
use meniscus::scene::wave_number;

use crate::{
    Failure,
    arguments::{WaveKind, WaveTable, Waves},
    files,
    terminal::{note, print},
};

/// Most rows of a table.
const MOST_ROWS: f64 = 1e6;

pub(crate) fn waves(arguments: &Waves) -> Result<(), Failure> {
    let (table, motion) = match &arguments.kind {
        WaveKind::Regular { height, period, order, ramp, table } => {
            let wave = Wave::of(*period, table);
            wave.check(*height, table)?;
            if *order == 2 && !wave.is_stokes(*height, table.depth) {
                note(&format!(
                    "H L²/d³ is {:.0}, above 26: waves so long and high are not of second order; --order 1, or solitary waves",
                    height * wave.length().powi(2) / table.depth.powi(3)
                ));
            }
            let stroke = format!("; stroke {:.4} m", height / wave.transfer(table.depth));
            note(&format!(
                "waves {:.4} m long, {:.2} times the depth{}",
                wave.length(),
                wave.length() / table.depth,
                if table.rise { "" } else { &stroke }
            ));
            let ramp = ramp.unwrap_or(*period);
            let motion = match table.rise {
                true => regular_rise(wave, *height, *order, ramp, table.depth),
                false => regular(wave, *height, *order, ramp, table.depth),
            };
            (table, motion)
        }
        WaveKind::Solitary { height, table } => {
            if *height >= 0.78 * table.depth {
                return Err(Failure::Input(format!(
                    "--height {height}: a solitary wave breaks from 0.78 of the depth on, {:.4} m",
                    0.78 * table.depth
                )));
            }
            (
                table,
                if table.rise { solitary_rise(*height, table) } else { solitary(*height, table) },
            )
        }
        WaveKind::Irregular { height, period, gamma, seed, components, ramp, table } => {
            Wave::of(*period, table).check(*height, table)?;
            let sea = sea([*height, *period, *gamma], *seed, *components, table);
            let ramp = ramp.unwrap_or(*period);
            (table, irregular(sea, ramp, (!table.rise).then_some(table.depth)))
        }
    };
    let direction = DVec3::from(table.direction).normalize_or_zero();
    if direction == DVec3::ZERO {
        return Err(Failure::Input("--direction: must not be 0".into()));
    }
    let rows = (table.until / table.every).ceil();
    if rows > MOST_ROWS {
        return Err(Failure::Input(format!(
            "--every {}: {rows:.0} rows are more than {MOST_ROWS}",
            table.every
        )));
    }
    let mut text = String::from(if table.rise { "time,rise\n" } else { "time,x,y,z\n" });
    for row in 0..=rows as u32 {
        let time = (f64::from(row) * table.every).min(table.until);
        let way = motion(time);
        let [x, y, z] = (way * direction).to_array();
        let _ = match table.rise {
            true => writeln!(text, "{time:.6},{way:.7}"),
            false => writeln!(text, "{time:.6},{x:.7},{y:.7},{z:.7}"),
        };
    }
    match &table.out {
        Some(file) => files::write(file, &text),
        None => print(&text),
    }
}

/// A wave of small height.
#[derive(Clone, Copy, Debug)]
struct Wave {
    /// Angular frequency ω in 1/s.
    frequency: f64,
    /// Wave number k in 1/m, of ω² = g k tanh(k d).
    number: f64,
}

impl Wave {
    fn of(period: f64, table: &WaveTable) -> Self {
        let number = wave_number(period, table.depth, table.gravity);
        Self { frequency: TAU / period, number }
    }

    /// Length in m.
    fn length(&self) -> f64 {
        TAU / self.number
    }

    /// Height of the waves over the piston's stroke, 2 (cosh 2kd − 1)/(sinh 2kd + 2kd) (Biésel, Suquet 1951).
    fn transfer(&self, depth: f64) -> f64 {
        // Over cosh², which overflows in deep water.
        let kd = self.number * depth;
        let tanh = kd.tanh();
        let share = if kd < 300.0 { kd / kd.cosh().powi(2) } else { 0.0 };
        2.0 * tanh * tanh / (tanh + share)
    }

    /// Whether Stokes' second order holds, by the number of Ursell.
    fn is_stokes(&self, height: f64, depth: f64) -> bool {
        height * self.length().powi(2) / depth.powi(3) < 8.0 * std::f64::consts::PI.powi(2) / 3.0
    }

    /// Waves that break (Miche 1944) are no waves of a piston.
    fn check(&self, height: f64, table: &WaveTable) -> Result<(), Failure> {
        let most = 0.142 * self.length() * (self.number * table.depth).tanh();
        if height < most {
            return Ok(());
        }
        Err(Failure::Input(format!(
            "--height {height}: waves of this period break at {most:.4} m in this depth"
        )))
    }
}

/// Grows from 0 to 1 in a time, from rest to rest.
fn grown(time: f64, ramp: f64) -> f64 {
    if time >= ramp { 1.0 } else { 0.5 - 0.5 * (0.5 * TAU * time / ramp).cos() }
}

/// Displacement in m of a piston by time.
type Displacement = Box<dyn Fn(f64) -> f64>;

fn regular(wave: Wave, height: f64, order: u32, ramp: f64, depth: f64) -> Displacement {
    let m = wave.transfer(depth);
    let kd = wave.number * depth;
    // Madsen 1971: what leaves out the free second harmonic.
    let second = match order {
        2 if kd < 300.0 => {
            height * height / (32.0 * depth) * (3.0 * kd.cosh() / kd.sinh().powi(3) - 2.0 / m)
        }
        _ => 0.0,
    };
    Box::new(move |time| {
        let phase = wave.frequency * time;
        grown(time, ramp) * (0.5 * height / m * phase.sin() + second * (2.0 * phase).sin())
    })
}

/// Rise of the waves themselves, to Stokes' second order, in which the second harmonic is k a² (3 coth³ kd − coth kd)/4.
fn regular_rise(wave: Wave, height: f64, order: u32, ramp: f64, depth: f64) -> Displacement {
    let (a, coth) = (0.5 * height, 1.0 / (wave.number * depth).tanh());
    let second = match order {
        2 => 0.25 * wave.number * a * a * (3.0 * coth.powi(3) - coth),
        _ => 0.0,
    };
    Box::new(move |time| {
        let phase = wave.frequency * time;
        grown(time, ramp) * (a * phase.sin() - second * (2.0 * phase).cos())
    })
}

/// Rise of Boussinesq's wave, H sech² K (c t − x), which has a thousandth of it at the start.
fn solitary_rise(height: f64, table: &WaveTable) -> Displacement {
    let k = (0.75 * height / table.depth.powi(3)).sqrt();
    let c = (table.gravity * (table.depth + height)).sqrt();
    let begin = -4.2 / (k * c);
    note(&format!("a wave of {c:.3} m/s, whose crest passes after {:.3} s", -begin));
    Box::new(move |time| height / (k * c * (begin + time)).cosh().powi(2))
}

/// ξ = H/(K d) tanh(K (c t − ξ)), K = √(3H/(4d³)), c = √(g (d + H)) (Goring 1979), so that the piston moves as the water
/// under Boussinesq's wave.
fn solitary(height: f64, table: &WaveTable) -> Displacement {
    let d = table.depth;
    let k = (0.75 * height / d.powi(3)).sqrt();
    let c = (table.gravity * (d + height)).sqrt();
    let half = height / (k * d);
    // tanh θ is 0.999 at its start.
    let begin = -(3.8 / k + half) / c;
    let at = move |time: f64| {
        let mut place = half * time.signum();
        for _ in 0..100 {
            let tanh = (k * (c * time - place)).tanh();
            let slope = 1.0 + half * k * (1.0 - tanh * tanh);
            place -= (place - half * tanh) / slope;
        }
        place
    };
    note(&format!("a wave of {:.3} m/s; stroke {:.4} m in {:.3} s", c, 2.0 * half, -2.0 * begin));
    let start = at(begin);
    Box::new(move |time| at(begin + time) - start)
}

/// Waves with their amplitudes in m and phases.
type Sea = Vec<(Wave, f64, f64)>;

/// Waves of the spectrum with the significant height in m, the peak's period in s and its enhancement γ.
fn sea(spectrum: [f64; 3], seed: u64, components: u32, table: &WaveTable) -> Sea {
    let [height, period, gamma] = spectrum;
    let mut random = fastrand::Rng::with_seed(seed);
    let peak = 1.0 / period;
    let (lowest, highest) = (0.5 * peak, 3.0 * peak);
    let width = (highest - lowest) / f64::from(components);
    let mut waves: Sea = (0..components)
        .map(|k| {
            // At random within its share, so that the sea does not repeat itself after 1/width.
            let f = lowest + width * (f64::from(k) + random.f64());
            let sigma = if f <= peak { 0.07 } else { 0.09 };
            let near = (-0.5 * ((f - peak) / (sigma * peak)).powi(2)).exp();
            let density = f.powi(-5) * (-1.25 * (peak / f).powi(4)).exp() * gamma.powf(near);
            (Wave::of(1.0 / f, table), (2.0 * density * width).sqrt(), TAU * random.f64())
        })
        .collect();
    // The variance is a sixteenth of the square of the height.
    let variance: f64 = waves.iter().map(|(_, amplitude, _)| 0.5 * amplitude * amplitude).sum();
    let scale = 0.25 * height / variance.sqrt();
    waves.iter_mut().for_each(|(_, amplitude, _)| *amplitude *= scale);
    waves
}

/// Motion of a piston in water of a depth in m, or the rise of the waves themselves.
fn irregular(sea: Sea, ramp: f64, depth: Option<f64>) -> Displacement {
    Box::new(move |time| {
        let each = |(wave, amplitude, phase): &(Wave, f64, f64)| {
            let share = depth.map_or(1.0, |depth| 1.0 / wave.transfer(depth));
            share * amplitude * (wave.frequency * time + phase).sin()
        };
        grown(time, ramp) * sea.iter().map(each).sum::<f64>()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(depth: f64) -> WaveTable {
        WaveTable {
            depth,
            until: 10.0,
            every: 0.02,
            direction: [1.0, 0.0, 0.0],
            gravity: 9.81,
            rise: false,
            out: None,
        }
    }

    #[test]
    fn waves_have_the_length_of_their_period() {
        for (depth, period) in [(0.3, 1.2), (0.05, 3.0), (10.0, 1.0), (0.3, 0.2)] {
            let wave = Wave::of(period, &table(depth));
            let k = wave.number;
            let error = 9.81 * k * (k * depth).tanh() / wave.frequency.powi(2) - 1.0;
            assert!(error.abs() < 1e-12, "{depth} m, {period} s: {error}");
        }
    }

    #[test]
    fn pistons_displace_what_the_crest_holds() {
        // In shallow water H/S is k d; in deep water 2.
        let long = Wave::of(20.0, &table(0.05));
        assert!((long.transfer(0.05) / (long.number * 0.05) - 1.0).abs() < 1e-3);
        assert!((Wave::of(0.2, &table(5.0)).transfer(5.0) - 2.0).abs() < 1e-9);
        // A solitary wave holds 4/√3 √(H d³), which the piston pushes out of d.
        let motion = solitary(0.1, &table(0.3));
        let volume = 0.3 * motion(20.0);
        let due = 4.0 / 3.0_f64.sqrt() * (0.1 * 0.3_f64.powi(3)).sqrt();
        assert!((volume / due - 1.0).abs() < 2e-3, "{volume} for {due}");
    }

    #[test]
    fn a_piston_moves_as_the_water_under_a_solitary_wave() {
        let (height, depth) = (0.1, 0.3);
        let table = table(depth);
        let motion = solitary(height, &table);
        let c = (9.81_f64 * (depth + height)).sqrt();
        let step = 1e-5;
        let fastest = (1..4000)
            .map(|k| f64::from(k) * 1e-3)
            .map(|t| (motion(t + step) - motion(t - step)) / (2.0 * step))
            .fold(0.0, f64::max);
        // Under the crest c H/(d + H).
        assert!((fastest / (c * height / (depth + height)) - 1.0).abs() < 1e-4, "{fastest}");
    }

    #[test]
    fn a_sea_has_its_height_and_is_the_same_again() {
        let table = table(0.3);
        let waves = sea([0.06, 1.4, 3.3], 7, 128, &table);
        let variance: f64 = waves.iter().map(|(_, a, _)| 0.5 * a * a).sum();
        assert!((4.0 * variance.sqrt() / 0.06 - 1.0).abs() < 1e-12);
        let again = sea([0.06, 1.4, 3.3], 7, 128, &table);
        let other = sea([0.06, 1.4, 3.3], 8, 128, &table);
        assert!(waves.iter().zip(&again).all(|(a, b)| (a.1, a.2) == (b.1, b.2)));
        assert!(waves.iter().zip(&other).any(|(a, b)| a.2 != b.2));
        // Most of it is near the peak.
        let near: f64 = waves
            .iter()
            .filter(|(wave, ..)| (TAU / wave.frequency / 1.4 - 1.0).abs() < 0.25)
            .map(|(_, a, _)| 0.5 * a * a)
            .sum();
        assert!(near > 0.6 * variance, "{}", near / variance);
    }

    #[test]
    fn motions_begin_and_grow_without_a_jump() {
        let table = table(0.3);
        let wave = Wave::of(1.2, &table);
        for motion in [
            regular(wave, 0.08, 2, 1.2, 0.3),
            solitary(0.1, &table),
            irregular(sea([0.06, 1.4, 3.3], 7, 128, &table), 1.4, Some(0.3)),
        ] {
            assert!(motion(0.0).abs() < 1e-12);
            assert!(motion(1e-3).abs() < 2e-5, "{}", motion(1e-3));
        }
    }

    #[test]
    fn a_rise_has_the_height_of_its_waves() {
        let table = table(0.3);
        let wave = Wave::of(1.2, &table);
        let range = |motion: &Displacement, from: u32, to: u32| {
            let all = (from..to).map(|k| motion(f64::from(k) * 1e-3));
            all.fold([f64::MAX, f64::MIN], |[low, high], x| [low.min(x), high.max(x)])
        };
        let [low, high] = range(&regular_rise(wave, 0.05, 2, 1.2, 0.3), 4000, 7000);
        assert!(((high - low) / 0.05 - 1.0).abs() < 2e-3, "{low} to {high}");
        // Crests are higher than troughs are deep.
        assert!(high > 1.1 * -low, "{low} to {high}");
        let [low, high] = range(&solitary_rise(0.1, &table), 0, 5000);
        assert!(low < 1e-4 && (high - 0.1).abs() < 1e-6, "{low} to {high}");
    }
}
