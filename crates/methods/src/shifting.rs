//! Sun, Colagrossi, Marrone, Zhang 2017, “The δplus-SPH model”: particles are shifted a little towards an even distribution, so
//! that neither clumps nor holes form where the flow stretches them. In place of the paper's largest speed of the whole flow stands
//! that of the particle and its neighbours: in a tank at rest there is nothing to shift, and DFSPH's water would rise.

use meniscus_scene::{Problem, Scene};

use crate::{
    Axis, Chosen, Key, Method, Number, Place, Quantity,
    arrays::{Lane, Row},
    kernel, passes,
    quantity::up_to,
    space::{FLUID, MEMBERS, PARTICLES},
    stage::run,
};

/// Key that switches it on; a scene's table `[shifting]` sets it.
pub const SWITCH: &str = "shifting.enabled";

/// Shifts of a step, in cell order.
const SHIFT: Row = Row::new("shift", "vec4<f32>", PARTICLES).lanes(&[Lane {
    lanes: "xyz",
    quantity: "displacement",
    unit: "m",
}]);

/// Shifts of particles.
pub const METHOD: Method = Method {
    source: "Sun et al. 2017",
    help: "shifts particles towards an even distribution, along the surface where they are near it",
    keys: &[&[
        Key::flag("enabled", "Whether particles are shifted; the table alone switches it on."),
        Key::number("strength", [0.0, 4.0], 1.0, "Factor on the shifts of the paper."),
    ]],
    numbers: &[
        Number::new("reach", "h times the strength, in m", |scene| {
            scene.number("shifting.strength") * scene.support_radius()
        }),
        Number::new("inverse_kernel", "1/W(d)", |scene| {
            let (h, spacing) = (scene.support_radius(), scene.scene.spacing());
            1.0 / kernel::density(scene.kernel(), h, scene.scene.dimensions, spacing)
        }),
    ],
    arrays: &[&[SHIFT]],
    passes: &[&[passes::each("shifting/shift", MEMBERS), passes::each("shifting/move", FLUID)]],
    quantities: &[Quantity::new("shift", SHIFT, "xyz", "shift in the last step")
        .range(|scene| up_to(0.02 * scene.support_radius))],
    stages: &[
        (Place::Density, |_| vec![run("shifting/shift")]),
        (Place::End, |_| vec![run("shifting/move")]),
    ],
    problems: Some(problems),
    ..Method::new("shifting", Axis::Shifting)
};

fn problems(_: &Scene, chosen: &Chosen) -> Vec<Problem> {
    if chosen.family().joins.contains(&Axis::Shifting) {
        return Vec::new();
    }
    let solver = chosen.solver().name;
    vec![Problem::new(
        SWITCH,
        format!("must be left out: it is a method of SPH, and {solver:?} is not"),
    )]
}
