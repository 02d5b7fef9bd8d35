//! Solids: initial state, motion and contacts.

use glam::{Vec3, Vec4};
use meniscus_shared::{shared, shared_constants};

pub use meniscus_geometry::shape::number::*;

shared_constants! {
    responses {
        /// Collision response: push out and reflect (M §3.4).
        RESPONSE_REFLECT: u32 = 0;
        /// Collision response: spring and damper (T 4).
        RESPONSE_SPRING: u32 = 1;
        /// Collision response: boundary particles act, and particles that still get through are
        /// pushed out.
        RESPONSE_PARTICLES: u32 = 2;
        /// Collision response: the wall's share of the density acts, and particles that still get
        /// through are pushed out.
        RESPONSE_VOLUME: u32 = 3;
        /// Contact of a grid method's nodes: they move with the solid.
        RESPONSE_STICKY: u32 = 4;
        /// Contact of a grid method's nodes: none move through the surface or off it.
        RESPONSE_SLIP: u32 = 5;
        /// Contact of a grid method's nodes: none move through the surface; with friction.
        RESPONSE_SEPARATE: u32 = 6;
    }
}

/// Inverse mass in kg⁻¹ of a body on a hinge: nothing moves it.
pub const HELD: f32 = 1e-25;

shared! {
    /// Solid that particles collide with, or the region of a drain or source. Local axes are rotated by
    /// `rotation` and moved to `position`. These are initial values: passes take the current place
    /// and motion of solids from `bodies`.
    struct Collider {
        /// Centre relative to the domain's centre, in m.
        position: Vec3,
        /// One of the `SHAPE_…` constants.
        shape: u32,
        /// Half extents in m.
        half_extents: Vec3,
        /// Radius in m; of a mesh, the length of a cell of its distances.
        radius: f32,
        /// Unit quaternion (x, y, z, w) from local to world axes.
        rotation: Vec4,
        /// Velocity in m/s.
        velocity: Vec3,
        /// 1: the fluid is inside; 0: outside; 2: on both sides of a sheet.
        inside: u32,
        /// Coefficient of restitution e.
        restitution: f32,
        /// Friction coefficient `μ_f`.
        friction: f32,
        /// One of the `RESPONSE_…` constants.
        response: u32,
        /// 1: particles beyond it count as lost.
        closed: u32,
        /// Spring constant `k_s` in s⁻².
        stiffness: f32,
        /// Damping constant `k_d` in s⁻¹; of walls without particles, their viscosity relative to the
        /// fluid's; with a grid's nodes, the friction coefficient of the surface.
        damping: f32,
        /// First of its particles, in the order of their ids among boundary particles.
        first_particle: u32,
        /// Particles of a solid on which forces are measured; 0 for other solids.
        particle_count: u32,
        /// Angular velocity in rad/s.
        angular_velocity: Vec3,
        /// 1 / mass in kg⁻¹; 0 for solids that forces do not move, [`HELD`] on a hinge.
        inverse_mass: f32,
        /// 1 / principal moments of inertia, in local axes, in kg⁻¹ m⁻².
        inverse_inertia: Vec3,
        /// Offset of a mesh's data in `distances`: half extents of the grid in m, then values at
        /// the nodes.
        field: u32,
        /// Cosine of the contact angle with liquids.
        wetting: f32,
        /// Radius in m of a body that is a ball, which touches at its own lowest point; 0 of others.
        ball: f32,
        /// 1: a rigid body of the scene; 2: a wall on which what is on a grid leans with a force that is measured.
        is_body: u32,
        /// Mass in kg of a body on a hinge, whose centre is held as if `inverse_mass` were 0; 0 of others.
        hinged_mass: f32,
        /// Bodies of one group, which joints hold together, do not touch each other; 0: of none.
        group: u32,
        /// Radius in m of a ball about `position` beyond which its walls are at a positive distance, that from the ball at least;
        /// 1e30 where there is none.
        reach: f32,
        /// Heat that it gives to air: 1 where it has a temperature, else 0; that temperature in K above the ambient's; flux
        /// in W/m²; 0.
        heat: Vec4,
        /// Largest suction in Pa by which it holds fluid.
        suction: f32,
        /// Of a mesh that changes its shape, offset of its second field in `distances` from the first; 0 of others.
        changes: u32,
        /// Share of the second field in its distances now, from 0 to 1.
        share: f32,
        /// Rate of that share in s⁻¹.
        rate: f32,
    }

    /// Place and motion of a solid, as passes keep them on the GPU.
    struct Body {
        /// Centre of mass, relative to the domain's centre, in m; in w of free bodies v·g at the start of
        /// the step, else the share of the second field in the distances of a
        /// mesh that changes its shape.
        position: Vec4,
        /// Unit quaternion (x, y, z, w) from local to world axes.
        rotation: Vec4,
        /// Velocity in m/s; in w the rate of that share in s⁻¹.
        velocity: Vec4,
        /// Angular velocity in rad/s.
        angular_velocity: Vec4,
        /// Angular momentum about the centre of mass, in kg m²/s; of free bodies only.
        angular_momentum: Vec4,
    }

    /// Motion of a solid in a frame: cubic Hermite curves of place and turn.
    struct FrameMotion {
        /// Centre of mass at the frame's start, relative to the domain's centre, in m; in w the share of the second field in
        /// the distances of a mesh that changes its shape, then.
        position: Vec4,
        /// Unit quaternion (x, y, z, w) at the frame's start, from local to world axes.
        rotation: Vec4,
        /// Velocity at the frame's start in m/s.
        speed_0: Vec4,
        /// Displacement in the frame in m; in w the change of that share.
        way: Vec4,
        /// Velocity at the frame's end in m/s.
        speed_1: Vec4,
        /// Angular velocity at the frame's start in rad/s.
        spin_0: Vec4,
        /// Rotation vector of the frame in rad.
        turn: Vec4,
        /// Angular velocity at the frame's end in rad/s.
        spin_1: Vec4,
    }

    /// Contact of a body's particle with another solid.
    struct Touch {
        /// Unit normal, towards the particle's own body; in w the least normal velocity after the
        /// contact, in m/s.
        plane: Vec4,
        /// Impulse on its own body, in N s; in w the other solid's index + 1 if it is of a manifold.
        total: Vec4,
        /// Distance at the end of the step and now in m, negative where they overlap, and 1 for an impact; in w the length of the step
        /// in s if the next step's begins with the total, else 0.
        change: Vec4,
    }
}
