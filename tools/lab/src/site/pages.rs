//! What the site has beside the files of the repository: pages from the records of validation, and tables in place of
//! comments.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::{Result, ensure};
use conformance::physics::CHAPTERS;
use meniscus::Shaders;
use meniscus_model::methods::{Method, Registry};

use super::read;
use crate::validate::page;

/// Line of the table of contents, behind which the pages of validation are inserted.
const VALIDATION: &str = "- [Validation](validation.md)\n";

/// Pages and pictures that are no files of docs.
#[derive(Default)]
pub(super) struct Made {
    /// Texts, by paths in the repository that they would have.
    pub(super) texts: BTreeMap<String, String>,
    /// Where pictures are, by such paths.
    pub(super) pictures: BTreeMap<String, PathBuf>,
}

impl Made {
    /// The pages of validation, with the plots that are in a folder.
    pub(super) fn new(plots: &Path) -> Self {
        let mut made = Self::default();
        for chapter in CHAPTERS {
            let text = page::page(chapter, |title, file| {
                let from = plots.join(file);
                if !from.is_file() {
                    return String::new();
                }
                let link = format!("pictures/validation/{file}");
                made.pictures.insert(format!("docs/{link}"), from);
                format!("![{title}]({link})\n")
            });
            made.texts.insert(format!("docs/{}", page::file(chapter)), text);
        }
        made
    }

    /// Text of a page or file.
    pub(super) fn text(&self, root: &Path, path: &str) -> Result<String> {
        match self.texts.get(path) {
            Some(text) => Ok(text.clone()),
            None => {
                let text = read(root, path)?;
                for name in self.texts.keys().filter_map(|made| made.strip_prefix("docs/")) {
                    let alone = "is a page of the site alone: link to validation.md";
                    ensure!(!text.contains(name), "{path}: {name} {alone}");
                }
                filled(root, text)
            }
        }
    }
}

/// The table of contents with the pages of validation.
pub(super) fn listed(table: &str) -> String {
    let mut lines = VALIDATION.to_owned();
    for chapter in CHAPTERS {
        let _ = writeln!(lines, "  - [{}]({})", chapter.title, page::file(chapter));
    }
    table.replace(VALIDATION, &lines)
}

/// The text with tables in place of comments.
fn filled(root: &Path, mut text: String) -> Result<String> {
    let tables: [(&str, &dyn Fn() -> Result<String>); 6] = [
        ("<!-- laws -->", &|| Ok(conformance::laws::tables())),
        ("<!-- cases -->", &|| Ok(page::contents(CHAPTERS))),
        ("<!-- misses -->", &|| Ok(page::misses(CHAPTERS))),
        ("<!-- keys -->", &|| Ok(meniscus_formats::scene_keys())),
        ("<!-- passes -->", &|| passes(root)),
        ("<!-- results -->", &|| results(root)),
    ];
    for (mark, table) in tables {
        if text.contains(mark) {
            text = text.replace(mark, &table()?);
        }
    }
    Ok(text)
}

/// The tables that `meniscus bench` wrote on each machine.
fn results(root: &Path) -> Result<String> {
    let mut machines = fs::read_dir(root.join("results"))?.collect::<io::Result<Vec<_>>>()?;
    machines.retain(|entry| entry.path().is_dir());
    machines.sort_by_key(fs::DirEntry::file_name);
    let mut text = String::new();
    for machine in machines {
        let name = machine.file_name().to_string_lossy().into_owned();
        let table = read(root, &format!("results/{name}/bench.md"))?;
        let table = table.lines().filter(|line| !line.starts_with("<!--"));
        let _ = writeln!(text, "### {name}\n{}\n", table.collect::<Vec<_>>().join("\n"));
    }
    Ok(text)
}

/// The passes in the order of the table of passes, by folder, each with the first comment of its file.
fn passes(root: &Path) -> Result<String> {
    let registry = Registry::standard();
    let common = meniscus::methods::passes::PASSES.iter();
    let rows = common.chain(registry.methods().flat_map(Method::passes)).map(|pass| pass.name);
    let terms: Vec<_> = Shaders::standard().terms().map(|term| format!("terms/{term}")).collect();
    let mut folders: Vec<(&str, Vec<&str>)> = Vec::new();
    for name in rows.chain(terms.iter().map(String::as_str)) {
        let folder = name.split('/').next().unwrap_or_default();
        match folders.iter_mut().find(|(known, _)| *known == folder) {
            Some((_, names)) if names.contains(&name) => {}
            Some((_, names)) => names.push(name),
            None => folders.push((folder, vec![name])),
        }
    }
    let mut text = String::new();
    for (folder, names) in folders {
        let _ =
            writeln!(text, "## {folder}\n\n| pass | what it computes, and its source |\n|---|---|");
        for name in names {
            let about = about(&read(root, &format!("wgsl/{name}.wgsl"))?);
            let _ = writeln!(text, "| [`{name}`](../wgsl/{name}.wgsl) | {about} |");
        }
        text.push('\n');
    }
    Ok(text)
}

/// The first comment of a shader, as a cell of a table.
fn about(shader: &str) -> String {
    let comment = shader.lines().map_while(|line| line.strip_prefix("//"));
    let comment = comment.take_while(|line| !line.starts_with('!')).map(str::trim);
    let mut cell = String::new();
    for c in comment.collect::<Vec<_>>().join(" ").chars() {
        if "|*_<[$\\".contains(c) {
            cell.push('\\');
        }
        cell.push(c);
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::root;

    #[test]
    fn every_pass_begins_with_what_it_computes() {
        let text = passes(&root()).expect("shaders");
        for line in text.lines().filter(|line| line.starts_with("| [")) {
            assert!(!line.ends_with("|  |"), "{line}");
        }
        assert!(
            text.contains("| [`sph/density`](../wgsl/sph/density.wgsl) | ρ\\_i = ρ0\\_i"),
            "{text}"
        );
        assert!(text.contains("[`terms/viscosity_muller`]"), "{text}");
    }

    #[test]
    fn pages_of_validation_have_the_plots_that_there_are() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("heave_height.png"), "").expect("a file");
        let made = Made::new(folder.path());
        let page = &made.texts["docs/validation_bodies.md"];
        assert!(page.contains("](pictures/validation/heave_height.png)"), "{page}");
        assert_eq!(made.pictures.len(), 1);
        assert!(listed(VALIDATION).contains("  - [Rigid bodies](validation_bodies.md)\n"));
    }
}
