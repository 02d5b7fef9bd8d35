//! Problems of boundaries, drains, meshes and bodies.

use super::*;

#[test]
fn boundaries_and_drains() {
    let response =
        |response: Response| move |s: &mut Scene| s.boundaries[0].response = Some(response.clone());
    let reflect = |restitution, friction| response(Response::Reflect { restitution, friction });
    expect("boundary[0].response.reflect.restitution: must be from 0 to 1", reflect(1.1, 0.0));
    expect("boundary[0].response.reflect.friction: must be 0 or more", reflect(0.0, -0.1));
    expect("boundary[0].suction: must be from 0 to", |s| s.boundaries[0].suction = Some(-1.0));
    expect("boundary[0].suction: must be left out: it is of the solvers of SPH", |s| {
        s.solver = "flip".into();
        s.boundaries[0].suction = Some(100.0);
    });
    let spring = |stiffness, damping| response(Response::Spring { stiffness, damping });
    expect("boundary[0].response.spring.stiffness: must be 0 or more", spring(-1.0, 0.0));
    expect("boundary[0].response.spring.damping: must be a finite", spring(0.0, f64::NAN));
    let particles = |friction, no_slip| response(Response::Particles { friction, no_slip });
    expect("boundary[0].response.particles.friction: must be 0 or more", particles(-1.0, false));
    expect(
        "boundary[0].response.particles.friction: must be left out where no_slip = true",
        particles(1.0, true),
    );
    let volume = |friction, no_slip| response(Response::Volume { friction, no_slip });
    expect("boundary[0].response.volume.friction: must be 0 or more", volume(-1.0, false));
    expect(
        "boundary[0].response.volume.friction: must be left out where no_slip = true",
        volume(1.0, true),
    );
    expect("boundary[0].velocity[0]: must be a finite", |s| {
        s.boundaries[0].velocity[0] = f64::INFINITY;
    });
    let still = Shape::Plane(Plane { point: [0.0; 3], normal: [0.0; 3] });
    expect("boundary[1].shape.plane.normal: must not be 0", |s| {
        s.boundaries.push(wall(still.clone(), Side::Outside));
    });
    expect("drain[0].shape.plane.normal: must not be 0", |s| {
        s.drains.push(meniscus_model::scene::Drain { shape: still.clone(), outside: false });
    });
}

fn body(shape: Shape) -> Body {
    Body { density: Some(500.0), ..Body::new(shape) }
}

/// Triangles of a cube, without the first `left_out`.
fn cube_mesh(min: f64, max: f64, left_out: usize) -> Shape {
    let corner = |k: usize| [1, 2, 4].map(|bit| if k & bit == 0 { min } else { max });
    let corners: Vec<_> = (0..8).map(corner).collect();
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let halves = faces.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]);
    let triangles: Vec<[u32; 3]> = halves.skip(left_out).collect();
    let mesh = TriangleMesh::new(&corners, &triangles).expect("sound");
    Shape::Mesh(MeshShape { content: Content::of(Solid::new(mesh)), ..MeshShape::new("cube.obj") })
}

#[test]
fn fluids_of_meshes() {
    let with = |shape: Shape| move |s: &mut Scene| s.fluids[0].shape = shape;
    assert_eq!(found(with(cube_mesh(0.2, 0.7, 0))), [""; 0]);
    expect("fluid[0].shape: has 3 open edges: fluid fills", with(cube_mesh(0.2, 0.7, 1)));
}

