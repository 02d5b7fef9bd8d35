//! Boundaries, bodies and force fields of a scene in the form that passes read.

use glam::{DQuat, DVec3, Vec3, Vec4};
use meniscus_geometry::Placed;
use meniscus_scene::{Body, Boundary, Force, Response, Scene, Shape, Side};

use crate::{
    Setup,
    params::{
        Collider, FIELD_ATTRACT, FIELD_ROTATION, FIELD_SPONGE, FIELD_STIR, FIELD_UNIFORM,
        ForceField, HELD, RESPONSE_PARTICLES, RESPONSE_REFLECT, RESPONSE_SPRING, RESPONSE_VOLUME,
    },
};

/// The vector without its z component in 2-D.
pub(crate) fn plane(scene: &Scene, v: Vec3) -> Vec3 {
    if scene.dimensions == 2 { v.with_z(0.0) } else { v }
}

pub(crate) fn collider(
    boundary: &Boundary,
    scene: &Scene,
    response: &Response,
    center: DVec3,
) -> Collider {
    let shape = &boundary.shape;
    let solid = placed(shape, shape.placed(scene.dimensions), scene, center);
    let inside = boundary.side == Side::Inside && !shape.is_endless();
    let sheet = shape.is_sheet();
    let mut collider = Collider {
        wetting: wetting(boundary.contact_angle),
        suction: boundary.suction.unwrap_or(0.0) as f32,
        heat: Vec4::new(
            if boundary.temperature.is_some() { 1.0 } else { 0.0 },
            boundary.temperature.unwrap_or(0.0) as f32,
            boundary.heat_flux.unwrap_or(0.0) as f32,
            0.0,
        ),
        velocity: plane(scene, DVec3::from(boundary.velocity).as_vec3()),
        // All around a container is behind its walls.
        reach: if inside && !sheet { ENDLESS } else { solid.reach },
        inside: match (inside, sheet) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        },
        closed: u32::from(inside && !sheet),
        ..solid
    };
    match *response {
        Response::Reflect { restitution, friction } => {
            collider.response = RESPONSE_REFLECT;
            collider.restitution = restitution as f32;
            collider.friction = friction as f32;
        }
        Response::Spring { stiffness, damping } => {
            collider.response = RESPONSE_SPRING;
            collider.stiffness = stiffness as f32;
            collider.damping = damping as f32;
        }
        Response::Particles { .. } => collider.response = RESPONSE_PARTICLES,
        Response::Volume { .. } => collider.response = RESPONSE_VOLUME,
    }
    collider
}

/// Cosine of a contact angle in degrees; exactly 0 of none.
fn wetting(angle: Option<f64>) -> f32 {
    angle.map_or(0.0, |angle| angle.to_radians().cos() as f32)
}

/// The collider of a rigid body.
pub(crate) fn rigid(body: &Body, scene: &Scene, center: DVec3) -> Collider {
    let bulk = body.shape.bulk(scene.dimensions);
    let volume = bulk.map_or(0.0, |bulk| bulk.volume);
    let own = placed(&body.shape, body.shape.placed_body(scene.dimensions), scene, center);
    let rotation = body.turn() * DQuat::from_vec4(own.rotation.as_dvec4()).normalize();
    let mut collider = Collider {
        rotation: Vec4::from(rotation.normalize().as_quat()),
        response: RESPONSE_PARTICLES,
        restitution: body.restitution as f32,
        friction: body.friction as f32,
        wetting: wetting(body.contact_angle),
        ball: body.shape.ball() as f32,
        is_body: 1,
        ..own
    };
    if body.is_free() {
        let mass = body.mass.or(body.density.map(|density| density * volume)).unwrap_or(0.0);
        let inverse = |inertia: f64| if inertia > 0.0 { 1.0 / (mass * inertia) } else { 0.0 };
        let inertia = bulk.map_or(DVec3::ZERO, |bulk| bulk.inertia);
        collider.inverse_mass = (1.0 / mass) as f32;
        collider.inverse_inertia = inertia.map(inverse).as_vec3();
        if let Some(axis) = body.hinge_axis(scene.dimensions) {
            // It turns about this axis alone.
            collider.inverse_inertia *= Vec3::AXES[axis];
            collider.inverse_mass = HELD;
            collider.hinged_mass = mass as f32;
        }
        collider.velocity = plane(scene, DVec3::from(body.velocity).as_vec3());
        collider.angular_velocity = DVec3::from(body.angular_velocity).as_vec3();
    }
    collider
}

