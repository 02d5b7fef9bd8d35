// Scale of the residual of implicit viscosity: √(Σ m/m_0 |v* − v̄|²), v̄ the mean of v* over the fluid, at least that of
// one per cent of the expected speed. So it does not depend on the frame of reference.
//!include common/control

//!read viscosity_sums
//!write viscosity_scalars

const LEAST = 0.01;

var<workgroup> momenta: array<vec4<f32>, 256>;
var<workgroup> masses: array<vec2<f32>, 256>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let groups = min(arrayLength(&viscosity_sums), (control.particle_count + 63u) / 64u);
    var momentum = vec4<f32>(0.0);
    var mass = vec2<f32>(0.0);
    for (var k = local; k < groups; k += 256u) {
        momentum += viscosity_sums[k][0];
        mass += viscosity_sums[k][1].xy;
    }
    momenta[local] = momentum;
    masses[local] = mass;
    for (var width = 128u; width > 0u; width /= 2u) {
        workgroupBarrier(); // the halves that the next lines add are complete
        if (local < width) {
            momenta[local] += momenta[local + width];
            masses[local] += masses[local + width];
        }
    }
    if (local == 0u) {
        let sum = momenta[0];
        let spread = sum.w - dot(sum.xyz, sum.xyz) / max(masses[0].x, 1e-30);
        let least = LEAST * params.world.expected_speed;
        let square = max(max(spread, least * least * masses[0].y), 1e-30);
        viscosity_scalars[0] = vec4<f32>(0.0, 0.0, 0.0, sqrt(square));
    }
}
