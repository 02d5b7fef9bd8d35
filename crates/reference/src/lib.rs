//! The CPU twin of every WGSL pass of meniscus, in f64 and by brute force.
//!
//! A pass `wgsl/sph/density.wgsl` has its twin in `sph.rs`, listed in [`PASSES`] under the pass's
//! name. The conformance tests give both sides the same bits and compare their output. So a twin
//! follows the paper's formula, not the shader: neighbours are found by testing every pair, kernel
//! constants are computed here, and simplicity is preferred to speed. Only integers that must be
//! exact (grid cells, the clock's end of step) are computed in f32.
//!
//! This crate must not depend on wgpu, shaders, files or the host; it shares with the product only
//! the structs of `meniscus-model` that both sides read. The product must not depend on it.

mod body;
mod check;
mod conjugate;
mod contacts;
mod dfsph;
mod diagnostics;
mod diffusion;
mod emit;
mod faces;
mod field;
mod foam;
mod grid;
mod held;
mod incompressible;
mod integrate;
pub mod interpret;
pub mod kernels;
mod levelset;
mod liquid;
mod materials;
mod mpm;
mod muller;
mod multigrid;
mod neighbours;
mod pairs;
mod pcisph;
mod poisson;
mod reduce;
mod repeat;
mod scene;
mod smoke;
mod solid;
mod sort;
mod space;
mod sph;
mod storage;
mod surface;
mod tension;
mod terms;
mod time;
mod twins;
mod viscosity;
mod volume;
mod wcsph;
mod world;

pub use diagnostics::BLOCKS as DIAGNOSTICS_BLOCKS;
pub use interpret::{Interpreter, Perform, Walk};
pub use materials::{MATERIALS, Material, Response, Strain};
pub use mpm::{Singular, singular};
pub use pairs::Pair;
pub use reduce::BLOCK as REDUCE_BLOCK;
pub use scene::Replica;
pub use storage::{Array, Storage, Values};
pub use terms::{TERMS, Term};
pub use twins::{Twin, Twins, run};
pub use world::{StageNumbers, World};

