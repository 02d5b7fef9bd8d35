//! What a scene must satisfy before anything is built from it.
//!
//! Every number is bounded so that what the GPU makes of it in 32-bit floats stays finite.

use glam::DVec3;
use meniscus_geometry::{
    MeshShape, Mouth, Packing, Problem, Rotation, Shape, Side, Vec3, filled, sample,
};

use crate::bodies::body_depth;
use crate::scene::{
    Body, Boundary, Emitter, Fluid, Force, MAX_FORCE_FIELDS, MAX_MATERIALS, Motion, Response,
    Scene, Turn,
};

/// Most particles of a scene, those that emitters may add included.
pub const MAX_PARTICLES: u32 = 64_000_000;

/// Numbers larger than this, or positive ones below its inverse, are refused.
const LARGEST: f64 = 1e12;
/// Support radii in m for which kernel constants (h⁻⁹, in 2-D h⁻⁸) fit 32-bit floats.
const SUPPORT_RADII: [f64; 2] = [1e-4, 1e4];
const SMALLEST_IN_2D: f64 = 3e-5;
/// Support radii across which everything must fit: at half of it from the centre, 32-bit positions
/// are still 256 steps to a support radius apart.
const WIDEST: f64 = (1u32 << 16) as f64;
/// Cells that a grid may need: 1 GiB for its two buffers.
const MOST_CELLS: f64 = (1u32 << 27) as f64;
/// Share of a spacing that counts as touching.
const TOUCHING: f64 = 1e-3;
/// Boundaries and bodies that 16 bits can tell apart.
const MOST_SOLIDS: usize = 1 << 16;
/// Bodies must have at least this share of the lightest fluid's density: with less, every drop would
/// throw them about. (Air has 0.0012 of water's.)
const LIGHTEST: f64 = 0.01;

/// What is wrong with a scene's values, in the order of its keys, and with how many particles there
/// are.
#[must_use]
pub fn values(scene: &Scene) -> Vec<Problem> {
    let mut check = Check { scene, problems: Vec::new() };
    check.numbers();
    check.domain();
    check.time();
    check.camera();
    check.materials();
    check.fluids();
    check.boundaries();
    check.bodies();
    check.forces();
    check.emitters();
    check.drains();
    // This samples shapes: their numbers must make sense.
    if check.problems.is_empty() {
        check.amount();
    }
    check.problems
}

/// What is wrong with the places of fluids, emitters and bodies: outside of containers, in
/// obstacles, in each other.
///
/// The scene's [`values`] must be sound.
#[must_use]
pub fn places(scene: &Scene) -> Vec<Problem> {
    let mut check = Check { scene, problems: Vec::new() };
    check.containment();
    check.collisions();
    check.problems
}

/// Pairs of fluids that fill the same place. Particles on top of each other fly apart, so native
/// scenes are refused; for imported ones it is a warning.
///
/// The scene's [`values`] must be sound.
#[must_use]
pub fn overlaps(scene: &Scene) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (b, second) in scene.fluids.iter().enumerate() {
        for (a, first) in scene.fluids[..b].iter().enumerate() {
            if overlap(&first.shape, &second.shape, scene) {
                let message = format!("fills a place that fluid[{a}] fills already");
                problems.push(Problem::new(format!("fluid[{b}].shape"), message));
            }
        }
    }
    problems
}

fn overlap(first: &Shape, second: &Shape, scene: &Scene) -> bool {
    let (spacing, dimensions) = (scene.spacing(), scene.dimensions);
    let ((center, half), (other_center, other_half)) =
        (sample::bounds(first), sample::bounds(second));
    let shared = half + other_half - (center - other_center).abs();
    let shared =
        if dimensions == 2 { shared.truncate().min_element() } else { shared.min_element() };
    if shared <= 1e-6 * spacing {
        return false;
    }
    if matches!((first, second), (Shape::Box { .. }, Shape::Box { .. })) {
        return true;
    }
    let count = |shape| sample::count(shape, spacing, dimensions);
    // Of particles it is not known what lies between them.
    let swap = matches!(first, Shape::Points(_)) || count(first) <= count(second);
    let (small, large) = if swap { (first, second) } else { (second, first) };
    sample::fill(small, spacing, dimensions, 0.0, 0)
        .into_iter()
        .any(|particle| sample::depth(large, particle.into(), dimensions) > 1e-6 * spacing)
}

/// The problems found so far, and checks of single values that return whether all is well.
struct Check<'a> {
    scene: &'a Scene,
    problems: Vec<Problem>,
}

