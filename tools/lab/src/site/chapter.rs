//! Links and equations of a document.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    path::{Component, Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};
use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use super::{HOME, REPOSITORY, pages::Made};

/// What the page in the browser is embedded by, in place of this comment.
const PAGE: (&str, &str) = (
    "<!-- page -->",
    "<details><summary>Run it here</summary>\n<iframe src=\"page/index.html\" loading=\"lazy\" \
     title=\"A simulation in the browser\"></iframe>\n</details>",
);

/// A document of the repository.
pub(super) struct Chapter<'a> {
    /// Its path in the repository.
    path: &'a str,
    text: &'a str,
}

/// A part of a document that the book has otherwise.
enum Part {
    /// The destination of a link.
    Link(String),
    /// An equation in LaTeX, and whether it has a line of its own.
    Math(String, bool),
}

impl<'a> Chapter<'a> {
    pub(super) fn new(path: &'a str, text: &'a str) -> Self {
        Self { path, text }
    }

    fn events(&self) -> impl Iterator<Item = (Event<'a>, Range<usize>)> {
        let options = Options::ENABLE_TABLES | Options::ENABLE_MATH | Options::ENABLE_FOOTNOTES;
        Parser::new_ext(self.text, options).into_offset_iter()
    }

    /// What is to be replaced, with its place in the text.
    fn parts(&self) -> Result<Vec<(Range<usize>, Part)>> {
        let mut parts = Vec::new();
        let mut is_code = false;
        for (event, range) in self.events() {
            let source = &self.text[range.clone()];
            match event {
                Event::Start(Tag::CodeBlock(_)) => is_code = true,
                Event::End(TagEnd::CodeBlock) => is_code = false,
                Event::Text(text) => ensure!(
                    is_code || !text.contains('$'),
                    "{}: an equation that does not end, or whose next line begins like that of a list",
                    self.line(range.start)
                ),
                Event::Start(
                    Tag::Link { link_type, dest_url, .. } | Tag::Image { link_type, dest_url, .. },
                ) => {
                    if matches!(link_type, LinkType::Autolink | LinkType::Email) {
                        continue;
                    }
                    ensure!(
                        link_type == LinkType::Inline,
                        "{}: write the destination into the link {source}",
                        self.line(range.start)
                    );
                    let at = source.rfind(&*dest_url).context("a link without a destination")?;
                    let start = range.start + at;
                    parts.push((start..start + dest_url.len(), Part::Link(dest_url.to_string())));
                }
                Event::Html(_) | Event::InlineHtml(_) => {
                    for name in ["src=\"", "href=\""] {
                        for (at, _) in source.match_indices(name) {
                            let start = at + name.len();
                            let length = source[start..].find('"').unwrap_or(0);
                            let link = source[start..start + length].to_owned();
                            let start = range.start + start;
                            parts.push((start..start + length, Part::Link(link)));
                        }
                    }
                }
                Event::InlineMath(latex) => {
                    parts.push((range, Part::Math(latex.to_string(), false)));
                }
                Event::DisplayMath(latex) => {
                    parts.push((range, Part::Math(latex.to_string(), true)));
                }
                _ => {}
            }
        }
        // An image within a link comes after it, though it begins before its destination.
        parts.sort_by_key(|(range, _)| range.start);
        Ok(parts)
    }

    /// Files of the repository that it links to, by their paths there.
    pub(super) fn files(&self) -> Result<impl Iterator<Item = String> + use<'a>> {
        let parts = self.parts()?;
        let path = self.path;
        Ok(parts.into_iter().filter_map(move |(_, part)| match part {
            Part::Link(link) => Some(resolve(path, &link)),
            Part::Math(..) => None,
        }))
    }

    /// Names of its headings, as links have them behind #.
    fn anchors(&self) -> BTreeSet<String> {
        let mut anchors = BTreeSet::new();
        let mut heading: Option<String> = None;
        for (event, _) in self.events() {
            match event {
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::Text(text) | Event::Code(text) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&text);
                    }
                }
                Event::End(TagEnd::Heading(_)) => {
                    let name = slug(&heading.take().unwrap_or_default());
                    let again = |number: usize| format!("{name}-{number}");
                    let taken = |name: &String| anchors.contains(name);
                    let name = match taken(&name) {
                        true => (1..).map(again).find(|name| !taken(name)).unwrap_or_default(),
                        false => name,
                    };
                    anchors.insert(name);
                }
                _ => {}
            }
        }
        anchors
    }

    /// File and line, for messages.
    fn line(&self, at: usize) -> String {
        format!("{}:{}", self.path, 1 + self.text[..at].matches('\n').count())
    }
}

