//! Writes the table of twins from the sources: a function `pub(crate) fn NAME(world: &mut World)` is the twin of the pass
//! `FOLDER/NAME`, whose folder the first comment of its file names (`wgsl/FOLDER/`), or of the pass that its own comment
//! names (`wgsl/FOLDER/PASS`). A function `pub(crate) fn NAME(world: &World, i: usize, pairs: &[Pair]) -> DVec3` of `terms/KIND.rs`
//! is the twin of the term `KIND_NAME`.

use std::{
    collections::BTreeMap,
    env,
    error::Error,
    fs,
    path::{Path, PathBuf},
};

/// Signature of a term.
const TERM: &str = "(world: &World, i: usize, pairs: &[Pair]) -> DVec3 {";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    // Relative, since clones of the project may share a target folder.
    println!("cargo:rerun-if-changed=src");
    let [mut twins, mut terms] = [BTreeMap::new(), BTreeMap::new()];
    find(Path::new("src"), "", &mut twins, &mut terms)?;
    for (file, all) in [("twins.rs", twins), ("terms.rs", terms)] {
        let rows: String =
            all.iter().map(|(name, function)| format!("({name:?}, {function}),\n")).collect();
        let out = PathBuf::from(env::var("OUT_DIR")?).join(file);
        fs::write(out, format!("&[\n{rows}]\n"))?;
    }
    Ok(())
}

/// Adds the twins of the files in a folder, which are parts of a module.
fn find(
    folder: &Path,
    module: &str,
    twins: &mut BTreeMap<String, String>,
    terms: &mut BTreeMap<String, String>,
) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).ok_or("a name is not UTF-8")?;
        let module = if stem == "mod" { module.to_owned() } else { format!("{module}{stem}::") };
        if path.is_dir() {
            find(&path, &module, twins, terms)?;
            continue;
        }
        let text = fs::read_to_string(&path)?;
        let own: String = text.lines().take_while(|line| line.starts_with("//!")).collect();
        let mut comment = String::new();
        for line in text.lines() {
            if line.starts_with("///") {
                comment += line;
                continue;
            }
            let own_name = line.strip_prefix("pub(crate) fn ").unwrap_or_default();
            if let Some(name) = own_name.strip_suffix(TERM) {
                terms.insert(format!("{stem}_{name}"), format!("{module}{name}"));
            }
            if let Some(name) = own_name.strip_suffix("(world: &mut World) {") {
                let pass = match (named(&comment), named(&own)) {
                    (Some(pass), _) if pass.contains('/') => pass.to_owned(),
                    (_, Some(folder)) => {
                        format!("{}/{name}", folder.split('/').next().unwrap_or(folder))
                    }
                    _ => return Err(format!("{}: which pass is {name} of?", path.display()).into()),
                };
                if let Some(other) = twins.insert(pass.clone(), format!("{module}{name}")) {
                    return Err(format!("{pass} has two twins, {other} and {module}{name}").into());
                }
            }
            comment.clear();
        }
    }
    Ok(())
}

/// The first folder or file of shaders that a comment names, without `wgsl/` and without a slash at its end.
fn named(comment: &str) -> Option<&str> {
    let rest = comment.split_once("`wgsl/")?.1;
    Some(rest.split_once('`')?.0.trim_end_matches('/'))
}
