//! Surface tension near the surface: momentum, pressure in drops, contact angles, and a cube that becomes a ball.

use std::f64::consts::{PI, TAU};

use glam::{DMat3, DVec3};
use meniscus::Error;
use meniscus_formats::{LoadOptions, load_scene};
use meniscus_model::{
    Scene,
    geometry::principal_axes,
    scene::{Boundary, Cuboid, Fluid, Packing, Response, Shape, Side, Sphere},
};

use super::{COARSE, Case, Expected, Particle, Plot, Settings, Trial, block, rms, slope};

/// Surface tension of water in N/m, and its density in kg/m³.
pub(super) const SIGMA: f64 = 0.0728;
pub(super) const DENSITY: f64 = 1000.0;

/// `tension.normals` and `tension.weights` of the tension near the surface: by default, and the surface tension paper's, alone and
/// together.
pub(super) const USUAL: Parts = ["gradient", "smooth"];
pub(super) const UNIT: Parts = ["unit", "smooth"];
pub(super) const HARD: Parts = ["gradient", "hard"];
pub(super) const PAPER: Parts = ["unit", "hard"];
pub(super) type Parts = [&'static str; 2];

/// Solvers with and without sound.
pub(super) const BOTH: &[&str] = &["wcsph", "dfsph"];

pub(super) const MOMENTUM: Case = Case {
    name: "tension_momentum",
    title: "Momentum under surface tension",
    about: "A cube of 12³ particles, displaced at random by up to a tenth of the spacing, without gravity or walls. \
            Measured is the largest change of its momentum in any of ten steps, relative to the sum of m |v|.",
    solvers: BOTH,
    run: momentum,
    ..COARSE
};

pub(super) const BALL: Case = Case {
    name: "cube_to_ball",
    title: "A cube becomes a ball",
    about: "A cube of syrup of 0.05 Pa s with an edge of 2 cm (the scene droplet_cube), after 1 s: the sphericity, \
            the least over the largest eigenvalue of the particles' covariance; the extent along the diagonals over that \
            along the edges, √3 at the start; and the radius of a ball with the same moments.",
    solvers: BOTH,
    everyday: &["dfsph"],
    run: ball,
    ..COARSE
};

pub(super) const LAPLACE: Case = Case {
    name: "laplace",
    title: "Pressure in drops at rest",
    about: "Discs of water with radii of 12, 16, 24 and 32 spacings of 0.2 mm, at rest by 0.1 Pa s. The slope of the \
            mean pressure inside, over 1/R, is the surface tension (Young, Laplace). Pressures are means over 30 ms, \
            corrected 100 ms. DFSPH's scatter too much for this.",
    solvers: &["wcsph"],
    plots: &[Plot {
        name: "pressure",
        title: "Pressure in drops at rest",
        x: "1/R in 1/mm",
        y: "pressure in Pa",
        scattered: false,
        expected: &[Expected {
            label: "σ/R",
            points: || vec![(0.15, 0.15e3 * SIGMA), (0.42, 0.42e3 * SIGMA)],
            line: true,
        }],
    }],
    run: |trial| {
        // With the correction they swell at first, and need longer to come to rest.
        let both = [
            (USUAL, false, 0.06, "error of the slope"),
            (USUAL, true, 0.2, "error of the slope, corrected"),
        ];
        // Coarse, two of them without the correction.
        let few = [both[0]];
        let (radii, measures) =
            trial.pick((&[12.0, 24.0][..], &few[..]), (&[12.0, 16.0, 24.0, 32.0][..], &both[..]));
        laplace(trial, 2, radii, measures)
    },
    ..COARSE
};

pub(super) const WETTING: Case = Case {
    name: "contact_angle",
    title: "Contact angles",
    about: "Discs of water in 2-D without gravity, 14 spacings in radius, of 0.05 Pa s, on walls with contact angles \
            of 30 to 150 degrees, after 80 ms. The angle is that of a segment of a circle with the same area and centre \
            of mass. Speed: the root mean square from 60 to 120 degrees, in percent of σ/μ.",
    solvers: BOTH,
    everyday: &["wcsph"],
    run: wetting,
    ..COARSE
};

pub(super) const DRIP: Case = Case {
    name: "drip",
    title: "A drop falls off a needle",
    about: "The scene drip: liquid is pushed through a needle until the drop on it falls. Its volume is compared \
            with 2π r σ f/(ρ g), r being the needle's outer radius of 1.25 mm and f by r/V^⅓ from the table of Harkins \
            and Brown, 1919.",
    solvers: BOTH,
    coarse: false,
    run: drip,
    ..COARSE
};

/// r/V^⅓ of a drop that falls off a tip of radius r, and the share of 2π r σ that it weighs (Harkins, Brown 1919).
const FALLING: [(f64, f64); 5] =
    [(0.3, 0.7256), (0.35, 0.7011), (0.4, 0.6828), (0.45, 0.6669), (0.5, 0.6515)];

/// Scene of one shape with surface tension.
pub(super) fn scene(trial: &Trial<'_>, spacing: f64, dimensions: u32, shape: Shape) -> Scene {
    let mut scene = trial.scene(spacing);
    scene.dimensions = dimensions;
    scene.gravity = [0.0; 3];
    // Five radii.
    scene.support_radius = Some(2.5 * spacing);
    scene.settings.set("tension.model", "near_surface");
    scene.materials[0].surface_tension = SIGMA;
    let packing = Packing::Cubic;
    scene.fluids = vec![Fluid { shape, packing, jitter: 0.1, ..block([0.0; 2], [1.0; 2]) }];
    scene
}

/// Sets normals, weights and `tension.density_correction`.
pub(super) fn set(scene: &mut Scene, [normals, weights]: Parts, corrected: bool) {
    scene.settings.set("tension.normals", normals);
    scene.settings.set("tension.weights", weights);
    scene.settings.set("tension.density_correction", corrected);
}

pub(super) fn cube(edge: f64) -> Shape {
    Shape::Box(Cuboid { min: [-0.5 * edge; 3], max: [0.5 * edge; 3] })
}

fn momentum(trial: &mut Trial<'_>) -> Result<(), Error> {
    for (model, corrected, what) in [
        ("near_surface", false, "near the surface"),
        ("near_surface", true, "near the surface, corrected"),
        ("color_field", false, "by the colour field"),
        ("pairwise", false, "between all particles"),
        ("akinci", false, "of Akinci et al."),
    ] {
        let mut scene = scene(trial, 0.001, 3, cube(0.012));
        scene.settings.set("tension.model", model);
        if corrected {
            scene.settings.set("tension.density_correction", true);
        }
        // A frame is a step, so that each step is measured.
        scene.time.step = Some(5e-5);
        scene.time.fps = 20_000.0;
        let mut water = trial.start(&scene, "edge/12")?;
        let mut worst = 0.0_f64;
        let mut before: Option<DVec3> = None;
        for step in 0..15 {
            water.next_frame()?;
            let state = water.state()?;
            let after: DVec3 = state.iter().map(|p| p.velocity).sum();
            let size: f64 = state.iter().map(|p| p.velocity.length()).sum();
            // The first steps begin at rest.
            if let Some(before) = before.filter(|_| step >= 5) {
                worst = worst.max((after - before).length() / size);
            }
            before = Some(after);
        }
        trial.outcome.measure(what, 1e6 * worst);
    }
    Ok(())
}

pub(super) const LAPLACE_3D: Case = Case {
    name: "laplace_3d",
    title: "Pressure in balls at rest",
    about: "The same of balls with radii of 8, 10, 12 and 16 spacings, whose slope is 2σ. Means are over 10 ms.",
    coarse: false,
    plots: &[Plot {
        name: "pressure",
        title: "Pressure in balls at rest",
        x: "1/R in 1/mm",
        y: "pressure in Pa",
        scattered: false,
        expected: &[Expected {
            label: "2σ/R",
            points: || vec![(0.31, 0.62e3 * SIGMA), (0.63, 1.26e3 * SIGMA)],
            line: true,
        }],
    }],
    run: |trial| {
        let all = [
            (USUAL, false, 0.02, "error of the slope"),
            (USUAL, true, 0.02, "error of the slope, corrected"),
            (UNIT, false, 0.02, "error of the slope, unit normals"),
            (HARD, false, 0.02, "error of the slope, hard weights"),
            (PAPER, false, 0.02, "error of the slope, unit and hard"),
        ];
        laplace(trial, 3, &[8.0, 10.0, 12.0, 16.0], &all)
    },
    ..LAPLACE
};

/// With discs or balls of these radii in spacings: normals and weights, without or with the density correction, means over the
/// second half of so many s, and the measure's name.
fn laplace(
    trial: &mut Trial<'_>,
    dimensions: u32,
    radii: &[f64],
    measures: &[(Parts, bool, f64, &'static str)],
) -> Result<(), Error> {
    for (parts, corrected, end, what) in measures {
        let points = pressures(trial, dimensions, radii, *end, (*parts, *corrected))?;
        let sigma = 1e-3 * slope(&points) / f64::from(dimensions - 1);
        let error = 100.0 * (sigma / SIGMA - 1.0).abs();
        trial.outcome.measure(what, error);
        println!("{what}: {:.3} σ", sigma / SIGMA);
        if *corrected {
            trial.outcome.dashed_curve("pressure", points);
        } else if *parts == USUAL {
            trial.outcome.curve("pressure", points);
        }
    }
    trial.outcome.resolution = format!("R of {} to {} spacings", radii[0], radii[radii.len() - 1]);
    Ok(())
}

/// 1/R in 1/mm and the mean pressure in Pa of discs or balls, largest first.
fn pressures(
    trial: &mut Trial<'_>,
    dimensions: u32,
    radii: &[f64],
    end: f64,
    (parts, corrected): (Parts, bool),
) -> Result<Vec<(f64, f64)>, Error> {
    let spacing = 2e-4;
    let progress = trial.progress;
    let mut points = Vec::new();
    for (number, across) in radii.iter().enumerate() {
        let shape = Shape::Sphere(Sphere { center: [0.0; 3], radius: (across + 0.5) * spacing });
        let mut scene = scene(trial, spacing, dimensions, shape);
        set(&mut scene, parts, corrected);
        scene.materials[0].viscosity = Some(0.1);
        // Drops with sound ring: a mean needs many moments of a period of a millisecond.
        scene.time.fps = 5000.0;
        let mut drop = trial.start(&scene, "")?;
        let (mut sum, mut count) = (0.0, 0.0);
        while drop.time() < end - 1e-9 {
            drop.next_frame()?;
            progress((number as f64 + drop.time() / end) / radii.len() as f64);
            if drop.time() < 0.5 * end {
                continue;
            }
            let state = drop.state()?;
            let center = state.iter().map(|p| p.position).sum::<DVec3>() / state.len() as f64;
            let radius = radius_of(state.len(), spacing, dimensions);
            let deep =
                state.iter().filter(|p| p.position.distance(center) < radius - 5.0 * spacing);
            for particle in deep {
                sum += particle.pressure;
                count += 1.0;
            }
        }
        let radius = radius_of(drop.state()?.len(), spacing, dimensions);
        points.push((1e-3 / radius, sum / count));
    }
    points.reverse();
    Ok(points)
}

/// Radius in m of a disc or ball of so many particles.
pub(super) fn radius_of(count: usize, spacing: f64, dimensions: u32) -> f64 {
    let volume = count as f64 * spacing.powi(dimensions as i32);
    match dimensions {
        2 => (volume / PI).sqrt(),
        _ => (0.75 * volume / PI).cbrt(),
    }
}

fn wetting(trial: &mut Trial<'_>) -> Result<(), Error> {
    // Coarse drops are larger, and settle in fewer steps.
    let (spacing, across, viscosity) = trial.pick((4e-4, 8.0, 0.15), (1e-4, 14.0, 0.05));
    let progress = trial.progress;
    let (mut worst, mut sum) = (0.0_f64, 0.0);
    let drops = [
        (60.0, false, "error at 60°"),
        (90.0, false, "error at 90°"),
        (120.0, false, "error at 120°"),
        (30.0, false, "error at 30°"),
        (45.0, false, "error at 45°"),
        (135.0, false, "error at 135°"),
        (150.0, false, "error at 150°"),
        (60.0, true, "error at 60°, corrected"),
        (90.0, true, "error at 90°, corrected"),
        (120.0, true, "error at 120°, corrected"),
    ];
    let count = match (trial.run, trial.solver) {
        (Settings::Fine, "wcsph") => drops.len(),
        _ => 3,
    };
    for (number, (angle, corrected, what)) in drops.into_iter().take(count).enumerate() {
        let radius = (across + 0.5) * spacing;
        let shape = Shape::Sphere(Sphere { center: [0.0, radius, 0.0], radius });
        let mut scene = scene(trial, spacing, 2, shape);
        scene.settings.set("tension.density_correction", corrected);
        scene.materials[0].viscosity = Some(viscosity);
        scene.time.fps = 50.0;
        let wide = 4.0 * across * spacing;
        let plate = Cuboid { min: [-wide, -4.0 * spacing, -1.0], max: [wide, 0.0, 1.0] };
        let response = Some(Response::Particles { friction: 0.0, no_slip: false });
        let side = Side::Outside;
        let wall = trial.wall(Shape::Box(plate));
        scene.boundaries = vec![Boundary { side, response, contact_angle: Some(angle), ..wall }];
        let mut drop = trial.start(&scene, "")?;
        let end = 0.08;
        while drop.time() < end - 1e-9 {
            drop.next_frame()?;
            progress((number as f64 + drop.time() / end) / count as f64);
        }
        let state = drop.state()?;
        let n = state.len() as f64;
        let height = state.iter().map(|p| p.position.y).sum::<f64>() / n;
        let found = angle_of(height, n * spacing * spacing).to_degrees();
        let error = (found - angle).abs();
        sum += error;
        // Single angles of coarse drops are right or wrong by chance.
        if trial.run == Settings::Fine {
            trial.outcome.measure(what, error);
        }
        println!("{what}: {found:.1}°");
        if (60.0..=120.0).contains(&angle) {
            worst = worst.max(rms(state.iter().map(|p| p.velocity.length())));
        }
    }
    trial.outcome.resolution = format!("R/{across}");
    if trial.run == Settings::Fine {
        trial.outcome.measure("speed", 100.0 * worst * viscosity / SIGMA);
    } else {
        trial.outcome.measure("mean error", sum / count as f64);
    }
    Ok(())
}

fn drip(trial: &mut Trial<'_>) -> Result<(), Error> {
    // Outer radius of needle.obj.
    const RADIUS: f64 = 0.00125;
    let mut scene = load_scene("drip", &LoadOptions::default()).expect("a bundled scene").scene;
    scene.solver = trial.solver.into();
    let (spacing, end) = (scene.spacing(), scene.time.until);
    let progress = trial.progress;
    let mut drop = trial.start(&scene, "r/5")?;
    while drop.time() < end - 1e-9 {
        drop.next_frame()?;
        progress(drop.time() / end);
    }
    // What hangs on the needle ends at 2 mm below it, what has fallen lies on the plate at 11.5 mm.
    let fallen = drop.state()?.iter().filter(|p| p.position.y < -0.006).count();
    let volume = fallen as f64 * spacing.powi(3);
    let liquid = &scene.materials[0];
    let whole = TAU * RADIUS * liquid.surface_tension / (liquid.rest_density * 9.81);
    let expected = falling_volume(RADIUS, whole);
    println!("{:.1} mm³ have fallen, expected {:.1}", 1e9 * volume, 1e9 * expected);
    trial.outcome.measure("volume", 100.0 * (volume / expected - 1.0).abs());
    Ok(())
}

/// Volume V in m³ = `whole` · f(r/V^⅓) of a drop that falls off a tip of this radius.
fn falling_volume(radius: f64, whole: f64) -> f64 {
    let share = |ratio: f64| {
        let k = FALLING.partition_point(|(x, _)| *x < ratio).clamp(1, FALLING.len() - 1);
        let ((x0, y0), (x1, y1)) = (FALLING[k - 1], FALLING[k]);
        y0 + (ratio - x0) / (x1 - x0) * (y1 - y0)
    };
    let mut volume = 0.65 * whole;
    for _ in 0..50 {
        volume = whole * share(radius / volume.cbrt());
    }
    volume
}

/// Angle at which a segment of a circle of this area meets a line, by the height of its centre of mass above it.
fn angle_of(height: f64, area: f64) -> f64 {
    let center = |angle: f64| {
        let (sin, cos) = angle.sin_cos();
        let radius = (area / (angle - sin * cos)).sqrt();
        2.0 * (radius * sin).powi(3) / (3.0 * area) - radius * cos
    };
    let (mut low, mut high) = (0.01, PI - 0.01);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if center(middle) < height {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

fn ball(trial: &mut Trial<'_>) -> Result<(), Error> {
    rounded(trial, false, ["1 − sphericity", "diagonals over edges", "radius"])?;
    if trial.run == Settings::Fine {
        let corrected =
            ["1 − sphericity, corrected", "diagonals over edges, corrected", "radius, corrected"];
        rounded(trial, true, corrected)?;
    }
    Ok(())
}

/// Measures a cube after 1 s, without or with the density correction.
fn rounded(
    trial: &mut Trial<'_>,
    corrected: bool,
    [round, extents, size]: [&'static str; 3],
) -> Result<(), Error> {
    const EDGE: f64 = 0.02;
    let spacing = EDGE / trial.pick(10.0, 16.0);
    let mut scene = scene(trial, spacing, 3, cube(EDGE));
    scene.settings.set("tension.density_correction", corrected);
    scene.fluids[0].jitter = 0.0;
    scene.materials[0].viscosity = Some(0.05);
    scene.time.fps = 2.0;
    let resolution = trial.pick("edge/10", "edge/16");
    let mut water = trial.start(&scene, resolution)?;
    for _ in 0..2 {
        water.next_frame()?;
    }
    let state = water.state()?;
    let count = state.len() as f64;
    let center = state.iter().map(|p| p.position).sum::<DVec3>() / count;
    let places: Vec<_> = state.iter().map(|p| p.position - center).collect();
    let outer = |x: &DVec3| DMat3::from_cols(*x * x.x, *x * x.y, *x * x.z);
    let covariance = places.iter().fold(DMat3::ZERO, |sum, x| sum + outer(x));
    let variances = principal_axes(covariance).0 / count;
    // Σ r²/N = 3/5 R².
    let radius = (5.0 / 3.0 * (variances.x + variances.y + variances.z)).sqrt();
    let expected = EDGE * (3.0 / (4.0 * PI)).cbrt();
    let outcome = &mut trial.outcome;
    let unround = 1.0 - variances.min_element() / variances.max_element();
    outcome.measure(round, 100.0 * unround);
    let ratio = diagonals_over_edges(&state);
    outcome.measure(extents, 100.0 * (ratio - 1.0).abs());
    outcome.measure(size, 100.0 * (radius / expected - 1.0).abs());
    Ok(())
}

/// Extent along the four diagonals of a cube over that along its edges, in the mean.
pub(super) fn diagonals_over_edges(state: &[Particle]) -> f64 {
    let extent = |axis: DVec3| {
        let along = || state.iter().map(|p| p.position.dot(axis.normalize()));
        along().fold(f64::MIN, f64::max) - along().fold(f64::MAX, f64::min)
    };
    let diagonals = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
    let diagonal: f64 = diagonals.map(|(x, y)| extent(DVec3::new(x, y, 1.0))).iter().sum();
    let edge: f64 = DMat3::IDENTITY.to_cols_array_2d().map(|axis| extent(axis.into())).iter().sum();
    (diagonal / 4.0) / (edge / 3.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_volume_that_falls_solves_its_equation() {
        let (radius, whole) = (0.00125, 4.374e-8);
        let volume = falling_volume(radius, whole);
        assert!((radius / volume.cbrt() - 0.403).abs() < 1e-3, "{volume} m³");
        assert!((volume / whole - 0.682).abs() < 1e-3, "{volume} m³");
    }

    #[test]
    fn half_a_disc_meets_the_line_at_a_right_angle() {
        // 4R/(3π) is the centre of mass of half a disc.
        let found = angle_of(4.0 / (3.0 * PI), 0.5 * PI);
        assert!((found - 0.5 * PI).abs() < 1e-9, "{found}");
    }
}
