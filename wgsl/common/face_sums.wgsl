// Sums of particles at the lower faces of a cell and at its centre
//   u_f = Σ V0 w (v_a + Q_a(x_f − x_p)) / Σ V0 w,  c = Σ V0 w / Δxᵈ, which liquid/cover divides by the free share of the hat
// with volumes for masses, since all have one density; Q_a is 0 for PIC and FLIP (Zhu, Bridson 2005), a gradient for APIC
// (Jiang et al. 2015) and a sum of products for PolyPIC (Fu et al. 2017). Bit a of the w lane is 1 if face a is known: it has
// the least volume; so is bit a + 3, which stays where others are made known from those around them.
//
// A pass that includes this file defines load and visit of common/node_walk.
//!include common/node_walk
//!include common/hat

//!write face cover

// Least volume of a face that has a velocity, relative to that of a cell.
const LEAST_VOLUME = 1e-6;

// Σ V0 w of the three faces, and of the centre.
var<private> volumes: vec4<f32>;
// Σ V0 w u of the faces.
var<private> flow: vec3<f32>;

// Adds a particle: its rest volume, the offset of the cell's centre from it, and its field at each of the faces.
fn add_to_faces(volume: f32, offset: vec3<f32>, u: vec3<f32>) {
    let at = offset * params.grid.inverse_cell;
    let own = hats(at);
    let low = hats(at - 0.5);
    let w = volume * vec3<f32>(low.x * own.y * own.z, own.x * low.y * own.z, own.x * own.y * low.z);
    flow += w * u;
    volumes += vec4<f32>(w, volume * own.x * own.y * own.z);
}

// Writes the sums over all particles around a busy cell.
fn gather_faces(number: u32) {
    let cell = busy_cell(number);
    let enabled = in_box(cell);
    for_each_around(number, cell, enabled);
    if (!enabled) { return; }
    let c = cell_number(cell);
    let all = cell_volume();
    var u = vec4<f32>(0.0);
    for (var axis = 0u; axis < axes(); axis++) {
        if (volumes[axis] <= LEAST_VOLUME * all) { continue; }
        u[axis] = flow[axis] / volumes[axis];
        u.w += f32(9u << axis);
    }
    face[c] = u;
    cover[c] = volumes.w / all;
}
