// Tangents of the particles' stress at the start of a step, in cell order; 0 of models that have none, whose stress stays as
// it is during the step. Viscous stress is that of the step's end: what it is at the start is taken from the stress, and
// 2 J η dev D + J ζ tr D 1 of the velocities at the end is (1/Δt times that) of the displacement.
//!include common/control
//!include common/strain
//!include common/tangent
//!materials

//!read order sorted_identity sorted_deformation affine
//!write tangent stress

// In s: a step of 0 has no rate.
const SHORTEST = 1e-9;

fn tangent_of(material: MaterialParams, start: Start) -> Tangent {
    var found: Tangent;
    //!each if (material.model == model_TERM) { found = TERM_tangent(material, start); }
    return found;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s) || kind_of(sorted_identity[s]) == KIND_BOUNDARY) { return; }
    let rows = sorted_deformation[s];
    let f = ONE + transpose(mat3x3<f32>(rows[0].xyz, rows[1].xyz, rows[2].xyz));
    let state = vec3<f32>(rows[0].w, rows[1].w, rows[2].w);
    let i = order[s];
    let c = transpose(mat3x3<f32>(affine[i][0].xyz, affine[i][1].xyz, affine[i][2].xyz));
    var own = tangent_of(material_of(sorted_identity[s]), Start(f, state, c));
    if (own.shear_viscosity + own.bulk_viscosity > 0.0) {
        // λ and G of a solid that are as stiff in a step, in Pa s.
        let shear = own.shear_viscosity;
        let bulk = own.bulk_viscosity - 2.0 / f32(params.world.dimensions) * shear;
        let per_step = 1.0 / max(control.dt, SHORTEST);
        // Without what 2-D has not.
        let deep = select(0.0, 1.0, params.world.dimensions == 3u);
        own.diagonal = vec3<f32>(1.0, 1.0, deep) * (own.diagonal + (bulk + 2.0 * shear) * per_step);
        own.mixed = vec3<f32>(deep, deep, 1.0) * (own.mixed + bulk * per_step);
        own.first += shear * per_step;
        own.second += shear * per_step;
        own.cross += shear * per_step;
        own.modulus += (bulk + 4.0 * shear) * per_step / 3.0;
        let before = stress[i];
        let trace = bulk * (c[0].x + c[1].y + c[2].z);
        let along = vec3<f32>(1.0, 1.0, deep) * (vec3<f32>(trace) + 2.0 * shear * vec3<f32>(c[0].x, c[1].y, c[2].z));
        let off = shear * vec3<f32>(c[1].z + c[2].y, c[0].z + c[2].x, c[0].y + c[1].x);
        stress[i] = array<vec4<f32>, 2>(vec4<f32>(before[0].xyz - along, before[0].w), vec4<f32>(before[1].xyz - off, before[1].w));
    }
    tangent[s] = tangent_rows(own);
}
