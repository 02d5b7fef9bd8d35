//! Options of `meniscus run`.

use std::path::PathBuf;

use clap::Args;
use meniscus_formats::{BodyFormat, CellFormat, MeshFormat, ParticleFormat};

use super::{Scene, SurfaceArguments, SurfaceFormat, frame_rate, named, quantities, surface};
use crate::run::Every;

/// Arguments of `meniscus run`.
#[derive(Debug, Args)]
#[command(after_help = RUN_EXAMPLES)]
pub(crate) struct Run {
    #[command(flatten)]
    pub(crate) scene: Scene,
    /// End time of the simulation, in s [default: the scene's].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) until: Option<f64>,
    /// Frames (particle files, log lines) per simulated second [default: the scene's].
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = frame_rate)]
    pub(crate) fps: Option<f64>,
    /// Output folder for particle and mesh files, created if needed [default: out].
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write the particles of every frame: particles_00000.ply (or .vtp, …), …
    ///
    /// The files contain id, position in m, velocity in m/s and density in kg/m³ of every fluid
    /// particle, and --particle-quantities. ParaView opens ply, vtk and csv, Houdini bgeo; particles.pvd lists
    /// those of vtk with their times.
    #[arg(long, value_name = "FORMAT", value_parser = named(ParticleFormat::ALL))]
    pub(crate) particles: Option<ParticleFormat>,
    /// Write foam, spray and bubbles of every frame: foam_00000.ply (or .vtp, …), …
    ///
    /// The files contain id, position in m, velocity in m/s, kind (0 spray, 1 foam, 2 bubble) and age in s of every
    /// particle; foam.pvd lists those of vtk. A scene without a table [foam] gets one.
    #[arg(long, value_name = "FORMAT", value_parser = named(ParticleFormat::ALL))]
    pub(crate) foam: Option<ParticleFormat>,
    /// Write the fields on the cells of a grid of every frame: cells_00000.vti (.vdb), …; cells.pvd lists those of vti with times.
    ///
    /// Of smoke: density, temperature in K above that of the surroundings, of fire fuel and flame (what burns in a second), velocity
    /// in m/s and pressure in Pa at the cells' centres; of liquids on a grid: cover (1 in liquid, 1/2 on its surface), velocity and
    /// pressure. ParaView opens vti; Blender and Houdini open vdb, which leaves out cells where there is next to nothing.
    #[arg(long, value_name = "vti|vdb", value_parser = named(CellFormat::ALL))]
    pub(crate) grid: Option<CellFormat>,
    /// Quantities to add to particle files, as in pressure,speed.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "particles")]
    #[arg(long_help = quantities("Quantities to add to particle files, as in pressure,speed."))]
    pub(crate) particle_quantities: Vec<String>,
    /// Write the rigid bodies of every frame: bodies_00000.csv (.json, .ply, …), …
    ///
    /// CSV and JSON contain name, position in m, quaternion (x, y, z, w), velocities in m/s and
    /// rad/s, and the fluid's force in N and torque in N m for every body of the scene; they place
    /// the meshes of --boundaries. PLY, OBJ and GLB contain those meshes already in place; in OBJ and GLB each is an
    /// object of the body's name.
    #[arg(long, value_name = "csv|json|ply|obj|glb", value_parser = named(BodyFormat::ALL))]
    pub(crate) bodies: Option<BodyFormat>,
    /// Write the fluid's surface of every frame as a mesh: surface_00000.ply (.obj, .glb), …
    ///
    /// Blender, MeshLab and ParaView open these files; surface.pvd lists those of vtk (.vtp) with their times. The mesh
    /// is closed: where the fluid touches a wall, the surface follows the wall. It has normals; --surface-velocity and
    /// --surface-speed add more. usd is one animated file, surface.usda, of the surface with velocities for motion blur,
    /// the bodies and the boundaries; it is written at the end and with each checkpoint.
    #[arg(long, value_name = "ply|obj|glb|vtk|usd", value_parser = surface::format())]
    pub(crate) surface: Option<SurfaceFormat>,
    /// Write the animation of --surface usd to this file, also beside files of another format: .usda is text, .usdc is binary, 0.4
    /// of its size, but cannot go on after --resume.
    #[arg(long, value_name = "FILE.usdc|FILE.usda")]
    pub(crate) usd: Option<PathBuf>,
    /// Leave the boundaries out of the animation of --surface usd. (Containers are in it with the purpose "guide", which
    /// programs show on demand only.)
    #[arg(long)]
    pub(crate) no_boundaries: bool,
    #[command(flatten)]
    pub(crate) surface_options: SurfaceArguments,
    /// Write the scene's solids once: boundaries.obj (.glb, .ply), body_1.obj, body_2.obj, …
    ///
    /// Boundaries are written at their initial places as objects of one file, bodies in their own axes relative to their
    /// centre of mass, numbered in the order of the scene as in the files of --bodies.
    #[arg(long, value_name = "ply|obj|glb|vtk", value_parser = named(MeshFormat::ALL))]
    pub(crate) boundaries: Option<MeshFormat>,
    /// Write one JSON object per frame: time, steps, energies, momenta, density error, …
    ///
    /// A new run replaces the file. A resumed run keeps the lines up to the frame of its checkpoint
    /// and appends to them.
    #[arg(long, value_name = "FILE.jsonl")]
    pub(crate) log: Option<PathBuf>,
    /// Quantities whose mean and maximum over the fluid (of smoke, over the cells) the log contains, as in pressure,speed.
    ///
    /// Their keys are pressure_mean, pressure_max, …; the names are those of --particle-quantities,
    /// except ids.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "log")]
    pub(crate) log_quantities: Vec<String>,
    /// Write the values of the scene's [[probe]]s, a line for each frame: time [s],gauge_1 [m], …
    ///
    /// The log has them, too. Where there is no fluid, a value is empty.
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) probes: Option<PathBuf>,
    /// When to write a line of --probes: frame, step, or a time in s.
    ///
    /// With a time, lines are at its multiples, with values between those of the steps before and after.
    #[arg(long, value_name = "frame|step|S", default_value = "frame", requires = "probes")]
    #[arg(value_parser = Every::parse)]
    pub(crate) probe_every: Every,
    /// Write the fluid's forces on bodies, and on boundaries with a name and response.particles, a line for each frame:
    /// time [s],NAME.mean_force_x [N], …
    ///
    /// Means are since the line before, by the impulse of all steps; force and torque are those of the last step. Torques in
    /// N m are about the centre of the solid. pressure is the part by pressure and by the surface, which stops fast
    /// particles; friction the rest, by viscosity and tension.
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) forces: Option<PathBuf>,
    /// When to write a line of --forces: frame, step, or a time in s, as for the peak of an impact.
    #[arg(long, value_name = "frame|step|S", default_value = "frame", requires = "forces")]
    #[arg(value_parser = Every::parse)]
    pub(crate) forces_every: Every,
    /// Write checkpoints to this file, from which --resume continues.
    ///
    /// Ctrl-C ends any run after the frame that it is in, with a checkpoint if it has one; a second one at once.
    ///
    /// The file is replaced atomically, so it is valid at any time, even after a power failure.
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Number of frames between checkpoints; the last frame also writes one.
    #[arg(long, value_name = "FRAMES", default_value_t = 60, requires = "checkpoint")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) every: u32,
    /// Resume from a checkpoint; on the same device the results are bit-identical to an
    /// uninterrupted run.
    ///
    /// The scene must be the one that wrote the checkpoint, with the same solver, frame rate and
    /// --set keys. Only --until may differ.
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    /// Resume with other values of keys than the checkpoint was written with, as a material's viscosity or gravity.
    ///
    /// What is there stays as it is; the numbers of particles and bodies must be the same.
    #[arg(long, requires = "resume")]
    pub(crate) allow_changes: bool,
    /// Print only warnings and errors, neither progress nor a summary.
    #[arg(long)]
    pub(crate) quiet: bool,
}

