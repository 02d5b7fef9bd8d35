//! Scene files, and the lines of logs.

use std::path::Path;

use meniscus_formats::{LoadOptions, LogLine, load_scene};
use meniscus_model::Setup;
use meniscus_scene::Scene;

use crate::{Error, FrameReport};

/// Scene of a file: TOML, or JSON of `SPlisHSPlasH`; or the bundled scene of that name where there is no such file. Meshes
/// and particles are read as well, relative to the file, and everything is checked.
///
/// ```no_run
/// # fn main() -> Result<(), meniscus::Error> {
/// let scene = meniscus::load("tank.toml")?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`Error::File`] with each problem at its file, line and column.
pub fn load(path: impl AsRef<Path>) -> Result<Scene, Error> {
    let path = path.as_ref().to_string_lossy();
    Ok(load_scene(&path, &LoadOptions::default())?.scene)
}

impl FrameReport {
    /// The report as a line of the log, under its names.
    #[must_use]
    pub fn log_line(&self, setup: &Setup) -> LogLine {
        let control = &self.control;
        let steps = f64::from(control.steps_in_frame.max(1));
        let loops = setup.chosen.loops();
        let each = loops.iter().zip(&control.loops).flat_map(|(name, found)| {
            [
                (format!("iterations_{name}"), f64::from(found.iterations)),
                (format!("not_converged_{name}"), f64::from(found.exhausted)),
                (format!("residual_{name}"), f64::from(found.residual_sum) / steps),
                (format!("residual_max_{name}"), f64::from(found.residual_max)),
            ]
        });
        let named = |(key, value): (&str, f64)| (key.to_owned(), value);
        let on_cells = setup.fluid_cells().is_some();
        let air = [("smoke", self.smoke), ("divergence", self.divergence)];
        let air = air.into_iter().filter(|_| on_cells).map(named);
        let foam = self.foam.into_iter().flat_map(|foam| {
            let counts = [
                ("spray", foam.spray),
                ("foam", foam.foam),
                ("bubbles", foam.bubbles),
                ("born", foam.born),
                ("died", foam.died),
            ];
            counts.map(|(key, count)| named((key, f64::from(count))))
        });
        let close = self.close.map(|share| named(("close", share)));
        let passed = self.openings.iter().flat_map(|opening| {
            let name = &opening.name;
            [(format!("{name}.in"), opening.came), (format!("{name}.out"), opening.left)]
        });
        let residuals = loops.iter().zip(&self.residuals);
        LogLine {
            frame: self.frame,
            time: self.time,
            steps: self.steps,
            dt: self.dt,
            particles: self.fluid,
            lost: self.lost,
            left: self.left,
            density_error_mean: self.density_error_mean,
            density_error_max: self.density_error_max,
            kinetic_energy: self.kinetic_energy,
            potential_energy: self.potential_energy,
            momentum: self.momentum,
            angular_momentum: self.angular_momentum,
            center_of_mass: self.center_of_mass,
            bounds_min: self.bounds_min,
            bounds_max: self.bounds_max,
            iterations: self.iterations,
            residuals: residuals.map(|(name, all)| ((*name).to_owned(), all.clone())).collect(),
            more: each.chain(close).chain(air).chain(foam).chain(passed).collect(),
        }
    }
}
