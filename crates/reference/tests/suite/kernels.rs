//! Kernels compared with values of M (20)–(22), computed apart from this code, by quadrature and by finite differences.

use std::f64::consts::PI;

use glam::DVec3;
use meniscus_reference::kernels::Kernels;

use crate::fixture::{Random, assert_close};

/// Values for h = 1 of the closed forms, M (20)–(22) with the factors of each dimension and in 2-D the viscosity kernel
/// with ∇²W = 40/π (1 − r): kernel, dimension, q, W, dW/dr, ∇²W.
const TABLE: &str = "
poly6 3 0.00 1.5666814711 0.0000000000 -28.2002664791
poly6 3 0.25 1.2909057531 -2.0654492050 -22.5822446415
poly6 3 0.50 0.6609437456 -2.6437749824 -8.8125832747
poly6 3 0.75 0.1311942736 -1.3494268139 3.8555051827
poly6 3 0.90 0.0107458682 -0.3054088860 4.7686650616
poly6 2 0.00 1.2732395447 0.0000000000 -15.2788745368
poly6 2 0.25 1.0491170565 -1.6785872904 -11.6382052136
poly6 2 0.50 0.5371479329 -2.1485917317 -2.8647889757
poly6 2 0.75 0.1066213779 -1.0966770297 4.5955989818
poly6 2 0.90 0.0087331500 -0.2482053169 4.1512702117
spiky 3 0.25 2.0143047485 -8.0572189940 -42.9718346348
spiky 3 0.50 0.5968310366 -3.5809862196 0.0000000000
spiky 3 0.75 0.0746038796 -0.8952465549 4.7746482928
spiky 3 0.90 0.0047746483 -0.1432394488 2.5464790895
spiky 2 0.25 1.3428698323 -5.3714793294 -7.1619724391
spiky 2 0.50 0.3978873577 -2.3873241464 4.7746482928
spiky 2 0.75 0.0497359197 -0.5968310366 3.9788735773
spiky 2 0.90 0.0031830989 -0.0954929659 1.8037560217
visc 3 0.25 2.5178809356 -18.1287427366 10.7429586587
visc 3 0.50 0.4476232774 -3.2825707013 7.1619724391
visc 3 0.75 0.0435189298 -0.5553844368 3.5809862196
visc 3 0.90 0.0025199533 -0.0770722548 1.4323944878
visc 2 0.25 1.3502585711 -7.1619724391 9.5492965855
visc 2 0.50 0.3214516342 -2.1220659079 6.3661977237
visc 2 0.75 0.0357541349 -0.4420970641 3.1830988618
visc 2 0.90 0.0021797486 -0.0660198282 1.2732395447
";

/// Values for h = 0.1, r = 0.05: kernel, dimension, r, W, dW/dr, ∇²W; the 2-D Laplacians are those of `TABLE` times h⁻⁴.
const SCALED: &str = "
poly6 3 0.05 660.9437456 -26437.74982 -881258.3275
spiky 3 0.05 596.8310366 -35809.8622 0
visc 3 0.05 447.6232774 -32825.70701 716197.2439
poly6 2 0.05 53.71479329 -2148.591732 -28647.889757
spiky 2 0.05 39.78873577 -2387.324146 47746.482928
";

type Radial = Box<dyn Fn(f64) -> f64>;

fn difference(f: impl Fn(f64) -> f64, r: f64, step: f64) -> f64 {
    (f(r + step) - f(r - step)) / (2.0 * step)
}

/// W, dW/dr and ∇²W of a kernel, by finite differences where the reference has no function.
fn kernel(name: &str, h: f64, dimensions: u32) -> [Radial; 3] {
    let k = Kernels::new(h, dimensions);
    let step = 1e-5 * h;
    match name {
        "poly6" => [
            Box::new(move |r| k.poly6(r)),
            Box::new(move |r| k.poly6_gradient(DVec3::X * r).x),
            Box::new(move |r| k.poly6_laplacian(r)),
        ],
        "spiky" => {
            let slope = move |r: f64| k.spiky_gradient(DVec3::X * r).x;
            let d = f64::from(dimensions);
            let laplacian = move |r| difference(slope, r, step) + (d - 1.0) / r * slope(r);
            [Box::new(move |r| k.spiky(r)), Box::new(slope), Box::new(laplacian)]
        }
        _ => [
            Box::new(move |r| k.viscosity(r)),
            Box::new(move |r| difference(|r| k.viscosity(r), r, step)),
            Box::new(move |r| k.viscosity_laplacian(r)),
        ],
    }
}

