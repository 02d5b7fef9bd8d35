//! Models of material points: each is one file here, with its keys, and one in `wgsl/materials`, with its formulas.
//!
//! A material of a scene names its model; `mpm/deform` is composed of the scene's models only.

pub mod jelly;
pub mod muscle;
pub mod paste;
pub mod sand;
pub mod snow;
pub mod water;

use std::fmt::Write as _;

use meniscus_scene::{Material, Value};

use crate::{Key, KeyKind, key::Default};

/// What a material looks like, in pictures and in surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "pictures show each")]
pub enum Look {
    /// Light passes through it.
    Liquid,
    /// A smooth, wet surface.
    Glossy,
    /// A dull surface.
    Matte,
    /// Grains, which are drawn one by one.
    Grains,
}

/// A model of material points; each file of a model has one.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "a model's file builds it")]
pub struct Model {
    /// Name in scene files, and of its file in `wgsl/materials`.
    pub name: &'static str,
    /// Source: the publication.
    pub source: &'static str,
    /// Description in one line.
    pub help: &'static str,
    /// Keys of its materials, beside those of every material.
    pub keys: &'static [Key],
    /// Numbers for its shader, at most [`Model::WORDS`].
    pub numbers: &'static [MaterialNumber],
    /// Speed of sound in m/s at rest.
    pub sound: fn(&Own<'_>) -> f64,
    /// Key that makes sound slower.
    pub softens: &'static str,
    /// Problem of its keys with the largest speed in m/s to expect in the scene: a key and a message.
    pub problem: fn(&Own<'_>, f64) -> Option<(&'static str, String)>,
    /// Largest ρ v² in Pa of an impact that it bears: what hits a wall faster is crushed, however short the steps are.
    /// Infinite where stress grows without bound.
    pub bears: fn(&Own<'_>) -> f64,
    /// Friction coefficient of boundaries that name neither a response nor a contact, where all materials have one.
    pub roughness: fn(&Own<'_>) -> f64,
    /// Whether the viscosity of the material acts.
    pub viscous: bool,
    /// Keys of its viscosity, of models that shear makes thinner or thicker; SPH has these as well.
    pub flow: &'static [&'static str],
    /// Whether it has a tangent for implicit steps, in its shader's file.
    pub is_stiff: bool,
    /// Whether it does work of its own.
    pub works: bool,
    /// Look.
    pub look: Look,
    /// Rest density in kg/m³ of materials that name none.
    pub rest_density: f64,
    /// Colour as sRGB of materials that name none.
    pub color: [f64; 3],
    /// Shader files of a model outside this crate, by name below `wgsl/`.
    pub shaders: &'static [(&'static str, &'static str)],
}

/// A number of a model's shader: `own.NAME`.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "a model's file builds it")]
pub struct MaterialNumber {
    /// Name in shaders.
    pub name: &'static str,
    /// Description, with the unit.
    pub help: &'static str,
    /// Value.
    pub value: fn(&Own<'_>) -> f64,
}

impl MaterialNumber {
    /// A number of this name.
    #[must_use]
    pub const fn new(name: &'static str, help: &'static str, value: fn(&Own<'_>) -> f64) -> Self {
        Self { name, help, value }
    }
}

/// A material, for the functions of its model.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "the setup builds it")]
pub struct Own<'a> {
    /// The material.
    pub material: &'a Material,
    /// Its model.
    pub model: &'static Model,
    /// Rest density in kg/m³, kg/m² in 2-D.
    pub rest_density: f64,
    /// Expected largest speed in m/s.
    pub expected_speed: f64,
}

impl Own<'_> {
    /// The value of a key that the material names.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Value> {
        self.material.keys.get(name)
    }

    /// Number of a key, or its default.
    ///
    /// # Panics
    /// If the model has no such key with a constant default: models query their own.
    #[must_use]
    pub fn number(&self, name: &str) -> f64 {
        if let Some(number) = self.named(name).and_then(Value::number) {
            return number;
        }
        let key = self.model.keys.iter().find(|key| key.name == name);
        match key.map(|key| key.kind) {
            Some(KeyKind::Number { default: Default::Is(value), .. }) => value,
            _ => panic!("{} has no number {name}", self.model.name),
        }
    }

    /// Whether a flag is set.
    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        self.named(name) == Some(&Value::Flag(true))
    }
}

