//! Singular values and return mappings against f64 and published numbers.

use std::{
    f64::consts::{SQRT_2, TAU},
    iter,
};

use conformance::{
    device::{Flavour, block_on, gpu},
    random::Random,
    scenes::{parse, state},
};
use glam::{DMat3, DQuat, DVec3, DVec4};
use meniscus::{Gpu, Shaders, Simulation};
use meniscus_reference::{Singular, singular};

use super::{Rows, by_id, elements, matrix, norm, rows};

/// What a particle has after a step.
struct After {
    affine: Rows,
    deformation: Rows,
    stress: [[f32; 4]; 2],
}

impl After {
    /// F.
    fn f(&self) -> DMat3 {
        DMat3::IDENTITY + matrix(&self.deformation)
    }

    /// τ in Pa.
    fn tau(&self) -> DMat3 {
        let [[xx, yy, zz, _], [yz, xz, xy, _]] = self.stress.map(|row| row.map(f64::from));
        DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz])
    }
}

/// A step at rest, which changes F by nothing but the material's return mapping, of particles that have `given` in
/// their deformation.
fn deformed(
    gpu: &Gpu,
    shaders: &Shaders,
    dimensions: u32,
    material: &str,
    given: &[Rows],
) -> Vec<After> {
    let edge = (given.len() as f64).powf(1.0 / f64::from(dimensions)).ceil();
    let scene = parse(&format!(
        r#"
solver = "mls_mpm"
dimensions = {dimensions}
particle_radius = 0.5
gravity = [0.0, 0.0, 0.0]
[[material]]
name = "matter"
{material}
[[fluid]]
shape.box = {{ min = [0.0, 0.0, 0.0], max = [{edge}, {edge}, {edge}] }}
"#
    ));
    let simulation = block_on(gpu, Simulation::with_shaders(gpu, &scene, shaders));
    let mut simulation = simulation.unwrap_or_else(|error| panic!("{error}"));
    let before = state(gpu, &simulation);
    let mut all = vec![Rows::default(); before.particle_count()];
    assert!(all.len() >= given.len());
    for (slot, rows) in by_id(&before).into_iter().zip(given) {
        all[slot] = *rows;
    }
    simulation.machine().write("deformation", bytemuck::cast_slice(&all)).expect("room");
    block_on(gpu, simulation.step(1)).unwrap_or_else(|error| panic!("{error}"));
    let after = state(gpu, &simulation);
    assert_eq!(after.particle_count(), all.len(), "none is lost");
    let (affine, deformation) = (elements(&after, "affine"), elements(&after, "deformation"));
    let stress = elements(&after, "stress");
    let of = |i: usize| After { affine: affine[i], deformation: deformation[i], stress: stress[i] };
    by_id(&after).into_iter().take(given.len()).map(of).collect()
}

/// Instead of the deformation: U with Σ in w, and V.
const SVD: &str = "//!include common/control
//!include common/svd
//!materials
//!read sorted_deformation
//!write deformation affine
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (!has_particle(i)) { return; }
    let rows = sorted_deformation[i];
    let s = svd(transpose(mat3x3<f32>(rows[0].xyz, rows[1].xyz, rows[2].xyz)));
    let u = transpose(s.u);
    let v = transpose(s.v);
    deformation[i] = array<vec4<f32>, 3>(
        vec4<f32>(u[0], s.sigma.x), vec4<f32>(u[1], s.sigma.y), vec4<f32>(u[2], s.sigma.z));
    affine[i] = array<vec4<f32>, 3>(vec4<f32>(v[0], 0.0), vec4<f32>(v[1], 0.0), vec4<f32>(v[2], 0.0));
}
";

/// Random matrices; in 2-D with the third axis apart.
struct Matrices {
    random: Random,
    dimensions: u32,
}

impl Matrices {
    /// Nearly a normal distribution, with a variance of 1.
    fn normal(&mut self) -> f64 {
        (0..3).map(|_| self.random.signed()).sum()
    }

    fn any(&mut self) -> DMat3 {
        let mut m = DMat3::from_cols_array(&[(); 9].map(|()| self.normal()));
        if self.dimensions == 2 {
            (m.x_axis.z, m.y_axis.z, m.z_axis) = (0.0, 0.0, DVec3::Z);
        }
        m
    }

    fn rotation(&mut self) -> DMat3 {
        if self.dimensions == 2 {
            return DMat3::from_rotation_z(0.5 * TAU * self.random.signed());
        }
        let q = DVec4::from_array([(); 4].map(|()| self.normal()));
        DMat3::from_quat(DQuat::from_vec4(q.normalize()))
    }

