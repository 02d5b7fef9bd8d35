// Bodies that a program has taken out are a quarter of the farthest allowed place away, or farther: nothing acts on them.
//!include common/params
//!include shared/body

fn is_parked(body: Body) -> bool {
    return any(abs(body.position.xyz) * params.grid.inverse_cell >= vec3<f32>(0.25 * f32(RUNAWAY_CELLS)));
}
