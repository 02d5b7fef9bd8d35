//! Fixed properties of a scene as shader constants, so that code for absent features is not
//! compiled.
//!
//! Passes are composed for each scene, so these are plain `const`s in the text rather than
//! `override`s: this needs no second mechanism, and equal texts share their pipelines. A scene with
//! one box and no spring takes 6.1 ms for `solid/collide` instead of 19.8 ms (101,306 particles,
//! software Vulkan, medians of 10 steps, alternating runs), and `neighbours/list` takes 0.6 to 0.9
//! of its time if no axis is periodic. Values that may change between frames (force fields,
//! viscosities) stay parameters.

use std::fmt::Write;

use crate::{Setup, params::RESPONSE_SPRING};

macro_rules! fixed {
    ($( $(#[doc = $doc:literal])* $field:ident $name:literal: $ty:ty = $default:expr, )*) => {
        /// Constants of a scene's shaders; by default those that fit every scene.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Fixed {
            $( $(#[doc = $doc])* pub $field: $ty, )*
        }

        impl Default for Fixed {
            fn default() -> Self {
                Self { $( $field: $default ),* }
            }
        }

        impl Fixed {
            /// File `shared/scene`, which shaders include.
            #[must_use]
            pub fn wgsl(&self) -> String {
                let mut text = String::new();
                $(
                    $( let _ = writeln!(text, "//{}", $doc); )*
                    let _ = writeln!(text, "const {}: {} = {:?};", $name, stringify!($ty), self.$field);
                )*
                text
            }
        }
    };
}

fixed! {
    /// Shapes that solids and regions have, a bit each.
    shapes "SHAPES": u32 = u32::MAX,
    /// Whether several solids do not move freely.
    several_walls "SEVERAL_WALLS": bool = true,
    /// Whether there are several worlds.
    several_worlds "SEVERAL_WORLDS": bool = true,
    /// Whether some wall is a spring.
    has_springs "HAS_SPRINGS": bool = true,
    /// Whether some axis is periodic.
    is_periodic "IS_PERIODIC": bool = true,
    /// Whether there are several materials.
    several_materials "SEVERAL_MATERIALS": bool = true,
    /// Whether there are rigid bodies.
    has_bodies "HAS_BODIES": bool = true,
    /// Whether there are joints or mooring lines.
    has_joints "HAS_JOINTS": bool = true,
    /// Whether nodes of material points push something: rigid bodies, or walls whose forces are measured.
    has_pushes "HAS_PUSHES": bool = true,
    /// Whether there are walls without particles.
    has_volumes "HAS_VOLUMES": bool = true,
    /// Whether some solid has a contact angle.
    has_wetting "HAS_WETTING": bool = true,
    /// Whether some solid holds fluid by suction.
    has_suction "HAS_SUCTION": bool = true,
    /// Whether some solid changes its shape.
    has_deforming "HAS_DEFORMING": bool = true,
    /// Whether some solid has a temperature or gives heat.
    has_heat "HAS_HEAT": bool = true,
    /// Whether some source of smoke has a velocity.
    has_jets "HAS_JETS": bool = true,
    /// Whether the scene is known to be smoke.
    is_smoke "IS_SMOKE": bool = false,
    /// Whether particles of a liquid on a grid may move more than a cell in a step.
    has_long_steps "HAS_LONG_STEPS": bool = true,
    /// Whether there are open boundaries.
    has_openings "HAS_OPENINGS": bool = true,
    /// Dimensions, 2 or 3; 0 if only the parameters say so.
    dimensions "DIMENSIONS": u32 = 0,
    /// Largest order of paths along the field of a grid.
    most_trace "MOST_TRACE": u32 = 3,
}

impl Fixed {
    /// The constants of a scene.
    #[must_use]
    pub fn of(setup: &Setup) -> Self {
        let solids = || setup.colliders.iter().chain(&setup.regions);
        let emitted = setup.emitters.iter().map(|emitter| emitter.identity);
        let mut words = setup.identity.iter().map(|identity| identity[1]).chain(emitted);
        Self {
            shapes: solids().fold(0, |shapes, solid| shapes | 1 << solid.shape),
            several_walls: setup.params.counts.driven > 1,
            several_worlds: setup.params.counts.worlds > 1,
            has_springs: solids().any(|solid| solid.response == RESPONSE_SPRING),
            is_periodic: setup.params.grid.period != glam::Vec3::ZERO,
            several_materials: setup.room > 0 && setup.materials.len() > 1
                || words.any(|word| (word >> 8) & 255 != 0),
            has_bodies: !setup.bodies.is_empty(),
            has_joints: setup.params.counts.joints > 0,
            has_pushes: !setup.bodies.is_empty() || !setup.measured.is_empty(),
            has_volumes: setup.params.counts.volumes > 0,
            has_wetting: setup.colliders.iter().any(|collider| collider.wetting != 0.0),
            has_suction: setup.colliders.iter().any(|collider| collider.suction > 0.0),
            has_deforming: !setup.deforming.is_empty(),
            has_heat: setup.colliders.iter().any(|collider| collider.heat != glam::Vec4::ZERO),
            has_jets: setup.of_methods.iter().any(|(name, floats)| {
                *name == "source_values"
                    && floats.chunks(crate::smoke::SOURCE_FLOATS).any(|values| values[3] > 0.0)
            }),
            is_smoke: setup.params.counts.sources + setup.params.counts.vortices > 0,
            has_long_steps: setup.params.time.cfl > 1.0,
            has_openings: setup.params.counts.openings > 0,
            dimensions: setup.params.world.dimensions,
            most_trace: setup.params.time.trace,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_typed() {
        let text = Fixed::default().wgsl();
        assert!(text.contains("\nconst SEVERAL_WALLS: bool = true;\n"), "{text}");
        assert!(text.starts_with(
            "// Shapes that solids and regions have, a bit each.\nconst SHAPES: u32 = 4294967295;\n"
        ));
    }
}
