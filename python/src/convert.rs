//! Values of scenes in Python, and arrays as bytes.

use std::path::PathBuf;

use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple},
};
use toml::{Table, Value};

/// Levels of nesting of a value, deeper than any of a scene.
const DEEPEST: usize = 16;

/// Value of the key `key` of a scene. Arrays and numbers of `NumPy` are values, too.
pub(crate) fn to_toml(key: &str, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    nested(key, value, DEEPEST)
}

fn nested(key: &str, value: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
    let fail = |what: String| PyTypeError::new_err(format!("{key}: {what}"));
    let Some(depth) = depth.checked_sub(1) else {
        return Err(fail("the value is nested too deeply".into()));
    };
    if value.is_none() {
        return Err(fail("None is no value of a scene: leave the key out".into()));
    }
    if value.is_instance_of::<PyBool>() {
        return Ok(Value::Boolean(value.extract()?));
    }
    if value.is_instance_of::<PyInt>() {
        let number = value.extract().map_err(|_| fail(format!("{value} is too large")))?;
        return Ok(Value::Integer(number));
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(Value::Float(value.extract()?));
    }
    if value.is_instance_of::<PyString>() {
        return Ok(Value::String(value.extract()?));
    }
    if let Ok(table) = value.cast::<PyDict>() {
        let mut all = Table::new();
        for (name, value) in table {
            let name: String =
                name.extract().map_err(|_| fail(format!("{name} is no name of a key")))?;
            let value = nested(&format!("{key}.{name}"), &value, depth)?;
            all.insert(name, value);
        }
        return Ok(Value::Table(all));
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let mut all = Vec::new();
        for (number, value) in value.try_iter()?.enumerate() {
            all.push(nested(&format!("{key}[{number}]"), &value?, depth)?);
        }
        return Ok(Value::Array(all));
    }
    if value.hasattr("tolist")? {
        return nested(key, &value.call_method0("tolist")?, depth);
    }
    match value.extract::<PathBuf>() {
        Ok(path) => Ok(Value::String(path.display().to_string())),
        Err(_) => Err(fail(format!("a scene has no values of type {}", value.get_type().name()?))),
    }
}

/// A scene's value in Python.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Boolean(value) => PyBool::new(py, *value).to_owned().into_any(),
        Value::Integer(value) => value.into_pyobject(py)?.into_any(),
        Value::Float(value) => value.into_pyobject(py)?.into_any(),
        Value::String(value) => value.into_pyobject(py)?.into_any(),
        Value::Datetime(value) => value.to_string().into_pyobject(py)?.into_any(),
        Value::Array(values) => {
            let values: PyResult<Vec<_>> = values.iter().map(|v| to_python(py, v)).collect();
            PyList::new(py, values?)?.into_any()
        }
        Value::Table(table) => {
            let all = PyDict::new(py);
            for (key, value) in table {
                all.set_item(key, to_python(py, value)?)?;
            }
            all.into_any()
        }
    })
}

/// Bytes of numbers, for `numpy.frombuffer`.
pub(crate) fn bytes<'py, T: bytemuck::NoUninit>(
    py: Python<'py>,
    values: &[T],
) -> Bound<'py, PyBytes> {
    PyBytes::new(py, bytemuck::cast_slice(values))
}

/// Rows of three 32-bit numbers of an array's bytes.
pub(crate) fn triples(bytes: &[u8]) -> Vec<[f32; 3]> {
    bytemuck::pod_collect_to_vec(bytes)
}
