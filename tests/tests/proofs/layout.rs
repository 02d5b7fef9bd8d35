//! What can be proven of shaders without a driver.

use std::{collections::BTreeMap, fs, process::Command};

use encase::ShaderType;
use meniscus::shaders::{Composed, Reflection, Shaders};
use meniscus_model::{Control, Params, control::LoopReport, params};

/// Every pass as it is composed, with and without subgroup operations; the walk that sums forces with every term
/// alone and with all of them.
fn composed() -> Vec<Composed> {
    let shaders = Shaders::embedded();
    let terms: Vec<_> = shaders.terms().collect();
    let alone = terms.iter().map(|term| format!("sph/forces+{term}"));
    let all = format!("sph/forces+{}", terms.join("+"));
    let passes = shaders.passes().map(str::to_owned).chain(alone).chain([all]);
    let both = passes.flat_map(|pass| {
        [false, true].map(|subgroups| shaders.compose(&pass, subgroups).expect("it composes"))
    });
    both.collect()
}

#[test]
fn every_pass_parses_and_binds_at_most_8_storage_buffers() {
    for shader in composed() {
        let module = shader.parse().unwrap_or_else(|error| panic!("{error}"));
        let reflection = Reflection::of(&shader, &module).unwrap_or_else(|error| panic!("{error}"));
        assert!(reflection.storage_buffers() <= 8, "{} binds too many buffers", shader.name);
        assert!(reflection.workgroup_size <= 256, "{}", shader.name);
    }
}

#[test]
fn subgroup_variants_exist_and_the_plain_ones_need_no_feature() {
    let shaders = Shaders::embedded();
    for pass in ["sph/density", "sph/forces"] {
        assert!(shaders.compose(pass, true).unwrap().needs_subgroups());
    }
    for pass in shaders.passes() {
        assert!(!shaders.compose(pass, false).unwrap().needs_subgroups(), "{pass}");
    }
}

#[test]
fn every_pass_passes_tint_where_it_is_installed() {
    if Command::new("tint").arg("--help").output().is_err() {
        eprintln!("SKIPPED: tint is not on the PATH");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for shader in composed() {
        let file = folder.path().join("shader.wgsl");
        fs::write(&file, shader.for_browser()).unwrap();
        // (`--format none` would do, but not every build of Tint has it.)
        let arguments = ["--format", "wgsl", "--output-name"];
        let written = folder.path().join("written.wgsl");
        let output = Command::new("tint").args(arguments).arg(written).arg(&file).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}:\n{said}", shader.name);
    }
}

/// The offset of each member of each struct, by name.
fn offsets(module: &naga::Module) -> BTreeMap<String, BTreeMap<String, u32>> {
    let mut all = BTreeMap::new();
    for (_, ty) in module.types.iter() {
        if let (Some(name), naga::TypeInner::Struct { members, span }) = (&ty.name, &ty.inner) {
            let mut fields: BTreeMap<_, _> =
                members.iter().map(|m| (m.name.clone().unwrap_or_default(), m.offset)).collect();
            fields.insert("(size)".into(), *span);
            all.insert(name.clone(), fields);
        }
    }
    all
}

/// Finds where encase puts each field: writes the struct with one field changed, and looks where
/// the bytes differ.
macro_rules! rust_offsets {
    ($value:expr, $($field:ident: $other:expr),+ $(,)?) => {{
        let base = $value;
        let mut fields = BTreeMap::new();
        $({
            let mut changed = base.clone();
            changed.$field = $other;
            let (a, b) = (bytes(&base), bytes(&changed));
            let at = (0..a.len()).find(|i| a[*i] != b[*i]);
            let at = at.unwrap_or_else(|| panic!("{} does not show", stringify!($field)));
            // The first byte that differs may be inside the scalar, never inside the one before.
            fields.insert(stringify!($field).to_owned(), at as u32 / 4 * 4);
        })+
        fields.insert("(size)".to_owned(), bytes(&base).len() as u32);
        fields
    }};
}

fn bytes<T: ShaderType + encase::internal::WriteInto>(value: &T) -> Vec<u8> {
    let mut buffer = encase::StorageBuffer::new(Vec::new());
    buffer.write(value).unwrap();
    buffer.into_inner()
}

fn shader_offsets(pass: &str) -> BTreeMap<String, BTreeMap<String, u32>> {
    let composed = Shaders::embedded().compose(pass, false).unwrap();
    offsets(&composed.parse().unwrap())
}

const ONE: glam::Vec3 = glam::Vec3::ONE;
const U: u32 = u32::MAX;

#[test]
fn control_lies_the_same_in_rust_and_in_both_shader_forms() {
    let mut zero = Control::start(0);
    (zero.resume_hi, zero.failure_id) = (0, 0);
    let rust = rust_offsets!(zero,
        frame: U, step: U, steps_in_frame: U, frame_done: U, time_in_frame: -1.0, dt: -1.0,
        particle_count: U, next_id: U, primed: U, iteration: U, converged: U,
        iterations_in_frame: U, residual: -1.0, resume_lo: U, resume_hi: U, failure: U,
        failure_id: U, max_speed_bits: U, max_acceleration_bits: U, pending_failure: U,
        neighbours: U, step_share: -1.0, longest_dt: -1.0,
        loops: [LoopReport { iterations: U, ..LoopReport::default() }; 4],
        most_iterations: glam::UVec4::splat(U),
    );
    let report = rust_offsets!(LoopReport::default(),
        iterations: U, exhausted: U, residual_sum: -1.0, residual_max: -1.0,
    );
    for pass in ["sph/density", "time/end_step"] {
        assert_eq!(rust, shader_offsets(pass)["Control"], "{pass}");
        assert_eq!(report, shader_offsets(pass)["LoopReport"], "{pass}");
    }
}

