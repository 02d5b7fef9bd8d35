//! The file of a scene's fields at the start.

use meniscus_model::Scene;
use meniscus_model::scene::{Content, Fields, Problem};
use vtkio::model::{Attribute, DataSet, Vtk};

use crate::solids::Files;
use crate::vtk;

/// Fields that a file may have, with the numbers of a cell.
const KNOWN: [(&str, usize); 4] =
    [("density", 1), ("temperature", 1), ("fuel", 1), ("velocity", 3)];

/// Reads the fields at the start that a scene names, if it names any.
pub(crate) fn fill_in(scene: &mut Scene, files: &Files) -> Option<Problem> {
    let initial = scene.initial.as_mut()?;
    // What reads them would make the page, which has no files, larger by a twentieth.
    if cfg!(target_family = "wasm") {
        let message = format!("{:?}: there are no files of fields in a browser", initial.file);
        return Some(Problem::new("initial.file".to_owned(), message));
    }
    let read = files.read(&initial.file).and_then(|bytes| {
        image(&bytes).map_err(|message| format!("{:?}: {message}", initial.file))
    });
    match read {
        Ok(fields) => initial.fields = Content::of(fields),
        Err(message) => return Some(Problem::new("initial.file".to_owned(), message)),
    }
    None
}

/// The fields of a VTK image with data of cells.
fn image(bytes: &[u8]) -> Result<Fields, String> {
    const EXPECTED: &str =
        "expected an image of VTK (ImageData) with data of cells, as --grid vti writes it";
    if !String::from_utf8_lossy(bytes).trim_end().ends_with("</VTKFile>") {
        return Err(format!("{EXPECTED}; it does not end with </VTKFile>"));
    }
    let vtk = Vtk::parse_xml(bytes).map_err(|error| {
        format!("{EXPECTED}: {}", error.to_string().lines().next().unwrap_or(""))
    })?;
    let DataSet::ImageData { origin, spacing, mut pieces, .. } = vtk.data else {
        return Err(EXPECTED.into());
    };
    if pieces.len() != 1 {
        return Err(format!("it has {} pieces; one is expected", pieces.len()));
    }
    let piece = pieces.swap_remove(0).into_loaded_piece_data(None);
    let piece = piece.map_err(|error| error.to_string())?;
    let ranges = piece.extent.into_ranges();
    let size =
        ranges.clone().map(|range| range.end().saturating_sub(*range.start()).max(0) as usize);
    let count = size.iter().try_fold(1_usize, |product, n| product.checked_mul(*n));
    let count =
        count.filter(|count| *count > 0).ok_or_else(|| format!("{EXPECTED}; it has no cells"))?;
    if spacing.iter().any(|edge| !(edge.is_finite() && *edge > 0.0)) {
        return Err(format!("its cells have the edges {spacing:?}"));
    }
    let mut columns = [const { Vec::new() }; 4];
    let mut others = Vec::new();
    for attribute in &piece.data.cell {
        let Attribute::DataArray(array) = attribute else { continue };
        let Some(k) = KNOWN.iter().position(|(name, _)| *name == array.name) else {
            others.push(array.name.clone());
            continue;
        };
        let values = vtk::floats(&array.data);
        let expected = count.saturating_mul(KNOWN[k].1);
        if values.len() != expected {
            let found = values.len();
            return Err(format!("{} has {found} numbers, not {expected}", array.name));
        }
        if let Some(i) = values.iter().position(|value| !value.is_finite()) {
            return Err(format!("{} of cell {} is not a number", array.name, i / KNOWN[k].1));
        }
        columns[k] = values;
    }
    if columns.iter().all(Vec::is_empty) {
        let has = if others.is_empty() { "none".to_owned() } else { others.join(", ") };
        return Err(format!(
            "expected density, temperature, fuel or velocity of cells; its fields are {has}"
        ));
    }
    let [density, temperature, fuel, velocity] = &columns;
    let of = |values: &[f32], i: usize| values.get(i).copied().unwrap_or(0.0);
    let edges = spacing.map(f64::from);
    Ok(Fields {
        low: std::array::from_fn(|axis| {
            f64::from(origin[axis]) + f64::from(*ranges[axis].start()) * edges[axis]
        }),
        edges,
        size,
        smoke: (0..count).map(|c| [of(density, c), of(temperature, c), of(fuel, c)]).collect(),
        velocity: (0..count).map(|c| [0, 1, 2].map(|k| of(velocity, 3 * c + k))).collect(),
    })
}

#[cfg(test)]
mod tests {
    use meniscus_model::{CellField, Cells};

    use super::*;
    use crate::{CellFormat, write_cells};

    fn written(fields: Vec<CellField>) -> (tempfile::TempDir, Vec<u8>) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("cells.vti");
        let (low, size) = ([-1.0, 0.5, 0.0], [2, 1, 1]);
        let cells = Cells { low, edge: 0.25, size, time: 0.5, fields };
        write_cells(&path, CellFormat::Vti, &cells).expect("a file");
        let bytes = std::fs::read(path).expect("a file");
        (folder, bytes)
    }

    #[test]
    fn what_a_run_wrote_comes_back() {
        let values = vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let (_folder, bytes) = written(vec![
            CellField { name: "density", components: 1, values: vec![0.5, 1.5] },
            CellField { name: "pressure", components: 1, values: vec![7.0, 8.0] },
            CellField { name: "velocity", components: 3, values },
        ]);
        let fields = image(&bytes).expect("fields");
        assert_eq!(
            (fields.low, fields.edges, fields.size),
            ([-1.0, 0.5, 0.0], [0.25; 3], [2, 1, 1])
        );
        assert_eq!(fields.smoke, [[0.5, 0.0, 0.0], [1.5, 0.0, 0.0]]);
        assert_eq!(fields.velocity, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    }

    #[test]
    fn what_is_no_such_file_is_said() {
        let problem = |bytes: &[u8]| image(bytes).expect_err("no fields");
        assert!(problem(b"solid cube").contains("it does not end with </VTKFile>"));
        let one =
            |name| written(vec![CellField { name, components: 1, values: vec![1.0, f32::NAN] }]).1;
        assert!(problem(&one("pressure")).ends_with("its fields are pressure"));
        assert_eq!(problem(&one("density")), "density of cell 1 is not a number");
        let cut = one("density");
        assert!(problem(&cut[..cut.len() / 2]).contains("it does not end"));
        let mut scene = Scene::default();
        scene.initial = Some(meniscus_model::scene::Initial::of("none.vti"));
        let folder = tempfile::tempdir().expect("a temporary folder");
        let files = Files::Folder(folder.path().to_owned());
        let problem = fill_in(&mut scene, &files).expect("a problem").to_string();
        assert!(problem.contains("initial.file: there is no file \"none.vti\""), "{problem}");
    }
}