    /// A matrix with these singular values, of which 2-D has the first and the last.
    fn with(&mut self, [a, b, c]: [f64; 3]) -> DMat3 {
        let sigma = if self.dimensions == 2 { [a, c, 1.0] } else { [a, b, c] };
        self.rotation() * DMat3::from_diagonal(sigma.into()) * self.rotation().transpose()
    }

    /// A number between 0 and 1.
    fn share(&mut self) -> f64 {
        0.5 + 0.5 * self.random.signed()
    }

    fn of(&mut self, class: &str) -> DMat3 {
        let [a, b, c] = [(); 3].map(|()| self.share());
        match class {
            "near rotations" => {
                self.rotation() * (DMat3::IDENTITY + 1e-3 * (self.any() - DMat3::IDENTITY))
            }
            "normally distributed" => self.any(),
            "condition 10³" => self.with([1.0, 1e-3f64.powf(b), 1e-3]),
            "condition 10⁶" => self.with([1.0, 1e-6f64.powf(b), 1e-6]),
            "equal values" => self.with([a + 0.1, a + 0.1, if b < 0.5 { a + 0.1 } else { a * c }]),
            "inverted" => self.with([a + 0.5, 0.5 * b + 0.4, -0.4 * c]),
            "rank 1" => self.with([a + 0.1, 0.0, 0.0]),
            "of snow" => self.with([a, b, c].map(|x| 0.9 + 0.2 * x)),
            _ => self.with([0.0; 3]),
        }
    }
}

const CLASSES: [&str; 9] = [
    "near rotations",
    "normally distributed",
    "condition 10³",
    "condition 10⁶",
    "equal values",
    "inverted",
    "rank 1",
    "of snow",
    "zero",
];

/// Matrices of each class.
const MANY: usize = 20_000;

/// The plane's block, or all.
fn block(m: DMat3, dimensions: u32) -> DMat3 {
    if dimensions == 3 {
        m
    } else {
        DMat3::from_cols(m.x_axis.with_z(0.0), m.y_axis.with_z(0.0), DVec3::ZERO)
    }
}

/// Errors for a message.
fn list(errors: &[f64]) -> String {
    errors.iter().map(|error| format!(" {error:.1e}")).collect()
}

/// R = U Vᵀ of a decomposition in f64.
fn polar(f: DMat3, dimensions: u32) -> (DMat3, Singular) {
    let s = singular(f, dimensions);
    let [u, v] = [s.u, s.v].map(|[x, y, z]| DMat3::from_cols(x, y, z));
    (u * v.transpose(), s)
}

/// Singular values of 20,000 matrices of each class.
#[test]
fn singular_values_are_those_of_f64() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut shaders = Shaders::standard();
    shaders.insert("mpm/deform", SVD);
    for dimensions in [2, 3] {
        let mut matrices = Matrices { random: Random::new(18), dimensions };
        let given: Vec<Rows> = CLASSES
            .iter()
            .flat_map(|class| iter::repeat_n(*class, MANY))
            .map(|class| rows(matrices.of(class)))
            .collect();
        let found = deformed(gpu, &shaders, dimensions, "model = \"jelly\"", &given);
        for (number, class) in CLASSES.iter().enumerate() {
            let mut worst = [0.0f64; 5];
            for (given, found) in given.iter().zip(&found).skip(number * MANY).take(MANY) {
                let (f, u, v) = (matrix(given), matrix(&found.deformation), matrix(&found.affine));
                let sigma = found.deformation.map(|row| f64::from(row[3]));
                let (rotation, exact) = polar(f, dimensions);
                let size = norm(block(f, dimensions));
                let relative = |error: f64| error / size.max(1e-30);
                let apart = |m: DMat3| norm(m.transpose() * m - DMat3::IDENTITY);
                let own = u * DMat3::from_diagonal(sigma.into()) * v.transpose();
                let last = dimensions as usize - 1;
                let values = (0..=last).map(|k| (sigma[k] - exact.sigma[k]).abs());
                // Where the smallest values nearly cancel, R is not determined.
                let steep = exact.sigma[last - 1] + exact.sigma[last] > 0.1 * size;
                let turned =
                    if steep && size > 0.0 { norm(u * v.transpose() - rotation) } else { 0.0 };
                let errors = [
                    relative(norm(own - f)),
                    apart(u).max(apart(v)),
                    relative(values.fold(0.0, f64::max)),
                    turned,
                    (u.determinant() - 1.0).abs().max((v.determinant() - 1.0).abs()),
                ];
                assert!(errors.iter().all(|error| error.is_finite()), "{class}: {f}");
                let ordered =
                    sigma[..=last].windows(2).all(|pair| pair[0] >= pair[1].abs() - 1e-6 * size);
                assert!(ordered, "{class}: {sigma:?}");
                worst = [0, 1, 2, 3, 4].map(|k| worst[k].max(errors[k]));
            }
            println!("{dimensions}-D, {class}: {}", list(&worst));
            let bounds = [2e-6, 3e-6, 1e-6, 3e-6, 3e-6];
            let good = worst.iter().zip(bounds).all(|(worst, bound)| *worst < bound);
            assert!(good, "{dimensions}-D, {class}: {}", list(&worst));
        }
    }
}

