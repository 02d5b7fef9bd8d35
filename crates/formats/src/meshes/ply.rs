//! Binary PLY.

use std::io::{self, Write};

use super::Mesh;

/// A colour in bytes.
fn bytes(color: [f64; 3]) -> [u8; 3] {
    color.map(|channel| (255.0 * channel).round() as u8)
}

fn write_floats(writer: &mut dyn Write, values: &[f32]) -> io::Result<()> {
    values.iter().try_for_each(|value| writer.write_all(&value.to_le_bytes()))
}

pub(super) fn write(writer: &mut dyn Write, mesh: &Mesh) -> io::Result<()> {
    writeln!(writer, "ply\nformat binary_little_endian 1.0\ncomment metres, y is up")?;
    writeln!(writer, "element vertex {}", mesh.position.len())?;
    let mut names = vec!["x", "y", "z"];
    let mut columns = vec![mesh.position.clone()];
    if !mesh.normal.is_empty() {
        names.extend(["nx", "ny", "nz"]);
        columns.push(mesh.unit_normals().collect());
    }
    if let Some(velocity) = &mesh.velocity {
        names.extend(["vx", "vy", "vz"]);
        columns.push(velocity.clone());
    }
    for name in names {
        writeln!(writer, "property float {name}")?;
    }
    let colors = mesh.colors();
    if colors.is_some() {
        writeln!(writer, "property float speed")?;
    }
    let tint = mesh.tint.as_ref().filter(|_| colors.is_none());
    if colors.is_some() || tint.is_some() {
        for name in ["red", "green", "blue"] {
            writeln!(writer, "property uchar {name}")?;
        }
    }
    writeln!(writer, "element face {}", mesh.triangles.len())?;
    writeln!(writer, "property list uchar int vertex_indices\nend_header")?;
    for i in 0..mesh.position.len() {
        columns.iter().try_for_each(|column| write_floats(writer, &column[i]))?;
        if let Some((speed, color)) = &colors {
            write_floats(writer, &[speed[i]])?;
            writer.write_all(&bytes(color(speed[i])))?;
        }
        if let Some(tint) = tint {
            writer.write_all(&bytes(tint[i]))?;
        }
    }
    for triangle in &mesh.triangles {
        writer.write_all(&[3])?;
        triangle.iter().try_for_each(|vertex| writer.write_all(&vertex.to_le_bytes()))?;
    }
    Ok(())
}
