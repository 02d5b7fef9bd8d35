//! Checkpoints: the complete state from which a simulation resumes bit-identically.
//!
//! A file consists of [`MAGIC`], version and header length (u32), the header (JSON), the words
//! (u32) of all arrays in the header's order, and the CRC-32 of everything before it (u32). All
//! numbers are little-endian.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::Path;

use encase::{ShaderType, UniformBuffer};
use glam::{DQuat, DVec3};
use meniscus_model::{
    Control, SolidId, State,
    motion::{Movement, Pose},
};
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use crate::error::Error;
use crate::load::Loaded;
use crate::scene_toml::scene_to_toml;
use crate::write::write_whole;

/// First bytes of every checkpoint. The line break reveals damage by text-mode transfers.
const MAGIC: &[u8; 16] = b"meniscus state\r\n";
/// The version written, and the only one read.
const VERSION: u32 = 1;
/// Magic, version, header length.
const PREAMBLE: usize = 24;

/// Content of a checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// State between two steps.
    pub state: State,
    /// [`scene_hash`](crate::scene_hash) of the scene.
    pub scene_hash: u64,
    /// Name of the adapter that computed the state; another one's results differ in the last bits.
    pub adapter: String,
    /// The scene as native TOML, with overrides applied.
    pub scene_toml: String,
}

impl Checkpoint {
    /// The bytes of its file.
    ///
    /// # Errors
    ///
    /// [`Error::Checkpoint`] if it is too large for one.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let written = write(&mut bytes, self);
        written.map_err(|error| Error::Checkpoint {
            path: MEMORY.into(),
            reason: error.to_string(),
        })?;
        Ok(bytes)
    }

    /// The checkpoint of the bytes of a file.
    ///
    /// # Errors
    ///
    /// [`Error::Checkpoint`] as of [`read_checkpoint`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        parse(bytes).map_err(|reason| Error::Checkpoint { path: MEMORY.into(), reason })
    }

    /// Checks that the checkpoint belongs to a scene.
    ///
    /// # Errors
    ///
    /// [`Error::Checkpoint`] naming both. `path` is the checkpoint's name in the error.
    pub fn belongs_to(&self, path: &str, scene: &Loaded) -> Result<(), Error> {
        if self.scene_hash == scene.hash {
            return Ok(());
        }
        let own = scene_to_toml(&scene.scene);
        let [theirs, ours] =
            [&self.scene_toml, &own].map(|text| text.parse::<Table>().unwrap_or_default());
        let mut keys = Vec::new();
        differences("", &Value::Table(theirs), &Value::Table(ours), &mut keys);
        let what = match keys.len() {
            0 => "the content of a file that it names".to_owned(),
            1..=MOST_KEYS => keys.join(", "),
            more => format!("{} and {} keys more", keys[..MOST_KEYS].join(", "), more - MOST_KEYS),
        };
        let reason = format!(
            "this checkpoint was written by another scene than {}, which differs in {what}",
            scene.source
        );
        Err(Error::Checkpoint { path: path.to_owned(), reason })
    }
}

/// Name of a checkpoint in memory in errors.
const MEMORY: &str = "state";

/// Keys that a message names at most.
const MOST_KEYS: usize = 3;

/// Adds the keys in which two scenes differ, with both values, to a list; without those that [`scene_hash`](crate::scene_hash)
/// leaves out.
fn differences(path: &str, theirs: &Value, ours: &Value, found: &mut Vec<String>) {
    if theirs == ours
        || matches!(path, "title" | "time.until" | "camera" | "light" | "probe")
        || path.ends_with(".color")
    {
        return;
    }
    match (theirs, ours) {
        (Value::Table(a), Value::Table(b)) => {
            let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            let none = Value::String("nothing".into());
            for name in names {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                differences(
                    &path,
                    a.get(name).unwrap_or(&none),
                    b.get(name).unwrap_or(&none),
                    found,
                );
            }
        }
        (Value::Array(a), Value::Array(b))
            if a.len() == b.len() && a.iter().any(Value::is_table) =>
        {
            for (number, (a, b)) in a.iter().zip(b).enumerate() {
                differences(&format!("{path}[{number}]"), a, b, found);
            }
        }
        (Value::Array(a), Value::Array(b)) if a.iter().chain(b).any(Value::is_table) => {
            found.push(format!(
                "the number of {path} ({} in the checkpoint, {} here)",
                a.len(),
                b.len()
            ));
        }
        _ => found.push(format!(
            "{path} ({} in the checkpoint, {} here)",
            short(theirs),
            short(ours)
        )),
    }
}

