// a_i = Σ f_i/ρ_i + Σ a'_i (M 8): force densities f and accelerations a' of the pass's terms, in
// one walk over the neighbours. The pass's name lists its terms, each a file in wgsl/terms:
// sph/forces+viscosity_muller+…; a line that begins with //!each is repeated for every term that
// defines the function it calls, with TERM replaced by the term's name.
//!include common/neighbour_list
//!include common/term
//!terms

//!write acceleration

var<private> force: vec3<f32>;

fn load(j: u32) -> Neighbour {
    var neighbour = particle_at(j);
    //!each neighbour = TERM_load(j, neighbour);
    return neighbour;
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let pair = pair_of(neighbour, offset, mine);
    var sum = vec3<f32>(0.0);
    //!each sum += TERM_force(pair);
    force += sum;
    //!each TERM_visit(pair);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let member = member_of(element(global_id));
    let i = member.slot;
    let x = sorted_position_at(i);
    velocity_i = sorted_velocity_at(i);
    volume_i = x.w;
    density_i = density_of(i, x);
    force = vec3<f32>(0.0);
    //!each TERM_begin(i);
    for_each_neighbour(member, x.xyz, member.exists);
    if (member.exists) {
        //!each force += TERM_end(i);
        var a = force / density_i;
        //!each a += TERM_acceleration(i);
        acceleration[i] = vec4<f32>(a, 0.0);
    }
}
