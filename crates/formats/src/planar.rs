//! Vectors of scenes in 2-D, which may leave out their third component.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Tables whose vectors have three components in every scene.
const SPATIAL: [&str; 2] = ["camera", "light"];

/// Completes vectors `[x, y]` of a scene with `dimensions = 2`: numbers by 0, axes by false.
pub(crate) fn complete(root: &mut Spanned<DeTable<'_>>) {
    let flat = |value: &Spanned<DeValue<'_>>| {
        value.get_ref().as_integer().is_some_and(|number| number.as_str() == "2")
    };
    if !root.get_ref().get("dimensions").is_some_and(flat) {
        return;
    }
    for (name, value) in root.get_mut().iter_mut() {
        if !SPATIAL.contains(&&**name.get_ref()) {
            complete_value(value.get_mut());
        }
    }
}

fn complete_value(value: &mut DeValue<'_>) {
    match value {
        DeValue::Table(table) => {
            table.iter_mut().for_each(|(_, value)| complete_value(value.get_mut()));
        }
        DeValue::Array(array) => {
            let all = |is: fn(&DeValue<'_>) -> bool| array.iter().all(|part| is(part.get_ref()));
            let numbers = all(|part| part.is_float() || part.is_integer());
            let last = match array.len() {
                2 if numbers => DeValue::parse("0.0"),
                2 if all(|part| part.is_bool()) => DeValue::parse("false"),
                _ => {
                    array.iter_mut().for_each(|part| complete_value(part.get_mut()));
                    return;
                }
            };
            last.into_iter().for_each(|part| array.push(part));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use crate::scene_toml::scene_from_toml;

    const FLAT: &str = r#"
dimensions = 2
gravity = [0, -9.81]
domain = { min = [0.0, 0], max = [1.0, 1.0], periodic = [true, false] }
[[material]]
name = "water"
[[fluid]]
shape.box = { min = [0.0, 0.0], max = [0.5, 0.5] }
velocity = [1.0, 0.0]
[[boundary]]
shape.box = { min = [0.0, 0.0], max = [1.0, 1.0] }
motion = [{ keyframes = { frames = [{ time = 0.0 }, { time = 1.0, position = [0.1, 0.0] }] } }]
"#;

    #[test]
    fn vectors_in_the_plane_may_have_two_components() {
        let scene = scene_from_toml("flat.toml", FLAT).expect("valid");
        let full = FLAT.replace("0.0]", "0.0, 0.0]").replace("-9.81]", "-9.81, 0.0]");
        let full = full.replace(", 0]", ", 0, 0]").replace("1.0]", "1.0, 0.0]");
        let full = full.replace("0.5]", "0.5, 0.0]").replace(", false]", ", false, false]");
        assert_eq!(scene, scene_from_toml("full.toml", &full).expect("valid"));
        let set = crate::overrides::apply(scene, &["gravity=[1, -2]".into()]).expect("valid");
        assert_eq!(set.gravity, [1.0, -2.0, 0.0]);
    }

    #[test]
    fn in_space_two_are_too_few() {
        let text = FLAT.replace("dimensions = 2\n", "");
        let message = scene_from_toml("space.toml", &text).expect_err("too short").to_string();
        assert!(message.contains("expected three components, as in [x, y, z], not 2"), "{message}");
        assert!(message.contains("dimensions = 2"), "{message}");
    }
}
