//! What a family of methods does not have is a problem or a warning.

use meniscus_model::Scene;
use meniscus_model::methods::Registry;
use meniscus_model::scene::{
    Contact, Cuboid, Domain, Fluid, Kernel, Material, Response, Shape, Side,
};

use super::scene_check::{found, wall};

/// A valid scene of the material point method.
fn points(change: impl FnOnce(&mut Scene)) -> Vec<String> {
    found(|scene| {
        scene.solver = "mls_mpm".into();
        change(scene);
    })
}

#[test]
fn what_a_family_does_not_have_is_refused() {
    assert_eq!(points(|_| ()), [""; 0]);
    let alone = |found: Vec<String>, key: &str| {
        assert_eq!(found.len(), 1, "{key}: {found:?}");
        assert!(found[0].starts_with(&format!("{key}: ")), "{found:?} is not of {key}");
    };
    alone(points(|s| s.kernel = Some(Kernel::CubicSpline)), "kernel");
    alone(points(|s| s.support_radius = Some(0.2)), "support_radius");
    alone(points(|s| s.settings.set("viscosity.model", "xsph")), "viscosity.model");
    alone(points(|s| s.settings.set("wcsph.gamma", 7.0)), "wcsph.gamma");
    alone(points(|s| s.settings.set("mpm.cell", 0.5)), "mpm.cell");
    alone(points(|s| s.materials[0].surface_tension = 0.07), "material[0].surface_tension");
    for (model, key, value) in [
        ("water", "sound_speed", 1.0),
        ("jelly", "poisson_ratio", 0.5),
        ("snow", "youngs_modulus", 0.0),
        ("sand", "friction_angle", 81.0),
        ("sand", "friction_angle", 0.0),
        // Another model has it.
        ("sand", "hardening", 3.0),
        ("water", "youngs_modulus", 1e5),
    ] {
        let of_model =
            |s: &mut Scene| s.materials[0] = Material::new("m").with_model(model).with(key, value);
        alone(points(of_model), &format!("material[0].{key}"));
    }
    let angles = |s: &mut Scene| {
        let sand = Material::new("m").with_model("sand");
        s.materials[0] = sand.with("hardening_angles", vec![30.0, 5.0]);
    };
    alone(points(angles), "material[0].hardening_angles");
    alone(points(|s| s.materials[0].model = Some("custard".into())), "material[0].model");
    alone(points(|s| s.materials[0].color = Some([0.0, 2.0, 0.0])), "material[0].color[1]");
    let beyond = Domain { min: [-1.0; 3], max: [0.9; 3], periodic: [false; 3] };
    alone(points(|s| s.domain = Some(beyond)), "fluid[0].shape");
    let uneven = Domain { min: [-1.0; 3], max: [3.1; 3], periodic: [true, false, false] };
    alone(points(|s| s.domain = Some(uneven)), "mpm.cell");
    let layer = Response::Particles { friction: 0.0, no_slip: false };
    alone(points(|s| s.boundaries[0].response = Some(layer)), "boundary[0].response.particles");
    alone(points(|s| s.time.step = Some(0.01)), "time.step");
    let stiff = |s: &mut Scene| {
        s.time.min_step = 1e-4;
        s.materials[0] = Material::new("m").with_model("jelly").with("youngs_modulus", 1e12);
    };
    alone(points(stiff), "material[0].youngs_modulus");

    alone(found(|s| s.boundaries[0].contact = Some(Contact::Slip)), "boundary[0].contact");
    alone(found(|s| s.materials[0].model = Some("sand".into())), "material[0].model");
    alone(found(|s| s.settings.set("mpm.cell", 0.2)), "mpm.cell");
}

