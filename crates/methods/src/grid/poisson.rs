//! Pressure on cells: the equation of its gradient that makes a field on faces free of divergence, solved by
//! preconditioned conjugate gradients with one reduction an iteration (Chronopoulos, Gear 1989).

use super::multigrid;
use crate::{
    Key, KeyKind, Loop, Scope,
    arrays::Row,
    key::Default,
    lists::gradients::gradients,
    passes::{self, Pass},
    space::{BUSY_CELLS, CELL_BLOCKS, CELLS, WORLDS},
    stage::{Entry, Stage, stage},
};

/// Keys of the iterations, with a default of their largest error.
pub(crate) const fn keys(error: Default) -> [Key; 4] {
    let help = "Largest error of volume in a step, of smoke in 20 ms at least, at which the iterations of pressure stop, in percent of a cell.";
    let kind = KeyKind::Number { low: Key::POSITIVE, high: 100.0, default: error };
    [
        multigrid::KEY,
        Key::new("max_error", kind, help).unit("%"),
        Key::integer("min_iterations", 0, 1, "Least number of iterations of pressure."),
        Key::integer("max_iterations", 1, 1000, "Largest number of iterations of pressure.")
            .at_least("min_iterations"),
    ]
}

/// Largest error in percent.
pub(crate) const MAX_ERROR: f64 = 0.1;

/// Loop of the iterations.
pub(crate) const LOOP: Loop = Loop {
    name: "pressure",
    tolerance: "max_error",
    least: "min_iterations",
    most: "max_iterations",
    warm_start: 0.0,
    shortens_step: true,
    energy: None,
};

/// P = Δt p/ρ0 in m²/s, and the search direction s.
pub(crate) const SOLUTION: Row = Row::new("solution", "vec2<f32>", CELLS);

/// Sums and maxima of workgroups.
pub(crate) const DOTS: Row = Row::new("poisson_dots", "vec4<f32>", CELL_BLOCKS.per(8));

/// Arrays of the equation, besides its solution.
pub(crate) const ARRAYS: &[Row] = &[
    // Cover c: 1 in liquid, ½ on its surface.
    Row::new("cover", "f32", CELLS),
    // Coefficients: of the lower faces, and the diagonal, which is 0 where there is no liquid.
    Row::new("coefficient", "vec4<f32>", CELLS),
    // Residual r = b − A P in m²/s, and A s.
    Row::new("remainder", "vec2<f32>", CELLS),
    // u, the residual over the diagonal.
    Row::new("poisson_u", "f32", CELLS),
    // A u; before that, what bodies add to it.
    Row::new("poisson_w", "f32", CELLS),
    DOTS,
    // α, β, r·u, mean of r; before the loop the mean of the right-hand side, where that is to be subtracted.
    Row::new("poisson_scalars", "vec4<f32>", WORLDS),
    // One over the number of equations where nothing bounds the fluid, else 0.
    Row::new("poisson_singular", "f32", WORLDS),
    // Residual in percent.
    Row::new("poisson_residual", "f32", WORLDS),
];

/// Passes of the iterations.
pub(crate) const PASSES: &[Pass] = &[
    passes::each("poisson/divergence", BUSY_CELLS),
    passes::groups("poisson/mean", 1, WORLDS),
    passes::each("poisson/start", BUSY_CELLS),
    passes::each("poisson/warm", BUSY_CELLS),
    passes::each("poisson/apply", BUSY_CELLS),
    passes::groups("poisson/total", 1, WORLDS),
    passes::each("poisson/step", BUSY_CELLS),
];

/// Pressure in the array `solution`, from that of the last step, that makes the field in the array `face` free of divergence, but
/// for what the stages `more` add to the right-hand side, where all cells are busy.
pub(crate) fn solve(scope: &Scope, face: &str, solution: &str, more: Vec<Stage>) -> Vec<Entry> {
    let mut first = vec![stage("poisson/divergence").with("face", face)];
    first.extend(more);
    first.push(stage("poisson/mean"));
    iterate(scope, "pressure", first, stage("poisson/warm"), &[], |stage| solved(stage, solution))
}

/// The stage with the solution in that array, if it is one of those that make it.
pub(crate) fn solved(stage: Stage, solution: &str) -> Stage {
    let solves = ["poisson/start", "poisson/warm", "poisson/step", "multigrid/step"];
    if solves.contains(&stage.pass.as_str()) { stage.with("solution", solution) } else { stage }
}

/// Conjugate gradients in the loop of that name: `first` makes their right-hand side, `start` their start, and `more` what
/// other unknowns add to each product; `over` makes them stages over cells with an equation.
pub(crate) fn iterate(
    scope: &Scope,
    name: &str,
    first: Vec<Stage>,
    start: Stage,
    more: &[Stage],
    over: impl Fn(Stage) -> Stage,
) -> Vec<Entry> {
    let mut list: Vec<Entry> =
        first.into_iter().chain([start]).map(&over).map(Entry::from).collect();
    let (mut before, step) = match multigrid::acts(scope) {
        true => {
            let mut before = multigrid::cycle(scope, 0);
            before.push(stage("multigrid/finish"));
            (before, "multigrid/step")
        }
        false => (Vec::new(), "poisson/step"),
    };
    before.extend(more.iter().cloned());
    let level = u32::from(!more.is_empty());
    list.extend(gradients(name, "poisson", before, step, scope.worlds > 1, |stage| {
        match stage.pass.as_str() {
            "poisson/apply" => over(stage.level(level)),
            _ => over(stage),
        }
    }));
    list
}
