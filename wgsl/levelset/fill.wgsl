// Share Ψ of a particle's kernel that is full of fluid or walls, from the nodes k of the level set within h:
//   Ψ_i = 1 − ΔV/S_n Σ_k (1 − H_k) W(x_i − x_k)
// at least what the particle itself fills, and 1 beyond h from the surface; and its rest density in kg/m³.
//!include common/control
//!include common/levelset
//!include common/kernels

//!gather levelset_empty
//!read sorted_position sorted_identity tension_gradient
//!write tension_fill

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let i = element(global_id);
    if (!has_particle(i)) { return; }
    let who = sorted_identity[i];
    if (kind_of(who) != KIND_FLUID) { return; }
    let x = sorted_position[i].xyz;
    let h = kernel.support_radius;
    let flat = is_flat();
    let spacing = node_spacing();
    // In 2-D there is one layer of cells, wherever it begins.
    let own_cell = select(cell_of(x), vec3<i32>(cell_of(x).xy, 0), flat);
    var empty = 0.0;
    if (tension_gradient[i].w < h && in_box(own_cell)) {
        let start = x - params.grid.origin;
        let furthest = i32(floor((start.x + h) / spacing.x));
        for (var gx = i32(ceil((start.x - h) / spacing.x)); gx <= furthest; gx++) {
            // Columns within the ball, and their nodes in it.
            let beside = start.x - spacing.x * f32(gx);
            let reach = sqrt(max(h * h - beside * beside, 0.0));
            let end = i32(floor((start.y + reach) / spacing.y));
            for (var gy = i32(ceil((start.y - reach) / spacing.y)); gy <= end; gy++) {
                let across = vec2<f32>(beside, start.y - spacing.y * f32(gy));
                let up = sqrt(max(h * h - dot(across, across), 0.0));
                let first = select(i32(ceil((start.z - up) / spacing.z)) >> 2u, 0, flat);
                let last = select(i32(floor((start.z + up) / spacing.z)) >> 2u, 0, flat);
                for (var w = first; w <= last; w++) {
                    let cell = image_of(vec3<i32>(gx >> 2u, gy >> 2u, w));
                    // Nodes exist in the box only; around it there is nothing to correct.
                    if (!in_box(cell)) { continue; }
                    let word = levelset_empty_at(LEVEL_COLUMNS * cell_number(cell) + u32(gx & 3) + 4u * u32(gy & 3));
                    if (word == 0u) { continue; }
                    let z = start.z - spacing.z * (f32(4 * w) + vec4<f32>(0.0, 1.0, 2.0, 3.0));
                    let above = select(z, vec4<f32>(0.0, h, h, h), flat);
                    let weights = density_kernels(dot(across, across) + above * above);
                    empty += dot(weights, unpack4x8unorm(word));
                }
            }
        }
    }
    let own = params.methods.tension_free_surface;
    let volume = spacing.x * spacing.y * select(spacing.z, 1.0, flat);
    let share = max(1.0 - own.nodes * volume * empty, own.own);
    tension_fill[i] = vec2<f32>(share, material_of(who).rest_density);
}
