//! Bender, Koschier 2015: divergence-free SPH.

use super::{conjugate, euler_begin, euler_end, euler_kick, solve};
use crate::{
    Axis, Corrected, Key, Loop, Method, Peer, Quantity, Scope, arrays::Row, grid::multigrid,
    passes, space::MEMBERS, stage::Entry,
};

/// Pressure that corrected the last step's divergence.
const WARM_DIVERGENCE: Row = super::warm("warm_divergence");

/// Pressure that corrected the last step's compression.
const WARM_DENSITY: Row = super::warm("warm_density");

/// Keys of the density solver's iterations; the divergence solver carries the water's weight.
const CHOICE: [Key; 2] = conjugate::keys(0.01);

/// Divergence-free and constant-density solvers.
pub const METHOD: Method = Method {
    source: "Bender, Koschier 2015",
    default: |_| true,
    help: "divergence-free and constant-density solvers, semi-implicit Euler",
    keys: &[&[
        super::ITERATIONS[0],
        Key::number(
            "max_divergence_error",
            super::POSITIVE,
            0.1,
            "Mean change of compression in a step, in percent, at which the divergence solver stops.",
        )
        .unit("%"),
        super::ITERATIONS[1],
        Key::integer(
            "min_divergence_iterations",
            0,
            2,
            "Least number of iterations of the divergence solver: 1 is faster, but moves drops and floating boxes \
             more.",
        ),
        super::ITERATIONS[2],
    ], &CHOICE],
    arrays: &[super::ITERATED, &[
        WARM_DIVERGENCE,
        WARM_DENSITY,
        super::residual("divergence_residual"),
        super::residual("density_residual"),
    ], conjugate::ARRAYS, multigrid::ARRAYS],
    passes: &[super::PASSES, &[
        super::EXCESS,
        passes::each("dfsph/divergence", MEMBERS),
    ], conjugate::PASSES, multigrid::CYCLE],
    quantities: &[
        Quantity::new(
            "divergence_pressure",
            WARM_DIVERGENCE,
            "x",
            "part of the pressure, by the divergence solver",
        )
        .of_pressure(),
        Quantity::new(
            "density_pressure",
            WARM_DENSITY,
            "x",
            "part of the pressure, by the density solver",
        )
        .of_pressure(),
        super::COMPRESSION,
        super::FACTOR,
    ],
    loops: &[
        Loop {
            name: "divergence",
            tolerance: "max_divergence_error",
            least: "min_divergence_iterations",
            warm_start: 1.0,
            ..super::PRESSURE_LOOP
        },
        Loop { name: "density", ..conjugate::LOOP },
    ],
    solver: Some(super::incompressible(stages, Corrected::Excess, true, true)),
    peer: Some(Peer {
        object: "DFSPH",
        keys: &[
            ("maxError", "max_error"),
            ("maxErrorV", "max_divergence_error"),
            ("minIterations", "min_iterations"),
            ("maxIterations", "max_iterations"),
        ],
        ..Peer::new(4)
    }),
    ..Method::new("dfsph", Axis::Solver)
};

/// Unlike in the paper, the divergence solver runs after gravity and viscosity. So it carries the
/// weight of the fluid, and its κ can start from all of the last step's: velocities respond to them
/// immediately. Positions respond a step later, and a density solver that started this way would
/// oscillate.
fn stages(scope: &Scope) -> Vec<Entry> {
    let mut list = euler_begin(scope, "sph/factor");
    list.extend(euler_kick(scope));
    list.extend(solve(scope, "divergence", "dfsph/divergence", "sph/keep"));
    list.extend(match conjugate::acts(scope) {
        true => conjugate::solve(scope, "density"),
        false => solve(scope, "density", "sph/compression", "sph/stiffness"),
    });
    list.extend(euler_end(scope));
    list
}
