//! Surfaces in each format.

use glam::Vec3;
use vtkio::model::{PolyDataPiece, VertexNumbers};

use super::{floats, ply::Ply};
use crate::Mesh;

/// Polygons as fans.
fn fan(corners: &[u32], triangles: &mut Vec<[u32; 3]>) {
    for k in 2..corners.len() {
        triangles.push([corners[0], corners[k - 1], corners[k]]);
    }
}

pub(super) fn of_ply(file: &Ply) -> Result<Vec<Mesh>, String> {
    let vertices = file.element("vertex")?;
    let vectors = |names: [&str; 3]| -> Option<Vec<[f32; 3]>> {
        let [x, y, z] = names.map(|name| vertices.column(name));
        let xyz = x?.iter().zip(y?).zip(z?);
        Some(xyz.map(|((x, y), z)| [*x, *y, *z].map(|x| x as f32)).collect())
    };
    let position = vectors(["x", "y", "z"]).ok_or("its vertices have no x, y, z")?;
    let mut triangles = Vec::new();
    let faces = file
        .element("face")
        .map_err(|message| format!("{message}: expected a surface; is it a file of particles?"))?;
    faces.lists.iter().for_each(|corners| fan(corners, &mut triangles));
    let mut mesh = Mesh::new(position, vectors(["nx", "ny", "nz"]).unwrap_or_default(), triangles);
    mesh.velocity = vectors(["vx", "vy", "vz"]);
    Ok(vec![mesh])
}

pub(super) fn of_poly_data(piece: Option<PolyDataPiece>) -> Result<Vec<Mesh>, String> {
    let Some(piece) = piece else { return Ok(Vec::new()) };
    let points = floats(&piece.points);
    let (position, _) = points.as_chunks::<3>();
    let mut triangles = Vec::new();
    match piece.polys {
        Some(VertexNumbers::XML { connectivity, offsets }) => {
            let mut start = 0;
            for end in offsets {
                let end = end as usize;
                let corners = connectivity.get(start..end).ok_or("its polygons are incomplete")?;
                let corners: Vec<u32> = corners.iter().map(|i| *i as u32).collect();
                fan(&corners, &mut triangles);
                start = end;
            }
        }
        _ => {
            return Err("it has no polygons: expected a surface; is it a file of particles?".into());
        }
    }
    Ok(vec![Mesh::new(position.to_vec(), Vec::new(), triangles)])
}

pub(super) fn of_obj(bytes: &[u8]) -> Result<Vec<Mesh>, String> {
    let text = String::from_utf8_lossy(bytes);
    if !bytes.is_empty() && !bytes.ends_with(b"\n") {
        return Err("it is cut off: its last line does not end".into());
    }
    let mut meshes: Vec<Mesh> = Vec::new();
    // Vertices of the meshes before, since OBJ numbers them through the file.
    let mut before = 0;
    for (number, line) in text.lines().enumerate() {
        let bad = |what: &str| format!("line {}: expected {what}, found {line:?}", number + 1);
        let mut words = line.split_ascii_whitespace();
        let vector = |words: std::str::SplitAsciiWhitespace<'_>| -> Option<[f32; 3]> {
            let numbers: Option<Vec<f32>> = words.take(3).map(|word| word.parse().ok()).collect();
            numbers?.try_into().ok()
        };
        let key = words.next();
        if key == Some("o") {
            before += meshes.last().map_or(0, |mesh| mesh.position.len() as u32);
            meshes.push(Mesh::default().named(words.collect::<Vec<_>>().join(" "), None));
            continue;
        }
        if meshes.is_empty() && matches!(key, Some("v" | "f")) {
            meshes.push(Mesh::default());
        }
        let Some(mesh) = meshes.last_mut() else { continue };
        match key {
            Some("v") => mesh.position.push(vector(words).ok_or_else(|| bad("three numbers"))?),
            Some("vn") => mesh.normal.push(vector(words).ok_or_else(|| bad("three numbers"))?),
            Some("f") => {
                let corner = |word: &str| -> Option<u32> {
                    word.split('/').next()?.parse::<u32>().ok()?.checked_sub(1 + before)
                };
                let corners: Option<Vec<u32>> = words.map(corner).collect();
                fan(&corners.ok_or_else(|| bad("vertices"))?, &mut mesh.triangles);
            }
            _ => {}
        }
    }
    Ok(meshes)
}

pub(super) fn of_glb(bytes: &[u8]) -> Result<Vec<Mesh>, String> {
    let length =
        bytes.get(8..12).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    if !bytes.starts_with(b"glTF") {
        return Err("expected a GLB file".into());
    }
    if length.is_none_or(|length| bytes.len() < length as usize) {
        let length = length.unwrap_or(0);
        return Err(format!("it is cut off: expected {length} bytes, found {}", bytes.len()));
    }
    let gltf::Gltf { document, blob } =
        gltf::Gltf::from_slice(bytes).map_err(|error| error.to_string())?;
    let blob = blob.unwrap_or_default();
    let mut meshes = Vec::new();
    for node in document.nodes() {
        for primitive in node.mesh().into_iter().flat_map(|mesh| mesh.primitives()) {
            let reader = primitive.reader(|_| Some(&blob[..]));
            let position: Vec<_> =
                reader.read_positions().ok_or("a mesh has no positions")?.collect();
            let indices: Vec<u32> = match reader.read_indices() {
                Some(indices) => indices.into_u32().collect(),
                None => (0..position.len() as u32).collect(),
            };
            let normal = reader.read_normals().map(Iterator::collect).unwrap_or_default();
            let (triangles, _) = indices.as_chunks::<3>();
            let mesh = Mesh::new(position, normal, triangles.to_vec());
            meshes.push(mesh.named(node.name().unwrap_or_default(), None));
        }
    }
    Ok(meshes)
}

/// Adds the normals of the triangles around each vertex to a mesh without any.
pub(super) fn complete(mesh: &mut Mesh) {
    if mesh.normal.len() == mesh.position.len() {
        return;
    }
    let mut sums = vec![Vec3::ZERO; mesh.position.len()];
    for corners in &mesh.triangles {
        let [a, b, c] = corners.map(|i| Vec3::from(mesh.position[i as usize]));
        let area = (b - a).cross(c - a);
        corners.iter().for_each(|i| sums[*i as usize] += area);
    }
    mesh.normal = sums.iter().map(|sum| sum.normalize_or(Vec3::Y).to_array()).collect();
}
