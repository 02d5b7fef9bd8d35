//! Meniscus in another program: on its device, beside its own errors, in its frames.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use conformance::{
    device::{Flavour, block_on, gpu},
    scenes::{dam, free_cube, parse, start, state},
};
use meniscus::{Budget, Error, Gpu, Scene, Simulation, State, glam::DVec3, wgpu};

/// A program with a device of its own.
struct Host {
    device: wgpu::Device,
    queue: wgpu::Queue,
    /// What its handler has got.
    errors: Arc<Mutex<Vec<String>>>,
    /// How often it was told that the device is lost.
    losses: Arc<AtomicU32>,
}

impl Host {
    /// With these limits in place of those that meniscus asks for.
    fn open(adapter: &wgpu::Adapter, limits: impl FnOnce(wgpu::Limits) -> wgpu::Limits) -> Self {
        let (required_features, required_limits) = Gpu::required(adapter);
        let descriptor = wgpu::DeviceDescriptor {
            required_features,
            required_limits: limits(required_limits),
            ..Default::default()
        };
        let device = pollster::block_on(adapter.request_device(&descriptor));
        let (device, queue) = device.expect("a second device of the adapter");
        let (errors, losses) = (Arc::<Mutex<Vec<String>>>::default(), Arc::<AtomicU32>::default());
        let slot = Arc::clone(&errors);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            slot.lock().unwrap_or_else(PoisonError::into_inner).push(error.to_string());
        }));
        let slot = Arc::clone(&losses);
        device.set_device_lost_callback(move |_, _| {
            slot.fetch_add(1, Ordering::Relaxed);
        });
        Self { device, queue, errors, losses }
    }

    fn gpu(&self, adapter: &wgpu::Adapter) -> Gpu {
        Gpu::from_wgpu(adapter, &self.device, &self.queue).expect("what it required")
    }

    fn errors(&self) -> usize {
        self.errors.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// A call that no device takes: a buffer cannot be mapped for both.
fn bad_call(device: &wgpu::Device) -> wgpu::Buffer {
    let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::MAP_WRITE;
    let descriptor =
        wgpu::BufferDescriptor { label: None, size: 16, usage, mapped_at_creation: false };
    device.create_buffer(&descriptor)
}

#[test]
fn errors_go_to_whom_they_belong() {
    let Some(own) = gpu(Flavour::Default) else { return };
    let mut alone = start(own, &dam());
    block_on(own, alone.run_until(0.04)).unwrap();

    let host = Host::open(own.adapter(), |limits| limits);
    let gpu = &host.gpu(own.adapter());
    let mut simulation = start(gpu, &dam());
    block_on(gpu, simulation.run_until(0.02)).unwrap();
    assert_eq!(host.errors(), 0);
    let _ = bad_call(&host.device);
    assert_eq!(host.errors(), 1, "the program's error is the program's");
    let error = gpu.caught(|| bad_call(&host.device)).expect_err("a call of meniscus");
    assert!(matches!(error, Error::Device(_)), "{error}");
    assert_eq!(host.errors(), 1, "an error of meniscus is none of the program's");
    block_on(gpu, simulation.run_until(0.04)).unwrap();
    assert!(state(gpu, &simulation) == state(own, &alone), "another device has other bits");
    assert!(gpu.check().is_ok() && host.errors() == 1);
}

#[test]
fn an_error_of_others_does_not_end_a_simulation_on_a_device_of_meniscus() {
    if gpu(Flavour::Default).is_none() {
        return;
    }
    let gpu = &meniscus::blocking::open(&meniscus::GpuOptions::default()).expect("a device");
    let mut simulation = start(gpu, &dam());
    let _ = bad_call(gpu.device());
    block_on(gpu, simulation.next_frame()).unwrap();
    let error = gpu.check().expect_err("it is told to who asks");
    assert!(matches!(error, Error::Device(_)), "{error}");
}

#[test]
fn a_device_that_lacks_something_is_told_what() {
    let Some(own) = gpu(Flavour::Default) else { return };
    let host = Host::open(own.adapter(), |limits| wgpu::Limits {
        max_storage_buffers_per_shader_stage: 5,
        max_compute_invocations_per_workgroup: 128,
        max_compute_workgroup_size_x: 128,
        max_color_attachments: 1,
        ..limits
    });
    let error = Gpu::from_wgpu(own.adapter(), &host.device, &host.queue).expect_err("too little");
    assert!(matches!(error, Error::Unsuitable(_)));
    let text = error.to_string();
    for lack in [
        "max_storage_buffers_per_shader_stage is 5, 8 needed",
        "max_compute_invocations_per_workgroup is 128, 256 needed",
        "max_compute_workgroup_size_x is 128, 256 needed",
    ] {
        assert!(text.contains(lack), "{text}");
    }
    assert!(!text.contains("max_color_attachments"), "it draws nothing: {text}");
}

#[test]
fn a_run_goes_on_with_the_same_bits_on_another_device() {
    let Some(own) = gpu(Flavour::Default) else { return };
    let mut whole = start(own, &dam());
    block_on(own, whole.run_until(0.04)).unwrap();

    let host = Host::open(own.adapter(), |limits| limits);
    let gpu = host.gpu(own.adapter());
    let mut simulation = start(&gpu, &dam());
    block_on(&gpu, simulation.run_until(0.02)).unwrap();
    let kept = state(&gpu, &simulation);
    host.device.destroy();
    for _ in 0..2 {
        let error = block_on(&gpu, simulation.next_frame()).expect_err("it is gone");
        assert!(matches!(error, Error::DeviceLost(_)), "{error}");
    }
    assert_eq!(host.losses.load(Ordering::Relaxed), 1, "the program's callback is the program's");
    assert_eq!(host.errors(), 0);
    let lost = Gpu::from_wgpu(own.adapter(), &host.device, &host.queue).expect_err("it is gone");
    assert!(matches!(lost, Error::DeviceLost(_)), "{lost}");

    let host = Host::open(own.adapter(), |limits| limits);
    let gpu = host.gpu(own.adapter());
    let resumed = block_on(&gpu, Simulation::resume(&gpu, &dam(), &kept));
    let mut resumed = resumed.unwrap_or_else(|error| panic!("{error}"));
    block_on(&gpu, resumed.run_until(0.04)).unwrap();
    assert!(state(&gpu, &resumed) == state(own, &whole));
}

/// Records towards these targets, one after another, as a game does: a recording and a poll in each frame. Each target is given
/// when `ahead` are not reached, and all are reached in the end.
fn played(gpu: &Gpu, scene: &Scene, targets: &[f64], budget: Budget, ahead: usize) -> State {
    let mut simulation = start(gpu, scene);
    let (mut given, mut progress) = (0, simulation.poll().unwrap());
    for _ in 0..20_000 {
        let reached = targets.iter().take_while(|time| progress.time >= **time - 1e-5).count();
        if reached == targets.len() {
            assert!(progress.behind <= 0.0 && progress.in_flight <= 4);
            return state(gpu, &simulation);
        }
        given = (reached + ahead).min(targets.len()).max(given);
        let mut encoder = gpu.device().create_command_encoder(&Default::default());
        for target in &targets[given.saturating_sub(ahead)..given] {
            simulation.record(&mut encoder, *target, budget).unwrap();
            let commands = std::mem::replace(
                &mut encoder,
                gpu.device().create_command_encoder(&Default::default()),
            );
            gpu.queue().submit([commands.finish()]);
        }
        std::thread::sleep(Duration::from_millis(1));
        progress = simulation.poll().unwrap();
    }
    panic!("{progress:?} on the way to {targets:?}");
}

/// The ends of frames are what `run_until` stops at; between them the steps depend on the targets alone.
#[test]
fn a_time_has_the_same_bits_whatever_was_recorded_in_a_frame() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for scene in [dam(), carried(), thick()] {
        let frame = scene.frame_duration();
        let ends: Vec<_> = (1..=3).map(|k| f64::from(k) * frame).collect();
        let mut waited = start(gpu, &scene);
        block_on(gpu, waited.run_until(3.0 * frame)).unwrap();
        let waited = state(gpu, &waited);
        assert!(waited.control.step > 3, "{}", waited.control.step);
        let budgets = [
            (Budget::steps(1), 1),
            (Budget::steps(64), 3),
            (Budget::time(Duration::from_millis(1)), 1),
            (Budget::time(Duration::from_secs(1)), 3),
        ];
        for (budget, ahead) in budgets {
            assert!(played(gpu, &scene, &ends, budget, ahead) == waited, "{budget:?}, {ahead}");
        }

        let between: Vec<_> = [0.3, 0.7, 1.6, 1.65, 2.0, 2.4].map(|k| k * frame).into();
        let [small, large] = [(Budget::steps(1), 1), (Budget::steps(64), 6)]
            .map(|(budget, ahead)| played(gpu, &scene, &between, budget, ahead));
        assert!(small == large, "targets between the ends of frames");
        assert!((small.time() - 2.4 * frame).abs() < 1e-4 * frame, "{}", small.time());
    }
}

