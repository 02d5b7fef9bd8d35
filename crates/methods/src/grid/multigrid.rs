//! Preconditioner of the pressure on cells: one V-cycle of aggregation multigrid.
//!
//! A level's cells are aggregates of 2 × 2 × 2 of the finer one; its coefficients are sums, residuals go down as sums, and
//! corrections up as copies. Each level sweeps once on the way down, from 0, and once on the way up, which keeps the cycle
//! symmetric, as conjugate gradients need it. Iterations are then almost independent of the number of cells.

use crate::{
    Key, Scope,
    arrays::Row,
    liquid::gas,
    passes::{self, Grain, Pass},
    space::{BUSY_CELLS, EVEN_LEVELS, LEVELS, ODD_LEVELS},
    stage::{Stage, stage},
};

/// What divides the residual.
const PRECONDITIONERS: &[(&str, &str)] = &[
    ("diagonal", "the equation's diagonal: cheap iterations, the more the finer the cells"),
    ("multigrid", "a cycle over coarser and coarser cells: a few dear iterations"),
];

/// Key of the choice.
pub(crate) const KEY: Key = Key::choice(
    "preconditioner",
    PRECONDITIONERS,
    "What makes the iterations of pressure converge faster; with gas multigrid unless named.",
);

/// Arrays of the levels: coefficients as those of level 0, residuals in x, and corrections, of odd levels and of even
/// ones from 2, since a pass reads one level and writes the next.
pub(crate) const ARRAYS: &[Row] = &[
    Row::new("odd_coefficient", "vec4<f32>", ODD_LEVELS),
    Row::new("odd_remainder", "vec2<f32>", ODD_LEVELS),
    Row::new("odd_u", "f32", ODD_LEVELS),
    Row::new("even_coefficient", "vec4<f32>", EVEN_LEVELS),
    Row::new("even_remainder", "vec2<f32>", EVEN_LEVELS),
    Row::new("even_u", "f32", EVEN_LEVELS),
];

/// Passes of a cycle over the levels.
pub(crate) const CYCLE: &[Pass] = &[
    passes::generic("multigrid/down", Grain::Each),
    passes::generic("multigrid/bottom", Grain::Single),
    passes::generic("multigrid/up", Grain::Each),
];

/// Passes of the pressure on cells besides those.
pub(crate) const PASSES: &[Pass] = &[
    passes::generic("multigrid/coarsen", Grain::Each),
    passes::each("multigrid/finish", BUSY_CELLS),
    passes::each("multigrid/step", BUSY_CELLS),
];

/// Whether the scene has it, and cells enough for it. Where the scene does not choose, gas and liquid have it: by the diagonal the ratio of
/// their densities costs five times as many iterations.
pub(crate) fn acts(scope: &Scope) -> bool {
    let table = scope.chosen.family().table.unwrap_or_default();
    let key = format!("{table}.{}", KEY.name);
    let is_chosen = match scope.chosen.settings().get(&key) {
        None if gas::acts(&scope.chosen) => true,
        _ => scope.choice(&key) == "multigrid",
    };
    scope.levels > 0 && scope.worlds == 1 && is_chosen
}

/// Binds variables to the arrays of their kind (coefficient, remainder, u) of a level.
fn bound(stage: Stage, level: u32, variables: &[&str]) -> Stage {
    variables.iter().fold(stage, |stage, variable| {
        let kind = variable.rsplit('_').next().unwrap_or_default();
        let array = match level {
            0 => kind.to_owned(),
            _ if level % 2 == 1 => format!("odd_{kind}"),
            _ => format!("even_{kind}"),
        };
        if array == *variable { stage } else { stage.with(variable, &array) }
    })
}

/// The pass from a level to the next, by the kinds of arrays of both: those of the finer level are called odd in it, the
/// others even.
fn to_next(pass: &str, level: u32, kinds: &[&str]) -> Stage {
    let named =
        |parity: &str| kinds.iter().map(|kind| format!("{parity}_{kind}")).collect::<Vec<_>>();
    let [finer, coarser] = ["odd", "even"].map(named);
    let [finer, coarser] =
        [&finer, &coarser].map(|names| names.iter().map(String::as_str).collect::<Vec<_>>());
    let stage = stage(pass).over(LEVELS[level as usize + 1]).level(level);
    bound(bound(stage, level, &finer), level + 1, &coarser)
}

/// Coefficients of all levels, once the equation of pressure stands.
pub(crate) fn prepare(scope: &Scope) -> Vec<Stage> {
    if acts(scope) { coarsen(scope, 0, "multigrid/coarsen") } else { Vec::new() }
}

/// Coefficients of all levels beyond a first one, by a pass that makes those of the next one.
pub(crate) fn coarsen(scope: &Scope, first: u32, pass: &str) -> Vec<Stage> {
    let coarsen = |level| to_next(pass, level, &["coefficient"]);
    (first..scope.levels).map(coarsen).collect()
}

/// A V-cycle from the residual of a first level to u of the next one, which a pass is to bring to the first.
pub(crate) fn cycle(scope: &Scope, first: u32) -> Vec<Stage> {
    let last = scope.levels;
    let down = |level| to_next("multigrid/down", level, &["coefficient", "remainder"]);
    let mut list: Vec<_> = (first..last).map(down).collect();
    let own = ["odd_coefficient", "odd_remainder", "odd_u"];
    let bottom = stage("multigrid/bottom").over(LEVELS[last as usize]).level(last);
    list.push(bound(bottom, last, &own));
    for level in (first + 1..last).rev() {
        let up = stage("multigrid/up").over(LEVELS[level as usize]).level(level);
        list.push(bound(bound(up, level, &own), level + 1, &["even_u"]));
    }
    list
}
