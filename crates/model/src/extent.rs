//! Extent of a scene's fluid, solids and jets.

use glam::DVec3;
use meniscus_scene::{Body, Emitter, Scene, Side};

/// Longest time in s that a jet falls to a floor.
const LONGEST_FALL: f64 = 10.0;
/// Time in s that a jet is followed without a floor.
const FREE_FALL: f64 = 1.0;

/// Extents of the fluid at the start, and of everything that the grid should cover.
pub(crate) struct Bounds {
    pub(crate) fluid_min: DVec3,
    pub(crate) fluid_max: DVec3,
    /// Fluid, containers and bodies.
    pub(crate) reach_min: DVec3,
    pub(crate) reach_max: DVec3,
    /// The scene's domain if given, else the reach, obstacles and the jets of emitters.
    pub(crate) min: DVec3,
    pub(crate) max: DVec3,
}

impl Bounds {
    /// Layers of particles between the lowest and the highest fluid along gravity; 0 without gravity.
    pub(crate) fn layers(&self, scene: &Scene) -> u32 {
        let along = DVec3::from(scene.gravity).normalize_or_zero().abs();
        let depth = along.dot(self.fluid_max - self.fluid_min);
        if depth.is_finite() { (depth / scene.spacing()).round().max(0.0) as u32 } else { 0 }
    }

    pub(crate) fn of<'a>(scene: &'a Scene, points: impl Iterator<Item = &'a [f64; 3]>) -> Self {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let mouths = scene.emitters.iter().map(|emitter| &emitter.center);
        for point in points.chain(mouths) {
            low = low.min(DVec3::from(*point));
            high = high.max(DVec3::from(*point));
        }
        // What comes in is at most as high as the face is wet.
        for inlet in scene.openings().unwrap_or_default().iter().filter(|one| one.is_inlet()) {
            let [from, to] = inlet.wet(scene);
            low = low.min(from);
            high = high.max(to);
        }
        let half = DVec3::splat(scene.particle_radius);
        for source in &scene.sources {
            let (middle, half) = source.shape.bounds();
            low = low.min(middle - half);
            high = high.max(middle + half);
        }
        let containers = scene.boundaries.iter().filter(|wall| wall.side == Side::Inside);
        let containers = containers.filter(|wall| !wall.shape.is_endless());
        let containers = containers
            .map(|wall| wall.shape.bounds())
            .map(|(middle, half)| (middle - half, middle + half));
        let domain = scene.domain.iter();
        let domain = domain.map(|domain| (DVec3::from(domain.min), DVec3::from(domain.max)));
        // A program may add fluid wherever there is room.
        if scene.capacity.is_some() {
            for (from, to) in domain.clone().chain(containers.clone()) {
                low = low.min(from);
                high = high.max(to);
            }
        }
        if let Some(whole) = domain.clone().next().filter(|_| low.x > high.x) {
            (low, high) = whole;
        }
        let (fluid_min, fluid_max) = (low - half, high + half);
        let (mut reach_min, mut reach_max) = (fluid_min, fluid_max);
        for (from, to) in containers {
            reach_min = reach_min.min(from);
            reach_max = reach_max.max(to);
        }
        for body in &scene.bodies {
            let (low, high) = body.extent();
            reach_min = reach_min.min(low);
            reach_max = reach_max.max(high);
        }
        let (mut min, mut max) = match &scene.domain {
            Some(domain) => (DVec3::from(domain.min), DVec3::from(domain.max)),
            None => surroundings(scene, (reach_min, reach_max)),
        };
        if scene.dimensions == 2 {
            (min.z, max.z) = (0.0, 0.0);
        }
        Self { fluid_min, fluid_max, reach_min, reach_max, min, max }
    }

    pub(crate) fn center(&self) -> DVec3 {
        (self.min + self.max) / 2.0
    }
}

/// The reach, obstacles and jets.
fn surroundings(scene: &Scene, reach: (DVec3, DVec3)) -> (DVec3, DVec3) {
    let walls = scene.boundaries.iter().filter(|wall| !wall.shape.is_endless());
    let walls =
        walls.map(|wall| wall.shape.bounds()).map(|(middle, half)| (middle - half, middle + half));
    let solids: Vec<_> = walls.chain(scene.bodies.iter().map(Body::extent)).collect();
    let jets = scene.emitters.iter().map(|emitter| jet(emitter, scene, &solids));
    let all = jets.chain(solids.iter().copied());
    all.fold(reach, |(low, high), (from, to)| (low.min(from), high.max(to)))
}

