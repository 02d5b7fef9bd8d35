//! Particles inside shapes: cubic lattices (square ones in 2-D, at z = 0), the same on every run.

use glam::DVec3;

use crate::shape::{Mouth, Packing, Shape, Vec3};

/// Share of a spacing by which a shape may be too small for its last layer: decimal fractions of a
/// metre are not exact in binary.
const SLACK: f64 = 1e-3;

/// World coordinates in m of the particles that fill `shape` at `spacing` m, each moved by up to
/// ± `jitter` · `spacing` per axis as `seed` says.
///
/// A box is filled from its lower corner, half a spacing inside it; other shapes from their centre,
/// with every particle at least half a spacing below the surface. Planes hold nothing, nor do
/// cylinders in 2-D. Memory is taken for all particles: see [`count`] first.
#[must_use]
pub fn fill(shape: &Shape, spacing: f64, dimensions: u32, jitter: f64, seed: u32) -> Vec<Vec3> {
    if let Shape::Points(points) = shape {
        let mut particles = points.content.get().map_or(Vec::new(), |points| points.to_vec());
        shake(&mut particles, spacing, dimensions, jitter, seed);
        return particles;
    }
    if let Shape::Mesh(mesh) = shape {
        let sites = mesh.content.get().map(|solid| solid.sites(spacing, (0.5 - SLACK) * spacing));
        let mut particles = sites.map_or(Vec::new(), |sites| sites.to_vec());
        shake(&mut particles, spacing, dimensions, jitter, seed);
        return particles;
    }
    let lattice = Lattice::of(shape, spacing, dimensions);
    let is_box = matches!(shape, Shape::Box { .. });
    let mut particles = Vec::new();
    for k in 0..lattice.counts[2] as u64 {
        for j in 0..lattice.counts[1] as u64 {
            for i in 0..lattice.counts[0] as u64 {
                let step = DVec3::new(i as f64, j as f64, k as f64);
                let point = lattice.first + step * spacing;
                if is_box || depth(shape, point, dimensions) >= (0.5 - SLACK) * spacing {
                    particles.push(point.to_array());
                }
            }
        }
    }
    shake(&mut particles, spacing, dimensions, jitter, seed);
    particles
}

fn shake(particles: &mut [Vec3], spacing: f64, dimensions: u32, jitter: f64, seed: u32) {
    if jitter != 0.0 {
        let axes = if dimensions == 2 { 2 } else { 3 };
        for (index, particle) in particles.iter_mut().enumerate() {
            for (axis, coordinate) in particle.iter_mut().take(axes).enumerate() {
                *coordinate += jitter * spacing * signed_noise(seed, index as u64, axis as u64);
            }
        }
    }
}

/// [`fill`] with particles that lie in a packing.
#[must_use]
pub fn fill_packed(
    shape: &Shape,
    packing: Packing,
    spacing: f64,
    dimensions: u32,
    jitter: f64,
    seed: u32,
) -> Vec<Vec3> {
    let Some(packed) = Packed::of(shape, packing, spacing, dimensions) else {
        return fill(shape, spacing, dimensions, jitter, seed);
    };
    let mut particles = Vec::new();
    let [x, y, z] = packed.counts.map(|count| count as u64);
    for (j, k, l) in (0..x).flat_map(|j| (0..y).flat_map(move |k| (0..z).map(move |l| (j, k, l)))) {
        let mut at = packed.first + DVec3::new(j as f64, k as f64, l as f64) * packed.step;
        let even = k % 2 == 0;
        match packing {
            Packing::Hexagonal => {
                at.x += if even { 0.5 * packed.step.x } else { 0.0 };
                at.z += if j % 2 == 0 {
                    0.5
                } else if even {
                    1.0
                } else {
                    0.0
                } * spacing;
            }
            _ if even => at.z += 0.5 * spacing,
            _ => at.x += 0.5 * spacing,
        }
        particles.push(if dimensions == 2 { [at.x, at.y, 0.0] } else { at.to_array() });
    }
    shake(&mut particles, spacing, dimensions, jitter, seed);
    particles
}

/// [`count`] of particles that lie in a packing.
#[must_use]
pub fn count_packed(shape: &Shape, packing: Packing, spacing: f64, dimensions: u32) -> f64 {
    let packed = Packed::of(shape, packing, spacing, dimensions);
    packed
        .map_or_else(|| count(shape, spacing, dimensions), |packed| packed.counts.iter().product())
}

