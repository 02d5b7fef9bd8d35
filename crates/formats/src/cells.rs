//! Writer of fields on a grid of cells: VTK image data, or volumes.

use std::io::{self, Write};
use std::path::Path;

use meniscus_model::{CellField, Cells};
use strum::{EnumString, IntoStaticStr, VariantArray};
use vtkio::model::{
    Attribute, Attributes, ByteOrder, DataArray, DataSet, Extent, ImageDataPiece, Piece, Version,
    Vtk,
};

use crate::error::Error;
use crate::vdb;
use crate::vtk;
use crate::write::write_whole;

/// Format of a file of fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
#[non_exhaustive]
pub enum CellFormat {
    /// VTK image with data of cells, for `ParaView`.
    Vti,
    /// Sparse volumes, for Blender and Houdini: scalars where they are above a thousandth of their largest value, velocity and pressure
    /// where any of them is.
    Vdb,
}

impl CellFormat {
    /// Formats, in the order of help texts.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// File name for a frame, as in `cells_00012.vti`.
    #[must_use]
    pub fn file_name(self, frame: u32) -> String {
        let extension: &str = self.into();
        format!("cells_{frame:05}.{extension}")
    }
}

/// Writes fields, in the scene's axes.
///
/// # Errors
/// [`Error::Write`].
pub fn write_cells(path: &Path, format: CellFormat, cells: &Cells) -> Result<(), Error> {
    write_whole(path, |writer| match format {
        CellFormat::Vti => write(writer, cells),
        CellFormat::Vdb => writer.write_all(&vdb::volume(cells)?),
    })
}

fn write(writer: &mut dyn Write, cells: &Cells) -> io::Result<()> {
    let extent = Extent::Ranges(cells.size.map(|count| 0..=count as i32));
    let array = |field: &CellField| {
        let array = match field.components {
            3 => DataArray::vectors(field.name),
            _ => DataArray::scalars(field.name, field.components as u32),
        };
        Attribute::DataArray(array.with_vec(field.values.clone()))
    };
    let cell = cells.fields.iter().map(array).collect();
    let data = Attributes { point: Vec::new(), cell };
    let vtk = Vtk {
        version: Version::new_xml(1, 0),
        title: String::new(),
        byte_order: ByteOrder::LittleEndian,
        data: DataSet::ImageData {
            extent: extent.clone(),
            origin: cells.low.map(|x| x as f32),
            spacing: [cells.edge as f32; 3],
            meta: None,
            pieces: vec![Piece::Inline(Box::new(ImageDataPiece { extent, data }))],
        },
        file_path: None,
    };
    vtk::write_xml(writer, &vtk, Some(cells.time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_back() {
        let cells = Cells {
            low: [-1.0, 0.5, 0.0],
            edge: 0.25,
            size: [2, 1, 1],
            time: 0.25,
            fields: vec![
                CellField { name: "smoke", components: 1, values: vec![0.5, 1.5] },
                CellField { name: "velocity", components: 3, values: vec![1., 2., 3., 4., 5., 6.] },
            ],
        };
        let mut bytes = Vec::new();
        write(&mut bytes, &cells).expect("memory is not full");
        let text = String::from_utf8_lossy(&bytes);
        assert!(
            text.contains(
                "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">0.25</DataArray>"
            )
        );
        let read = Vtk::parse_xml(bytes.as_slice()).expect("VTK");
        let DataSet::ImageData { extent, origin, spacing, pieces, .. } = read.data else {
            panic!("not an image")
        };
        assert_eq!(extent.into_ranges(), [0..=2, 0..=1, 0..=1]);
        assert_eq!((origin, spacing), ([-1.0, 0.5, 0.0], [0.25; 3]));
        let piece = pieces[0].load_piece_data(None).expect("a piece");
        let of = |k: usize| match &piece.data.cell[k] {
            Attribute::DataArray(array) => {
                (array.name.clone(), array.data.clone().into_vec::<f32>().expect("floats"))
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(of(0), ("smoke".into(), vec![0.5, 1.5]));
        assert_eq!(of(1), ("velocity".into(), vec![1., 2., 3., 4., 5., 6.]));
    }
}
