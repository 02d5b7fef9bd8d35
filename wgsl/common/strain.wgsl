// What a model of material points gets and gives. A model is a file wgsl/materials/NAME.wgsl with
//   fn NAME_respond(material: MaterialParams, strain: Strain) -> Response
// its numbers are those of NAME_numbers(material). Matrices are kept as F − 1, so that what is 0 is not deformed.
//!include common/params
//!include shared/models

const ONE = mat3x3<f32>(vec3<f32>(1.0, 0.0, 0.0), vec3<f32>(0.0, 1.0, 0.0), vec3<f32>(0.0, 0.0, 1.0));

struct Strain {
    // ∇v in 1/s.
    gradient: mat3x3<f32>,
    // F' = (1 + Δt ∇v) F, and the columns of F'ᵀ − 1, which have its small digits.
    f: mat3x3<f32>,
    rows: mat3x3<f32>,
    // State of the model: the w lanes of the deformation's rows.
    state: vec3<f32>,
    // Δt in s.
    dt: f32,
    // Time at the step's end in s.
    time: f32,
    // Of all particles around, by the grid, in kg/m³.
    density: f32,
}

struct Response {
    // Columns of Fᵀ − 1 after the return mapping.
    rows: mat3x3<f32>,
    // Kirchhoff stress τ = P Fᵀ in Pa.
    tau: mat3x3<f32>,
    // J.
    volume: f32,
    // Elastic energy per rest volume in J/m³.
    energy: f32,
    // Speed of sound in m/s.
    sound: f32,
    state: vec3<f32>,
}
