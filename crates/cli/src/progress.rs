//! Progress of a run: a bar on a terminal, a line every ten seconds elsewhere, and a summary at the end.

use std::{
    fmt::Write,
    io::{self, IsTerminal},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use meniscus::{
    FoamReport, FrameReport, Gpu, Scene, Simulation,
    blocking::block_on,
    methods::Chosen,
    raw::model::{
        control::LoopReport,
        params::{LoopParams, MAX_LOOPS},
    },
};

mod pace;

use crate::{
    Failure,
    astray::Astray,
    terminal::{self, short},
};
use pace::Pace;

/// Time between two lines where there is no bar.
const SILENCE: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    begin: Instant,
    first_frame: u32,
    first_step: u32,
    particle_steps: f64,
    /// Number of live particles that are not fluid.
    walls: u32,
    /// Cells of smoke, where that takes the place of particles.
    cells: f64,
    chosen: Chosen,
    loops: [LoopParams; MAX_LOOPS],
    /// Statistics of each loop that failed to converge so far.
    missed: [LoopReport; MAX_LOOPS],
    /// Where particles have left a grid method's box.
    astray: Astray,
    /// Time to go, which the bar shows too.
    pace: Arc<Mutex<Pace>>,
    /// When a line was last written where there is no bar: standard error is no terminal. `None` where there is one, or
    /// quiet.
    spoke: Option<Instant>,
}

/// Words for the time that this many frames take.
fn said(pace: &Mutex<Pace>, frames: u64) -> String {
    match pace.lock().ok().and_then(|pace| pace.to_go(frames, Instant::now())) {
        Some(seconds) => {
            format!("about {} to go", HumanDuration(Duration::from_secs_f64(seconds)))
        }
        None => "the first frame".to_owned(),
    }
}

