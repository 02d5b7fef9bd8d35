// What a walk over neighbours carries of each. Passes, and the files that they include, add members by //!carry.
//!include common/params

// x, y, z in m, and volume in m³ (or mass in kg) in w: less than 0 for boundary particles, 0 for none.
//!carry position: vec4<f32>, slot: u32

// Slot of the neighbour that stands for walls without particles.
const VOLUME = 0xffffffffu;

// Whether a neighbour stands for walls without particles.
fn is_volume(neighbour: Neighbour) -> bool {
    return HAS_VOLUMES && neighbour.slot == VOLUME;
}

// Whether a boundary particle of this volume belongs to a body: its last bit says so, which takes no array.
fn marks_body(volume: f32) -> bool {
    return HAS_BODIES && (bitcast<u32>(volume) & 1u) == 1u;
}

// Whether a neighbour is a boundary particle of a body.
fn is_of_body(neighbour: Neighbour) -> bool {
    return neighbour.position.w < 0.0 && !is_volume(neighbour) && marks_body(neighbour.position.w);
}
