//! Files of what is shown.

use meniscus::{FluidMesh, FrameReport, Gpu, Quantity, SurfaceOptions};
use meniscus_formats::{Mesh, glb_bytes, ply_bytes, png_bytes, scene_to_toml};
use meniscus_live::Run;
use meniscus_render::{Offscreen, View};
use serde_json::Value;

use crate::fault::Fault;

/// The bytes of a file of the current frame.
pub(crate) async fn read(
    what: &str,
    gpu: &Gpu,
    run: &mut Run,
    view: &View,
    size: [u32; 2],
) -> Result<Vec<u8>, Fault> {
    Ok(match what {
        "ply" => {
            let more = run.simulation().measure(&Quantity::of_files(run.scene())).await?;
            ply_bytes(&run.state().await?, &more)
        }
        "glb" => {
            let simulation = run.simulation();
            let options = SurfaceOptions::default();
            let mesh = FluidMesh::new(gpu, simulation, &options)?.read(simulation).await?;
            glb_bytes(&Mesh::new(mesh.position, mesh.normal, mesh.triangles))?
        }
        "png" => {
            let picture = Offscreen::new(gpu, size)?.picture(&run.fluid(), view).await?;
            png_bytes(&picture)?
        }
        "toml" => scene_to_toml(run.scene()).into_bytes(),
        "json" => {
            let report = run.report().await?.0;
            report.log_line(run.simulation().setup()).to_json().into_bytes()
        }
        _ => return Err(Fault(format!("there is no file `{what}`"))),
    })
}

/// The numbers of a report under the names of the log, and of what the page shows besides.
pub(crate) fn numbers(report: &FrameReport, run: &Run, frame_done: bool) -> Result<Value, Fault> {
    let mut numbers = serde_json::to_value(report.log_line(run.simulation().setup()))?;
    numbers["frame_done"] = frame_done.into();
    numbers["max_speed"] = report.max_speed.into();
    Ok(numbers)
}
