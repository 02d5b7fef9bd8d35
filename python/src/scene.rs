//! `Scene`: keys by their paths.

use std::sync::{Mutex, MutexGuard, PoisonError};

use meniscus::scene::Side;
use meniscus_formats::{Draft, DraftParts, PointSet};
use pyo3::{exceptions::PyKeyError, prelude::*, types::PyBytes};

use crate::{
    convert::{bytes, to_python, to_toml},
    errors::{Failure, guarded},
};

/// A scene that a program changes key by key.
#[pyclass(frozen, module = "meniscus_fluids._native")]
pub(crate) struct Scene(Mutex<Draft>);

impl Scene {
    pub(crate) fn draft(&self) -> MutexGuard<'_, Draft> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Scene {
    /// An empty scene.
    #[new]
    fn new() -> PyResult<Self> {
        Ok(Self(Mutex::new(Draft::new().map_err(Failure::from)?)))
    }

    /// The scene of a file, or the bundled one of that name.
    #[staticmethod]
    fn read(py: Python<'_>, path: &str) -> PyResult<Self> {
        guarded(py, || Ok(Self(Mutex::new(Draft::read(path)?))))
    }

    /// The scene of a text in TOML; `name` is that of its file in messages, and files are relative to its folder.
    #[staticmethod]
    fn of_text(py: Python<'_>, name: &str, text: &str) -> PyResult<Self> {
        guarded(py, || Ok(Self(Mutex::new(Draft::of_text(name, text)?))))
    }

    /// A copy that can be changed by itself.
    fn copy(&self) -> Self {
        Self(Mutex::new(self.draft().clone()))
    }

    /// Value of a key.
    fn get<'py>(&self, py: Python<'py>, key: &str) -> PyResult<Bound<'py, PyAny>> {
        let value = self.draft().get(key).map_err(PyKeyError::new_err)?;
        to_python(py, &value)
    }

    /// Sets a key.
    fn set(&self, py: Python<'_>, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = to_toml(key, value)?;
        guarded(py, || Ok(self.draft().set(key, value)?))
    }

    /// Makes the rows of arrays of 64-bit floats the particles of the file `name`.
    #[pyo3(signature = (name, positions, velocities=None))]
    fn set_points(
        &self,
        py: Python<'_>,
        name: &str,
        positions: &[u8],
        velocities: Option<&[u8]>,
    ) -> PyResult<()> {
        guarded(py, || {
            let rows = bytemuck::pod_collect_to_vec::<u8, [f64; 3]>;
            let set = PointSet {
                positions: rows(positions),
                velocities: velocities.map(rows).unwrap_or_default(),
            };
            self.draft()
                .set_points(name, set)
                .map_err(|message| Failure::Value(format!("points: {message}")))
        })
    }

    /// Name and text of its file, the scene in TOML, the keys that were set, whether there is a file; and name, positions and
    /// velocities of arrays.
    #[allow(clippy::type_complexity, reason = "the package pickles them")]
    fn parts<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(
        (String, String, String, Vec<String>, bool),
        Vec<(String, Bound<'py, PyBytes>, Bound<'py, PyBytes>)>,
    )> {
        let parts = self.draft().to_parts().map_err(Failure::from)?;
        let DraftParts { name, text, scene, set, has_file, points } = parts;
        let points = points
            .into_iter()
            .map(|(name, set)| (name, bytes(py, &set.positions), bytes(py, &set.velocities)));
        Ok(((name, text, scene, set, has_file), points.collect()))
    }

    /// The scene of these parts.
    #[staticmethod]
    fn of_parts(
        py: Python<'_>,
        parts: (String, String, String, Vec<String>, bool),
        arrays: Vec<(String, Vec<u8>, Vec<u8>)>,
    ) -> PyResult<Self> {
        let (name, text, scene, set, has_file) = parts;
        let rows = |bytes: Vec<u8>| bytemuck::pod_collect_to_vec::<u8, [f64; 3]>(&bytes);
        let set_of = |(name, positions, velocities)| {
            (name, PointSet { positions: rows(positions), velocities: rows(velocities) })
        };
        guarded(py, || {
            let points = arrays.into_iter().map(set_of).collect();
            let parts = DraftParts { name, text, scene, set, has_file, points };
            Ok(Self(Mutex::new(Draft::from_parts(parts)?)))
        })
    }

    /// Text of the scene in TOML.
    fn to_toml(&self) -> String {
        self.draft().to_toml()
    }

    /// Reads the scene's files and checks all of it; returns warnings.
    fn check(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        // Another thread may use the scene meanwhile.
        let draft = self.draft().clone();
        guarded(py, || Ok(draft.finish()?.warnings))
    }

    /// Of each axis, whether solids close the lower and the upper side of a box of cells: all midpoints of the cells beyond it are
    /// in solids at the start, and nothing flows in or out there by an open boundary.
    fn closed_sides(
        &self,
        py: Python<'_>,
        low: [f64; 3],
        edge: f64,
        size: [usize; 3],
    ) -> PyResult<Vec<(bool, bool)>> {
        let draft = self.draft().clone();
        guarded(py, || {
            let scene = draft.finish()?.scene;
            let sides = (0..scene.dimensions as usize).map(|axis| {
                let [lower, upper] = [-0.5, size[axis] as f64 + 0.5]
                    .map(|beyond| closes(&scene, axis, low[axis] + beyond * edge, low, edge, size));
                (lower, upper)
            });
            Ok(sides.collect())
        })
    }
}

/// Whether solids hold all midpoints of a layer of cells, at a place along its axis.
fn closes(
    scene: &meniscus::Scene,
    axis: usize,
    place: f64,
    low: [f64; 3],
    edge: f64,
    size: [usize; 3],
) -> bool {
    let dimensions = scene.dimensions;
    let is_solid = |point: glam::DVec3| {
        scene.boundaries.iter().any(|boundary| {
            let depth = boundary.shape.depth(point, dimensions);
            match boundary.side {
                // That of a plane is where its normal points to.
                _ if boundary.shape.is_endless() => depth < 0.0,
                Side::Inside => depth < 0.0 && !boundary.shape.is_sheet(),
                Side::Outside => depth > 0.0,
            }
        })
    };
    let openings = scene.openings().unwrap_or_default();
    let is_beside = |at: f64| (at - place).abs() < 1.01 * edge;
    if openings.iter().any(|opening| opening.axis == axis && is_beside(opening.min[axis])) {
        return false;
    }
    let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    let at = |k: usize, i: usize| low[k] + (i as f64 + 0.5) * edge;
    let count = |k: usize| if k < dimensions as usize { size[k] } else { 1 };
    (0..count(u)).all(|i| {
        (0..count(v)).all(|j| {
            let mut point = [0.0; 3];
            (point[axis], point[u], point[v]) = (place, at(u, i), at(v, j));
            if dimensions == 2 {
                point[2] = 0.0;
            }
            is_solid(point.into())
        })
    })
}
