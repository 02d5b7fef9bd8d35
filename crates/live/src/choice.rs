//! Choosing a scene and its size.

use meniscus::model::{Scene, Setup};
use meniscus_formats::{LoadOptions, Loaded, load_scene, load_text};

use crate::grouped;

/// Number of particles in the dam break at start.
const DAM_BREAK: u32 = 300_000;

/// A scene to load.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs, reason = "its users build it")]
pub struct Choice {
    /// File path, or name of a bundled scene.
    pub source: String,
    /// Text of the scene, if it is not to be read from a file.
    pub text: Option<String>,
    /// Solver and `--set` keys.
    pub options: LoadOptions,
    /// Approximate number of fluid particles.
    pub particles: Option<u32>,
}

/// A scene that was loaded.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// What was asked for.
    pub choice: Choice,
    /// The scene.
    pub scene: Scene,
    /// Messages for the user: warnings about the file, or a size that was not possible.
    pub notes: Vec<String>,
    /// Number of particles that the scene would have on a GPU, if a software adapter gets fewer.
    pub reduced_from: Option<u32>,
}

impl Chosen {
    /// Number of fluid particles that the scene has room for.
    #[must_use]
    pub fn particles(&self) -> u32 {
        capacity(&self.scene)
    }
}

impl Choice {
    /// A bundled scene or a file, without changes.
    #[must_use]
    pub fn of(source: impl Into<String>) -> Self {
        Self { source: source.into(), text: None, options: LoadOptions::default(), particles: None }
    }

    /// Loads the scene in the requested size, or else with at most about `most` particles, on an
    /// adapter that suits no more.
    ///
    /// # Errors
    /// Every problem in the file, with its place.
    pub fn load(self, most: Option<u32>) -> Result<Chosen, meniscus_formats::Error> {
        let loaded = self.load_with(&self.options)?;
        let mut notes: Vec<_> =
            loaded.warnings.iter().map(|warning| format!("{}: {warning}", self.source)).collect();
        let wanted = match self.particles {
            Some(wanted) => Some(wanted),
            None if most.is_some() => most.filter(|most| capacity(&loaded.scene) > *most),
            None => self.is_first().then_some(DAM_BREAK),
        };
        let mut scene = loaded.scene.clone();
        let mut reduced_from = None;
        if let Some(wanted) = wanted {
            match self.resized(&loaded, wanted) {
                Ok(resized) => {
                    let reduced = self.particles.is_none() && most.is_some();
                    let own = if self.is_first() { DAM_BREAK } else { capacity(&scene) };
                    reduced_from = reduced.then_some(own);
                    scene = resized;
                }
                Err(error) => notes.push(format!(
                    "{} keeps its own size; about {} particles are not possible: {error}",
                    self.source,
                    grouped(wanted.into())
                )),
            }
        }
        Ok(Chosen { choice: self, scene, notes, reduced_from })
    }

    /// Whether this is the scene that opens first, without changes.
    fn is_first(&self) -> bool {
        self.source == "dam_break" && self.options.set.is_empty()
    }

    /// The same scene with another `particle_radius`.
    fn resized(&self, loaded: &Loaded, wanted: u32) -> Result<Scene, meniscus_formats::Error> {
        let mut options = self.options.clone();
        let radius = radius_for(&loaded.scene, wanted);
        options.set.push(format!("particle_radius={radius:?}"));
        Ok(self.load_with(&options)?.scene)
    }

    fn load_with(&self, options: &LoadOptions) -> Result<Loaded, meniscus_formats::Error> {
        match &self.text {
            Some(text) => load_text(&self.source, text, options),
            None => load_scene(&self.source, options),
        }
    }
}

/// Particle radius in m at which a scene has about `wanted` particles, to three digits.
fn radius_for(scene: &Scene, wanted: u32) -> f64 {
    let ratio = f64::from(capacity(scene).max(1)) / f64::from(wanted.max(1));
    let radius = scene.particle_radius * ratio.powf(1.0 / f64::from(scene.dimensions));
    let unit = 10f64.powf(radius.log10().floor() - 2.0);
    (radius / unit).round() * unit
}

/// Fluid particles that a scene has room for; 0 if it is invalid.
fn capacity(scene: &Scene) -> u32 {
    Setup::new(scene).map_or(0, |setup| setup.capacity() - setup.wall_particles())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOFTWARE: u32 = 10_000;

    #[test]
    fn a_scene_gets_about_the_particles_asked_for() {
        for wanted in [2_000, 20_000] {
            let choice = Choice { particles: Some(wanted), ..Choice::of("dam_break") };
            let scene = choice.load(None).expect("a scene").scene;
            let ratio = f64::from(capacity(&scene)) / f64::from(wanted);
            assert!((0.8..1.25).contains(&ratio), "{ratio}");
        }
    }

    #[test]
    fn a_software_adapter_gets_fewer_and_says_so() {
        let chosen = Choice::of("dam_break").load(Some(SOFTWARE)).expect("a scene");
        assert!(capacity(&chosen.scene) < 2 * SOFTWARE);
        assert!(chosen.reduced_from.is_some_and(|particles| particles > 100_000));
        let small = Choice::of("splash").load(Some(SOFTWARE)).expect("a scene");
        assert!(small.notes.is_empty() && small.reduced_from.is_none());
    }

    #[test]
    fn every_bundled_scene_loads_on_a_software_adapter() {
        for scene in meniscus_formats::SCENES {
            Choice::of(scene.name).load(Some(SOFTWARE)).expect(scene.name);
        }
    }
}
