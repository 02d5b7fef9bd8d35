// Share of fluid H at the nodes near the surface, by the distance d to it, positive inside: with the particle F of the surface
// nearest to the node x within h, d = (x_F − x)·n_F + δ, or r_b − |x − x_s| by the nearest one of a splash if that is more: a
// bump of one particle is fluid besides the surface that it is on. It is h if there is only fluid, and −h if there is none. H = ½ + d/Δ, between 0 and 1, over the nodes' spacing Δ: a step would make pressures jump.
// δ puts a flat surface where densities divided by the full share of the kernel are those at rest.
//!include common/control
//!include common/levelset
//!include common/free_surface
//!include common/kernels
//!include common/neighbours

//!gather sorted_position tension_normal tension_class
//!read levelset_flag
//!write levelset_full

// Heights in m of the column's nodes above the first.
var<private> heights: vec4<f32>;
// Square of the distance of F, its slot, and d.
var<private> least: vec4<f32>;
var<private> nearest: vec4<u32>;
var<private> depth: vec4<f32>;
// d by the nearest splash, −h without one.
var<private> round: vec4<f32>;
var<private> fluid: vec4<bool>;
var<private> offset_of_surface: f32;
var<private> ball: f32;

fn load(j: u32) -> Candidate {
    var candidate = at_position(sorted_position_at(j));
    candidate.diagonal = tension_normal_at(j).xyz;
    candidate.density = f32(tension_class_at(j));
    candidate.slot = j;
    return candidate;
}

fn visit(candidate: Candidate, offset: vec3<f32>, mine: bool) {
    let z = select(offset.z + heights, vec4<f32>(0.0), is_flat());
    let d2 = dot(offset.xy, offset.xy) + z * z;
    let found = mine && candidate.position.w > 0.0;
    let near = (d2 < vec4<f32>(kernel.support_radius_squared)) & vec4<bool>(found);
    fluid = fluid | near;
    let slot = vec4<u32>(candidate.slot);
    let counts = near & vec4<bool>(candidate.density == f32(CLASS_SURFACE));
    let closer = counts & ((d2 < least) | ((d2 == least) & (slot < nearest)));
    let n = candidate.diagonal;
    let flat = offset_of_surface - (dot(offset.xy, n.xy) + z * n.z);
    let scattered = near & vec4<bool>(candidate.density > f32(CLASS_SURFACE));
    round = select(round, max(round, ball - sqrt(d2)), scattered);
    least = select(least, d2, closer);
    nearest = select(nearest, slot, closer);
    depth = select(depth, flat, closer);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let i = element(global_id);
    let number = min(i / LEVEL_COLUMNS, params.torus.cell_count - 1u);
    let column = i % LEVEL_COLUMNS;
    let live = i < stage.element_count && levelset_flag[number] == 1u;
    let cell = cell_at(number);
    let spacing = node_spacing();
    let place = vec3<f32>(cell) + 0.25 * vec3<f32>(vec3<u32>(column % 4u, column / 4u, 0u));
    heights = spacing.z * vec4<f32>(0.0, 1.0, 2.0, 3.0);
    least = vec4<f32>(kernel.support_radius_squared);
    nearest = vec4<u32>(ALL_FULL);
    depth = vec4<f32>(0.0);
    round = vec4<f32>(-kernel.support_radius);
    fluid = vec4<bool>(false);
    offset_of_surface = params.methods.tension_near_surface.offset;
    ball = params.methods.tension_near_surface.ball;
    for_each_candidate_from(0u, cell, params.torus.origin + place / params.torus.inverse_cell, live);
    if (i >= stage.element_count) { return; }
    let h = vec4<f32>(kernel.support_radius);
    let away = select(-h, h, fluid);
    let flat = nearest != vec4<u32>(ALL_FULL);
    let scattered = round > -h;
    let d = select(select(away, round, scattered), select(depth, max(depth, round), scattered), flat);
    let full = clamp(0.5 + d / node_width(), vec4<f32>(0.0), vec4<f32>(1.0));
    levelset_full[i] = select(ALL_FULL, pack4x8unorm(full), live);
}
