//! Foam, spray and bubbles: a second set of particles that the fluid makes and moves and that never acts on it (Ihmsen,
//! Akinci, Akinci, Teschner, “Unified spray, foam and air bubbles for particle-based fluids”, The Visual Computer 2012).
//!
//! Particles are born where fluid is fast and traps air or forms crests, and are spray, foam or bubbles by the number of
//! fluid particles around them. Unlike the paper, thresholds are in units of a scene's own speed U = √(g L), energies are
//! per mass, and rates are per √(L/g): with the same keys a scene of any size or resolution has about as much foam. An
//! update is made every few steps, and in the last step of a frame.

use std::f64::consts::PI;

use meniscus_scene::{Problem, Scene, Value};
use meniscus_shared::shared_constants;

use crate::{
    Axis, Chosen, Context, Key, Method, Number, Place, Scope,
    arrays::{Lane, Row},
    kernel,
    lists::{
        neighbours::clusters,
        sort::{clear, scan},
    },
    passes,
    space::{Extent, Flag, MEMBERS, ONE, PARTICLES, Space},
    stage::{Entry, run, stage},
};

/// Slots of foam.
pub const FOAM: Extent = Space::new("foam").all();

/// Set in steps that update the foam.
const DUE: Flag = Flag { name: "foam_due", array: Some("foam_dispatch") };

/// Key that switches it on; a scene's table `[foam]` sets it.
pub const SWITCH: &str = "foam.enabled";
/// Key of the number of slots.
pub const MOST: &str = "foam.max";

shared_constants! {
    foam {
        /// Kind of a particle: falls freely through the air.
        FOAM_SPRAY: u32 = 0;
        /// Kind: floats on the fluid and ages.
        FOAM_FOAM: u32 = 1;
        /// Kind: rises in the fluid.
        FOAM_BUBBLE: u32 = 2;
        /// Word of `foam_state`: live particles.
        FOAM_COUNT: u32 = 0;
        /// Word: particles born so far; the id of the next one.
        FOAM_BORN: u32 = 1;
        /// Word: particles that have died so far.
        FOAM_DIED: u32 = 2;
        /// Word: steps since the last update.
        FOAM_STEPS: u32 = 3;
        /// Word: bits of the time in s since the last update.
        FOAM_ELAPSED: u32 = 4;
        /// Word: bits of the time step of the update in s.
        FOAM_STEP: u32 = 5;
        /// Word: first slot of the newborn.
        FOAM_FIRST: u32 = 6;
        /// Word: end of the slots in use, with those of the newborn.
        FOAM_END: u32 = 7;
        /// Word: share of the births that there is room for, in 1/1,024.
        FOAM_SHARE: u32 = 8;
        /// Word: births that the last update would have had with enough room.
        FOAM_DEMAND: u32 = 9;
        /// Word: updates in which births were thinned.
        FOAM_THINNED: u32 = 10;
        /// Number of these words.
        FOAM_WORDS: u32 = 12;
        /// Sizes of dispatches in steps that update the foam.
        FOAM_SIZES: u32 = 24;
        /// Most births of a fluid particle in an update.
        FOAM_MOST_BIRTHS: u32 = 64;
    }
}

/// Vector and a number of each particle.
const fn vector(name: &'static str, lanes: &'static [Lane], extent: Extent) -> Row {
    Row::new(name, "vec4<f32>", extent).lanes(lanes)
}

/// Position, and the time that it may still spend as foam.
const PLACE: &[Lane] = &[
    Lane { lanes: "xyz", quantity: "position", unit: "m" },
    Lane { lanes: "w", quantity: "life", unit: "s" },
];
/// Velocity, and the time since birth.
const MOTION: &[Lane] = &[
    Lane { lanes: "xyz", quantity: "velocity", unit: "m/s" },
    Lane { lanes: "w", quantity: "age", unit: "s" },
];
/// Number of the particle, and one of the `FOAM_…` kinds.
const IDENTITY: &[Lane] = &[
    Lane { lanes: "x", quantity: "id", unit: "" },
    Lane { lanes: "y", quantity: "kind", unit: "" },
];