impl Model {
    /// Most numbers of a model.
    pub const WORDS: usize = 8;

    /// A model with a name only.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            source: "",
            help: "",
            keys: &[],
            numbers: &[],
            sound: |_| 0.0,
            softens: "",
            problem: |_, _| None,
            bears: |_| f64::INFINITY,
            roughness: |_| 0.0,
            viscous: false,
            flow: &[],
            is_stiff: false,
            works: false,
            look: Look::Matte,
            rest_density: 1000.0,
            color: [0.8; 3],
            shaders: &[],
        }
    }

    /// Numbers of a material for the shader.
    ///
    /// # Panics
    /// If the model has more numbers than there is room for.
    #[must_use]
    pub fn words(&self, own: &Own<'_>) -> [f32; Self::WORDS] {
        let mut words = [0.0; Self::WORDS];
        for (k, number) in self.numbers.iter().enumerate() {
            words[k] = (number.value)(own) as f32;
        }
        words
    }
}

/// WGSL of the models' numbers: for each a constant `model_NAME`, a struct, and the function `NAME_numbers` that takes it
/// from a material.
#[must_use]
pub fn wgsl(models: &[&Model]) -> String {
    let mut text = String::from("//!include common/params\n");
    for (number, model) in models.iter().enumerate() {
        let name = model.name;
        let _ = writeln!(text, "\n// {}: {}.", model.source, model.help);
        let _ = writeln!(text, "const model_{name}: u32 = {number}u;\n\nstruct Numbers_{name} {{");
        for number in model.numbers {
            let _ = writeln!(text, "    // {}.\n    {}: f32,", number.help, number.name);
        }
        // WGSL has no empty structs.
        if model.numbers.is_empty() {
            text += "    none: f32,\n";
        }
        let lane = |k: usize| format!("m.numbers_{}.{}", k / 4, ["x", "y", "z", "w"][k % 4]);
        let lanes: Vec<_> = (0..model.numbers.len().max(1)).map(lane).collect();
        let _ = writeln!(
            text,
            "}}\n\nfn {name}_numbers(m: MaterialParams) -> Numbers_{name} {{\n    return \
             Numbers_{name}({});\n}}",
            lanes.join(", ")
        );
    }
    text
}

/// What is wrong where a material that flows by its shear names no viscosity.
pub(crate) const LARGEST_VISCOSITY: &str = "must be the largest viscosity of the material in Pa·s, which it has where it is not \
     sheared: a hundred times that where it flows, for example; steps of material points shrink with it";

/// Key of Young's modulus, with a default in Pa.
const fn youngs_modulus(default: f64) -> Key {
    Key::number(
        "youngs_modulus",
        [Key::POSITIVE, Key::LARGEST],
        default,
        "Young's modulus E of jelly (100 kPa), snow (140 kPa) and sand (350 kPa).",
    )
    .unit("Pa")
}

/// Key of Poisson's ratio.
const fn poisson_ratio(default: f64) -> Key {
    Key::number(
        "poisson_ratio",
        [0.0, 0.49],
        default,
        "Poisson's ratio ν of jelly (0.3), snow (0.2) and sand (0.3).",
    )
}

/// Lamé's first parameter λ in Pa.
fn lambda(own: &Own<'_>) -> f64 {
    let (e, nu) = (own.number("youngs_modulus"), own.number("poisson_ratio"));
    e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))
}

/// Shear modulus G in Pa.
fn shear(own: &Own<'_>) -> f64 {
    own.number("youngs_modulus") / (2.0 * (1.0 + own.number("poisson_ratio")))
}

/// λ of a solid's shader.
const LAMBDA: MaterialNumber =
    MaterialNumber::new("lambda", "Lamé's first parameter λ in Pa", lambda);

/// G of a solid's shader.
const SHEAR: MaterialNumber = MaterialNumber::new("shear", "Shear modulus G in Pa", shear);

/// Speed of pressure waves in m/s of a solid, as its shader has the moduli.
fn p_wave(own: &Own<'_>) -> f64 {
    let modulus = f64::from(lambda(own) as f32 + 2.0 * shear(own) as f32);
    (modulus / own.material.rest_density).sqrt()
}
