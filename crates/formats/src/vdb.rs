//! Writer of fields on a grid of cells as sparse volumes: `OpenVDB` files (`.vdb`) of version 224, which Blender and Houdini read.
//!
//! A grid is a tree (Museth 2013): a root, nodes of 32³ and of 16³ children, leaves of 8³ values. Only values that count are active
//! and written, by zlib.

use std::io::{self, Write};

use flate2::{Compression, write::ZlibEncoder};
use meniscus_model::{CellField, Cells};

const MAGIC: i64 = 0x5644_4220;
const VERSION: u32 = 224;
/// Version of the library whose files these are like.
const LIBRARY: [u32; 2] = [9, 0];
/// Flags of compression: zlib, of active values alone.
const COMPRESSION: u32 = 1 | 2;
/// Of a node's values only the active ones are written; the others are the background's.
const ACTIVE_ALONE: u8 = 0;
/// Share of a field's largest value below which a value does not count.
const LEAST_SHARE: f32 = 1e-3;
/// Log₂ of the values along an edge of a leaf, and of the children along one of the nodes above.
const LOG2: [u32; 3] = [3, 4, 5];

/// The file's bytes: each field at the cells where it counts, those that are never zero (velocity, pressure) where any other does.
pub(crate) fn volume(cells: &Cells) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    out.extend(MAGIC.to_le_bytes());
    out.extend([VERSION, LIBRARY[0], LIBRARY[1]].map(u32::to_le_bytes).concat());
    // Grids have their offsets, so that programs read the ones that they need.
    out.push(1);
    out.extend(b"00000000-0000-0000-0000-000000000000");
    metadata(&mut out, &[("creator", Meta::Text("meniscus")), ("time", Meta::Number(cells.time))]);
    let masks: Vec<_> = cells.fields.iter().map(counting).collect();
    let count = cells.size.iter().product();
    let any: Vec<_> = (0..count).map(|c| masks.iter().flatten().any(|mask| mask[c])).collect();
    out.extend((cells.fields.len() as u32).to_le_bytes());
    for (field, mask) in cells.fields.iter().zip(&masks) {
        grid(&mut out, cells, field, mask.as_ref().unwrap_or(&any))?;
    }
    Ok(out)
}

/// Which values of a scalar count; `None` of a field that is nowhere zero.
fn counting(field: &CellField) -> Option<Vec<bool>> {
    let most = field.values.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
    let is_fluid = field.components == 1 && field.name != "pressure";
    is_fluid.then(|| {
        field.values.iter().map(|v| v.abs() > LEAST_SHARE * most && v.is_finite()).collect()
    })
}

/// Value of a grid's or a file's metadata.
enum Meta<'a> {
    Text(&'a str),
    Number(f64),
    Flag(bool),
}

fn text(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(text.as_bytes());
}

