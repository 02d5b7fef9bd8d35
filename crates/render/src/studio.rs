//! Pictures of a simulation, with the surfaces or splats that their view shows.

use image::RgbaImage;
use meniscus::{FluidMesh, Gpu, Scene, Simulation, Splats, SurfaceOptions};

use crate::{Camera, Error, FluidBuffers, MeshBuffers, Mode, Offscreen, SplatBuffers, View};

/// Iterations of smoothing, which with anisotropic kernels make the mesh look like water rather than particles.
const SMOOTHING: u32 = 16;

/// Draws pictures of one size and mode of a simulation.
#[derive(Debug)]
pub struct Studio {
    offscreen: Offscreen,
    surfaces: Vec<FluidMesh>,
    splats: Option<Splats>,
    outside: u32,
    world: u32,
    /// Surfaces of files, in place of its own.
    stored: Option<Vec<MeshBuffers>>,
}

impl Studio {
    /// Options of surfaces in pictures where the user gives none.
    #[must_use]
    pub fn usual_surface() -> SurfaceOptions {
        SurfaceOptions { smoothing: SMOOTHING, anisotropic: true, ..SurfaceOptions::default() }
    }

    /// What is needed for pictures of `size` pixels in this mode.
    ///
    /// # Errors
    /// [`Error::Size`]; [`Error::Gpu`] for options out of range, or a device error.
    pub fn new(
        gpu: &Gpu,
        simulation: &Simulation,
        size: [u32; 2],
        mode: Mode,
        options: &SurfaceOptions,
    ) -> Result<Self, Error> {
        let surfaces = (mode == Mode::Surface).then(|| {
            let materials = simulation.setup().smooth_materials();
            FluidMesh::of_materials(gpu, simulation, options, &materials)
        });
        let splats = (mode == Mode::Splats).then(|| Splats::new(simulation));
        Ok(Self {
            offscreen: Offscreen::new(gpu, size)?,
            surfaces: surfaces.transpose()?.unwrap_or_default(),
            splats: splats.transpose()?,
            outside: 0,
            world: 0,
            stored: None,
        })
    }

    /// Draws the current state and reads the picture back.
    ///
    /// # Errors
    /// [`Error::Gpu`], [`Error::Quantity`].
    pub async fn picture(
        &mut self,
        simulation: &Simulation,
        view: &View,
    ) -> Result<RgbaImage, Error> {
        let mut fluid = FluidBuffers::of(simulation).in_world(simulation, self.world);
        if let Some(splats) = &mut self.splats {
            splats.extract(simulation)?;
            fluid = fluid.with_splats(Some(SplatBuffers::of(splats)));
        }
        self.outside = 0;
        if let Some(stored) = &self.stored {
            fluid = fluid.with_surfaces(stored.clone());
            return self.offscreen.picture(&fluid, view).await;
        }
        for surface in &mut self.surfaces {
            surface.fit(simulation).await?;
            self.outside += surface.outside().await?;
        }
        fluid = fluid.with_surfaces(self.surfaces.iter().map(MeshBuffers::of).collect());
        self.offscreen.picture(&fluid, view).await
    }

    /// Sets the world that pictures show, of a scene with several; the first one before.
    pub fn set_world(&mut self, world: u32) {
        self.world = world;
    }

    /// Sets surfaces that pictures show in place of those of the particles.
    pub fn set_surfaces(&mut self, stored: Vec<MeshBuffers>) {
        self.stored = Some(stored);
    }

    /// Number of particles beyond the domain, which the surfaces of the last picture left out.
    #[must_use]
    pub fn outside(&self) -> u32 {
        self.outside
    }
}

impl Camera {
    /// The scene's camera at the simulation's time, or else one that shows the whole scene in a picture of `size` pixels.
    #[must_use]
    pub fn of_scene(scene: &Scene, simulation: &Simulation, size: [u32; 2]) -> Self {
        let [width, height] = size.map(f64::from);
        let mut camera = FluidBuffers::of(simulation).camera(width / height);
        if let Some(own) = &scene.camera {
            let (eye, target, fov) = own.at(simulation.time());
            camera.eye = eye.into();
            camera.target = target.into();
            camera.fov_y = fov.to_radians();
        }
        camera
    }
}
