// Inertia of the nodes for an implicit step: of a free node its own and that of the held ones that follow it, as in mpm/move,
// m_k + Σ q m_s Aᵀ A; of a held one without free ones around it its own, if walls leave it a way to move (implicit/collect). And
// which nodes these are: those that follow a free one, and those that a held one follows.
//!include common/followers

//!read node
//!write implicit_mass implicit_around

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let own = node[c];
    var m = own.w * mat3x3<f32>(vec3<f32>(1.0, 0.0, 0.0), vec3<f32>(0.0, 1.0, 0.0), vec3<f32>(0.0, 0.0, 1.0));
    var is_unknown = own.w > least_mass();
    kept = vec4<u32>(0u);
    if (is_unknown && params.counts.colliders > 0u) {
        let nodes = hold_from(hold[c]);
        let held = is_held(nodes);
        if (nodes.weight != 0.0) {
            is_unknown = !held;
            if (held) {
                choose_free(nodes);
            } else {
                choose_followers(cell, u32(nodes.weight));
            }
            while (any_chosen()) {
                let step = next_chosen();
                let next = wrap_next(cell + step);
                if (!is_busy(next)) { continue; }
                let d = cell_number(next);
                let other = hold_from(hold[d]);
                if (node[d].w <= least_mass() || is_held(other) == held) { continue; }
                keep_last();
                if (held) { continue; }
                let offset = -vec3<f32>(step) * params.grid.cell;
                let a = follows(other, offset);
                m += answers(other, offset) / other.weight * node[d].w * (transpose(a) * a);
            }
        }
    }
    implicit_mass[c] = array<vec4<f32>, 2>(
        vec4<f32>(m[0].x, m[1].y, m[2].z, select(0.0, 1.0, is_unknown)), vec4<f32>(m[1].z, m[0].z, m[0].y, own.w));
    implicit_around[c] = kept;
}
