//! Boundary particles of whole scenes.

use meniscus_model::{
    Scene, Setup,
    params::KIND_BOUNDARY,
    scene::{Body, Boundary, Cuboid, Domain, Fluid, Material, Plane, Response, Shape, Sphere},
};

#[test]
fn a_wall_along_a_periodic_axis_has_no_seam() {
    for (dimensions, period) in [(2, 0.4), (3, 0.4)] {
        let mut scene = Scene::default();
        scene.dimensions = dimensions;
        scene.particle_radius = 0.0125;
        scene.domain = Some(Domain {
            min: [0.0; 3],
            max: [period; 3],
            periodic: [true, false, dimensions == 3],
        });
        scene.materials = vec![Material::new("water")];
        let layer = Shape::Box(Cuboid { min: [0.0; 3], max: [period, 0.1, period] });
        scene.fluids = vec![Fluid::new(layer)];
        let floor = Shape::Plane(Plane { point: [0.0; 3], normal: [0.0, 1.0, 0.0] });
        scene.boundaries = vec![Boundary {
            response: Some(Response::Particles { friction: 0.0, no_slip: false }),
            ..Boundary::container(floor)
        }];
        let setup = Setup::new(&scene).expect("a scene without problems");
        let walls = setup.identity.iter().map(|who| who[1] & 255 == KIND_BOUNDARY);
        let volumes: Vec<f32> =
            setup.position.iter().zip(walls).filter(|(_, wall)| *wall).map(|(p, _)| p[3]).collect();
        // 0.4 m are 16 spacings.
        assert_eq!(volumes.len(), 16_usize.pow(dimensions - 1), "{dimensions}-D");
        let (least, most) =
            volumes.iter().fold((f32::MAX, 0.0_f32), |(a, b), v| (a.min(*v), b.max(*v)));
        assert!(most / least - 1.0 < 1e-5, "{dimensions}-D: {least} to {most}");
    }
}

#[test]
fn an_obstacle_displaces_the_fluid_at_the_start() {
    let fluid = Fluid::new(Shape::Box(Cuboid { min: [0.0; 3], max: [0.4; 3] }));
    let ball = Shape::Sphere(Sphere { center: [0.2; 3], radius: 0.1 });
    let mut scene = Scene::new(0.02).with_fluid(fluid);
    let all = Setup::new(&scene).expect("sound").position.len();
    scene = scene.with_boundary(Boundary::obstacle(ball));
    let setup = Setup::new(&scene).expect("sound");
    let left = setup.identity.iter().filter(|who| who[1] & 255 != KIND_BOUNDARY).count();
    // A ball of 2.5 + 0.5 spacings, on a lattice whose points lie around its centre.
    let near = |k: i32| (f64::from(k) + 0.5).powi(2);
    let inside = |x: i32, y: i32, z: i32| near(x) + near(y) + near(z) < 9.0;
    let row = || -4..4;
    let ball = row().flat_map(|x| row().flat_map(move |y| row().filter(move |z| inside(x, y, *z))));
    assert_eq!(all - left, ball.count());
}

#[test]
fn fluid_lies_close_around_a_free_body_at_the_start() {
    let fluid = Fluid::new(Shape::Box(Cuboid { min: [0.0; 3], max: [1.0, 1.0, 0.0] }));
    let mut scene = Scene::new(0.01).in_2d().with_fluid(fluid);
    let all = Setup::new(&scene).expect("sound").position.len() as f64;
    let mut disc = Body::new(Shape::Sphere(Sphere { center: [0.5, 0.5, 0.0], radius: 0.1 }));
    disc.density = Some(2000.0);
    scene.materials = vec![Material::new("water")];
    scene = scene.with_body(disc);
    let setup = Setup::new(&scene).expect("sound");
    let (walls, fluid): (Vec<_>, Vec<_>) = setup
        .identity
        .iter()
        .zip(&setup.position)
        .partition(|(who, _)| who[1] & 255 == KIND_BOUNDARY);
    // Half a spacing of the disc's edge more or less are 16 particles.
    let gone = all - fluid.len() as f64;
    let area = std::f64::consts::PI * 0.1_f64.powi(2) / 0.02_f64.powi(2);
    assert!((gone - area).abs() < 4.0, "{gone} in place of {area}");
    let distance = |p: &[f32; 4], q: &[f32; 4]| (p[0] - q[0]).hypot(p[1] - q[1]) / 0.02;
    for (_, wall) in &walls {
        let nearest = fluid.iter().map(|(_, place)| distance(wall, place));
        let nearest = nearest.fold(f32::MAX, f32::min);
        assert!((0.7..1.2).contains(&nearest), "{nearest} spacings");
    }
}
