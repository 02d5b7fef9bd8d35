// Water of material points: τ = −J p 1 + μ J (∇v + ∇vᵀ), with the pressure of common/liquid_points.
//!include common/liquid_points

fn water_respond(material: MaterialParams, strain: Strain) -> Response {
    let own = water_numbers(material);
    let found = pressed(material, strain, own.stiffness, own.largest_volume, own.pulls);
    let tau = material.viscosity * found.volume * (strain.gradient + transpose(strain.gradient));
    return flowed(tau, found);
}
