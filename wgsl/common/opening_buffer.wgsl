// Particles in the room behind open boundaries of SPH, whose velocity is not that of forces: behind inlets it is given, behind outlets
// that with which they crossed the face (Federico et al. 2012; Tafuni et al. 2018, without extrapolation).
//!include common/control
//!include common/openings

//!read sorted_position sorted_identity opening_flow

const NO_OPENING = 0xffffffffu;

// Number of the open boundary that the particle in a sorted slot is behind.
fn opening_of(s: u32) -> u32 {
    if (!has_particle(s) || kind_of(sorted_identity[s]) != KIND_FLUID) { return NO_OPENING; }
    let x = sorted_position[s].xyz;
    for (var o = 0u; o < params.counts.openings; o++) {
        let opening = openings[o];
        let distance = behind(opening, x);
        if (distance <= 0.0 || distance > opening.depth) { continue; }
        if (is_within(opening, x, 2.0 * params.world.particle_radius)) { return o; }
    }
    return NO_OPENING;
}

// Pressure in Pa of the particle in a sorted slot with this velocity, behind an outlet with a level or pressure, else 0.
fn pressure_behind(o: u32, s: u32, v: vec3<f32>) -> f32 {
    let opening = openings[o];
    let x = sorted_position[s].xyz;
    let density = material_of(sorted_identity[s]).rest_density;
    let is_pressed = opening.kind == OPENING_PRESSURE || opening.kind == OPENING_LEVEL;
    let head = max(head_behind(opening, opening_flow[o], x, -dot(v, way_in(opening))), 0.0);
    return select(0.0, density * head, is_pressed);
}

// Velocity of a particle behind an open boundary; `own` is that at the start of the step.
fn velocity_behind(o: u32, x: vec3<f32>, own: vec3<f32>) -> vec3<f32> {
    let opening = openings[o];
    let given = opening_flow[o].x * profile(opening, x) * way_in(opening);
    return select(own, given, opening.kind == OPENING_VELOCITY);
}
