//! Weiler, Koschier, Brand, Bender 2018: the materials' viscosity as a linear system for the velocities at
//! the end of the step, so that honey takes the time steps of water.
//!
//! Pair impulses along `x_ij` = `x_i` − `x_j`, K v' = b as momenta:
//!
//! ```text
//! K_ii = m_i 1 + Δt Σ c_ij x_ij x_ijᵀ    K_ij = −Δt c_ij x_ij x_ijᵀ    b_i = m_i v*_i + Δt Σ_b c_ib x_ib (x_ib·v_b)
//! c_ij = C 2(d + 2) μ_ij V_i V_j (−W'/r)/(r² + 0.01 h²)                 v* = v + Δt (a + g + a_p)
//! ```
//!
//! With volumes in place of the paper's masses and densities the matrix is symmetric for several fluids as
//! well, and keeps linear and angular momentum. It is solved by conjugate gradients with one reduction per
//! iteration (Chronopoulos, Gear 1989), preconditioned by the blocks `K_ii`.
//!
//! `a_p`, which the paper does not have, is the mean acceleration by pressure, walls and contacts in the last steps: of the liquid at
//! most 10 g, of everything none without gravity. Without it a liquid at rest would resist its fall in each step before pressure ends
//! it, and hand a part of its weight to walls and bodies.
//!
//! Free bodies belong to the system: their velocities and spins are eliminated, with the inverses of their rows.

use meniscus_scene::{Body, Boundary, Kernel, Problem, Response, Scene};

use crate::{
    Axis, Chosen, Coefficient, Key, Loop, Method, Number, Peer, Place, Quantity, Scope,
    arrays::{Lane, Row},
    kernel,
    lists::gradients::gradients,
    passes,
    space::{
        BODY_LANES, BODY_PARTICLES, CLUSTER_GROUPS, COLLIDERS, FLUID, FREE_BODY_PARTICLES, MEMBERS,
        ONE, PARTICLES, WALLS,
    },
    stage::{Entry, Stage, run, stage},
};

/// Drag with which a liquid does not slip along a body: a ball of four spacings in a periodic cube has 1.03 of Stokes's drag as
/// Hasimoto (1959) has it then, 0.79 with 4 and 0.60 with the 1.9 of a plane wall, since its particles lie behind its surface.
const HOLDS: f64 = 10.0;

/// Share of a step in the mean acceleration by pressure: a sudden pressure is not taken for one that will last.
const SHARE_OF_STEP: Number = Number::new("share", "of a step in the mean a_p", |_| 0.25);

/// Accelerations: in the last step by viscosity, from which the next solution starts, and in the last steps by pressure and walls.
const LAST: Row = Row::new("viscosity_last", "array<vec4<f32>, 2>", PARTICLES)
    .guess()
    .lanes(&[Lane { lanes: "xyz", quantity: "viscous_acceleration", unit: "m/s²" }]);

/// A vector of the system, in m/s, in cell order.
const fn vector(name: &'static str) -> Row {
    Row::new(name, "vec4<f32>", PARTICLES)
}

