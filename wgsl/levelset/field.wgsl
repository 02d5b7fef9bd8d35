// Share 1 − H that is empty at the nodes near the surface, by the distance d to it, positive inside: with the particle F of the surface
// nearest to the node x within h, d = (x_F − x)·n_F + δ, or r_b − |x − x_s| by the nearest one of a splash if that is more: a
// bump of one particle is fluid besides the surface that it is on. It is h if there is only fluid, and −h if there is none. H = ½ + d/Δ, between 0 and 1, over the nodes' spacing Δ: a step would make pressures jump.
// δ puts a flat surface where densities divided by the full share of the kernel are those at rest.
//!include common/control
//!include common/levelset
//!include common/free_surface
//!include common/kernels
//!include common/neighbours

//!gather sorted_position tension_normal
//!read levelset_slot levelset_cells levelset_dispatch levelset_start
//!write levelset_empty
// n and λ of tension/normals.
//!carry normal: vec4<f32>

const NONE = 0xffffffffu;

// Heights in m of the column's nodes above the first.
var<private> heights: vec4<f32>;
// Square of the distance of F, its slot, and d.
var<private> least: vec4<f32>;
var<private> nearest: vec4<u32>;
var<private> depth: vec4<f32>;
// d by the nearest splash, −h without one.
var<private> round: vec4<f32>;
var<private> offset_of_surface: f32;
var<private> ball: f32;

// The walk is over the list of the surface: cell_start and levelset_start stand for each other here.
fn load(j: u32) -> Neighbour {
    let slot = levelset_slot[j];
    return Neighbour(sorted_position_at(slot), slot, tension_normal_at(slot));
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let z = select(offset.z + heights, vec4<f32>(0.0), is_flat());
    let d2 = dot(offset.xy, offset.xy) + z * z;
    let found = mine && neighbour.position.w > 0.0;
    let near = (d2 < vec4<f32>(kernel.support_radius_squared)) & vec4<bool>(found);
    let slot = vec4<u32>(neighbour.slot);
    let splash = neighbour.normal.w < LAMBDA_SPLASH;
    let counts = near & vec4<bool>(!splash);
    let closer = counts & ((d2 < least) | ((d2 == least) & (slot < nearest)));
    let n = neighbour.normal.xyz;
    let flat = offset_of_surface - (dot(offset.xy, n.xy) + z * n.z);
    let scattered = near & vec4<bool>(splash);
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
    let column = i % LEVEL_COLUMNS;
    let live = i < LEVEL_COLUMNS * levelset_dispatch[3];
    let number = select(0u, levelset_cells[min(i / LEVEL_COLUMNS, params.grid.cell_count - 1u)], live);
    let cell = cell_at(number);
    let spacing = node_spacing();
    let place = vec3<f32>(cell) + 0.25 * vec3<f32>(vec3<u32>(column % 4u, column / 4u, 0u));
    heights = spacing.z * vec4<f32>(0.0, 1.0, 2.0, 3.0);
    least = vec4<f32>(kernel.support_radius_squared);
    nearest = vec4<u32>(NONE);
    depth = vec4<f32>(0.0);
    round = vec4<f32>(-kernel.support_radius);
    offset_of_surface = params.methods.tension_free_surface.offset;
    ball = params.methods.tension_free_surface.ball;
    let node = params.grid.origin + place / params.grid.inverse_cell;
    for_each_candidate_from(0u, cell, node, live);
    if (!live) { return; }
    let h = vec4<f32>(kernel.support_radius);
    let flat = nearest != vec4<u32>(NONE);
    let scattered = round > -h;
    // Whether there is fluid at all matters for the other nodes alone. The own cell comes first.
    var fluid = flat | scattered;
    for (var k = 0; k < 27 && !all(fluid); k++) {
        let step = (k + 13) % 27;
        let other = cell_number(wrap_next(cell + vec3<i32>(step % 3, step / 3 % 3, step / 9) - 1));
        for (var j = levelset_start[other]; j < levelset_start[other + 1u] && !all(fluid); j++) {
            let offset = displacement(node, sorted_position_at(j).xyz);
            let z = select(offset.z + heights, vec4<f32>(0.0), is_flat());
            fluid = fluid | (dot(offset.xy, offset.xy) + z * z < vec4<f32>(kernel.support_radius_squared));
        }
    }
    let away = select(-h, h, fluid);
    let d = select(select(away, round, scattered), select(depth, max(depth, round), scattered), flat);
    let full = clamp(0.5 + d / node_width(), vec4<f32>(0.0), vec4<f32>(1.0));
    levelset_empty[LEVEL_COLUMNS * number + column] = pack4x8unorm(1.0 - full);
}
