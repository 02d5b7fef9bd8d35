// Sources of smoke: the regions behind those of drains.
//!include common/control
//!include common/hat
//!include shared/walls

//!read regions source_values distances

// Most places of a source's way in a step.
const MOST_PLACES = 64.0;

// Share of a source at a place: 1 inside, 0 outside, blended over a cell around its surface; 0 while it is off. One that moves has
// the largest share along its way in the step, at places half a cell apart: else a fast one would leave blots.
fn source_share(k: u32, x: vec3<f32>) -> f32 {
    let time = f32(max(control.frame, 1u) - 1u) * params.time.frame_duration + control.time_in_frame;
    let times = source_values[k][2];
    if (control.primed == 0u || time < times.x || time >= times.y) { return 0.0; }
    let region = regions[params.counts.drains + k];
    // Its region has moved by u t + a (sin(ω t + φ) − sin φ).
    let sway = source_values[k][4];
    let way = time * source_values[k][3].xyz + (sin(sway.w * time + times.z) - sin(times.z)) * sway.xyz;
    let speed = length(source_values[k][3].xyz) + length(sway.w * sway.xyz);
    let places = clamp(ceil(2.0 * speed * control.dt * params.grid.inverse_cell.x), 0.0, MOST_PLACES);
    var distance = outer_contact(region, to_local(region, x - way)).distance;
    for (var place = 1.0; place < places; place += 1.0) {
        let after = time + place / places * control.dt;
        let on = after * source_values[k][3].xyz + (sin(sway.w * after + times.z) - sin(times.z)) * sway.xyz;
        distance = min(distance, outer_contact(region, to_local(region, x - on)).distance);
    }
    return clamp(0.5 - distance * params.grid.inverse_cell.x, 0.0, 1.0);
}
