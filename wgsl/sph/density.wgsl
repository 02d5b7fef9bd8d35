// ρ_i = ρ0_i · Σ_j V0_j W(r_ij) / S (M 3, written with rest volumes V0 = m/ρ0 so that fluids of
// different density can touch; for one fluid it is Σ m W), with S the sum over the rest lattice.
// Boundary particles count with their volume V_b (Akinci 2012, 6).
//!include common/control
//!include common/neighbour_list
//!include common/kernels

//!gather sorted_position
//!read sorted_identity
//!write density

var<private> sum: f32;

fn load(j: u32) -> Neighbour {
    return Neighbour(sorted_position_at(j), j);
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let volume = select(0.0, abs(neighbour.position.w), mine);
    sum += volume * density_kernel(dot(offset, offset));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let member = member_of(element(global_id));
    let x = sorted_position_at(member.slot);
    let live = member.exists;
    sum = 0.0;
    for_each_neighbour(member, x.xyz, live);
    if (live) {
        let rest_density = material_of(sorted_identity[member.slot]).rest_density;
        density[member.slot] = rest_density * sum * kernel.density_calibration;
    }
}