#[test]
fn bodies_of_meshes() {
    let with = |shape: Shape| move |s: &mut Scene| s.bodies = vec![body(shape)];
    assert_eq!(found(with(cube_mesh(1.5, 2.0, 0))), [""; 0]);
    expect(
        "body[0].shape.mesh: has 3 open edges: a body needs a closed mesh",
        with(cube_mesh(1.5, 2.0, 1)),
    );
    // Two sides of one face.
    let sheet =
        TriangleMesh::new(&[[1.5; 3], [2.0, 1.5, 1.5], [1.5, 2.0, 1.5]], &[[0, 1, 2], [0, 2, 1]]);
    let content = Content::of(Solid::new(sheet.expect("sound")));
    let sheet = Shape::Mesh(MeshShape { content, ..MeshShape::new("sheet.obj") });
    expect("body[0].shape.mesh: encloses no volume", with(sheet));
    expect("body[0].shape.mesh.file: has not been read", with(Shape::Mesh(MeshShape::new(""))));
    expect("body[0].shape.mesh: is 0.05 m large", with(cube_mesh(1.5, 1.55, 0)));
    expect("body[0].shape: reaches 0.5 m outside", with(cube_mesh(2.5, 3.5, 0)));
    expect("body[0].shape.mesh: there are no meshes in 2-D", |s| {
        s.dimensions = 2;
        s.bodies = vec![body(cube_mesh(1.5, 2.0, 0))];
    });
    expect("body[0].mass: gives a density of 8 kg/m³", |s| {
        let own = Body { density: None, mass: Some(1.0), ..body(cube_mesh(1.5, 2.0, 0)) };
        s.bodies = vec![own];
    });
    for (first, second) in
        [(cube(1.5, 2.0), cube_mesh(1.9, 2.4, 0)), { (cube_mesh(1.5, 2.0, 0), cube(1.9, 2.4)) }]
    {
        expect("body[1].shape: fills a place that body[0] fills already", |s| {
            s.bodies = vec![body(first), body(second)];
        });
    }
    assert_eq!(
        found(|s| s.bodies = vec![body(cube(1.5, 2.0)), body(cube_mesh(2.0, 2.5, 0))]),
        [""; 0]
    );
}

#[test]
fn bodies() {
    let sound = || body(cube(1.5, 2.0));
    assert_eq!(found(|s| s.bodies = vec![sound(), body(cube(2.0, 2.5))]), [""; 0], "they touch");
    let one = |beginning: &str, change: &dyn Fn(&mut Body)| {
        expect(beginning, |s| {
            let mut own = sound();
            change(&mut own);
            s.bodies = vec![own];
        });
    };
    one("body[0].density: must be greater than 0, not 0.0", &|b| b.density = Some(0.0));
    one("body[0].density: must be greater than 0, not -3.0", &|b| b.density = Some(-3.0));
    one("body[0]: needs a density or a mass", &|b| b.density = None);
    one("body[0]: needs a density or a mass", &|b| b.mass = Some(1.0));
    one("body[0].density: gives a density of 1.1 kg/m³", &|b| b.density = Some(1.1));
    one("body[0].mass: gives a density of 8 kg/m³", &|b| {
        (b.density, b.mass) = (None, Some(1.0));
    });
    one("body[0].restitution: must be from 0 to 1", &|b| b.restitution = 1.5);
    one("body[0].friction: must be 0 or more", &|b| b.friction = -0.1);
    one("body[0].shape.plane: a plane cannot be a body", &|b| {
        b.shape = Shape::Plane(Plane { point: [0.0; 3], normal: [0.0, 1.0, 0.0] });
    });
    one("body[0].rotation.axis: must not be 0", &|b| {
        b.rotation = Some(Turn { axis: [0.0; 3], angle: 1.0 });
    });
    one("body[0].velocity: a body that does not move freely has none", &|b| {
        (b.fixed, b.velocity) = (true, [1.0, 0.0, 0.0]);
    });
    one("body[0].hinge: must be along a principal axis", &|b| b.hinge = Some([1.0, 0.2, 0.0]));
    one("body[0].hinge: must not be 0", &|b| b.hinge = Some([0.0; 3]));
    one("body[0].hinge: holds the centre of a body that turns freely", &|b| {
        (b.hinge, b.velocity) = (Some([0.0, 2.0, 0.0]), [1.0, 0.0, 0.0]);
    });
    one("body[0].motion[0].sway.period: must be greater than 0", &|b| {
        b.motion = vec![Motion::Sway { amplitude: [0.1; 3], period: 0.0, phase: 0.0 }];
    });
    one("body[0].motion[0].keyframes.frames[1].time: must be later than 1 s", &|b| {
        let frame = Keyframe { time: 1.0, position: [0.0; 3], angle: 0.0 };
        b.motion = vec![Motion::Keyframes {
            interpolation: Interpolation::Monotone,
            center: None,
            axis: [0.0, 1.0, 0.0],
            frames: vec![frame, frame],
        }];
    });
    one("body[0].shape: reaches 0.5 m outside the container boundary[0]", &|b| {
        b.shape = cube(2.5, 3.5);
    });
    expect("body[0].shape: is outside the domain", |s| {
        s.boundaries.clear();
        s.domain = Some(Domain { min: [-1.0; 3], max: [1.0; 3], periodic: [false; 3] });
        s.bodies = vec![sound()];
    });
    expect("body[1].shape: fills a place that body[0] fills already", |s| {
        s.bodies = vec![sound(), body(cube(1.8, 2.2))];
    });
    expect("body[0].density: gives a density of 9 kg/m³; bodies need at least 10 kg/m³", |s| {
        s.bodies = vec![Body { density: Some(9.0), ..sound() }];
    });
    expect("body[65535]: at most 65535 are possible, not 65536", |s| {
        s.bodies = vec![Body { fixed: true, density: None, ..sound() }; 65_536];
    });
}