/// The one method of its axis.
pub const METHOD: Method = Method {
    source: "Ihmsen, Akinci, Akinci, Teschner 2012",
    help: "foam, spray and bubbles, made and moved by the fluid without acting on it",
    keys: &[&[
        Key::flag("enabled", "Whether there is foam; the table alone switches it on.")
            .at_start(),
        Key::number("amount", [0.0, 1e3], 1.0, "Factor on the number of births."),
        Key::derived(
            "length",
            "m",
            length,
            "The height from which the fluid falls at the scene's expected speed",
            "Length L of the flow: energies and speeds are compared with U = √(g L), times with √(L/g).",
        ),
        Key::derived(
            "lifetime",
            "s",
            |scene| 10.0 * Scale::of(scene).time,
            "10 √(L/g)",
            "Mean time that a particle spends as foam; each has between half and one and a half of it.",
        ),
        Key::integer(
            "max",
            0,
            0,
            "Most particles at a time; births are thinned as it is reached. 0: as many as fluid particles.",
        )
        .at_start(),
        Key::integer(
            "every",
            0,
            0,
            "Steps from one update to the next; the last step of a frame has one. 0: eight with sound, four without, one with \
             liquids on a grid.",
        ),
        Key::derived(
            "size",
            "m",
            |scene| scene.scene.spacing(),
            "the particle spacing",
            "Size of patches of foam in pictures; drops and bubbles are smaller.",
        ),
        Key::number(
            "spread",
            [0.0, 10.0],
            1.0,
            "Factor on the velocities at which births fan out, at most a tenth of the fluid's.",
        ),
        Key::number(
            "drag",
            [0.0, 1e3],
            0.0,
            "Share of its velocity that spray loses to the air per second.",
        )
        .unit("s⁻¹"),
        Key::number(
            "buoyancy",
            [0.0, 100.0],
            2.0,
            "Acceleration of bubbles against gravity, in g.",
        ),
        Key::number(
            "coupling",
            [1e-3, 100.0],
            0.8,
            "Share of the difference to the fluid's velocity that bubbles lose in 0.02 √(L/g): they rise at buoyancy/coupling · 0.02 U.",
        ),
        Key::number(
            "air_low",
            [0.0, 1e6],
            AIR[0],
            "Trapped air, in units of U √(h/(0.05 L)), at which births begin.",
        ),
        Key::number(
            "air_high",
            [1e-6, 1e6],
            AIR[1],
            "Trapped air, in units of U √(h/(0.05 L)), from which on births have their full rate.",
        )
        .at_least("air_low"),
        Key::number(
            "air_rate",
            [0.0, 1e6],
            AIR_RATE,
            "Births per fluid particle and √(L/g) by trapped air, at most.",
        ),
        Key::number(
            "crest_low",
            [0.0, 1e6],
            CREST[0],
            "Curvature of wave crests at which births begin.",
        ),
        Key::number(
            "crest_high",
            [1e-6, 1e6],
            CREST[1],
            "Curvature of wave crests from which on births have their full rate.",
        )
        .at_least("crest_low"),
        Key::number(
            "crest_rate",
            [0.0, 1e6],
            CREST_RATE,
            "Births per fluid particle and √(L/g) at wave crests, at most, times 0.05 L/h.",
        ),
        Key::number(
            "energy_low",
            [0.0, 1e6],
            0.1,
            "Kinetic energy per mass, in units of U², at which births begin.",
        ),
        Key::number(
            "energy_high",
            [1e-6, 1e6],
            1.0,
            "Kinetic energy per mass, in units of U², from which on births have their full rate.",
        )
        .at_least("energy_low"),
    ]],
    numbers: &[
        Number::new("gradient", "1/g of gradients of the volumes' sum", |scene| {
            let (h, spacing) = (support(scene), scene.scene.spacing());
            1.0 / kernel::lattice_gradient(scene.kernel(), h, spacing, scene.scene.dimensions)
        }),
        Number::new(
            "neighbours",
            "N, the number of fluid particles within h of a point in the fluid",
            neighbours,
        ),
        Number::new(
            "energy_low",
            "kinetic energy per mass at which births begin, in m²/s²",
            |scene| scene.number("foam.energy_low") * Scale::of(scene).speed.powi(2),
        ),
        Number::new(
            "energy_slope",
            "1/(highest − lowest) of these energies, in s²/m²",
            |scene| slope(scene, "energy") / Scale::of(scene).speed.powi(2),
        ),
        Number::new("air_low", "Σ |v_ij| (1 − cos) W at which births begin, in m/s", |scene| {
            scene.number("foam.air_low") * air_unit(scene)
        }),
        Number::new("air_slope", "1/(highest − lowest) of these sums, in s/m", |scene| {
            slope(scene, "air") / air_unit(scene)
        }),
        Number::new(
            "air_rate",
            "births by trapped air per particle and second, at most",
            |scene| {
                scene.number("foam.amount") * scene.number("foam.air_rate") / Scale::of(scene).time
            },
        ),
        Number::new("crest_low", "Σ (1 − cos) W at which births begin", |scene| {
            scene.number("foam.crest_low") * neighbours(scene) / 30.0
        }),
        Number::new("crest_slope", "1/(highest − lowest) of these sums", |scene| {
            slope(scene, "crest") * 30.0 / neighbours(scene)
        }),
        Number::new("crest_rate", "births at crests per particle and second, at most", |scene| {
            // Crests are of the outermost layer of particles, whose share of all falls with h.
            let share = scene.number("foam.crest_rate") / coarseness(scene);
            scene.number("foam.amount") * share / Scale::of(scene).time
        }),
        Number::new("radius", "radius in m of a particle's volume", |scene| {
            let spacing = scene.scene.spacing();
            match scene.scene.dimensions {
                2 => spacing / PI.sqrt(),
                _ => spacing * (3.0 / (4.0 * PI)).cbrt(),
            }
        }),
        Number::new(
            "fan",
            "share of the fluid's velocity at which births at the rim of a particle's volume fan out",
            |scene| 0.1 * scene.number("foam.spread"),
        ),
        Number::new("drag", "drag of the air on spray in 1/s", |scene| scene.number("foam.drag")),
        Number::new("buoyancy", "acceleration of bubbles in g, upwards", |scene| {
            scene.number("foam.buoyancy")
        }),
        Number::new("coupling", "drag of the fluid on bubbles in 1/s", |scene| {
            scene.number("foam.coupling") / (0.02 * Scale::of(scene).time)
        }),
        Number::new("lifetime", "mean time in s as foam", |scene| scene.number("foam.lifetime")),
        Number::new("size", "size in m of patches of foam in pictures", |scene| {
            scene.number("foam.size")
        }),
        Number::whole("every", "steps from one update to the next", |scene| {
            let named = scene.number("foam.every");
            if named > 0.0 { named } else { usual_every(scene) }
        }),
    ],
    stages: &[(Place::Sorted, update), (Place::Report, tally)],
    arrays: &[&[
        vector("foam_position", PLACE, FOAM).persistent(),
        vector("foam_velocity", MOTION, FOAM).persistent(),
        Row::new("foam_identity", "vec2<u32>", FOAM).persistent().lanes(IDENTITY),
        // Words by the `FOAM_…` constants.
        Row::new("foam_state", "u32", ONE.times(FOAM_WORDS)).persistent(),
        // Workgroups of the stages in x, y and z, by sizes: the last ones are 1 in steps with an update, else 0.
        Row { drawn: true, ..Row::new("foam_dispatch", "u32", ONE.times(3 * FOAM_SIZES)) },
        // Unit normal out of the fluid, 0 where there is none, and trapped air, in cell order.
        vector(
            "foam_potential",
            &[
                Lane { lanes: "xyz", quantity: "normal", unit: "" },
                Lane { lanes: "w", quantity: "trapped_air", unit: "m/s" },
            ],
            PARTICLES,
        ),
        // Expected number of births in the update, in cell order.
        Row::new("foam_rate", "f32", PARTICLES),
        // Number of births in the update, in cell order, and those before each particle.
        Row::new("foam_births", "u32", PARTICLES.and_one()),
        Row::new("foam_births_start", "u32", PARTICLES.and_one()),
        // Velocity of the fluid around each particle, and the number of fluid particles there, or that there would be
        // without walls.
        vector(
            "foam_carrier",
            &[
                Lane { lanes: "xyz", quantity: "velocity", unit: "m/s" },
                Lane { lanes: "w", quantity: "count", unit: "" },
            ],
            FOAM,
        ),
        // The particles after their motion, 1 of those that live on, and the number before each.
        vector("foam_moved_position", PLACE, FOAM),
        vector("foam_moved_velocity", MOTION, FOAM),
        Row::new("foam_moved_identity", "vec2<u32>", FOAM).lanes(IDENTITY),
        Row::new("foam_alive", "u32", FOAM.and_one()),
        Row::new("foam_alive_start", "u32", FOAM.and_one()),
        // Number of particles of each kind.
        Row::new("foam_tally", "u32", ONE.times(3)),
    ]],
    passes: &[&[
        passes::single("foam/begin", FOAM),
        passes::each("foam/potential", MEMBERS),
        passes::each("foam/rate", MEMBERS),
        passes::each("foam/count", PARTICLES.and_one()),
        passes::single("foam/room", FOAM),
        passes::each("foam/birth", PARTICLES),
        passes::each("foam/sample", FOAM),
        passes::each("foam/walls", FOAM),
        passes::each("foam/move", FOAM),
        passes::each("foam/collide", FOAM.and_one()),
        passes::each("foam/pack", FOAM),
        passes::single("foam/end", FOAM),
        passes::each("foam/tally", FOAM),
    ]],
    problems: Some(problems),
    ..Method::new("foam", Axis::Foam)
};

