//! Distances of meshes in a set-up, and boundaries that change their shape: their distances and particles in each frame.

use std::sync::Arc;

use meniscus_geometry::mesh::Solid;
use meniscus_scene::Boundary;

use super::Setup;
use crate::{
    bake,
    deforming::{self, Deforming},
    params::{Collider, DistanceField},
};

impl Setup {
    /// Number of elements in the buffer of distances.
    #[must_use]
    pub fn distance_count(&self) -> u32 {
        self.fields.last().map_or(0, |(_, field)| field.first + field.length())
    }

    /// Collider with the distances of its mesh, if it is one.
    pub(super) fn with_distances(
        &mut self,
        collider: Collider,
        mesh: Option<&Arc<Solid>>,
        spacing: f64,
    ) -> Collider {
        let Some(solid) = mesh else { return collider };
        let field = DistanceField { first: self.distance_count(), ..bake::field(solid, spacing) };
        self.fields.push((solid.clone(), field));
        Collider { field: field.first, radius: field.cell, ..collider }
    }

    /// Collider of a boundary with the distances of its mesh, if it is one: two fields of one that changes its shape.
    pub(super) fn with_fields(
        &mut self,
        collider: Collider,
        boundary: &Boundary,
        spacing: f64,
    ) -> Collider {
        let Some((deformation, solid)) = boundary.frames().zip(boundary.shape.mesh()) else {
            return self.with_distances(collider, boundary.shape.mesh(), spacing);
        };
        let field = bake::field_around(solid, deformation.frames.bounds(), spacing);
        let field = DistanceField { first: self.distance_count(), ..field };
        let Some(own) = Deforming::of(boundary, self.colliders.len(), field) else {
            return collider;
        };
        self.fields.extend(own.fields.map(|field| (solid.clone(), field)));
        self.deforming.push(own);
        let changes = field.length();
        // The grid is around all frames.
        let reach = collider.reach.max(field.half_extents.length());
        Collider { field: field.first, radius: field.cell, changes, reach, ..collider }
    }

    /// Meshes of boundaries that change their shape with the grids of their distances, to be computed for the frame that
    /// begins at `start` s: at the end of the frame, and before if `both`, as at the beginning of a run, at its start.
    pub fn frame_fields(
        &self,
        start: f64,
        both: bool,
    ) -> impl Iterator<Item = (Solid, DistanceField)> {
        let first = usize::from(self.begins_with_second(start));
        let ends = [(start, first), (start + self.frame_duration, 1 - first)];
        let ends = move || ends.into_iter().skip(usize::from(!both));
        self.deforming
            .iter()
            .flat_map(move |own| ends().map(|(time, k)| (own.solid_at(time), own.fields[k])))
    }

    /// Whether the second field of what changes its shape has the distances at the start of the frame that begins at `start` s.
    pub(super) fn begins_with_second(&self, start: f64) -> bool {
        ((start / self.frame_duration).round() as u64).is_multiple_of(2)
    }

    /// Ways of the wall particles that triangles carry, in the frame that begins at `start` s: `wall_ways`.
    #[must_use]
    pub fn ways_from(&self, start: f64) -> Vec<[[f32; 4]; 4]> {
        let origin = |number: u32| self.pose(number as usize).position;
        deforming::ways(&self.deforming, start, self.frame_duration, origin)
    }

    /// Mesh of each collider that is a mesh at `time` in s, in its own axes about its position.
    #[must_use]
    pub fn meshes_at(&self, time: f64) -> Vec<(u32, Arc<Solid>)> {
        let mut meshes = self.meshes.clone();
        for own in &self.deforming {
            if let Some((_, mesh)) = meshes.iter_mut().find(|(number, _)| *number == own.number) {
                *mesh = Arc::new(own.solid_at(time));
            }
        }
        meshes
    }
}
