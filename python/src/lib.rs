//! `meniscus_fluids._native`: what the Python package `meniscus_fluids` is built on.
//!
//! It converts values and errors and lets other Python threads run while the device works; names that users see, arrays
//! and documentation are in `python/meniscus_fluids`. Arrays pass as bytes, which `NumPy` reads where they lie: `NumPy`'s own
//! interface would add six crates and change the features of those that others share.

mod convert;
mod devices;
mod errors;
mod film;
mod impulses;
mod scene;
mod simulation;
mod state;
mod sweeps;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use super::devices::adapters;
    #[pymodule_export]
    use super::film::Film;
    #[pymodule_export]
    use super::functions::{bundled_scenes, panic, run_command, version, write_mesh, write_png};
    #[pymodule_export]
    use super::scene::Scene;
    #[pymodule_export]
    use super::simulation::Simulation;
    #[pymodule_export]
    use super::state::State;
    #[pymodule_export]
    use super::sweeps::{plan, run_planned};
}

mod functions {
    use std::{ffi::OsString, path::PathBuf};

    use image::{DynamicImage, RgbImage};
    use meniscus_formats::{Mesh, MeshFormat, SCENES, write_png as write};
    use pyo3::prelude::*;

    use crate::{
        convert::triples,
        devices,
        errors::{Failure, guarded},
    };

    /// Names of the bundled scenes.
    #[pyfunction]
    pub(crate) fn bundled_scenes() -> Vec<&'static str> {
        SCENES.iter().map(|scene| scene.name).collect()
    }

    /// Version of the package.
    #[pyfunction]
    pub(crate) fn version() -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    /// Panics, as an error in meniscus would: for the test of what becomes of it.
    #[pyfunction]
    pub(crate) fn panic(py: Python<'_>, message: &str) -> PyResult<()> {
        guarded(py, || std::panic::panic_any(message.to_owned()))
    }

    /// Runs the command `meniscus`; the first argument is its name. Returns the exit status.
    #[pyfunction]
    pub(crate) fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<u8> {
        guarded(py, || {
            devices::use_here()?;
            Ok(meniscus_cli::run_command(arguments))
        })
    }

    /// Writes a PNG file of `width` × `height` pixels of red, green and blue.
    #[pyfunction]
    pub(crate) fn write_png(
        py: Python<'_>,
        path: PathBuf,
        width: u32,
        height: u32,
        pixels: &[u8],
    ) -> PyResult<()> {
        guarded(py, || {
            let image = RgbImage::from_raw(width, height, pixels.to_vec());
            let image = image.ok_or_else(|| Failure::Value("pixels are missing".into()))?;
            Ok(write(&path, &DynamicImage::ImageRgb8(image).into_rgba8())?)
        })
    }

    /// Writes a triangle mesh in the format of the file's extension.
    #[pyfunction]
    #[pyo3(signature = (path, positions, normals, triangles, velocities=None))]
    pub(crate) fn write_mesh(
        py: Python<'_>,
        path: PathBuf,
        positions: &[u8],
        normals: &[u8],
        triangles: &[u8],
        velocities: Option<&[u8]>,
    ) -> PyResult<()> {
        guarded(py, || {
            let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
            let format =
                MeshFormat::ALL.iter().find(|f| Some(f.extension()) == extension.as_deref());
            let format = *format.ok_or_else(|| {
                let all: Vec<_> = MeshFormat::ALL.iter().map(|f| f.extension()).collect();
                let path = path.display();
                Failure::Value(format!("{path}: expected a file that ends in .{}", all.join(", .")))
            })?;
            let triangles = bytemuck::pod_collect_to_vec::<u8, [u32; 3]>(triangles);
            let mut mesh = Mesh::new(triples(positions), triples(normals), triangles);
            if let Some(velocities) = velocities {
                mesh = mesh.with_velocity(triples(velocities));
            }
            Ok(meniscus_formats::write_mesh(&path, format, &mesh)?)
        })
    }
}
