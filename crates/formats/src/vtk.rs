//! Files of VTK with points, vertices and triangles (XML `PolyData`, `.vtp`).

use std::io::{self, Write};

use vtkio::IOBuffer;
use vtkio::model::{ByteOrder, DataSet, PolyDataPiece, Version, Vtk};

/// A file with nothing in it: vtkio omits counts of 0, and VTK then rejects the file.
pub(crate) const EMPTY: &str = r#"<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian">
<PolyData><Piece NumberOfPoints="0" NumberOfVerts="0"><Points>
<DataArray type="Float32" NumberOfComponents="3" format="ascii"></DataArray>
</Points></Piece></PolyData></VTKFile>
"#;

/// Writes `count` points or cells, which are all in the piece, of a time in s.
pub(crate) fn write(
    writer: &mut dyn Write,
    count: usize,
    piece: PolyDataPiece,
    time: Option<f64>,
) -> io::Result<()> {
    if count == 0 {
        return writer.write_all(&with_time(EMPTY.into(), time));
    }
    let vtk = Vtk {
        version: Version::new_xml(1, 0),
        title: String::new(),
        byte_order: ByteOrder::LittleEndian,
        data: DataSet::inline(piece),
        file_path: None,
    };
    write_xml(writer, &vtk, time)
}

/// Writes a data set with its time in s.
pub(crate) fn write_xml(writer: &mut dyn Write, vtk: &Vtk, time: Option<f64>) -> io::Result<()> {
    // Into memory first: vtkio does not report every failed write.
    let mut bytes = Vec::new();
    vtk.clone().write_xml(&mut bytes).map_err(io::Error::other)?;
    writer.write_all(&with_time(bytes, time))
}

/// Numbers of a buffer.
pub(crate) fn floats(buffer: &IOBuffer) -> Vec<f32> {
    match buffer {
        IOBuffer::F32(values) => values.clone(),
        IOBuffer::F64(values) => values.iter().map(|value| *value as f32).collect(),
        IOBuffer::U32(values) => values.iter().map(|value| *value as f32).collect(),
        other => other.cast_into::<f32>().unwrap_or_default(),
    }
}

/// A file with a time in s, which `ParaView` shows: `TimeValue`, first in its data set. (vtkio writes no fields.)
fn with_time(mut bytes: Vec<u8>, time: Option<f64>) -> Vec<u8> {
    let Some(time) = time else { return bytes };
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(1000)]).into_owned();
    let begin = ["<PolyData", "<ImageData"].iter().find_map(|tag| text.find(tag));
    let end = begin.and_then(|begin| Some(begin + text[begin..].find('>')? + 1));
    if let Some(end) = end {
        let field = format!(
            "<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{time}\
             </DataArray></FieldData>"
        );
        bytes.splice(end..end, field.into_bytes());
    }
    bytes
}