/// A box filled more densely than by cubes.
struct Packed {
    first: DVec3,
    step: DVec3,
    counts: [f64; 3],
}

impl Packed {
    /// Of a box that is to be filled so. Rows that are moved aside lie within it as well.
    fn of(shape: &Shape, packing: Packing, spacing: f64, dimensions: u32) -> Option<Self> {
        let Shape::Box { min, max } = *shape else { return None };
        let half = 0.5 * spacing;
        let layer = 3f64.sqrt() * half;
        let row = 6f64.sqrt() * spacing / 3.0;
        let size = DVec3::from(max) - DVec3::from(min);
        let rows = |length: f64, step: f64| ((length - spacing) / step + SLACK).floor() + 1.0;
        let (step, counts) = match packing {
            Packing::Cubic => return None,
            Packing::Staggered => (
                DVec3::new(spacing, layer, spacing),
                [cells(size.x - half, spacing), rows(size.y, layer), cells(size.z - half, spacing)],
            ),
            Packing::Hexagonal => (
                DVec3::new(row, layer, spacing),
                [
                    rows(size.x - 0.5 * row, row),
                    rows(size.y, layer),
                    cells(size.z - spacing, spacing),
                ],
            ),
        };
        let mut counts = counts.map(|count| count.max(0.0));
        if dimensions == 2 {
            counts[2] = 1.0;
        }
        Some(Self { first: DVec3::from(min) + half, step, counts })
    }
}

/// At least as many particles as [`fill`] makes, found without making them: exact for boxes, a few
/// per cent too many for large round shapes, 0 exactly when there are none.
#[must_use]
pub fn count(shape: &Shape, spacing: f64, dimensions: u32) -> f64 {
    if let Shape::Points(points) = shape {
        return points.content.get().map_or(0.0, |points| points.len() as f64);
    }
    let lattice = Lattice::of(shape, spacing, dimensions);
    let sites = lattice.counts.iter().product::<f64>();
    if let Shape::Mesh(_) = shape {
        // To look at more than that would take long.
        let few = sites < 1e8;
        return if few { fill(shape, spacing, dimensions, 0.0, 0).len() as f64 } else { sites };
    }
    // The cell of every particle lies within the shape grown by this much: the cell's half
    // diagonal, less the half spacing that particles keep from the surface.
    let grown = 0.5 * (f64::from(dimensions).sqrt() - 1.0) * spacing;
    sites.min((volume(shape, grown, dimensions) / spacing.powi(dimensions as i32)).ceil())
}

/// World coordinates in m of one layer of particles, `spacing` m apart, in an emitter's mouth: in
/// the plane through `center` perpendicular to `direction` (of any length), on a line in 2-D.
///
/// The width of a rectangle is horizontal (along x where the direction is vertical). Memory is
/// taken for all particles: see [`layer_count`] first.
#[must_use]
pub fn emitter_layer(
    mouth: &Mouth,
    center: Vec3,
    direction: Vec3,
    up: Option<Vec3>,
    spacing: f64,
    dimensions: u32,
) -> Vec<Vec3> {
    let center = DVec3::from(center);
    let Some(normal) = DVec3::from(direction).try_normalize() else { return Vec::new() };
    let up = up.map_or(DVec3::Y, DVec3::from);
    let across = if dimensions == 2 { normal.cross(DVec3::Z) } else { normal.cross(up) };
    // Nearly vertical: take x as horizontal, made perpendicular to the direction.
    let fallback = (DVec3::X - normal * normal.x).normalize_or_zero();
    let across = if across.length() > 1e-6 { across.normalize() } else { fallback };
    let along = across.cross(normal);
    let [width, height] = mouth_lattice(mouth, spacing, dimensions);
    let mut layer = Vec::new();
    for j in 0..height as u64 {
        for i in 0..width as u64 {
            let u = (i as f64 - 0.5 * (width - 1.0)) * spacing;
            let v = (j as f64 - 0.5 * (height - 1.0)) * spacing;
            let held = match mouth {
                Mouth::Rectangle { .. } => true,
                Mouth::Disc { across } => {
                    u.hypot(v) <= (0.5 * f64::from(*across) + SLACK) * spacing
                }
                Mouth::Circle { radius } => u.hypot(v) <= radius - (0.5 - SLACK) * spacing,
            };
            if held {
                layer.push((center + across * u + along * v).to_array());
            }
        }
    }
    layer
}