/// A value in a message.
fn short(value: &Value) -> String {
    match value {
        Value::Table(_) => "a table".into(),
        Value::Array(array) if array.iter().any(Value::is_table) => "elements".into(),
        Value::String(text) if text == "nothing" => text.clone(),
        other => other.to_string(),
    }
}

/// The header. Floating-point numbers are stored as bits, since text may round them.
#[derive(Serialize, Deserialize)]
struct Header {
    scene_hash: u64,
    adapter: String,
    frame_duration: u64,
    center: [u64; 3],
    /// Of checkpoints whose program has set it.
    #[serde(default)]
    gravity: Vec<[u32; 3]>,
    /// Of checkpoints whose program steers solids: number, and the two places.
    #[serde(default)]
    steered: Vec<(u32, [Vec<u64>; 2])>,
    control: Vec<u32>,
    /// Names of the arrays and their lengths in words.
    arrays: Vec<(String, u64)>,
    scene_toml: String,
}

/// Writes a checkpoint.
///
/// # Errors
///
/// [`Error::Write`]; an existing checkpoint is then unchanged.
pub fn write_checkpoint(path: &Path, checkpoint: &Checkpoint) -> Result<(), Error> {
    write_whole(path, |writer| write(writer, checkpoint))
}

/// Reads a checkpoint.
///
/// # Errors
///
/// [`Error::Read`]; [`Error::Checkpoint`] if the file is not a checkpoint, has another version, or
/// is truncated or damaged.
pub fn read_checkpoint(path: &Path) -> Result<Checkpoint, Error> {
    let name = path.display().to_string();
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(source) => return Err(Error::Read { path: name, source }),
    };
    parse(&bytes).map_err(|reason| Error::Checkpoint { path: name, reason })
}

fn write(writer: &mut dyn Write, checkpoint: &Checkpoint) -> io::Result<()> {
    let state = &checkpoint.state;
    let header = Header {
        scene_hash: checkpoint.scene_hash,
        adapter: checkpoint.adapter.clone(),
        frame_duration: state.frame_duration.to_bits(),
        center: state.center.map(f64::to_bits),
        gravity: state.gravity.iter().map(|gravity| gravity.map(f32::to_bits)).collect(),
        steered: state
            .steered
            .iter()
            .map(|(solid, ways)| (solid.number(), ways.map(bits)))
            .collect(),
        control: control_words(&state.control)?,
        arrays: state
            .arrays
            .iter()
            .map(|(name, words)| (name.clone(), words.len() as u64))
            .collect(),
        scene_toml: checkpoint.scene_toml.clone(),
    };
    let header = serde_json::to_vec(&header)?;
    let length = u32::try_from(header.len()).map_err(io::Error::other)?;
    let mut writer = Summed { writer, crc: crc32fast::Hasher::new() };
    writer.write_all(MAGIC)?;
    writer.write_all(&VERSION.to_le_bytes())?;
    writer.write_all(&length.to_le_bytes())?;
    writer.write_all(&header)?;
    for words in state.arrays.values() {
        for chunk in words.chunks(1 << 16) {
            let bytes: Vec<u8> = chunk.iter().flat_map(|word| word.to_le_bytes()).collect();
            writer.write_all(&bytes)?;
        }
    }
    let crc = writer.crc.clone().finalize();
    writer.write_all(&crc.to_le_bytes())
}

