//! Generated sections of pages that are otherwise written by hand.

/// The page with other text between the lines `<!-- NAME -->` and `<!-- end NAME -->`, or `None` if it
/// lacks one of them.
#[must_use]
pub fn with_section(page: &str, name: &str, text: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- {name} -->"), format!("<!-- end {name} -->"));
    let (before, rest) = page.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{begin}\n\n{}\n\n{end}{after}", text.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::with_section;

    #[test]
    fn only_the_text_between_the_marks_changes() {
        let page = "before\n<!-- a -->\nold\n<!-- end a -->\nafter\n";
        let expected = "before\n<!-- a -->\n\nnew\n\n<!-- end a -->\nafter\n";
        assert_eq!(with_section(page, "a", "new\n").as_deref(), Some(expected));
        assert_eq!(with_section(expected, "a", "new").as_deref(), Some(expected));
        for page in ["", "<!-- a -->", "<!-- end a -->\n<!-- a -->", "<!-- b --><!-- end b -->"] {
            assert_eq!(with_section(page, "a", "new"), None, "{page}");
        }
    }
}