/// Dynamic viscosity μ of each material.
pub const METHOD: Method = Method {
    source: "Weiler, Koschier, Brand, Bender 2018",
    help: "the materials' viscosity by a linear system: thick liquids, and pastes, at the time steps of water",
    of_materials: true,
    takes_flow: true,
    keys: &[&[
        Key::number(
            "max_error",
            [Key::POSITIVE, 100.0],
            0.1,
            "Residual of the model \"implicit\" at which iterations stop, in percent of the velocities' spread.",
        )
        .unit("%"),
        Key::integer("min_iterations", 0, 1, "Least number of iterations of the model \"implicit\"."),
        Key::integer("max_iterations", 1, 200, "Largest number of iterations of the model \"implicit\".")
            .at_least("min_iterations"),
    ]],
    numbers: &[SHARE_OF_STEP, Number::new("factor", "2(d + 2) C of the pair impulses", |scene| {
        let (h, spacing) = (scene.support_radius(), scene.scene.spacing());
        let dimensions = scene.scene.dimensions;
        let laplacian = match scene.scene.calibrate_density {
            true => kernel::lattice_viscosity(scene.kernel(), h, spacing, dimensions),
            false => 1.0,
        };
        2.0 * (f64::from(dimensions) + 2.0) / laplacian
    })],
    arrays: &[&[
        // Velocities with the viscosity in w, those of boundary particles too, with their friction in w.
        vector("viscosity_x"),
        // b − K x; 1 in w of fluid, 0 of boundary particles. At the end the velocity before pressure, for viscosity/push.
        vector("viscosity_r"),
        // D⁻¹ r and the viscosity; 0 and the friction at boundary particles.
        vector("viscosity_u"),
        // The search direction.
        vector("viscosity_p"),
        // K p.
        vector("viscosity_s"),
        // K u.
        vector("viscosity_w"),
        // D⁻¹: xx, yy, zz, and the mass over that of the first material; yz, xz, xy.
        Row::new("viscosity_block", "array<vec4<f32>, 2>", PARTICLES),
        LAST,
        // Σ m v* and Σ m |v*|²; Σ m and the number of particles.
        Row::new("viscosity_sums", "array<vec4<f32>, 2>", PARTICLES.per(64)),
        // r·u, u·w, r·r.
        Row::new("viscosity_dots", "vec4<f32>", CLUSTER_GROUPS),
        // Resistance to each particle of a body, over m_0: xx, yy, zz; yz, xz, xy.
        Row::new("viscosity_grip", "array<vec4<f32>, 2>", WALLS),
        // Velocity and spin of a free body by an impulse and a twist.
        Row::new("viscosity_inverse", "array<vec4<f32>, 9>", COLLIDERS),
        // Impulse on each particle of a body, over m_0.
        Row::new("viscosity_reaction", "vec4<f32>", WALLS),
        // Change of a body's velocity and spin.
        Row::new("viscosity_answer", "array<vec4<f32>, 2>", COLLIDERS),
        // Its velocity and spin after viscosity.
        Row::new("viscosity_before", "array<vec4<f32>, 2>", COLLIDERS),
        // Its acceleration, and of its spin, by pressure and contacts in the last steps.
        Row::new("viscosity_body_push", "array<vec4<f32>, 2>", COLLIDERS).guess(),
        // α, β, r·u, scale of the residual.
        Row::new("viscosity_scalars", "vec4<f32>", ONE),
        Row::new("viscosity_residual", "f32", ONE),
    ]],
    passes: &[&[
        passes::each("viscosity/guess", PARTICLES),
        passes::each("viscosity/shear", MEMBERS),
        passes::each("viscosity/spread", PARTICLES),
        passes::single("viscosity/scale", ONE),
        passes::each("viscosity/begin", MEMBERS),
        passes::each("viscosity/apply", MEMBERS),
        passes::single("viscosity/total", ONE),
        passes::each("viscosity/step", FLUID),
        passes::each("viscosity/end", FLUID),
        passes::each("viscosity/push", PARTICLES),
        passes::each("viscosity/lean", FREE_BODY_PARTICLES),
        passes::each("viscosity/push_bodies", COLLIDERS),
        passes::each("viscosity/grip", BODY_PARTICLES),
        passes::each("viscosity/resist", BODY_LANES),
        passes::each("viscosity/press", BODY_PARTICLES),
        passes::each("viscosity/answer", BODY_LANES),
        passes::each("viscosity/carry", BODY_PARTICLES),
        passes::each("viscosity/react", BODY_PARTICLES),
    ]],
    quantities: &[Quantity::new(
        "viscous_acceleration",
        LAST,
        "xyz",
        "acceleration by viscosity in the last step",
    )
    .range(|scene| [0.0, 10.0 * scene.gravity.max(0.1)])],
    stages: &[
        (Place::Force, stages),
        (Place::Reaction, |_| vec![run("viscosity/react")]),
        (Place::End, keep),
    ],
    loops: &[Loop {
        name: "viscosity",
        tolerance: "max_error",
        least: "min_iterations",
        most: "max_iterations",
        warm_start: 0.0,
        shortens_step: false,
        energy: None,
    }],
    no_slip: Some(no_slip),
    wall_particles: true,
    // Their error is measured otherwise, so it is not taken over.
    peer: Some(Peer {
        object: "Weiler et al. 2018",
        keys: &[("viscoMaxIter", "max_iterations")],
        coefficient: Some(Coefficient {
            key: "viscosity",
            default: 0.01,
            kinematic: true,
            tension: None,
            at_walls: Some("viscosityBoundary"),
        }),
        ..Peer::new(6)
    }),
    problems: Some(problems),
    warnings: Some(warnings),
    ..Method::new("implicit", Axis::Viscosity)
};

