//! Diagnostics as a dictionary.

use meniscus::FrameReport;
use pyo3::{prelude::*, types::PyDict};

/// A report, with the names of the step's loops, and the viscosity in Pa·s of each material.
pub(super) fn dict<'py>(
    py: Python<'py>,
    report: &FrameReport,
    loops: &[&str],
    viscosities: &[(String, f64)],
) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    let viscosity = PyDict::new(py);
    for (name, used) in viscosities {
        viscosity.set_item(name, used)?;
    }
    all.set_item("viscosity", viscosity)?;
    for (name, value) in [
        ("time", report.time),
        ("dt", report.dt),
        ("mass", report.mass),
        ("density_error_mean", report.density_error_mean),
        ("density_error_max", report.density_error_max),
        ("kinetic_energy", report.kinetic_energy),
        ("potential_energy", report.potential_energy),
        ("max_speed", report.max_speed),
        ("smoke", report.smoke),
        ("divergence", report.divergence),
    ] {
        all.set_item(name, value)?;
    }
    for (name, value) in [
        ("frame", report.frame),
        ("steps", report.steps),
        ("particles", report.fluid),
        ("lost", report.lost),
        ("left", report.left),
    ] {
        all.set_item(name, value)?;
    }
    for (name, value) in [
        ("momentum", report.momentum),
        ("angular_momentum", report.angular_momentum),
        ("center_of_mass", report.center_of_mass),
        ("bounds_min", report.bounds_min),
        ("bounds_max", report.bounds_max),
    ] {
        all.set_item(name, value)?;
    }
    let iterations = PyDict::new(py);
    for ((name, found), residuals) in loops.iter().zip(&report.control.loops).zip(&report.residuals)
    {
        let one = PyDict::new(py);
        one.set_item("residuals", residuals)?;
        one.set_item("iterations", found.iterations)?;
        one.set_item("not_converged", found.exhausted)?;
        let steps = f64::from(report.control.steps_in_frame.max(1));
        one.set_item("residual_mean", f64::from(found.residual_sum) / steps)?;
        one.set_item("residual_max", f64::from(found.residual_max))?;
        iterations.set_item(name, one)?;
    }
    all.set_item("loops", iterations)?;
    all.set_item("close", report.close)?;
    let foam = report.foam.map(|foam| [foam.spray, foam.foam, foam.bubbles, foam.born, foam.died]);
    all.set_item("foam", foam)?;
    Ok(all)
}
