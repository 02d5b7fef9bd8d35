//! Hot gas: its density, its layers, heat between walls, and fire.

use super::*;

/// A cylinder of gas of a fifth of the air's density (1,172 K hotter) begins to rise at g (1 − r)/(1 + r), by its own mass and the
/// air's that it moves (Lamb 1932, §68): 6.5 m/s². By heat that gives weight alone it is g β T/2, 19.6 m/s².
#[test]
fn light_gas_begins_to_rise_as_its_mass_says() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for (density, expected) in [("variable", 9.81 * 0.8 / 1.2), ("constant", 9.81 * 4.0 / 2.0)] {
        let scene = parse(&format!(
            r#"
solver = "stable_fluids"
dimensions = 2
[domain]
min = [-1.0, -1.0]
max = [1.0, 1.0]
[time]
fps = 100.0
step = 0.0001
[smoke]
cell = 0.015625
density = "{density}"
max_error = 1e-6
[[source]]
shape.sphere = {{ center = [0.0, 0.0], radius = 0.125 }}
temperature = 1172.0
density = 0.0
"#
        ));
        let mut simulation = start(gpu, &scene);
        // The first step has no length.
        let state = steps(gpu, &mut simulation, 2);
        let [faces, smoke] = ["face", "smoke"].map(|name| array(&state, name));
        let hot: Vec<_> = (0..smoke.len()).filter(|c| smoke[*c][1] > 1171.0).collect();
        let sum = hot.iter().map(|c| faces[*c][1]).sum::<f64>();
        let found = sum / hot.len() as f64 / simulation.time();
        println!("{density}: {found} m/s², not {expected}");
        // The source's edge is a cell wide, of an eighth of the radius.
        assert!((found / expected - 1.0).abs() < 0.08, "{density}: {found} m/s², not {expected}");
    }
}

/// Warm air over cold air stays at rest, whatever its density does.
#[test]
fn stable_layers_stay() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let scene = parse(
        r#"
solver = "stable_fluids"
dimensions = 2
[domain]
min = [0.0, 0.0]
max = [0.5, 1.0]
[time]
fps = 10.0
max_step = 0.02
[smoke]
cell = 0.03125
density = "variable"
[[source]]
shape.box = { min = [-1.0, 0.5, 0.0], max = [1.5, 1.5, 0.0] }
temperature = 300.0
[[boundary]]
shape.box = { min = [0.0, 0.0, -1.0], max = [0.5, 1.0, 1.0] }
"#,
    );
    let mut simulation = start(gpu, &scene);
    block_on(gpu, simulation.run_until(1.0)).unwrap_or_else(|error| panic!("{error}"));
    let faces = array(&state(gpu, &simulation), "face");
    let most = faces.iter().map(|u| u[0].hypot(u[1])).fold(0.0, f64::max);
    println!("{most} m/s");
    // 0.1 % of the speed √(g' H) at which such layers would flow.
    assert!(most < 3e-3, "{most} m/s");
}

/// Fuel that fills a part of still air and burns as a whole: its gas expands at e r/Δt in each cell, all of it leaves soot and
/// heat, and none is left after its time.
#[test]
fn what_burns_expands_heats_and_leaves_soot() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let scene = parse(
        r#"
solver = "stable_fluids"
dimensions = 2
gravity = [0.0, 0.0, 0.0]
[domain]
min = [0.0, 0.0, 0.0]
max = [1.0, 1.0, 0.0]
[time]
fps = 100.0
step = 0.01
[smoke]
cell = 0.03125
burn_time = 0.2
flame_temperature = 1000.0
radiation = 0.0
soot = 0.6
ignition = 0.0
expansion = 0.1
max_error = 0.01
[[source]]
shape.sphere = { center = [0.5, 0.5, 0.0], radius = 0.2 }
density = 0.0
temperature = 200.0
fuel = 0.5
end = 0.005
"#,
    );
    let mut simulation = start(gpu, &scene);
    let mut burnt = 0.0;
    let volume = 0.03125_f64.powi(2);
    let disc = 0.2_f64.powi(2) * std::f64::consts::PI;
    for step in 1..=15 {
        let now = steps(gpu, &mut simulation, 1);
        let (smoke, face) = (array(&now, "smoke"), array(&now, "face"));
        let width = simulation.setup().params.grid.size.x as usize;
        for (c, [s, t, fuel, rate]) in smoke.iter().copied().enumerate() {
            assert!(s >= -1e-6 && fuel >= -1e-6 && t < 1000.0, "{step}: {s} {t} {fuel}");
            // Inside, where sources and sides are away.
            let (x, y) = (c % width, c / width);
            if (8..26).contains(&x) && (8..26).contains(&y) {
                let out = face[c + 1][0] - face[c][0] + face[c + width][1] - face[c][1];
                // The tolerance is 0.01 % of a cell in a step of 10 ms.
                let error = out / 0.03125 - 0.1 * rate;
                assert!(error.abs() < 0.02, "{step}: ∇·u is wrong by {error} 1/s of {rate}");
            }
            burnt += 0.01 * rate * volume;
        }
        if step == 1 {
            let full: f64 = smoke.iter().map(|cell| cell[2]).sum::<f64>() * volume;
            assert!((full / (0.45 * disc) - 1.0).abs() < 0.05, "{full} m² of fuel, and 0.05 burnt");
        }
    }
    let last = array(&state(gpu, &simulation), "smoke");
    let [left, soot] = [2, 0].map(|lane| last.iter().map(|cell| cell[lane]).sum::<f64>() * volume);
    assert!(left < 1e-4 * disc, "{left} m² of fuel is left after 0.1 s");
    // Gas that expands carries more of everything out of a cell than the equations of its values say: ∇·u e r is 5 %.
    assert!((burnt / (0.5 * disc) - 1.0).abs() < 0.06, "{burnt} m² of {} burnt", 0.5 * disc);
    assert!((soot / (0.6 * burnt) - 1.0).abs() < 0.06, "{soot} of soot by {burnt}");
    let hottest = last.iter().map(|cell| cell[1]).fold(0.0, f64::max);
    assert!((hottest - 700.0).abs() < 30.0, "200 K and half of 1000 K: {hottest} K");
}

