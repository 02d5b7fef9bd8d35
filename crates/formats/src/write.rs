//! Atomic writing of files: under a temporary name, then renamed.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::error::Error;

/// Writes a file through `content` atomically: the file is never incomplete, even if `content`
/// fails, the disk is full or the program is killed.
///
/// # Errors
/// [`Error::Write`] with the path.
pub fn write_whole(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Error> {
    try_write(path, content)
        .map_err(|source| Error::Write { path: path.display().to_string(), source })
}

fn try_write(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    if path.exists() && !path.is_file() {
        return Err(io::Error::other("this is a directory or a device, not a file"));
    }
    let name = path.file_name().ok_or_else(|| io::Error::other("the path has no file name"))?;
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    let prefix = format!(".{}.", name.display());
    builder.prefix(&prefix).suffix(".partial");
    // Temporary files are private; give the file the permissions of the process's umask.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    let mut writer = BufWriter::with_capacity(1 << 20, &mut file);
    content(&mut writer)?;
    writer.flush()?;
    drop(writer);
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A disk that is full after this many bytes.
    pub(crate) struct FullAfter(pub(crate) usize);

    impl Write for FullAfter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let written = bytes.len().min(self.0);
            self.0 -= written;
            if written == 0 && !bytes.is_empty() {
                return Err(io::Error::from(io::ErrorKind::StorageFull));
            }
            Ok(written)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).expect("a folder");
        entries.map(|entry| entry.expect("an entry").file_name().display().to_string()).collect()
    }

    #[test]
    fn a_failing_writer_leaves_what_was_there() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("file");
        let half = |writer: &mut dyn Write| {
            writer.write_all(b"half")?;
            writer.flush()?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        };
        let error = write_whole(&path, half).expect_err("the disk is full").to_string();
        assert!(error.starts_with(&format!("cannot write {}: ", path.display())), "{error}");
        assert!(names(folder.path()).is_empty());

        write_whole(&path, |writer| writer.write_all(b"whole")).expect("written");
        write_whole(&path, half).expect_err("the disk is full");
        assert_eq!(std::fs::read(&path).expect("readable"), b"whole");
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[test]
    fn what_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for path in [folder.path().to_owned(), folder.path().join("no/such/folder"), "/".into()] {
            let error = write_whole(&path, |_| Ok(())).expect_err("not a file").to_string();
            assert!(error.starts_with(&format!("cannot write {}: ", path.display())), "{error}");
        }
        #[cfg(unix)]
        write_whole(Path::new("/dev/full"), |_| Ok(())).expect_err("a device");
    }

    #[cfg(unix)]
    #[test]
    fn files_can_be_read_by_others() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [written, plain] = ["written", "plain"].map(|name| folder.path().join(name));
        write_whole(&written, |_| Ok(())).expect("written");
        std::fs::write(&plain, "").expect("written");
        let mode = |path| std::fs::metadata(path).expect("there").permissions().mode();
        assert_eq!(mode(written), mode(plain));
    }
}
