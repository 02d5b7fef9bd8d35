//! All shaders of meniscus by name.
//!
//! A file `wgsl/sph/density.wgsl` is the pass `sph/density`. Files below `common/` hold functions
//! and structs without an entry point; passes include them with `//!include common/torus`. This
//! crate does not depend on how the host composes, compiles and runs the files
//! (`crates/gpu/src/shaders/compose.rs`).
//!
//! The texts are embedded in the program, without comments. With the feature `disk`, which only the tests and tools of
//! this repository use, they are read from the source tree when the program first asks for them, so
//! that a changed shader is tested without building anything.

#[cfg(any(test, feature = "disk"))]
mod walk;

/// Name (path below `wgsl/` without extension) and text of every shader file, sorted by name.
///
/// # Panics
/// With the feature `disk`, if the source tree is not there: neither around the working directory nor where this crate
/// was built.
#[must_use]
pub fn files() -> &'static [(&'static str, &'static str)] {
    #[cfg(not(feature = "disk"))]
    return include!(concat!(env!("OUT_DIR"), "/files.rs"));
    #[cfg(feature = "disk")]
    return disk::files();
}

/// The text of one file, by name.
#[must_use]
pub fn file(name: &str) -> Option<&'static str> {
    files().iter().find(|(file, _)| *file == name).map(|(_, text)| *text)
}

#[cfg(feature = "disk")]
mod disk {
    use std::{
        env, fs, io,
        path::{Path, PathBuf},
        sync::OnceLock,
    };

    use crate::walk::shaders;

    type Files = Vec<(&'static str, &'static str)>;

    /// The files as they are when they are first asked for; they live as long as the program.
    pub(super) fn files() -> &'static [(&'static str, &'static str)] {
        static FILES: OnceLock<Files> = OnceLock::new();
        FILES.get_or_init(|| {
            let root = &root();
            read(root).unwrap_or_else(|e| panic!("the shaders in {}: {e}", root.display()))
        })
    }

    /// `wgsl/` of the checkout that the program runs in, else of the one where it was built: clones of the project may share
    /// a target folder.
    fn root() -> PathBuf {
        let here = env::current_dir().unwrap_or_default();
        let mut around = here.ancestors().map(|folder| folder.join("wgsl"));
        let found = around.find(|folder| folder.join("common/control.wgsl").is_file());
        found.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into())
    }

    fn read(root: &Path) -> io::Result<Files> {
        let text = |(name, path): (String, _)| -> io::Result<_> {
            Ok((&*name.leak(), &*fs::read_to_string(path)?.leak()))
        };
        shaders(root)?.into_iter().map(text).collect()
    }
}

#[cfg(all(test, not(feature = "disk")))]
mod tests {
    use std::{fs, path::Path};

    /// `cargo verify` runs this in a build of this crate alone, since the tests of the workspace read from
    /// disk.
    #[test]
    fn embedded_texts_are_those_on_disk() {
        let found = crate::walk::shaders(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        assert!(found.len() > 100, "{} shaders", found.len());
        let on_disk: Vec<_> = found
            .into_iter()
            .map(|(name, path)| (name, crate::walk::bare(&fs::read_to_string(path).unwrap())))
            .collect();
        let embedded: Vec<_> =
            crate::files().iter().map(|(n, t)| ((*n).to_owned(), (*t).to_owned())).collect();
        assert_eq!(embedded, on_disk);
    }
}
