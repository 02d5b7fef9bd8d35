//! `Scene`: keys by their paths.

use std::sync::{Mutex, MutexGuard, PoisonError};

use meniscus_formats::{Draft, PointSet};
use pyo3::{exceptions::PyKeyError, prelude::*};

use crate::{
    convert::{to_python, to_toml},
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
}
