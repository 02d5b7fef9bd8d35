// Inverse of a free body's row of implicit viscosity, (M + S)⁻¹ with the resistance S to its velocity and spin, all over m_0:
//   S = Σ_b | s    s Gᵀ  |     s of viscosity/grip, G = r_b ×
//           | G s  G s Gᵀ|
// as L (1 + Lᵀ S L)⁻¹ Lᵀ, M⁻¹ = L Lᵀ, so that what a body cannot do (hinges, two dimensions) has no inverse. Columns of the blocks
// of V by impulse, of V by twist, of ω by twist; those of solids that do not move freely are 0.  (Weiler et al. 2018)
//!include common/control
//!include common/bodies
//!include common/colliders
//!include common/body_lane
//!include common/body_sums
//!include common/inverse

//!read colliders bodies model_position viscosity_grip
//!write viscosity_inverse

fn crossed(v: vec3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(vec3<f32>(0.0, v.z, -v.y), vec3<f32>(-v.z, 0.0, v.x), vec3<f32>(v.y, -v.x, 0.0));
}

fn rotation_of(q: vec4<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(
        rotate(q, vec3<f32>(1.0, 0.0, 0.0)),
        rotate(q, vec3<f32>(0.0, 1.0, 0.0)),
        rotate(q, vec3<f32>(0.0, 0.0, 1.0)),
    );
}

fn scaled(m: mat3x3<f32>, by: vec3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(m[0] * by.x, m[1] * by.y, m[2] * by.z);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let width = stage.element_count / params.counts.colliders;
    let own = body_lane(element(global_id), local, width);
    let c = own.solid;
    let collider = colliders[c];
    let rotation = bodies[c].rotation;
    var linear = BodySums(vec3<f32>(0.0), vec3<f32>(0.0), 0u);
    var mixed = array<vec3<f32>, 3>(vec3<f32>(0.0), vec3<f32>(0.0), vec3<f32>(0.0));
    var angular = BodySums(vec3<f32>(0.0), vec3<f32>(0.0), 0u);
    for (var k = own.lane; k < collider.particle_count; k += width) {
        let at = collider.first_particle + k;
        let d = viscosity_grip[at][0].xyz;
        let e = viscosity_grip[at][1].xyz;
        let g = crossed(rotate(rotation, model_position[at].xyz));
        let s = mat3x3<f32>(vec3<f32>(d.x, e.z, e.y), vec3<f32>(e.z, d.y, e.x), vec3<f32>(e.y, e.x, d.z));
        let b = g * s;
        let a = b * transpose(g);
        linear.force += d;
        linear.torque += e;
        for (var column = 0u; column < 3u; column++) { mixed[column] += b[column]; }
        angular.force += vec3<f32>(a[0].x, a[1].y, a[2].z);
        angular.torque += vec3<f32>(a[1].z, a[0].z, a[0].y);
    }
    let s = sums_of(linear, local, width);
    workgroupBarrier(); // the last sums have been read
    let first = sums_of(BodySums(mixed[0], mixed[1], 0u), local, width);
    workgroupBarrier(); // the last sums have been read
    let last = sums_of(BodySums(mixed[2], vec3<f32>(0.0), 0u), local, width);
    workgroupBarrier(); // the last sums have been read
    let t = sums_of(angular, local, width);
    if (!own.first) { return; }
    let mass = params.materials[0].mass;
    let light = sqrt(mass * collider.inverse_mass);
    let turn = rotation_of(rotation);
    let axes = scaled(turn, sqrt(mass * collider.inverse_inertia));
    let one = mat3x3<f32>(vec3<f32>(1.0, 0.0, 0.0), vec3<f32>(0.0, 1.0, 0.0), vec3<f32>(0.0, 0.0, 1.0));
    let ss = mat3x3<f32>(
        vec3<f32>(s.force.x, s.torque.z, s.torque.y),
        vec3<f32>(s.torque.z, s.force.y, s.torque.x),
        vec3<f32>(s.torque.y, s.torque.x, s.force.z),
    );
    let tt = mat3x3<f32>(
        vec3<f32>(t.force.x, t.torque.z, t.torque.y),
        vec3<f32>(t.torque.z, t.force.y, t.torque.x),
        vec3<f32>(t.torque.y, t.torque.x, t.force.z),
    );
    // Blocks of 1 + Lᵀ S L, inverted by blocks.
    let p = one + light * light * ss;
    let q = light * transpose(axes) * mat3x3<f32>(first.force, first.torque, last.force);
    let r = one + transpose(axes) * tt * axes;
    let inverse_p = inverted(p);
    let qp = q * inverse_p;
    let spins = inverted(r - qp * transpose(q));
    let both = -1.0 * (transpose(qp) * spins);
    let ways = inverse_p + transpose(qp) * spins * qp;
    let free = collider.inverse_mass > 0.0;
    let v = light * light * ways;
    let m = light * both * transpose(axes);
    let w = axes * spins * transpose(axes);
    for (var k = 0u; k < 3u; k++) {
        viscosity_inverse[c][k] = vec4<f32>(select(vec3<f32>(0.0), v[k], free), 0.0);
        viscosity_inverse[c][3u + k] = vec4<f32>(select(vec3<f32>(0.0), m[k], free), 0.0);
        viscosity_inverse[c][6u + k] = vec4<f32>(select(vec3<f32>(0.0), w[k], free), 0.0);
    }
}
