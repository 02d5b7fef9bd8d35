//! The sliders of a scene's parameters, described for any user interface.

use meniscus::raw::model::params::{FIELD_ROTATION, FIELD_UNIFORM};

use crate::{Tuning, Value};

/// A parameter that can be changed while the simulation runs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Slider {
    /// Key for [`Tuning::set`], as in `gravity.y`, `material.0.viscosity` or `wcsph.gamma`.
    pub key: String,
    /// Heading above the slider and those that follow it; empty for none.
    pub heading: String,
    /// Name.
    pub label: String,
    /// Unit; empty for pure numbers.
    pub unit: &'static str,
    /// A sentence about it; may be empty.
    pub help: &'static str,
    /// Kind and range.
    pub kind: SliderKind,
    /// Value; 1 and 0 for flags.
    pub value: f64,
}

/// Kind and range of a [`Slider`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SliderKind {
    /// A number. Values beyond the range can be typed.
    Number {
        /// The slider's left end.
        low: f64,
        /// The slider's right end.
        high: f64,
        /// Smallest value above 0 of a logarithmic slider; `None` for a linear one.
        logarithmic: Option<f64>,
    },
    /// A whole number in a range.
    Integer {
        /// Smallest value.
        low: f64,
        /// The slider's right end.
        high: f64,
    },
    /// On or off.
    Flag,
    /// One of the two or three components of a vector, which have the same label.
    Component,
}

impl SliderKind {
    fn linear(low: f64, high: f64) -> Self {
        Self::Number { low, high, logarithmic: None }
    }

    fn logarithmic(low: f64, high: f64, smallest: f64) -> Self {
        Self::Number { low, high, logarithmic: Some(smallest) }
    }
}

/// Longest and shortest step in s of the sliders.
const STEPS: SliderKind = SliderKind::Number { low: 1e-6, high: 0.05, logarithmic: Some(1e-6) };

impl Tuning {
    /// Every slider, in the order of panels. Ranges extend around the values of `scene`.
    #[must_use]
    pub fn sliders(&self, scene: &Self) -> Vec<Slider> {
        let mut sliders = Vec::new();
        self.clone().visit(scene, &mut |slider| sliders.push(slider.clone()));
        sliders
    }

    /// Sets the value of the slider with this key. Returns whether there is one, and the value is
    /// a number that it can take.
    pub fn set(&mut self, scene: &Self, key: &str, value: f64) -> bool {
        let mut found = false;
        self.visit(scene, &mut |slider| {
            if slider.key == key && value.is_finite() {
                slider.value = value;
                found = true;
            }
        });
        found
    }

