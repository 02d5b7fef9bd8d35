// Length of the time step. A fixed step is shortened so that equal steps fill the frame; an
// adaptive one is
//   cfl · min(s l/(c + |v|max), 0.25 √(l/|a|max)) and the host's bounds for viscosity and tension,
// reduced while loops do not converge, and shortened so that whole steps fill the frame, or lead to the time in it at which
// the program wants to stop. l is h, or
// Δx of grid methods, where passes find the largest c + |v|. The method's share s is 0.4 with sound,
// and 0.1 without: half of the 0.4 diameters of Bender, Koschier 2015; with more, water bursts on
// impact. The very first step has length 0: it computes
// densities and accelerations.
//!include common/control_write

// Factor on the longest step's length after one step.
const FORGET = 0.9;

// Factor on a signal by pressure after one step: pressure is known a step late, and falling water has none until it hits
// the floor.
const HOLD = 0.95;

// Call it once.
fn begin_step() {
    let found = bitcast<f32>(atomicLoad(&control.max_signal_bits));
    let stiffness = params.sph.stiffness;
    let held = select(0.0, HOLD * control.held_signal, stiffness > 0.0);
    // At the start the pressure below all of the fluid, ρ v²/2 with the expected v = √(2 g H).
    let first = sqrt(0.5 * stiffness) * params.world.expected_speed;
    control.held_signal = max(found, select(held, first, control.primed == 0u));
    let remaining = min(params.time.frame_duration, control.stop_time) - control.time_in_frame;
    if (control.primed == 0u) {
        control.dt = 0.0;
    } else if (params.time.fixed_step > 0.0) {
        // All steps of a frame have one length. It may be 1 % longer, or else rounding of the f32
        // clock would leave a sliver.
        let steps = ceil(params.time.frame_duration / (1.01 * params.time.fixed_step));
        let step = params.time.frame_duration / steps;
        control.dt = select(step, remaining, remaining < step * 1.01);
    } else {
        let length = params.time.length;
        let speed = max(bitcast<f32>(atomicLoad(&control.max_speed_bits)), params.time.min_speed);
        let acceleration = max(bitcast<f32>(atomicLoad(&control.max_acceleration_bits)), 1e-20);
        let share = params.time.step_share;
        let signal = max(params.time.sound_speed + speed, control.held_signal);
        let by_speed = params.time.cfl * share * length / max(signal, 1e-20);
        let by_acceleration = params.time.cfl * 0.25 * sqrt(length / acceleration);
        let limit = control.step_share * min(params.time.max_step, min(by_speed, by_acceleration));
        let steps = max(1.0, ceil(remaining / limit * 0.999999));
        control.dt = remaining / steps;
    }
    control.longest_dt = max(control.dt, FORGET * control.longest_dt);
    if (control.primed == 1u && control.dt < params.time.min_step && control.dt < remaining) {
        control.failure = FAILURE_TIME_STEP;
    }
    atomicStore(&control.max_speed_bits, 0u);
    atomicStore(&control.max_acceleration_bits, 0u);
    atomicStore(&control.max_signal_bits, 0u);
}
