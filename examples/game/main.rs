//! A game's loop with water in it, without a window: the game has its own device, error handler and render pass, and no frame
//! waits for the GPU.
//!
//!     cargo run --release --package examples --bin game [FRAMES [RADIUS [PICTURE.png]]]
//!
//! It plays, pauses, plays in slow motion, makes a mistake of its own, loses its device and goes on from the state that it saved. It
//! pours in water, and drains some.
//! At the end it says how much of the processor the calls took. What is promised is asserted. Without arguments it has 600 frames
//! and 20,000 particles with a radius of 0.0125 m.

mod picture;

use std::{
    error::Error as AnyError,
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use cpu_time::ThreadTime;
use meniscus::{
    Budget, Error, Gpu, Progress, Query, Simulation, State,
    blocking::{self, block_on},
    glam::DVec3,
    scene::{Boundary, Fluid, Scene},
    wgpu,
};
use picture::{Picture, Seen};

/// Time between frames in s.
const DT: f64 = 1.0 / 60.0;
/// How far the game's clock may be ahead of the water, in s: where the GPU is slower than that, so is the game.
const AHEAD: f64 = 3.0 * DT;
/// Time of the GPU that the water may have in a frame.
const BUDGET: Budget = Budget::time(Duration::from_millis(8));
/// Most time of the processor that a call may take.
const LONGEST_CALL: Duration = Duration::from_millis(2);
/// How long something that must happen may take.
const PATIENCE: Duration = Duration::from_secs(300);

/// Width, height and depth in m of the water at the start.
const WATER: [f64; 3] = [0.5, 1.0, 0.625];
const TANK: [f64; 3] = [1.5, 1.5, 0.625];
/// Points on the floor, over which the game wants to know how deep the water is.
const BUOYS: [DVec3; 3] =
    [DVec3::new(0.1, 0.0, 0.3), DVec3::new(0.75, 0.0, 0.3), DVec3::new(1.4, 0.0, 0.3)];

fn main() -> Result<(), Box<dyn AnyError>> {
    blocking::leave_displays_alone();
    let mut arguments = std::env::args().skip(1);
    let frames: u32 = number(arguments.next(), 600)?;
    let radius: f64 = number(arguments.next(), 0.0125)?;
    let start = WATER.iter().product::<f64>() / (2.0 * radius).powi(3);
    let scene = Scene::new(radius)
        .with_fluid(Fluid::block([0.0; 3], WATER))
        .with_boundary(Boundary::tank([0.0; 3], TANK))
        // Half as much again, for what is poured in.
        .with_capacity((1.5 * start) as u32);
    let mut game = Game::start(&scene)?;
    let tenth = (frames / 10).max(1);

    game.play(3 * tenth, 1.0)?;
    game.pause(tenth)?;
    game.play(2 * tenth, 0.1)?;
    game.make_a_mistake();
    game.play(tenth, 1.0)?;
    let saved = game.save()?;
    game.play(tenth, 1.0)?;
    game.lose_the_device()?;
    game.go_on_from(&saved, &scene)?;
    game.play(2 * tenth, 1.0)?;
    game.pause(1)?;
    game.take_a_picture(arguments.next().as_deref().map(Path::new))?;

    assert!(game.same_bits_without_a_loss(&scene)?, "the loss of the device changed the water");
    game.pour_and_drain(tenth)?;
    game.submit_beside_a_worker(&scene, frames.min(100))?;
    game.tell_what_calls_took();
    game.check_what_was_told();
    Ok(())
}

/// An argument.
fn number<T: std::str::FromStr>(text: Option<String>, default: T) -> Result<T, String> {
    text.map_or(Ok(default), |text| text.parse().map_err(|_| format!("{text} is no such number")))
}

/// What is the game's, without the water.
struct Engine {
    gpu: Gpu,
    picture: Picture,
    /// What the handlers of its device were told.
    told: Arc<Told>,
}

#[derive(Default)]
struct Told {
    errors: Mutex<Vec<String>>,
    losses: Mutex<u32>,
}

impl Engine {
    fn open(told: &Arc<Told>) -> Result<Self, Box<dyn AnyError>> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
        // Otherwise wgpu adds a dispatch of its own to each of the water's.
        descriptor.flags.remove(wgpu::InstanceFlags::VALIDATION_INDIRECT_CALL);
        let instance = wgpu::Instance::new(descriptor);
        let adapter = pollster::block_on(instance.request_adapter(&Default::default()));
        let adapter = adapter.map_err(|error| format!("NoAdapter: {error}"))?;
        // A game adds what it needs itself.
        let (required_features, required_limits) = Gpu::required(&adapter);
        let (device, queue) =
            pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
                label: Some("game"),
                required_features,
                required_limits,
                ..Default::default()
            }))?;
        let slot = Arc::clone(told);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            lock(&slot.errors).push(error.to_string());
        }));
        let slot = Arc::clone(told);
        device.set_device_lost_callback(move |_, _| *lock(&slot.losses) += 1);
        let gpu = Gpu::from_wgpu(&adapter, &device, &queue)?;
        let picture = Picture::new(&gpu)?;
        Ok(Self { gpu, picture, told: Arc::clone(told) })
    }
}

