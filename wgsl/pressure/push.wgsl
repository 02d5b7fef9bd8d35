// The next direction p = z + β p of conjugate gradients for pressure, and the displacements by it and by what the limit at
// 0 added to κ in the last step: u_i of common/incompressible for both, in one walk. Neighbours' directions are computed
// anew, which saves a pass.
//!include common/incompressible
//!include common/pressure

//!gather pressure_search
//!read pressure_scalars sorted_identity
//!write pressure_state
//!publish pressure_move
// Direction, and what the limit added.
//!carry change: vec2<f32>

var<private> beta: f32;
// p and what the limit added, of particle i.
var<private> own: vec2<f32>;
// Sums of both over neighbours.
var<private> along_p: vec3<f32>;
var<private> along_added: vec3<f32>;

// p and what the limit added.
fn direction(search: vec4<f32>) -> vec2<f32> {
    return vec2<f32>(permitted(search.x + beta * search.y, search.w), search.z);
}

fn load(j: u32) -> Neighbour {
    let position = sorted_position_at(j);
    return Neighbour(position, j, select(vec2<f32>(0.0), direction(pressure_search_at(j)), position.w > 0.0));
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let g = weight(neighbour, offset, mine) * offset;
    let sum = own + neighbour.change + mirrored(neighbour) * own;
    along_p += sum.x * g;
    along_added += sum.y * g;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let member = member_of(element(global_id));
    let i = member.slot;
    beta = pressure_scalars[0].y;
    own = direction(pressure_search_at(i));
    along_p = vec3<f32>(0.0);
    along_added = vec3<f32>(0.0);
    for_each_neighbour(member, sorted_position_at(i).xyz, member.exists);
    if (!member.exists) { return; }
    let rest_density = material_of(sorted_identity[i]).rest_density;
    pressure_state[i].z = own.x;
    publish_pressure_move(2u * i, vec4<f32>(-along_p / rest_density, 0.0));
    publish_pressure_move(2u * i + 1u, vec4<f32>(-along_added / rest_density, 0.0));
}
