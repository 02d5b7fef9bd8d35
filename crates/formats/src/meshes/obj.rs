//! Wavefront OBJ.

use std::io::{self, Write};

use super::Mesh;

pub(super) fn write(writer: &mut dyn Write, meshes: &[Mesh]) -> io::Result<()> {
    writeln!(writer, "# metres, y is up")?;
    // Vertices and normals are numbered through the whole file.
    let (mut vertices, mut normals) = (1, 1);
    for mesh in meshes {
        let name = mesh.label().replace(|c: char| c.is_whitespace() || c.is_control(), "_");
        writeln!(writer, "o {name}")?;
        let colors = mesh.colors();
        for (i, [x, y, z]) in mesh.position.iter().enumerate() {
            if let Some((speed, color)) = &colors {
                let [red, green, blue] = color(speed[i]);
                writeln!(writer, "v {x} {y} {z} {red:.4} {green:.4} {blue:.4}")?;
            } else {
                writeln!(writer, "v {x} {y} {z}")?;
            }
        }
        for [x, y, z] in mesh.unit_normals() {
            writeln!(writer, "vn {x} {y} {z}")?;
        }
        let is_smooth = !mesh.normal.is_empty();
        for triangle in &mesh.triangles {
            let corner = |i: u32| match is_smooth {
                true => format!("{}//{}", vertices + i, normals + i),
                false => (vertices + i).to_string(),
            };
            writeln!(writer, "f {}", triangle.map(corner).join(" "))?;
        }
        vertices += mesh.position.len() as u32;
        normals += mesh.normal.len() as u32;
    }
    Ok(())
}
