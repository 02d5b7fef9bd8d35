// Counts as they would be without walls: divided by Π (1 − f), with f = ¼ (1 − d/h)² (2 + d/h) the share of the ball of radius h about
// the particle that is beyond a wall at the distance d. (In 2-D the share of a disc is within 0.04 of it.) Otherwise bubbles at a wall,
// with water on one side alone, would be foam.
//!include common/control
//!include shared/walls
//!include common/foam

//!read foam_state foam_position colliders bodies distances
//!write foam_carrier

// Least share of a ball between walls.
const LEAST_FREE = 0.2;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= min(foam_state[FOAM_END], stage.element_count)) { return; }
    let x = foam_position[i].xyz;
    var free = 1.0;
    for (var c = 0u; c < params.counts.colliders; c++) {
        let collider = posed(colliders[c], bodies[c]);
        let walls = walls_of(collider);
        for (var k = 0u; k < walls.distinct; k++) {
            let distance = wall_contact(collider, to_local(collider, x), k).distance;
            let q = clamp(distance * params.kernel.inverse_support_radius, -1.0, 1.0);
            free *= 1.0 - 0.25 * (1.0 - q) * (1.0 - q) * (2.0 + q);
        }
    }
    foam_carrier[i].w /= max(free, LEAST_FREE);
}
