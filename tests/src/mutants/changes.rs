//! What is changed: one token or term at a time.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    ops::Range,
};

use super::tokens::{Sort, Token, tokens};

/// A shader file with one change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(clippy::exhaustive_structs, reason = "read by tools")]
pub struct Mutant {
    /// The file's name below `wgsl/`, without extension.
    pub file: String,
    /// The function or constant that is changed.
    pub item: String,
    /// Line that is changed, from 1.
    pub line: usize,
    /// The line as it is, without spaces around it.
    pub from: String,
    /// The line as it becomes.
    pub to: String,
    /// All of the changed text.
    pub text: String,
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "wgsl/{}.wgsl:{}: `{}` as `{}`", self.file, self.line, self.from, self.to)
    }
}

/// Every change of a file.
#[must_use]
pub fn mutants(file: &str, text: &str) -> Vec<Mutant> {
    let tokens = tokens(text);
    let mut mutants: Vec<Mutant> = Vec::new();
    for (place, new) in changes(text, &tokens) {
        let changed = format!("{}{new}{}", &text[..place.start], &text[place.end..]);
        let line = text[..place.start].lines().count().max(1);
        let start = text[..place.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[place.end..].find('\n').map_or(text.len(), |at| place.end + at);
        let moved = end + changed.len() - text.len();
        let mutant = Mutant {
            file: file.to_owned(),
            item: item_at(&tokens, place.start).to_owned(),
            line,
            from: text[start..end].trim().to_owned(),
            to: changed[start..moved].trim().to_owned(),
            text: changed,
        };
        if !mutants.iter().any(|known| known.text == mutant.text) {
            mutants.push(mutant);
        }
    }
    mutants
}

/// The places to replace, each with its replacement.
#[allow(clippy::match_same_arms, reason = "a row for each token reads as a table")]
fn changes(text: &str, tokens: &[Token<'_>]) -> Vec<(Range<usize>, String)> {
    let mut changes = Vec::new();
    let computes = computing(tokens);
    for (k, token) in tokens.iter().enumerate().filter(|(k, _)| computes[*k]) {
        let mut replace = |new: &str| changes.push((token.at.clone(), new.to_owned()));
        let before = k.checked_sub(1).and_then(|k| tokens.get(k));
        let between = before.is_some_and(Token::ends_value);
        match (token.sort, token.text) {
            (Sort::Number, text) => {
                if let Some(new) = other_number(text) {
                    replace(&new);
                }
            }
            (Sort::Mark, "+") => replace("-"),
            (Sort::Mark, "-") => replace(if between { "+" } else { "" }),
            (Sort::Mark, "*") => replace("/"),
            (Sort::Mark, "/") => replace("*"),
            (Sort::Mark, "%") => replace("/"),
            // The other way a counter would never arrive.
            (Sort::Mark, "+=") if !counts(tokens, k) => replace("-="),
            (Sort::Mark, "-=") => replace("+="),
            (Sort::Mark, "<") => replace("<="),
            (Sort::Mark, "<=") => replace("<"),
            // A loop that halves a width would never end.
            (Sort::Mark, ">") if !(is_zero(tokens.get(k + 1)) && in_header(tokens, k)) => {
                replace(">=");
            }
            (Sort::Mark, ">=") => replace(">"),
            (Sort::Mark, "==") => replace("!="),
            (Sort::Mark, "!=") => replace("=="),
            (Sort::Mark, "&&") => replace("||"),
            (Sort::Mark, "||") => replace("&&"),
            (Sort::Mark, "|=") => replace("="),
            (Sort::Mark, "!") => replace(""),
            (Sort::Word, "min") => replace("max"),
            (Sort::Word, "max") => replace("min"),
            (Sort::Word, "floor") => replace("ceil"),
            (Sort::Word, "ceil") => replace("floor"),
            (Sort::Word, "sin") => replace("cos"),
            (Sort::Word, "cos") => replace("sin"),
            (Sort::Word, "abs") => replace(""),
            (Sort::Word, "true") => replace("false"),
            (Sort::Word, "false") => replace("true"),
            (Sort::Word, "x") if is_member(before) => replace("y"),
            (Sort::Word, "y") if is_member(before) => replace("x"),
            (Sort::Word, "z") if is_member(before) => replace("y"),
            (Sort::Word, "w") if is_member(before) => replace("x"),
            (Sort::Word, "xyz") if is_member(before) => replace("yzx"),
            _ => {}
        }
        if ["+", "-"].contains(&token.text) && between {
            changes.push((token.at.start..end_of_term(tokens, k), String::new()));
        }
        if token.text == "[" && between {
            // An index off by one.
            if let Some(close) = closing(tokens, k) {
                changes.push((tokens[close].at.start..tokens[close].at.start, " + 1".to_owned()));
            }
        }
        if ["+=", "-=", "*=", "|="].contains(&token.text) && !counts(tokens, k) {
            changes.push((statement(tokens, k), ";".to_owned()));
        }
        if token.text == "select" {
            changes.extend(negated(text, tokens, k));
        }
    }
    changes
}

/// The name of the function or constant around a place.
fn item_at<'a>(tokens: &[Token<'a>], place: usize) -> &'a str {
    let heads = tokens.windows(2).filter(|pair| ["fn", "const"].contains(&pair[0].text));
    let mut before = heads.filter(|pair| pair[0].at.start <= place);
    before.next_back().map_or("", |pair| pair[1].text)
}