/// Times of the processor that the calls of frames took on the game's thread.
#[derive(Default)]
struct Calls {
    /// With steps, and without.
    record: [Vec<Duration>; 2],
    /// Of commands with steps.
    finish: Vec<Duration>,
    submit: Vec<Duration>,
    poll: Vec<Duration>,
    /// Of questions for the water at points.
    query: Vec<Duration>,
    /// Of the water's layer.
    draw: Vec<Duration>,
    /// Of fluid that comes or goes.
    changes: Vec<Duration>,
    /// All steps that were recorded.
    steps: u32,
}

struct Game {
    engine: Engine,
    water: Simulation,
    /// Time at which the water should be, in s.
    clock: f64,
    /// All times that the water was asked to reach.
    asked: Vec<f64>,
    /// Mistakes of the game so far.
    mistakes: usize,
    calls: Calls,
}

impl Game {
    fn start(scene: &Scene) -> Result<Self, Box<dyn AnyError>> {
        let engine = Engine::open(&Arc::default())?;
        let mut water = block_on(&engine.gpu, Simulation::new(&engine.gpu, scene))?;
        // The first one compiles.
        water.query(&BUOYS, Query::Both)?;
        Ok(Self {
            engine,
            water,
            clock: 0.0,
            asked: Vec::new(),
            mistakes: 0,
            calls: Calls::default(),
        })
    }

    /// A frame in which this much time in s passes.
    fn frame(&mut self, time: f64) -> Result<(u32, Progress), Error> {
        let begin = Instant::now();
        self.clock = f64::max(self.clock, f64::min(self.clock + time, self.water.time() + AHEAD));
        if self.asked.last() != Some(&self.clock) {
            self.asked.push(self.clock);
        }
        let gpu = self.engine.gpu.clone();
        let mut encoder = gpu.device().create_command_encoder(&Default::default());

        let call = ThreadTime::now();
        let queried = self.water.query(&BUOYS, Query::Both);
        self.calls.query.push(call.elapsed());
        queried?;
        let call = ThreadTime::now();
        let recorded = self.water.record(&mut encoder, self.clock, BUDGET);
        let took = call.elapsed();
        let steps = recorded?;
        self.calls.record[usize::from(steps == 0)].push(took);
        self.calls.steps += steps;

        let call = ThreadTime::now();
        let drawn = self.engine.picture.draw(&mut encoder, Some(&self.water));
        self.calls.draw.push(call.elapsed());
        drawn.map_err(lost)?;
        // wgpu encodes the commands only now.
        let call = ThreadTime::now();
        let commands = encoder.finish();
        if steps > 0 {
            self.calls.finish.push(call.elapsed());
        }
        let call = ThreadTime::now();
        gpu.queue().submit([commands]);
        self.calls.submit.push(call.elapsed());

        let call = ThreadTime::now();
        let progress = self.water.poll();
        self.calls.poll.push(call.elapsed());
        // A display shows a frame in this time.
        thread::sleep(Duration::from_secs_f64(DT).saturating_sub(begin.elapsed()));
        Ok((steps, progress?))
    }

    /// Frames at a speed: 1 is that of the world, less is slow motion.
    fn play(&mut self, frames: u32, speed: f64) -> Result<(), Error> {
        let (begin, clock) = (Instant::now(), self.clock);
        for _ in 0..frames {
            let (_, progress) = self.frame(speed * DT)?;
            assert!(progress.time <= self.clock + 1e-3 * DT, "{progress:?} at {}", self.clock);
            assert!(progress.behind <= AHEAD + 1e-3 * DT, "{progress:?} at {}", self.clock);
        }
        let most = f64::from(frames) * speed * DT;
        assert!(self.clock - clock <= most + 1e-9, "{} s in {frames} frames", self.clock - clock);
        let [passed, real] = [self.clock - clock, begin.elapsed().as_secs_f64()];
        println!("{frames} frames in {real:.2} s, {passed:.4} s of the clock at speed {speed}");
        Ok(())
    }

