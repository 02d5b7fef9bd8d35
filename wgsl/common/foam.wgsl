// Random numbers of foam: functions of a particle and a step, so that a run has them again.
//!include shared/foam

// A word in which each bit depends on all bits of x (C. Wellons, hash prospector: lowbias32).
fn mixed(word: u32) -> u32 {
    var x = word;
    x = (x ^ (x >> 16u)) * 0x7feb352du;
    x = (x ^ (x >> 15u)) * 0x846ca68bu;
    return x ^ (x >> 16u);
}

// Number `k` of a particle in a step, from 0 to 1 without 1.
fn random(id: u32, step: u32, k: u32) -> f32 {
    return f32(mixed(mixed(mixed(id + 0x9e3779b9u) + step) + k) >> 8u) / 16777216.0;
}
