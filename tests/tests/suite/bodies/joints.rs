//! Joints and mooring lines, beside what formulas say of them.

use std::f64::consts::{PI, TAU};

use conformance::{
    device::{Flavour, gpu},
    scenes::{parse, run_for, start},
};
use glam::{DQuat, DVec3};
use meniscus::{BodyReport, Gpu, Simulation};

const G: f64 = 9.81;

/// A room whose water never comes.
fn room(solver: &str, rest: &str) -> String {
    format!(
        r#"
solver = "{solver}"
particle_radius = 0.05
[domain]
min = [-2.0, -2.0, -2.0]
max = [2.0, 1.0, 2.0]
[time]
fps = 100.0
max_step = 0.0025
[[material]]
name = "water"
[[emitter]]
mouth.disc = {{ across = 3 }}
center = [-1.8, 0.5, -1.8]
velocity = [0.0, 1.0, 0.0]
start = 50.0
{rest}"#
    )
}

fn begin(gpu: &Gpu, solver: &str, rest: &str) -> Simulation {
    start(gpu, &parse(&room(solver, rest)))
}

/// A ball of 10 cm and 1,000 kg/m³.
fn ball(name: &str, at: [f64; 3]) -> String {
    format!(
        "[[body]]\nname = \"{name}\"\nshape.sphere = {{ center = {at:?}, radius = 0.1 }}\ndensity = 1000.0\n"
    )
}

const MASS: f64 = 4.0 / 3.0 * PI * 0.001 * 1000.0;

/// Values of frames to a time, by what is looked at.
fn watch<T>(
    gpu: &Gpu,
    simulation: &mut Simulation,
    time: f64,
    look: impl Fn(&Simulation) -> T,
) -> Vec<T> {
    let frames = (time * 100.0).round() as usize;
    let mut values = vec![look(simulation)];
    for _ in 0..frames {
        run_for(gpu, simulation, 0.01);
        values.push(look(simulation));
    }
    values
}

fn body<'a>(all: &'a [BodyReport], name: &str) -> &'a BodyReport {
    all.iter().find(|body| body.name == name).expect("a body")
}

/// Time in s between falls through 0 of values at frames, on average.
fn period(values: &[f64]) -> f64 {
    let falls: Vec<_> = (1..values.len())
        .filter(|k| values[k - 1] > 0.0 && values[*k] <= 0.0)
        .map(|k| 0.01 * (k as f64 - values[k] / (values[k] - values[k - 1])))
        .collect();
    assert!(falls.len() > 1, "it does not swing: {values:?}");
    (falls[falls.len() - 1] - falls[0]) / (falls.len() - 1) as f64
}

