//! scratch
use meniscus::{Gpu, GpuOptions, Simulation, model::Scene};
use meniscus_render::*;
use std::future::Future;
fn block_on<T>(gpu: &Gpu, future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    loop {
        if let std::task::Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
        let _ = gpu.device().poll(wgpu::PollType::wait_indefinitely());
    }
}
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (path, until, out) = (&args[0], args[1].parse::<f64>().unwrap(), &args[2]);
    let mut text = std::fs::read_to_string(path).unwrap();
    if let Some(r) = std::env::var("RADIUS").ok() {
        text = text
            .lines()
            .map(|l| {
                if l.starts_with("particle_radius") {
                    format!("particle_radius = {r}")
                } else {
                    l.into()
                }
            })
            .collect::<Vec<_>>()
            .join("\n");
    }
    let scene: Scene = toml::from_str(&text).unwrap();
    let gpu = pollster::block_on(Gpu::new(&GpuOptions::default())).unwrap();
    let mut sim = block_on(&gpu, Simulation::new(&gpu, &scene)).unwrap();
    println!("{} particles on {}", sim.control().particle_count, gpu.info().name);
    if until > 0.0 {
        block_on(&gpu, sim.run_until(until)).unwrap();
    }
    let size = [
        std::env::var("W").map_or(640, |w| w.parse().unwrap()),
        std::env::var("H").map_or(360, |w| w.parse().unwrap()),
    ];
    let mut off = Offscreen::new(&gpu, size).unwrap();
    let mut surface = meniscus::Surface::new(
        &gpu,
        &sim,
        &meniscus::SurfaceOptions {
            smoothing: std::env::var("SMOOTH").map_or(8, |s| s.parse().unwrap()),
            ..Default::default()
        },
    )
    .ok();
    if let Some(surface) = &mut surface {
        block_on(&gpu, surface.fit(&sim)).unwrap();
    }
    let splats = meniscus::Splats::new(&sim).unwrap();
    splats.extract();
    let fluid = Fluid::of(&sim)
        .with_mesh(surface.as_ref().map(MeshBuffers::of))
        .with_splats(Some(SplatBuffers::of(&splats)));
    let mut view =
        View { camera: fluid.camera(size[0] as f64 / size[1] as f64), ..View::default() };
    for job in &args[3..] {
        let (mode, color) = job.split_once(':').unwrap_or((job, "speed"));
        view.mode = Mode::ALL.iter().find(|(n, _)| *n == mode).unwrap().1;
        view.color = ColorBy::ALL.iter().find(|(n, _)| *n == color).unwrap().1;
        let image = block_on(&gpu, off.picture(&fluid, &view)).unwrap();
        let mut times = Vec::new();
        for _ in 0..3 {
            let t = std::time::Instant::now();
            block_on(&gpu, off.picture(&fluid, &view)).unwrap();
            times.push(t.elapsed().as_secs_f64() * 1e3);
        }
        let name = format!("{out}_{mode}_{color}.png");
        image.save(&name).unwrap();
        println!("{name}: {times:.1?} ms");
    }
}
