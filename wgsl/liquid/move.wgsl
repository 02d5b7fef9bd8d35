// Advection of each particle along the field of the step, in first to third order, by parts of about a cell if it may be
// several: with these, or with free bodies, one that ends in a solid is put on its surface, so that none gets through. What falls
// freely goes back by what is too far, by the change of v·g in the w lanes of velocities (common/fall). After it the w lanes carry
// the density ρ0 c and pressure ρ0 P/Δt, of which cells in solids have none (common/path, common/poisson): beside a wall it is the
// mean over the others, and from their middle on as in water at rest.
// Particles of bodies, which have a negative volume, stay.
//!include common/control
//!include common/fall
//!include common/kept_world
//!include common/path

//!read sorted_position cover solution solid_share solid_distance
//!write velocity

// Out of the solid that a place is in, along the gradient of the distances at the corners of its cell.
fn outside(x: vec3<f32>) -> vec3<f32> {
    let corners = corners_around(x, vec3<f32>(0.0));
    let in_z = select(0.0, 1.0, axes() == 3u);
    // Gradient and distance, in cells.
    var sum = vec4<f32>(0.0);
    for (var k = 0u; k < corner_count(); k++) {
        let w = corner_weights(corners, k);
        let side = (2.0 * vec3<f32>(corner_step(k)) - 1.0) * vec3<f32>(1.0, 1.0, in_z);
        sum += solid_distance[corner_cell(corners, k)] * vec4<f32>(side * w.yxx * w.zzy, w.x * w.y * w.z);
    }
    let steep = max(length(sum.xyz), 1e-6);
    return x - min(sum.w, 0.0) * params.grid.cell * sum.xyz / steep;
}

// Where the field takes a particle in the step.
fn travelled(x: vec3<f32>) -> vec3<f32> {
    let is_short = !HAS_LONG_STEPS || params.time.cfl <= 1.0;
    if (is_short && params.counts.driven == params.counts.colliders) { return moved(x, control.dt); }
    let cells = length(field_at(x)) * control.dt * params.grid.inverse_cell.x;
    let parts = clamp(ceil(cells), 1.0, ceil(params.time.cfl));
    var at = x;
    for (var k = 0.0; k < parts; k += 1.0) { at = outside(moved(at, control.dt / parts)); }
    return at;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    enter_kept(s);
    let x = sorted_position[s].xyz;
    if (HAS_BODIES && sorted_position[s].w < 0.0) {
        position[s] = vec4<f32>(x, -sorted_position[s].w);
        return;
    }
    let corners = corners_around(x, vec3<f32>(0.5));
    // Cover, pressure, and the weight of both.
    var sum = vec3<f32>(0.0);
    // From x to where the values are, in cells.
    var arm = vec3<f32>(0.0);
    for (var k = 0u; k < corner_count(); k++) {
        let w = corner_weights(corners, k);
        let c = corner_cell(corners, k);
        let share = select(w.x * w.y * w.z, 0.0, solid_share[c] < 0.5);
        sum += share * vec3<f32>(cover[c], solution[c].x, 1.0);
        arm += share * (vec3<f32>(corner_step(k)) - corners.part);
    }
    let weight = params.materials[0].rest_density / max(sum.z, 1e-6);
    let mean = weight * sum.xy;
    let deeper = select(0.0, -weight * params.grid.cell * dot(gravity(), arm), mean.y > 0.0);
    position[s] = vec4<f32>(wrap_position(travelled(x) - too_far(velocity[s].w)), mean.x);
    velocity[s].w = select(0.0, mean.y / max(control.dt, 1e-30) + deeper, control.dt > 0.0);
}
