//! Ihmsen, Cornelis, Solenthaler, Horvath, Teschner 2014: implicit incompressible SPH.

use super::{conjugate, euler_begin, euler_end, euler_kick, solve};
use crate::{Axis, Corrected, Key, Method, Peer, Scope, grid::multigrid, stage::Entry};

/// Keys of the iterations. With more of the energy left, pressures of water at rest swing from step to step: by half with
/// 10⁻², by 2 % with 10⁻⁴.
const KEYS: [Key; 2] = conjugate::keys(1e-4);

/// Pressures from a linear system.
pub const METHOD: Method = Method {
    source: "Ihmsen et al. 2014",
    help: "pressures from a linear system, semi-implicit Euler",
    keys: &[&super::ITERATIONS, &KEYS],
    arrays: &[super::ITERATED, super::ARRAYS, conjugate::ARRAYS, multigrid::ARRAYS],
    passes: &[super::PASSES, &[super::EXCESS], conjugate::PASSES, multigrid::CYCLE],
    quantities: &[super::COMPRESSION, super::FACTOR],
    loops: &[conjugate::LOOP],
    solver: Some(super::incompressible(stages, Corrected::Excess, true, false)),
    peer: Some(Peer { object: "IISPH", keys: super::PEER_KEYS, ..Peer::new(3) }),
    ..Method::new("iisph", Axis::Solver)
};

/// Instead of forming the sums over pressures in (13), each iteration corrects velocities: the
/// results are the same, and bodies can take part.
fn stages(scope: &Scope) -> Vec<Entry> {
    let mut list = euler_begin(scope, "sph/factor");
    list.extend(euler_kick(scope));
    list.extend(match conjugate::acts(scope) {
        true => conjugate::solve(scope, "pressure"),
        false => solve(scope, "pressure", "sph/compression", "sph/stiffness"),
    });
    list.extend(euler_end(scope));
    list
}