#[test]
fn a_run_that_was_played_goes_on_as_one_that_is_waited_for() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let frame = dam().frame_duration();
    let mut simulation = start(gpu, &dam());
    let mut encoder = gpu.device().create_command_encoder(&Default::default());
    assert!(simulation.record(&mut encoder, 1.5 * frame, Budget::steps(2)).unwrap() > 0);
    // Commands that were thrown away are no reason to wait.
    drop(encoder);
    let mut encoder = gpu.device().create_command_encoder(&Default::default());
    simulation.record(&mut encoder, 1.5 * frame, Budget::steps(2)).unwrap();
    gpu.queue().submit([encoder.finish()]);
    block_on(gpu, simulation.run_until(2.0 * frame)).unwrap();
    assert_eq!(simulation.control().frame, 2);
    let found = state(gpu, &simulation);
    assert!(played(gpu, &dam(), &[1.5 * frame, 2.0 * frame], Budget::steps(64), 2) == found);

    let mut encoder = gpu.device().create_command_encoder(&Default::default());
    let all = Budget::steps(64);
    for paused in [simulation.time(), 0.0, -1.0] {
        assert_eq!(simulation.record(&mut encoder, paused, all).unwrap(), 0);
        assert_eq!(simulation.poll().unwrap().behind, 0.0);
    }
    for never in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
        let refused = simulation.record(&mut encoder, never, all).expect_err("never");
        assert!(refused.to_string().contains("a target is a finite time"), "{refused}");
    }
    let far = (0..2000).find_map(|k| {
        simulation.record(&mut encoder, f64::from(k) * frame, Budget::steps(0)).err()
    });
    let far = far.expect("too many").to_string();
    assert!(far.contains("targets are not reached yet"), "{far}");
}

