//! Embeds every `.wgsl` file below this folder without its comments, so that a new pass is found without being listed. With
//! the feature `disk` the files are read when the program runs, and nothing is built again when one
//! changes.
use std::{env, fs, io, path::PathBuf};

#[path = "walk.rs"]
mod walk;

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_DISK").is_some() {
        return Ok(());
    }
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    // Relative, since clones of the project may share a target folder.
    println!("cargo:rerun-if-changed=.");
    let mut source = String::from("&[\n");
    for (name, file) in walk::shaders(&root)? {
        let text = walk::bare(&fs::read_to_string(file)?);
        source += &format!("    ({name:?}, {text:?}),\n");
    }
    source += "]\n";
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it")).join("files.rs");
    fs::write(out, source)
}
