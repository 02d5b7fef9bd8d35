//! WGSL as tokens, as far as changing one of them needs it.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Word,
    Number,
    Mark,
}

/// A token and where in the text it is.
#[derive(Clone, Debug)]
pub(super) struct Token<'a> {
    pub(super) sort: Sort,
    pub(super) text: &'a str,
    pub(super) at: Range<usize>,
}

impl Token<'_> {
    /// Whether a value may end with this token, so that a sign after it is an operator between two.
    pub(super) fn ends_value(&self) -> bool {
        match self.sort {
            Sort::Word => !["return", "case", "else", "in"].contains(&self.text),
            Sort::Number => true,
            Sort::Mark => [")", "]"].contains(&self.text),
        }
    }
}

/// Marks of more than one character, longest first.
const LONG: &[&str] = &[
    "<<=", ">>=", "->", "++", "--", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "+=", "-=",
    "*=", "/=", "%=", "&=", "|=", "^=",
];

/// The tokens of a text, without comments. `<` and `>` about the parameters of a type are left out with
/// what is between them, since nothing there can be changed and stay valid.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if first.is_whitespace() {
            first.len_utf8()
        } else if first == '<' && tokens.last().is_some_and(takes_parameters) {
            parameters(rest)
        } else {
            let (sort, length) = token(rest, first);
            tokens.push(Token { sort, text: &rest[..length], at: at..at + length });
            length
        };
        at += length;
    }
    tokens
}

fn token(rest: &str, first: char) -> (Sort, usize) {
    let while_true = |holds: &dyn Fn(char) -> bool| {
        rest.char_indices().find(|(_, c)| !holds(*c)).map_or(rest.len(), |(at, _)| at)
    };
    if first.is_ascii_digit() {
        let mut length = while_true(&|c| c.is_ascii_alphanumeric() || c == '.');
        // 1e-6, but not 0x1e-6.
        let signed = rest[length..].starts_with(['-', '+']) && !rest.starts_with("0x");
        if signed && rest[..length].ends_with(['e', 'E']) {
            let digits = rest[length + 1..].chars().take_while(char::is_ascii_digit).count();
            length += 1 + digits;
        }
        (Sort::Number, length)
    } else if first.is_alphabetic() || first == '_' {
        (Sort::Word, while_true(&|c| c.is_alphanumeric() || c == '_'))
    } else {
        let long = LONG.iter().find(|mark| rest.starts_with(**mark));
        (Sort::Mark, long.map_or(first.len_utf8(), |mark| mark.len()))
    }
}

/// Whether `<` after this token begins the parameters of a type.
fn takes_parameters(token: &Token<'_>) -> bool {
    let names = ["array", "atomic", "bitcast", "ptr", "var", "vec2", "vec3", "vec4"];
    names.contains(&token.text) || token.text.starts_with("mat")
}

/// The length of `<…>`.
fn parameters(rest: &str) -> usize {
    let mut depth = 0;
    for (at, c) in rest.char_indices() {
        depth += match c {
            '<' => 1,
            '>' => -1,
            _ => 0,
        };
        if depth == 0 {
            return at + 1;
        }
    }
    rest.len()
}