    /// A pause, with frames for the water to reach the game's clock, and these, in which nothing happens.
    fn pause(&mut self, frames: u32) -> Result<(), Error> {
        let begin = Instant::now();
        loop {
            let (_, progress) = self.frame(0.0)?;
            if progress.behind <= 0.0 && progress.in_flight == 0 {
                break;
            }
            assert!(begin.elapsed() < PATIENCE, "the water does not catch up: {progress:?}");
        }
        let here = self.water.time();
        assert!((here - self.clock).abs() < 1e-3 * DT, "{here} s, not {}", self.clock);
        self.check_levels();
        for _ in 0..frames {
            let (recorded, progress) = self.frame(0.0)?;
            assert_eq!((recorded, progress.steps), (0, 0), "steps in a pause");
            assert!(progress.time.to_bits() == here.to_bits(), "time goes on in a pause");
        }
        Ok(())
    }

    /// The answer of a frame before, at most of the tank's height.
    fn check_levels(&self) {
        let answer = self.water.queried().expect("frames have come back");
        assert!(answer.time <= self.clock + 1e-3 * DT, "an answer of {} s", answer.time);
        let levels: Vec<_> = answer.points.iter().map(|point| point.level.unwrap_or(0.0)).collect();
        assert!(levels.iter().all(|level| (0.0..TANK[1]).contains(level)), "{levels:?}");
        assert!(levels[0] > 0.0, "the water is gone: {levels:?}");
        println!("at {:.3} s the water is {levels:.3?} m deep", answer.time);
    }

