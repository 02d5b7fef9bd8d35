// First residual r = b − K x of implicit viscosity, the inverse of the block D = K_ii, and u = D⁻¹ r (Weiler et al. 2018).
//!include common/neighbour_list
//!include common/viscous

//!gather viscosity_x
//!write viscosity_r viscosity_block
//!publish viscosity_u

fn load(j: u32) -> Neighbour {
    return viscous_neighbour(j, viscosity_x_at(j));
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let k = coupling(neighbour, offset, mine);
    add_impulse(k, neighbour, offset);
    add_block(k, offset);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let member = member_of(element(global_id));
    let i = member.slot;
    let place = sorted_position_at(i);
    let own = viscosity_x_at(i);
    let x = own.xyz;
    begin_viscous(place.w, own);
    for_each_neighbour(member, place.xyz, member.exists);
    if (!member.exists) { return; }
    let mass = relative_mass(i);
    let r = viscosity_r[i].xyz - mass * x - impulse;
    // The inverse of a symmetric matrix by its cofactors; yz, xz, xy off the diagonal.
    let d = diagonal + mass;
    let e = off_diagonal;
    let minors = d.yxx * d.zzy - e * e;
    let others = e.yxx * e.zzy - e * d;
    let determinant = d.x * minors.x + e.z * others.z + e.y * others.y;
    let inverse = minors / determinant;
    let off = others / determinant;
    let u = inverse * r + off.zzy * r.yxx + off.yxx * r.zzy;
    viscosity_r[i] = vec4<f32>(r, 1.0);
    viscosity_block[i][0] = vec4<f32>(inverse, mass);
    viscosity_block[i][1] = vec4<f32>(off, 0.0);
    publish_viscosity_u(i, vec4<f32>(u, own.w));
}
