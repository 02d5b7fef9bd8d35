//! Particles in Houdini's classic .bgeo format, as Partio reads and writes it: big-endian, often
//! gzipped.

use std::io::{self, Read, Write};

use meniscus_model::scene::Vec3;

/// Size limit in bytes of an unpacked file: 64 million particles with 48 bytes of attributes.
const LARGEST: u64 = 4 << 30;

/// Positions of the particles.
///
/// # Errors
/// A message if the file has another format or is truncated.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<Vec3>, String> {
    let all = read_all(bytes)?;
    let lanes: Vec<_> = all[0].1.iter().map(|lane| lane.iter()).collect();
    let [x, y, z] = <[_; 3]>::try_from(lanes).unwrap_or_default();
    let float = |word: &u32| f64::from(f32::from_bits(*word));
    Ok(x.zip(y).zip(z).map(|((x, y), z)| [x, y, z].map(float)).collect())
}

/// Name of an attribute, and the words of each of its lanes.
type Attribute = (String, Vec<Vec<u32>>);

/// Attributes of the particles, `position` first.
///
/// # Errors
/// As [`read`].
pub(crate) fn read_all(bytes: &[u8]) -> Result<Vec<Attribute>, String> {
    let mut unpacked = Vec::new();
    let bytes = if bytes.starts_with(&[0x1f, 0x8b]) {
        let decoder = flate2::read::MultiGzDecoder::new(bytes);
        decoder
            .take(LARGEST)
            .read_to_end(&mut unpacked)
            .map_err(|error| format!("it cannot be unpacked: {error}"))?;
        &unpacked[..]
    } else {
        bytes
    };
    let mut file = Bytes(bytes);
    if file.take(5)? != b"BgeoV" || file.word()? != 5 {
        return Err("it is not a classic Houdini geometry (BgeoV, version 5)".into());
    }
    let [points, _, _, _, attributes, _, _, _] = file.words()?;
    // x, y, z and w, then the attributes, each of 4 bytes.
    let mut found = vec![("position".to_owned(), vec![Vec::new(); 3])];
    let mut width = 4;
    let mut first = vec![0];
    for _ in 0..attributes {
        let name = file.name()?;
        let size = usize::from(file.short()?);
        match file.word()? {
            // Numbers and vectors, with their defaults.
            0 | 1 | 5 => {
                file.take(4 * size)?;
            }
            // An index into these strings.
            4 => {
                for _ in 0..file.word()? {
                    file.name()?;
                }
            }
            kind => return Err(format!("it has an attribute of unknown type {kind}")),
        }
        found.push((name, vec![Vec::new(); size]));
        first.push(width);
        width += size;
    }
    let data = file.take((points as usize).saturating_mul(4 * width))?;
    let (words, _) = data.as_chunks::<4>();
    for row in words.chunks_exact(width) {
        for ((_, lanes), first) in found.iter_mut().zip(&first) {
            for (lane, word) in lanes.iter_mut().zip(&row[*first..]) {
                lane.push(u32::from_be_bytes(*word));
            }
        }
    }
    Ok(found)
}

/// Kinds of attributes.
const FLOAT: u32 = 0;
const INTEGER: u32 = 1;
const VECTOR: u32 = 5;

/// Writes particles, gzipped: positions, `id`, `velocity`, and numbers of each by name. `rows` has the position, the
/// velocity and these numbers of each particle.
pub(crate) fn write<'a>(
    writer: &mut dyn Write,
    count: usize,
    numbers: &[&str],
    rows: impl Iterator<Item = (u32, &'a [f32])>,
) -> io::Result<()> {
    let mut writer = flate2::write::GzEncoder::new(writer, flate2::Compression::fast());
    let count = u32::try_from(count).map_err(io::Error::other)?;
    writer.write_all(b"BgeoV")?;
    // Version, points, primitives, groups of both, and attributes of points, vertices, primitives and the whole.
    for word in [5, count, 0, 0, 0, 2 + numbers.len() as u32, 0, 0, 0] {
        writer.write_all(&word.to_be_bytes())?;
    }
    let vectors = [("id", 1_u16, INTEGER), ("velocity", 3, VECTOR)];
    for (name, size, kind) in
        vectors.into_iter().chain(numbers.iter().map(|name| (*name, 1, FLOAT)))
    {
        writer.write_all(&(name.len() as u16).to_be_bytes())?;
        writer.write_all(name.as_bytes())?;
        writer.write_all(&size.to_be_bytes())?;
        writer.write_all(&kind.to_be_bytes())?;
        // Defaults.
        writer.write_all(&[0; 12][..4 * usize::from(size)])?;
    }
    for (id, row) in rows {
        let floats = |writer: &mut dyn Write, floats: &[f32]| {
            floats.iter().try_for_each(|x| writer.write_all(&x.to_be_bytes()))
        };
        floats(&mut writer, &row[..3])?;
        floats(&mut writer, &[1.0])?;
        writer.write_all(&id.to_be_bytes())?;
        floats(&mut writer, &row[3..])?;
    }
    // No more, and the end.
    writer.write_all(&[0x00, 0xff])?;
    writer.finish().map(|_| ())
}

