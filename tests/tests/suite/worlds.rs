//! Worlds of one scene beside runs of it alone.

use conformance::{
    device::{Flavour, block_on, gpu},
    scenes::{dam, parse, start, state},
};
use glam::{DQuat, DVec3};
use meniscus::{Error, Gpu, KinematicTarget, Simulation};
use meniscus_model::{Scene, State, check::problems, scene::Response};

/// A tank with a step of particles, a ball and a paddle, by fixed steps and iterations.
const TANK: &str = r#"
particle_radius = 0.05
gravity = [0.5, -9.81, 0.0]
[domain]
min = [-0.1, -0.1, -0.1]
max = [0.9, 1.0, 0.7]
[time]
fps = 50.0
step = 0.001
[[material]]
name = "water"
[[fluid]]
shape.box = { min = [0.05, 0.05, 0.05], max = [0.55, 0.45, 0.55] }
jitter = 0.1
[[boundary]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.8, 1.0, 0.6] }
[[boundary]]
name = "step"
shape.box = { min = [0.45, 0.0, 0.0], max = [0.8, 0.1, 0.6] }
side = "outside"
[[body]]
name = "paddle"
fixed = true
shape.box = { min = [0.65, 0.3, 0.1], max = [0.75, 0.6, 0.5] }
"#;

/// What solvers of SPH take besides: walls of particles, fixed steps and iterations.
const BY_SPH: &str = r#"
[wcsph]
sound_speed = 25.0
[dfsph]
pressure = "jacobi"
min_iterations = 3
max_iterations = 3
min_divergence_iterations = 3
"#;

/// The tank and more in it.
fn tank_with(solver: &str, worlds: u32, more: &str) -> Scene {
    let by_sph = ["wcsph", "muller", "dfsph"].contains(&solver);
    let keys = match solver {
        _ if by_sph => BY_SPH,
        "flip" => "[liquid]\nmin_iterations = 5\nmax_iterations = 5",
        _ => "",
    };
    let mut scene = parse(&format!("{TANK}{more}\n{keys}"));
    if by_sph {
        scene.boundaries[1].response = Some(Response::Particles { friction: 0.0, no_slip: false });
    }
    scene.solver = solver.into();
    scene.worlds = worlds;
    scene
}

fn tank(solver: &str, worlds: u32) -> Scene {
    tank_with(solver, worlds, "")
}

/// Position, velocity and density of the fluid of a world, in the order of ids.
fn fluid(state: &State, world: u32, worlds: u32) -> Vec<([f64; 3], [f32; 3], f32)> {
    let mut all: Vec<_> = state.fluid().collect();
    all.sort_by_key(|one| one.id);
    let own = all.chunks(all.len() / worlds as usize).nth(world as usize).unwrap();
    own.iter().map(|one| (one.position, one.velocity, one.density)).collect()
}

/// Makes a world another one: its fluid moves, by more in later worlds, and so does its paddle.
fn differ(gpu: &Gpu, simulation: &mut Simulation, world: u32, as_if: u32) {
    let count =
        block_on(gpu, simulation.read()).unwrap().fluid().count() as u32 / simulation.worlds();
    let ids: Vec<_> = (world * count..(world + 1) * count).collect();
    let velocity = |id: &u32| [0.3 * f64::from(as_if), 0.001 * f64::from(id % count), 0.0];
    let velocities: Vec<_> = ids.iter().map(velocity).collect();
    block_on(gpu, simulation.set_particles(&ids, None, Some(&velocities))).unwrap();
    let paddle = simulation.solid_in(world, "paddle").unwrap().unwrap();
    let turn = DQuat::from_rotation_z(0.1 * f64::from(as_if));
    simulation
        .set_kinematic_target(paddle, KinematicTarget::new(DVec3::new(0.6, 0.4, 0.3), turn))
        .unwrap();
}

