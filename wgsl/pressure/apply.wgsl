// A p, by the displacements of pressure/push, and e, less the effect of what the limit at 0 added to κ in the last step;
// each workgroup's part of p·V e, p·V A p, and of the errors in percent and their number. An error is a compression, or a
// deficit as far as there is pressure to take back.
//!include common/incompressible
//!include common/pressure
//!include common/pressure_parts

//!gather pressure_move
//!read factor
//!write pressure_state
//!carry along_p: vec3<f32>, along_added: vec3<f32>

// Displacements of particle i along p and by what the limit added.
var<private> along_p: vec3<f32>;
var<private> along_added: vec3<f32>;
// What they add to the compression.
var<private> change: vec2<f32>;

fn load(j: u32) -> Neighbour {
    var neighbour = Neighbour(sorted_position_at(j), j, vec3<f32>(0.0), vec3<f32>(0.0));
    if (moves(neighbour)) {
        neighbour.along_p = pressure_move_at(2u * j).xyz;
        neighbour.along_added = pressure_move_at(2u * j + 1u).xyz;
    }
    return neighbour;
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let g = (1.0 + mirrored(neighbour)) * weight(neighbour, offset, mine) * offset;
    change += vec2<f32>(dot(along_p - neighbour.along_p, g), dot(along_added - neighbour.along_added, g));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    read_kernel();
    let at = element(global_id);
    let member = member_of(at);
    let i = member.slot;
    let x = sorted_position_at(i);
    along_p = pressure_move_at(2u * i).xyz;
    along_added = pressure_move_at(2u * i + 1u).xyz;
    change = vec2<f32>(0.0);
    for_each_neighbour(member, x.xyz, member.exists);
    var part = vec4<f32>(0.0);
    if (member.exists) {
        let state = pressure_state[i];
        let error = state.y + change.y;
        let result = -change.x;
        pressure_state[i] = vec4<f32>(state.x, error, state.z, result);
        let along = relative_volume(x.w) * state.z;
        let gain = factor[i].x;
        let deficit = select(0.0, min(-error, state.x / gain), error < 0.0 && gain > 0.0);
        part = vec4<f32>(along * error, along * result, 100.0 * max(error, deficit), 1.0);
    }
    leave_part(part, at, local);
}