fn parse(bytes: &[u8]) -> Result<Checkpoint, String> {
    let preamble = bytes.get(..PREAMBLE).filter(|preamble| preamble.starts_with(MAGIC));
    let Some(preamble) = preamble else {
        let half = !bytes.is_empty() && MAGIC.starts_with(&bytes[..bytes.len().min(MAGIC.len())]);
        return Err(if half { truncated(bytes, None) } else { "this is not a checkpoint".into() });
    };
    let [version, length] = [word(preamble, 16), word(preamble, 20)];
    if version != VERSION {
        return Err(format!("this checkpoint has version {version}; this program reads {VERSION}"));
    }
    let body = PREAMBLE.saturating_add(length as usize);
    let header = bytes.get(PREAMBLE..body).ok_or_else(|| truncated(bytes, None))?;
    let damaged = || "this checkpoint is damaged: its checksum is wrong".to_owned();
    let header: Header = serde_json::from_slice(header).map_err(|_| damaged())?;

    // Check the size before allocating memory of a size that the file claims.
    let words = header.arrays.iter().map(|(_, length)| u128::from(*length)).sum::<u128>();
    let expected = body as u128 + 4 * words + 4;
    if (bytes.len() as u128) < expected {
        return Err(truncated(bytes, Some(expected)));
    }
    let (summed, crc) = bytes.split_at(bytes.len() - 4);
    if bytes.len() as u128 != expected || crc32fast::hash(summed) != word(crc, 0) {
        return Err(damaged());
    }
    let control = control_of(&header.control)
        .ok_or("this checkpoint's control has another layout; was it written by this program?")?;
    let mut rest = &summed[body..];
    let mut arrays = BTreeMap::new();
    for (name, length) in header.arrays {
        let (array, others) = rest.split_at(4 * length as usize);
        rest = others;
        arrays.insert(name, array.chunks_exact(4).map(|bytes| word(bytes, 0)).collect());
    }
    check_lengths(&control, &arrays)?;
    let mut steered = BTreeMap::new();
    for (number, [from, to]) in &header.steered {
        steered.insert(
            SolidId::new(*number),
            [movement(from).ok_or_else(damaged)?, movement(to).ok_or_else(damaged)?],
        );
    }
    let state = State {
        control,
        frame_duration: f64::from_bits(header.frame_duration),
        center: header.center.map(f64::from_bits),
        gravity: header.gravity.iter().map(|gravity| gravity.map(f32::from_bits)).collect(),
        steered,
        arrays,
    };
    let Header { scene_hash, adapter, scene_toml, .. } = header;
    Ok(Checkpoint { state, scene_hash, adapter, scene_toml })
}

/// Checks that every array of [`State`] has room for all particles.
fn check_lengths(control: &Control, arrays: &BTreeMap<String, Vec<u32>>) -> Result<(), String> {
    for (name, words) in [("position", 4), ("velocity", 4), ("identity", 2)] {
        let found = arrays.get(name).map_or(0, Vec::len);
        if !found.is_multiple_of(words) || found / words < control.particle_count as usize {
            return Err(format!(
                "this checkpoint's {name} has {found} words for {} particles",
                control.particle_count
            ));
        }
    }
    Ok(())
}

/// Numbers of a movement as bits: position, rotation (x, y, z, w), velocity, angular velocity.
fn bits(movement: Movement) -> Vec<u64> {
    let Movement { pose, velocity, angular_velocity } = movement;
    let vectors = [velocity, angular_velocity].map(|v| v.to_array()).concat();
    let all = pose.position.to_array().into_iter().chain(pose.rotation.to_array()).chain(vectors);
    all.map(f64::to_bits).collect()
}

fn movement(bits: &[u64]) -> Option<Movement> {
    let all: Vec<f64> = bits.iter().map(|bits| f64::from_bits(*bits)).collect();
    let &[x, y, z, i, j, k, w, u, v, s, a, b, c] = &all[..] else { return None };
    Some(Movement {
        pose: Pose { position: DVec3::new(x, y, z), rotation: DQuat::from_xyzw(i, j, k, w) },
        velocity: DVec3::new(u, v, s),
        angular_velocity: DVec3::new(a, b, c),
    })
}

fn truncated(bytes: &[u8], expected: Option<u128>) -> String {
    let expected = expected.map_or_else(String::new, |expected| format!(" of {expected}"));
    format!("this checkpoint is truncated: it ends after {}{expected} bytes", bytes.len())
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|k| bytes[at + k]))
}

fn control_words(control: &Control) -> io::Result<Vec<u32>> {
    let mut buffer = UniformBuffer::new(Vec::<u8>::new());
    buffer.write(control).map_err(io::Error::other)?;
    Ok(buffer.into_inner().chunks_exact(4).map(|bytes| word(bytes, 0)).collect())
}

fn control_of(words: &[u32]) -> Option<Control> {
    if 4 * words.len() as u64 != Control::min_size().get() {
        return None;
    }
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    UniformBuffer::new(bytes).create().ok()
}

/// Writer that also computes the CRC-32.
struct Summed<'a> {
    writer: &'a mut dyn Write,
    crc: crc32fast::Hasher,
}

