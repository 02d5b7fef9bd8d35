// First error of conjugate gradients for pressure: the compression that the step would leave with the pressures that it
// starts from, and each workgroup's part of Σ V κ A κ and of the mass (see sph/compression, and common/pressure for units).
//!include common/incompressible
//!include common/pressure
//!include common/pressure_parts

//!gather sorted_velocity pressure_move
//!read factor
//!write pressure_state
//!carry velocity: vec3<f32>, pushed: vec3<f32>

// Displacement in the step, and the part of it by pressure, of particle i.
var<private> moved: vec3<f32>;
var<private> pushed: vec3<f32>;
// What both add to the compression.
var<private> change: vec2<f32>;

fn load(j: u32) -> Neighbour {
    let position = sorted_position_at(j);
    var neighbour = Neighbour(position, j, sorted_velocity_at(j).xyz, vec3<f32>(0.0));
    if (moves(neighbour)) { neighbour.pushed = pressure_move_at(2u * j).xyz; }
    return neighbour;
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let g = (1.0 + mirrored(neighbour)) * weight(neighbour, offset, mine) * offset;
    change.x += dot(moved - control.dt * neighbour.velocity - neighbour.pushed, g);
    change.y += dot(pushed - neighbour.pushed, g);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    read_kernel();
    let at = element(global_id);
    let member = member_of(at);
    let i = member.slot;
    let x = sorted_position_at(i);
    pushed = pressure_move_at(2u * i).xyz;
    moved = control.dt * sorted_velocity_at(i).xyz + pushed;
    change = vec2<f32>(0.0);
    for_each_neighbour(member, x.xyz, member.exists);
    var part = vec4<f32>(0.0);
    if (member.exists) {
        let state = pressure_state[i];
        let excess = factor[i].y;
        // A step of length 0 changes nothing.
        let error = select(0.0, excess - left_for_later(excess) + change.x, control.dt > 0.0);
        pressure_state[i] = vec4<f32>(state.x, error, 0.0, 0.0);
        part = vec4<f32>(-relative_volume(x.w) * state.x * change.y, state.w, 0.0, 0.0);
    }
    leave_part(part, at, local);
}
