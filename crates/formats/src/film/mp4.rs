//! MP4 in fragments, as ffmpeg writes it: boxes of a length and a name one after another, of which `moof` and `mdat` are a fragment.

use std::{
    fs::OpenOptions,
    io::{self, Read, Seek, SeekFrom},
    path::Path,
};

/// Ends a file after its last whole fragment, as of a film whose disk became full.
pub(super) fn cut(path: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let length = file.metadata()?.len();
    let (mut at, mut whole) = (0, 0);
    while at + 8 <= length {
        let mut head = [0; 16];
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(&mut head[..8])?;
        let size = match u32::from_be_bytes([head[0], head[1], head[2], head[3]]) {
            1 if at + 16 <= length => {
                file.read_exact(&mut head[8..])?;
                u64::from_be_bytes(head[8..].try_into().unwrap_or_default())
            }
            size => size.into(),
        };
        if size < 8 || at + size > length {
            break;
        }
        at += size;
        // The head of a fragment alone shows nothing.
        if &head[4..8] != b"moof" {
            whole = at;
        }
    }
    if whole > 0 && whole < length {
        file.set_len(whole)?;
        file.sync_all()?;
    }
    Ok(())
}