impl Write for Summed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.writer.write(bytes)?;
        self.crc.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::write::tests::FullAfter;

    fn checkpoint() -> Checkpoint {
        let mut control = Control::start(2);
        (control.frame, control.dt, control.failure_id) = (7, 0.1, 3);
        let arrays = BTreeMap::from([
            ("identity".into(), vec![0, 0, 1, 0, 99, 99]),
            ("position".into(), (0..12).map(|i| f32::to_bits(i as f32 * 0.1)).collect()),
            ("velocity".into(), vec![f32::NAN.to_bits(); 12]),
            ("zeros".into(), Vec::new()),
        ]);
        let numbers: Vec<u64> = (1..14).map(|k| (0.1 * f64::from(k)).to_bits()).collect();
        let from = movement(&numbers).expect("13 numbers");
        let to = Movement { velocity: DVec3::NEG_X * 0.0, ..from };
        let state = State {
            control,
            frame_duration: 1.0 / 60.0,
            center: [0.1, 1e-300, -0.3],
            gravity: vec![[0.1, -0.0, 1e-40]],
            steered: BTreeMap::from([(SolidId::new(3), [from, to])]),
            arrays,
        };
        Checkpoint {
            state,
            scene_hash: u64::MAX - 1,
            adapter: "llvmpipe (\"LLVM\")".into(),
            scene_toml: "title = \"ü\"\n".into(),
        }
    }

    fn bytes() -> Vec<u8> {
        let mut bytes = Vec::new();
        write(&mut bytes, &checkpoint()).expect("memory is not full");
        bytes
    }

    #[test]
    fn what_was_written_is_read() {
        assert_eq!(parse(&bytes()).expect("valid"), checkpoint());
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("checkpoint");
        write_checkpoint(&path, &checkpoint()).expect("written");
        assert_eq!(read_checkpoint(&path).expect("valid"), checkpoint());
        let error = read_checkpoint(folder.path()).expect_err("a directory").to_string();
        assert!(error.starts_with("cannot read "), "{error}");
    }

    #[test]
    fn every_truncation_is_refused() {
        let bytes = bytes();
        for length in 1..bytes.len() {
            let reason = parse(&bytes[..length]).expect_err("truncated");
            assert!(reason.starts_with("this checkpoint is truncated"), "{length}: {reason}");
        }
    }

    #[test]
    fn every_flipped_byte_is_refused() {
        let bytes = bytes();
        for at in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0x10;
            parse(&bytes).expect_err("damaged");
        }
        let longer: Vec<u8> = bytes.iter().copied().chain([0]).collect();
        assert!(parse(&longer).expect_err("too long").contains("damaged"));
    }

    #[test]
    fn foreign_files_and_other_versions_are_named() {
        assert_eq!(parse(b"").expect_err("empty"), "this is not a checkpoint");
        assert_eq!(parse(b"ply\nformat").expect_err("PLY"), "this is not a checkpoint");
        let mut bytes = bytes();
        bytes[16] = 9;
        let reason = parse(&bytes).expect_err("version 9");
        assert_eq!(reason, "this checkpoint has version 9; this program reads 1");
    }

    #[test]
    fn absurd_lengths_are_refused_without_memory_for_them() {
        let mut header = String::from_utf8_lossy(&bytes()[PREAMBLE..]).into_owned();
        header.truncate(header.find("\"scene_toml\"").expect("a header"));
        let header = header.replace("\"velocity\",12", &format!("\"velocity\",{}", u64::MAX))
            + "\"scene_toml\":\"\"}";
        let mut bytes = bytes()[..20].to_vec();
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(header.as_bytes());
        let reason = parse(&bytes).expect_err("absurd");
        assert!(reason.contains("truncated"), "{reason}");
    }

    #[test]
    fn arrays_too_short_for_the_particles_are_refused() {
        let mut checkpoint = checkpoint();
        checkpoint.state.control.particle_count = 4;
        let mut bytes = Vec::new();
        write(&mut bytes, &checkpoint).expect("memory is not full");
        assert!(parse(&bytes).expect_err("too short").contains("12 words for 4 particles"));
    }

    #[test]
    fn a_full_disk_is_an_error_at_every_byte() {
        for room in 0..bytes().len() {
            write(&mut FullAfter(room), &checkpoint()).expect_err("the disk is full");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(tail in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = parse(&tail);
            let mut bytes = bytes()[..PREAMBLE].to_vec();
            bytes.extend(&tail);
            let _ = parse(&bytes);
        }
    }
}