impl Check<'_> {
    fn numbers(&mut self) {
        let scene = self.scene;
        if !matches!(scene.dimensions, 2 | 3) {
            self.report("dimensions", format!("must be 2 or 3, not {}", scene.dimensions));
        }
        self.planar("gravity", scene.gravity);
        if !self.positive("particle_radius", scene.particle_radius) {
            return;
        }
        let (h, spacing) = (scene.support_radius(), scene.spacing());
        let smallest = if scene.dimensions == 2 { SMALLEST_IN_2D } else { SUPPORT_RADII[0] };
        let key = if scene.support_radius.is_some() { "support_radius" } else { "particle_radius" };
        if !self.finite(key, h) {
            return;
        }
        if h <= spacing || h > 4.0 * spacing * (1.0 + 1e-9) {
            let message = format!(
                "must be larger than the particle spacing 2 · particle_radius = {spacing} m and at \
                 most 4 spacings, not {h} m"
            );
            self.report(key, message);
        } else if !(smallest..=SUPPORT_RADII[1]).contains(&h) {
            let message = format!(
                "gives a support radius of {h:e} m; kernels in 32-bit floats need {:e} to {:e} m",
                smallest, SUPPORT_RADII[1]
            );
            self.report(key, message);
        }
    }

    fn domain(&mut self) {
        let Some(domain) = &self.scene.domain else { return };
        if !self.corners("domain", domain.min, domain.max) {
            return;
        }
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            if !domain.periodic[axis] {
                continue;
            }
            let key = format!("domain.periodic[{axis}]");
            let cells = (domain.max[axis] - domain.min[axis]) / self.scene.support_radius();
            if axis == 2 && self.scene.dimensions == 2 {
                self.report(key, "z cannot be periodic in 2-D");
            } else if cells < 3.0 {
                let message = format!(
                    "the domain is {cells:.2} support radii long in {name}: fewer than 3 cells, \
                     so that particles would meet their own images"
                );
                self.report(key, message);
            }
        }
    }

    fn time(&mut self) {
        let time = &self.scene.time;
        if self.positive("time.fps", time.fps) && time.fps > 1e5 {
            self.report("time.fps", format!("must be at most 100000, not {}", time.fps));
        }
        self.not_negative("time.until", time.until);
        if self.positive("time.min_step", time.min_step) {
            for (key, step) in [("time.step", time.step), ("time.max_step", Some(time.max_step))] {
                let Some(step) = step else { continue };
                if self.positive(key, step) && step < time.min_step {
                    let message = format!("{step} s is below time.min_step = {} s", time.min_step);
                    self.report(key, message);
                }
            }
        }
        if self.positive("time.cfl", time.cfl) && time.cfl > 2.0 {
            self.report("time.cfl", format!("must be at most 2, not {}", time.cfl));
        }
    }

    fn camera(&mut self) {
        let Some(camera) = &self.scene.camera else { return };
        for (key, place) in [("camera.eye", camera.eye), ("camera.target", camera.target)] {
            if !place.iter().all(|coordinate| coordinate.is_finite()) {
                self.report(key, "must be finite");
            }
        }
        if camera.eye == camera.target {
            self.report("camera.target", "is where the eye is, so that there is no direction");
        }
        if !(1.0..=170.0).contains(&camera.fov) {
            self.report("camera.fov", format!("must be 1 to 170 degrees, not {}", camera.fov));
        }
    }

    fn materials(&mut self) {
        let materials = &self.scene.materials;
        if materials.is_empty() {
            self.report("material", "no material: add [[material]] with a name");
        }
        self.at_most("material", materials.len(), MAX_MATERIALS);
        for (i, material) in materials.iter().enumerate() {
            if let Some(first) = materials[..i].iter().position(|m| m.name == material.name) {
                let message =
                    format!("{:?} is the name of material[{first}] already", material.name);
                self.report(format!("material[{i}].name"), message);
            }
            self.positive(&format!("material[{i}].rest_density"), material.rest_density);
            if let Some(viscosity) = material.viscosity {
                self.not_negative(&format!("material[{i}].viscosity"), viscosity);
            }
            self.not_negative(&format!("material[{i}].surface_tension"), material.surface_tension);
        }
    }

    fn fluids(&mut self) {
        let scene = self.scene;
        if scene.fluids.is_empty() && scene.emitters.is_empty() {
            self.report("fluid", "no fluid: add [[fluid]] with a shape, or an [[emitter]]");
        }
        for (i, fluid) in scene.fluids.iter().enumerate() {
            let Fluid { material, shape, velocity, jitter, angular_velocity, packing } = fluid;
            self.material_name(format!("fluid[{i}].material"), material.as_deref());
            if let Shape::Plane { .. } = shape {
                self.report(format!("fluid[{i}].shape.plane"), "a plane cannot be filled");
            } else {
                self.shape(&format!("fluid[{i}].shape"), shape);
            }
            self.planar(&format!("fluid[{i}].velocity"), *velocity);
            let key = format!("fluid[{i}].angular_velocity");
            if self.vector(&key, *angular_velocity)
                && scene.dimensions == 2
                && angular_velocity[..2] != [0.0; 2]
            {
                self.report(key, "must be along z in 2-D");
            }
            if *packing != Packing::Cubic && !matches!(shape, Shape::Box { .. }) {
                let message = "only a box can be packed more densely than by cubes";
                self.report(format!("fluid[{i}].packing"), message);
            }
            self.within(&format!("fluid[{i}].jitter"), *jitter, 0.0, 0.5);
        }
    }

    fn boundaries(&mut self) {
        for (i, boundary) in self.scene.boundaries.iter().enumerate() {
            let Boundary { shape, velocity, motion, response, .. } = boundary;
            self.shape(&format!("boundary[{i}].shape"), shape);
            if let Shape::Points(_) = shape {
                self.report(format!("boundary[{i}].shape.points"), "points are no solid");
            }
            self.planar(&format!("boundary[{i}].velocity"), *velocity);
            self.motions(&format!("boundary[{i}].motion"), motion);
            let key = format!("boundary[{i}].response");
            let Some(response) = response else { continue };
            match *response {
                Response::Reflect { restitution, friction } => {
                    self.within(&format!("{key}.reflect.restitution"), restitution, 0.0, 1.0);
                    self.not_negative(&format!("{key}.reflect.friction"), friction);
                }
                Response::Particles { friction, no_slip } => {
                    let key = format!("{key}.particles.friction");
                    if self.not_negative(&key, friction) && no_slip && friction != 0.0 {
                        self.report(key, "must be left out where no_slip = true, which sets it");
                    }
                }
                Response::Spring { stiffness, damping } => {
                    self.not_negative(&format!("{key}.spring.stiffness"), stiffness);
                    self.not_negative(&format!("{key}.spring.damping"), damping);
                }
            }
        }
    }

    fn bodies(&mut self) {
        let scene = self.scene;
        let most = MOST_SOLIDS.saturating_sub(scene.boundaries.len());
        self.at_most("body", scene.bodies.len(), most);
        let densities = scene.materials.iter().map(|material| material.rest_density);
        let lightest = LIGHTEST * densities.fold(f64::INFINITY, f64::min);
        for (i, body) in scene.bodies.iter().enumerate().take(most) {
            let key = |name: &str| format!("body[{i}].{name}");
            let mut sound = true;
            if let Shape::Plane { .. } = body.shape {
                self.report(key("shape.plane"), "a plane cannot be a body");
                sound = false;
            } else if let Shape::Points(_) = body.shape {
                self.report(key("shape.points"), "points are no solid");
                sound = false;
            } else {
                let before = self.problems.len();
                self.shape(&key("shape"), &body.shape);
                sound &= self.problems.len() == before;
                if let Some(solid) = body.shape.mesh().filter(|_| sound)
                    && solid.as_body().is_none()
                {
                    let message = match solid.mesh().is_closed() {
                        true => "encloses no volume: a body needs one, for its mass and its place",
                        false => "is open: a body needs a closed mesh, whose volume has a mass",
                    };
                    self.report(key("shape.mesh"), message);
                    sound = false;
                }
            }
            if let Some(Turn { axis, angle }) = body.rotation {
                self.spin(&key("rotation.axis"), axis);
                self.finite(&key("rotation.angle"), angle);
            }
            for (name, value) in [("density", body.density), ("mass", body.mass)] {
                if let Some(value) = value {
                    sound &= self.positive(&key(name), value);
                }
            }
            self.within(&key("restitution"), body.restitution, 0.0, 1.0);
            self.not_negative(&key("friction"), body.friction);
            self.not_negative(&key("drag"), body.drag);
            self.motions(&key("motion"), &body.motion);
            self.planar(&key("velocity"), body.velocity);
            if self.vector(&key("angular_velocity"), body.angular_velocity)
                && body.angular_velocity != [0.0; 3]
            {
                self.spin(&key("angular_velocity"), body.angular_velocity);
            }
            if !body.is_free() {
                if body.fixed && !body.motion.is_empty() {
                    self.report(key("fixed"), "a body that is fixed has no motion");
                }
                if body.velocity != [0.0; 3] || body.angular_velocity != [0.0; 3] {
                    let message = "a body that does not move freely has none: give it a motion";
                    self.report(key("velocity"), message);
                }
            } else if body.density.is_some() == body.mass.is_some() {
                let message =
                    "needs a density or a mass (one of them), or fixed = true, or a motion";
                self.report(format!("body[{i}]"), message);
            } else if sound {
                self.weight(i, lightest);
            }
            if let Some(name) = &body.name
                && let Some(first) =
                    scene.bodies[..i].iter().position(|other| other.name.as_ref() == Some(name))
            {
                self.report(key("name"), format!("{name:?} is the name of body[{first}] already"));
            }
        }
    }

    /// A free body is not too light.
    fn weight(&mut self, i: usize, lightest: f64) {
        let body = &self.scene.bodies[i];
        let volume =
            filled::solid(&body.shape, self.scene.dimensions).map_or(0.0, |solid| solid.volume);
        let density = body.density.or(body.mass.map(|mass| mass / volume)).unwrap_or(0.0);
        if density < lightest {
            let name = if body.mass.is_some() { "mass" } else { "density" };
            let message = format!(
                "gives a density of {density} kg/m³; bodies need at least {lightest} kg/m³, a \
                 hundredth of the lightest fluid's"
            );
            self.report(format!("body[{i}].{name}"), message);
        }
    }

    /// An axis of turns, along z in 2-D.
    fn spin(&mut self, key: &str, axis: Vec3) {
        if self.direction(key, axis)
            && self.scene.dimensions == 2
            && (axis[0] != 0.0 || axis[1] != 0.0)
        {
            self.report(key, "must be along z in 2-D");
        }
    }

    fn motions(&mut self, key: &str, motions: &[Motion]) {
        for (i, motion) in motions.iter().enumerate() {
            let key = |name: &str| format!("{key}[{i}].{name}");
            match motion {
                Motion::Translate { velocity } => {
                    self.planar(&key("translate.velocity"), *velocity);
                }
                Motion::Sway { amplitude, period, phase } => {
                    self.planar(&key("sway.amplitude"), *amplitude);
                    self.positive(&key("sway.period"), *period);
                    self.finite(&key("sway.phase"), *phase);
                }
                Motion::Rotate { center, axis, speed } => {
                    self.planar(&key("rotate.center"), center.unwrap_or_default());
                    self.spin(&key("rotate.axis"), *axis);
                    self.finite(&key("rotate.speed"), *speed);
                }
                Motion::Rock { center, axis, angle, period } => {
                    self.planar(&key("rock.center"), center.unwrap_or_default());
                    self.spin(&key("rock.axis"), *axis);
                    self.finite(&key("rock.angle"), *angle);
                    self.positive(&key("rock.period"), *period);
                }
                Motion::Keyframes { center, axis, frames } => {
                    self.planar(&key("keyframes.center"), center.unwrap_or_default());
                    if frames.iter().any(|frame| frame.angle != 0.0) {
                        self.spin(&key("keyframes.axis"), *axis);
                    }
                    if frames.is_empty() {
                        self.report(key("keyframes.frames"), "needs at least one keyframe");
                    }
                    let mut last = f64::NEG_INFINITY;
                    for (k, frame) in frames.iter().enumerate() {
                        let key = |name: &str| key(&format!("keyframes.frames[{k}].{name}"));
                        self.planar(&key("position"), frame.position);
                        self.finite(&key("angle"), frame.angle);
                        if self.finite(&key("time"), frame.time) && frame.time <= last {
                            let message = format!("must be later than {last} s, the one before");
                            self.report(key("time"), message);
                        }
                        last = frame.time;
                    }
                }
            }
        }
    }

    fn forces(&mut self) {
        self.at_most("force", self.scene.forces.len(), MAX_FORCE_FIELDS);
        for (i, force) in self.scene.forces.iter().enumerate() {
            match *force {
                Force::Uniform { acceleration } => {
                    self.planar(&format!("force[{i}].uniform.acceleration"), acceleration);
                }
                Force::Attract { center, strength, radius } => {
                    self.planar(&format!("force[{i}].attract.center"), center);
                    self.finite(&format!("force[{i}].attract.strength"), strength);
                    self.positive(&format!("force[{i}].attract.radius"), radius);
                }
                Force::Rotation { center, axis, strength, radius } => {
                    self.vector(&format!("force[{i}].rotation.center"), center);
                    let key = format!("force[{i}].rotation.axis");
                    if self.direction(&key, axis)
                        && self.scene.dimensions == 2
                        && (axis[0] != 0.0 || axis[1] != 0.0)
                    {
                        self.report(key, "must be along z in 2-D");
                    }
                    self.finite(&format!("force[{i}].rotation.strength"), strength);
                    self.positive(&format!("force[{i}].rotation.radius"), radius);
                }
            }
        }
    }

    fn emitters(&mut self) {
        for (i, emitter) in self.scene.emitters.iter().enumerate() {
            let key = |name: &str| format!("emitter[{i}].{name}");
            let Emitter { material, mouth, center, velocity, up, start, end, .. } = emitter;
            self.material_name(key("material"), material.as_deref());
            let mut sound = match *mouth {
                Mouth::Rectangle { width, height } => {
                    self.positive(&key("mouth.rectangle.width"), width)
                        & (self.scene.dimensions == 2
                            || self.positive(&key("mouth.rectangle.height"), height))
                }
                Mouth::Circle { radius } => self.positive(&key("mouth.circle.radius"), radius),
                Mouth::Disc { across } => {
                    if across == 0 {
                        self.report(key("mouth.disc.across"), "must be at least 1, not 0");
                    }
                    across > 0
                }
            };
            if let Some(up) = up {
                sound &= self.direction(&key("up"), *up);
            }
            self.planar(&key("center"), *center);
            sound &= self.planar(&key("velocity"), *velocity)
                && self.direction(&key("velocity"), *velocity);
            self.not_negative(&key("start"), *start);
            if end.is_nan() || end <= start {
                self.report(
                    key("end"),
                    format!("must be later than start = {start} s, not {end} s"),
                );
            }
            if sound && self.scene.particle_radius > 0.0 {
                self.layer(i);
                // A layer a step at most.
                let interval = self.scene.spacing() / DVec3::from(*velocity).length();
                if self.scene.time.step.is_some_and(|step| step > interval) {
                    let message = format!(
                        "must be at most {interval} s, after which emitter[{i}] sends out its next layer"
                    );
                    self.report("time.step", message);
                }
            }
        }
    }

    fn layer(&mut self, i: usize) {
        let (emitter, spacing) = (&self.scene.emitters[i], self.scene.spacing());
        let dimensions = self.scene.dimensions;
        let layer = sample::layer_count(&emitter.mouth, spacing, dimensions);
        if layer == 0.0 {
            let message = format!("is too small for a particle: they are {spacing} m apart");
            self.report(format!("emitter[{i}].mouth"), message);
        } else if layer > f64::from(MAX_PARTICLES) {
            let message = format!("holds {} particles in one layer", thousands(layer));
            self.report(format!("emitter[{i}].mouth"), message);
        } else {
            let Emitter { mouth, center, velocity, up, .. } = emitter;
            let layer = sample::emitter_layer(mouth, *center, *velocity, *up, spacing, dimensions);
            let layer = layer.len();
            for (key, most) in
                [("max_particles", emitter.max_particles), ("max_live", emitter.max_live)]
            {
                if let Some(most) = most.filter(|most| (*most as usize) < layer) {
                    let message = format!("must be at least one layer, {layer}, not {most}");
                    self.report(format!("emitter[{i}].{key}"), message);
                }
            }
        }
    }

    fn drains(&mut self) {
        for (i, drain) in self.scene.drains.iter().enumerate() {
            self.shape(&format!("drain[{i}].shape"), &drain.shape);
            if let Shape::Points(_) = drain.shape {
                self.report(format!("drain[{i}].shape.points"), "points are no region");
            }
        }
    }

    /// How many particles there are, each fluid at least one, and whether they fit the grid.
    fn amount(&mut self) {
        let scene = self.scene;
        let mut total = 0.0;
        let mut low = DVec3::INFINITY;
        let mut high = DVec3::NEG_INFINITY;
        for (i, fluid) in scene.fluids.iter().enumerate() {
            let count = fluid.particle_count(scene.spacing(), scene.dimensions);
            if count == 0.0 {
                let message =
                    format!("is too small for a particle: they are {} m apart", scene.spacing());
                self.report(format!("fluid[{i}].shape"), message);
            }
            total += count;
            let (center, half) = sample::bounds(&fluid.shape);
            low = low.min(center - half);
            high = high.max(center + half);
        }
        for wall in scene.boundaries.iter().filter(|wall| wall.side == Side::Inside) {
            if !matches!(wall.shape, Shape::Plane { .. }) {
                let (center, half) = sample::bounds(&wall.shape);
                low = low.min(center - half);
                high = high.max(center + half);
            }
        }
        for body in &scene.bodies {
            let (center, half) = sample::bounds(&body.shape);
            low = low.min(center - half);
            high = high.max(center + half);
            // At most the particles of the faces of what holds it.
            let [x, y, z] = ((2.0 * half) / scene.spacing() + 2.0).to_array();
            total +=
                if scene.dimensions == 2 { 2.0 * (x + y) } else { 2.0 * (x * y + y * z + z * x) };
        }
        for emitter in &scene.emitters {
            low = low.min(emitter.center.into());
            high = high.max(emitter.center.into());
        }
        let mut cells = 1.0;
        if let Some(domain) = &scene.domain {
            low = low.min(domain.min.into());
            high = high.max(domain.max.into());
            // Periodic axes need all their cells; the others fold.
            for axis in (0..scene.dimensions.min(3) as usize).filter(|axis| domain.periodic[*axis])
            {
                cells *= (domain.max[axis] - domain.min[axis]) / scene.support_radius();
            }
        }
        if cells > MOST_CELLS {
            let message = format!(
                "its periodic axes need {} grid cells; at most {} are possible",
                thousands(cells),
                thousands(MOST_CELLS)
            );
            self.report("domain", message);
        }
        let widths = (high - low) / scene.support_radius();
        let most = |e: &Emitter| f64::from(e.max_particles.or(e.max_live).unwrap_or(0));
        total += scene.emitters.iter().map(most).sum::<f64>();
        let key = if scene.fluids.is_empty() { "emitter" } else { "fluid" };
        if total > f64::from(MAX_PARTICLES) {
            let message = format!(
                "{} particles in total; at most {} are possible (a larger particle_radius makes fewer)",
                thousands(total),
                thousands(MAX_PARTICLES.into())
            );
            self.report(key, message);
        } else if widths.max_element() > WIDEST {
            let message = format!(
                "fluid, containers and domain are {} support radii wide; at most {} are possible",
                thousands(widths.max_element()),
                thousands(WIDEST)
            );
            self.report(key, message);
        }
    }

    /// Every fluid and emitter is inside all containers, in front of all planes, and inside the
    /// domain on its periodic axes; emitters are outside of obstacles and bodies besides, from which
    /// fluid would be left out.
    fn containment(&mut self) {
        let scene = self.scene;
        for (i, fluid) in scene.fluids.iter().enumerate() {
            let corners = particle_corners(&fluid.shape, scene);
            self.contain(&format!("fluid[{i}].shape"), Some(fluid), &corners);
        }
        for (i, emitter) in scene.emitters.iter().enumerate() {
            let (spacing, dimensions) = (scene.spacing(), scene.dimensions);
            let Emitter { mouth, center, velocity, up, .. } = emitter;
            let layer = sample::emitter_layer(mouth, *center, *velocity, *up, spacing, dimensions);
            let key = format!("emitter[{i}].center");
            let places: Vec<_> = layer.iter().map(|p| (DVec3::from(*p), 0.0)).collect();
            self.contain(&key, None, &places);
            self.keep_out(&key, &layer);
        }
    }

    /// No point is in an obstacle or body.
    fn keep_out(&mut self, key: &str, points: &[Vec3]) {
        let scene = self.scene;
        let dimensions = scene.dimensions;
        let deepest = |depth: &dyn Fn(&Vec3) -> f64| points.iter().map(depth).fold(0.0, f64::max);
        for (b, boundary) in scene.boundaries.iter().enumerate() {
            let plane = matches!(boundary.shape, Shape::Plane { .. });
            if boundary.side == Side::Outside && !plane {
                let depth = |p: &Vec3| sample::depth(&boundary.shape, (*p).into(), dimensions);
                self.refuse_depth(key, deepest(&depth), format!("the obstacle boundary[{b}]"));
            }
        }
        for (b, body) in scene.bodies.iter().enumerate() {
            let depth = |p: &Vec3| body.depth_of(*p, dimensions);
            self.refuse_depth(key, deepest(&depth), format!("body[{b}]"));
        }
    }

    fn refuse_depth(&mut self, key: &str, depth: f64, what: String) {
        if depth > TOUCHING * self.scene.spacing() {
            self.report(key, format!("its mouth is {depth:.3e} m deep in {what}"));
        }
    }

    /// Bodies are inside all containers, in front of all planes, outside of all other solids, and in
    /// the domain.
    fn collisions(&mut self) {
        let scene = self.scene;
        let (spacing, dimensions) = (scene.spacing(), scene.dimensions);
        // Layers are this deep below the surface, and corners of layers a little more.
        let depth = body_depth(spacing, dimensions);
        let slack = depth - TOUCHING * spacing;
        let extents: Vec<_> = scene.bodies.iter().map(Body::extent).collect();
        let mut order: Vec<_> = (0..scene.bodies.len()).collect();
        order.sort_by(|a, b| extents[*a].0.x.total_cmp(&extents[*b].0.x));
        for (place, &i) in order.iter().enumerate() {
            let (low, high) = extents[i];
            let layer = scene.bodies[i].layer(spacing, dimensions);
            if let Some(domain) = &scene.domain {
                let outside = (0..dimensions as usize)
                    .any(|axis| high[axis] < domain.min[axis] || low[axis] > domain.max[axis]);
                if outside {
                    self.report(format!("body[{i}].shape"), "is outside the domain");
                }
            }
            for (b, boundary) in scene.boundaries.iter().enumerate() {
                let is_plane = matches!(boundary.shape, Shape::Plane { .. });
                let inward = if boundary.side == Side::Inside || is_plane { 1.0 } else { -1.0 };
                let inside = |point: &Vec3| {
                    inward * sample::depth(&boundary.shape, (*point).into(), dimensions)
                };
                let least = layer.iter().map(inside).fold(f64::INFINITY, f64::min);
                if least < slack {
                    let reach = depth - least;
                    let wall = match (is_plane, boundary.side) {
                        (true, _) => "behind the plane",
                        (_, Side::Inside) => "outside the container",
                        (_, Side::Outside) => "into the obstacle",
                    };
                    let message = format!("reaches {reach:.3e} m {wall} boundary[{b}]");
                    self.report(format!("body[{i}].shape"), message);
                }
            }
            // Of those that begin no further to the right, some reach here.
            for &j in &order[place + 1..] {
                if extents[j].0.x > high.x {
                    break;
                }
                let apart = extents[j].0.cmpgt(high) | low.cmpgt(extents[j].1);
                let apart = if dimensions == 2 { apart.x | apart.y } else { apart.any() };
                let inside = |layer: &[Vec3], body: &Body| {
                    layer.iter().any(|point| body.depth_of(*point, dimensions) > -slack)
                };
                if !apart
                    && (inside(&layer, &scene.bodies[j])
                        || inside(&scene.bodies[j].layer(spacing, dimensions), &scene.bodies[i]))
                {
                    let (first, second) = (i.min(j), i.max(j));
                    let message = format!("fills a place that body[{first}] fills already");
                    self.report(format!("body[{second}].shape"), message);
                }
            }
        }
    }

    fn contain(&mut self, key: &str, fluid: Option<&Fluid>, corners: &[(DVec3, f64)]) {
        let scene = self.scene;
        let slack = TOUCHING * scene.spacing();
        for (b, boundary) in scene.boundaries.iter().enumerate() {
            let is_plane = matches!(boundary.shape, Shape::Plane { .. });
            if boundary.side == Side::Outside && !is_plane {
                continue;
            }
            // Of a container that need not be convex, each particle must be inside.
            let particles = match (&boundary.shape, fluid) {
                // A sheet has no inside.
                (Shape::Mesh(mesh), _)
                    if mesh.content.get().is_none_or(|solid| !solid.mesh().is_closed()) =>
                {
                    continue;
                }
                (Shape::Mesh(_), Some(fluid)) => {
                    let points = fluid.particles(scene.spacing(), scene.dimensions, 0);
                    points.into_iter().map(|p| (DVec3::from(p), 0.0)).collect()
                }
                _ => Vec::new(),
            };
            let corners = if particles.is_empty() { corners } else { &particles };
            let overhang = corners
                .iter()
                .map(|&(point, margin)| {
                    margin - sample::depth(&boundary.shape, point, scene.dimensions)
                })
                .fold(0.0, f64::max);
            if overhang > slack {
                let wall = if is_plane { "behind the plane" } else { "outside the container" };
                let message = format!("reaches {overhang:.3e} m {wall} boundary[{b}]");
                self.report(key, message);
            }
        }
        let Some(domain) = &scene.domain else { return };
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            let beyond = |&(point, margin): &(DVec3, f64)| {
                (domain.min[axis] - point[axis]).max(point[axis] - domain.max[axis]) + margin
                    > slack
            };
            if domain.periodic[axis] && corners.iter().any(beyond) {
                self.report(key, format!("reaches beyond the domain, which is periodic in {name}"));
            }
        }
    }

    fn report(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.problems.push(Problem::new(path, message));
    }

    fn at_most(&mut self, key: &str, found: usize, most: usize) {
        if found > most {
            self.report(
                format!("{key}[{most}]"),
                format!("at most {most} are possible, not {found}"),
            );
        }
    }

    fn finite(&mut self, key: &str, value: f64) -> bool {
        let sound = value.abs() <= LARGEST;
        if !sound {
            self.report(key, format!("must be a finite number up to {LARGEST:e}, not {value:?}"));
        }
        sound
    }

    fn positive(&mut self, key: &str, value: f64) -> bool {
        if !self.finite(key, value) {
            return false;
        }
        let sound = value >= 1.0 / LARGEST;
        if !sound {
            self.report(key, format!("must be greater than 0, not {value:?}"));
        }
        sound
    }

    fn not_negative(&mut self, key: &str, value: f64) -> bool {
        self.within(key, value, 0.0, LARGEST)
    }

    fn within(&mut self, key: &str, value: f64, low: f64, high: f64) -> bool {
        if !self.finite(key, value) {
            return false;
        }
        let sound = (low..=high).contains(&value);
        if !sound {
            let range = if high < LARGEST {
                format!("from {low} to {high}")
            } else {
                format!("{low} or more")
            };
            self.report(key, format!("must be {range}, not {value:?}"));
        }
        sound
    }

    fn vector(&mut self, key: &str, value: Vec3) -> bool {
        let bad = (0..3).find(|&axis| !self.finite(&format!("{key}[{axis}]"), value[axis]));
        bad.is_none()
    }

    /// A vector that has no z in 2-D.
    fn planar(&mut self, key: &str, value: Vec3) -> bool {
        if !self.vector(key, value) {
            return false;
        }
        let sound = self.scene.dimensions != 2 || value[2] == 0.0;
        if !sound {
            self.report(format!("{key}[2]"), format!("must be 0 in 2-D, not {:?}", value[2]));
        }
        sound
    }

    /// A vector other than 0.
    fn direction(&mut self, key: &str, value: Vec3) -> bool {
        if !self.vector(key, value) {
            return false;
        }
        let sound = DVec3::from(value).length() >= 1.0 / LARGEST;
        if !sound {
            self.report(key, "must not be 0 in all components");
        }
        sound
    }

    fn corners(&mut self, key: &str, min: Vec3, max: Vec3) -> bool {
        if !(self.vector(&format!("{key}.min"), min) & self.vector(&format!("{key}.max"), max)) {
            return false;
        }
        // A flat scene may leave z out of its boxes.
        let axes = if self.scene.dimensions == 2 { 2 } else { 3 };
        let flat = (0..axes).find(|&axis| min[axis] >= max[axis]);
        if let Some(axis) = flat {
            let message = format!("must be below max: {} ≥ {}", min[axis], max[axis]);
            self.report(format!("{key}.min[{axis}]"), message);
        }
        flat.is_none()
    }

    fn material_name(&mut self, key: String, name: Option<&str>) {
        let materials = &self.scene.materials;
        if let Some(name) = name
            && !materials.is_empty()
            && self.scene.material_index(Some(name)).is_none()
        {
            let known: Vec<&str> =
                materials.iter().map(|material| material.name.as_str()).collect();
            self.report(
                key,
                format!("no material is called {name:?}; there are: {}", known.join(", ")),
            );
        }
    }

    fn shape(&mut self, key: &str, shape: &Shape) {
        match *shape {
            Shape::Box { min, max } => {
                self.corners(&format!("{key}.box"), min, max);
            }
            Shape::Sphere { center, radius } => {
                self.planar(&format!("{key}.sphere.center"), center);
                self.positive(&format!("{key}.sphere.radius"), radius);
            }
            Shape::Plane { point, normal } => {
                self.vector(&format!("{key}.plane.point"), point);
                if self.planar(&format!("{key}.plane.normal"), normal) {
                    self.direction(&format!("{key}.plane.normal"), normal);
                }
            }
            Shape::Cylinder { start, end, radius } => {
                if self.scene.dimensions == 2 {
                    self.report(
                        format!("{key}.cylinder"),
                        "there are no cylinders in 2-D: use a box",
                    );
                } else {
                    self.axis(&format!("{key}.cylinder"), start, end);
                }
                self.positive(&format!("{key}.cylinder.radius"), radius);
            }
            Shape::Mesh(ref mesh) => self.mesh(&format!("{key}.mesh"), mesh),
            Shape::Points(ref points) => {
                let key = format!("{key}.points");
                self.placed(&key, points.scale, points.rotation, points.translation);
                if points.content.get().is_none() {
                    self.report(format!("{key}.file"), "has not been read");
                } else if self.scene.dimensions == 2 {
                    self.report(key, "there are no particles of files in 2-D: use a box");
                }
            }
            Shape::Capsule { start, end, radius } => {
                self.axis(&format!("{key}.capsule"), start, end);
                self.positive(&format!("{key}.capsule.radius"), radius);
            }
        }
    }

    fn placed(&mut self, key: &str, scale: Vec3, rotation: Rotation, translation: Vec3) -> bool {
        let scale_key = format!("{key}.scale");
        let mut sound = self.vector(&scale_key, scale);
        if sound && scale.iter().any(|factor| factor.abs() < 1.0 / LARGEST) {
            self.report(scale_key, "must not be 0 in any component");
            sound = false;
        }
        sound &= self.direction(&format!("{key}.rotation.axis"), rotation.axis);
        sound &= self.finite(&format!("{key}.rotation.angle"), rotation.angle);
        sound & self.vector(&format!("{key}.translation"), translation)
    }

    fn mesh(&mut self, key: &str, mesh: &MeshShape) {
        if !self.placed(key, mesh.scale, mesh.rotation, mesh.translation) {
            return;
        }
        let Some(solid) = mesh.content.get() else {
            self.report(format!("{key}.file"), "has not been read");
            return;
        };
        if self.scene.dimensions == 2 {
            self.report(key, "there are no meshes in 2-D: use a box, a sphere or a capsule");
            return;
        }
        let spacing = self.scene.spacing();
        let (low, high) = solid.mesh().bounds();
        let size = (high - low).max_element();
        if size < spacing {
            let message =
                format!("is {size:.3e} m large: less than a particle spacing, {spacing} m");
            self.report(key, message);
        } else if size / self.scene.support_radius() > WIDEST {
            let message = format!("is {size:.3e} m large: too far for 32-bit positions");
            self.report(key, message);
        }
    }

    fn axis(&mut self, key: &str, start: Vec3, end: Vec3) {
        let sound =
            self.planar(&format!("{key}.start"), start) & self.planar(&format!("{key}.end"), end);
        if sound && DVec3::from(start).distance(end.into()) < 1.0 / LARGEST {
            self.report(format!("{key}.end"), "must differ from start");
        }
    }
}