#[test]
fn a_recording_for_a_lost_device_is_told() {
    let Some(own) = gpu(Flavour::Default) else { return };
    let host = Host::open(own.adapter(), |limits| limits);
    let gpu = host.gpu(own.adapter());
    let mut simulation = start(&gpu, &dam());
    host.device.destroy();
    let mut told = None;
    for _ in 0..100 {
        let mut encoder = host.device.create_command_encoder(&Default::default());
        let recorded = simulation.record(&mut encoder, 0.1, Budget::steps(4));
        host.queue.submit([encoder.finish()]);
        told = recorded.and_then(|_| simulation.poll()).err();
        if told.is_some() {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let error = told.expect("it is gone");
    assert!(matches!(error, Error::DeviceLost(_)), "{error}");
    assert_eq!(host.errors(), 0);
}

/// The second recording needs another buffer to be read back, which the lost device does not make.
#[test]
fn a_loss_with_a_recording_under_way_is_not_told_to_the_programs_handler() {
    let Some(own) = gpu(Flavour::Default) else { return };
    let host = Host::open(own.adapter(), |limits| limits);
    let gpu = host.gpu(own.adapter());
    let mut simulation = start(&gpu, &dam());
    let mut record = |target| {
        let mut encoder = host.device.create_command_encoder(&Default::default());
        let recorded = simulation.record(&mut encoder, target, Budget::steps(1));
        host.queue.submit([encoder.finish()]);
        recorded
    };
    assert_eq!(record(0.1).unwrap(), 1);
    host.device.destroy();
    let told = record(0.1);
    assert_eq!(host.errors(), 0, "{:?}", host.errors);
    assert!(matches!(told, Err(Error::DeviceLost(_))), "{told:?}");
}

/// Tilted after the third target, wherever the GPU is by then.
#[test]
fn particles_are_where_the_state_has_them_and_new_buffers_are_told() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let scene = parse(
        r#"
particle_radius = 0.02
[domain]
min = [-2.0, -2.0, -2.0]
max = [4.0, 2.0, 2.0]
[time]
fps = 10.0
[[material]]
name = "water"
[[emitter]]
mouth.circle.radius = 0.3
center = [0.0, 0.0, 0.0]
velocity = [4.0, 0.0, 0.0]
"#,
    );
    let mut simulation = start(gpu, &scene);
    let before = simulation.particles().expect("of water").generation;
    block_on(gpu, simulation.run_until(0.3)).unwrap();
    let particles = simulation.particles().expect("of water");
    assert!(particles.generation > before, "{} slots were there at first", particles.slots);
    let (count, place) = particles.count;
    let buffers = [particles.positions, particles.velocities, particles.identities, count];
    let read = block_on(gpu, gpu.read(&buffers)).unwrap();
    let words = |k: usize| bytemuck::pod_collect_to_vec::<u8, u32>(&read[k]);
    let [places, velocities, identities, control] = [0, 1, 2, 3].map(words);
    let count = control[place as usize / 4] as usize;
    assert!(count <= particles.slots as usize);
    let found = state(gpu, &simulation);
    let mut by_id = BTreeMap::new();
    for slot in 0..count {
        let number = |words: &[u32], axis| f64::from(f32::from_bits(words[4 * slot + axis]));
        let x = DVec3::from_array([0, 1, 2].map(|axis| number(&places, axis))) + particles.origin;
        let v = [0, 1, 2].map(|axis| number(&velocities, axis) as f32);
        if identities[2 * slot + 1] & 255 == 0 {
            by_id.insert(identities[2 * slot], (x.to_array(), v));
        }
    }
    let due = found.fluid().map(|particle| (particle.id, (particle.position, particle.velocity)));
    assert_eq!(by_id, due.collect());
    assert!(by_id.len() > 4000);
}

#[test]
fn a_gravity_that_is_set_acts_from_the_last_target_on() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let frame = dam().frame_duration();
    let tilted = DVec3::new(4.0, -8.0, 1.0);
    let play = |times: [f64; 4], budget, is_tilted: bool| {
        let mut simulation = start(gpu, &dam());
        for (number, time) in times.into_iter().enumerate() {
            if number == 3 && is_tilted {
                simulation.set_gravity(tilted).unwrap();
            }
            // Some are asked for before the last is reached.
            let last = number == 3;
            for _ in 0..20_000 {
                let mut encoder = gpu.device().create_command_encoder(&Default::default());
                simulation.record(&mut encoder, time * frame, budget).unwrap();
                gpu.queue().submit([encoder.finish()]);
                if !last || simulation.poll().unwrap().behind <= 0.0 {
                    break;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        assert!((simulation.time() - times[3] * frame).abs() < 1e-4 * frame);
        state(gpu, &simulation)
    };
    let within = [0.4, 1.0, 1.7, 3.0];
    let [slow, fast] = [1, 64].map(|steps| play(within, Budget::steps(steps), true));
    assert!(slow == fast, "budgets decide when gravity is set");
    assert_eq!(fast.gravity, [tilted.as_vec3().to_array()]);
    let upright = play(within, Budget::steps(64), false);
    assert!(upright.gravity.is_empty() && upright.arrays != fast.arrays);

    let mut waited = start(gpu, &dam());
    block_on(gpu, waited.run_until(2.0 * frame)).unwrap();
    waited.set_gravity(tilted).unwrap();
    block_on(gpu, waited.run_until(3.0 * frame)).unwrap();
    let kept = state(gpu, &waited);
    assert!(play([0.5, 1.0, 2.0, 3.0], Budget::steps(2), true).arrays != fast.arrays);
    assert!(play([1.0, 1.5, 2.0, 3.0], Budget::steps(2), true).gravity == kept.gravity);
    assert!(play([1.0, 2.0, 2.0, 3.0], Budget::steps(2), true) == kept, "one that is waited for");

    let mut resumed = block_on(gpu, Simulation::resume(gpu, &dam(), &kept)).unwrap();
    for simulation in [&mut waited, &mut resumed] {
        block_on(gpu, simulation.run_until(4.0 * frame)).unwrap();
    }
    assert!(state(gpu, &resumed) == state(gpu, &waited), "the state has the gravity");

    let mut free = start(gpu, &free_cube());
    free.set_gravity(DVec3::X).unwrap();
    block_on(gpu, free.run_until(0.2)).unwrap();
    let report = block_on(gpu, free.report()).unwrap();
    let speed = report.momentum[0] / report.mass;
    assert!((speed - 0.2).abs() < 1e-4, "1 m/s² for 0.2 s gives {speed} m/s");
}

#[test]
fn a_step_that_goes_on_keeps_its_gravity() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let scene = thick();
    let stop = 2.0 * scene.frame_duration();
    let mut stalled = start(gpu, &scene);
    stalled.set_steps_per_submission(1);
    let stalls = (0..20).any(|_| {
        block_on(gpu, stalled.advance()).unwrap();
        stalled.control().stalled()
    });
    assert!(stalls, "its loops need more iterations than are recorded at first");
    let steps = stalled.control().step;
    stalled.set_gravity(DVec3::X).unwrap();
    let kept = state(gpu, &stalled);
    block_on(gpu, stalled.run_until(stop)).unwrap();
    assert!(kept.gravity.is_empty(), "the step that the state is in has the gravity of before");

    let mut whole = start(gpu, &scene);
    block_on(gpu, whole.step(steps + 1)).unwrap();
    whole.set_gravity(DVec3::X).unwrap();
    block_on(gpu, whole.run_until(stop)).unwrap();
    assert!(state(gpu, &stalled) == state(gpu, &whole));
}

#[test]
fn a_gravity_that_is_none_is_refused() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut simulation = start(gpu, &dam());
    let before = simulation.setup().params;
    for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
        let refused = simulation.set_gravity(DVec3::new(0.0, wrong, 0.0)).expect_err("no gravity");
        assert!(matches!(refused, Error::Options(_)));
        let sentence = refused.to_string();
        assert!(sentence.contains("gravity is three finite numbers in m/s²"), "{sentence}");
    }
    assert!(simulation.setup().params == before);
    block_on(gpu, simulation.next_frame()).expect("it lives on");
    assert!(state(gpu, &simulation).gravity.is_empty());

    let mut flat = start(gpu, &dam().in_2d());
    let refused = flat.set_gravity(DVec3::Z).expect_err("out of the plane").to_string();
    assert!(refused.contains("leaves the plane"), "{refused}");
}

/// The dam in a tank that moves.
fn carried() -> Scene {
    let mut scene = dam();
    scene.boundaries[0].velocity = [0.2, 0.0, 0.0];
    scene
}

/// The dam with a liquid whose loops need many iterations.
fn thick() -> Scene {
    let mut scene = dam();
    scene.support_radius = Some(6.0 * scene.particle_radius);
    scene.materials[0].viscosity = Some(500.0);
    scene.settings.set("viscosity.model", "implicit");
    scene
}
