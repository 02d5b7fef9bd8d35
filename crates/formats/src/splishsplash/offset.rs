//! Place of a value in a JSON text.

use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use crate::key_path::{Step, steps};

/// Byte offset of the value at `path`, or of its nearest existing parent. The text is valid for
/// `serde_json`, which limits its depth.
pub(super) fn of(text: &str, path: &str) -> usize {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default());
    let Some(root) = parsed.ok().and_then(|parsed| parsed.value) else { return 0 };
    let mut value = &root;
    for step in steps(path) {
        let next = match (&step, value) {
            // The last of several equal keys counts.
            (Step::Key(key), Value::Object(object)) => {
                let property =
                    object.properties.iter().rev().find(|property| property.name.as_str() == key);
                property.map(|property| &property.value)
            }
            (Step::Index(index), Value::Array(array)) => array.elements.get(*index),
            _ => None,
        };
        let Some(next) = next else { break };
        value = next;
    }
    value.range().start
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn values_are_found_or_their_nearest_parent() {
        let text = r#" {"a": {"b c": [1, {"d": 2}]}} "#;
        let at = |path: &str| &text[of(text, path)..][..1];
        assert_eq!(at("a.b c[0]"), "1");
        assert_eq!(at("a.b c[1].d"), "2");
        assert_eq!(at("a.b c[7]"), "[");
        assert_eq!(of(text, "nothing"), 1);
        assert_eq!(of("", "a"), 0);
    }
}
