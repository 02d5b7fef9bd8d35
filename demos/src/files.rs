//! Numbered files for screenshots, videos and traces; existing files are never overwritten.

use std::path::{Path, PathBuf};

/// First path of `meniscus_0001.png`, `meniscus_0002.png`, … that does not exist. An empty
/// extension, for a folder, gives `meniscus_0001`.
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