fn compare(table: &str, h: f64) {
    let mut rows = 0;
    for row in table.lines().filter(|row| !row.is_empty()) {
        let fields: Vec<&str> = row.split(' ').collect();
        let number = |k: usize| fields[k].parse::<f64>().unwrap();
        let functions = kernel(fields[0], h, number(1) as u32);
        for (k, function) in functions.iter().enumerate() {
            let differenced = matches!((fields[0], k), ("spiky", 2) | ("visc", 1));
            let tolerance = if differenced { 1e-7 } else { 2e-10 };
            // Zeros of the table are relative to its large numbers.
            let scale = number(3) / (h * h).powi(if k == 2 { 1 } else { 0 });
            let error = (function(number(2)) - number(3 + k)).abs();
            let allowed = tolerance * number(3 + k).abs().max(scale.abs()).max(1.0);
            assert!(error < allowed, "{row}: column {k} is {}", function(number(2)));
        }
        rows += 1;
    }
    assert!(rows >= 5);
}

#[test]
fn kernels_match_the_tables() {
    compare(TABLE, 1.0);
    compare(SCALED, 0.1);
}

#[test]
fn kernels_integrate_to_one() {
    let h = 0.0125;
    for dimensions in [2, 3] {
        for name in ["poly6", "spiky", "visc"] {
            let [w, _, _] = kernel(name, h, dimensions);
            let n = 100_000;
            let dr = h / f64::from(n);
            let integral: f64 = (0..n)
                .map(|k| {
                    let r = (f64::from(k) + 0.5) * dr;
                    let shell = if dimensions == 2 { 2.0 * PI * r } else { 4.0 * PI * r * r };
                    w(r) * shell * dr
                })
                .sum();
            assert_close(integral, 1.0, 1e-8);
        }
    }
}

#[test]
fn gradients_are_those_of_the_values() {
    let h = 0.7;
    let step = 1e-6;
    let mut random = Random::new(1);
    for dimensions in [2, 3] {
        let k = Kernels::new(h, dimensions);
        for _ in 0..100 {
            let r = random.vector(0.4, dimensions);
            if r.length() < 0.05 {
                continue;
            }
            for axis in 0..dimensions as usize {
                let e = DVec3::AXES[axis];
                let along =
                    |w: &dyn Fn(f64) -> f64| difference(|s| w((r + s * e).length()), 0.0, step);
                assert_close(k.poly6_gradient(r)[axis], along(&|r| k.poly6(r)), 1e-6);
                assert_close(k.spiky_gradient(r)[axis], along(&|r| k.spiky(r)), 1e-6);
            }
        }
    }
}

#[test]
fn laplacians_are_those_of_the_values() {
    let (h, step) = (1.0, 1e-4);
    for dimensions in [2, 3] {
        let k = Kernels::new(h, dimensions);
        let laplacian = |w: &dyn Fn(f64) -> f64, r: f64| {
            let second = (w(r + step) - 2.0 * w(r) + w(r - step)) / (step * step);
            second + f64::from(dimensions - 1) / r * difference(w, r, step)
        };
        for r in [0.2, 0.35, 0.5, 0.65, 0.8, 0.95] {
            assert_close(k.poly6_laplacian(r), laplacian(&|r| k.poly6(r), r), 1e-5);
            assert_close(k.viscosity_laplacian(r), laplacian(&|r| k.viscosity(r), r), 1e-4);
        }
    }
}

#[test]
fn kernels_end_at_the_support_and_have_no_direction_at_zero() {
    for dimensions in [2, 3] {
        let k = Kernels::new(1.0, dimensions);
        for r in [1.0, 1.0001, 7.0] {
            let scalars = [k.poly6(r), k.spiky(r), k.viscosity(r)];
            assert_eq!(scalars, [0.0; 3]);
            assert_eq!([k.poly6_laplacian(r), k.viscosity_laplacian(r)], [0.0; 2]);
            assert_eq!(k.poly6_gradient(DVec3::Y * r), DVec3::ZERO);
            assert_eq!(k.spiky_gradient(DVec3::Y * r), DVec3::ZERO);
        }
        assert_eq!(k.spiky_gradient(DVec3::ZERO), DVec3::ZERO);
        assert_eq!(k.spiky_gradient(DVec3::X * 0.9e-6), DVec3::ZERO);
        assert!(k.spiky_gradient(DVec3::X * 1.1e-6).x < -9.0);
    }
}