/// λ and μ in Pa of Young's modulus and Poisson's ratio.
fn lame(youngs_modulus: f64, poisson_ratio: f64) -> (f64, f64) {
    let (e, nu) = (youngs_modulus, poisson_ratio);
    (e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), e / (2.0 * (1.0 + nu)))
}

/// Jelly's stress by its formula with matrices, 2μ (F − R) Fᵀ + λ J (J − 1), also inside out.
#[test]
fn jelly_has_the_stress_of_its_formula() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let material = "model = \"jelly\"\nyoungs_modulus = 1.0\npoisson_ratio = 0.3";
    let (lambda, shear) = lame(1.0, 0.3);
    for dimensions in [2, 3] {
        let mut matrices = Matrices { random: Random::new(5), dimensions };
        for class in ["near rotations", "equal values", "inverted", "of snow"] {
            let given: Vec<DMat3> = (0..500).map(|_| matrices.of(class)).collect();
            let less: Vec<Rows> = given.iter().map(|f| rows(*f - DMat3::IDENTITY)).collect();
            let found = deformed(gpu, &Shaders::standard(), dimensions, material, &less);
            let mut worst = 0.0f64;
            for (less, found) in less.iter().zip(&found) {
                let f = DMat3::IDENTITY + matrix(less);
                assert_eq!(rows(found.f() - DMat3::IDENTITY), *less, "it stays as it is");
                let (rotation, s) = polar(f, dimensions);
                let last = dimensions as usize - 1;
                if s.sigma[last - 1] + s.sigma[last] < 0.1 * norm(f) {
                    continue;
                }
                let j = f.determinant();
                let tau = 2.0 * shear * (f - rotation) * f.transpose()
                    + lambda * j * (j - 1.0) * DMat3::IDENTITY;
                worst = worst.max(norm(found.tau() - tau) / norm(f) / norm(f).max(1.0));
            }
            println!("{dimensions}-D, {class}: {worst:.1e}");
            assert!(worst < 1e-6, "{dimensions}-D, {class}: {worst:e}");
        }
    }
}

/// Snow of F = diag(0.9, 1, 1) (Stomakhin et al. 2013): σ is clamped to 1 − 0.025, so `J_p` = 0.9/0.975 = 0.923077, and moduli
/// are e^(10 (1 − `J_p`)) = 2.15811 times as large.
#[test]
fn snow_hardens_as_stomakhin_s_formula_says() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let given = [rows(DMat3::from_diagonal(DVec3::new(-0.1, 0.0, 0.0)))];
    let (lambda, shear) = lame(1.4e5, 0.2);
    for dimensions in [2, 3] {
        let found = deformed(gpu, &Shaders::standard(), dimensions, "model = \"snow\"", &given);
        let (f, tau) = (found[0].f(), found[0].tau());
        let j_p = 1.0 + f64::from(found[0].deformation[0][3]);
        let h = [
            tau.x_axis.x / (2.0 * shear * -0.025 * 0.975 + lambda * 0.975 * -0.025),
            tau.y_axis.y / (lambda * 0.975 * -0.025),
        ];
        println!("{dimensions}-D: F {f}, J_p {j_p}, h {h:?}");
        assert!(norm(f - DMat3::from_diagonal(DVec3::new(0.975, 1.0, 1.0))) < 1e-6, "F is {f}");
        assert!((j_p - 0.923_077).abs() < 1e-6, "J_p is {j_p}");
        let exact = (10.0 * (1.0 - 0.9 / 0.975_f64)).exp();
        assert!(h.iter().all(|h| (h / exact - 1.0).abs() < 1e-6), "h is {h:?}, not {exact}");
    }
}

