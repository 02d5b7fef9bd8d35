// Ends an iteration by the loop's residual; of worlds that have one each, by that of the worst.
//!include common/iteration
//!include common/worlds

//!read residual: array<f32>

@compute @workgroup_size(1)
fn main() {
    if (!is_active()) { return; }
    var worst = residual[0];
    if (has_worlds()) {
        for (var k = 1u; k < min(params.counts.worlds, arrayLength(&residual)); k++) { worst = max(worst, residual[k]); }
    }
    end_iteration(worst);
}
