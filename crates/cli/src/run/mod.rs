//! `meniscus run`: advances a scene frame by frame.

mod forces;
mod frame_log;
mod interrupt;
mod outputs;
mod probes;
mod table;

use glam::DVec3;
use meniscus::{FrameReport, Gpu, Simulation, Watch, blocking::block_on};
use meniscus_formats::{Checkpoint, Loaded, read_checkpoint};

use crate::{Failure, adapter, arguments::Run, astray, progress::Progress, terminal};
pub(crate) use interrupt::Interrupt;
use outputs::{Outputs, RunQuantities};
pub(crate) use table::Every;

/// Asked after each frame, whose number and that of the last one it is given: whether the run is to end there, with a
/// checkpoint.
pub(crate) type Stop<'a> = Box<dyn FnMut(u32, u32) -> bool + 'a>;

pub(crate) fn run(arguments: &Run) -> Result<(), Failure> {
    run_with(arguments, listen()?)
}

/// Ends the program at Ctrl-C and termination until the first frame begins, and then the run.
pub(crate) fn listen() -> Result<impl FnOnce() -> Result<Stop<'static>, Failure>, Failure> {
    let interrupt = Interrupt::listen()?;
    Ok(move || {
        interrupt.begin();
        Ok(Box::new(move |_, _| interrupt.is_asked()) as Stop<'static>)
    })
}

/// Does a run. `stop` is called when the first frame is about to begin.
pub(crate) fn run_with<'a>(
    arguments: &Run,
    stop: impl FnOnce() -> Result<Stop<'a>, Failure>,
) -> Result<(), Failure> {
    let has_surface = arguments.surface.is_some() || arguments.usd.is_some();
    arguments.surface_options.check(has_surface, "--surface")?;
    let fps = arguments.fps.map(|fps| format!("time.fps={fps:?}"));
    let foam = arguments.foam.map(|_| format!("{}=true", meniscus::methods::foam::SWITCH));
    let more: Vec<_> = fps.into_iter().chain(foam).collect();
    let loaded = arguments.scene.load(&more)?;
    let last =
        last_frame(arguments.until.unwrap_or(loaded.scene.time.until), loaded.scene.time.fps)?;
    let quantities = RunQuantities::of(arguments, &loaded.scene)?;
    let checkpoint = resumed(arguments, &loaded, last)?;

    let gpu = adapter::open(&arguments.scene.device)?;
    adapter::announce(&gpu, arguments.quiet);
    let mut simulation = match &checkpoint {
        None => block_on(&gpu, Simulation::new(&gpu, &loaded.scene))?,
        Some(checkpoint) => {
            let adapter = &gpu.info().name;
            if checkpoint.adapter != *adapter {
                let text = format!(
                    "the checkpoint was computed on {}: on {adapter} the run goes on with other \
                     rounding",
                    checkpoint.adapter
                );
                terminal::complain("warning", &text);
            }
            block_on(&gpu, Simulation::resume(&gpu, &loaded.scene, &checkpoint.state))?
        }
    };

    let mut outputs = Outputs::open(arguments, quantities, &gpu, &loaded, &simulation)?;
    outputs.remove_later(last)?;
    if !arguments.has_outputs() {
        let text = "this run writes nothing: --particles, --foam, --surface, --grid, --bodies, --boundaries, --probes, --forces, --log \
                    and --checkpoint do";
        terminal::complain("warning", text);
    }
    let mut stop = stop()?;
    let mut progress = Progress::new(&simulation, &loaded.scene, last, arguments.quiet);
    let mut watch = Watch::of(&loaded.scene, &simulation.setup().chosen);
    let result = (|| {
        see(&gpu, &mut simulation, &mut watch, &progress)?;
        if checkpoint.is_none() {
            outputs.frame(&mut simulation, last)?;
        }
        while simulation.control().frame < last {
            if outputs.has_steps() {
                loop {
                    block_on(&gpu, simulation.step(1))?;
                    if simulation.control().frame_done == 1 {
                        break;
                    }
                    outputs.step(&simulation)?;
                }
            } else {
                block_on(&gpu, simulation.next_frame())?;
            }
            outputs.frame(&mut simulation, last)?;
            progress.frame(&gpu, &mut simulation)?;
            see(&gpu, &mut simulation, &mut watch, &progress)?;
            let frame = simulation.control().frame;
            if stop(frame, last) && frame < last {
                outputs.save(&simulation)?;
                let time = simulation.time();
                return Err(Failure::Failed(format!("interrupted at {time:.4} s")));
            }
        }
        Ok(())
    })();
    progress.end();
    let result = result.and(outputs.finish());
    terminal::complain("warning", &progress.warnings(&simulation));
    terminal::complain("warning", &left_behind(&gpu, &mut simulation, outputs.outside()));
    result.map_err(|failure: Failure| failure.and(&outputs.how_to_go_on()))?;
    if !arguments.quiet || simulation.setup().foam > 0 {
        let report = block_on(&gpu, simulation.report())?;
        terminal::complain("warning", &foam_without_room(&report, simulation.setup().foam));
        if !arguments.quiet {
            terminal::note(&progress.summary(&report));
        }
    }
    Ok(())
}