/// The functions and constants that a shader's `main` uses.
pub(super) fn reachable(wgsl: &str) -> BTreeSet<String> {
    let tokens = tokens(wgsl);
    let mut uses: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut item = "";
    for (k, token) in tokens.iter().enumerate().filter(|(_, token)| token.sort == Sort::Word) {
        match token.text {
            "fn" | "const" => item = tokens.get(k + 1).map_or("", |name| name.text),
            name => drop(uses.entry(item).or_default().insert(name)),
        }
    }
    let mut found = BTreeSet::new();
    let mut open = vec!["main"];
    while let Some(name) = open.pop() {
        if found.insert(name.to_owned()) {
            open.extend(
                uses.get(name).into_iter().flatten().filter(|name| uses.contains_key(*name)),
            );
        }
    }
    found
}

fn is_zero(token: Option<&Token<'_>>) -> bool {
    token.is_some_and(|token| token.text == "0u")
}

fn is_member(before: Option<&Token<'_>>) -> bool {
    before.is_some_and(|token| token.text == ".")
}

/// Whether each token is part of what is computed: in the body of a function or the value of a constant.
/// Sizes of workgroups, bindings and the guard of every pass are not.
fn computing(tokens: &[Token<'_>]) -> Vec<bool> {
    let mut depth = 0;
    let mut body = false;
    let mut constant = false;
    let mut computing = Vec::new();
    for (k, token) in tokens.iter().enumerate() {
        match token.text {
            "{" => depth += 1,
            "}" => depth -= 1,
            "fn" | "struct" | "var" if depth == 0 => (body, constant) = (token.text == "fn", false),
            "const" if depth == 0 => (body, constant) = (false, true),
            ";" if depth == 0 => constant = false,
            _ => {}
        }
        let guard = tokens.get(k + 1).is_some_and(|next| next.text == "is_active");
        computing.push(!guard && (constant || (body && depth > 0)));
    }
    computing
}

/// A float that is 1 % more, an integer that is one more.
fn other_number(text: &str) -> Option<String> {
    if text.starts_with("0x") {
        return None;
    }
    if let Some(digits) = text.strip_suffix('u') {
        return Some(format!("{}u", digits.parse::<u32>().ok()?.checked_add(1)?));
    }
    if let Ok(integer) = text.parse::<i32>() {
        return Some((integer.checked_add(1)?).to_string());
    }
    let value: f64 = text.trim_end_matches('f').parse().ok()?;
    Some(if value == 0.0 { "0.01".to_owned() } else { format!("{:?}", (1.01 * value) as f32) })
}

/// Whether the assignment counts a loop: `k += 1u`.
fn counts(tokens: &[Token<'_>], k: usize) -> bool {
    tokens.get(k + 1).is_some_and(|next| next.sort == Sort::Number && next.text.ends_with('u'))
        || in_header(tokens, k)
}

/// Whether the token is in the header of a `for`.
fn in_header(tokens: &[Token<'_>], k: usize) -> bool {
    let mut depth = 0;
    for at in (0..k).rev() {
        match tokens[at].text {
            ")" => depth += 1,
            "(" if depth > 0 => depth -= 1,
            "(" => return at > 0 && tokens[at - 1].text == "for",
            "{" | "}" => return false,
            _ => {}
        }
    }
    false
}

/// The end of the term that begins after the operator `k`.
fn end_of_term(tokens: &[Token<'_>], k: usize) -> usize {
    let mut depth = 0;
    for at in k + 1..tokens.len() {
        let token = &tokens[at];
        match token.text {
            "(" | "[" => depth += 1,
            ")" | "]" if depth > 0 => depth -= 1,
            ")" | "]" => return tokens[at - 1].at.end,
            "-" | "+" if depth == 0 && !tokens[at - 1].ends_value() => {}
            "+" | "-" | "," | ";" | "{" | "<" | ">" | "<=" | ">=" | "==" | "!=" | "&&" | "||"
            | "&" | "|" | "<<" | ">>" | "="
                if depth == 0 =>
            {
                return tokens[at - 1].at.end;
            }
            _ => {}
        }
    }
    tokens[k].at.end
}

/// The place of the bracket that closes the one at `k`.
fn closing(tokens: &[Token<'_>], k: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(k) {
        match token.text {
            "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The statement around the assignment `k`.
fn statement(tokens: &[Token<'_>], k: usize) -> Range<usize> {
    let ends = |token: &&Token<'_>| [";", "{", "}"].contains(&token.text);
    let first = (0..k).rev().find(|at| ends(&&tokens[*at])).map_or(0, |at| at + 1);
    let last = (k..tokens.len()).find(|at| tokens[*at].text == ";").unwrap_or(k);
    tokens[first].at.start..tokens[last].at.end
}

/// The condition of `select(a, b, c)` as its opposite.
fn negated(text: &str, tokens: &[Token<'_>], k: usize) -> Option<(Range<usize>, String)> {
    let close = closing(tokens, k + 1)?;
    let mut depth = 0;
    let mut comma = None;
    for (at, token) in tokens.iter().enumerate().take(close).skip(k + 1) {
        match token.text {
            "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            "," if depth == 1 => comma = Some(at),
            _ => {}
        }
    }
    let place = tokens[comma? + 1].at.start..tokens[close].at.start;
    let condition = &text[place.clone()];
    Some((place, format!("!({condition})")))
}
