//! Choosing a scene and its size.

use meniscus::{Scene, raw::Setup};
use meniscus_formats::{LoadOptions, Loaded, load_scene, load_text};

use crate::grouped;

/// The bundled scene that the window and the page open first.
pub const FIRST: &str = "flip_dam";
/// Its number of particles on a GPU.
const FIRST_PARTICLES: u32 = 300_000;
/// Cells of smoke in place of a particle, where their number is limited: smoke takes longer steps.
const CELLS_PER_PARTICLE: u32 = 8;

/// Fewest particles in a layer of an emitter, where their number is limited: a jet of fewer is a row of balls.
const LEAST_LAYER: u32 = 12;

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
    /// Approximate number of fluid particles, or of cells of smoke.
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
    /// Number of particles, or of cells of smoke, that the scene would have on a GPU, if a software adapter gets fewer.
    pub reduced_from: Option<u32>,
}

impl Chosen {
    /// Number of fluid particles that the scene has room for, or of its cells of smoke.
    #[must_use]
    pub fn particles(&self) -> u32 {
        Size::of(&self.scene).count
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
        let size = Size::of(&loaded.scene);
        let most = most.map(|most| if size.of_cells { CELLS_PER_PARTICLE * most } else { most });
        let wanted = match self.particles {
            Some(wanted) => Some(wanted),
            None if most.is_some() => most.filter(|most| size.count > *most),
            None => self.is_first().then_some(FIRST_PARTICLES),
        };
        let mut scene = loaded.scene.clone();
        let mut reduced_from = None;
        if let Some(wanted) = wanted {
            match self.resized(&size, wanted) {
                Ok(mut resized) => {
                    let reduced = self.particles.is_none() && most.is_some();
                    let finer = Size::of(&resized).finer();
                    if reduced && finer > 1.0 {
                        let wanted = (finer * f64::from(wanted)).min(size.count.into()) as u32;
                        resized = self.resized(&size, wanted)?;
                    }
                    let own = if self.is_first() { FIRST_PARTICLES } else { size.count };
                    reduced_from = reduced.then_some(own);
                    scene = resized;
                }
                Err(error) => notes.push(format!(
                    "{} keeps its own size; about {} {} are not possible: {error}",
                    self.source,
                    grouped(wanted.into()),
                    if size.of_cells { "cells" } else { "particles" },
                )),
            }
        }
        Ok(Chosen { choice: self, scene, notes, reduced_from })
    }

    /// Whether this is the scene that opens first, without changes.
    fn is_first(&self) -> bool {
        self.source == FIRST && self.options.set.is_empty()
    }

    /// Chosen scene with another `particle_radius` or `smoke.cell`.
    fn resized(&self, size: &Size, wanted: u32) -> Result<Scene, meniscus_formats::Error> {
        let mut options = self.options.clone();
        options.set.push(format!("{}={:?}", size.key, size.length_for(wanted)));
        Ok(self.load_with(&options)?.scene)
    }

    fn load_with(&self, options: &LoadOptions) -> Result<Loaded, meniscus_formats::Error> {
        let loaded = match &self.text {
            Some(text) => load_text(&self.source, text, options)?,
            None => load_scene(&self.source, options)?,
        };
        loaded.sample_meshes();
        Ok(loaded)
    }
}

const RADIUS: &str = "particle_radius";

/// How finely a scene is resolved.
struct Size {
    /// Fluid particles that it has room for, or cells of smoke; 0 if it is invalid.
    count: u32,
    /// The key that sets the number, and its value in m.
    key: String,
    /// Whether cells are counted rather than particles.
    of_cells: bool,
    length: f64,
    dimensions: u32,
    /// Particles in the smallest layer of its emitters; `None` without emitters.
    layer: Option<u32>,
}

impl Size {
    fn of(scene: &Scene) -> Self {
        let of_particles = |count| Self {
            count,
            key: RADIUS.to_owned(),
            of_cells: false,
            length: scene.particle_radius,
            dimensions: scene.dimensions,
            layer: None,
        };
        match Setup::new(scene) {
            Err(_) => of_particles(0),
            Ok(setup) => match setup.fluid_cells() {
                Some(count) => Self {
                    count,
                    key: format!("{}.cell", setup.chosen.solver().table()),
                    length: setup.params.grid.cell.into(),
                    of_cells: true,
                    dimensions: scene.dimensions,
                    layer: None,
                },
                None => Self {
                    layer: setup.emitters.iter().map(|emitter| emitter.point_count).min(),
                    ..of_particles(setup.capacity() - setup.wall_particles())
                },
            },
        }
    }

    /// Factor on the number of particles that gives every layer of an emitter its least.
    fn finer(&self) -> f64 {
        let ratio =
            self.layer.map_or(1.0, |layer| f64::from(LEAST_LAYER) / f64::from(layer.max(1)));
        let [space, layer] = [self.dimensions, self.dimensions - 1].map(f64::from);
        ratio.powf(space / layer)
    }

    /// The key's value at which there are about `wanted`, to three digits.
    fn length_for(&self, wanted: u32) -> f64 {
        let ratio = f64::from(self.count.max(1)) / f64::from(wanted.max(1));
        let length = self.length * ratio.powf(1.0 / f64::from(self.dimensions));
        let unit = 10f64.powf(length.log10().floor() - 2.0);
        (length / unit).round() * unit
    }
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
            let ratio = f64::from(Size::of(&scene).count) / f64::from(wanted);
            assert!((0.8..1.25).contains(&ratio), "{ratio}");
        }
    }

    #[test]
    fn a_software_adapter_gets_fewer_and_says_so() {
        for scene in [FIRST, "dam_break"] {
            let chosen = Choice::of(scene).load(Some(SOFTWARE)).expect("a scene");
            assert!(chosen.particles() < 2 * SOFTWARE);
            assert!(chosen.reduced_from.is_some_and(|particles| particles > 100_000));
        }
        let small = Choice::of("splash").load(Some(SOFTWARE)).expect("a scene");
        assert!(small.notes.is_empty() && small.reduced_from.is_none());
        let smoke = Choice::of("vortex_rings").load(Some(SOFTWARE)).expect("a scene");
        let most = CELLS_PER_PARTICLE * SOFTWARE;
        assert!((most / 2..most * 2).contains(&smoke.particles()), "{}", smoke.particles());
        assert!(smoke.reduced_from.is_some_and(|cells| cells > 500_000));
    }

    /// A layer of n spacings has about n², so that a part of one is lost at its edge: half of the least is surely there.
    #[test]
    fn a_jet_is_seen_on_a_software_adapter() {
        let mut jets = 0;
        let emits = |scene: &&meniscus_formats::BundledScene| scene.text.contains("[[emitter]]");
        for scene in meniscus_formats::SCENES.iter().filter(emits) {
            let own = Choice::of(scene.name).load(None).expect(scene.name).scene;
            let Some(own) = Size::of(&own).layer else { continue };
            let few = Choice::of(scene.name).load(Some(1_000)).expect(scene.name).scene;
            let few = Size::of(&few).layer.expect("the same emitters");
            assert!(few >= (LEAST_LAYER / 2).min(own), "{}: {few} of {own}", scene.name);
            jets += 1;
        }
        assert!(jets > 5, "{jets} scenes have emitters");
    }

    #[test]
    fn every_bundled_scene_loads_on_a_software_adapter() {
        for scene in meniscus_formats::SCENES {
            Choice::of(scene.name).load(Some(SOFTWARE)).expect(scene.name);
        }
    }
}
