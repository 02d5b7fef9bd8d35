// Mouths of emitters as the grid sees them.
//!include common/control
//!include shared/emitter_params

//!read emitters emitter_points emitter_layers

// Share of a layer by which the clock may be ahead of the layer that leaves, by rounding.
const SLACK = 0.01;

// Whether an emitter flows: until the layer that left last should have been replaced.
fn flows(e: u32) -> bool {
    let emitter = emitters[e];
    let now = f32(max(control.frame, 1u) - 1u) * params.time.frame_duration + control.time_in_frame;
    return now < emitter.start + (f32(emitter_layers[e]) + SLACK) * emitter.interval;
}