/// Name of a heading in links, as GitHub and mdBook have it.
fn slug(heading: &str) -> String {
    let kept = |c: char| c.is_alphanumeric() || "-_ ".contains(c);
    heading.trim().to_lowercase().chars().filter(|c| kept(*c)).collect::<String>().replace(' ', "-")
}

/// Path in the repository that a link of the document at `path` leads to.
fn resolve(path: &str, link: &str) -> String {
    let file = link.split('#').next().unwrap_or_default();
    if file.is_empty() {
        return path.to_owned();
    }
    let mut resolved = PathBuf::from(path);
    resolved.pop();
    for part in Path::new(file).components() {
        match part {
            Component::ParentDir if resolved.pop() => {}
            part => resolved.push(part),
        }
    }
    resolved.display().to_string().replace('\\', "/")
}

/// Destinations of links in the book.
pub(super) struct Links<'a> {
    root: &'a Path,
    /// Paths of the chapters in the book, by those in the repository.
    places: &'a BTreeMap<String, String>,
    made: &'a Made,
    math: LatexToMathML,
    /// Files that the book needs beside its chapters, by their paths in the book.
    files: BTreeMap<String, PathBuf>,
    anchors: BTreeMap<String, BTreeSet<String>>,
    problems: Vec<String>,
}

impl<'a> Links<'a> {
    pub(super) fn new(
        root: &'a Path,
        places: &'a BTreeMap<String, String>,
        made: &'a Made,
    ) -> Self {
        let math = LatexToMathML::new(MathCoreConfig::default()).expect("no macros to be wrong");
        let (files, anchors, problems) = Default::default();
        Self { root, places, made, math, files, anchors, problems }
    }

    /// Text of a document in the book; notes links that lead nowhere and equations that are wrong.
    pub(super) fn rewrite(&mut self, chapter: &Chapter<'_>) -> Result<String> {
        let mut text = String::new();
        let mut done = 0;
        for (range, part) in chapter.parts()? {
            let new = match part {
                Part::Link(link) => self.link(chapter.path, &link),
                Part::Math(latex, block) => self.equation(&latex, block),
            };
            match new {
                Ok(new) => {
                    text.push_str(&chapter.text[done..range.start]);
                    text.push_str(&new);
                    done = range.end;
                }
                Err(error) => {
                    self.problems.push(format!("{}: {error:#}", chapter.line(range.start)));
                }
            }
        }
        text.push_str(&chapter.text[done..]);
        Ok(text.replace(PAGE.0, PAGE.1))
    }

    /// The files that are needed beside the chapters, by their paths in the book.
    ///
    /// # Errors
    ///
    /// All problems, with their lines.
    pub(super) fn finish(self) -> Result<BTreeMap<String, PathBuf>> {
        ensure!(self.problems.is_empty(), "{}", self.problems.join("\n"));
        Ok(self.files)
    }

    fn equation(&mut self, latex: &str, block: bool) -> Result<String> {
        let display = if block { MathDisplay::Block } else { MathDisplay::Inline };
        // In one line, and without characters that Markdown would read.
        match self.math.convert_with_local_state(latex.trim(), display) {
            Ok(math) => {
                Ok(math.mathml.replace('\n', "").replace('*', "&#42;").replace('_', "&#95;"))
            }
            Err(error) => bail!("{latex}: {error:?}"),
        }
    }

