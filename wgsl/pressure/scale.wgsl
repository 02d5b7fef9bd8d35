// Energy with which that of an iteration is compared: of the displacements by the pressures that the step starts from, at
// least of a free fall, or of a hundredth of the expected speed, in the step. Without pressures to start from it is a tenth:
// iterations then build them up layer by layer, with little energy each.
//!include common/control
//!include common/pressure_sums

//!write pressure_scalars

const LEAST = 0.01;
// Share of the least energy below which a start has no pressures.
const COLD = 0.01;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let sum = all_parts(local);
    if (local == 0u) {
        let fall = length(params.world.gravity) * control.dt * control.dt;
        let least = max(fall, LEAST * params.world.expected_speed * control.dt);
        let falling = sum.y * least * least;
        let share = select(0.5, 0.05, sum.x < COLD * falling);
        pressure_scalars[0] = vec4<f32>(0.0, 0.0, 0.0, share * max(sum.x, falling));
    }
}
