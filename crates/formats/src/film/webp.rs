//! Animated WebP, which ffmpeg writes and does not read: a RIFF file whose chunks `ANMF` are images with their durations. Films
//! are counted and joined by these chunks, without decoding an image.

use std::{
    fs,
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
};

/// A file's images.
struct Film {
    /// Width and height in pixels.
    size: [u32; 2],
    /// Contents of the chunks `ANMF`.
    images: Vec<Vec<u8>>,
}

fn wrong(text: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("it is no animated WebP: {text}"))
}

fn three(bytes: &[u8]) -> u32 {
    bytes.iter().take(3).rev().fold(0, |sum, byte| sum << 8 | u32::from(*byte))
}

/// A chunk with its name, length and, to an even length, a zero.
fn chunk(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let pad = &[0][..content.len() % 2];
    [name, &(content.len() as u32).to_le_bytes()[..], content, pad].concat()
}

impl Film {
    /// A film of the images in a file. A still has a single one, which is shown for `duration` ms.
    fn read(path: &Path, duration: u32) -> io::Result<Self> {
        let bytes = fs::read(path)?;
        let mut rest = match bytes.split_at_checked(12) {
            Some((head, rest)) if &head[..4] == b"RIFF" && &head[8..] == b"WEBP" => rest,
            _ => return Err(wrong("it has another beginning")),
        };
        let (mut size, mut images, mut still) = (None, Vec::new(), Vec::new());
        while let Some((head, after)) = rest.split_at_checked(8) {
            let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
            let Some((content, _)) = after.split_at_checked(length) else {
                return Err(wrong("it ends within an image"));
            };
            match (&head[..4], content) {
                (b"VP8X", [_, _, _, _, sides @ ..]) if sides.len() >= 6 => {
                    size = Some([1 + three(sides), 1 + three(&sides[3..])]);
                }
                (b"ANMF", content) if content.len() >= 16 => images.push(content.to_vec()),
                // Transparency belongs to the image after it.
                (b"ALPH", _) => still.extend([head, content, &[0][..length % 2]].concat()),
                (b"VP8 ", [_, _, _, _, _, _, a, b, c, d, ..]) => {
                    let side =
                        |low: u8, high: u8| u32::from(u16::from_le_bytes([low, high]) & 0x3fff);
                    size = size.or(Some([side(*a, *b), side(*c, *d)]));
                    still.extend(chunk(b"VP8 ", content));
                }
                (b"VP8L", [_, a, b, c, d, ..]) => {
                    let bits = u32::from_le_bytes([*a, *b, *c, *d]);
                    size = size.or(Some([1 + (bits & 0x3fff), 1 + (bits >> 14 & 0x3fff)]));
                    still.extend(chunk(b"VP8L", content));
                }
                _ => {}
            }
            rest = after.get(length + length % 2..).unwrap_or_default();
        }
        let size = size.ok_or_else(|| wrong("it has no size"))?;
        if images.is_empty() && !still.is_empty() {
            let sides = size.map(|side| (side - 1).to_le_bytes());
            let mut content = vec![0; 6];
            content.extend(sides.iter().flat_map(|side| side[..3].to_vec()));
            content.extend(&duration.to_le_bytes()[..3]);
            content.push(0);
            content.extend(still);
            images.push(content);
        }
        Ok(Self { size, images })
    }
}

/// Ends a file after its last whole chunk and says its length at its beginning, as of a film whose disk became full. Returns whether
/// there was something to mend.
pub(super) fn mend(path: &Path) -> io::Result<bool> {
    let mut file = fs::OpenOptions::new().read(true).write(true).open(path)?;
    let length = file.metadata()?.len();
    let mut head = [0; 12];
    file.read_exact(&mut head).map_err(|_| wrong("no image is whole"))?;
    let mut whole = 12;
    while whole + 8 <= length {
        let mut chunk = [0; 8];
        file.seek(SeekFrom::Start(whole))?;
        file.read_exact(&mut chunk)?;
        let size = u64::from(u32::from_le_bytes([chunk[4], chunk[5], chunk[6], chunk[7]]));
        if whole + 8 + size + size % 2 > length {
            break;
        }
        whole += 8 + size + size % 2;
    }
    let said = u64::from(u32::from_le_bytes([head[4], head[5], head[6], head[7]])) + 8;
    if whole == length && said == length {
        return Ok(false);
    }
    file.set_len(whole)?;
    file.seek(SeekFrom::Start(4))?;
    file.write_all(&((whole - 8) as u32).to_le_bytes())?;
    file.sync_all()?;
    Ok(true)
}

/// Width and height of a film in pixels.
pub(super) fn size(path: &Path) -> io::Result<[u32; 2]> {
    Film::read(path, 0).map(|film| film.size)
}

/// Number of the images of a film. Those alike in a row are one chunk of a longer duration.
pub(super) fn images(path: &Path) -> io::Result<u32> {
    let film = Film::read(path, 1)?;
    let durations: Vec<u32> = film.images.iter().map(|image| three(&image[12..])).collect();
    let mut sorted = durations.clone();
    sorted.sort_unstable();
    let usual = sorted.get(sorted.len() / 2).map_or(1.0, |middle| f64::from(*middle).max(1.0));
    Ok(durations.iter().map(|one| (f64::from(*one) / usual).round().max(1.0) as u32).sum())
}

/// Writes a film of the images of two, each of which is shown for `duration` ms where it has no duration.
pub(super) fn join(parts: [&Path; 2], to: &Path, duration: u32) -> io::Result<()> {
    let [first, second] = parts.map(|path| Film::read(path, duration));
    let (first, second) = (first?, second?);
    if first.size != second.size {
        return Err(wrong("its parts have different sizes"));
    }
    // Animation, perhaps with transparency; no colour behind it, and for ever.
    let mut head = vec![0x12, 0, 0, 0];
    for side in first.size {
        head.extend(&(side - 1).to_le_bytes()[..3]);
    }
    let mut content = [b"WEBP".to_vec(), chunk(b"VP8X", &head), chunk(b"ANIM", &[0; 6])].concat();
    for image in first.images.iter().chain(&second.images) {
        content.extend(chunk(b"ANMF", image));
    }
    let length = u32::try_from(content.len()).map_err(|_| wrong("4 GB is the most"))?;
    let mut file = fs::File::create(to)?;
    file.write_all(b"RIFF")?;
    file.write_all(&length.to_le_bytes())?;
    file.write_all(&content)?;
    file.sync_all()
}
