//! Adapters, and the devices that simulations share.

use std::{
    process,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
};

use meniscus::{Gpu, GpuOptions, blocking};
use pyo3::{prelude::*, types::PyDict};

use crate::errors::{Failure, guarded};

/// Open devices, by the adapter that was asked for: a second simulation finds its passes compiled.
static OPEN: Mutex<Vec<(Option<String>, Gpu)>> = Mutex::new(Vec::new());

/// Process that uses the GPU; 0 before one does. A fork of it has none of the driver's threads, and would wait for them.
static USER: AtomicU32 = AtomicU32::new(0);

/// Whether this process is the fork of one that uses the GPU.
pub(crate) fn is_fork() -> bool {
    ![0, process::id()].contains(&USER.load(Relaxed))
}

/// Notes that this process uses the GPU.
///
/// # Errors
/// A sentence in a fork of a process that does.
pub(crate) fn use_here() -> Result<(), Failure> {
    if is_fork() {
        let cause = "this process was forked from one that uses the GPU, and cannot use it: start processes with \
                     multiprocessing.get_context(\"spawn\")";
        return Err(Failure::Simulation {
            message: cause.into(),
            step: None,
            time: None,
            cause: cause.into(),
        });
    }
    USER.store(process::id(), Relaxed);
    Ok(())
}

/// The device of an adapter, opened unless it is open.
pub(crate) fn open(adapter: Option<String>) -> Result<Gpu, Failure> {
    use_here()?;
    let mut all = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, gpu)) = all.iter().find(|(known, _)| *known == adapter) {
        return Ok(gpu.clone());
    }
    let options = GpuOptions { adapter: adapter.clone(), ..GpuOptions::default() };
    let gpu = blocking::open(&options).map_err(|error| match Failure::from(error) {
        Failure::Adapter(_) if blocking::adapters().is_empty() => {
            Failure::Adapter(format!("no GPU adapter was found; {}", meniscus_cli::HOW_TO_GET_ONE))
        }
        Failure::Adapter(text) => Failure::Adapter(text + "; see meniscus_fluids.adapters()"),
        failure => failure,
    })?;
    all.push((adapter, gpu.clone()));
    Ok(gpu)
}

/// Forgets the open devices, since one of them failed: the next simulation opens its own.
pub(crate) fn forget() {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner).clear();
}

/// The system's adapters: index, name, backend, type, driver, PCI address, and why meniscus cannot use one.
#[pyfunction]
pub(crate) fn adapters(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let all = guarded(py, || {
        use_here()?;
        Ok(blocking::adapters())
    })?;
    let describe = |one: &meniscus::AdapterSummary| {
        let all = PyDict::new(py);
        all.set_item("index", one.index)?;
        all.set_item("name", &one.info.name)?;
        all.set_item("backend", format!("{:?}", one.info.backend))?;
        all.set_item("type", format!("{:?}", one.info.device_type))?;
        all.set_item("driver", format!("{} {}", one.info.driver, one.info.driver_info))?;
        all.set_item("pci", &one.info.device_pci_bus_id)?;
        all.set_item("refusal", &one.refusal)?;
        Ok(all)
    };
    all.iter().map(describe).collect()
}
