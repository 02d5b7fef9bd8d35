//! `lab compare`: a scene on the GPU and in the reference side by side, stage by stage.

use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use clap::Args;
use conformance::side_by_side::SideBySide;
use meniscus::{GpuOptions, Shaders, blocking};
use meniscus_formats::{LoadOptions, load_scene};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Scene file, or name of a bundled scene.
    scene: String,
    /// Steps to compare, after the first pass over the pipeline.
    #[arg(long, value_name = "N", default_value_t = 3)]
    steps: u32,
    /// Pressure solver, instead of the scene's.
    #[arg(long, value_name = "NAME")]
    solver: Option<String>,
    /// Set a key of the scene. May be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// GPU adapter, by name or number.
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
}

/// Number of particles beyond which the reference, which tests every pair, takes minutes per step.
const MOST: usize = 20_000;

pub(crate) fn compare(options: &Options) -> Result<ExitCode> {
    let mut load = LoadOptions::default();
    load.solver.clone_from(&options.solver);
    load.set.clone_from(&options.set);
    let scene = load_scene(&options.scene, &load)?.scene;
    let gpu =
        blocking::open(&GpuOptions { adapter: options.adapter.clone(), ..Default::default() })?;
    let both = SideBySide::new(&gpu, &scene, &Shaders::standard());
    let mut both = both.map_err(|stop| anyhow!("{stop}"))?;
    let particles = both.replica().setup.position.len();
    if particles > MOST {
        bail!(
            "{particles} particles are too many for the reference, which tests every pair; take at most \
             {MOST}, for example by --set particle_radius={}",
            2.0 * scene.particle_radius
        );
    }
    let (name, solver) = (&gpu.info().name, &scene.solver);
    println!(
        "{}: {particles} particles, {solver}, {} steps on {name}",
        options.scene, options.steps
    );
    for step in 0..=options.steps {
        if let Some(difference) = both.step()? {
            println!("step {step}, {difference}");
            return Ok(ExitCode::FAILURE);
        }
    }
    println!("All stages agree. Largest error, relative to the terms of each number:");
    for (stage, share) in both.largest() {
        println!("  {stage:<48} {share:.1e}");
    }
    Ok(ExitCode::SUCCESS)
}
