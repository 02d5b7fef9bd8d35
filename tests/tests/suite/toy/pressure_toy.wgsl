// f = −s Σ_j V_j (T_i + T_j) ∇W: warm particles repel each other.
//!read toy_heat: array<f32>
//!carry heat: f32

var<private> heat_i: f32;

fn pressure_toy_load(j: u32, neighbour: Neighbour) -> Neighbour {
    var loaded = neighbour;
    loaded.heat = toy_heat[j];
    return loaded;
}

fn pressure_toy_begin(i: u32) {
    heat_i = toy_heat[i];
}

fn pressure_toy_force(pair: Pair) -> vec3<f32> {
    return pressure_force(pair, params.methods.toy.strength * pair.volume * (heat_i + pair.neighbour.heat));
}
