//! Solenthaler, Pajarola 2009: predictive-corrective incompressible SPH.

use super::{euler_begin, euler_end, euler_kick, solve};
use crate::{
    Axis, Corrected, Method, Number, Peer, Scope, kernel, passes, space::MEMBERS, stage::Entry,
};

/// Pressures from predicted densities.
pub const METHOD: Method = Method {
    source: "Solenthaler, Pajarola 2009",
    help: "pressures from predicted densities, semi-implicit Euler",
    keys: &[&super::ITERATIONS],
    numbers: &[Number::new(
        "factor",
        "δ Δt²/ρ0 in m², by which a compression becomes a pressure: ω of the paper's, with which iterations \
         diverge where particles lie too close",
        |scene| {
            let (h, spacing) = (scene.support_radius(), scene.scene.spacing());
            let (kernel, dimensions) = (scene.kernel(), scene.scene.dimensions);
            let calibration = match scene.scene.calibrate_density {
                true => 1.0 / kernel::lattice_sum(kernel, h, spacing, dimensions),
                false => 1.0,
            };
            kernel::jacobi_relaxation(kernel, h, spacing, dimensions)
                * calibration.powi(-2)
                * kernel::lattice_factor(kernel, h, spacing, dimensions)
        },
    )],
    arrays: &[super::ITERATED, super::ARRAYS],
    passes: &[super::PASSES, &[passes::each("pcisph/compression", MEMBERS)]],
    loops: &[super::PRESSURE_LOOP],
    solver: Some(super::incompressible(stages, Corrected::Anew, false, false)),
    peer: Some(Peer { object: "PCISPH", keys: super::PEER_KEYS, ..Peer::new(1) }),
    ..Method::new("pcisph", Axis::Solver)
};

/// Unlike in the paper, pressures start from half of the last step's: from 0, iterations that
/// propagate them one neighbourhood further each do not reach through deep water. Pressure does not limit the step: in a
/// short one the mean compression is below its tolerance before pressure carries the water, which falls until it is not.
fn stages(scope: &Scope) -> Vec<Entry> {
    let mut list = euler_begin(scope, "sph/density");
    list.extend(euler_kick(scope));
    let error = match scope.corrects_density() {
        true => "pcisph/compression_filled",
        false => "pcisph/compression",
    };
    list.extend(solve(scope, "pressure", error, "sph/keep"));
    list.extend(euler_end(scope));
    list
}