/// Fuel that is there at the start and hot burns as that of sources does: all of it leaves soot.
#[test]
fn fuel_of_a_file_burns() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut scene = parse(
        r#"
solver = "stable_fluids"
dimensions = 2
gravity = [0.0, 0.0]
[domain]
min = [0.0, 0.0]
max = [1.0, 1.0]
[time]
fps = 100.0
step = 0.01
[smoke]
cell = 0.125
burn_time = 0.1
flame_temperature = 1000.0
radiation = 0.0
soot = 0.6
expansion = 0.0
[[boundary]]
shape.box = { min = [0.0, 0.0], max = [1.0, 1.0] }
"#,
    );
    let mut initial = Initial::of("cells.vti");
    initial.fields = Content::of(Fields {
        low: [0.0; 3],
        edges: [1.0; 3],
        size: [1; 3],
        smoke: vec![[0.0, 200.0, 0.5]],
        velocity: vec![[0.0; 3]],
    });
    scene.initial = Some(initial);
    let mut simulation = start(gpu, &scene);
    let now = steps(gpu, &mut simulation, 8);
    let params = simulation.setup().params;
    let smoke = array(&now, "smoke");
    let inner = (0..smoke.len()).filter(|c| params.is_inner_cell(*c));
    for [soot, temperature, fuel, _] in inner.map(|c| smoke[c]) {
        // Half of the time that a fuel of 1 needs is enough.
        assert!(fuel == 0.0 && (soot - 0.3).abs() < 1e-5, "{fuel} is left, {soot} of 0.3 is soot");
        assert!((temperature - 700.0).abs() < 0.1, "{temperature} of 700 K");
    }
}

/// Air between two walls of given temperatures, wherever these lie between the lines of the grid: heat is conducted, and the
/// temperature is linear between them, to the tolerance of the iterations.
#[test]
fn heat_is_conducted_between_walls_anywhere_in_cells() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for (scheme, hot, cold) in
        [("implicit", 0.13, 0.91), ("implicit", 0.19, 0.95), ("explicit", 0.17, 0.92)]
    {
        let scene = format!(
            r#"
solver = "stable_fluids"
dimensions = 2
gravity = [0.0, 0.0]
[domain]
min = [0.0, 0.0]
max = [1.0, 0.3]
periodic = [false, true]
[time]
fps = 2.0
max_step = 0.02
[smoke]
cell = 0.1
thermal_diffusivity = 1.0
diffusion = {scheme:?}
[[boundary]]
shape.plane = {{ point = [{hot}, 0.0], normal = [1.0, 0.0] }}
temperature = 10.0
[[boundary]]
shape.plane = {{ point = [{cold}, 0.0], normal = [-1.0, 0.0] }}
temperature = 0.0
"#
        );
        let mut simulation = start(gpu, &parse(&scene));
        let params = simulation.setup().params;
        for _ in 0..2 {
            block_on(gpu, simulation.next_frame()).unwrap_or_else(|error| panic!("{error}"));
        }
        let smoke = array(&state(gpu, &simulation), "smoke");
        let middles = places(&params, [0.5, 0.5]);
        let whole = |x: f64| x > hot + 0.05 && x < cold - 0.05;
        for (place, value) in middles.iter().zip(&smoke).filter(|(place, _)| whole(place[0] + 0.5))
        {
            let expected = 10.0 * (cold - place[0] - 0.5) / (cold - hot);
            let off = (value[1] - expected).abs();
            assert!(off < 2e-3, "{scheme}: {} K at {} m, not {expected}", value[1], place[0] + 0.5);
        }
    }
}
