//! VTK's XML for polygons.

use std::io::{self, Write};

use vtkio::model::{Attribute, Attributes, DataArray, PolyDataPiece, VertexNumbers};

use super::Mesh;
use crate::vtk;

pub(super) fn write(writer: &mut dyn Write, mesh: &Mesh) -> io::Result<()> {
    let vectors = |name: &str, values: Vec<[f32; 3]>| {
        Attribute::DataArray(DataArray::vectors(name).with_vec(values.concat()))
    };
    let mut point = Vec::new();
    if !mesh.normal.is_empty() {
        point.push(vectors("normal", mesh.unit_normals().collect()));
    }
    if let Some(velocity) = &mesh.velocity {
        point.push(vectors("velocity", velocity.clone()));
    }
    if let Some(speed) = &mesh.speed {
        let numbers = DataArray::scalars("speed", 1).with_vec(speed.clone());
        point.push(Attribute::DataArray(numbers));
    }
    if let Some(tint) = &mesh.tint {
        let colors = tint.iter().map(|color| color.map(|channel| channel as f32)).collect();
        point.push(vectors("color", colors));
    }
    let count = mesh.triangles.len() as u64;
    let connectivity = mesh.triangles.as_flattened().iter().map(|i| u64::from(*i)).collect();
    let offsets = (1..=count).map(|k| 3 * k).collect();
    let piece = PolyDataPiece {
        points: mesh.position.concat().into(),
        polys: Some(VertexNumbers::XML { connectivity, offsets }),
        data: Attributes { point, cell: Vec::new() },
        ..PolyDataPiece::default()
    };
    vtk::write(writer, mesh.position.len().min(mesh.triangles.len()), piece, mesh.time)
}
