//! Distances of meshes on their grids, computed on the GPU before the first step, and of those that change their shape before
//! each frame.

use meniscus_methods::{
    lists::distances,
    space::{FIELD_NODE_SPACE, FIELD_ROW_SPACE},
};
use meniscus_model::{Setup, bake, mesh::Solid, params::DistanceField, shared::encode};

use crate::{
    Error,
    machine::{List, Machine, Phase},
    shaders::Shaders,
};

/// Computes the distances of all meshes.
pub(super) fn bake(machine: &Machine, shaders: &Shaders, setup: &Setup) -> Result<(), Error> {
    for (solid, field) in &setup.fields {
        fill(machine, shaders, setup, solid, *field)?;
    }
    Ok(())
}

/// Computes the distances of meshes that change their shape for the frame that begins at `start` s: [`Setup::frame_fields`].
pub(super) fn bake_frame(
    machine: &Machine,
    shaders: &Shaders,
    setup: &Setup,
    start: f64,
    both: bool,
) -> Result<(), Error> {
    for (solid, field) in setup.frame_fields(start, both) {
        machine.clear("distances", field.first, field.length())?;
        fill(machine, shaders, setup, &solid, field)?;
    }
    Ok(())
}

/// Computes the distances of a mesh on its grid, which is empty.
fn fill(
    machine: &Machine,
    shaders: &Shaders,
    setup: &Setup,
    solid: &Solid,
    field: DistanceField,
) -> Result<(), Error> {
    let nodes = |count| setup.counts().with(FIELD_NODE_SPACE, count);
    let list = |entries| [List { name: "field", phase: Phase::Any, entries }];
    let mut baker = machine.beside(shaders, &nodes(0), &list(Vec::new()))?;
    for batch in bake::batches(solid) {
        let field = field.with_batch(&batch.boxes);
        let counts = nodes(field.size.element_product());
        baker = baker.beside(shaders, &counts, &list(distances::bake()))?;
        baker.write("distance_field", &encode(&[field]))?;
        baker.write("field_boxes", &encode(&batch.boxes))?;
        baker.write("field_triangles", &encode(&batch.triangles))?;
        baker.submit("field")?;
    }
    let counts = setup.counts().with(FIELD_ROW_SPACE, field.nodes.y * field.nodes.z);
    baker.beside(shaders, &counts, &list(distances::flood()))?.submit("field")?;
    Ok(())
}
