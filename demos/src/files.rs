//! Where screenshots, films and traces go: numbered, and never over what is there.

use std::path::{Path, PathBuf};

/// The first of `meniscus_0001.png`, `meniscus_0002.png`, … that does not exist; without an
/// extension, for a folder, `meniscus_0001`.
pub(crate) fn next_free(folder: &Path, extension: &str) -> PathBuf {
    let name = |number: u32| match extension {
        "" => folder.join(format!("meniscus_{number:04}")),
        _ => folder.join(format!("meniscus_{number:04}.{extension}")),
    };
    let free = (1..10_000).map(name).find(|path| !path.exists());
    free.unwrap_or_else(|| name(10_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = next_free(folder.path(), "png");
        assert!(first.ends_with("meniscus_0001.png"));
        std::fs::write(&first, "").expect("written");
        assert!(next_free(folder.path(), "png").ends_with("meniscus_0002.png"));
        assert!(next_free(folder.path(), "").ends_with("meniscus_0001"));
    }
}
