//! Errors, which become the package's exceptions.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

use meniscus_formats::Diagnostic;
use pyo3::{
    exceptions::{PyOSError, PyValueError},
    prelude::*,
};

/// Reason why a call failed.
pub(crate) enum Failure {
    /// Problems of a scene: `SceneError`.
    Scene(Vec<Problem>),
    /// A wrong argument: `ValueError`.
    Value(String),
    /// A failed simulation or device: `SimulationError`, with step, time in s, and cause.
    Simulation { message: String, step: Option<u32>, time: Option<f64>, cause: String },
    /// No suitable adapter: `AdapterError`.
    Adapter(String),
    /// A file that cannot be written: `OSError`.
    File(String),
    /// A panic: `InternalError`.
    Bug(String),
}

/// A problem of a scene.
pub(crate) struct Problem {
    pub(crate) message: String,
    pub(crate) key: Option<String>,
    pub(crate) line: Option<u32>,
}

impl Failure {
    /// A scene with one problem, of its file or as a whole.
    pub(crate) fn of_scene(message: String) -> Self {
        Self::Scene(vec![Problem { message, key: None, line: None }])
    }

    fn device(message: String) -> Self {
        Self::Simulation { cause: message.clone(), message, step: None, time: None }
    }
}

impl From<meniscus::Error> for Failure {
    fn from(error: meniscus::Error) -> Self {
        use meniscus::Error::{
            Failed, File, Mismatch, NoAdapter, Options, Scene, TooLarge, Unsuitable,
        };
        let message = error.to_string();
        match error {
            Scene(problems) => Self::Scene(
                problems
                    .into_iter()
                    .map(|problem| Problem {
                        message: problem.to_string(),
                        key: Some(problem.path),
                        line: None,
                    })
                    .collect(),
            ),
            NoAdapter(_) | Unsuitable(_) => Self::Adapter(message),
            TooLarge(_) => Self::of_scene(message),
            Options(_) | Mismatch(_) => Self::Value(message),
            File(error) => error.into(),
            Failed(failure) => Self::Simulation {
                message,
                step: Some(failure.step),
                time: Some(failure.time),
                cause: failure.cause.to_string(),
            },
            _ => Self::device(message),
        }
    }
}

impl From<meniscus_formats::Error> for Failure {
    fn from(error: meniscus_formats::Error) -> Self {
        let message = error.to_string();
        match error {
            meniscus_formats::Error::Input(all) => {
                let problem = |one: Diagnostic| Problem {
                    message: match &one.key {
                        // Its place is the key, which the message names.
                        Some(key) if one.line().is_none() && one.message.starts_with(key) => {
                            one.message.clone()
                        }
                        _ => one.to_string(),
                    },
                    line: one.line(),
                    key: one.key,
                };
                Self::Scene(all.into_iter().map(problem).collect())
            }
            meniscus_formats::Error::Write { .. } => Self::File(message),
            meniscus_formats::Error::Checkpoint { .. } => Self::Value(message),
            _ => Self::of_scene(message),
        }
    }
}

impl From<meniscus_render::Error> for Failure {
    fn from(error: meniscus_render::Error) -> Self {
        match error {
            meniscus_render::Error::Gpu(error) => error.into(),
            error => Self::Value(error.to_string()),
        }
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        Python::attach(|py| raise(py, failure)).unwrap_or_else(|error| error)
    }
}

/// The exception of a failure.
fn raise(py: Python<'_>, failure: Failure) -> PyResult<PyErr> {
    let class = |name| py.import("meniscus_fluids._errors")?.getattr(name);
    let error = match failure {
        Failure::Value(message) => return Ok(PyValueError::new_err(message)),
        Failure::File(message) => return Ok(PyOSError::new_err(message)),
        Failure::Scene(problems) => {
            let all: Vec<_> =
                problems.into_iter().map(|one| (one.message, one.key, one.line)).collect();
            class("SceneError")?.call1((all,))?
        }
        Failure::Simulation { message, step, time, cause } => {
            class("SimulationError")?.call1((message, step, time, cause))?
        }
        Failure::Adapter(message) => class("AdapterError")?.call1((message,))?,
        Failure::Bug(message) => class("InternalError")?.call1((message,))?,
    };
    Ok(PyErr::from_value(error))
}

/// Runs what may take long while other Python threads go on. A panic becomes an exception.
pub(crate) fn guarded<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let result = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
    Ok(result.unwrap_or_else(|panic| Err(Failure::Bug(text_of(panic.as_ref()))))?)
}

/// What a panic says.
fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a message").to_owned()
}
