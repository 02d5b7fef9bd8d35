//! Suggestions for misspelled names.

/// The one of the `known` names that is most like the one found, if one is.
#[must_use]
pub fn nearest<'a>(found: &str, known: &[&'a str]) -> Option<&'a str> {
    let likeness = |name: &&'a str| (strsim::normalized_damerau_levenshtein(found, name), *name);
    let like = known.iter().map(likeness).filter(|(likeness, _)| *likeness >= 0.5);
    like.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name)
}

/// Message for a name that is not among the `known` ones.
#[must_use]
pub fn unknown(what: &str, found: &str, known: &[&str]) -> String {
    match nearest(found, known) {
        Some(name) => format!("unknown {what} `{found}`; did you mean `{name}`?"),
        None if known.is_empty() => format!("unknown {what} `{found}`"),
        None => format!("unknown {what} `{found}`; expected one of: {}", known.join(", ")),
    }
}
