//! Embeds every scene and mesh of `scenes/`, so that a new one is found without being listed. A page fetches meshes, and has
//! their names alone.

use std::{env, error::Error, fs, io, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    // Relative, since clones of the project may share a target folder.
    println!("cargo:rerun-if-changed=scenes");
    let files = fs::read_dir("scenes")?.map(|entry| Ok(entry?.file_name()));
    let mut files = files.collect::<io::Result<Vec<_>>>()?;
    files.sort();
    let [mut scenes, mut names, mut meshes] = [(); 3].map(|()| String::from("&[\n"));
    for file in &files {
        let file = file.to_str().ok_or("a name in scenes/ is not UTF-8")?;
        let path = format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/scenes/{file}\")");
        match file.rsplit_once('.') {
            // Files of editors and of systems begin with a point.
            _ if file.starts_with('.') => {}
            Some((name, "toml")) => {
                scenes +=
                    &format!("BundledScene {{ name: {name:?}, text: include_str!({path}) }},\n");
            }
            Some((_, "obj")) => {
                names += &format!("{file:?},\n");
                meshes += &format!("include_bytes!({path}),\n");
            }
            _ => return Err(format!("scenes/{file} is neither a scene nor a mesh").into()),
        }
    }
    let out = env::var("OUT_DIR")?;
    for (name, text) in [("scenes", scenes), ("names", names), ("meshes", meshes)] {
        fs::write(Path::new(&out).join(name).with_extension("rs"), text + "]\n")?;
    }
    Ok(())
}
