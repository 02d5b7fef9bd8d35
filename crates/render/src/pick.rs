//! Picking the body under a ray.

use std::sync::Arc;

use glam::{DVec3, Quat, Vec3};
use meniscus::{
    SolidId,
    raw::model::params::Collider,
    scene::{Shape, mesh::Solid},
};

use crate::{
    FluidBuffers,
    fluid::{half_extents, rotate},
    solids::size_of,
};

/// Most steps of sphere tracing along a ray.
const STEPS: usize = 200;
/// Distance, relative to the body's size, at which a ray counts as having hit the surface.
const TOUCH: f32 = 1e-4;

/// A point of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Hit {
    /// The body.
    pub body: SolidId,
    /// Point relative to the body's centre, in its own axes, in m.
    pub arm: Vec3,
    /// Point in the world, in m.
    pub place: DVec3,
}

impl FluidBuffers {
    /// First free body on a ray from `origin`, in m, along the unit vector `direction`. Water and
    /// walls in front of it do not matter.
    #[must_use]
    pub fn body_at(&self, origin: DVec3, direction: DVec3) -> Option<Hit> {
        let (origin, direction) = ((origin - self.center).as_vec3(), direction.as_vec3());
        let dimensions = self.params.world.dimensions;
        let (number, along) = first(&self.colliders, &self.meshes, dimensions, origin, direction)?;
        let (place, collider) = (origin + along * direction, &self.colliders[number]);
        Some(Hit {
            body: SolidId::new(number as u32),
            arm: to_local(collider, place - collider.position),
            place: place.as_dvec3() + self.center,
        })
    }

    /// Current world position in m of a point of a body.
    #[must_use]
    pub fn place_of(&self, body: SolidId, arm: Vec3) -> Option<DVec3> {
        let collider = self.colliders.get(body.index())?;
        Some((collider.position + rotate(collider, arm)).as_dvec3() + self.center)
    }
}

type Meshes = [(u32, Arc<Solid>)];

/// First free body on a ray, and its distance along the ray.
fn first(
    colliders: &[Collider],
    meshes: &Meshes,
    dimensions: u32,
    origin: Vec3,
    direction: Vec3,
) -> Option<(usize, f32)> {
    let free = colliders.iter().enumerate().filter(|(_, c)| c.inverse_mass > 0.0);
    let hits = free.filter_map(|(number, collider)| {
        let mesh = meshes.iter().find(|(own, _)| *own as usize == number);
        let distance = |p: Vec3| distance(collider, mesh.map(|(_, solid)| &**solid), p);
        let p = to_local(collider, origin - collider.position);
        let d = to_local(collider, direction);
        let along = match dimensions {
            // 2-D bodies are hit in the plane z = 0.
            2 => Some(-p.z / d.z).filter(|t| *t > 0.0 && distance(p + *t * d) <= 0.0),
            _ => march(half_extents(collider)?.length(), distance, p, d),
        };
        Some((number, along?))
    });
    hits.min_by(|a, b| a.1.total_cmp(&b.1))
}

/// Distance along a ray to a solid that lies within a ball of this radius about the origin. Sphere
/// tracing: each step is as long as the distance to the surface allows.
fn march(radius: f32, distance: impl Fn(Vec3) -> f32, p: Vec3, d: Vec3) -> Option<f32> {
    let middle = -p.dot(d);
    let half = radius * radius - (p + middle * d).length_squared();
    if half < 0.0 {
        return None;
    }
    let (mut along, end) = ((middle - half.sqrt()).max(0.0), middle + half.sqrt());
    for _ in 0..STEPS {
        if along > end {
            return None;
        }
        let away = distance(p + along * d);
        if away < TOUCH * radius {
            return Some(along);
        }
        along += away;
    }
    None
}

