//! Queries of methods about a scene, for the setup.

use meniscus_scene::{Kernel, Material, Scene, Value};

use crate::{
    Axis, Chosen, KeyKind, Matter, key,
    mpm::{implicit, materials::Model},
};

/// A scene, its methods, and its expected speed.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The scene.
    pub scene: &'a Scene,
    /// Methods of the scene.
    pub chosen: &'a Chosen,
    /// Expected largest speed in m/s, such as √(2 g H) of fluid that falls by its height H. Sound is by default ten times as
    /// fast, which keeps changes of density near 1 % (Monaghan 1994).
    pub expected_speed: f64,
}

impl Context<'_> {
    /// Support radius in m.
    #[must_use]
    pub fn support_radius(&self) -> f64 {
        self.chosen.support_radius(self.scene)
    }

    /// The smoothing kernel.
    #[must_use]
    pub fn kernel(&self) -> Kernel {
        self.chosen.kernel(self.scene)
    }

    /// Whether the scene sets the key at `path`, as in `wcsph.gamma`.
    #[must_use]
    pub fn names(&self, path: &str) -> bool {
        self.scene.settings.get(path).is_some()
    }

    /// Value of the number at `path`, or its default.
    ///
    /// # Panics
    /// If no method has this key, or if it is not a number: methods query their own keys.
    #[must_use]
    pub fn number(&self, path: &str) -> f64 {
        if let Some(number) = self.scene.settings.get(path).and_then(Value::number) {
            return number;
        }
        let (_, key) = self.chosen.registry().key(path).unwrap_or_else(|| panic!("no key {path}"));
        match key.kind {
            KeyKind::Number { default: key::Default::Is(value), .. } => value,
            KeyKind::Number { default: key::Default::By(value, _), .. } => value(self),
            KeyKind::Integer { default, .. } => default as f64,
            _ => panic!("{path} is not a number"),
        }
    }

    /// Properties of the scene's materials, rounded as in shaders.
    #[must_use]
    pub fn matter(&self) -> Vec<Matter> {
        let usual = self.chosen.usual_viscosity(self);
        let round = |value: f64| f64::from(value as f32);
        let drag = f64::from(u8::from(self.chosen.materials_have(Axis::Viscosity)));
        let of = |material: &Material| Matter {
            rest_density: round(material.rest_density),
            viscosity: round(drag * material.viscosity.unwrap_or(usual * material.rest_density)),
            surface_tension: round(material.surface_tension),
        };
        self.scene.materials.iter().map(of).collect()
    }

    /// Share of the speed of sound of a model that limits the steps.
    #[must_use]
    pub fn sound_share(&self, model: &Model) -> f64 {
        implicit::sound_share(self.chosen, model.is_stiff, |key| self.number(key))
    }

    /// Value of a flag.
    #[must_use]
    pub fn flag(&self, path: &str) -> bool {
        matches!(self.scene.settings.get(path), Some(Value::Flag(true)))
    }

    /// Name chosen by the scene at `path`, or the default.
    ///
    /// # Panics
    /// If no method has this key, or if it is not a choice.
    #[must_use]
    pub fn choice(&self, path: &str) -> &str {
        if let Some(Value::Text(name)) = self.scene.settings.get(path) {
            return name;
        }
        let (_, key) = self.chosen.registry().key(path).unwrap_or_else(|| panic!("no key {path}"));
        match key.kind {
            KeyKind::Choice(choices) => choices[0].0,
            _ => panic!("{path} is not a choice"),
        }
    }
}