/// Trapped air in units of U N/30 √(h/(0.05 L)) at which births begin and from which on they have their full rate.
const AIR: [f64; 2] = [0.8, 2.5];
/// Births by trapped air per particle and √(L/g).
const AIR_RATE: f64 = 35.0;
/// Curvature in units of N/30, likewise.
const CREST: [f64; 2] = [0.5, 2.0];
/// Births at crests per particle and √(L/g), times 0.05 L/h.
const CREST_RATE: f64 = 40.0;

/// Scales of a scene's flow.
#[derive(Clone, Copy, Debug)]
struct Scale {
    /// U in m/s.
    speed: f64,
    /// L/U in s.
    time: f64,
}

impl Scale {
    fn of(scene: &Context<'_>) -> Self {
        let length = scene.number("foam.length");
        let g = gravity(scene);
        let speed = if g > 0.0 { (g * length).sqrt() } else { scene.expected_speed.max(1e-9) };
        Self { speed, time: length / speed }
    }
}

/// Height in m from which fluid falls at the expected speed; without gravity the fluid's extent.
fn length(scene: &Context<'_>) -> f64 {
    let g = gravity(scene);
    if g > 0.0 {
        return (scene.expected_speed.powi(2) / (2.0 * g)).max(1e-9);
    }
    let extents = scene.scene.fluids.iter().map(|fluid| fluid.shape.bounds().1.max_element());
    extents.map(|half| 2.0 * half).fold(10.0 * scene.scene.spacing(), f64::max)
}