#[test]
fn each_world_has_the_bits_of_its_run_alone() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for solver in ["wcsph", "dfsph", "mls_mpm", "flip"] {
        let mut batch = start(gpu, &tank(solver, 3));
        (0..3).for_each(|world| differ(gpu, &mut batch, world, world));
        block_on(gpu, batch.run_until(0.08)).unwrap();
        let together = state(gpu, &batch);
        for world in 0..3 {
            let mut single = start(gpu, &tank(solver, 1));
            differ(gpu, &mut single, 0, world);
            block_on(gpu, single.run_until(0.08)).unwrap();
            let alone = fluid(&state(gpu, &single), 0, 1);
            assert!(alone == fluid(&together, world, 3), "{solver}: world {world}");
            // Sums over the fluid around solids begin where others in the same workgroup do.
            let alone = single.forces_in(0).unwrap();
            assert!(alone.len() == 2 && alone.iter().any(|one| one.mean_force != [0.0; 3]));
            for (one, other) in alone.iter().zip(batch.forces_in(world).unwrap()) {
                let [a, b] = [one.mean_force, other.mean_force].map(DVec3::from);
                assert!(
                    a.distance(b) <= 1e-6 * a.length(),
                    "{solver}: world {world}, {}",
                    one.name
                );
            }
        }
        assert!(fluid(&together, 0, 3) != fluid(&together, 1, 3), "{solver}: they differ");
    }
}

#[test]
fn a_world_that_is_reset_starts_again_and_the_others_go_on() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for solver in ["wcsph", "dfsph", "mls_mpm", "flip"] {
        let mut batch = start(gpu, &tank(solver, 3));
        let first = state(gpu, &batch);
        (0..3).for_each(|world| differ(gpu, &mut batch, world, world));
        block_on(gpu, batch.run_until(0.04)).unwrap();
        let before = state(gpu, &batch);
        block_on(gpu, batch.reset_worlds(&[1])).unwrap();
        let reset = state(gpu, &batch);
        let places = |state: &State| -> Vec<_> {
            fluid(state, 1, 3).into_iter().map(|(x, v, _)| (x, v)).collect()
        };
        assert!(places(&reset) == places(&first), "{solver}: its particles are back");
        assert!(fluid(&reset, 2, 3) == fluid(&before, 2, 3), "{solver}: others stay");
        block_on(gpu, batch.run_until(0.08)).unwrap();
        let end = state(gpu, &batch);

        // The others as if nothing had been reset, and the one as from the start.
        let mut same = start(gpu, &tank(solver, 3));
        let again = {
            block_on(gpu, same.run_until(0.04)).unwrap();
            state(gpu, &same)
        };
        assert!(fluid(&end, 1, 3) == fluid(&again, 1, 3), "{solver}: it goes on from the start");
        let mut same = start(gpu, &tank(solver, 3));
        (0..3).for_each(|world| differ(gpu, &mut same, world, world));
        block_on(gpu, same.run_until(0.08)).unwrap();
        let same = state(gpu, &same);
        for world in [0, 2] {
            assert!(fluid(&end, world, 3) == fluid(&same, world, 3), "{solver}: world {world}");
        }
    }
    let mut batch = start(gpu, &tank("wcsph", 2));
    let refused = block_on(gpu, batch.reset_worlds(&[0, 2]));
    assert!(matches!(refused, Err(Error::Options(text)) if text.contains("no world 2")));
}