#[test]
fn what_has_no_effect_or_no_cells_is_warned_of() {
    let warnings = |change: &dyn Fn(&mut Scene)| {
        let mut scene = Scene::default();
        scene.solver = "mls_mpm".into();
        scene.particle_radius = 0.05;
        scene.materials = vec![Material::new("water")];
        let cube = |low: f64, high: f64| Shape::Box(Cuboid { min: [low; 3], max: [high; 3] });
        scene.fluids = vec![Fluid::new(cube(0.0, 1.0))];
        change(&mut scene);
        Registry::standard().warnings(&scene)
    };
    let plate = |thickness: f64| {
        let shape = Shape::Box(Cuboid { min: [0.0; 3], max: [1.0, thickness, 1.0] });
        move |scene: &mut Scene| {
            scene.boundaries = vec![wall(shape.clone(), Side::Outside)];
        }
    };
    assert_eq!(warnings(&|_| ()), [""; 0]);
    assert_eq!(warnings(&plate(0.4)), [""; 0]);
    let found = warnings(&plate(0.3));
    assert!(found.len() == 1 && found[0].starts_with("boundary[0] is 0.3 m"), "{found:?}");
    let other = warnings(&|scene| {
        scene.materials[0].model = Some("sand".into());
        scene.materials[0].viscosity = Some(1.0);
    });
    assert_eq!(other, ["material[0].viscosity has no effect: sand has none"]);
    // A smaller step, which was all that the message of the collapse advised, does not help.
    let thrown = |speed: f64, stiffness: f64| {
        warnings(&|scene| {
            let jelly = Material::new("m").with_model("jelly").with("youngs_modulus", stiffness);
            scene.materials = vec![jelly];
            scene.fluids[0].velocity = [0.6 * speed, -0.8 * speed, 0.0];
        })
    };
    let crushed = thrown(14.0, 1e5);
    assert!(crushed.len() == 1 && crushed[0].contains("at least ρ v² = 2.0e5 Pa"), "{crushed:?}");
    assert_eq!([thrown(9.0, 1e5), thrown(14.0, 2e5)], [[""; 0], [""; 0]]);
    let film = warnings(&|scene| {
        scene.fluids[0].shape = Shape::Box(Cuboid { min: [0.0; 3], max: [1.0, 0.1, 1.0] });
    });
    assert!(film.len() == 1 && film[0].starts_with("fluid[0] is 0.1 m"), "{film:?}");
    let sph = warnings(&|scene| {
        plate(0.01)(scene);
        scene.solver = "dfsph".into();
    });
    assert_eq!(sph, [""; 0]);
}

#[test]
fn thick_liquids_are_told_what_they_need() {
    let warnings = |viscosity: f64, change: &dyn Fn(&mut Scene)| {
        let mut scene = Scene::default();
        scene.particle_radius = 0.005;
        let mut honey = Material::new("honey");
        honey.viscosity = Some(viscosity);
        scene.materials = vec![honey];
        let cube = |low: f64, high: f64| Shape::Box(Cuboid { min: [low; 3], max: [high; 3] });
        scene.fluids = vec![Fluid::new(cube(0.05, 0.15))];
        scene.boundaries = vec![wall(cube(0.0, 0.2), Side::Inside)];
        change(&mut scene);
        Registry::standard().warnings(&scene)
    };
    let implicit = |scene: &mut Scene| {
        scene.settings.set("viscosity.model", "implicit");
        scene.support_radius = Some(0.03);
    };
    assert_eq!(warnings(0.5, &|_| ()), [""; 0]);
    let found = warnings(6.0, &|_| ());
    assert!(found.len() == 1 && found[0].contains("viscosity.model = \"implicit\""), "{found:?}");
    let found = warnings(6.0, &implicit);
    assert!(found.len() == 1 && found[0].contains("no_slip = true"), "{found:?}");
    let held = |scene: &mut Scene| {
        implicit(scene);
        scene.boundaries[0].response = Some(Response::Particles { friction: 0.0, no_slip: true });
    };
    assert_eq!(warnings(6.0, &held), [""; 0]);
}