const SAND: &str =
    "model = \"sand\"\nyoungs_modulus = 1e6\npoisson_ratio = 0.3\nfriction_angle = 30.0";

/// Sand that yields has |dev τ| = −α tr τ (Klár et al. 2016) with Drucker and Prager's α of 30°, in 3-D √(2/3) 2 sin φ/(3 − sin
/// φ) = 0.326599 and in plane strain sin φ/√2 = 0.353553; sand that does not has the stress of Hencky's elasticity, and sand that is
/// stretched none: only its rotation is left, and it remembers by how much it has grown.
#[test]
fn sand_yields_on_its_cone() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let (lambda, shear) = lame(1e6, 0.3);
    for (dimensions, alpha) in [(2, 0.5 / SQRT_2), (3, (2.0f64 / 3.0).sqrt() * 2.0 * 0.5 / 2.5)] {
        let d = f64::from(dimensions);
        let mut matrices = Matrices { random: Random::new(20), dimensions };
        let given: Vec<DMat3> = (0..3000)
            .map(|_| {
                let sigma = [(); 3].map(|()| 0.6 + 0.6 * matrices.share());
                matrices.with(sigma)
            })
            .collect();
        let less: Vec<Rows> = given.iter().map(|f| rows(*f - DMat3::IDENTITY)).collect();
        let found = deformed(gpu, &Shaders::standard(), dimensions, SAND, &less);
        let mut met = [0; 3];
        let mut worst = [0.0f64; 3];
        for (less, found) in less.iter().zip(&found) {
            let s = singular(DMat3::IDENTITY + matrix(less), dimensions);
            let strain = DVec3::from(s.sigma.map(f64::ln));
            let (trace, tau) = (strain.element_sum(), found.tau());
            let plane = |v: DVec3| if dimensions == 2 { v.with_z(0.0) } else { v };
            let deviator = plane(strain - trace / d).length();
            let least = -(d * lambda + 2.0 * shear) / (2.0 * shear) * alpha * trace;
            // Where the sum of logarithms or the excess is near 0, f32 leaves them few digits.
            if trace.abs() < 0.02 || (deviator - least).abs() < 1e-3 {
                continue;
            }
            if trace > 0.0 {
                met[0] += 1;
                assert_eq!(tau, DMat3::ZERO, "stretched sand has no stress");
                let [q, v_c] = [0, 1].map(|k| f64::from(found.deformation[k][3]));
                let left = norm(found.f().transpose() * found.f() - DMat3::IDENTITY);
                worst[0] =
                    worst[0].max(left).max((v_c - trace).abs()).max((q - strain.length()).abs());
            } else if deviator > least {
                met[1] += 1;
                let trace: f64 = (0..dimensions as usize).map(|k| tau.col(k)[k]).sum();
                let deviator = block(tau - DMat3::IDENTITY * trace / d, dimensions);
                let ratio = norm(deviator) / -trace;
                worst[1] = worst[1].max((ratio / alpha - 1.0).abs());
            } else {
                met[2] += 1;
                let stress = 2.0 * shear * strain + lambda * trace * DVec3::ONE;
                let [x, y, z] = s.u;
                let u = DMat3::from_cols(x, y, z);
                let exact = u * DMat3::from_diagonal(stress) * u.transpose();
                worst[2] = worst[2].max(norm(tau - exact) / norm(exact));
            }
        }
        println!("{dimensions}-D: {met:?} cases, {}", list(&worst));
        assert!(met.iter().all(|count| *count > 50), "{met:?}");
        let bounds = [2.5e-6, 2.5e-6, 2e-5];
        assert!(worst.iter().zip(bounds).all(|(worst, bound)| *worst < bound), "{}", list(&worst));
    }
}

/// Sand pressed along an axis fails where its pressures are (1 + sin φ)/(1 − sin φ) = 3 to 1.
#[test]
fn pressed_sand_fails_at_a_ratio_of_three() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for dimensions in [2, 3] {
        let sigma = if dimensions == 2 { [0.8, 1.1, 1.0] } else { [0.8, 1.03, 1.03] };
        let given = [rows(DMat3::from_diagonal(DVec3::from(sigma) - 1.0))];
        let tau = deformed(gpu, &Shaders::standard(), dimensions, SAND, &given)[0].tau();
        let ratio = tau.x_axis.x / tau.y_axis.y;
        println!("{dimensions}-D: {ratio}");
        assert!((ratio / 3.0 - 1.0).abs() < 1e-6, "{dimensions}-D: {ratio}");
    }
}