/// A pendulum on a ball joint at 10°, one of boxes on two joints that turns over, and springs: with a damper, and so stiff that a
/// period is a few steps.
#[test]
fn pendulums_and_springs_swing_as_formulas_say() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let at = 10.0_f64.to_radians();
    let mut text = ball("bob", [at.sin(), -at.cos(), -1.5]);
    text += "[[joint]]\nbodies = [\"bob\"]\nkind.ball = { at = [0.0, 0.0, -1.5] }\n";
    for (name, x) in [("upper", 0.0), ("lower", 0.4)] {
        text += &format!(
            "[[body]]\nname = \"{name}\"\nshape.box = {{ min = [{x:?}, -0.05, -0.55], max = [{:?}, 0.05, -0.45] }}\ndensity = 1000.0\n",
            x + 0.4
        );
    }
    text += "[[joint]]\nbodies = [\"upper\"]\nkind.ball = { at = [0.0, 0.0, -0.5] }\n\
                 [[joint]]\nbodies = [\"lower\", \"upper\"]\nkind.ball = { at = [0.4, 0.0, -0.5] }\n";
    // ω = 8 and 60 /s; the first loses with ζ = 0.05.
    for (name, x, omega, zeta) in [("soft", -1.0, 8.0_f64, 0.05), ("stiff", 1.2, 60.0, 0.0)] {
        text += &ball(name, [x, -1.0, 0.5]);
        text += &format!(
            "[[joint]]\nbodies = [\"{name}\"]\nkind.spring = {{ ends = [[{x:?}, -1.0, 0.5], [{x:?}, 0.5, 0.5]], stiffness = {:?}, \
                 damping = {:?} }}\n",
            MASS * omega.powi(2),
            2.0 * zeta * omega * MASS
        );
    }
    let mut simulation = begin(gpu, "flip", &text);
    let states = watch(gpu, &mut simulation, 4.5, Simulation::bodies);
    let of = |name: &str, look: &dyn Fn(&BodyReport) -> f64| -> Vec<f64> {
        states.iter().map(|all| look(body(all, name))).collect()
    };
    let found = period(&of("bob", &|body| body.position[0]));
    let due = TAU * (1.004 / G).sqrt() * (1.0 + at * at / 16.0);
    assert!((found / due - 1.0).abs() < 0.005, "period {found} s, not {due}");

    let energy = |all: &Vec<BodyReport>| -> f64 {
        let of = |name| {
            let body: &BodyReport = body(all, name);
            let turn = DQuat::from_array(body.rotation);
            let local = turn.inverse() * DVec3::from(body.angular_velocity);
            // A box of 0.4 by 0.1 by 0.1 m and 4 kg, which does not turn about its length.
            let wide = 4.0 * 0.17 / 12.0;
            let spin = local.length_squared();
            2.0 * DVec3::from(body.velocity).length_squared()
                + 0.5 * wide * spin
                + 4.0 * G * body.position[1]
        };
        of("upper") + of("lower")
    };
    // Velocities are half a step behind or ahead of places: the mean of the last second.
    let last = states[350..].iter().map(energy).sum::<f64>() / (states.len() - 350) as f64;
    let scale = 4.0 * G * (0.2 + 0.6);
    assert!((last - energy(&states[0])).abs() < 0.01 * scale, "energy {last} J of {scale}");

    let fall = G / 64.0;
    let soft = of("soft", &|body| body.position[1] + 1.0 + fall);
    let found = period(&soft);
    let due = TAU / (8.0 * (1.0 - 0.05_f64.powi(2)).sqrt());
    assert!((found / due - 1.0).abs() < 0.01, "spring {found} s, not {due}");
    let swing =
        |from: usize| soft[from..from + 79].iter().fold(0.0_f64, |most, y| most.max(y.abs()));
    let ratio = swing(79 * 3) / swing(0);
    let due = (-0.05 * 8.0 * 2.37_f64).exp();
    assert!((ratio / due - 1.0).abs() < 0.01, "swing {ratio}, not {due}");

    let stiff = of("stiff", &|body| body.position[1] + 1.0 + G / 3600.0);
    let found = period(&stiff);
    assert!((found / (TAU / 60.0) - 1.0).abs() < 0.01, "stiff spring {found} s");
    let top = stiff[400..].iter().fold(0.0_f64, |most, y| most.max(*y));
    assert!((top / (G / 3600.0) - 1.0).abs() < 0.01, "stiff spring swings by {top} m");
}

