// The field of distances that is being made.
//!include common/control
//!include shared/distance_field

@group(1) @binding(0) var<storage, read> distance_field: array<DistanceField>;
@group(1) @binding(1) var<storage, read_write> distances: array<f32>;
