//! Signed distances of meshes computed on the GPU, compared with those of the host.

use conformance::device::{Flavour, block_on, gpu};
use glam::{DVec3, Vec3};
use meniscus::Simulation;
use meniscus_model::{
    Scene,
    bake::Batch,
    mesh::TriangleMesh,
    scene::{Boundary, Cuboid, Fluid, Material, MeshShape, Response, Shape, Side},
};

const SPACING: f64 = 0.06;

/// A wavy ring of triangles around y, much finer than the particles.
fn ring(long: u32, round: u32) -> TriangleMesh {
    let turn = |k: u32, of: u32| std::f64::consts::TAU * f64::from(k) / f64::from(of);
    let point = |k: u32| {
        let (a, b) = (turn(k / round, long), turn(k % round, round));
        let r = 0.3 + 0.04 * (9.0 * a).sin() * (4.0 * b).cos();
        let out = 0.7 + r * b.cos();
        [out * a.cos(), r * b.sin(), -out * a.sin()]
    };
    let points: Vec<_> = (0..long * round).map(point).collect();
    let at = |i: u32, k: u32| i % long * round + k % round;
    let cell = |n: u32| {
        let (i, k) = (n / round, n % round);
        let quad = [at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)];
        [[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]]
    };
    let triangles: Vec<_> = (0..long * round).flat_map(cell).collect();
    TriangleMesh::new(&points, &triangles).expect("a ring")
}

/// A thin wedge that ends in two long slivers, and the wedge without one of its faces.
fn wedges() -> [TriangleMesh; 2] {
    let points = [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1e-4, 0.0], [0.4, 0.1, 0.9]];
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
    [&faces[..], &faces[..3]].map(|faces| TriangleMesh::new(&points, faces).expect("a wedge"))
}

/// A cube whose faces coincide with nodes.
fn cube() -> TriangleMesh {
    let points =
        [0, 1, 2, 3, 4, 5, 6, 7].map(|k| [1, 2, 4].map(|b| f64::from(k / b % 2) * 20.0 * SPACING));
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let halves = faces.map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    TriangleMesh::new(&points, halves.as_flattened()).expect("a cube")
}

#[test]
fn the_gpu_finds_the_distances_that_the_host_finds() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let [wedge, sheet] = wedges();
    let ring = ring(300, 120);
    assert!(
        ring.triangles().len() > Batch::MAX_TRIANGLES as usize,
        "the test needs several batches"
    );
    let mut scene = Scene::default();
    scene.particle_radius = SPACING / 2.0;
    let material = Material::new("water");
    scene.materials = vec![material];
    scene.fluids =
        vec![Fluid::new(Shape::Box(Cuboid { min: [0.0, 3.0, 0.0], max: [0.2, 3.2, 0.2] }))];
    for (mesh, x, angle) in
        [(wedge, 0.0, 25.0), (ring, 4.0, 25.0), (sheet, 8.0, 25.0), (cube(), 12.0, 0.0)]
    {
        let mut shape = MeshShape::new("fixture");
        (shape.rotation.angle, shape.translation) = (angle, [x, 0.1, -0.2]);
        shape.fill_in(&mesh);
        scene.boundaries.push(Boundary {
            side: Side::Outside,
            response: Some(Response::Reflect { restitution: 0.0, friction: 0.0 }),
            ..Boundary::container(Shape::Mesh(shape))
        });
    }
    let simulation = block_on(gpu, Simulation::new(gpu, &scene)).expect("it starts");
    let (_, read) = block_on(gpu, simulation.machine().read(&["distances"])).expect("read");
    let distances: Vec<f32> = bytemuck::pod_collect_to_vec(&read["distances"]);
    assert_eq!(simulation.setup().fields.len(), 4);
    let (mut inside, mut deep) = (0, 0);
    for (solid, field) in &simulation.setup().fields {
        let own = &distances[field.first as usize..][..field.length() as usize];
        assert_eq!(Vec3::from_slice(own), field.half_extents);
        let [x, y, _] = field.nodes.to_array();
        let (band, cell) = (f64::from(field.band), f64::from(field.cell));
        let half = field.half_extents.as_dvec3();
        // f32 rounding of numbers as large as the grid.
        let bound = 1e-6 * half.max_element();
        for (i, found) in (0..).zip(&own[3..]) {
            let node = DVec3::new((i % x).into(), (i / x % y).into(), (i / x / y).into());
            let distance = solid.distance(solid.middle() + cell * node - half);
            let expected = distance.clamp(-band, band) - f64::from(field.half_thickness);
            let error = (f64::from(*found) - expected).abs();
            assert!(error <= bound, "{field:?}: node {node} is {found}, expected {expected}");
            inside += u32::from(expected < 0.0);
            deep += u32::from(expected == -band);
        }
    }
    assert!(inside > 5000 && deep > 50, "too few nodes: {inside} inside, {deep} of them deep");
}