impl Progress {
    pub(crate) fn new(simulation: &Simulation, scene: &Scene, last: u32, quiet: bool) -> Self {
        let control = simulation.control();
        let first = control.frame;
        let frames = u64::from(last.saturating_sub(first));
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(frames) };
        let pace = Arc::new(Mutex::new(Pace::new(Instant::now())));
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} frame {msg}, {to_go}") {
            let pace = Arc::clone(&pace);
            bar.set_style(style.with_key(
                "to_go",
                move |state: &ProgressState, text: &mut dyn Write| {
                    let frames = state.len().unwrap_or(0).saturating_sub(state.pos());
                    // Nothing can be done about a line that cannot be written.
                    let _ = text.write_str(&said(&pace, frames));
                },
            ));
        }
        bar.set_message(format!("{first}/{last}"));
        bar.enable_steady_tick(Duration::from_millis(500));
        Self {
            bar,
            begin: Instant::now(),
            first_frame: first,
            first_step: control.step,
            particle_steps: 0.0,
            walls: simulation.setup().wall_particles(),
            cells: simulation.setup().fluid_cells().map_or(0.0, f64::from),
            chosen: simulation.setup().chosen.clone(),
            loops: simulation.setup().params.loops,
            missed: Default::default(),
            astray: Astray::of(simulation, scene),
            pace,
            spoke: (!quiet && !io::stderr().is_terminal()).then(Instant::now),
        }
    }

    fn fluid(&self, live: u32) -> u32 {
        live.saturating_sub(self.walls)
    }

    /// Writes a warning above the bar.
    pub(crate) fn warn(&self, text: &str) {
        self.bar.suspend(|| terminal::complain("warning", text));
    }

    /// Counts a frame that is done.
    pub(crate) fn frame(&mut self, gpu: &Gpu, simulation: &mut Simulation) -> Result<(), Failure> {
        if self.astray.asks(simulation) {
            let report = block_on(gpu, simulation.report())?;
            self.astray.see(&report, simulation.setup());
        }
        let control = simulation.control();
        self.particle_steps +=
            f64::from(control.steps_in_frame) * f64::from(self.fluid(control.particle_count));
        let mut worse = String::new();
        for (total, (name, found)) in
            self.missed.iter_mut().zip(self.chosen.loops().into_iter().zip(&control.loops))
        {
            if found.exhausted > 0 {
                total.exhausted += found.exhausted;
                total.residual_max = total.residual_max.max(found.residual_max);
                let (missed, steps) = (found.exhausted, control.steps_in_frame);
                worse += &format!(", {name} not converged in {missed} of {steps} steps");
            }
        }
        let frames = control.frame - self.first_frame;
        let last = u64::from(self.first_frame) + self.bar.length().unwrap_or(0);
        let rate = f64::from(control.step - self.first_step) / self.seconds();
        let what = match self.cells > 0.0 {
            true => format!("{} cells", self.cells),
            false => format!("{} particles", self.fluid(control.particle_count)),
        };
        self.bar.set_message(format!(
            "{}/{last}, t = {:.3} s, {what}, {} steps/s{worse}",
            control.frame,
            simulation.time(),
            short(rate),
        ));
        if let Ok(mut pace) = self.pace.lock() {
            pace.frame(Instant::now());
        }
        self.bar.set_position(u64::from(frames));
        if let Some(spoke) = &mut self.spoke
            && spoke.elapsed() >= SILENCE
        {
            *spoke = Instant::now();
            let frames = self.bar.length().unwrap_or(0).saturating_sub(frames.into());
            terminal::note(&format!("frame {}, {}", self.bar.message(), said(&self.pace, frames)));
        }
        Ok(())
    }

    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }

    /// Warnings at the end: a line for each loop that did not always converge, one if particles have left.
    pub(crate) fn warnings(&self, simulation: &Simulation) -> String {
        let loops = self.chosen.loops().into_iter().zip(&self.loops).zip(&self.missed);
        let missed = loops.filter(|(_, missed)| missed.exhausted > 0);
        let lines = missed.map(|((name, limits), missed)| {
            format!(
                "the {name} solver of {} stopped {} times at its maximum of {} iterations with an \
                 error above {} %: up to {:.3} %\n",
                self.chosen.solver().name,
                missed.exhausted,
                limits.max_iterations,
                limits.tolerance,
                missed.residual_max,
            )
        });
        lines.chain([self.astray.warning(simulation.setup())]).collect()
    }

    /// Summary line at the end. `report` is of the last frame.
    pub(crate) fn summary(&self, report: &FrameReport) -> String {
        let (seconds, control) = (self.seconds(), &report.control);
        if self.cells > 0.0 {
            let steps = control.step - self.first_step;
            return format!(
                "{} frames to t = {:.4} s, {steps} steps of {} cells in {seconds:.1} s: {} cell-steps/s; at the end \
                 {:.4} m³ of smoke, error of volume at most {:.3} %",
                control.frame - self.first_frame,
                report.time,
                self.cells,
                short(self.cells * f64::from(steps) / seconds),
                report.smoke,
                report.divergence,
            );
        }
        let foam = report.foam.map_or(String::new(), |foam| {
            let FoamReport { spray, foam, bubbles, born, .. } = foam;
            format!(", {spray} spray, {foam} foam and {bubbles} bubbles of {born} born")
        });
        let came: f64 = report.openings.iter().map(|opening| opening.came).sum();
        let left: f64 = report.openings.iter().map(|opening| opening.left).sum();
        let passed = match report.openings.is_empty() {
            true => String::new(),
            false => format!(", {came:.4} m³ came in and {left:.4} m³ left"),
        };
        format!(
            "{} frames to t = {:.4} s, {} steps of {} particles in {seconds:.1} s: \
             {} particle-steps/s; at the end density error at most {:.2} %, {} lost{foam}{passed}",
            control.frame - self.first_frame,
            report.time,
            control.step - self.first_step,
            report.fluid,
            short(self.particle_steps / seconds),
            report.density_error_max,
            report.lost,
        )
    }

    fn seconds(&self) -> f64 {
        self.begin.elapsed().as_secs_f64().max(1e-9)
    }
}
