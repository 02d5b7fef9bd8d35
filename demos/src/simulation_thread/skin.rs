//! The fluid's surface, made when somebody looks at it.

use meniscus::{Error, Gpu, Simulation, Splats, Surface, SurfaceOptions, shaders::Shaders};
use meniscus_render::{Fluid, MeshBuffers, Mode, SplatBuffers};

use crate::executor::block_on;

/// What a mode of drawing needs besides the particles.
#[derive(Debug)]
pub(super) enum Skin {
    /// Nothing.
    None,
    /// A mesh.
    Mesh(Box<Surface>),
    /// Discs.
    Splats(Box<Splats>),
}

impl Skin {
    /// What a mode needs.
    pub(super) fn new(
        gpu: &Gpu,
        simulation: &Simulation,
        (mode, options): (Mode, SurfaceOptions),
        shaders: &Shaders,
    ) -> Result<Self, Error> {
        match mode {
            Mode::Surface => {
                let surface = Surface::with_shaders(gpu, simulation, &options, shaders)?;
                Ok(Self::Mesh(Box::new(surface)))
            }
            Mode::Splats => Ok(Self::Splats(Box::new(Splats::with_shaders(simulation, shaders)?))),
            _ => Ok(Self::None),
        }
    }

    /// Makes it of the particles as they are.
    pub(super) fn extract(&mut self, gpu: &Gpu, simulation: &Simulation) -> Result<(), Error> {
        match self {
            Self::None => {}
            Self::Mesh(surface) => {
                block_on(gpu, surface.fit(simulation))?;
            }
            Self::Splats(splats) => splats.extract(simulation)?,
        }
        Ok(())
    }

    /// The fluid with it on.
    pub(super) fn put_on(&self, fluid: Fluid) -> Fluid {
        match self {
            Self::None => fluid,
            Self::Mesh(surface) => {
                let buffer = |name| surface.machine().buffer(name).cloned();
                let mesh = (|| {
                    Some(MeshBuffers {
                        surface_position: buffer("surface_position")?,
                        surface_normal: buffer("surface_normal")?,
                        surface_index: buffer("surface_index")?,
                        surface_draw: buffer("surface_draw")?,
                    })
                })();
                fluid.with_mesh(mesh)
            }
            Self::Splats(splats) => fluid.with_splats(Some(SplatBuffers {
                splat_position: splats.position().clone(),
                splat_normal: splats.normal().clone(),
            })),
        }
    }

    /// Bytes of its buffers by name.
    pub(super) fn memory(&self) -> Vec<(String, u64)> {
        let own = |(name, bytes): (&str, u64)| (name.to_owned(), bytes);
        match self {
            Self::None => Vec::new(),
            Self::Mesh(surface) => surface.machine().memory().map(own).collect(),
            Self::Splats(splats) => [splats.position(), splats.normal()]
                .iter()
                .zip(["splat_position", "splat_normal"])
                .map(|(buffer, name)| (name.to_owned(), buffer.size()))
                .collect(),
        }
    }

    /// Whether drawing needs it made anew after each step.
    pub(super) fn is_some(&self) -> bool {
        !matches!(self, Self::None)
    }
}