fn metadata(out: &mut Vec<u8>, all: &[(&str, Meta<'_>)]) {
    out.extend((all.len() as u32).to_le_bytes());
    for (name, value) in all {
        let (kind, bytes) = match value {
            Meta::Text(text) => ("string", text.as_bytes().to_vec()),
            Meta::Number(number) => ("double", number.to_le_bytes().to_vec()),
            Meta::Flag(flag) => ("bool", vec![u8::from(*flag)]),
        };
        text(out, name);
        text(out, kind);
        out.extend((bytes.len() as u32).to_le_bytes());
        out.extend(bytes);
    }
}

fn grid(out: &mut Vec<u8>, cells: &Cells, field: &CellField, active: &[bool]) -> io::Result<()> {
    let is_vector = field.components == 3;
    text(out, field.name);
    text(out, if is_vector { "Tree_vec3s_5_4_3" } else { "Tree_float_5_4_3" });
    // It is an instance of no other grid.
    text(out, "");
    let offsets = out.len();
    out.extend([0; 24]);
    let begin = out.len() as i64;
    out.extend(COMPRESSION.to_le_bytes());
    let mut all = vec![
        ("name", Meta::Text(field.name)),
        ("class", Meta::Text(if is_vector { "unknown" } else { "fog volume" })),
        ("is_saved_as_half_float", Meta::Flag(false)),
    ];
    if is_vector {
        all.push(("vector_type", Meta::Text("contravariant relative")));
    }
    metadata(out, &all);
    // From indices to places in m: values are at the cells' centres. Readers keep what they derive of the scale in the file, too.
    text(out, "UniformScaleTranslateMap");
    let edge = cells.edge;
    let scales = [edge, edge, 1.0 / edge, 1.0 / (edge * edge), 0.5 / edge];
    let center = cells.low.map(|low| low + 0.5 * edge);
    let all = center.into_iter().chain(scales.into_iter().flat_map(|scale| [scale; 3]));
    out.extend(all.flat_map(f64::to_le_bytes));
    let leaves = Leaf::all(cells, field, active);
    topology(out, &leaves, field.components)?;
    let blocks = out.len() as i64;
    for leaf in leaves.iter() {
        out.extend(&leaf.mask);
        values(out, &leaf.values)?;
    }
    let end = out.len() as i64;
    let places = [begin, blocks, end].map(i64::to_le_bytes).concat();
    out[offsets..offsets + 24].copy_from_slice(&places);
    Ok(())
}

/// A leaf with a value that counts.
struct Leaf {
    /// Index of its first value.
    origin: [u32; 3],
    /// Which of its 8³ values are active, z fastest.
    mask: Vec<u8>,
    /// Those values.
    values: Vec<f32>,
}

impl Leaf {
    /// All leaves, in the order of the tree.
    fn all(cells: &Cells, field: &CellField, active: &[bool]) -> Vec<Self> {
        let [nx, ny, nz] = cells.size;
        let side = 1 << LOG2[0];
        let mut found = Vec::new();
        let blocks = cells.size.map(|count| count.div_ceil(side));
        for block in 0..blocks.iter().product() {
            let at =
                [block % blocks[0], block / blocks[0] % blocks[1], block / (blocks[0] * blocks[1])];
            let mut leaf = Self {
                origin: at.map(|at| (side * at) as u32),
                mask: vec![0; side * side * side / 8],
                values: Vec::new(),
            };
            for k in 0..side * side * side {
                let own = [k / (side * side), k / side % side, k % side];
                let [x, y, z] = [0, 1, 2].map(|axis| side * at[axis] + own[axis]);
                let c = x + nx * (y + ny * z);
                if x < nx && y < ny && z < nz && active[c] {
                    leaf.mask[k / 8] |= 1 << (k % 8);
                    let n = field.components;
                    leaf.values.extend(&field.values[n * c..n * (c + 1)]);
                }
            }
            if !leaf.values.is_empty() {
                found.push(leaf);
            }
        }
        found.sort_by_key(|leaf| leaf.path());
        found
    }

    /// Index of the first value of the node of a level that it is in: 0 itself, 3 the root's child.
    fn corner(&self, level: usize) -> [u32; 3] {
        let bits: u32 = LOG2[..level].iter().sum();
        self.origin.map(|index| index >> bits << bits)
    }

    /// Its number among the children of the node of a level.
    fn child(&self, level: usize) -> usize {
        let (below, own): (u32, u32) = (LOG2[..level].iter().sum(), LOG2[level]);
        let at = self.origin.map(|index| (index >> below & ((1 << own) - 1)) as usize);
        (at[0] << (2 * own)) + (at[1] << own) + at[2]
    }

    /// Its place in the order of the tree.
    fn path(&self) -> ([u32; 3], usize, usize) {
        (self.corner(3), self.child(2), self.child(1))
    }
}

/// The tree without its leaves' values.
fn topology(out: &mut Vec<u8>, leaves: &[Leaf], components: usize) -> io::Result<()> {
    // One buffer; then the root: its background, no tiles, its children.
    out.extend(1_u32.to_le_bytes());
    out.extend(vec![0; 4 * components]);
    out.extend(0_u32.to_le_bytes());
    let children = || leaves.chunk_by(|a, b| a.corner(3) == b.corner(3));
    out.extend((children().count() as u32).to_le_bytes());
    for child in children() {
        out.extend(child[0].corner(3).map(u32::to_le_bytes).concat());
        node(out, child, 2)?;
        for inner in child.chunk_by(|a, b| a.child(2) == b.child(2)) {
            node(out, inner, 1)?;
            for leaf in inner {
                out.extend(&leaf.mask);
            }
        }
    }
    Ok(())
}

/// A node above the leaves: which children it has, and no values of its own.
fn node(out: &mut Vec<u8>, leaves: &[Leaf], level: usize) -> io::Result<()> {
    let bytes = 1 << (3 * LOG2[level] - 3);
    let mut children = vec![0_u8; bytes];
    for leaf in leaves {
        let child = leaf.child(level);
        children[child / 8] |= 1 << (child % 8);
    }
    out.extend(children);
    out.extend(vec![0; bytes]);
    values(out, &[])
}

/// Active values of a node: compressed with their length, or as they are with their length below zero where that is shorter.
fn values(out: &mut Vec<u8>, values: &[f32]) -> io::Result<()> {
    out.push(ACTIVE_ALONE);
    let plain: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&plain)?;
    let packed = encoder.finish()?;
    if packed.len() < plain.len() {
        out.extend((packed.len() as i64).to_le_bytes());
        out.extend(packed);
    } else {
        out.extend((-(plain.len() as i64)).to_le_bytes());
        out.extend(plain);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use vdb_rs::VdbReader;

    use super::*;

    /// A box that spans several nodes, with a ball of smoke, and a velocity, which this reader does not know.
    fn cells() -> Cells {
        let size = [150, 20, 9];
        let place = |c: usize| [c % 150, c / 150 % 20, c / 3000].map(|x| x as f32);
        let count = size.iter().product();
        let ball = |c: usize| {
            let [x, y, z] = place(c);
            let away = (x - 127.0).powi(2) + (y - 9.0).powi(2) + (z - 4.0).powi(2);
            if away < 16.0 { 1.0 + x / 128.0 } else { 0.0 }
        };
        let velocity = (0..count).flat_map(place).collect();
        let fields = vec![
            CellField { name: "density", components: 1, values: (0..count).map(ball).collect() },
            CellField { name: "velocity", components: 3, values: velocity },
        ];
        Cells { low: [-1.0, 0.5, 0.0], edge: 0.25, size, time: 0.25, fields }
    }

    #[test]
    fn active_values_come_back() {
        let cells = cells();
        let bytes = volume(&cells).expect("memory is not full");
        let mut reader = VdbReader::new(Cursor::new(bytes)).expect("a header");
        assert_eq!(reader.available_grids().len(), 2);
        let density = reader.read_grid::<f32>("density").expect("a grid");
        let mut found = 0;
        for (at, value, _) in density.iter() {
            let [x, y, z] = at.to_array().map(|index| index as usize);
            assert_eq!(value, cells.fields[0].values[x + 150 * (y + 20 * z)], "{at}");
            found += 1;
        }
        let expected = cells.fields[0].values.iter().filter(|value| **value > 0.0).count();
        assert_eq!(found, expected);
        let vdb_rs::Map::ScaleTranslateMap { translation, scale_values, .. } = density.transform
        else {
            panic!("{:?}", density.transform)
        };
        assert_eq!(translation.to_array(), [-0.875, 0.625, 0.125]);
        assert_eq!(scale_values.to_array(), [0.25; 3]);
    }
}
