// Particles that the level set has left outside of the liquid follow it: along −∇φ, by a quarter of a cell a step at most, to a
// quarter of a cell below the surface. Beyond its band they fly on.
//!include common/control
//!include common/hat
//!include common/torus
//!include common/level_band

//!read level_set
//!write position

const DEPTH = 0.25;
const MOST = 0.25;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    let place = position[s];
    let corners = corners_around(place.xyz, vec3<f32>(0.5));
    let in_z = select(0.0, 1.0, axes() == 3u);
    // Gradient and φ.
    var sum = vec4<f32>(0.0);
    for (var k = 0u; k < corner_count(); k++) {
        let w = corner_weights(corners, k);
        let side = (2.0 * vec3<f32>(corner_step(k)) - 1.0) * vec3<f32>(1.0, 1.0, in_z);
        sum += level_set[corner_cell(corners, k)] * vec4<f32>(side * w.yxx * w.zzy, w.x * w.y * w.z);
    }
    let steep = length(sum.xyz);
    if (sum.w <= 0.0 || sum.w >= BAND || steep < 1e-3) { return; }
    let way = min(sum.w + DEPTH, MOST) * params.grid.cell;
    position[s] = vec4<f32>(wrap_position(place.xyz - way * sum.xyz / steep), place.w);
}
