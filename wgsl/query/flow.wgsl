// The fluid at points of a program by the density kernel: density Σ m W, the share Σ V W of the place that it fills, with rest volumes, and
// means A(x) = Σ V A W/Σ V W of velocity and pressure. Each particle has its pressure at the point by the fluid's weight,
// p + ρ g·(x − x_j) (Adami, Hu, Adams 2012, 27); in sum weight adds and takes at most what is there.
//!include common/control
//!include common/kernels
//!include common/neighbours

//!gather sorted_position
//!read query_point order velocity sorted_identity
//!write query_velocity query_pressure
//!carry velocity: vec4<f32>, density: f32

var<private> share: f32;
var<private> flow: vec4<f32>;
var<private> borne: f32;
var<private> weight: f32;

fn load(j: u32) -> Neighbour {
    return Neighbour(sorted_position_at(j), j, velocity[order[j]], material_of(sorted_identity[j]).rest_density);
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let w = select(0.0, max(neighbour.position.w, 0.0), mine) * density_kernel(dot(offset, offset));
    share += w;
    flow += w * vec4<f32>(neighbour.velocity.xyz, neighbour.density);
    borne += w * neighbour.velocity.w;
    weight += w * neighbour.density * dot(params.world.gravity, offset);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let k = element(global_id);
    let point = query_point[min(k, arrayLength(&query_point) - 1u)];
    let asked = k < stage.element_count && point.w > 0.0;
    share = 0.0;
    flow = vec4<f32>(0.0);
    borne = 0.0;
    weight = 0.0;
    for_each_candidate(0u, wrap_position(point.xyz), asked);
    if (!asked) { return; }
    let inverse = 1.0 / select(1.0, share, share > 0.0);
    query_velocity[k] = vec4<f32>(inverse * flow.xyz, flow.w);
    let pressure = inverse * (borne + clamp(weight, -abs(borne), abs(borne)));
    query_pressure[k] = vec2<f32>(pressure, share);
}
