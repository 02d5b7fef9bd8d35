//! Rewording serde's messages for people who write scenes.

/// Rewords a message of serde or toml as one sentence; an unknown key gets the most similar known
/// one as a suggestion.
pub(crate) fn explain(message: &str) -> String {
    let message = message.trim().replace('\n', ", ");
    for (beginning, what) in [("unknown field", "key"), ("unknown variant", "value")] {
        let Some(rest) = message.strip_prefix(beginning) else { continue };
        let mut names = rest.split('`').skip(1).step_by(2);
        let Some(found) = names.next() else { continue };
        return unknown(what, found, &names.collect::<Vec<_>>());
    }
    // Rust's names of types mean nothing to people who write scenes.
    for (rust, plain) in
        [("expected f64", "expected a number"), ("expected u32", "expected a whole number")]
    {
        if let Some(start) = message.strip_suffix(rust) {
            return format!("{start}{plain}");
        }
    }
    message
}

/// Message for a name that is not among the `known` ones.
pub(crate) fn unknown(what: &str, found: &str, known: &[&str]) -> String {
    let nearest = known
        .iter()
        .map(|name| (strsim::normalized_damerau_levenshtein(found, name), name))
        .filter(|(likeness, _)| *likeness >= 0.5)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    match nearest {
        Some((_, name)) => format!("unknown {what} `{found}`; did you mean `{name}`?"),
        None if known.is_empty() => format!("unknown {what} `{found}`"),
        None => format!("unknown {what} `{found}`; expected one of: {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested() {
        let message = "unknown field `viscosty`, expected one of `name`, `viscosity`";
        assert_eq!(explain(message), "unknown key `viscosty`; did you mean `viscosity`?");
        let message = "unknown variant `dfsph`, expected `muller`";
        assert_eq!(explain(message), "unknown value `dfsph`; expected one of: muller");
        assert_eq!(explain("invalid type\nexpected a float"), "invalid type, expected a float");
        assert_eq!(explain("invalid type, expected f64"), "invalid type, expected a number");
    }
}
