//! Key paths, as in `fluid[0].shape.box.min`.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Key of a table.
    Key(String),
    /// Index of an array element, from 0.
    Index(usize),
}

/// Steps of a path. Both `a[0].b` and `a.0.b` name an element; anything that is not a number is a
/// key.
pub(crate) fn steps(path: &str) -> Vec<Step> {
    path.split(['.', '[', ']'])
        .filter(|step| !step.is_empty())
        .map(|step| step.parse().map_or_else(|_| Step::Key(step.trim().to_owned()), Step::Index))
        .collect()
}

/// Whether one path equals the other or is a prefix of it.
pub(crate) fn related(a: &str, b: &str) -> bool {
    steps(a).iter().zip(&steps(b)).all(|(a, b)| a == b)
}

/// Byte offset in a TOML text of the value at `path`, or of its nearest existing parent.
pub(crate) fn toml_offset(text: &str, path: &str) -> usize {
    let Ok(root) = DeTable::parse(text) else { return 0 };
    let mut found = 0;
    let mut table = Some(root.get_ref());
    let mut array = None;
    for step in steps(path) {
        let value: Option<&Spanned<DeValue<'_>>> = match (&step, table, array) {
            (Step::Key(key), Some(table), _) => {
                let entry = table.iter().find(|(name, _)| name.get_ref() == key.as_str());
                entry.map(|(name, value)| {
                    found = start(name.span(), value);
                    value
                })
            }
            (Step::Index(index), _, Some(array)) => {
                let array: &toml::de::DeArray<'_> = array;
                array.get(*index).inspect(|value| found = value.span().start)
            }
            _ => None,
        };
        let Some(value) = value else { break };
        table = value.get_ref().as_table();
        array = value.get_ref().as_array();
    }
    found
}

/// Path of the value of a TOML text that begins at a byte offset, or else of the innermost one around it; empty at the root.
pub(crate) fn toml_path(text: &str, offset: usize) -> String {
    /// The path, and whether its value begins at the offset.
    type Found = (String, bool);
    fn within(value: &Spanned<DeValue<'_>>, path: String, offset: usize, found: &mut Found) {
        // A table that has no line of its own begins where one in it does.
        let (span, (known, begins)) = (value.span(), &*found);
        if span.contains(&offset) && !begins && steps(&path).len() > steps(known).len() {
            *found = (path.clone(), span.start == offset);
        }
        match value.get_ref() {
            DeValue::Table(table) => all(table, &path, offset, found),
            DeValue::Array(array) => {
                for (number, element) in array.iter().enumerate() {
                    within(element, format!("{path}[{number}]"), offset, found);
                }
            }
            _ => {}
        }
    }
    fn all(table: &DeTable<'_>, path: &str, offset: usize, found: &mut Found) {
        for (name, value) in table {
            let dot = if path.is_empty() { "" } else { "." };
            within(value, format!("{path}{dot}{}", name.get_ref()), offset, found);
        }
    }
    let mut found = (String::new(), false);
    if let Ok(root) = DeTable::parse(text) {
        all(root.get_ref(), "", offset, &mut found);
    }
    found.0
}

/// The place of a table is its key; that of any other value is the value itself.
fn start(key: Range<usize>, value: &Spanned<DeValue<'_>>) -> usize {
    if value.get_ref().is_table() { key.start } else { value.span().start }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_notations_name_elements() {
        assert_eq!(steps("material[1].viscosity"), steps("material.1.viscosity"));
        assert_eq!(steps("a[1]"), [Step::Key("a".into()), Step::Index(1)]);
        assert!(steps("").is_empty());
    }

    #[test]
    fn related_paths_share_a_beginning() {
        assert!(related("fluid[0].shape", "fluid[0].shape.box.min"));
        assert!(related("fluid[0].shape.box.min[1]", "fluid.0.shape.box.min"));
        assert!(!related("fluid[0]", "fluid[1].shape"));
    }

    #[test]
    fn values_are_found_or_their_nearest_parent() {
        let text = "a = 1\n[[b]]\nc = [1, 2]\n[[b]]\nd = { e = 5 }\n[f]\ng.h = 3\n";
        let at = |path: &str| {
            let offset = toml_offset(text, path);
            text[offset..].lines().next().unwrap_or("")
        };
        assert_eq!(at("a"), "1");
        assert_eq!(at("b[0].c[1]"), "2]");
        assert_eq!(at("b[1].d.e"), "5 }");
        assert_eq!(at("b[1].d.zzz"), "d = { e = 5 }");
        assert_eq!(at("b[1].zzz"), "[[b]]");
        assert_eq!(toml_offset(text, "b[1]"), 23);
        assert_eq!(at("f.g.h"), "3");
        assert_eq!(at("f.zzz"), "f]");
        assert_eq!(at("nothing"), "a = 1");
    }
}
