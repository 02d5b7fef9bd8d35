//! Surface data that a view mode needs in addition to the particles.

use meniscus::{Error, FluidMesh, Gpu, Shaders, Simulation, Splats, SurfaceOptions};
use meniscus_render::{FluidBuffers, MeshBuffers, Mode, SplatBuffers};

/// Surface data of the current view mode.
#[derive(Debug)]
pub(crate) enum FluidSurface {
    /// None: the mode draws particles.
    None,
    /// Triangle meshes.
    Meshes(Vec<FluidMesh>),
    /// Surface normals of splats.
    Splats(Box<Splats>),
}

impl FluidSurface {
    /// Creates the data that `mode` needs.
    pub(crate) fn new(
        gpu: &Gpu,
        simulation: &Simulation,
        (mode, options): (Mode, SurfaceOptions),
        shaders: &Shaders,
    ) -> Result<Self, Error> {
        match mode {
            Mode::Surface => {
                let materials = simulation.setup().smooth_materials();
                let surfaces = FluidMesh::of_materials_with_shaders(
                    gpu, simulation, &options, &materials, shaders,
                )?;
                Ok(Self::Meshes(surfaces))
            }
            Mode::Splats => Ok(Self::Splats(Box::new(Splats::with_shaders(simulation, shaders)?))),
            _ => Ok(Self::None),
        }
    }

    /// Computes the surface of the current particles.
    pub(crate) async fn extract(&mut self, simulation: &Simulation) -> Result<(), Error> {
        match self {
            Self::None => {}
            Self::Meshes(surfaces) => {
                for surface in surfaces {
                    surface.fit(simulation).await?;
                }
            }
            Self::Splats(splats) => splats.extract(simulation)?,
        }
        Ok(())
    }

    /// Adds the surface's buffers to a fluid.
    pub(crate) fn attach_to(&self, fluid: FluidBuffers) -> FluidBuffers {
        match self {
            Self::None => fluid,
            Self::Meshes(surfaces) => {
                fluid.with_surfaces(surfaces.iter().map(MeshBuffers::of).collect())
            }
            Self::Splats(splats) => fluid.with_splats(Some(SplatBuffers::of(splats))),
        }
    }

    /// Names and sizes in bytes of its buffers.
    pub(crate) fn memory(&self) -> Vec<(String, u64)> {
        let own = |(name, bytes): (&str, u64)| (name.to_owned(), bytes);
        match self {
            Self::None => Vec::new(),
            Self::Meshes(surfaces) => {
                let memory =
                    |surface: &FluidMesh| surface.machine().memory().map(own).collect::<Vec<_>>();
                surfaces.iter().flat_map(memory).collect()
            }
            Self::Splats(splats) => [splats.position(), splats.normal(), splats.material()]
                .iter()
                .zip(["splat_position", "splat_normal", "splat_material"])
                .map(|(buffer, name)| (name.to_owned(), buffer.size()))
                .collect(),
        }
    }

    /// Whether there is a surface to update after each step.
    pub(crate) fn is_some(&self) -> bool {
        !matches!(self, Self::None)
    }
}