/// Extent of an emitter's jet: the parabola until it leaves a container, meets a plane or is below
/// all solids; its first second if it does not.
fn jet(emitter: &Emitter, scene: &Scene, solids: &[(DVec3, DVec3)]) -> (DVec3, DVec3) {
    let mouth = DVec3::from(emitter.center);
    let velocity = emitter.outflow(scene.spacing(), scene.dimensions);
    let gravity = DVec3::from(scene.gravity);
    // (height above, normal) of each plane that ends it.
    let mut planes = Vec::new();
    let (mut least, mut most) = (DVec3::NEG_INFINITY, DVec3::INFINITY);
    for wall in &scene.boundaries {
        let (middle, half) = wall.shape.bounds();
        let mut within = (mouth - middle).abs().cmplt(half);
        within.z |= scene.dimensions == 2;
        if wall.shape.is_endless() {
            let depth = |point| wall.shape.depth(point, scene.dimensions);
            let normal = DVec3::AXES.map(|axis| depth(middle + axis));
            planes.push((depth(mouth), DVec3::from(normal)));
        } else if wall.side == Side::Inside && within.all() {
            (least, most) = (least.max(middle - half), most.min(middle + half));
            for axis in DVec3::AXES {
                let height = axis.dot(mouth - middle);
                planes.push((axis.dot(half) - height, -axis));
                planes.push((axis.dot(half) + height, axis));
            }
        }
    }
    let up = -gravity.normalize_or_zero();
    let lowest = solids.iter().map(|(low, high)| (up * low).min(up * high).element_sum());
    planes.extend(lowest.reduce(f64::min).map(|lowest| (up.dot(mouth) - lowest, up)));
    let meets = |(height, normal): &(f64, DVec3)| {
        let met = falls(*height, normal.dot(velocity), normal.dot(gravity));
        met.filter(|time| *height > 0.0 && *time <= LONGEST_FALL)
    };
    let end = planes.iter().filter_map(meets).reduce(f64::min).unwrap_or(FREE_FALL);
    let at = |time: f64| mouth + time * velocity + 0.5 * time * time * gravity;
    let turns = (0..3).map(|axis| -velocity[axis] / gravity[axis]);
    let times = turns.filter(|time| (0.0..end).contains(time)).chain([0.0, end]);
    let points: Vec<_> = times.map(at).collect();
    let reach = DVec3::splat(emitter.mouth.radius(scene.spacing()) + scene.particle_radius);
    let low = points.iter().fold(DVec3::INFINITY, |low, point| low.min(point - reach));
    let high = points.iter().fold(DVec3::NEG_INFINITY, |high, point| high.max(point + reach));
    (low.max(least), high.min(most))
}

/// First time after 0 at which `height + speed t + acceleration t²/2` is 0, from above.
fn falls(height: f64, speed: f64, acceleration: f64) -> Option<f64> {
    let root = (speed * speed - 2.0 * acceleration * height).sqrt();
    // The usual formula's inverse: exact without acceleration too.
    let time = 2.0 * height / (root - speed);
    (time > 0.0 && time.is_finite()).then_some(time)
}

#[cfg(test)]
mod tests {
    use meniscus_scene::{Boundary, Cuboid, Fluid, Mouth, Plane, Shape, Sphere};

    use super::*;

    const RADIUS: f64 = 0.01;
    /// Radius of the jets with their particles.
    const JET: f64 = 0.05 + RADIUS;

    fn bounds(scene: &Scene) -> (DVec3, DVec3) {
        let corners = [[0.0; 3], [0.2; 3]];
        let bounds = Bounds::of(scene, corners[..2 * scene.fluids.len()].iter());
        (bounds.min, bounds.max)
    }

    fn with_jet(center: [f64; 3], velocity: [f64; 3]) -> Scene {
        Scene::new(RADIUS).with_emitter(Emitter::new(
            Mouth::Circle { radius: 0.05 },
            center,
            velocity,
        ))
    }