#[test]
fn each_world_falls_by_its_own_gravity_as_alone() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let ball = "[[body]]\nname = \"ball\"\nshape.sphere = { center = [0.3, 0.8, 0.3], radius = 0.1 }\ndensity = 400";
    let gravities = [DVec3::new(0.0, -9.81, 0.0), DVec3::new(3.0, -2.0, 1.0)];
    for solver in ["wcsph", "dfsph", "mls_mpm", "classic_mpm", "flip"] {
        let mut batch = start(gpu, &tank_with(solver, 2, ball));
        batch.set_gravities(&gravities).unwrap();
        block_on(gpu, batch.run_until(0.04)).unwrap();
        let kept = state(gpu, &batch);
        assert_eq!(kept.gravity, gravities.map(|gravity| gravity.as_vec3().to_array()));
        let mut resumed =
            block_on(gpu, Simulation::resume(gpu, &tank_with(solver, 2, ball), &kept)).unwrap();
        for one in [&mut batch, &mut resumed] {
            block_on(gpu, one.run_until(0.08)).unwrap();
        }
        let together = state(gpu, &batch);
        assert!(state(gpu, &resumed) == together, "{solver}: the state has the gravities");
        for (world, gravity) in (0..).zip(gravities) {
            let mut single = start(gpu, &tank_with(solver, 1, ball));
            single.set_gravity(gravity).unwrap();
            block_on(gpu, single.run_until(0.08)).unwrap();
            let alone = fluid(&state(gpu, &single), 0, 1);
            assert!(alone == fluid(&together, world, 2), "{solver}: world {world}");
            // It does not touch anything yet.
            let ball = [&single, &batch].map(|one| {
                let world = if one.worlds() == 1 { 0 } else { world };
                one.place(one.solid_in(world, "ball").unwrap().unwrap()).unwrap()
            });
            assert_eq!(ball[0], ball[1], "{solver}: world {world}");
        }
        assert!(fluid(&together, 0, 2) != fluid(&together, 1, 2), "{solver}: they differ");
        // The same again in all, and then the scene's.
        batch.set_gravity(gravities[0]).unwrap();
        assert_eq!(state(gpu, &batch).gravity.len(), 1);
        for (wrong, due) in [
            (vec![gravities[0]], "1 gravities for 2 worlds"),
            (vec![gravities[0], DVec3::NAN], "three finite numbers in m/s²"),
        ] {
            let refused = batch.set_gravities(&wrong).expect_err(due).to_string();
            assert!(refused.contains(due), "{refused}");
        }
    }
}

/// What acts on a ball is summed where others in its workgroup are, so bits differ; what it does is the same.
#[test]
fn a_ball_floats_in_its_world_as_alone() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let ball = "[[body]]\nname = \"ball\"\nshape.sphere = { center = [0.3, 0.6, 0.3], radius = 0.1 }\ndensity = 400";
    for solver in ["wcsph", "dfsph", "mls_mpm", "flip"] {
        let run = |worlds: u32, states: &[u32]| {
            let mut simulation = start(gpu, &tank_with(solver, worlds, ball));
            for (world, as_if) in (0..).zip(states) {
                differ(gpu, &mut simulation, world, *as_if);
                let ball = simulation.solid_in(world, "ball").unwrap().unwrap();
                simulation.set_force(ball, DVec3::X * f64::from(*as_if), DVec3::ZERO).unwrap();
            }
            block_on(gpu, simulation.run_until(0.1)).unwrap();
            simulation
        };
        let places = |simulation: &Simulation| -> Vec<DVec3> {
            let ball = |world| simulation.solid_in(world, "ball").unwrap().unwrap();
            let place = |world| simulation.place(ball(world)).unwrap().pose.position;
            (0..simulation.worlds()).map(place).collect()
        };
        let together = places(&run(2, &[0, 3]));
        for (world, as_if) in [0, 3].into_iter().enumerate() {
            let alone = places(&run(1, &[as_if]))[0];
            assert!(alone.y < 0.59, "{solver}: it has fallen");
            assert!(
                alone.distance(together[world]) < 1e-5,
                "{solver}, {world}: {alone} {together:?}"
            );
        }
        assert!(together[0].distance(together[1]) > 1e-3, "{solver}: they differ");
    }
}

#[test]
fn what_worlds_do_not_have_is_refused_by_name() {
    for (more, name) in [
        (
            "[[emitter]]\ncenter = [0.2, 0.8, 0.3]\nvelocity = [0, -1, 0]\nmouth.circle = { radius = 0.1 }",
            "emitters",
        ),
        ("[foam]\nenabled = true", "foam"),
    ] {
        let mut scene = tank_with("wcsph", 1, more);
        assert!(problems(&scene).is_empty(), "{name}: {:?}", problems(&scene));
        scene.worlds = 2;
        let found = problems(&scene);
        assert!(found.len() == 1 && found[0].to_string().contains(name), "{found:?}");
    }
    let mut scene = dam().with_solver("eulerian");
    assert!(problems(&scene).is_empty(), "{:?}", problems(&scene));
    scene.worlds = 2;
    let found = problems(&scene);
    assert!(found.len() == 1 && found[0].to_string().contains("one world only"), "{found:?}");
}