/// A rope that catches a ball, motors within their torque and up to their speed, limits, two bodies glued together, a driven crank.
#[test]
fn ropes_limits_and_motors_hold() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut text = ball("caught", [0.0, 0.0, -1.5]);
    text += "[[joint]]\nname = \"rope\"\nbodies = [\"caught\"]\nkind.rope = { ends = [[0.0, 0.0, -1.5], [0.0, 0.2, -1.5]], length = 1.0 }\n";
    // A wheel of 1 N m up to 3 rad/s.
    text += "[[body]]\nname = \"wheel\"\nshape.cylinder = { start = [-1.0, 0.0, -0.6], end = [-1.0, 0.0, -0.4], radius = 0.2 }\ndensity = 1000.0\n\
                 [[joint]]\nname = \"axle\"\nbodies = [\"wheel\"]\n\
                 kind.hinge = { at = [-1.0, 0.0, -0.5], axis = [0.0, 0.0, 2.0], motor = { speed = 3.0, most = 1.0 } }\n";
    // A door that falls onto its stop.
    text += "[[body]]\nname = \"door\"\nshape.box = { min = [0.0, -0.05, -0.6], max = [0.4, 0.05, -0.4] }\ndensity = 1000.0\n\
                 [[joint]]\nname = \"door\"\nbodies = [\"door\"]\n\
                 kind.hinge = { at = [0.0, 0.0, -0.5], axis = [0.0, 0.0, 1.0], limits = [-30.0, 30.0] }\n";
    // A lift that goes up to its limit, and what is glued to it.
    text += &ball("lift", [1.0, -1.0, -0.5]);
    text += &ball("rider", [1.0, -0.7, -0.3]);
    text += "[[joint]]\nname = \"rail\"\nbodies = [\"lift\"]\n\
                 kind.slider = { axis = [0.0, 1.0, 0.0], limits = [-0.1, 0.2], motor = { speed = 0.5, most = 150.0 } }\n\
                 [[joint]]\nbodies = [\"rider\", \"lift\"]\nkind.fixed = {}\n";
    let mut simulation = begin(gpu, "dfsph", &text);
    run_for(gpu, &mut simulation, 0.2);
    let bodies = simulation.bodies();
    let inertia = 0.5 * 1000.0 * PI * 0.04 * 0.2 * 0.04;
    let spin = body(&bodies, "wheel").angular_velocity[2];
    assert!((spin - 0.2 / inertia).abs() < 0.01 * spin, "{spin} rad/s");
    let rising = body(&bodies, "lift").velocity[1];
    assert!((rising - 0.5).abs() < 0.005, "the lift rises at {rising} m/s");
    run_for(gpu, &mut simulation, 2.0);
    let bodies = simulation.bodies();
    let spin = body(&bodies, "wheel").angular_velocity[2];
    assert!((spin - 3.0).abs() < 0.003, "{spin} rad/s of 3");
    let (lift, rider) = (body(&bodies, "lift"), body(&bodies, "rider"));
    assert!((lift.position[1] + 0.8).abs() < 1e-4, "the lift is at {}", lift.position[1]);
    let beside = DVec3::from(rider.position) - DVec3::from(lift.position);
    assert!(beside.distance(DVec3::new(0.0, 0.3, 0.2)) < 1e-4, "{beside}");
    let caught = DVec3::from(body(&bodies, "caught").position);
    assert!((caught.y + 0.8).abs() < 1e-3, "the ball hangs at {caught}");
    let all = simulation.joints();
    let joint = |name: &str| all.iter().find(|joint| joint.name == name).expect("a joint");
    let pull = joint("rope").force[1];
    assert!((pull - MASS * G).abs() < 0.01 * MASS * G, "the rope pulls with {pull} N");
    let angle = joint("door").way;
    assert!((angle + 30.0_f64.to_radians()).abs() < 1e-3, "the door stands at {angle}");
    // Its weight is on the hinge, and its torque on the stop.
    let torque = joint("door").torque[2];
    let due = 8.0 * G * 0.2 * 30.0_f64.to_radians().cos();
    assert!((torque - due).abs() < 0.01 * due, "the stop holds {torque} N m of {due}");
    simulation.drive("axle", 0.0, 1e3).expect("a motor");
    run_for(gpu, &mut simulation, 0.1);
    let spin = body(&simulation.bodies(), "wheel").angular_velocity[2];
    assert!(spin.abs() < 1e-3, "the brake leaves {spin} rad/s");
}

/// Pull along the floor and up of a line with a part on the floor, and of one that hangs: from the catenary's parameter, of which the
/// line's place follows.
#[test]
fn moorings_pull_as_catenaries() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let weight = 20.0;
    let (mut text, mut due) = (String::new(), Vec::new());
    // Height 1 m. a and the part that hangs, from s² = h² + 2 h a; then some lies. Or both ends' slopes.
    for (k, a) in [0.3_f64, 2.0].into_iter().enumerate() {
        let s = (1.0 + 2.0 * a).sqrt();
        let (reach, length) = (a * (s / a).asinh() + 0.3, s + 0.3);
        due.push(([reach, 1.0], length, [-weight * a, -weight * s], k));
    }
    for (k, [low, high]) in [[0.5_f64, 1.5], [2.0, 2.2]].into_iter().enumerate() {
        // y = a cosh(x/a) between x = low a and high a, of such a that it rises by 1.
        let a = 1.0 / (high.cosh() - low.cosh());
        let length = a * (high.sinh() - low.sinh());
        due.push((
            [a * (high - low), 1.0],
            length,
            [-weight * a, -weight * a * high.sinh()],
            k + 2,
        ));
    }
    for ([reach, rise], length, _, k) in &due {
        let z = -1.5 + *k as f64;
        text += &ball(&format!("buoy {k}"), [1.0, 0.0, z]);
        text += &format!(
            "[[joint]]\nbodies = [\"buoy {k}\"]\nkind.fixed = {{}}\n[[mooring]]\nname = \"line {k}\"\nbody = \"buoy {k}\"\n\
             fairlead = [1.0, -0.1, {z:?}]\nanchor = [{:?}, {:?}, {z:?}]\nlength = {length:?}\nweight = {weight:?}\n",
            1.0 - reach,
            -0.1 - rise,
        );
    }
    let mut simulation = begin(gpu, "mls_mpm", &text);
    run_for(gpu, &mut simulation, 0.02);
    let all = simulation.joints();
    for (_, _, [along, up], k) in due {
        let line = all.iter().find(|joint| joint.name == format!("line {k}")).expect("a line");
        let error = (DVec3::from(line.force) - DVec3::new(along, up, 0.0)).length();
        assert!(error < 0.01 * along.hypot(up), "line {k}: {:?} N, not {along}, {up}", line.force);
    }
}
