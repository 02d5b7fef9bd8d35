//! What transfers keep: from the particles to the faces and back.

use conformance::{
    device::{Flavour, block_on, gpu},
    random::Random,
    scenes::{parse, state},
};
use glam::{DVec3, Vec3};
use meniscus::{Gpu, Simulation, model::State, shaders::Shaders};
use meniscus_model::methods::{
    Method, Pressure, Registry, Scope,
    liquid::{apic, pic},
    stage::Entry,
};

/// Edge of the cells in m.
const EDGE: f64 = 0.05;

/// A solver without pressures and the extrapolation of its field: its transfers are left.
const fn alone(name: &'static str, of: Method, stages: fn(&Scope) -> Vec<Entry>) -> Method {
    let Some(pressure) = of.pressure else { panic!("a solver") };
    Method { name, pressure: Some(Pressure { stages, ..pressure }), ..of }
}

fn transfers(scope: &Scope, of: &Method) -> Vec<Entry> {
    let left_out = [
        "grid/extrapolate",
        "grid/project",
        "grid/constrain",
        "liquid/excess",
        "liquid/shift",
        "liquid/push",
    ];
    let stays = |entry: &Entry| match entry {
        Entry::Run(stage) => {
            !stage.pass.starts_with("poisson/") && !left_out.contains(&stage.pass.as_str())
        }
        Entry::Scan { .. } => true,
        Entry::Repeat { .. } => false,
    };
    let all = (of.pressure.expect("a solver").stages)(scope);
    all.into_iter().filter(stays).collect()
}

static PIC: Method = alone("pic_alone", pic::METHOD, |scope| transfers(scope, &pic::METHOD));
static APIC: Method = alone("apic_alone", apic::METHOD, |scope| transfers(scope, &apic::METHOD));

/// A disc of radius 8Δx without gravity and walls; steps of 10⁻⁹ s move nothing.
fn disc(gpu: &Gpu, method: &'static Method) -> Simulation {
    let registry = Registry::standard().with(method);
    let mut scene = parse(
        r#"
solver = "apic"
dimensions = 2
particle_radius = 0.0125
gravity = [0.0, 0.0, 0.0]
time = { step = 1e-9, fps = 1e5, min_step = 1e-9 }
[domain]
min = [-0.6, -0.6, 0.0]
max = [0.6, 0.6, 0.0]
[[material]]
name = "water"
[[fluid]]
shape.sphere = { center = [0.0, 0.0, 0.0], radius = 0.4 }
jitter = 0.3
"#,
    );
    scene.solver = method.name.into();
    let shaders = Shaders::standard();
    let made = block_on(gpu, Simulation::with_methods(gpu, &scene, &shaders, &registry));
    made.unwrap_or_else(|error| panic!("{error}"))
}

/// Sets velocities, and gradients as rows of `v_x` and `v_y` if there are any, by places.
fn set_moving(
    simulation: &Simulation,
    state: &State,
    mut field: impl FnMut(DVec3) -> (DVec3, [[f64; 2]; 2]),
) {
    let machine = simulation.machine();
    let moving: Vec<_> =
        (0..state.particle_count()).map(|i| field(DVec3::from(state.world_position(i)))).collect();
    let velocity: Vec<_> = moving.iter().map(|(v, _)| v.extend(0.0).as_vec4().to_array()).collect();
    machine.write("velocity", bytemuck::cast_slice(&velocity)).expect("room");
    if state.arrays.contains_key("affine") {
        let row = |[x, y]: [f64; 2]| [x as f32, y as f32, 0.0, 0.0];
        let rows: Vec<_> = moving.iter().map(|(_, [u, v])| [row(*u), row(*v), [0.0; 4]]).collect();
        machine.write("affine", bytemuck::cast_slice(&rows)).expect("room");
    }
}

/// Sums over particles in cells from `origin`, per mass: angular momentum Σ x × v with that of the gradients in m²/s, Σ |x| |v|, and Σ v² in
/// m²/s².
fn sums(origin: Vec3, state: &State) -> [f64; 3] {
    let affine = state.arrays.get("affine");
    let mut sums = [0.0; 3];
    for (i, v) in state.velocity().iter().enumerate().take(state.particle_count()) {
        let x = DVec3::from(state.world_position(i));
        let v = DVec3::from_slice(&v.map(f64::from));
        // Inertia of a face's pair of weights s, 1 − s: those of v along x, and of u along y, lie at middles of cells.
        let inertia = [0, 1].map(|axis| {
            let place = f64::from(state.position()[i][axis] - origin[axis]) / EDGE - 0.5;
            let s = place - place.floor();
            s * (1.0 - s) * EDGE * EDGE
        });
        let gradient =
            |k: usize| affine.map_or(0.0, |bits| f64::from(f32::from_bits(bits[12 * i + k])));
        let spin = inertia[0] * gradient(4) - inertia[1] * gradient(1);
        sums[0] += x.cross(v).z + spin;
        sums[1] += x.length() * v.length();
        sums[2] += v.length_squared();
    }
    sums
}

fn steps(gpu: &Gpu, simulation: &mut Simulation, steps: u32) -> State {
    block_on(gpu, simulation.step(steps)).unwrap_or_else(|error| panic!("{error}"));
    state(gpu, simulation)
}

/// [12] With gradients a disc keeps any angular momentum; without, a rotating one loses what the weights smear.
#[test]
fn transfers_keep_angular_momentum() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut random = Random::new(12);
    for rigid in [true, false] {
        let mut simulation = disc(gpu, &APIC);
        let origin = simulation.setup().params.torus.origin;
        let before = steps(gpu, &mut simulation, 1);
        assert!(before.particle_count() > 700);
        set_moving(&simulation, &before, |x| {
            let mut any = || if rigid { 0.0 } else { random.signed() };
            let v = DVec3::new(any() - x.y, any() + x.x, 0.0);
            (v, [[20.0 * any(), 20.0 * any() - 1.0], [20.0 * any() + 1.0, 20.0 * any()]])
        });
        let first = sums(origin, &state(gpu, &simulation));
        let last = sums(origin, &steps(gpu, &mut simulation, 10));
        let lost = (last[0] - first[0]).abs() / first[1];
        let energy = last[2] / first[2];
        println!("apic, rigid {rigid}: angular momentum {lost:.1e}, energy {energy}");
        assert!(lost < 4e-7, "{lost:e} of the angular momentum");
        assert!(!rigid || (energy - 1.0).abs() < 1e-5, "{energy} of the energy");
        assert!(rigid || energy < 0.5, "noise is lost, but not its angular momentum");
    }
    let mut simulation = disc(gpu, &PIC);
    let origin = simulation.setup().params.torus.origin;
    let before = steps(gpu, &mut simulation, 1);
    set_moving(&simulation, &before, |x| (DVec3::new(-x.y, x.x, 0.0), [[0.0; 2]; 2]));
    let first = sums(origin, &state(gpu, &simulation));
    let once = sums(origin, &steps(gpu, &mut simulation, 1));
    let last = sums(origin, &steps(gpu, &mut simulation, 9));
    let parts = [once[0] / first[0], last[0] / first[0]];
    println!(
        "pic: angular momentum after one and ten {parts:.4?}, energy {:.4}",
        last[2] / first[2]
    );
    // Those of a prototype in f64.
    for (found, expected) in parts.into_iter().zip([0.9900, 0.908]) {
        assert!((found - expected).abs() < 0.003, "{found}, not {expected}");
    }
}