/// Whether bodies move freely: they belong to the system.
fn has_free(scope: &Scope) -> bool {
    scope.driven < scope.colliders
}

/// What pressure, walls and contacts did in the last steps, for the next.
fn keep(scope: &Scope) -> Vec<Entry> {
    let bodies = has_free(scope).then(|| run("viscosity/push_bodies"));
    [run("viscosity/push")].into_iter().chain(bodies).collect()
}

fn stages(scope: &Scope) -> Vec<Entry> {
    let free = has_free(scope);
    let mut list: Vec<Entry> = free.then(|| run("viscosity/lean")).into_iter().collect();
    list.push(run("viscosity/guess"));
    if scope.chosen.models().iter().any(|model| !model.flow.is_empty()) {
        list.push(run(&scope.chosen.with_models("viscosity/shear")));
    }
    let by_x = || answer(free, "viscosity_x", "sorted_velocity").into_iter().map(Entry::from);
    if free {
        list.extend(["viscosity/grip", "viscosity/resist"].map(run));
    }
    list.extend(by_x());
    list.extend(["viscosity/spread", "viscosity/scale", "viscosity/begin"].map(run));
    // No velocity of a body's particle is in r.
    let by_u = answer(free, "viscosity_u", "viscosity_r");
    list.extend(gradients("viscosity", "viscosity", by_u, "viscosity/step", false, |stage| stage));
    list.extend(by_x());
    list.push(stage("viscosity/end").of_loop("viscosity").into());
    list
}

/// Velocities of free bodies' particles for those of the fluid in `vector`: bodies are no unknowns of the iterations, their
/// rows are solved for each field of the fluid.
fn answer(free: bool, vector: &str, own: &str) -> Vec<Stage> {
    let of = |pass: &str| stage(pass).with("viscosity_u", vector).with("own", own);
    match free {
        true => vec![of("viscosity/press"), stage("viscosity/answer"), of("viscosity/carry")],
        false => Vec::new(),
    }
}

/// Friction of a wall's particles with which the fluid at the wall moves with it.
fn no_slip(kernel: Kernel, h: f64, spacing: f64, dimensions: u32) -> f64 {
    kernel::no_slip_friction(kernel, h, spacing, dimensions, kernel::shear_drag)
}

fn problems(scene: &Scene, _: &Chosen) -> Vec<Problem> {
    let mut problems = Vec::new();
    let volume = |boundary: &Boundary| matches!(boundary.response, Some(Response::Volume { .. }));
    if let Some(number) = scene.boundaries.iter().position(volume) {
        let message = "walls with a volume have no viscosity of the model \"implicit\" yet: use response.particles";
        problems.push(Problem::new(format!("boundary[{number}].response"), message));
    }
    problems
}

fn warnings(scene: &Scene, chosen: &Chosen) -> Vec<String> {
    let radii = chosen.support_radius(scene) / scene.particle_radius;
    let few = format!(
        "viscosity.model = \"implicit\" with a support radius of {radii:.1} particle radii: so few neighbours give \
         two thirds to nine tenths of the viscosity; support_radius = {} gives 95 %",
        // Without the last digits of a product.
        (6e6 * scene.particle_radius).round() / 1e6
    );
    let mut found = if radii < 5.0 { vec![few] } else { Vec::new() };
    let is_slippery = |wall: &Boundary| match &wall.response {
        None => true,
        Some(Response::Particles { no_slip, friction }) => !no_slip && *friction == 0.0,
        Some(_) => false,
    };
    if super::thick(scene).next().is_some()
        && let Some(number) = scene.boundaries.iter().position(is_slippery)
    {
        found.push(format!(
            "boundary[{number}].response: a liquid this thick slides along it as on ice; response.particles = \
             {{ no_slip = true }} holds it"
        ));
    }
    let slips = |body: &Body| body.is_free() && body.drag == 0.0;
    if let Some(number) = scene.bodies.iter().position(slips) {
        found.push(format!(
            "body[{number}].drag: the liquid slips along it; drag = {HOLDS} takes it along"
        ));
    }
    found
}
