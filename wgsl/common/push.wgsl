// Displacement by pressure: u_i of common/incompressible, for all κ at once.
//!include common/incompressible

//!gather sorted_identity kappa
//!carry kappa: f32

var<private> kappa_i: f32;
var<private> push: vec3<f32>;

fn load(j: u32) -> Neighbour {
    let position = sorted_position_at(j);
    return Neighbour(position, j, select(0.0, kappa_at(j), position.w > 0.0));
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let other = neighbour.kappa + mirrored(neighbour) * kappa_i;
    push += weight(neighbour, offset, mine) * (kappa_i + other) * offset;
}

// 0 for particles other than fluid.
fn displacement_by_pressure(member: Member) -> vec3<f32> {
    let x = sorted_position_at(member.slot);
    let live = member.exists;
    kappa_i = kappa_at(member.slot);
    push = vec3<f32>(0.0);
    for_each_neighbour(member, x.xyz, live);
    return select(vec3<f32>(0.0), -push / material_of(sorted_identity_at(member.slot)).rest_density, live);
}

fn per_step() -> f32 {
    return select(0.0, 1.0 / control.dt, control.dt > 0.0);
}
