// The loop's residual: T in percent.
//!include common/control

//!read toy_heat: array<f32>
//!write cooling_residual: array<f32>

@compute @workgroup_size(1)
fn main() {
    if (!is_active()) { return; }
    cooling_residual[0] = 100.0 * toy_heat[0];
}
