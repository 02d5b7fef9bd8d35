//! From a name and a wish for size to a scene.

use meniscus::model::{Scene, Setup};
use meniscus_formats::{LoadOptions, Loaded, load_scene};

use crate::text::grouped;

/// Particles that the dam break opens with.
const DAM_BREAK: u32 = 300_000;
/// Most particles on a software adapter, where nothing else was asked for.
const SOFTWARE: u32 = 10_000;

/// A scene to run.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// Path or bundled name.
    pub(crate) source: String,
    /// Solver and `--set` keys.
    pub(crate) options: LoadOptions,
    /// About how many particles it is to have.
    pub(crate) particles: Option<u32>,
}

/// A scene that was found.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    pub(crate) choice: Choice,
    pub(crate) scene: Scene,
    /// What the user should know: warnings of the file, a size that could not be had.
    pub(crate) notes: Vec<String>,
    /// The particles that the scene would have, where a software adapter gets fewer.
    pub(crate) reduced_from: Option<u32>,
}

impl Choice {
    /// A bundled scene or file as it is.
    pub(crate) fn of(source: impl Into<String>) -> Self {
        Self { source: source.into(), options: LoadOptions::default(), particles: None }
    }

    /// Reads it, and gives it the size that was asked for, or that suits the adapter.
    ///
    /// # Errors
    /// What is wrong with the file, each fault with its place.
    pub(crate) fn load(self, software: bool) -> Result<Chosen, meniscus_formats::Error> {
        let loaded = load_scene(&self.source, &self.options)?;
        let mut notes: Vec<_> =
            loaded.warnings.iter().map(|warning| format!("{}: {warning}", self.source)).collect();
        let wanted = match self.particles {
            Some(wanted) => Some(wanted),
            None if software => (capacity(&loaded.scene) > SOFTWARE).then_some(SOFTWARE),
            None if self.is_first() => Some(DAM_BREAK),
            None => None,
        };
        let mut scene = loaded.scene.clone();
        let mut reduced_from = None;
        if let Some(wanted) = wanted {
            match self.resized(&loaded, wanted) {
                Ok(resized) => {
                    let reduced = self.particles.is_none() && software;
                    let own = if self.is_first() { DAM_BREAK } else { capacity(&scene) };
                    reduced_from = reduced.then_some(own);
                    scene = resized;
                }
                Err(error) => notes.push(format!(
                    "{} keeps its own size: with about {} particles {error}",
                    self.source,
                    grouped(wanted.into())
                )),
            }
        }
        Ok(Chosen { choice: self, scene, notes, reduced_from })
    }

    /// Whether it is the scene that the window opens with, as it is.
    fn is_first(&self) -> bool {
        self.source == "dam_break" && self.options.set.is_empty()
    }

    /// The same scene with another `particle_radius`.
    fn resized(&self, loaded: &Loaded, wanted: u32) -> Result<Scene, meniscus_formats::Error> {
        let mut options = self.options.clone();
        let radius = radius_for(&loaded.scene, wanted);
        options.set.push(format!("particle_radius={radius:?}"));
        Ok(load_scene(&self.source, &options)?.scene)
    }
}

/// The radius at which a scene has about so many particles, to three digits.
fn radius_for(scene: &Scene, wanted: u32) -> f64 {
    let ratio = f64::from(capacity(scene).max(1)) / f64::from(wanted.max(1));
    let radius = scene.particle_radius * ratio.powf(1.0 / f64::from(scene.dimensions));
    let unit = 10f64.powf(radius.log10().floor() - 2.0);
    (radius / unit).round() * unit
}

/// The particles that a scene has or comes to have; 0 where it cannot be simulated.
fn capacity(scene: &Scene) -> u32 {
    Setup::new(scene).map_or(0, |setup| setup.capacity())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_gets_about_the_particles_asked_for() {
        for wanted in [2_000, 20_000] {
            let choice = Choice { particles: Some(wanted), ..Choice::of("dam_break") };
            let scene = choice.load(false).expect("a scene").scene;
            let ratio = f64::from(capacity(&scene)) / f64::from(wanted);
            assert!((0.8..1.25).contains(&ratio), "{ratio}");
        }
    }

    #[test]
    fn a_software_adapter_gets_fewer_and_says_so() {
        let chosen = Choice::of("dam_break").load(true).expect("a scene");
        assert!(capacity(&chosen.scene) < 2 * SOFTWARE);
        assert!(chosen.reduced_from.is_some_and(|particles| particles > 100_000));
        let small = Choice::of("splash").load(true).expect("a scene");
        assert!(small.notes.is_empty() && small.reduced_from.is_none());
    }

    #[test]
    fn every_bundled_scene_loads_on_a_software_adapter() {
        for scene in meniscus_formats::SCENES {
            Choice::of(scene.name).load(true).expect(scene.name);
        }
    }
}
