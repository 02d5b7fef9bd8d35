// The field of distances that is being made: crates/model/src/params.rs, DistanceField.
//!include common/control

struct DistanceField {
    // Half of the grid in m: its middle is that of the mesh.
    half_extents: vec3<f32>,
    cell: f32,
    nodes: vec3<u32>,
    // Where it begins in `distances`: half extents, then the nodes, x fastest.
    first: u32,
    // Nodes that the present batch of triangles may be near: the first, and how many per axis.
    low: vec3<u32>,
    // Farther than this from the surface the distance is this.
    band: f32,
    size: vec3<u32>,
    // Half the thickness of a sheet; 0 of what encloses a volume.
    half_thickness: f32,
    // Boxes in the batch.
    box_count: u32,
}

@group(1) @binding(0) var<storage, read> distance_field: array<DistanceField>;
@group(1) @binding(1) var<storage, read_write> distances: array<f32>;
