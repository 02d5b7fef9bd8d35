//! What takes long to make of a mesh, kept in the user's cache folder under a hash of what it is
//! made from. A cache that cannot be read or written is no fault: it is made again.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use meniscus_model::mesh::{DistanceField, Solid};
use meniscus_model::scene::Vec3;

use crate::write::write_whole;

/// Changes whenever the same mesh would give other particles or distances.
const VERSION: &[u8; 16] = b"meniscus solid 2";
/// What is made faster than this is not worth a file.
const QUICK: Duration = Duration::from_millis(200);

/// Makes the particles of a solid's surface moved outward by `grown` m, if they are wanted, and its
/// distances, or reads them.
pub(crate) fn make(solid: &Solid, grown: Option<f64>, spacing: f64) {
    let folder = dirs::cache_dir().map(|folder| folder.join("meniscus"));
    make_in(folder.as_deref(), solid, grown, spacing);
}

fn make_in(folder: Option<&Path>, solid: &Solid, grown: Option<f64>, spacing: f64) {
    let path = folder.map(|folder| folder.join(name(solid, grown, spacing)));
    if let Some((layer, field)) = path.as_deref().and_then(read) {
        if let Some(grown) = grown {
            solid.remember_layer(grown, spacing, layer);
        }
        solid.remember_field(spacing, field);
        return;
    }
    let start = Instant::now();
    let layer = grown.map(|grown| solid.layer_at(grown, spacing));
    let field = solid.field(spacing);
    if let Some(path) = path.filter(|_| start.elapsed() > QUICK) {
        let bytes = encode(layer.as_ref().map_or(&[][..], |layer| layer), &field);
        let made = path.parent().is_some_and(|folder| std::fs::create_dir_all(folder).is_ok());
        if made {
            // The next run makes it again, as this one did.
            let _ = write_whole(&path, |file| file.write_all(&bytes));
        }
    }
}

/// Of a hash of the mesh as it is placed, and of what is made.
fn name(solid: &Solid, grown: Option<f64>, spacing: f64) -> PathBuf {
    let mut bytes = VERSION.to_vec();
    let what = solid.middle().to_array().into_iter().chain([spacing, grown.unwrap_or(f64::NAN)]);
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

fn encode(layer: &[Vec3], field: &DistanceField) -> Vec<u8> {
    let mut bytes = VERSION.to_vec();
    bytes.extend((layer.len() as u64).to_le_bytes());
    let numbers = layer.iter().flatten().chain(&field.origin).chain([&field.cell]);
    bytes.extend(numbers.flat_map(|x| x.to_le_bytes()));
    bytes.extend(field.size.iter().flat_map(|n| n.to_le_bytes()));
    bytes.extend(field.values.iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

fn read(path: &Path) -> Option<(Vec<Vec3>, DistanceField)> {
    decode(&std::fs::read(path).ok()?)
}

fn decode(bytes: &[u8]) -> Option<(Vec<Vec3>, DistanceField)> {
    let (bytes, sum) = bytes.split_last_chunk::<4>()?;
    if crc32fast::hash(bytes) != u32::from_le_bytes(*sum) {
        return None;
    }
    let bytes = bytes.strip_prefix(VERSION)?;
    let (count, bytes) = bytes.split_first_chunk::<8>()?;
    let count = usize::try_from(u64::from_le_bytes(*count)).ok()?;
    let (numbers, bytes) = bytes.split_at_checked(count.checked_mul(24)?.checked_add(32)?)?;
    let numbers: Vec<f64> =
        numbers.as_chunks::<8>().0.iter().map(|x| f64::from_le_bytes(*x)).collect();
    let (layer, rest) = numbers.as_chunks::<3>().0.split_at(count);
    let origin = *rest.first()?;
    let cell = *numbers.last()?;
    let (size, values) = bytes.split_first_chunk::<12>()?;
    let size: [u32; 3] =
        std::array::from_fn(|k| u32::from_le_bytes(std::array::from_fn(|b| size[4 * k + b])));
    let values: Vec<f32> =
        values.as_chunks::<4>().0.iter().map(|x| f32::from_le_bytes(*x)).collect();
    let nodes = size.iter().try_fold(1usize, |nodes, n| nodes.checked_mul(*n as usize))?;
    let field = DistanceField { origin, cell, size, values };
    (field.values.len() == nodes).then_some((layer.to_vec(), field))
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
        let (layer, field) = (solid.layer_at(0.1, 0.2), solid.field(0.2));
        let bytes = encode(&layer, &field);
        assert_eq!(decode(&bytes), Some((layer.to_vec(), (*field).clone())));
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
        let (layer, field) = (made.layer_at(0.1, 0.2), made.field(0.2));
        let path = folder.path().join(name(&made, Some(0.1), 0.2));
        // A mark by which to know it.
        let mut marked = (*field).clone();
        marked.values[0] = 77.0;
        std::fs::write(&path, encode(&layer, &marked)).expect("written");
        let taken = solid();
        make_in(Some(folder.path()), &taken, Some(0.1), 0.2);
        assert_eq!(taken.field(0.2).values[0], 77.0);
        std::fs::write(&path, b"rubbish").expect("written");
        let again = solid();
        make_in(Some(folder.path()), &again, Some(0.1), 0.2);
        assert_eq!(again.field(0.2), field);
        assert_ne!(name(&made, None, 0.2), name(&made, Some(0.1), 0.2));
    }
}
