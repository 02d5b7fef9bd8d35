//! Cache of the particles computed from meshes, in the user's cache folder, keyed by a hash of
//! their input. A cache that cannot be read or written is ignored.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use meniscus_model::mesh::Solid;
use meniscus_model::scene::Vec3;

use crate::write::write_whole;

/// Version of the sampling: change it whenever the same mesh would give other particles.
const VERSION: &[u8; 16] = b"meniscus layer 3";
/// Results that take less time are not cached.
const QUICK: Duration = Duration::from_millis(200);

/// Computes the particles of a solid's surface offset by `grown` m, or reads them from the cache.
pub(crate) fn make(solid: &Solid, grown: f64, spacing: f64) {
    let folder = dirs::cache_dir().map(|folder| folder.join("meniscus"));
    make_in(folder.as_deref(), solid, grown, spacing);
}

fn make_in(folder: Option<&Path>, solid: &Solid, grown: f64, spacing: f64) {
    // A browser has neither files nor this clock.
    let Some(path) = folder.map(|folder| folder.join(name(solid, grown, spacing))) else {
        let _ = solid.layer_at(grown, spacing);
        return;
    };
    if let Some(layer) = read(&path) {
        solid.remember_layer(grown, spacing, layer);
        return;
    }
    let start = Instant::now();
    let layer = solid.layer_at(grown, spacing);
    if start.elapsed() > QUICK {
        let bytes = encode(&layer);
        let made = path.parent().is_some_and(|folder| std::fs::create_dir_all(folder).is_ok());
        if made {
            // If writing fails, the next run computes it again.
            let _ = write_whole(&path, |file| file.write_all(&bytes));
        }
    }
}

/// Key of the placed mesh and the sampling parameters.
fn name(solid: &Solid, grown: f64, spacing: f64) -> PathBuf {
    let mut bytes = VERSION.to_vec();
    let what = solid.middle().to_array().into_iter().chain([spacing, grown]);
    for number in solid.mesh().positions().iter().flatten().copied().chain(what) {
        bytes.extend(number.to_bits().to_le_bytes());
    }
    for corner in solid.mesh().triangles().iter().flatten() {
        bytes.extend(corner.to_le_bytes());
    }
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    });
    format!("{hash:016x}{:08x}.solid", crc32fast::hash(&bytes)).into()
}

fn encode(layer: &[Vec3]) -> Vec<u8> {
    let mut bytes = VERSION.to_vec();
    bytes.extend(layer.iter().flatten().flat_map(|x| x.to_le_bytes()));
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

fn read(path: &Path) -> Option<Vec<Vec3>> {
    decode(&std::fs::read(path).ok()?)
}

fn decode(bytes: &[u8]) -> Option<Vec<Vec3>> {
    let (bytes, sum) = bytes.split_last_chunk::<4>()?;
    if crc32fast::hash(bytes) != u32::from_le_bytes(*sum) {
        return None;
    }
    let (points, []) = bytes.strip_prefix(VERSION)?.as_chunks::<24>() else { return None };
    let number = |point: &[u8; 24], axis: usize| {
        f64::from_le_bytes(std::array::from_fn(|byte| point[8 * axis + byte]))
    };
    Some(points.iter().map(|point| std::array::from_fn(|axis| number(point, axis))).collect())
}

#[cfg(test)]
mod tests {
    use meniscus_model::mesh::TriangleMesh;

    use super::*;

    fn solid() -> Solid {
        let corners = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
        let faces = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]];
        Solid::new(TriangleMesh::new(&corners, &faces).expect("a tetrahedron"))
    }

    #[test]
    fn what_is_kept_is_what_was_made() {
        let solid = solid();
        let layer = solid.layer_at(0.1, 0.2);
        let bytes = encode(&layer);
        assert_eq!(decode(&bytes), Some(layer.to_vec()));
        for at in (0..bytes.len()).step_by(997) {
            let mut broken = bytes.clone();
            broken[at] ^= 4;
            assert_eq!(decode(&broken), None, "byte {at}");
            assert_eq!(decode(&bytes[..at]), None, "length {at}");
        }
    }

    #[test]
    fn a_kept_file_is_taken_and_a_broken_one_made_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let made = solid();
        let layer = made.layer_at(0.1, 0.2);
        let path = folder.path().join(name(&made, 0.1, 0.2));
        // A change to recognise the cached copy.
        let mut marked = layer.to_vec();
        marked[0][1] = 77.0;
        std::fs::write(&path, encode(&marked)).expect("written");
        let taken = solid();
        make_in(Some(folder.path()), &taken, 0.1, 0.2);
        assert_eq!(taken.layer_at(0.1, 0.2)[0][1], 77.0);
        std::fs::write(&path, b"rubbish").expect("written");
        let again = solid();
        make_in(Some(folder.path()), &again, 0.1, 0.2);
        assert_eq!(again.layer_at(0.1, 0.2), layer);
        assert_ne!(name(&made, 0.1, 0.3), name(&made, 0.1, 0.2));
    }
}