/// At least as many particles as [`emitter_layer`] makes, 0 exactly when there are none.
#[must_use]
pub fn layer_count(mouth: &Mouth, spacing: f64, dimensions: u32) -> f64 {
    mouth_lattice(mouth, spacing, dimensions).iter().product()
}

/// Lattice sites across and along a mouth.
fn mouth_lattice(mouth: &Mouth, spacing: f64, dimensions: u32) -> [f64; 2] {
    let (across, along) = match *mouth {
        Mouth::Rectangle { width, height } => (cells(width, spacing), cells(height, spacing)),
        Mouth::Disc { across } => (f64::from(across), f64::from(across)),
        Mouth::Circle { radius } => {
            let sites = centered_sites(radius - 0.5 * spacing, spacing);
            (sites, sites)
        }
    };
    [across, if dimensions == 2 { 1.0 } else { along }]
}

/// How deep `point` is below the surface of `shape`, in m, negative outside; below a plane is
/// where its normal points. In 2-D, z does not count.
#[must_use]
pub fn depth(shape: &Shape, point: DVec3, dimensions: u32) -> f64 {
    match *shape {
        Shape::Box { min, max } => {
            let inside = (point - DVec3::from(min)).min(DVec3::from(max) - point);
            let plane = inside.x.min(inside.y);
            if dimensions == 2 { plane } else { plane.min(inside.z) }
        }
        Shape::Sphere { center, radius } => {
            radius - flat(point - DVec3::from(center), dimensions).length()
        }
        Shape::Mesh(ref mesh) => {
            mesh.content.get().map_or(f64::NEG_INFINITY, |solid| -solid.distance(point))
        }
        Shape::Points(_) => f64::NEG_INFINITY,
        Shape::Plane { point: origin, normal } => {
            (point - DVec3::from(origin)).dot(DVec3::from(normal).normalize_or_zero())
        }
        Shape::Cylinder { start, end, radius } => {
            let (start, end) = (DVec3::from(start), DVec3::from(end));
            let axis = (end - start).normalize_or_zero();
            let along = (point - start).dot(axis);
            let from_axis = (point - start - axis * along).length();
            (radius - from_axis).min(along).min((end - start).length() - along)
        }
        Shape::Capsule { start, end, radius } => {
            let axis = flat(DVec3::from(end) - DVec3::from(start), dimensions);
            let offset = flat(point - DVec3::from(start), dimensions);
            let along =
                (offset.dot(axis) / axis.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
            radius - (offset - axis * along).length()
        }
    }
}

/// The smallest box along the axes that holds the shape: centre and half extents in m. A plane's
/// is its point.
#[must_use]
pub fn bounds(shape: &Shape) -> (DVec3, DVec3) {
    let middle = |a: Vec3, b: Vec3| 0.5 * DVec3::from(a) + 0.5 * DVec3::from(b);
    let half = |a: Vec3, b: Vec3| 0.5 * DVec3::from(b) - 0.5 * DVec3::from(a);
    match *shape {
        Shape::Box { min, max } => (middle(min, max), half(min, max)),
        Shape::Sphere { center, radius } => (DVec3::from(center), DVec3::splat(radius)),
        Shape::Plane { point, .. } => (DVec3::from(point), DVec3::ZERO),
        Shape::Mesh(ref mesh) => {
            let (low, high) = mesh
                .content
                .get()
                .map_or((DVec3::ZERO, DVec3::ZERO), |solid| solid.mesh().bounds());
            (0.5 * (low + high), 0.5 * (high - low))
        }
        Shape::Points(ref points) => {
            let points = points.content.get().map_or(&[][..], |points| points);
            let (low, high) = points.iter().fold((DVec3::MAX, DVec3::MIN), |(low, high), p| {
                (low.min(DVec3::from(*p)), high.max(DVec3::from(*p)))
            });
            if points.is_empty() {
                return (DVec3::ZERO, DVec3::ZERO);
            }
            (0.5 * (low + high), 0.5 * (high - low))
        }
        Shape::Cylinder { start, end, radius } => {
            let axis = half(start, end).normalize_or_zero();
            let rim = (DVec3::ONE - axis * axis).max(DVec3::ZERO);
            let rim = radius * DVec3::new(rim.x.sqrt(), rim.y.sqrt(), rim.z.sqrt());
            (middle(start, end), half(start, end).abs() + rim)
        }
        Shape::Capsule { start, end, radius } => {
            (middle(start, end), half(start, end).abs() + DVec3::splat(radius))
        }
    }
}

/// Volume in m³ (area in m² in 2-D) of the shape with its surface moved outward by `grown` m.
fn volume(shape: &Shape, grown: f64, dimensions: u32) -> f64 {
    use std::f64::consts::PI;
    let flat_length =
        |start: Vec3, end: Vec3| flat(DVec3::from(end) - DVec3::from(start), dimensions).length();
    match *shape {
        // Their lattices are exact.
        Shape::Box { .. } | Shape::Mesh(_) | Shape::Points(_) => f64::INFINITY,
        Shape::Plane { .. } => 0.0,
        Shape::Sphere { radius, .. } if dimensions == 2 => PI * (radius + grown).powi(2),
        Shape::Sphere { radius, .. } => 4.0 / 3.0 * PI * (radius + grown).powi(3),
        Shape::Cylinder { start, end, radius } => {
            PI * (radius + grown).powi(2) * (flat_length(start, end) + 2.0 * grown)
        }
        Shape::Capsule { start, end, radius } => {
            let r = radius + grown;
            let length = flat_length(start, end);
            if dimensions == 2 {
                PI * r * r + 2.0 * r * length
            } else {
                PI * r * r * (4.0 / 3.0 * r + length)
            }
        }
    }
}

/// The sites among which the particles of a shape are found.
struct Lattice {
    first: DVec3,
    /// Whole numbers; floating-point so that absurd sizes do not overflow.
    counts: [f64; 3],
}

impl Lattice {
    fn of(shape: &Shape, spacing: f64, dimensions: u32) -> Self {
        let (center, half) = bounds(shape);
        let mut counts = match *shape {
            Shape::Box { .. } => half.to_array().map(|half| cells(2.0 * half, spacing)),
            Shape::Plane { .. } | Shape::Points(_) => [0.0; 3],
            _ => half.to_array().map(|half| centered_sites(half - 0.5 * spacing, spacing)),
        };
        // Layers lie flush with the flat ends of a cylinder along an axis.
        if let Shape::Cylinder { start, end, .. } = *shape {
            let axis = (DVec3::from(end) - DVec3::from(start)).normalize_or_zero();
            if let Some(flush) = (0..3).find(|&k| axis[k].abs() > 1.0 - 1e-9) {
                counts[flush] = cells(2.0 * half[flush], spacing);
            }
        }
        let mut first = center - 0.5 * (DVec3::from(counts) - 1.0) * spacing;
        if let Shape::Box { min, .. } = *shape {
            first = DVec3::from(min) + 0.5 * spacing;
        }
        if dimensions == 2 {
            let solid =
                matches!(shape, Shape::Plane { .. } | Shape::Cylinder { .. } | Shape::Mesh(_));
            counts[2] = if solid { 0.0 } else { 1.0 };
            first.z = 0.0;
        }
        Self { first, counts }
    }
}

/// Whole spacings in a length.
fn cells(length: f64, spacing: f64) -> f64 {
    (length / spacing + SLACK).floor().max(0.0)
}

/// Lattice sites within ± `reach` of a centre that is one of them.
fn centered_sites(reach: f64, spacing: f64) -> f64 {
    let beside = (reach / spacing + SLACK).floor();
    if beside >= 0.0 { 2.0 * beside + 1.0 } else { 0.0 }
}

fn flat(v: DVec3, dimensions: u32) -> DVec3 {
    if dimensions == 2 { v.with_z(0.0) } else { v }
}

/// A number in [-1, 1) that depends on its arguments alone (the finaliser of `SplitMix64`).
fn signed_noise(seed: u32, index: u64, axis: u64) -> f64 {
    let mut x = (u64::from(seed) << 32) ^ (index * 3 + axis);
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^= x >> 31;
    (x >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: f64 = 0.05;

    fn shapes() -> Vec<Shape> {
        vec![
            Shape::Box { min: [0.0; 3], max: [0.5, 0.3, 0.2] },
            Shape::Sphere { center: [0.1, 0.2, 0.3], radius: 0.33 },
            Shape::Cylinder { start: [0.0, -1.0, 0.0], end: [0.0, -0.6, 0.0], radius: 0.2 },
            Shape::Cylinder { start: [0.0; 3], end: [0.3, 0.4, 0.5], radius: 0.2 },
            Shape::Capsule { start: [0.0; 3], end: [0.3, 0.0, 0.5], radius: 0.11 },
            Shape::Plane { point: [0.0; 3], normal: [0.0, 1.0, 0.0] },
        ]
    }

    #[test]
    fn a_box_of_ten_by_six_by_four_spacings() {
        let particles = fill(&shapes()[0], S, 3, 0.0, 0);
        assert_eq!(particles.len(), 240);
        assert_eq!(particles[0], [0.025; 3]);
        let flat = fill(&shapes()[0], S, 2, 0.0, 0);
        assert_eq!(flat.len(), 60);
        assert!(flat.iter().all(|p| p[2] == 0.0));
    }

    #[test]
    fn count_bounds_fill() {
        for dimensions in [2, 3] {
            for shape in shapes() {
                for radius_scale in [1.0, 0.37, 0.1] {
                    let spacing = S * radius_scale;
                    let made = fill(&shape, spacing, dimensions, 0.0, 0).len() as f64;
                    let estimate = count(&shape, spacing, dimensions);
                    assert!(estimate >= made, "{shape:?}: {estimate} < {made}");
                    assert_eq!(estimate == 0.0, made == 0.0, "{shape:?}");
                }
            }
        }
    }

    #[test]
    fn particles_keep_half_a_spacing_from_the_surface() {
        for shape in &shapes()[..5] {
            let particles = fill(shape, S, 3, 0.0, 0);
            assert!(!particles.is_empty());
            for p in particles {
                assert!(depth(shape, DVec3::from(p), 3) >= 0.499 * S - 1e-12, "{shape:?} {p:?}");
            }
        }
    }

    #[test]
    fn layers_are_flush_with_the_ends_of_an_upright_cylinder() {
        let particles = fill(&shapes()[2], S, 3, 0.0, 0);
        let lowest = particles.iter().map(|p| p[1]).fold(f64::INFINITY, f64::min);
        let highest = particles.iter().map(|p| p[1]).fold(f64::NEG_INFINITY, f64::max);
        assert!((lowest - -0.975).abs() < 1e-12 && (highest - -0.625).abs() < 1e-12);
    }

    #[test]
    fn jitter_is_bounded_repeatable_and_depends_on_the_seed() {
        let shape = &shapes()[0];
        let still = fill(shape, S, 3, 0.0, 7);
        let moved = fill(shape, S, 3, 0.2, 7);
        assert_eq!(moved, fill(shape, S, 3, 0.2, 7));
        assert_ne!(moved, fill(shape, S, 3, 0.2, 8));
        let offsets: Vec<f64> =
            still.iter().flatten().zip(moved.iter().flatten()).map(|(a, b)| b - a).collect();
        assert!(offsets.iter().all(|d| d.abs() <= 0.2 * S + 1e-12));
        let mean = offsets.iter().sum::<f64>() / offsets.len() as f64;
        assert!(mean.abs() < 0.1 * 0.2 * S, "{mean}");
        assert!(fill(shape, S, 2, 0.2, 7).iter().all(|p| p[2] == 0.0));
    }

    #[test]
    fn absurd_sizes_do_not_overflow() {
        let huge = Shape::Box { min: [-1e300; 3], max: [1e300; 3] };
        assert_eq!(count(&huge, 1e-3, 3), f64::INFINITY);
        let huge = Shape::Sphere { center: [0.0; 3], radius: 1e300 };
        assert_eq!(count(&huge, 1e-3, 3), f64::INFINITY);
    }

    #[test]
    fn emitter_layers_lie_in_their_plane() {
        let mouth = Mouth::Rectangle { width: 0.2, height: 0.1 };
        for direction in [[0.0, -2.0, 0.0], [1.0, 0.0, 0.0], [0.3, -0.2, 0.9]] {
            let layer = emitter_layer(&mouth, [1.0, 2.0, 3.0], direction, None, S, 3);
            assert_eq!(layer.len(), 8);
            assert_eq!(layer_count(&mouth, S, 3), 8.0);
            let (d, c) = (DVec3::from(direction), DVec3::new(1.0, 2.0, 3.0));
            assert!(layer.iter().all(|&p| (DVec3::from(p) - c).dot(d).abs() < 1e-12));
        }
        let circle = Mouth::Circle { radius: 0.125 };
        let layer = emitter_layer(&circle, [0.0; 3], [0.0, -1.0, 0.0], None, S, 3);
        assert_eq!(layer.len(), 13);
        let line = emitter_layer(&mouth, [0.0; 3], [0.0, -1.0, 0.0], None, S, 2);
        assert_eq!(line.len(), 4);
        assert!(line.iter().all(|p| p[1] == 0.0 && p[2] == 0.0));
        assert!(emitter_layer(&mouth, [0.0; 3], [0.0; 3], None, S, 3).is_empty());
    }
}
