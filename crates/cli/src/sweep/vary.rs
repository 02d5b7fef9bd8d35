//! `--vary KEY=VALUES`: what a key is set to, one value after the other.

use toml::Value;

use crate::Failure;

/// Most values of one key.
const MOST: usize = 100_000;

/// A key and its values.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    pub(super) key: String,
    pub(super) values: Vec<Choice>,
}

/// A value, as `--set` takes it and as TOML.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Choice {
    pub(super) text: String,
    pub(super) value: Value,
}

impl Axis {
    /// Reads `KEY=VALUES`: values and ranges `FROM..TO:COUNT`, separated by commas.
    pub(super) fn parse(text: &str) -> Result<Self, Failure> {
        let fail = |message: String| Failure::Input(format!("--vary {text}: {message}"));
        let Some((key, list)) = text.split_once('=') else {
            let form = "expected KEY=VALUES, as in time.cfl=0.2,0.4 or time.cfl=0.2..0.6:5";
            return Err(fail(form.into()));
        };
        let mut values = Vec::new();
        for item in items(list) {
            if item.is_empty() {
                return Err(fail("a value is missing".into()));
            }
            match range(item) {
                Some(range) => values.extend(range.map_err(&fail)?),
                None => values.push(item.to_owned()),
            }
        }
        let read = |text: String| {
            let value = text.parse().unwrap_or_else(|_| Value::String(text.clone()));
            Choice { text, value }
        };
        let values: Vec<_> = values.into_iter().map(read).collect();
        for (number, one) in values.iter().enumerate() {
            if values[..number].iter().any(|other| other.value == one.value) {
                return Err(fail(format!("the value {} is there twice", one.text)));
            }
        }
        Ok(Self { key: key.trim().to_owned(), values })
    }
}

/// The parts between commas outside of brackets and quotes.
fn items(list: &str) -> Vec<&str> {
    let (mut depth, mut quote, mut begin) = (0_i32, None, 0);
    let mut items = Vec::new();
    for (place, letter) in list.char_indices() {
        match letter {
            _ if quote == Some(letter) => quote = None,
            _ if quote.is_some() => {}
            '"' | '\'' => quote = Some(letter),
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                items.push(list[begin..place].trim());
                begin = place + 1;
            }
            _ => {}
        }
    }
    items.push(list[begin..].trim());
    items
}

/// The numbers of `FROM..TO:COUNT`, rounded to 12 digits; nothing if the text does not begin as such.
fn range(item: &str) -> Option<Result<Vec<String>, String>> {
    let (from, rest) = item.split_once("..")?;
    let from: f64 = from.trim().parse().ok()?;
    Some(numbers(from, rest))
}

fn numbers(from: f64, rest: &str) -> Result<Vec<String>, String> {
    let number = |text: &str| text.trim().parse().ok().filter(|number: &f64| number.is_finite());
    let Some((to, count)) = rest.split_once(':') else {
        return Err("a range has a number of values, as in 0.2..0.6:5".into());
    };
    let Some(to) = number(to).filter(|_| from.is_finite()) else {
        return Err("a range is from one number to another, as in 0.2..0.6:5".into());
    };
    let count = count.trim().parse().ok().filter(|count| (2..=MOST).contains(count));
    let Some(count) = count else {
        return Err(format!("a range has from 2 to {MOST} values, as in 0.2..0.6:5"));
    };
    let last = (count - 1) as f64;
    let at = |i: usize| {
        let exact = (from * (last - i as f64) + to * i as f64) / last;
        let rounded = format!("{exact:.11e}").parse().unwrap_or(exact);
        // Zero has no sign.
        format!("{}", rounded + 0.0)
    };
    Ok((0..count).map(at).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let axis = Axis::parse(text).expect(text);
        axis.values.into_iter().map(|one| one.text).collect()
    }

    #[test]
    fn lists_and_ranges_have_their_values() {
        assert_eq!(texts("a.b[0]=0.001,0.01"), ["0.001", "0.01"]);
        assert_eq!(texts("a=0.2..0.6:5"), ["0.2", "0.3", "0.4", "0.5", "0.6"]);
        assert_eq!(texts("a=1e-3, 2..-2:3"), ["1e-3", "2", "0", "-2"]);
        assert_eq!(texts("a=[1,2],[3, 4]"), ["[1,2]", "[3, 4]"]);
        assert_eq!(texts("a=dfsph,\"x, y\""), ["dfsph", "\"x, y\""]);
        assert_eq!(texts("a=../a.obj,b..c"), ["../a.obj", "b..c"]);
    }

    #[test]
    fn what_is_no_list_or_range_is_refused() {
        for (text, part) in [
            ("a", "expected KEY=VALUES"),
            ("a=", "a value is missing"),
            ("a=1,,2", "a value is missing"),
            ("a=1,1.5,1", "the value 1 is there twice"),
            ("a=0.2..0.6", "a number of values"),
            ("a=0.2..x:3", "from one number to another"),
            ("a=0.2..inf:3", "from one number to another"),
            ("a=0.2..0.6:1", "from 2 to"),
            ("a=0.2..0.6:-1", "from 2 to"),
            ("a=0.2..0.6:9999999", "from 2 to"),
            ("a=0.2..0.2:3", "twice"),
        ] {
            let message = Axis::parse(text).expect_err(text).to_string();
            assert!(message.starts_with(&format!("--vary {text}: ")), "{message}");
            assert!(message.contains(part), "{message}");
        }
    }
}