    fn floor() -> Boundary {
        let plane = Plane { point: [5.0, 0.0, 0.0], normal: [0.0, 2.0, 0.0] };
        Boundary::container(Shape::Plane(plane))
    }

    fn near(found: (DVec3, DVec3), low: [f64; 3], high: [f64; 3]) {
        let (low, high) = (DVec3::from(low), DVec3::from(high));
        let apart = (found.0 - low).abs().max((found.1 - high).abs());
        assert!(apart.max_element() < 1e-9, "{found:?}, not {low} to {high}");
    }

    #[test]
    fn a_jet_falls_to_the_plane_and_no_further() {
        // It rises by 0.2 m, and falls by 1 m from there.
        let speed = (2.0_f64 * 9.81 * 0.2).sqrt();
        let scene = with_jet([0.0, 0.8, 0.0], [1.0, speed, 0.0]).with_boundary(floor());
        let time = speed / 9.81 + (2.0_f64 / 9.81).sqrt();
        near(bounds(&scene), [-JET, -JET, -JET], [time + JET, 1.0 + JET, JET]);
    }

    #[test]
    fn a_jet_ends_at_the_lowest_solid() {
        let ball = Sphere { center: [0.0, 0.0, 2.0], radius: 0.5 };
        let scene = with_jet([0.0, 1.0, 0.0], [1.0, 0.0, 0.0])
            .with_boundary(Boundary::obstacle(Shape::Sphere(ball)));
        let time = (2.0_f64 * 1.5 / 9.81).sqrt();
        near(bounds(&scene), [-0.5, -0.5 - JET, -JET], [time + JET, 1.0 + JET, 2.5]);
    }

    #[test]
    fn a_jet_stays_in_its_container() {
        let tank = Boundary::tank([0.0; 3], [1.0, 2.0, 1.0]);
        let scene = with_jet([0.2, 1.8, 0.5], [4.0, 0.0, 0.0]).with_boundary(tank);
        near(bounds(&scene), [0.0, 0.0, 0.0], [1.0, 2.0, 1.0]);
        let tank = Boundary::tank([0.0; 3], [1.0, 2.0, 0.0]);
        let mut flat = with_jet([0.2, 1.8, 0.0], [4.0, 0.0, 0.0]).with_boundary(tank);
        flat.dimensions = 2;
        near(bounds(&flat), [0.0; 3], [1.0, 2.0, 0.0]);
    }

    #[test]
    fn a_jet_without_a_floor_is_followed_for_a_second() {
        let scene = with_jet([0.0, 1.0, 0.0], [0.0, -1.0, 0.0]);
        near(bounds(&scene), [-JET, -4.905 - JET, -JET], [JET, 1.0 + JET, JET]);
        // Weightless, and away from the plane.
        let mut scene = with_jet([0.0, 1.0, 0.0], [0.0, 2.0, 0.0]).with_boundary(floor());
        scene.gravity = [0.0; 3];
        near(bounds(&scene), [-JET, 1.0 - JET, -JET], [JET, 3.0 + JET, JET]);
        // Along the plane.
        scene.emitters[0].velocity = [2.0, 0.0, 0.0];
        near(bounds(&scene), [-JET, 1.0 - JET, -JET], [2.0 + JET, 1.0 + JET, JET]);
    }

    #[test]
    fn obstacles_count_and_planes_do_not() {
        let block = Cuboid { min: [1.0, -0.5, 0.0], max: [1.5, 0.1, 0.1] };
        let scene = Scene::new(RADIUS)
            .with_fluid(Fluid::block([0.0; 3], [0.2; 3]))
            .with_boundary(Boundary::obstacle(Shape::Box(block)))
            .with_boundary(floor());
        near(bounds(&scene), [-RADIUS, -0.5, -RADIUS], [1.5, 0.2 + RADIUS, 0.2 + RADIUS]);
    }

    #[test]
    fn a_given_domain_is_kept() {
        let domain = meniscus_scene::Domain { min: [0.0; 3], max: [1.0; 3], periodic: [false; 3] };
        let scene = with_jet([0.5; 3], [0.0, -1.0, 0.0]).with_domain(domain);
        near(bounds(&scene), [0.0; 3], [1.0; 3]);
    }
}