/// Signed distance in m of a point, in the solid's own axes, from its surface; negative inside.
fn distance(collider: &Collider, mesh: Option<&Solid>, p: Vec3) -> f32 {
    if let Some(solid) = mesh {
        let (low, high) = solid.mesh().bounds();
        return solid.distance(p.as_dvec3() + 0.5 * (low + high)) as f32;
    }
    let kind = Shape::KINDS.get(collider.shape as usize);
    kind.map_or(f32::INFINITY, |kind| (kind.distance)(size_of(collider), p))
}

fn to_local(collider: &Collider, v: Vec3) -> Vec3 {
    let q = collider.rotation;
    Quat::from_xyzw(q.x, q.y, q.z, q.w).normalize().inverse() * v
}

#[cfg(test)]
mod tests {
    use glam::Vec4;
    use meniscus::raw::model::params::{
        SHAPE_BOX, SHAPE_CAPSULE, SHAPE_CYLINDER, SHAPE_PLANE, SHAPE_SPHERE,
    };

    use super::*;

    fn body(shape: u32, position: Vec3) -> Collider {
        Collider {
            shape,
            position,
            half_extents: Vec3::new(0.3, 0.2, 0.1),
            radius: 0.25,
            rotation: Vec4::W,
            inverse_mass: 1.0,
            ..Collider::default()
        }
    }

    /// First body along x at this height, and its distance from x = -2.
    fn seen(bodies: &[Collider], height: f32) -> Option<(usize, f32)> {
        let origin = Vec3::new(-2.0, height, 0.0);
        first(bodies, &[], 3, origin, Vec3::X)
    }

    #[test]
    fn rays_meet_shapes_where_their_surfaces_are() {
        let at = |shape| body(shape, Vec3::ZERO);
        let close = |bodies: &[Collider], height: f32, expected: f32| {
            let (_, along) = seen(bodies, height).expect("a hit");
            assert!((along - expected).abs() < 1e-3, "{along} and {expected}");
        };
        close(&[at(SHAPE_BOX)], 0.19, 1.7);
        close(&[at(SHAPE_SPHERE)], 0.15, 1.8);
        close(&[at(SHAPE_CYLINDER)], 0.19, 1.75);
        close(&[at(SHAPE_CAPSULE)], 0.35, 1.8);
        for shape in [SHAPE_BOX, SHAPE_CYLINDER] {
            assert_eq!(seen(&[at(shape)], 0.21), None, "beside shape {shape}");
        }
        assert_eq!(seen(&[at(SHAPE_CAPSULE)], 0.46), None);
        assert_eq!(seen(&[at(SHAPE_PLANE)], -1.0), None, "no body is a plane");
        // A quarter turn about z aligns the capsule with x.
        let turned = Vec4::from(Quat::from_rotation_z(0.5 * std::f32::consts::PI));
        close(&[Collider { rotation: turned, ..at(SHAPE_CAPSULE) }], 0.0, 1.55);
    }

    #[test]
    fn the_nearest_free_body_before_the_eye_is_met() {
        let held = Collider { inverse_mass: 0.0, ..body(SHAPE_SPHERE, -Vec3::X) };
        let behind = body(SHAPE_SPHERE, -3.0 * Vec3::X);
        let bodies = [held, behind, body(SHAPE_SPHERE, Vec3::X), body(SHAPE_SPHERE, Vec3::ZERO)];
        assert_eq!(seen(&bodies, 0.0).map(|(number, _)| number), Some(3));
    }

    #[test]
    fn in_the_plane_what_is_under_the_cursor_is_met() {
        let bodies = [body(SHAPE_BOX, Vec3::ZERO)];
        let eye = Vec3::new(0.0, 0.0, 2.0);
        let towards = |x: f32| (Vec3::new(x, 0.0, 0.0) - eye).normalize();
        assert!(first(&bodies, &[], 2, eye, towards(0.29)).is_some());
        assert!(first(&bodies, &[], 2, eye, towards(0.31)).is_none());
        assert!(first(&bodies, &[], 2, eye, -towards(0.0)).is_none(), "behind the eye");
    }
}