    /// Calls `change` with each slider, and takes the values that it leaves there.
    fn visit(&mut self, scene: &Self, change: &mut dyn FnMut(&mut Slider)) {
        let flat = scene.dimensions() == 2;
        let axes = if flat { 2 } else { 3 };
        let gravity = [&mut self.gravity.x, &mut self.gravity.y, &mut self.gravity.z];
        for (axis, value) in ["x", "y", "z"].iter().zip(gravity).take(axes) {
            let slider =
                slider(format!("gravity.{axis}"), "Gravity", "m/s²", SliderKind::Component);
            single(change, slider.help("x, y and z"), value);
        }
        let several = self.materials.len() > 1;
        let family = self.family();
        let tense = self.is_tense();
        for (number, (fluid, own)) in self.materials.iter_mut().zip(&scene.materials).enumerate() {
            let key = |name: &str| format!("material.{number}.{name}");
            let usual = |value: f32, otherwise: f64| around(value.into(), otherwise);
            let rest = usual(own.rest_density, 1000.0);
            let kind = SliderKind::logarithmic(0.1 * rest, 10.0 * rest, 1.0);
            let unit = if flat { "kg/m²" } else { "kg/m³" };
            let mut density = slider(key("rest_density"), "Rest density", unit, kind);
            density.heading = if several { fluid.name.clone() } else { String::new() };
            density.help = "ρ0; particles keep their volume, so their mass changes";
            single(change, density, &mut fluid.rest_density);
            let kind = |usual: f64| SliderKind::logarithmic(0.0, 100.0 * usual, 0.01 * usual);
            let viscosity =
                slider(key("viscosity"), "Viscosity", "Pa·s", kind(usual(own.viscosity, 1.0)))
                    .help("Dynamic viscosity μ, that of the method where the scene gives none; high values need small time steps");
            if family.viscous {
                single(change, viscosity, &mut fluid.viscosity);
            }
            let usual = usual(own.surface_tension, 0.0728);
            let tension = slider(key("surface_tension"), "Tension", "N/m", kind(usual)).help(
                "Surface tension σ; water has 0.073 N/m. A scene that begins without any and names no tension.model has \
                 the colour field's, which lets thin drops drift",
            );
            if tense {
                single(change, tension, &mut fluid.surface_tension);
            }
        }
        for (key, own) in self.keys.iter_mut().zip(&scene.keys) {
            let (kind, value) = match (key.value, own.value) {
                (Value::Number(value, [low, high]), Value::Number(own, _)) => {
                    // For keys with a wide range, the slider covers values around the scene's own.
                    let wide = high > 1e3 && own > 0.0;
                    let (from, to) = if wide { (0.01 * own, 10.0 * own) } else { (low, high) };
                    let logarithmic = wide.then_some(1e-6);
                    let (low, high) = (from.max(low), to.min(high));
                    (SliderKind::Number { low, high, logarithmic }, value)
                }
                (Value::Integer(value, low), Value::Integer(own, _)) => {
                    let high = (10 * own.max(10)) as f64;
                    (SliderKind::Integer { low: low as f64, high }, value as f64)
                }
                (Value::Flag(value), _) => (SliderKind::Flag, f64::from(u8::from(value))),
                _ => continue,
            };
            let mut slider = slider(key.path.clone(), &key.label, key.unit, kind).help(key.help);
            slider.value = value;
            change(&mut slider);
            key.value = match key.value {
                Value::Number(_, [low, high]) => {
                    Value::Number(slider.value.clamp(low, high), [low, high])
                }
                Value::Integer(_, low) => Value::Integer((slider.value as i64).max(low), low),
                Value::Flag(_) => Value::Flag(slider.value != 0.0),
            };
        }
        self.visit_time(scene, change);
        for (number, (field, own)) in self.fields.iter_mut().zip(&scene.fields).enumerate() {
            let key = |name: &str| format!("force_field.{number}.{name}");
            if field.kind == FIELD_UNIFORM {
                let direction = &mut field.direction;
                let values = [&mut direction.x, &mut direction.y, &mut direction.z];
                for (axis, value) in ["x", "y", "z"].iter().zip(values) {
                    let slider = slider(key(axis), "Force", "m/s²", SliderKind::Component);
                    single(change, slider.help("Uniform acceleration"), value);
                }
                continue;
            }
            let (name, unit) = match field.kind {
                FIELD_ROTATION => ("Swirl", "1/s²"),
                _ => ("Attraction", "m/s²"),
            };
            let most = 5.0 * around(own.strength.abs().into(), 10.0);
            let strength = slider(key("strength"), name, unit, SliderKind::linear(-most, most));
            single(change, strength, &mut field.strength);
            let own = f64::from(own.radius);
            let kind = SliderKind::logarithmic(0.1 * own, 10.0 * own, 1e-4);
            single(change, slider(key("radius"), "  radius", "m", kind), &mut field.radius);
        }
    }

    fn visit_time(&mut self, scene: &Self, change: &mut dyn FnMut(&mut Slider)) {
        let fixed = self.fixed_step > 0.0;
        let mut switch = slider("time.fixed".into(), "Fixed step", "", SliderKind::Flag)
            .help("A fixed time step, in place of adaptive ones by the CFL condition");
        switch.value = f64::from(u8::from(fixed));
        change(&mut switch);
        if (switch.value != 0.0) != fixed {
            let some = around(scene.fixed_step.into(), 0.2 * f64::from(scene.max_step));
            self.fixed_step = if fixed { 0.0 } else { some as f32 };
        }
        if fixed {
            single(change, slider("time.step".into(), "Δt", "s", STEPS), &mut self.fixed_step);
            return;
        }
        let most = if self.family().long_steps { scene.cfl.max(1.0) } else { 2.0 };
        let cfl = slider("time.cfl".into(), "CFL", "", SliderKind::linear(0.05, most.into()))
            .help("Factor on every limit of the time step; may be unstable above 1");
        single(change, cfl, &mut self.cfl);
        single(change, slider("time.max_step".into(), "Max Δt", "s", STEPS), &mut self.max_step);
    }
}