    fn link(&mut self, from: &str, link: &str) -> Result<String> {
        if let Some(path) = link.strip_prefix(HOME) {
            return Ok(if path.is_empty() { "./".into() } else { path.into() });
        }
        if link.contains("://") || link.starts_with("mailto:") {
            return Ok(link.to_owned());
        }
        let path = resolve(from, link);
        let file = self.made.pictures.get(&path).cloned().unwrap_or_else(|| self.root.join(&path));
        ensure!(self.made.texts.contains_key(&path) || file.exists(), "there is no {path}");
        let anchor = link.split_once('#').map(|(_, anchor)| anchor);
        if let Some(anchor) = anchor.filter(|_| path.ends_with(".md")) {
            if !self.anchors.contains_key(&path) {
                let text = self.made.text(self.root, &path)?;
                self.anchors.insert(path.clone(), Chapter::new(&path, &text).anchors());
            }
            ensure!(self.anchors[&path].contains(anchor), "{path} has no heading #{anchor}");
        }
        let behind = anchor.map(|anchor| format!("#{anchor}")).unwrap_or_default();
        if let Some(place) = self.places.get(&path) {
            return Ok(place.clone() + &behind);
        }
        match path.strip_prefix("docs/") {
            Some(place) if file.is_file() && !path.ends_with(".md") => {
                self.files.insert(place.to_owned(), file);
                Ok(place.to_owned())
            }
            _ => Ok(format!("{REPOSITORY}{path}{behind}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(text: &str) -> Result<String> {
        let root = super::super::root();
        let places = [("docs/foam.md", "foam.md"), ("README.md", "README.md")];
        let places = places.map(|(path, place)| (path.to_owned(), place.to_owned())).into();
        let made = Made::default();
        let mut links = Links::new(&root, &places, &made);
        let text = links.rewrite(&Chapter::new("docs/adding.md", text))?;
        links.finish()?;
        Ok(text)
    }

    #[test]
    fn links_lead_to_chapters_or_to_the_repository() {
        let text = "[a](foam.md#files) [b](../README.md) [c](../crates/formats/Cargo.toml) [d](https://x.org/y#z)";
        let book = format!(
            "[a](foam.md#files) [b](README.md) [c]({REPOSITORY}crates/formats/Cargo.toml) [d](https://x.org/y#z)"
        );
        assert_eq!(rewritten(text).expect("links"), book);
        let page = format!("[p]({HOME}page/)\n\n<!-- page -->");
        let page = rewritten(&page).expect("a link");
        assert!(page.starts_with("[p](page/)") && page.contains("<iframe"), "{page}");
        let image =
            "[![p](pictures/ring.png)](foam.md) <img src=\"pictures/ring.png\" width=\"2\">";
        assert_eq!(rewritten(image).expect("images"), image);
        assert_eq!(rewritten("`[a](nowhere.md)`").expect("code"), "`[a](nowhere.md)`");
    }

    #[test]
    fn links_that_lead_nowhere_have_a_line() {
        for (text, said) in [
            ("a\n[a](nowhere.md)", "docs/adding.md:2: there is no docs/nowhere.md"),
            ("[a](foam.md#nothing)", "docs/adding.md:1: docs/foam.md has no heading #nothing"),
            ("<img src=\"x.png\">", "docs/adding.md:1: there is no docs/x.png"),
            ("$\\nosuch x$", "docs/adding.md:1: "),
            ("a\n\n$$x = y\n - z$$", "docs/adding.md:3: an equation that does not end"),
        ] {
            let error = rewritten(text).expect_err(text).to_string();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn equations_are_drawn_by_the_browser() {
        let text =
            rewritten("so $\\rho_i$:\n\n$$\\rho_i = \\sum_j m_j W_{ij}$$\n").expect("equations");
        assert!(text.starts_with("so <math><msub><mi>ρ</mi>"), "{text}");
        assert!(text.contains("<math display=\"block\">") && !text.contains('$'), "{text}");
    }

    #[test]
    fn headings_have_the_names_that_links_use() {
        let text = "# A `step`, and T′\n\n## The loop\n\n## The loop\n";
        let anchors = Chapter::new("x.md", text).anchors();
        let expected = ["a-step-and-t", "the-loop", "the-loop-1"];
        assert_eq!(anchors, expected.map(str::to_owned).into());
    }
}
