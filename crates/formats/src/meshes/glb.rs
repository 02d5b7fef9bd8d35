//! Binary glTF. It is written with `json!` rather than the crate gltf-json: filling in its structs takes more lines than the
//! JSON itself, and its container needs all arrays in memory at once.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{Glass, Mesh, linear};

// Constants of glTF.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// Arrays of a glTF file, one buffer view each.
#[derive(Default)]
struct Arrays {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Arrays {
    /// Adds an array of elements of `components` 32-bit values, and returns its accessor's index.
    fn add(
        &mut self,
        components: usize,
        what: [u32; 2],
        values: impl Iterator<Item = u32>,
    ) -> usize {
        let ([component, target], offset) = (what, self.bytes.len());
        self.bytes.extend(values.flat_map(u32::to_le_bytes));
        let length = self.bytes.len() - offset;
        let view = self.views.len();
        self.views.push(json!({
            "buffer": 0, "byteOffset": offset, "byteLength": length, "target": target,
        }));
        let kind = if components == 3 { "VEC3" } else { "SCALAR" };
        let count = length / (4 * components);
        self.accessors.push(json!({
            "bufferView": view, "componentType": component, "count": count, "type": kind,
        }));
        view
    }

    /// Adds a vector for each vertex.
    fn vectors(&mut self, values: impl Iterator<Item = [f32; 3]>) -> usize {
        self.add(3, [FLOAT, ARRAY_BUFFER], values.flatten().map(f32::to_bits))
    }

    /// Adds a mesh that has triangles; returns its attributes and indices.
    fn primitive(&mut self, mesh: &Mesh) -> (Value, usize) {
        let position = self.vectors(mesh.position.iter().copied());
        let bound = |fold: fn(f32, f32) -> f32, axis: usize| {
            mesh.position.iter().map(|position| position[axis]).reduce(fold)
        };
        self.accessors[position]["min"] = json!([0, 1, 2].map(|axis| bound(f32::min, axis)));
        self.accessors[position]["max"] = json!([0, 1, 2].map(|axis| bound(f32::max, axis)));
        let mut attributes = json!({ "POSITION": position });
        if !mesh.normal.is_empty() {
            attributes["NORMAL"] = self.vectors(mesh.unit_normals()).into();
        }
        if let Some(velocity) = &mesh.velocity {
            attributes["_VELOCITY"] = self.vectors(velocity.iter().copied()).into();
        }
        if let Some((speed, color)) = mesh.colors() {
            let speeds = speed.iter().copied().map(f32::to_bits);
            attributes["_SPEED"] = self.add(1, [FLOAT, ARRAY_BUFFER], speeds).into();
            let colors = speed.iter().map(|speed| color(*speed).map(linear));
            attributes["COLOR_0"] = self.vectors(colors).into();
        }
        let indices = mesh.triangles.as_flattened().iter().copied();
        (attributes, self.add(1, [UNSIGNED_INT, ELEMENT_ARRAY_BUFFER], indices))
    }
}

/// Extensions of glTF for liquids.
const EXTENSIONS: [&str; 3] =
    ["KHR_materials_transmission", "KHR_materials_ior", "KHR_materials_volume"];

/// Lets light pass through a material.
fn refract(material: &mut Value, glass: Glass) {
    let [transmission, ior, volume] = EXTENSIONS;
    let (color, distance) = glass.attenuation;
    material["pbrMetallicRoughness"]["roughnessFactor"] = glass.roughness.into();
    material["extensions"] = json!({ ior: { "ior": glass.ior } });
    if glass.transmission > 0.0 {
        // What is transmitted is coloured on its way, by the volume; the rest by the surface.
        let base = &mut material["pbrMetallicRoughness"]["baseColorFactor"];
        for channel in 0..3 {
            let own = base[channel].as_f64().unwrap_or(1.0);
            base[channel] = (own + (1.0 - own) * f64::from(glass.transmission)).into();
        }
        let own = &mut material["extensions"];
        own[transmission] = json!({ "transmissionFactor": glass.transmission });
        // The mesh is closed: its thickness is its own.
        own[volume] = json!({ "thicknessFactor": 1.0, "attenuationDistance": distance, "attenuationColor": color });
    }
}

/// A GLB file: a 12-byte header, a JSON chunk, and a chunk of arrays if there are any.
pub(super) fn write(writer: &mut dyn Write, meshes: &[Mesh]) -> io::Result<()> {
    let generator = concat!("meniscus ", env!("CARGO_PKG_VERSION"));
    let mut document = json!({ "asset": { "version": "2.0", "generator": generator }, "scenes": [{}], "scene": 0 });
    let (mut arrays, mut refracts) = (Arrays::default(), false);
    let (mut nodes, mut shapes, mut materials) = (Vec::new(), Vec::new(), Vec::new());
    for mesh in meshes {
        let mut node = json!({ "name": mesh.label() });
        // glTF does not allow empty arrays: without triangles, a node has no mesh.
        if !mesh.triangles.is_empty() {
            let (attributes, indices) = arrays.primitive(mesh);
            let material = materials.len();
            node["mesh"] = shapes.len().into();
            shapes.push(json!({
                "name": mesh.label(),
                "primitives": [{ "attributes": attributes, "indices": indices, "material": material }],
            }));
            // Vertex colours multiply the material's colour.
            let [red, green, blue] =
                if mesh.speed.is_some() { [1.0; 3] } else { mesh.linear_color() };
            let mut material = json!({
                "name": mesh.label(),
                "pbrMetallicRoughness": {
                    "baseColorFactor": [red, green, blue, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.1,
                },
            });
            // Colours of speeds are on top.
            if let Some(glass) = mesh.glass.filter(|_| mesh.speed.is_none()) {
                refract(&mut material, glass);
                refracts = true;
            }
            materials.push(material);
        }
        nodes.push(node);
    }
    if !nodes.is_empty() {
        document["scenes"] = json!([{ "nodes": (0..nodes.len()).collect::<Vec<_>>() }]);
    }
    if refracts {
        document["extensionsUsed"] = json!(EXTENSIONS);
    }
    let Arrays { bytes, views, accessors } = arrays;
    let buffers =
        if bytes.is_empty() { Vec::new() } else { vec![json!({ "byteLength": bytes.len() })] };
    for (key, list) in [
        ("nodes", nodes),
        ("meshes", shapes),
        ("materials", materials),
        ("accessors", accessors),
        ("bufferViews", views),
        ("buffers", buffers),
    ] {
        if !list.is_empty() {
            document[key] = list.into();
        }
    }
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');

    let chunks = if bytes.is_empty() { 1 } else { 2 };
    let length = u32::try_from(12 + 8 * chunks + text.len() + bytes.len())
        .map_err(|_| io::Error::other("GLB files end at 4 GiB; PLY files do not"))?;
    writer.write_all(b"glTF")?;
    writer.write_all(&2u32.to_le_bytes())?;
    writer.write_all(&length.to_le_bytes())?;
    writer.write_all(&(text.len() as u32).to_le_bytes())?;
    writer.write_all(b"JSON")?;
    writer.write_all(&text)?;
    if bytes.is_empty() {
        return Ok(());
    }
    // All values have 4 bytes, so the chunk needs no padding.
    writer.write_all(&(bytes.len() as u32).to_le_bytes())?;
    writer.write_all(b"BIN\0")?;
    writer.write_all(&bytes)
}
