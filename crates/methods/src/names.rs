//! Suggestions for misspelled names.

/// Message for a name that is not among the `known` ones.
#[must_use]
pub fn unknown(what: &str, found: &str, known: &[&str]) -> String {
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