/// Warns of what a watch sees in a frame.
pub(crate) fn see(
    gpu: &Gpu,
    simulation: &mut Simulation,
    watch: &mut Watch,
    progress: &Progress,
) -> Result<(), Failure> {
    if !watch.is_done() {
        let found = watch.frame(&block_on(gpu, simulation.report())?);
        found.iter().for_each(|text| progress.warn(text));
    }
    Ok(())
}

/// Number of the last frame of a run.
pub(crate) fn last_frame(until: f64, fps: f64) -> Result<u32, Failure> {
    let frames = (until * fps).round();
    if (0.0..f64::from(u32::MAX)).contains(&frames) {
        if frames == 0.0 && until > 0.0 {
            let text = format!(
                "--until {until} is nearer to the start than to the first frame, {} s: nothing moves",
                1.0 / fps
            );
            terminal::complain("warning", &text);
        }
        Ok(frames as u32)
    } else {
        let text =
            format!("--until {until}: expected a time from 0 to {} s", u32::MAX as f64 / fps);
        Err(Failure::Input(text))
    }
}

/// Warning about births of foam for which there was no room; empty without such.
pub(crate) fn foam_without_room(report: &FrameReport, slots: u32) -> String {
    match report.foam.map_or(0, |foam| foam.thinned) {
        0 => String::new(),
        updates => format!(
            "foam.max = {slots} particles of foam were too few in {updates} updates, in which births were thinned"
        ),
    }
}

/// Warning about particles that the surface leaves out; empty without such, and after a failure.
pub(crate) fn left_behind(gpu: &Gpu, simulation: &mut Simulation, count: u32) -> String {
    match block_on(gpu, simulation.report()) {
        Ok(report) if count > 0 => {
            let bounds = [report.bounds_min, report.bounds_max].map(DVec3::from);
            astray::beyond(count, bounds, simulation.setup())
        }
        _ => String::new(),
    }
}

/// The checkpoint to resume from, if it belongs to this scene.
fn resumed(arguments: &Run, loaded: &Loaded, last: u32) -> Result<Option<Checkpoint>, Failure> {
    let Some(path) = &arguments.resume else { return Ok(None) };
    let checkpoint = read_checkpoint(path)?;
    if !arguments.allow_changes {
        let advice = "; --allow-changes resumes all the same";
        let belongs = checkpoint.belongs_to(&path.display().to_string(), loaded);
        belongs.map_err(|error| Failure::from(error).and(advice))?;
    }
    let frame = checkpoint.state.control.frame;
    if frame > last {
        let [end, time] = [last, frame].map(|frame| f64::from(frame) / loaded.scene.time.fps);
        let text = format!(
            "--resume {}: it was written at {time} s, after the end of this run at {end} s",
            path.display()
        );
        return Err(Failure::Input(text));
    }
    Ok(Some(checkpoint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_end_at_whole_frames() {
        let last = |until, fps| last_frame(until, fps).ok();
        assert_eq!(
            [last(1.0, 60.0), last(0.1, 30.0), last(0.0, 60.0)],
            [Some(60), Some(3), Some(0)]
        );
        assert_eq!(last(1.0 / 3.0, 60.0), Some(20));
        for until in [-1.0, f64::NAN, f64::INFINITY, 1e300] {
            assert_eq!(last(until, 60.0), None);
        }
    }
}
