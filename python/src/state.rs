//! `State`: a simulation between two steps, in memory.

use std::sync::Arc;

use meniscus_formats::Checkpoint;
use pyo3::{prelude::*, types::PyBytes};

use crate::errors::guarded;

/// State of a simulation; its bytes are those of a checkpoint.
#[pyclass(frozen, module = "meniscus_fluids._native")]
pub(crate) struct State(pub(crate) Arc<Checkpoint>);

#[pymethods]
impl State {
    /// The state of these bytes.
    #[new]
    fn new(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        guarded(py, || Ok(Self(Arc::new(Checkpoint::from_bytes(data)?))))
    }

    /// Bytes of the checkpoint.
    fn bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let all = guarded(py, || Ok(self.0.to_bytes()?))?;
        Ok(PyBytes::new(py, &all))
    }

    /// Simulated time in s, and steps.
    fn clock(&self) -> (f64, u32) {
        (self.0.state.time(), self.0.state.control.step)
    }
}
