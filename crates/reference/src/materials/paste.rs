//! A liquid with a viscosity by Herschel and Bulkley (1926), regularised as by Papanastasiou (1987).

use glam::DMat3;

use super::{Response, Strain};

pub(super) fn respond(strain: &Strain<'_>) -> Response {
    let c = strain.gradient;
    let axes = if strain.dimensions == 2 {
        DMat3::from_diagonal([1.0, 1.0, 0.0].into())
    } else {
        DMat3::IDENTITY
    };
    let trace = c.x_axis.x + c.y_axis.y + c.z_axis.z;
    let deviator = 0.5 * (c + c.transpose()) - axes * (trace / f64::from(strain.dimensions));
    let square: f64 = deviator.to_cols_array().iter().map(|d| d * d).sum();
    let eta = viscosity(strain.number, strain.viscosity, (2.0 * square).sqrt());
    strain.liquid(2.0 * eta * deviator)
}

pub(super) fn viscosity(number: &dyn Fn(&str) -> f64, most: f64, shear: f64) -> f64 {
    let [consistency, exponent, yields] = ["consistency", "exponent", "yield_stress"].map(number);
    let shear = shear.max(1e-6);
    let thin = consistency * shear.powf(exponent - 1.0);
    let plastic = match yields {
        0.0 => 0.0,
        _ => -yields * (-most / yields * shear).exp_m1() / shear,
    };
    (thin + plastic).min(most)
}
