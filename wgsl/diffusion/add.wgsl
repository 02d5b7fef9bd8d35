// An explicit step of diffusion: the values in `face_other` with their change r over the volume V. A cell that walls cut small
// would change by more than evens it out with what is around it: it takes r/(c Σ), with the sum of its shares and of the weights
// of its walls, and its neighbours and walls the rest, so that nothing is lost (Chern, Colella 1987). Of the neighbours those
// that it is linked to most take it, by s⁴, which are not as small.
//!include common/control
//!include common/diffusion

//!read diffusion_r
//!write face_other

// Volume from which on a cell is whole, but for rounding.
const WHOLE = 0.999;

// Volume by which a cell's values change.
fn taken_by(c: u32) -> vec4<f32> {
    let volume = volume_of(c);
    return select(max(vec4<f32>(volume), rates() * sums_of(c)), vec4<f32>(volume), volume > WHOLE);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let cell = cell_at(c);
    let links = links_of(c);
    var change = diffusion_r[c];
    for (var way = 0u; way < ways(); way++) {
        let found = linked(links, way);
        let to = next_cell(cell, way);
        let other = cell_number(to);
        let rest = found * diffusion_r[other] * (1.0 - volume_of(other) / taken_by(other));
        if (all(rest == vec4<f32>(0.0))) { continue; }
        var shares = vec4<f32>(0.0);
        var powers = vec4<f32>(0.0);
        let from_other = links_of(other);
        for (var on = 0u; on < ways(); on++) {
            let s = share_of(other, cell_number(next_cell(to, on)), on) * linked(from_other, on);
            shares += s;
            powers += s * s * s * s;
        }
        let own = share_of(c, other, way);
        let part = own * own * own * own * shares / (powers * sums_of(other));
        change += select(vec4<f32>(0.0), rest * part, found > vec4<f32>(0.0));
    }
    face_other[c] += change / taken_by(c);
}
