// Rate in 1/s at which liquid expands everywhere, a twentieth in a step of what the level set lacks of the particles' volume, of a tenth
// of it at most (volume control: Kim et al. 2007). Where there is no air, it cannot.
//!include common/control
//!include common/box
//!include common/all_dots

//!write level_rate

const SHARE = 0.05;
const MOST = 0.1;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let sums = all_dots(local);
    if (local != 0u) { return; }
    let due = f32(control.particle_count) * params.materials[0].rest_volume / cell_volume();
    let lack = clamp((due - sums.x) / max(sums.x, 1.0), -MOST, MOST);
    let acts = control.dt > 0.0 && sums.y - sums.x > 1.0;
    level_rate[0] = select(0.0, SHARE * lack / max(control.dt, 1e-30), acts);
}