/// Acceleration by gravity in m/s².
fn gravity(scene: &Context<'_>) -> f64 {
    scene.scene.gravity.iter().map(|g| g * g).sum::<f64>().sqrt()
}

/// Radius in m of the walks over neighbours.
fn support(scene: &Context<'_>) -> f64 {
    let h = scene.support_radius();
    match scene.chosen.family().space {
        crate::Space::Torus => h,
        crate::Space::Box => h.min(scene.chosen.length(scene.scene)),
    }
}

/// Number of fluid particles within h of a point in the fluid.
fn neighbours(scene: &Context<'_>) -> f64 {
    let radii = support(scene) / scene.scene.spacing();
    match scene.scene.dimensions {
        2 => PI * radii.powi(2),
        _ => 4.0 / 3.0 * PI * radii.powi(3),
    }
}

/// h/(0.05 L): resolution, relative to that at which the usual keys were chosen, a dam break with 16,000 particles. With SPH, whose
/// viscosity acts over h, velocities at the distance h differ by about √h, and the outermost layer of particles is a share of all that
/// grows with h. On a grid neither does, since sprays of single particles come with finer cells: 2, as measured.
fn coarseness(scene: &Context<'_>) -> f64 {
    match scene.chosen.family().space {
        crate::Space::Torus => support(scene) / (0.05 * scene.number("foam.length")),
        crate::Space::Box => 2.0,
    }
}

