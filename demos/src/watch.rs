//! Watching a folder of shaders for changes.
//!
//! (The crate notify would save no code: the files are listed anyway for reading, and checking a
//! hundred timestamps three times a second costs nothing. It also works on network folders, which
//! send no events.)

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime},
};

use meniscus::Shaders;

/// Interval between checks of the folder.
const PERIOD: Duration = Duration::from_millis(300);

type Stamps = BTreeMap<PathBuf, (SystemTime, u64)>;

/// A watched folder with the layout of the source tree's `wgsl/`.
#[derive(Debug)]
pub(crate) struct Watch {
    folder: PathBuf,
    stamps: Stamps,
    looked: Instant,
}

impl Watch {
    /// Starts watching.
    ///
    /// # Errors
    /// The folder cannot be read or has no shaders.
    pub(crate) fn new(folder: &Path) -> Result<Self, String> {
        let fail = |error: &dyn std::fmt::Display| {
            format!("--watch: cannot read the shaders in {}: {error}", folder.display())
        };
        let stamps = stamps(folder).map_err(|error| fail(&error))?;
        if stamps.is_empty() {
            return Err(fail(&"there are no .wgsl files"));
        }
        Ok(Self { folder: folder.to_owned(), stamps, looked: Instant::now() })
    }

    /// Interval at which to call [`Watch::poll`].
    pub(crate) fn period(&self) -> Duration {
        PERIOD
    }

    /// All shaders, after one of them was saved.
    pub(crate) fn poll(&mut self) -> Option<Result<Shaders, String>> {
        if self.looked.elapsed() < PERIOD {
            return None;
        }
        self.looked = Instant::now();
        // An editor may be writing just now: a folder that cannot be read is tried again later.
        let now = stamps(&self.folder).ok()?;
        if now == self.stamps {
            return None;
        }
        self.stamps = now;
        Some(self.read().map_err(|error| format!("cannot read the shaders: {error}")))
    }

    /// The folder's shaders, on top of the embedded ones.
    pub(crate) fn read(&self) -> io::Result<Shaders> {
        let mut shaders = Shaders::standard();
        for path in self.stamps.keys() {
            let name = path.strip_prefix(&self.folder).unwrap_or(path).with_extension("");
            let parts: Vec<_> = name.iter().map(|part| part.to_string_lossy()).collect();
            shaders.insert(parts.join("/"), fs::read_to_string(path)?);
        }
        Ok(shaders)
    }
}

/// Times and sizes of the simulation's shaders. Those in `render/` are left out: the renderer is
/// compiled only once.
fn stamps(root: &Path) -> io::Result<Stamps> {
    let mut found = Stamps::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let (path, meta) = (entry.path(), entry.metadata()?);
            if meta.is_dir() {
                if path != root.join("render") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "wgsl") {
                found.insert(path, (meta.modified()?, meta.len()));
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saved_shader_is_seen_and_named_by_its_place() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(Watch::new(folder.path()).is_err(), "no shaders");
        let file = folder.path().join("sph/density.wgsl");
        fs::create_dir(folder.path().join("sph")).expect("made");
        fs::write(&file, "fn old() {}").expect("written");
        let mut watch = Watch::new(folder.path()).expect("a folder of shaders");
        assert!(watch.poll().is_none());
        fs::write(&file, "fn changed() {}").expect("written");
        watch.looked -= 2 * PERIOD;
        let shaders = watch.poll().expect("it changed").expect("readable");
        let composed = shaders.compose("sph/density", false).expect("no includes");
        assert_eq!(composed.wgsl, "fn changed() {}\n");
        assert!(watch.poll().is_none());
    }
}
