// f = −σ ∇²c n/|n| where |n| > l (M 19), with the colour field's gradient and Laplacian
//   n = ∇c = Σ_j V_j ∇W, ∇²c = Σ_j V_j ∇²W                     (M 15, 16; n points into the fluid)
var<private> color_gradient: vec3<f32>;
var<private> color_laplacian: f32;

fn tension_color_field_begin(i: u32) {
    color_gradient = vec3<f32>(0.0);
    color_laplacian = 0.0;
}

fn tension_color_field_visit(pair: Pair) {
    color_gradient += (pair.volume * density_gradient(pair.r2)) * pair.offset;
    color_laplacian += pair.volume * density_laplacian(pair.r2);
}

fn tension_color_field_end(i: u32) -> vec3<f32> {
    let steepness = length(color_gradient);
    if (steepness <= params.sph.surface_threshold) { return vec3<f32>(0.0); }
    let tension = material_of(sorted_identity_at(i)).surface_tension;
    return -(tension * color_laplacian / steepness * color_gradient);
}
