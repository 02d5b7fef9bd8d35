//! Building scenes in Rust.

use crate::settings::Value;
use meniscus_geometry::{Cuboid, Shape, Side, Vec3};

use crate::{
    Body, Boundary, Capacity, Domain, Drain, Emitter, Fluid, Force, Inlet, Joint, Material,
    Mooring, Outlet, Response, Scene, Source, Vortex,
};

impl Scene {
    /// Whether there is smoke or air that moves: a source, a vortex or wind; or walls that move where there is nothing else.
    #[must_use]
    pub fn has_smoke(&self) -> bool {
        let is_wind = |force: &Force| matches!(force, Force::Wind { .. });
        let moves = |wall: &Boundary| wall.velocity != [0.0; 3] || !wall.motion.is_empty();
        let heats = |wall: &Boundary| wall.temperature.is_some() || wall.heat_flux.is_some();
        let stirs = |wall: &Boundary| moves(wall) || heats(wall);
        let nothing = self.fluids.is_empty() && self.emitters.is_empty() && self.inlets.is_empty();
        let is_stirred = nothing && self.materials.is_empty() && self.boundaries.iter().any(stirs);
        let is_made =
            !self.sources.is_empty() || !self.vortices.is_empty() || self.initial.is_some();
        is_made || is_stirred || self.forces.iter().any(is_wind)
    }

    /// Empty scene with one material, water, and this particle radius in m (half the particle
    /// spacing). Everything else has the defaults of scene files.
    #[must_use]
    pub fn new(particle_radius: f64) -> Self {
        Self { particle_radius, materials: vec![Material::new("water")], ..Self::default() }
    }

    /// Scene with this pressure solver, as in `dfsph`.
    #[must_use]
    pub fn with_solver(mut self, solver: impl Into<String>) -> Self {
        self.solver = solver.into();
        self
    }

    /// Scene that ends at this time in s.
    #[must_use]
    pub fn with_end(mut self, until: f64) -> Self {
        self.time.until = until;
        self
    }

    /// Scene with this number of frames per second.
    #[must_use]
    pub fn with_fps(mut self, fps: f64) -> Self {
        self.time.fps = fps;
        self
    }

    /// Scene with this gravity in m/s².
    #[must_use]
    pub fn with_gravity(mut self, gravity: Vec3) -> Self {
        self.gravity = gravity;
        self
    }

    /// Scene in the plane z = 0.
    #[must_use]
    pub fn in_2d(mut self) -> Self {
        self.dimensions = 2;
        self
    }

    /// Scene whose grid covers this domain.
    #[must_use]
    pub fn with_domain(mut self, domain: Domain) -> Self {
        self.domain = Some(domain);
        self
    }

    /// Scene in which a program may add and remove fluid while it runs, up to this number of particles at once.
    #[must_use]
    pub fn with_capacity(mut self, particles: u32) -> Self {
        self.capacity = Some(Capacity { particles });
        self
    }

    /// Scene with one more material, or this one in place of another of its name.
    #[must_use]
    pub fn with_material(mut self, material: Material) -> Self {
        match self.materials.iter_mut().find(|known| known.name == material.name) {
            Some(known) => *known = material,
            None => self.materials.push(material),
        }
        self
    }
}

/// Functions that add one element to a list of the scene.
macro_rules! adds {
    ($($(#[$doc:meta])* $name:ident: $list:ident, $element:ident;)*) => {
        impl Scene {
            $($(#[$doc])*
            #[must_use]
            pub fn $name(mut self, one: $element) -> Self {
                self.$list.push(one);
                self
            })*
        }
    };
}

adds! {
    /// Scene with one more body of fluid.
    with_fluid: fluids, Fluid;
    /// Scene with one more solid that particles collide with.
    with_boundary: boundaries, Boundary;
    /// Scene with one more rigid body.
    with_body: bodies, Body;
    /// Scene with one more joint.
    with_joint: joints, Joint;
    /// Scene with one more mooring line.
    with_mooring: moorings, Mooring;
    /// Scene with one more force field.
    with_force: forces, Force;
    /// Scene with one more source of fluid.
    with_emitter: emitters, Emitter;
    /// Scene with one more region that removes fluid.
    with_drain: drains, Drain;
    /// Scene with one more face through which fluid comes in.
    with_inlet: inlets, Inlet;
    /// Scene with one more face through which fluid leaves.
    with_outlet: outlets, Outlet;
    /// Scene with one more source of smoke.
    with_source: sources, Source;
    /// Scene with one more vortex of the air.
    with_vortex: vortices, Vortex;
}

impl Material {
    /// Material with a model of the material point method, as `"snow"`.
    #[must_use]
    pub fn with_model(self, model: impl Into<String>) -> Self {
        Self { model: Some(model.into()), ..self }
    }

    /// Material with a value of a key of its model, as `youngs_modulus`.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.keys.insert(key.into(), value.into());
        self
    }
}

impl Fluid {
    /// Box of fluid between two corners in m, of the first material, at rest.
    #[must_use]
    pub fn block(min: Vec3, max: Vec3) -> Self {
        Self::new(Cuboid { min, max }.into())
    }
}

impl Boundary {
    /// Fixed obstacle.
    #[must_use]
    pub fn obstacle(shape: Shape) -> Self {
        Self { side: Side::Outside, ..Self::container(shape) }
    }

    /// Whether the boundary is an obstacle inside the fluid, which displaces it at the start.
    #[must_use]
    pub fn is_obstacle(&self) -> bool {
        self.side == Side::Outside && !self.shape.is_endless() && !self.shape.is_sheet()
    }

    /// The boundary with a name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The boundary with a name and a layer of particles, by which forces on it are measured.
    #[must_use]
    pub fn measured(self, name: impl Into<String>) -> Self {
        let response = Some(Response::Particles { friction: 0.0, no_slip: false });
        Self { response, ..self.named(name) }
    }

    /// Closed tank between two corners in m.
    #[must_use]
    pub fn tank(min: Vec3, max: Vec3) -> Self {
        Self::container(Cuboid { min, max }.into())
    }
}

#[cfg(test)]
mod tests {
    use meniscus_geometry::Sphere;

    use super::*;

    #[test]
    fn a_scene_put_together_has_no_problems() {
        let scene = Scene::new(0.05)
            .with_material(Material::new("oil"))
            .with_material(Material { viscosity: Some(0.1), ..Material::new("water") })
            .with_fluid(Fluid::block([0.0; 3], [0.5, 0.5, 0.5]))
            .with_boundary(Boundary::tank([0.0; 3], [1.0, 1.0, 0.5]))
            .with_boundary(Boundary::obstacle(Shape::Sphere(Sphere {
                center: [0.75, 0.25, 0.25],
                radius: 0.1,
            })))
            .with_solver("dfsph")
            .with_end(0.5);
        assert_eq!(crate::check::values(&scene, 4.0 * scene.particle_radius), []);
        assert_eq!(crate::check::places(&scene, 4.0 * scene.particle_radius), []);
        let names: Vec<_> = scene.materials.iter().map(|material| &material.name[..]).collect();
        assert_eq!(names, ["water", "oil"]);
        assert_eq!(scene.materials[0].viscosity, Some(0.1));
    }
}
