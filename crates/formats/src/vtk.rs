//! Files of VTK with points, vertices and triangles (XML `PolyData`, `.vtp`).

use std::io::{self, Write};

use vtkio::model::{ByteOrder, DataSet, PolyDataPiece, Version, Vtk};

/// A file with nothing in it: vtkio omits counts of 0, and VTK then rejects the file.
pub(crate) const EMPTY: &str = r#"<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian">
<PolyData><Piece NumberOfPoints="0" NumberOfVerts="0"><Points>
<DataArray type="Float32" NumberOfComponents="3" format="ascii"></DataArray>
</Points></Piece></PolyData></VTKFile>
"#;

/// Writes `count` points or cells, which are all in the piece.
pub(crate) fn write(writer: &mut dyn Write, count: usize, piece: PolyDataPiece) -> io::Result<()> {
    if count == 0 {
        return writer.write_all(EMPTY.as_bytes());
    }
    let vtk = Vtk {
        version: Version::new_xml(1, 0),
        title: String::new(),
        byte_order: ByteOrder::LittleEndian,
        data: DataSet::inline(piece),
        file_path: None,
    };
    // Write into memory first: vtkio does not report every failed write.
    let mut bytes = Vec::new();
    vtk.write_xml(&mut bytes).map_err(io::Error::other)?;
    writer.write_all(&bytes)
}