/// `reach` of what has no end.
const ENDLESS: f32 = 1e30;

/// Radius in m of the ball around a place that holds a shape, with a spacing more for the thickness of a sheet.
fn reach(shape: &Shape, scene: &Scene, position: DVec3) -> f32 {
    if shape.is_endless() {
        return ENDLESS;
    }
    let (middle, half) = shape.bounds();
    let corner = (middle - position).abs() + half;
    let corner = if scene.dimensions == 2 { corner.with_z(0.0) } else { corner };
    let radius = corner.length() + if shape.is_sheet() { scene.spacing() } else { 0.0 };
    if radius.is_finite() { radius as f32 } else { ENDLESS }
}

impl Setup {
    /// Region of a shape that does not move, for [`Setup::regions`].
    ///
    /// # Errors
    /// A sentence for a mesh, of which distances would have to be computed.
    pub fn region(&self, shape: &Shape) -> Result<Collider, String> {
        let world = &self.params.world;
        if shape.mesh().is_some() {
            return Err(format!(
                "the region is a {}, expected a shape without a mesh",
                shape.kind().key
            ));
        }
        Ok(at_rest(shape, shape.placed(world.dimensions), world.dimensions, self.center))
    }
}

/// Collider of a shape at a place, without its reach.
fn at_rest(shape: &Shape, placed: Placed, dimensions: u32, center: DVec3) -> Collider {
    let position = (placed.position - center).as_vec3();
    Collider {
        position: if dimensions == 2 { position.with_z(0.0) } else { position },
        shape: shape.number(),
        half_extents: placed.size.half_extents,
        radius: placed.size.radius,
        rotation: Vec4::from(placed.rotation),
        ..Default::default()
    }
}

/// Collider of a shape at its place in the scene.
pub(crate) fn placed(shape: &Shape, placed: Placed, scene: &Scene, center: DVec3) -> Collider {
    Collider {
        reach: reach(shape, scene, placed.position),
        ..at_rest(shape, placed, scene.dimensions, center)
    }
}

/// Force field in a scene with this number of dimensions and centre of the domain.
#[must_use]
pub fn force_field(force: &Force, dimensions: u32, center: DVec3) -> ForceField {
    let plane = |v: Vec3| if dimensions == 2 { v.with_z(0.0) } else { v };
    let place = |p: &[f64; 3]| plane((DVec3::from(*p) - center).as_vec3());
    match force {
        Force::Uniform { acceleration } => ForceField {
            kind: FIELD_UNIFORM,
            direction: plane(DVec3::from(*acceleration).as_vec3()),
            radius: 1.0,
            ..Default::default()
        },
        Force::Attract { center, strength, radius } => ForceField {
            center: place(center),
            kind: FIELD_ATTRACT,
            strength: *strength as f32,
            radius: *radius as f32,
            ..Default::default()
        },
        Force::Rotation { center, axis, strength, radius } => ForceField {
            center: place(center),
            kind: FIELD_ROTATION,
            direction: DVec3::from(*axis).normalize_or(DVec3::Z).as_vec3(),
            strength: *strength as f32,
            radius: *radius as f32,
        },
        Force::Sponge { start, end, rate } => {
            let way = DVec3::from(*end) - DVec3::from(*start);
            ForceField {
                center: place(start),
                kind: FIELD_SPONGE,
                direction: plane((way / way.length_squared()).as_vec3()),
                strength: *rate as f32,
                radius: 1.0,
            }
        }
        Force::Wind { center, velocity, radius, density } => ForceField {
            center: place(center),
            kind: FIELD_STIR,
            direction: plane(DVec3::from(*velocity).as_vec3()),
            strength: *density as f32,
            radius: *radius as f32,
        },
    }
}
