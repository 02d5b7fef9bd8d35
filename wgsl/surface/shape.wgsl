// Anisotropic kernels (Yu, Turk 2013): each particle's smoothed centre and the stretch A of its
// kernel. With w_ij = 1 − (r_ij/h)³ (10), m_i = Σ w_ij r_ji / Σ w_ij is the mean offset and C_i = Σ
// w_ij r_ji r_jiᵀ / Σ w_ij − m_i m_iᵀ the covariance (9); the centre is x_i + λ f m_i (6). With f = 1
// every surface would sink, since m points inward below a flat one, too. With f = (|m| − m_0)/max(|m|, m_0)
// a flat surface stays, what stands out of it sinks and what lies low rises; deeper, below m_0/2, f is 0.
//
// A = Σ_k e_k e_kᵀ / s_k, s_k = min(1, max(c_k, c_1/4) / 0.15 h²) with eigenvalues c_1 ≥ c_2 ≥ c_3 of
// C and its eigenvectors e_k (12)–(14): 0.15 h² is c in a full neighbourhood, where A = 1. No s is
// below 1/8, as when all particles coincide. A particle with few neighbours has s = 1/2.
//
// Slots are those before the sort by smoothed centres that follows. The first half of surface_shape
// holds xx, yy, zz of A and det(A) in w, the second half yz, xz, xy.
//!include common/control
//!include common/eigen
//!include common/neighbours

//!gather sorted_position
//!read order sorted_identity
//!write smoothed_position surface_shape

// λ of (6).
const SMOOTHING = 0.9;
// Mean offset of a particle in the first layer of a flat surface, in h; on a lattice at h = 4 radii it is 0.2.
const FLAT = 0.16;
// Variance per axis of a full ball of radius h with the weights w, in h².
const FULL = 0.15;
const LARGEST_RATIO = 4.0;
const SMALLEST = 0.125;
const FEW = 6.0;
const LONE = 0.5;

var<private> weights: f32;
var<private> neighbours: f32;
var<private> first: vec3<f32>;
// Σ w r rᵀ: xx, yy, zz; yz, xz, xy.
var<private> squares: vec3<f32>;
var<private> products: vec3<f32>;

fn load(j: u32) -> Neighbour {
    return Neighbour(sorted_position_at(j), j);
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let r = sqrt(dot(offset, offset)) / params.kernel.support_radius;
    let near = mine && r < 1.0 && neighbour.position.w != 0.0;
    let w = select(0.0, 1.0 - r * r * r, near);
    neighbours += select(0.0, 1.0, near);
    weights += w;
    first -= w * offset;
    squares += w * offset * offset;
    products += w * offset.yxx * offset.zzy;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    let live = has_particle(i);
    let x = sorted_position_at(min(i, params.counts.capacity - 1u));
    weights = 0.0;
    neighbours = 0.0;
    first = vec3<f32>(0.0);
    squares = vec3<f32>(0.0);
    products = vec3<f32>(0.0);
    for_each_candidate(0u, x.xyz, live);
    if (!live) { return; }
    weights = select(weights, 1.0, weights == 0.0);
    // Lengths are in h, to avoid underflow. A fluid particle itself has weight 1.
    let h = params.kernel.support_radius;
    let mean = first / (weights * h);
    let s = squares / (weights * h * h) - mean * mean;
    let p = products / (weights * h * h) - mean.yxx * mean.zzy;
    let eigen = eigen_of(s, p);
    let variance = eigen.values;
    let largest = max(variance.x, max(variance.y, variance.z));
    // Exclude the particle itself.
    let lone = neighbours < FEW;
    let stretch = clamp(max(variance, vec3<f32>(largest / LARGEST_RATIO)) / FULL, vec3<f32>(SMALLEST), vec3<f32>(1.0));
    let inverse = 1.0 / select(stretch, vec3<f32>(LONE), lone);
    var shape = array<vec4<f32>, 2>(
        vec4<f32>(0.0, 0.0, 0.0, inverse.x * inverse.y * inverse.z),
        vec4<f32>(0.0),
    );
    for (var k = 0u; k < 3u; k++) {
        let e = eigen.vectors[k];
        shape[0] += vec4<f32>(inverse[k] * e * e, 0.0);
        shape[1] += vec4<f32>(inverse[k] * e.yxx * e.zzy, 0.0);
    }
    let slot = order[i];
    surface_shape[slot] = shape;
    // Boundary particles stay in place, with V_b, so that a sort by these positions leaves them as they were.
    let wall = kind_of(sorted_identity[i]) == KIND_BOUNDARY;
    let offset = sqrt(dot(mean, mean));
    let part = (offset - FLAT) / max(offset, FLAT) * clamp(4.0 * offset / FLAT - 2.0, 0.0, 1.0);
    let shift = select(SMOOTHING * part * h * mean, vec3<f32>(0.0), wall);
    smoothed_position[slot] = vec4<f32>(wrap_position(x.xyz + shift), select(0.0, -x.w, wall));
}
