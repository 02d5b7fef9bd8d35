//! The methods chosen by a scene, and what follows from them.

use meniscus_scene::{Boundary, Kernel, Problem, Response, Scene, Settings, Value};

use crate::{
    Axis, Context, Family, KeyKind, Loop, Matter, Method, Quantity, Registry, Scope, Solver, Sound,
    Sph, kernel,
    mpm::{
        implicit,
        materials::{Model, Own},
    },
    stage::Entry,
};

/// Methods chosen by a scene, in the order of the registry.
#[derive(Clone, Debug)]
pub struct Chosen {
    pub(crate) registry: Registry,
    pub(crate) method: &'static Method,
    pub(crate) solver: Solver,
    pub(crate) chosen: Vec<&'static Method>,
    pub(crate) models: Vec<&'static Model>,
    pub(crate) viscous: bool,
    pub(crate) burns: bool,
    pub(crate) settings: Settings,
}

impl Chosen {
    /// Whether a material names a viscosity above 0.
    #[must_use]
    pub fn is_viscous(&self) -> bool {
        self.viscous
    }

    /// Whether a source has fuel.
    #[must_use]
    pub fn burns(&self) -> bool {
        self.burns
    }

    /// The solver.
    #[must_use]
    pub fn solver(&self) -> &'static Method {
        self.method
    }

    /// Properties of a solver of SPH.
    #[must_use]
    pub fn sph(&self) -> Option<&Sph> {
        self.solver.sph.as_ref()
    }

    /// Sound in the fluid, with an equation of state.
    #[must_use]
    pub fn sound(&self) -> Option<&Sound> {
        self.sph()?.sound.as_ref()
    }

    /// Share of the step by which positions move before forces are computed.
    #[must_use]
    pub fn first_drift(&self) -> f64 {
        self.sph().map_or(0.0, |sph| sph.first_drift)
    }

    /// Limit on the step relative to length/(c + v).
    #[must_use]
    pub fn step_share(&self) -> f64 {
        self.solver.step_share
    }

    /// Stages of a step.
    #[must_use]
    pub fn stages(&self, scope: &Scope) -> Vec<Entry> {
        (self.solver.stages)(scope)
    }

    /// Kinematic viscosity in m²/s of materials that name none.
    #[must_use]
    pub fn usual_viscosity(&self, context: &Context<'_>) -> f64 {
        self.sph().map_or(0.0, |sph| (sph.usual_viscosity)(context))
    }

    /// Models of the scene's materials, one for each.
    #[must_use]
    pub fn models(&self) -> &[&'static Model] {
        &self.models
    }

    /// Number of a model in shaders.
    #[must_use]
    pub fn model_number(&self, model: &Model) -> u32 {
        let all = self.registry.models().iter();
        all.take_while(|other| other.name != model.name).count() as u32
    }

    /// Name of a pass of constitutive models, with those of the scene's materials.
    #[must_use]
    pub fn with_models(&self, pass: &str) -> String {
        let used = |model: &&&Model| self.models.iter().any(|own| own.name == model.name);
        let all = self.registry.models().iter().filter(used);
        all.fold(pass.to_owned(), |pass, model| pass + "+" + model.name)
    }

    /// All that were chosen.
    pub fn methods(&self) -> impl Iterator<Item = &'static Method> + '_ {
        self.chosen.iter().copied()
    }

    /// Quantities of particles, in the order of menus: those of all methods, then the chosen
    /// methods' own.
    #[must_use]
    pub fn quantities(&self) -> Vec<Quantity> {
        let own = self.methods().flat_map(|method| method.quantities);
        let of_family = self.family().quantities.iter().copied().flatten();
        of_family.chain(own).copied().collect()
    }

    /// The quantity with this name.
    ///
    /// # Errors
    /// A message that lists the quantities.
    pub fn quantity(&self, name: &str) -> Result<Quantity, String> {
        let all = self.quantities();
        all.iter().find(|quantity| quantity.name == name).copied().ok_or_else(|| {
            let known: Vec<_> = all.iter().map(|quantity| quantity.name).collect();
            format!("unknown quantity `{name}`; this scene has: {}", known.join(", "))
        })
    }

    /// Response of a boundary to particles: the scene's, else by its volume. Sheets have particles, and all boundaries where
    /// one of the methods needs them.
    #[must_use]
    pub fn response(&self, boundary: &Boundary) -> Response {
        let particles =
            boundary.shape.is_sheet() || self.methods().any(|method| method.wall_particles);
        let usual = || match particles {
            true => Response::Particles { friction: 0.0, no_slip: false },
            false => Response::Volume { friction: 0.0, no_slip: false },
        };
        boundary.response.clone().unwrap_or_else(usual)
    }

    /// Friction coefficient of a boundary with the nodes of a grid: that of `response.reflect`; if it names neither a response nor a
    /// contact, as much as all materials have.
    #[must_use]
    pub fn friction(&self, scene: &Scene, boundary: &Boundary) -> f64 {
        if let Some(Response::Reflect { friction, .. }) = boundary.response {
            return friction;
        }
        if boundary.response.is_some() || boundary.contact.is_some() {
            return 0.0;
        }
        let rough = scene.materials.iter().zip(&self.models).map(|(material, model)| {
            let rest_density = material.rest_density;
            (model.roughness)(&Own { material, model, rest_density, expected_speed: 0.0 })
        });
        rough.reduce(f64::min).unwrap_or(0.0)
    }

    /// Family of the solver.
    #[must_use]
    pub fn family(&self) -> &'static Family {
        self.solver.family
    }

    /// Length in m that no signal crosses in a step: the support radius, or the edge of a grid method's cells.
    #[must_use]
    pub fn length(&self, scene: &Scene) -> f64 {
        (self.family().length)(&Context { scene, chosen: self, expected_speed: 0.0 })
    }

    /// Order of the paths along the field, 1 to 3, if the solver has one.
    #[must_use]
    pub fn trace(&self) -> u32 {
        match self.choice(&format!("{}.trace", self.method.table())) {
            "rk1" => 1,
            "rk2" => 2,
            _ => 3,
        }
    }

    /// Name chosen by the scene at `path`, as in `wcsph.density`, or the default.
    #[must_use]
    pub fn choice(&self, path: &str) -> &str {
        if let Some(Value::Text(name)) = self.settings.get(path) {
            return name;
        }
        match self.registry.key(path).map(|(_, key)| key.kind) {
            Some(KeyKind::Choice([(name, _), ..])) => name,
            _ => "",
        }
    }

    /// The scene's settings of methods when they were chosen.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// All registered methods.
    #[must_use]
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Whether pressures are computed by iteration, without sound.
    #[must_use]
    pub fn is_incompressible(&self) -> bool {
        self.sound().is_none()
    }

    /// Loops of all methods, each once with its method, in the order of a step's stages.
    #[must_use]
    pub fn all_loops(&self) -> Vec<(&'static Method, &'static Loop)> {
        let scope = Scope::of_methods(self);
        let mut loops = Vec::new();
        for entry in self.stages(&scope) {
            let Entry::Repeat { name, .. } = entry else { continue };
            if loops.iter().any(|(_, known): &(_, &'static Loop)| known.name == name) {
                continue;
            }
            let all =
                self.methods().flat_map(|method| method.loops.iter().map(move |l| (method, l)));
            loops.extend(all.filter(|(_, found)| found.name == name));
        }
        loops
    }

    /// Names of the loops of all methods, in the order of a step's stages.
    #[must_use]
    pub fn loops(&self) -> Vec<&'static str> {
        self.all_loops().into_iter().map(|(_, found)| found.name).collect()
    }

    /// Friction of a wall's particles, relative to the fluid's viscosity, with which the fluid at the wall moves
    /// with it; h and the particle spacing in m.
    #[must_use]
    pub fn no_slip_friction(&self, kernel: Kernel, h: f64, spacing: f64, dimensions: u32) -> f64 {
        match self.methods().find_map(|method| method.no_slip) {
            Some(friction) => friction(kernel, h, spacing, dimensions),
            None => {
                kernel::no_slip_friction(kernel, h, spacing, dimensions, kernel::laplacian_drag)
            }
        }
    }

    /// Smoothing kernel; the solver's default if the scene sets none, on grids that of the surface's mesh.
    #[must_use]
    pub fn kernel(&self, scene: &Scene) -> Kernel {
        scene.kernel.unwrap_or_else(|| self.sph().map_or(Kernel::CubicSpline, |sph| sph.kernel))
    }

    /// Support radius of the kernel in m; the kernel's usual one if the scene sets none.
    #[must_use]
    pub fn support_radius(&self, scene: &Scene) -> f64 {
        let usual = kernel::usual_support(self.kernel(scene));
        scene.support_radius.unwrap_or(usual * scene.particle_radius)
    }

    /// Name of the walk over neighbours that sums the forces of all chosen methods, with its terms:
    /// viscosities first, then pressure if it acts by a force, then tensions.
    #[must_use]
    pub fn forces(&self) -> String {
        self.walk("sph/forces", &[Axis::Viscosity, Axis::Solver, Axis::Tension], |_| true)
    }

    /// Name of the walk that sums the forces where no material has surface tension.
    #[must_use]
    pub fn forces_without_tension(&self) -> String {
        let acts = |method: &Method| method.axis != Axis::Tension || !method.of_materials;
        self.walk("sph/forces", &[Axis::Viscosity, Axis::Solver, Axis::Tension], acts)
    }

    /// Name of the walk that sums the reactions of these forces except pressure on bodies. Tensions that are not sums over pairs act
    /// on the fluid only.
    #[must_use]
    pub fn reactions(&self) -> String {
        let acts = |method: &Method| method.axis != Axis::Tension || method.reacts;
        self.walk("body/react", &[Axis::Viscosity, Axis::Tension], acts)
    }

    /// Name of the walk that sums the reaction of pressure, if that acts by a force.
    #[must_use]
    pub fn pressure_reaction(&self) -> String {
        self.walk("body/react", &[Axis::Solver], |_| true)
    }

    /// Name of the walk that sums reactions where no material has surface tension.
    #[must_use]
    pub fn reactions_without_tension(&self) -> String {
        self.walk("body/react", &[Axis::Viscosity], |_| true)
    }

    /// A pass with the terms of the chosen methods on these axes that act.
    fn walk(&self, file: &str, axes: &[Axis], acts: impl Fn(&Method) -> bool) -> String {
        let of = |axis: &Axis| {
            let axis = *axis;
            self.methods().filter(move |method| method.axis == axis)
        };
        let acting = axes.iter().flat_map(of).filter(|method| acts(method));
        let terms = acting.filter_map(|method| method.term);
        terms.fold(file.to_owned(), |pass, term| pass + "+" + term)
    }

    /// Whether the materials' viscosity or tension acts.
    #[must_use]
    pub fn materials_have(&self, axis: Axis) -> bool {
        let family = self.family();
        let own = match axis {
            Axis::Viscosity => family.viscous && !family.joins.contains(&axis),
            Axis::Tension => family.tense,
            _ => false,
        };
        own || self.methods().any(|method| method.axis == axis && method.of_materials)
    }

    /// Problem of several methods that are all the viscosity or tension of the materials.
    pub(crate) fn twice(&self, axis: Axis) -> Option<Problem> {
        let same = self.methods().filter(|method| method.axis == axis && method.of_materials);
        let names: Vec<_> = same.map(|method| format!("{:?}", method.name)).collect();
        let (all, what) = (names.join(" and "), axis.name());
        let message = format!(
            "{all} are all the {what} of the materials, which would act twice: name one of them"
        );
        (names.len() > 1).then(|| Problem::new(axis.key(), message))
    }

    /// The limits on the time step of all chosen methods, by name, and the longest step in s of each, for the length in m that no
    /// signal crosses.
    pub fn limits(
        &self,
        length: f64,
        matter: &[Matter],
    ) -> impl Iterator<Item = (&'static str, f64)> + '_ {
        let implicit = implicit::acts(self);
        let of = |(number, matter): (usize, &Matter)| match self.models().get(number) {
            Some(model) if implicit && model.is_stiff => Matter { viscosity: 0.0, ..*matter },
            _ => *matter,
        };
        let matter: Vec<_> = matter.iter().enumerate().map(of).collect();
        let limits = self.methods().filter_map(|method| method.limit);
        limits.map(move |limit| (limit.name, (limit.step)(length, &matter)))
    }

    /// Longest step in s that the chosen methods allow, for the length in m that no signal crosses.
    #[must_use]
    pub fn longest_step(&self, length: f64, matter: &[Matter]) -> f64 {
        self.limits(length, matter).map(|(_, step)| step).fold(f64::INFINITY, f64::min)
    }

    /// Speed of sound in m/s; `None` for an incompressible fluid.
    #[must_use]
    pub fn sound_speed(&self, context: &Context<'_>) -> Option<f64> {
        self.sound().map(|sound| (sound.speed)(context))
    }
}