#[test]
fn joints_and_moorings() {
    let with = |text: &'static str| {
        move |s: &mut Scene| {
            let (mut door, mut post) = (body(cube(1.2, 1.6)), body(cube(1.7, 2.0)));
            (door.name, post.name) = (Some("door".into()), Some("post".into()));
            (post.fixed, post.density) = (true, None);
            s.bodies = vec![door, post];
            let part: toml::Table = toml::from_str(text).expect("TOML");
            if let Some(joints) = part.get("joint") {
                s.joints = joints.clone().try_into().expect("joints");
            }
            if let Some(lines) = part.get("mooring") {
                s.moorings = lines.clone().try_into().expect("moorings");
            }
        }
    };
    for (problem, text) in [
        (
            "joint[0].bodies: \"dor\" is no body of the scene, which has door, post",
            "bodies = [\"dor\"]\nkind.fixed = {}",
        ),
        ("joint[0].bodies: names \"door\" twice", "bodies = [\"door\", \"door\"]\nkind.fixed = {}"),
        ("joint[0].bodies: has 0 names", "bodies = []\nkind.fixed = {}"),
        ("joint[0].bodies: needs one that moves freely", "bodies = [\"post\"]\nkind.fixed = {}"),
        (
            "joint[0].kind.hinge.limits: the least, 20, is more than the largest, -20",
            "bodies = [\"door\"]\nkind.hinge = { at = [1.2, 1.2, 1.2], axis = [0.0, 1.0, 0.0], limits = [20.0, -20.0] }",
        ),
        (
            "joint[0].kind.slider.limits: must hold at the start, where it is 0.0000",
            "bodies = [\"door\"]\nkind.slider = { axis = [0.0, 1.0, 0.0], limits = [0.1, 0.2] }",
        ),
        (
            "joint[0].kind.hinge.axis: must not be 0",
            "bodies = [\"door\"]\nkind.hinge = { at = [1.2, 1.2, 1.2], axis = [0.0, 0.0, 0.0] }",
        ),
        (
            "joint[0].kind.hinge.motor.most: must be greater than 0",
            "bodies = [\"door\"]\nkind.hinge = { at = [1.2, 1.2, 1.2], axis = [0.0, 1.0, 0.0], motor = { speed = 1.0, most = 0.0 } }",
        ),
        (
            "joint[0].kind.rope.length: is shorter than the 0.1000 m between its ends",
            "bodies = [\"door\", \"post\"]\nkind.rope = { ends = [[1.6, 1.6, 1.6], [1.7, 1.6, 1.6]], length = 0.05 }",
        ),
        (
            "joint[0].kind.spring.ends: are in one place",
            "bodies = [\"door\"]\nkind.spring = { ends = [[1.6, 1.6, 1.6], [1.6, 1.6, 1.6]], stiffness = 1.0 }",
        ),
    ] {
        let text: &'static str = format!("[[joint]]\n{text}").leak();
        expect(problem, with(text));
    }
    for (problem, text) in [
        (
            "mooring[0].length: must be more than the 1.4318 m from the anchor to the fairlead",
            "body = \"door\"\nfairlead = [1.4, 1.2, 1.4]\nanchor = [1.0, 0.0, 0.7292]\nlength = 1.4\nweight = 5.0",
        ),
        (
            "mooring[0].anchor: must be below the fairlead",
            "body = \"door\"\nfairlead = [1.4, 1.2, 1.4]\nanchor = [1.0, 1.3, 1.4]\nlength = 2.0\nweight = 5.0",
        ),
        (
            "mooring[0].body: \"post\" does not move freely",
            "body = \"post\"\nfairlead = [1.7, 1.7, 1.7]\nanchor = [1.0, 0.0, 1.4]\nlength = 3.0\nweight = 5.0",
        ),
    ] {
        let text: &'static str = format!("[[mooring]]\n{text}").leak();
        expect(problem, with(text));
    }
}