impl Slider {
    fn help(mut self, help: &'static str) -> Self {
        self.help = help;
        self
    }
}

fn slider(key: String, label: &str, unit: &'static str, kind: SliderKind) -> Slider {
    let (heading, label) = (String::new(), label.to_owned());
    Slider { key, heading, label, unit, help: "", kind, value: 0.0 }
}

/// A slider of an f32. Values outside the range are kept inside it, since a negative viscosity, say,
/// has no meaning.
fn single(change: &mut dyn FnMut(&mut Slider), mut slider: Slider, value: &mut f32) {
    slider.value = f64::from(*value);
    change(&mut slider);
    if slider.value != f64::from(*value) {
        *value = match slider.kind {
            SliderKind::Number { low, high, .. } => slider.value.clamp(low, high.max(low)) as f32,
            _ => slider.value as f32,
        };
    }
}

/// The scene's value, around which a slider's range extends, or a default if it is 0.
fn around(value: f64, otherwise: f64) -> f64 {
    if value > 0.0 { value } else { otherwise }
}

#[cfg(test)]
mod tests {
    use meniscus::raw::Setup;
    use meniscus_formats::SCENES;

    use super::*;

    fn tuning(scene: &str) -> Tuning {
        let scene = crate::coarse(scene);
        Tuning::of(&scene, &Setup::new(&scene).expect("valid"))
    }

    /// Of DFSPH without a viscosity it is 0.005 h v ρ0, v = √(2 g H): the velocity filter of Bender and Koschier.
    #[test]
    fn a_slider_shows_the_viscosity_that_is_used() {
        let text = "dimensions = 2\nparticle_radius = 0.02\n[[material]]\nname = \"water\"\n[[fluid]]\n\
                    shape.box = { min = [0.0, 0.0], max = [0.8, 0.4] }";
        let choice = crate::Choice { text: Some(text.into()), ..crate::Choice::of("water.toml") };
        let scene = choice.load(None).expect("a scene").scene;
        let own = Tuning::of(&scene, &Setup::new(&scene).expect("valid"));
        let sliders = own.sliders(&own);
        let shown = sliders.iter().find(|slider| slider.key == "material.0.viscosity");
        let (shown, due) = (shown.expect("a slider").value, 0.4 * (2.0 * 9.81 * 0.4_f64).sqrt());
        assert!((shown / due - 1.0).abs() < 1e-3, "{shown} Pa s, due {due}");
    }

    #[test]
    fn every_slider_of_every_scene_sets_what_it_shows_and_nothing_else() {
        for scene in SCENES {
            let own = tuning(scene.name);
            let before = own.sliders(&own);
            let keys: std::collections::BTreeSet<_> = before.iter().map(|s| &s.key).collect();
            assert_eq!(keys.len(), before.len(), "{}: keys are unique", scene.name);
            for (place, slider) in before.iter().enumerate() {
                let wanted = match slider.kind {
                    SliderKind::Number { low, high, .. } if slider.value == high => low,
                    SliderKind::Number { high, .. } | SliderKind::Integer { high, .. } => high,
                    // This one shows other sliders.
                    SliderKind::Flag if slider.key == "time.fixed" => continue,
                    SliderKind::Flag => 1.0 - slider.value,
                    SliderKind::Component => slider.value + 1.0,
                };
                let mut changed = own.clone();
                assert!(changed.set(&own, &slider.key, wanted), "{}", slider.key);
                let after = changed.sliders(&own);
                for (k, (a, b)) in before.iter().zip(&after).enumerate() {
                    let expected = if k == place { wanted } else { a.value };
                    let error = (b.value - expected).abs();
                    assert!(error <= 1e-6 * expected.abs(), "{}: {}", scene.name, b.key);
                }
            }
        }
    }

    #[test]
    fn what_has_no_meaning_is_refused() {
        let own = tuning("dam_break");
        let mut changed = own.clone();
        assert!(!changed.set(&own, "material.9.viscosity", 1.0));
        assert!(!changed.set(&own, "time.cfl", f64::NAN));
        assert_eq!(changed, own);
        assert!(changed.set(&own, "material.0.viscosity", -1.0));
        assert_eq!(changed.materials[0].viscosity, 0.0);
        assert!(changed.set(&own, "time.fixed", 1.0));
        assert!(changed.fixed_step > 0.0 && changed.sliders(&own).iter().any(|s| s.label == "Δt"));
    }
}
