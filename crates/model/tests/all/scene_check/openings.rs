//! Problems of emitters, inlets and outlets.

use super::*;

#[test]
fn emitters() {
    let with = |emitter: Emitter| move |s: &mut Scene| s.emitters.push(emitter);
    let mouth = |width| Mouth::Rectangle { width, height: 0.1 };
    expect("emitter[0].velocity: must not be 0", with(Emitter { velocity: [0.0; 3], ..emitter() }));
    expect("emitter[0].rate: must be greater", with(Emitter { rate: Some(0.0), ..emitter() }));
    expect(
        "emitter[0].mouth.rectangle.width: must be greater",
        with(Emitter { mouth: mouth(0.0), ..emitter() }),
    );
    expect(
        "emitter[0].mouth.circle.radius: must be greater",
        with(Emitter { mouth: Mouth::Circle { radius: -1.0 }, ..emitter() }),
    );
    expect(
        "emitter[0].mouth: is too small for a particle",
        with(Emitter { mouth: mouth(0.04), ..emitter() }),
    );
    expect(
        "emitter[0].mouth: holds 100,000,000,000 particles in one layer",
        with(Emitter { mouth: mouth(1e10), ..emitter() }),
    );
    expect("emitter[0].end: must be later than start", with(Emitter { end: 0.0, ..emitter() }));
    expect(
        "emitter[0].end: must be later than start",
        with(Emitter { end: f64::NAN, ..emitter() }),
    );
    expect("emitter[0].start: must be 0 or more", with(Emitter { start: -1.0, ..emitter() }));
    expect(
        "emitter[0].max_particles: must be at least one layer, 3, not 2",
        with(Emitter { mouth: mouth(0.3), max_particles: Some(2), ..emitter() }),
    );
    expect(
        "emitter[0].max_particles: must be at least one layer, 1, not 0",
        with(Emitter { max_particles: Some(0), ..emitter() }),
    );
    expect(
        "emitter[0].material: no material is called",
        with(Emitter { material: Some("oil".into()), ..emitter() }),
    );
    expect("emitter[0].center: reaches 0.2 m outside the container", |s| {
        s.emitters.push(Emitter { mouth: mouth(0.5), center: [3.0, 1.0, 0.0], ..emitter() });
    });
    let above = Emitter { mouth: mouth(0.3), center: [0.0, 2.0, 0.0], ..emitter() };
    // Particles of the emitter are 0.1 m apart: one is in the corner.
    let corner = Shape::Box(Cuboid { min: [0.05, 1.5, -0.2], max: [0.5, 2.5, 0.2] });
    expect("emitter[0].center: its mouth is 0.05 m deep in the obstacle boundary[1]", |s| {
        s.emitters.push(above.clone());
        s.boundaries.push(wall(corner.clone(), Side::Outside));
    });
    expect("emitter[0].center: its mouth is 0.05 m deep in body[0]", |s| {
        s.emitters.push(above.clone());
        s.bodies.push(Body { density: Some(500.0), ..Body::new(corner.clone()) });
    });
    let alone = found(|s| {
        s.fluids.clear();
        s.emitters.push(emitter());
    });
    assert!(alone.is_empty(), "{alone:?}");
}

#[test]
fn open_boundaries() {
    let inlet = || Inlet { side: Some(Way::Left), velocity: Some(1.0), ..Inlet::default() };
    let outlet = || Outlet { side: Some(Way::Right), ..Outlet::default() };
    let found = |change: &dyn Fn(&mut Scene)| {
        found(|s| {
            s.solver = "apic".into();
            change(s);
        })
    };
    let with_inlet = |inlet: Inlet| found(&|s| s.inlets = vec![inlet.clone()]);
    let with_outlet = |outlet: Outlet| found(&|s| s.outlets = vec![outlet.clone()]);
    assert!(with_inlet(inlet()).is_empty());
    assert!(with_outlet(outlet()).is_empty());
    let expect = |texts: Vec<String>, beginning: &str| {
        assert!(texts.len() == 1 && texts[0].starts_with(beginning), "{texts:?}");
    };
    let face = |min, max, direction| Inlet {
        side: None,
        min: Some(min),
        max: Some(max),
        direction,
        ..inlet()
    };
    let right = Some(Way::Right);
    expect(with_inlet(Inlet { rate: Some(1.0), ..inlet() }), "inlet[0]: must have one of velocity");
    expect(with_inlet(Inlet { velocity: None, ..inlet() }), "inlet[0]: needs a velocity");
    expect(with_inlet(Inlet { side: None, ..inlet() }), "inlet[0]: needs a side");
    expect(with_inlet(Inlet { direction: right, ..inlet() }), "inlet[0].side: must be given");
    expect(with_inlet(Inlet { level: Some(9.0), ..inlet() }), "inlet[0].level: must be between");
    let parabola = Inlet { profile: Profile::Parabolic, level: Some(0.5), ..inlet() };
    expect(with_inlet(parabola), "inlet[0].profile: must be left out beside a level");
    let corners = ([-1.0; 3], [-1.0, 1.0, 3.0]);
    expect(with_inlet(face(corners.0, corners.1, None)), "inlet[0]: needs a direction");
    expect(with_inlet(face(corners.0, corners.1, right)), "inlet[0]: covers a part of that side");
    expect(with_inlet(face(corners.0, [3.0; 3], right)), "inlet[0].min: must be a rectangle");
    let outside = face([-2.0, -1.0, -1.0], [-2.0, 3.0, 3.0], right);
    expect(with_inlet(outside), "inlet[0]: is outside of the container boundary[0]");
    let low = face([-0.5, -9.0, -1.0], [-0.5, 3.0, 3.0], right);
    expect(with_inlet(low), "inlet[0]: reaches beyond the containers");
    let both = Outlet { level: Some(0.5), pressure: Some(1.0), ..outlet() };
    expect(with_outlet(both), "outlet[0]: must have a level or a pressure");
    let unnamed = found(&|s| {
        s.outlets = vec![Outlet { name: Some("a".into()), ..outlet() }; 2];
    });
    expect(unnamed, "outlet[1].name: \"a\" is the name of an earlier");
    let weightless = found(&|s| {
        s.gravity = [0.0; 3];
        s.outlets = vec![Outlet { level: Some(0.5), ..outlet() }];
    });
    expect(weightless, "outlet[0].level: needs gravity");
    let alone = found(&|s| {
        s.solver = "dfsph".into();
        s.inlets = vec![Inlet { velocity: None, level: Some(0.5), ..inlet() }];
    });
    expect(alone, "inlet[0]: the solver \"dfsph\" lets nothing in by a level alone");
    let pressed = found(&|s| {
        s.solver = "dfsph".into();
        s.outlets = vec![Outlet { pressure: Some(50.0), ..outlet() }];
    });
    expect(pressed, "outlet[0]: the solver \"dfsph\" holds no pressure beyond an outlet");
    let iterated = found(&|s| {
        s.solver = "dfsph".into();
        s.settings.set("dfsph.pressure", "cg");
        s.outlets = vec![outlet()];
    });
    expect(iterated, "dfsph.pressure: must be \"jacobi\"");
    let other = found(&|s| {
        s.solver = "mls_mpm".into();
        s.outlets = vec![outlet()];
    });
    expect(other, "outlet[0]: the solver \"mls_mpm\" has no open boundaries");
}