    /// A mistake of the user's interface: a buffer cannot be mapped for both.
    fn make_a_mistake(&mut self) {
        let _ = self.engine.gpu.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some("a button"),
            size: 16,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::MAP_WRITE,
            mapped_at_creation: false,
        });
        self.mistakes += 1;
        self.check_what_was_told();
    }

    fn save(&mut self) -> Result<State, Error> {
        self.pause(0)?;
        block_on(&self.engine.gpu, self.water.read())
    }

    fn lose_the_device(&mut self) -> Result<(), Error> {
        self.engine.gpu.device().destroy();
        let (begin, mut told) = (Instant::now(), false);
        // The game is told once the device has done what was submitted before, the water's calls perhaps earlier.
        while !told || *lock(&self.engine.told.losses) == 0 {
            match self.frame(DT) {
                Ok(_) => assert!(!told, "the device is back"),
                Err(Error::DeviceLost(_)) => told = true,
                Err(error) => return Err(error),
            }
            assert!(begin.elapsed() < PATIENCE, "nobody says that the device was lost");
            let _ = self.engine.gpu.device().poll(wgpu::PollType::Poll);
        }
        Ok(())
    }

    /// Another device, and the water as it was saved.
    fn go_on_from(&mut self, saved: &State, scene: &Scene) -> Result<(), Box<dyn AnyError>> {
        self.engine = Engine::open(&self.engine.told)?;
        let gpu = &self.engine.gpu;
        self.water = block_on(gpu, Simulation::resume(gpu, scene, saved))?;
        self.water.query(&BUOYS, Query::Both)?;
        self.clock = self.water.time();
        // What was asked after that has not happened.
        self.asked.retain(|time| *time <= self.clock + 1e-3 * DT);
        Ok(())
    }

    fn take_a_picture(&mut self, path: Option<&Path>) -> Result<(), Box<dyn AnyError>> {
        let image = self.engine.picture.read(&self.engine.gpu)?;
        let mut encoder = self.engine.gpu.device().create_command_encoder(&Default::default());
        self.engine.picture.draw(&mut encoder, None)?;
        self.engine.gpu.queue().submit([encoder.finish()]);
        let room = self.engine.picture.read(&self.engine.gpu)?;
        if let Some(path) = path {
            image.save(path)?;
        }
        let Seen { water, pillar, changed, rows } = Seen::of(&image, &room);
        println!(
            "water on {:.0} % of the picture, and on both sides of the pillar in {rows} rows",
            100.0 * water
        );
        assert!(
            pillar > 0 && changed == 0,
            "water in front of the pillar: {changed} of {pillar} pixels"
        );
        assert!((0.05..0.5).contains(&water) && rows > 10, "{water} of the picture, {rows} rows");
        Ok(())
    }

    /// Asks another simulation for the same times.
    fn same_bits_without_a_loss(&self, scene: &Scene) -> Result<bool, Error> {
        let gpu = &self.engine.gpu;
        let mut other = block_on(gpu, Simulation::new(gpu, scene))?;
        for time in &self.asked {
            loop {
                let mut encoder = gpu.device().create_command_encoder(&Default::default());
                other.record(&mut encoder, *time, Budget::steps(4))?;
                gpu.queue().submit([encoder.finish()]);
                let progress = other.poll()?;
                if progress.behind <= 0.0 && progress.in_flight == 0 {
                    break;
                }
                thread::sleep(Duration::from_millis(1));
            }
        }
        Ok(block_on(gpu, other.read())? == block_on(gpu, self.water.read())?)
    }

    /// A bucket of water more, and then none near the floor.
    fn pour_and_drain(&mut self, frames: u32) -> Result<(), Error> {
        self.pause(0)?;
        let before = self.water.control().particle_count;
        let call = ThreadTime::now();
        let most = self.water.spawn(&Fluid::block([1.0, 1.2, 0.2], [1.2, 1.4, 0.4]))?;
        self.calls.changes.push(call.elapsed());
        self.play(frames, 1.0)?;
        self.pause(0)?;
        let poured = self.water.control().particle_count - before;
        assert!((1..=most).contains(&poured), "{poured} of {most} particles have come");
        let call = ThreadTime::now();
        self.water.remove(&Fluid::block([-1.0; 3], [2.0, 0.1, 2.0]).shape)?;
        self.calls.changes.push(call.elapsed());
        self.play(frames, 1.0)?;
        self.pause(0)?;
        let left = self.water.control().particle_count;
        assert!(left < before + poured, "nothing has gone");
        println!("{poured} particles were poured in, and {} drained", before + poured - left);
        Ok(())
    }

    fn tell_what_calls_took(&mut self) {
        let Calls { record: [record, idle], finish, submit, poll, query, draw, changes, steps } =
            &mut self.calls;
        let mean = f64::from(*steps) / record.len() as f64;
        println!(
            "time of the game's thread, median and maximum, with {mean:.1} steps a recording:"
        );
        for (name, times, is_ours) in [
            ("record", record, true),
            ("record without steps", idle, true),
            ("draw", draw, true),
            // What these take is wgpu's and the driver's.
            ("finish", finish, false),
            ("submit", submit, false),
            ("poll", poll, true),
            ("query", query, true),
            ("spawn, remove", changes, true),
        ] {
            let median = median(times);
            let Some(most) = times.last() else { continue };
            println!("    {name}: {median:.1?}, {most:.1?}");
            assert!(!is_ours || *most <= LONGEST_CALL, "{name} took {most:?} of the game's thread");
        }
    }

    fn check_what_was_told(&self) {
        let errors = lock(&self.engine.told.errors);
        assert_eq!(errors.len(), self.mistakes, "the game's mistakes, and none else: {errors:?}");
    }

    /// The wait of a game in an empty submission, while another thread runs a simulation on the device. Software Vulkan (Mesa 22.3)
    /// waits there for the submission before.
    fn submit_beside_a_worker(&self, scene: &Scene, count: u32) -> Result<(), Error> {
        let gpu = &self.engine.gpu;
        let mut other = blocking::Simulation::on(gpu, scene)?;
        let ends = AtomicBool::new(false);
        thread::scope(|scope| {
            let worker = scope.spawn(|| {
                while !ends.load(Ordering::Relaxed) {
                    other.step(1)?;
                }
                Ok(())
            });
            let mut waits = Vec::new();
            for _ in 0..count {
                let begin = Instant::now();
                gpu.queue().submit([]);
                waits.push(begin.elapsed());
                thread::sleep(Duration::from_millis(3));
            }
            ends.store(true, Ordering::Relaxed);
            let median = median(&mut waits);
            println!("an empty submission beside a worker waits {median:.1?} at the median");
            worker.join().expect("the worker ends")
        })
    }
}

/// An error of drawing, as one of the simulation.
fn lost(error: meniscus_render::Error) -> Error {
    match error {
        meniscus_render::Error::Gpu(error) => error,
        other => unreachable!("the game's pass is drawn into: {other}"),
    }
}

/// The middle one, after sorting.
fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