/// The rest of a file.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or("it ends early")?;
        self.0 = rest;
        Ok(taken)
    }

    fn words<const N: usize>(&mut self) -> Result<[u32; N], String> {
        let mut words = [0; N];
        for word in &mut words {
            *word = self.word()?;
        }
        Ok(words)
    }

    fn word(&mut self) -> Result<u32, String> {
        let bytes = self.take(4)?;
        Ok(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    fn short(&mut self) -> Result<u16, String> {
        let bytes = self.take(2)?;
        Ok(u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    /// A string: its length, then its bytes.
    fn name(&mut self) -> Result<String, String> {
        let length = self.short()?;
        self.take(usize::from(length)).map(|name| String::from_utf8_lossy(name).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two particles with a velocity, a label and an id.
    fn file() -> Vec<u8> {
        let mut file = b"BgeoV".to_vec();
        for word in [5, 2, 0, 0, 0, 3, 0, 0, 0_u32] {
            file.extend(word.to_be_bytes());
        }
        let attribute = |file: &mut Vec<u8>, name: &str, size: u16, kind: u32| {
            file.extend((name.len() as u16).to_be_bytes());
            file.extend(name.as_bytes());
            file.extend(size.to_be_bytes());
            file.extend(kind.to_be_bytes());
        };
        attribute(&mut file, "velocity", 3, 5);
        file.extend([0; 12]);
        attribute(&mut file, "label", 1, 4);
        file.extend(1_u32.to_be_bytes());
        file.extend(2_u16.to_be_bytes());
        file.extend(b"ab");
        attribute(&mut file, "id", 1, 1);
        file.extend([0; 4]);
        for p in [[1.0, 2.0, 3.0], [-4.0, 0.5, 6.0_f32]] {
            let row = [p[0], p[1], p[2], 1.0, 9.0, 9.0, 9.0, 0.0, 0.0];
            file.extend(row.iter().flat_map(|x: &f32| x.to_be_bytes()));
        }
        file
    }

    #[test]
    fn plain_and_packed_files_are_read() {
        let expected = [[1.0, 2.0, 3.0], [-4.0, 0.5, 6.0]];
        assert_eq!(read(&file()).expect("sound"), expected);
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(&file()).expect("packed");
        assert_eq!(read(&packer.finish().expect("packed")).expect("sound"), expected);
    }

    #[test]
    fn what_is_written_is_read() {
        let rows: [(u32, [f32; 7]); 2] =
            [(7, [1., 2., 3., 0.5, 0., 0., 990.]), (9, [-4., 0.5, 6., 0., 1., 0., 1010.])];
        let mut bytes = Vec::new();
        let all = rows.iter().map(|(id, row)| (*id, &row[..]));
        write(&mut bytes, 2, &["density"], all).expect("memory is not full");
        assert_eq!(read(&bytes).expect("sound"), [[1.0, 2.0, 3.0], [-4.0, 0.5, 6.0]]);
    }

    #[test]
    fn what_ends_early_or_is_something_else_is_refused() {
        for length in 0..file().len() {
            let error = read(&file()[..length]).expect_err("not whole");
            assert_eq!(error, "it ends early", "{length}");
        }
        assert!(read(b"{\"a\": [1, 2, 3]}").expect_err("JSON").contains("not a classic"));
        assert!(read(&[0x1f, 0x8b, 1, 2]).expect_err("not gzip").contains("unpacked"));
    }
}