/// Unit of trapped air in m/s: U N/30 √(h/(0.05 L)).
fn air_unit(scene: &Context<'_>) -> f64 {
    Scale::of(scene).speed * neighbours(scene) / 30.0 * coarseness(scene).sqrt()
}

/// 1/(highest − lowest) of two keys.
fn slope(scene: &Context<'_>, key: &str) -> f64 {
    let [low, high] = ["low", "high"].map(|end| scene.number(&format!("foam.{key}_{end}")));
    1.0 / (high - low).max(1e-6)
}

/// Steps between updates in which particles move by at most 0.4 h: as far as a step of liquids on a grid, four of
/// incompressible SPH, and eight of fluids with sound.
fn usual_every(scene: &Context<'_>) -> f64 {
    let incompressible = scene.chosen.sph().is_some() && scene.chosen.is_incompressible();
    match (scene.chosen.family().long_steps, incompressible) {
        (true, _) => 1.0,
        (false, true) => 4.0,
        (false, false) => 8.0,
    }
}

fn problems(scene: &Scene, chosen: &Chosen) -> Vec<Problem> {
    let most = scene.settings.get(MOST).and_then(Value::number).unwrap_or(0.0);
    let limit = f64::from(meniscus_scene::MAX_PARTICLES);
    let mut problems = Vec::new();
    if most > limit {
        problems.push(Problem::new(MOST, format!("must be at most {limit}, not {most}")));
    }
    if !chosen.family().joins.contains(&Axis::Foam) {
        let solver = chosen.solver().name;
        let message =
            format!("must be left out: {solver:?} has no particles of liquid that could make foam");
        problems.push(Problem::new(SWITCH, message));
    }
    problems
}

/// Births and motion since the last update.
fn update(scope: &Scope) -> Vec<Entry> {
    let due = |pass: &str| stage(pass).when(DUE).into();
    let mut list = vec![run("foam/begin")];
    if scope.chosen.family().space == crate::Space::Box {
        // Grids need no lists of neighbours otherwise.
        list.extend(clusters().into_iter().map(|entry| entry.when(DUE)));
    }
    list.extend([
        due("foam/potential"),
        due("foam/rate"),
        due("foam/count"),
        scan("foam_births", "foam_births_start", PARTICLES.and_one()).when(DUE),
        due("foam/room"),
        due("foam/birth"),
        due("foam/sample"),
        due("foam/walls"),
        due("foam/move"),
        due("foam/collide"),
        scan("foam_alive", "foam_alive_start", FOAM.and_one()).when(DUE),
        due("foam/pack"),
        due("foam/end"),
    ]);
    list
}

/// Numbers of particles by kind.
fn tally(_scope: &Scope) -> Vec<Entry> {
    vec![clear("foam_tally", ONE.times(3)), run("foam/tally")]
}
