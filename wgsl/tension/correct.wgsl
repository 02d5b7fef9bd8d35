// Densities ρ' = min(ρ/Ψ, max(ρ, (1 + ε) ρ0)) for equations of state: at the surface, where a part of the kernel is empty, as
// within the fluid. Without the limit, small errors of Ψ would press drops apart.
//!include common/control

//!read density tension_fill
//!write density_filled

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (!has_particle(i)) { return; }
    let fill = tension_fill[i];
    let own = density[i];
    let limit = max(own, (1.0 + params.methods.tension_free_surface.limit) * fill.y);
    density_filled[i] = min(own / fill.x, limit);
}
