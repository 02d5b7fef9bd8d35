// Rate in 1/s at which liquid expands everywhere, a twentieth in a step of what the level set lacks of the particles' volume, of a tenth
// of it at most (volume control: Kim et al. 2007). Where there is no air, it cannot. With gas the volume due is that of the first step, which
// is kept for each particle in cells: bubbles have less than what particles round.
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
    let count = f32(control.particle_count);
    if (level_rate[1] == 0.0) {
        let by_level = params.methods.gas.lightness > 0.0 && count > 0.0;
        level_rate[1] = select(params.materials[0].rest_volume / cell_volume(), sums.x / max(count, 1.0), by_level);
    }
    let due = count * level_rate[1];
    let lack = clamp((due - sums.x) / max(sums.x, 1.0), -MOST, MOST);
    let acts = control.dt > 0.0 && sums.y - sums.x > 1.0;
    level_rate[0] = select(0.0, SHARE * lack / max(control.dt, 1e-30), acts);
}