impl Run {
    /// Whether it writes files to its folder.
    pub(crate) fn has_files(&self) -> bool {
        self.particles.is_some()
            || self.foam.is_some()
            || self.grid.is_some()
            || self.surface.is_some()
            || self.bodies.is_some()
            || self.boundaries.is_some()
    }

    /// Whether it writes anything.
    pub(crate) fn has_outputs(&self) -> bool {
        self.has_files()
            || self.usd.is_some()
            || self.log.is_some()
            || self.probes.is_some()
            || self.forces.is_some()
            || self.checkpoint.is_some()
    }
}

const RUN_EXAMPLES: &str = "\
Examples:
  One second of the dam break, for ParaView, with a log:
    meniscus run dam_break --until 1 --out out --particles vtk --log out/log.jsonl
  The same with fewer particles and frames:
    meniscus run dam_break --set particle_radius=0.03 --fps 30 --particles vtk
  The surface for Blender, with the speed as vertex colour:
    meniscus run dam_break --set particle_radius=0.03 --surface ply --surface-speed
  A long run in two parts:
    meniscus run pour --until 2 --checkpoint pour.checkpoint --log pour.jsonl
    meniscus run pour --until 4 --resume pour.checkpoint --log pour.jsonl
  A scene of SPlisHSPlasH:
    meniscus run DamBreakModel.json --solver iisph --until 1 --particles ply";