/// Points, each with a distance, such that the particles of a fluid are inside a convex container
/// where every point is at least its distance deep in it.
fn particle_corners(shape: &Shape, scene: &Scene) -> Vec<(DVec3, f64)> {
    let gap = 0.5 * scene.spacing();
    match *shape {
        Shape::Box { .. } => {
            let (center, half) = sample::bounds(shape);
            let half = (half - gap).max(DVec3::ZERO);
            let flat = |z: f64| if scene.dimensions == 2 { 0.0 } else { z };
            (0..8)
                .map(|corner| {
                    DVec3::from(
                        [1, 2, 4].map(|bit| f64::from(2 * i32::from(corner & bit != 0) - 1)),
                    )
                })
                .map(|sign| center + half * sign)
                .map(|point| (point.with_z(flat(point.z)), 0.0))
                .collect()
        }
        Shape::Sphere { center, radius } => vec![(center.into(), radius - gap)],
        Shape::Capsule { start, end, radius } => {
            vec![(start.into(), radius - gap), (end.into(), radius - gap)]
        }
        Shape::Cylinder { start, end, radius } => {
            let (start, end) = (DVec3::from(start), DVec3::from(end));
            let axis = (end - start).normalize_or_zero();
            let (u, v) = axis.any_orthonormal_pair();
            let rim = |turn: u32| {
                let angle = f64::from(turn) * std::f64::consts::TAU / 32.0;
                (u * angle.cos() + v * angle.sin()) * (radius - gap).max(0.0)
            };
            let ends = [start + axis * gap, end - axis * gap];
            ends.iter().flat_map(|&end| (0..32).map(move |turn| (end + rim(turn), 0.0))).collect()
        }
        Shape::Points(ref points) => {
            let points = points.content.get().map_or(&[][..], |points| points);
            points.iter().map(|p| (DVec3::from(*p), 0.0)).collect()
        }
        Shape::Mesh(ref mesh) => {
            // Particles are that far inside the hull of the mesh's vertices, if not further.
            let vertices = mesh.content.get().map_or(&[][..], |solid| solid.mesh().positions());
            vertices.iter().map(|p| (DVec3::from(*p), 0.0)).collect()
        }
        Shape::Plane { .. } => Vec::new(),
    }
}

/// A whole number with commas between thousands.
fn thousands(value: f64) -> String {
    let digits = format!("{:.0}", value.ceil());
    if !value.is_finite() || digits.len() > 24 {
        return format!("{value:e}");
    }
    let group = |(i, digit): (usize, char)| {
        let comma = i > 0 && (digits.len() - i).is_multiple_of(3);
        comma.then_some(',').into_iter().chain([digit])
    };
    digits.chars().enumerate().flat_map(group).collect()
}