/// All twins by the names of their passes.
pub const PASSES: &[(&str, Twin)] = &[
    ("time/begin_frame", time::begin_frame),
    ("time/begin_step", time::begin_step),
    ("time/end_step", time::end_step),
    ("emit/plan", emit::plan),
    ("emit/points", emit::points),
    ("emit/clear", emit::clear),
    ("emit/drain", emit::drain),
    ("emit/drive", emit::drive),
    ("emit/hold", emit::hold),
    ("body/begin", body::begin),
    ("body/place", body::place),
    ("body/stop", body::stop),
    ("solid/stop", solid::sum_stops),
    ("body/fall", body::fall),
    ("body/fields", body::fields),
    ("body/react", body::react),
    ("body/press", body::press),
    ("body/kick", body::kick),
    ("body/carry", body::carry),
    ("body/near", contacts::near),
    ("body/contact", contacts::contact),
    ("body/partners", contacts::partners),
    ("body/impulse", contacts::impulse),
    ("body/apply", contacts::apply),
    ("body/touch", contacts::touch),
    ("body/end", body::end),
    ("integrate/drift", integrate::drift),
    ("integrate/settle", integrate::settle),
    ("integrate/fields", integrate::fields),
    ("integrate/kick_drift", integrate::kick_drift),
    ("sort/count", sort::count),
    ("sort/bin", sort::bin),
    ("sort/rank", sort::rank),
    ("sort/live", sort::live),
    ("sort/reorder", sort::reorder),
    ("reduce/clear", reduce::clear),
    ("reduce/sum", reduce::sum),
    ("reduce/scan", reduce::scan),
    ("solid/volume", volume::volume),
    ("neighbours/rows", neighbours::rows),
    ("neighbours/count", neighbours::count),
    ("neighbours/room", neighbours::room),
    ("neighbours/list", neighbours::list),
    ("sph/density", sph::density),
    ("tension/normals", tension::normals),
    ("tension/class", tension::class),
    ("tension/near", tension::near),
    ("tension/akinci_normals", tension::akinci_normals),
    ("levelset/mark", levelset::mark),
    ("levelset/touch", levelset::touch),
    ("levelset/list", levelset::list),
    ("levelset/field", levelset::field),
    ("levelset/solid", levelset::solid),
    ("levelset/fill", levelset::fill),
    ("tension/correct", tension::correct),
    ("tension/correct_excess", tension::correct_excess),
    ("tension/correct_fill", tension::correct_fill),
    ("tension/restore", tension::restore),
    ("muller/pressure", muller::pressure),
    ("wcsph/pressure", wcsph::pressure),
    ("wcsph/continuity", wcsph::continuity),
    ("sph/forces", terms::forces),
    ("integrate/kick", integrate::kick),
    ("integrate/advance", integrate::advance),
    ("sph/factor", incompressible::factor),
    ("sph/warm", incompressible::warm),
    ("sph/push", incompressible::push),
    ("sph/compression", incompressible::compression),
    ("pcisph/compression", pcisph::compression),
    ("pcisph/compression_filled", pcisph::compression_filled),
    ("dfsph/divergence", dfsph::divergence),
    ("loop/residual", incompressible::residual),
    ("sph/correct", incompressible::correct),
    ("sph/keep", incompressible::keep),
    ("sph/stiffness", incompressible::stiffness),
    ("pressure/warm", conjugate::warm),
    ("pressure/push", conjugate::push),
    ("pressure/press", conjugate::press),
    ("pressure/answer", conjugate::answer),
    ("pressure/carry", conjugate::carry),
    ("pressure/begin", conjugate::begin),
    ("pressure/scale", conjugate::scale),
    ("pressure/step", conjugate::step),
    ("pressure/turn", conjugate::turn),
    ("pressure/apply", conjugate::apply),
    ("pressure/total", conjugate::total),
    ("pressure/end", conjugate::end),
    ("pressure/cells", conjugate::cells),
    ("pressure/faces", multigrid::faces),
    ("pressure/coarsen", multigrid::coarsen_screened),
    ("pressure/restrict", conjugate::restrict),
    ("pressure/spread", conjugate::spread),
    ("foam/begin", foam::begin),
    ("foam/potential", foam::potential),
    ("foam/rate", foam::rate),
    ("foam/count", foam::count),
    ("foam/room", foam::room),
    ("foam/birth", foam::birth),
    ("foam/sample", foam::sample),
    ("foam/walls", foam::free_of_walls),
    ("foam/move", foam::moves),
    ("foam/collide", foam::collide),
    ("foam/pack", foam::pack),
    ("foam/end", foam::end),
    ("foam/tally", foam::tally),
    ("viscosity/guess", viscosity::guess),
    ("viscosity/spread", viscosity::spread),
    ("viscosity/scale", viscosity::scale),
    ("viscosity/begin", viscosity::begin),
    ("viscosity/apply", viscosity::apply),
    ("viscosity/total", viscosity::total),
    ("viscosity/step", viscosity::step),
    ("viscosity/end", viscosity::end),
    ("viscosity/react", viscosity::react),
    ("grid/leave", grid::leave),
    ("grid/crowd", grid::crowd),
    ("grid/busy", grid::busy),
    ("grid/list", grid::list),
    ("grid/solid", faces::solid),
    ("grid/fractions", faces::fractions),
    ("liquid/clear", liquid::clear),
    ("liquid/cover", liquid::cover),
    ("poisson/wet", grid::wet),
    ("grid/force", faces::force),
    ("grid/project", faces::project),
    ("grid/extrapolate", faces::extrapolate),
    ("grid/constrain", faces::constrain),
    ("grid/limits", faces::limits),
    ("apic/carry", liquid::carry),
    ("polypic/carry", liquid::carry_terms),
    ("liquid/gather", liquid::gather),
    ("apic/gather", liquid::gather_affine),
    ("polypic/gather", liquid::gather_terms),
    ("poisson/system", poisson::system),
    ("poisson/divergence", poisson::divergence),
    ("poisson/warm", poisson::warm),
    ("poisson/mean", poisson::mean),
    ("poisson/start", poisson::start),
    ("poisson/apply", poisson::apply),
    ("poisson/total", poisson::total),
    ("poisson/step", poisson::step),
    ("multigrid/coarsen", multigrid::coarsen),
    ("multigrid/down", multigrid::down),
    ("multigrid/bottom", multigrid::bottom),
    ("multigrid/up", multigrid::up),
    ("multigrid/finish", multigrid::finish),
    ("multigrid/step", poisson::advance),
    ("liquid/update", liquid::update),
    ("eulerian/gather", liquid::gather_carried),
    ("eulerian/advect", liquid::advect),
    ("flip/keep", liquid::keep),
    ("flip/update", liquid::update_by_change),
    ("apic/update", liquid::update_affine),
    ("polypic/update", liquid::update_terms),
    ("liquid/excess", poisson::excess),
    ("liquid/pour", poisson::pour),
    ("liquid/shift", liquid::shift),
    ("liquid/move", liquid::moves),
    ("liquid/push", liquid::push),
    ("grid/all", grid::all),
    ("smoke/vortex", smoke::vortex),
    ("smoke/source", smoke::source),
    ("smoke/vorticity", smoke::vorticity),
    ("smoke/confine", smoke::confine),
    ("smoke/force", smoke::force),
    ("smoke/advect_velocity", smoke::advect_velocity),
    ("smoke/advect", smoke::advect),
    ("smoke/correct_velocity", smoke::correct_velocity),
    ("smoke/correct", smoke::correct),
    ("smoke/system", smoke::system),
    ("smoke/reflect", smoke::reflect),
    ("smoke/limits", smoke::limits),
    ("smoke/partial", diagnostics::cells),
    ("diffusion/faces", diffusion::faces),
    ("diffusion/cells", diffusion::centres),
    ("diffusion/start", diffusion::start),
    ("diffusion/add", diffusion::add),
    ("diffusion/scale", diffusion::scale),
    ("diffusion/apply", diffusion::apply),
    ("diffusion/total", diffusion::total),
    ("diffusion/step", diffusion::step),
    ("mpm/carry", mpm::carry),
    ("mls_mpm/point", mpm::point),
    ("mls_mpm/gather", mpm::gather),
    ("mpm/walls", held::walls),
    ("mpm/approach", held::approach),
    ("mpm/contact", held::release),
    ("mpm/weigh", held::weigh),
    ("mpm/move", held::moves),
    ("mpm/spread", held::spread),
    ("mpm/press", held::press),
    ("mpm/receive", held::receive),
    ("mls_mpm/update", mpm::update),
    ("classic_mpm/point", mpm::point_classic),
    ("classic_mpm/gather", mpm::gather_classic),
    ("classic_mpm/keep", mpm::keep),
    ("classic_mpm/update", mpm::update_classic),
    ("mpm/deform", mpm::deform),
    ("solid/collide", solid::collide),
    ("check/limits", check::limits),
    ("diagnostics/partial", diagnostics::partial),
    ("diagnostics/total", diagnostics::total),
    ("loop/begin", repeat::begin),
    ("loop/test", repeat::test),
    ("loop/end", repeat::end),
    ("surface/volume", surface::volume),
    ("surface/mark", surface::mark),
    ("surface/touch", surface::touch),
    ("surface/list", surface::list),
    ("surface/shape", surface::shape),
    ("surface/field", surface::field),
    ("surface/field_anisotropic", surface::field_anisotropic),
    ("surface/classify", surface::classify),
    ("surface/cut", surface::cut),
    ("surface/draw", surface::draw),
    ("surface/cut_list", surface::cut_list),
    ("surface/vertices", surface::vertices),
    ("surface/indices", surface::indices),
    ("surface/ring", surface::ring),
    ("surface/smooth", surface::smooth),
    ("surface/velocity", surface::velocity),
    ("surface/splat", surface::splat),
    ("solid/bake", field::bake),
    ("solid/flood", field::flood),
];
