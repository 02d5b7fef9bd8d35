//! Embeds every scene and mesh of `scenes/`, so that a new one is found without being listed.

use std::{env, error::Error, fs, io, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    // Relative, since clones of the project may share a target folder.
    println!("cargo:rerun-if-changed=scenes");
    let files = fs::read_dir("scenes")?.map(|entry| Ok(entry?.file_name()));
    let mut files = files.collect::<io::Result<Vec<_>>>()?;
    files.sort();
    let (mut scenes, mut meshes) = (String::from("&[\n"), String::from("&[\n"));
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
            Some((_, "obj")) => meshes += &format!("({file:?}, include_bytes!({path})),\n"),
            _ => return Err(format!("scenes/{file} is neither a scene nor a mesh").into()),
        }
    }
    let out = env::var("OUT_DIR")?;
    fs::write(Path::new(&out).join("scenes.rs"), scenes + "]\n")?;
    fs::write(Path::new(&out).join("meshes.rs"), meshes + "]\n")?;
    Ok(())
}
