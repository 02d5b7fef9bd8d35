//! Rewording of serde's messages for users who write scenes.

pub(crate) use meniscus_methods::unknown;

/// Rewords a message of serde or toml as one sentence; for an unknown key, the most similar known
/// one is suggested. At the top level of a scene, the `tables` of methods are known keys, too.
pub(crate) fn explain(message: &str, tables: &[&str]) -> String {
    let message = message.trim().replace('\n', ", ");
    for (beginning, what) in [("unknown field", "key"), ("unknown variant", "value")] {
        let Some(rest) = message.strip_prefix(beginning) else { continue };
        let mut names = rest.split('`').skip(1).step_by(2);
        let Some(found) = names.next() else { continue };
        let mut known: Vec<&str> = names.collect();
        if known.contains(&"solver") {
            known.extend(tables);
        }
        return unknown(what, found, &known);
    }
    let found = message.strip_prefix("invalid length ");
    if let Some(found) = found.and_then(|rest| rest.strip_suffix(", expected an array of length 3"))
    {
        let hint = if found == "2" { "; scenes with dimensions = 2 may leave out z" } else { "" };
        return format!("expected three components, as in [x, y, z], not {found}{hint}");
    }
    // Names of Rust types mean nothing to users who write scenes.
    for (rust, plain) in
        [("expected f64", "expected a number"), ("expected u32", "expected a whole number")]
    {
        if let Some(start) = message.strip_suffix(rust) {
            return format!("{start}{plain}");
        }
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested() {
        let message = "unknown field `viscosty`, expected one of `name`, `viscosity`";
        assert_eq!(explain(message, &[]), "unknown key `viscosty`; did you mean `viscosity`?");
        let message = "unknown field `wcsp`, expected one of `solver`, `gravity`";
        assert_eq!(explain(message, &["wcsph"]), "unknown key `wcsp`; did you mean `wcsph`?");
        let message = "unknown field `x`, expected one of `min`, `max`";
        assert_eq!(explain(message, &["wcsph"]), "unknown key `x`; expected one of: min, max");
        let message = "unknown variant `cubic`, expected `muller`";
        assert_eq!(explain(message, &[]), "unknown value `cubic`; expected one of: muller");
        assert_eq!(
            explain("invalid type\nexpected a float", &[]),
            "invalid type, expected a float"
        );
        assert_eq!(explain("invalid type, expected f64", &[]), "invalid type, expected a number");
    }
}