#[test]
fn params_and_what_they_hold_lie_the_same_in_rust_and_in_shaders() {
    let shader = shader_offsets("sph/forces");
    let setup = conformance::fixture::start(conformance::fixture::Kind::of(8));
    let mut zero: Params = setup.params;
    let huge = glam::UVec3::splat(U);
    let materials = [params::Material { mass: -1.0, ..zero.materials[0] }; params::MAX_MATERIALS];
    let field = params::ForceField { center: -7.0 * ONE, ..zero.force_fields[0] };
    let mut fields = zero.force_fields;
    fields[0] = field;
    let mut loops = zero.loops;
    loops[0].min_iterations = U;
    zero.loops[0].min_iterations = 0;
    let pull = params::Pull { arm: -7.0 * ONE, ..zero.pull };
    let far = -77.0 * ONE;
    let rust = rust_offsets!(zero,
        gravity: far, dimensions: U, grid_origin: far, support_radius: -1.0, inverse_cell: far,
        particle_radius: -1.0, grid_size: huge, cell_count: U, period: far, z_reach: -9,
        inverse_period: far, support_radius_squared: -1.0, poly6: -1.0, spiky_gradient: -1.0,
        viscosity_laplacian: -1.0, density_calibration: -1.0,
        gradient_calibration: -1.0, clamp_pressure: U, kernel: U,
        kernel_constant: -1.0, gamma: -1.0, pcisph_factor: -1.0, alpha: -1.0, xsph: -1.0, body_depth: -1.0, first_body: U, expected_speed: -1.0, viscosity_calibration: -1.0,
        surface_threshold: -1.0, mixed_viscosity: U, force_field_count: U, relaxation: -1.0, frame_duration: -1.0,
        fixed_step: -1.0, max_step: -1.0, min_step: -1.0, cfl: -1.0, sound_speed: -1.0,
        min_speed: -1.0, collider_count: U, emitter_count: U, emitter_point_count: U,
        drain_count: U, capacity: U, first_wall: U, wall_count: U, driven_count: U,
        first_drift: -1.0, pull: pull, loops: loops, force_fields: fields, materials: materials,
    );
    assert_eq!(rust, shader["Params"]);
    let rust = rust_offsets!(params::Material::default(),
        mass: 1.0, rest_density: 1.0, rest_volume: 1.0, viscosity: 1.0, surface_tension: 1.0,
        stiffness: 1.0, reserved: 1.0, reserved_2: 1.0,
    );
    assert_eq!(rust, shader["Material"]);
    let rust = rust_offsets!(params::Loop::default(),
        min_iterations: 1, max_iterations: 1, tolerance: 1.0, warm_start: 1.0,
    );
    assert_eq!(rust, shader["Loop"]);
    let rust = rust_offsets!(params::ForceField::default(),
        center: ONE, kind: 1, direction: ONE, strength: 1.0, radius: 1.0,
    );
    assert_eq!(rust, shader["ForceField"]);
    let rust = rust_offsets!(params::Pull::default(),
        arm: ONE, body: 1, goal: ONE, rate: 1.0, reach: 1.0,
    );
    assert_eq!(rust, shader["Pull"]);
}

#[test]
fn colliders_and_emitters_lie_the_same_in_rust_and_in_shaders() {
    let rust = rust_offsets!(params::Collider::default(),
        position: ONE, shape: 1, half_extents: ONE, radius: 1.0, rotation: glam::Vec4::ONE,
        velocity: ONE, inside: 1, restitution: 1.0, friction: 1.0, response: 1, closed: 1,
        stiffness: 1.0, damping: 1.0, first_particle: 1, particle_count: 1, angular_velocity: ONE,
        inverse_mass: 1.0, inverse_inertia: ONE, field: 1,
    );
    assert_eq!(rust, shader_offsets("solid/collide")["Collider"]);
    let rust = rust_offsets!(params::Emitter::default(),
        velocity: ONE, first_point: 1, point_count: 1, identity: 1, max_layers: 1, max_live: 1, interval: 1.0,
        start: 1.0, end: 1.0,
    );
    assert_eq!(rust, shader_offsets("emit/points")["Emitter"]);
    let shader = shader_offsets("solid/bake");
    let rust = rust_offsets!(params::DistanceField::default(),
        half_extents: ONE, cell: 1.0, nodes: glam::UVec3::ONE, first: 1, low: glam::UVec3::ONE,
        band: 1.0, size: glam::UVec3::ONE, half_thickness: 1.0, box_count: 1,
    );
    assert_eq!(rust, shader["DistanceField"]);
    let rust = rust_offsets!(params::FieldBox::default(), low: ONE, past: 1, high: ONE, leaf: 1);
    assert_eq!(rust, shader["FieldBox"]);
    let rust =
        rust_offsets!(params::FieldTriangle::default(), corners: [ONE; 3], normals: [ONE; 7]);
    assert_eq!(rust, shader["FieldTriangle"]);
}
