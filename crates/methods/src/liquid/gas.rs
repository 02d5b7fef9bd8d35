//! Kang, Fedkiw, Liu 2000: gas around a liquid with a level set, both incompressible.
//!
//! One pressure makes one field of both phases free of divergence, with the density of each face and with the jump by surface tension. Then
//! each phase has a field of its own, which goes on straight beyond the surface, and which carries itself (Boyd, Bridson 2012): by one
//! field for both, gas a thousand times lighter would take the liquid's momentum away. Both carry the level set, each on its side.

use meniscus_scene::{Problem, Scene};

use super::{SURFACE, has_level_set};
use crate::{
    Axis, Chosen, Key, Method, Number,
    arrays::Row,
    grid::faces::layers,
    lists::gradients::gradients,
    passes,
    space::{BUSY_CELLS, CELLS},
    stage::{Entry, Stage, run, stage},
};

/// Key that switches it on; a scene's table `[gas]` sets it.
pub const SWITCH: &str = "gas.enabled";

/// Most lightness of the gas: beyond it rounding of its pressure shows.
const MOST_LIGHTNESS: f64 = 2000.0;

/// Layers of faces beyond the gas's own that have its field.
const LAYERS: u32 = 4;

/// Gas around the liquid.
pub const METHOD: Method = Method {
    source: "Kang, Fedkiw, Liu 2000; Boyd, Bridson 2012",
    help: "gas around the liquid of a level set, incompressible as well: bubbles, and air that has to go somewhere",
    keys: &[&[
        Key::flag("enabled", "Whether there is gas; the table alone switches it on.").at_start(),
        Key::number("density", [Key::POSITIVE, 1e5], 1.2, "Density of the gas.").unit("kg/m³"),
        Key::number(
            "viscosity",
            [0.0, 1e6],
            1.8e-5,
            "Viscosity μ of the gas, which acts where the liquid has one.",
        )
        .unit("Pa s"),
    ]],
    numbers: &[
        Number::new("lightness", "ρ_l/ρ_g; 0 without gas", |context| {
            let liquid = context.scene.materials.first().map_or(0.0, |water| water.rest_density);
            if acts(context.chosen) { liquid / context.number("gas.density") } else { 0.0 }
        }),
        Number::new("thickness", "μ_g/μ_l; 0 if the liquid has no viscosity", |context| {
            let liquid = context.scene.materials.first().and_then(|water| water.viscosity);
            match liquid.filter(|liquid| acts(context.chosen) && *liquid > 0.0) {
                Some(liquid) => context.number("gas.viscosity") / liquid,
                None => 0.0,
            }
        }),
    ],
    arrays: &[&[
        // Lightness of the lower faces, and the sum of 1, 2, 4 for those in liquid; then the jumps of P in m²/s.
        Row::new("gas_faces", "array<vec4<f32>, 2>", CELLS),
        // Velocities in m/s of the gas, as `face`: two, of which each pass reads one and writes the other.
        Row::new("gas_face", "vec4<f32>", CELLS),
        Row::new("gas_other", "vec4<f32>", CELLS),
        // From which the next step starts.
        Row::new("gas_carried", "vec4<f32>", CELLS).persistent(),
        // Acceleration in m/s² by pressure at the lower faces in the last step.
        Row::new("gas_push", "vec4<f32>", CELLS).persistent(),
        // Viscosities, totals and densities of its equation (gas/links).
        Row::new("gas_links", "array<vec4<f32>, 3>", CELLS),
    ]],
    passes: &[&[
        passes::each("gas/blend", BUSY_CELLS),
        passes::each("gas/faces", BUSY_CELLS),
        passes::each("gas/system", BUSY_CELLS),
        passes::each("gas/jump", BUSY_CELLS),
        passes::each("gas/project", CELLS),
        passes::each("gas/both", BUSY_CELLS),
        passes::each("gas/near", BUSY_CELLS),
        passes::each("gas/links", CELLS),
        passes::each("gas/ahead", BUSY_CELLS),
        passes::each("gas/start", BUSY_CELLS),
        passes::each("gas/apply", BUSY_CELLS),
        passes::each("gas/step", CELLS),
        passes::each("gas/restore", BUSY_CELLS),
    ]],
    problems: Some(problems),
    ..Method::new("gas", Axis::Gas)
};

/// Whether the scene has gas.
pub(crate) fn acts(chosen: &Chosen) -> bool {
    chosen.methods().any(|method| method.axis == Axis::Gas)
}

/// The stage with the field of the gas in place of the liquid's.
pub(super) fn of_gas(stage: Stage) -> Stage {
    stage.with("face", "gas_face")
}

/// Stages that project both phases, and make the gas's field beyond the surface.
pub(super) fn project() -> Vec<Entry> {
    let mut list = vec![run("gas/project")];
    list.extend(layers(LAYERS, "gas_other", "gas_face").map(Entry::from));
    list.push(of_gas(stage("grid/constrain")).with("face_other", "gas_other").into());
    list.push(of_gas(stage("grid/limits")).into());
    list
}

/// Viscosity of both phases, of the field in `face`.
pub(super) fn viscosity() -> Vec<Entry> {
    let mut list = ["gas/links", "gas/ahead", "gas/start", "diffusion/scale"].map(run).to_vec();
    let own = |of: Stage| if of.pass == "diffusion/apply" { stage("gas/apply") } else { of };
    list.extend(gradients("viscosity", "diffusion", Vec::new(), "gas/step", false, own));
    list.push(run("gas/restore"));
    list
}

/// Problems of a scene with gas.
fn problems(scene: &Scene, chosen: &Chosen) -> Vec<Problem> {
    let problem = |key: &str, message: String| vec![Problem::new(key, message)];
    if !has_level_set(chosen) {
        let message =
            format!("must be left out: gas is around a liquid with {SURFACE} = \"levelset\" alone");
        return problem(SWITCH, message);
    }
    let liquid = scene.materials.first().map_or(0.0, |water| water.rest_density);
    let gas = scene.settings.get("gas.density").and_then(meniscus_scene::Value::number);
    let least = liquid / MOST_LIGHTNESS;
    if gas.is_some_and(|gas| gas < least) {
        return problem(
            "gas.density",
            format!("must be at least 1/{MOST_LIGHTNESS} of the liquid's, {least} kg/m³"),
        );
    }
    Vec::new()
}
