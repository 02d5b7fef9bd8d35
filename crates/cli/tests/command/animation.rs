//! A run as one animated file of USD, as Pixar's own library reads it.

use std::{fs, process::Command};

use crate::support::{bytes, folder, gpu, meniscus, refuse, succeed};

/// Falling fluid that drifts along z, a ball that spins, and an obstacle that sways.
const SCENE: &str = r##"particle_radius = 0.02
time.fps = 30.0
[[material]]
name = "green tea"
color = "#7fb25a"
[[fluid]]
shape.box = { min = [0.0, 0.2, 0.0], max = [0.2, 0.4, 0.2] }
velocity = [0.0, 0.0, 0.5]
[[boundary]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.4, 0.8, 0.4] }
[[boundary]]
side = "outside"
shape.sphere = { center = [0.3, 0.2, 0.1], radius = 0.05 }
motion = [{ sway = { amplitude = [0.0, 0.1, 0.0], period = 1.0 } }]
[[body]]
name = "my ball"
density = 500.0
shape.sphere = { center = [0.1, 0.6, 0.1], radius = 0.06 }
angular_velocity = [0.0, 0.0, 6.0]
"##;

const RUN: &[&str] =
    &["run", "tea.toml", "--surface", "usd", "--bodies", "csv", "--quiet", "--checkpoint", "c"];

/// What `usd-core` finds in the file.
const LOOK: &str = r#"
import csv, math
from collections import Counter
from pxr import Gf, Usd, UsdGeom, UsdShade

stage = Usd.Stage.Open("out/surface.usda")
assert stage.GetDefaultPrim().GetPath() == "/World"
assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (0, 6)
assert stage.GetFramesPerSecond() == stage.GetTimeCodesPerSecond() == 30
assert UsdGeom.GetStageUpAxis(stage) == "Y" and UsdGeom.GetStageMetersPerUnit(stage) == 1

fluid = UsdGeom.Mesh(stage.GetPrimAtPath("/World/green_tea"))
assert fluid.GetPointsAttr().GetTimeSamples() == list(range(7))
assert fluid.GetNormalsInterpolation() == "vertex"
for time in range(7):
    get = lambda attribute: attribute.Get(time)
    points, velocities = get(fluid.GetPointsAttr()), get(fluid.GetVelocitiesAttr())
    counts, indices = get(fluid.GetFaceVertexCountsAttr()), get(fluid.GetFaceVertexIndicesAttr())
    assert len(points) == len(velocities) == len(get(fluid.GetNormalsAttr())) > 100
    assert UsdGeom.Mesh.ValidateTopology(indices, counts, len(points))[0]
    corners = [tuple(indices[3 * k : 3 * k + 3]) for k in range(len(counts))]
    edges = Counter((t[k], t[(k + 1) % 3]) for t in corners for k in range(3))
    assert all(edges[b, a] == n == 1 for (a, b), n in edges.items()), "it is not closed"
    low, high = get(fluid.GetExtentAttr())
    assert all(low[k] <= p[k] <= high[k] for p in points for k in range(3))
    assert low == Gf.Vec3f(*(min(p[k] for p in points) for k in range(3)))
drift = fluid.GetVelocitiesAttr().Get(0)
assert all(Gf.IsClose(v, Gf.Vec3f(0, 0, 0.5), 1e-5) for v in drift), drift[0]

material = UsdShade.MaterialBindingAPI(fluid.GetPrim()).ComputeBoundMaterial()[0]
color = material.ComputeSurfaceSource()[0].GetInput("diffuseColor").Get()
linear = lambda x: ((x / 255 + 0.055) / 1.055) ** 2.4
assert Gf.IsClose(color, Gf.Vec3f(linear(0x7F), linear(0xB2), linear(0x5A)), 1e-5), color

place = lambda name, time: UsdGeom.Xformable(
    stage.GetPrimAtPath("/World/" + name)).ComputeLocalToWorldTransform(time)
for time in range(7):
    row = next(csv.DictReader(open(f"out/bodies_{time:05}.csv")))
    x, y, z, qx, qy, qz, qw = (float(row[key]) for key in ("x", "y", "z", "qx", "qy", "qz", "qw"))
    expected = Gf.Matrix4d(Gf.Rotation(Gf.Quatd(qw, qx, qy, qz)), Gf.Vec3d(x, y, z))
    assert Gf.IsClose(place("my_ball", time), expected, 1e-5)
    sway = place("boundary_2", time).ExtractTranslation()
    height = 0.2 + 0.1 * math.sin(2 * math.pi * time / 30)
    assert Gf.IsClose(sway, Gf.Vec3d(0.3, height, 0.1), 1e-6), sway
ball = UsdGeom.Mesh(stage.GetPrimAtPath("/World/my_ball")).GetPointsAttr().Get()
assert all(abs(Gf.Vec3f(p).GetLength() - 0.06) < 1e-6 for p in ball)
tank = UsdGeom.Mesh(stage.GetPrimAtPath("/World/boundary_1"))
assert len(tank.GetPointsAttr().Get()) == 8
assert tank.GetPurposeAttr().Get() == "guide"
obstacle = UsdGeom.Mesh(stage.GetPrimAtPath("/World/boundary_2"))
assert obstacle.GetPurposeAttr().Get() == "default"
solid = UsdShade.MaterialBindingAPI(obstacle.GetPrim()).ComputeBoundMaterial()[0]
assert solid.GetPath() == "/World/Materials/Solid"
shader = material.ComputeSurfaceSource()[0]
assert abs(shader.GetInput("opacity").Get() - 0.2) < 1e-6
assert abs(shader.GetInput("ior").Get() - 1.333) < 1e-6
"#;

#[test]
fn an_animation_is_what_pixar_reads() {
    if !gpu() {
        return;
    }
    let folder = folder();
    fs::write(folder.path().join("tea.toml"), SCENE).expect("written");
    succeed(folder.path(), &[RUN, &["--until", "0.2"]].concat());
    succeed(folder.path(), &[RUN, &["--until", "0.2", "--usd", "out/surface.usdc"]].concat());
    let [text, binary] =
        ["usda", "usdc"].map(|end| bytes(folder.path().join("out/surface").with_extension(end)));
    assert!(binary.starts_with(b"PXR-USDC") && binary.len() < text.len() / 2);
    let on = [RUN, &["--until", "0.2", "--usd", "out/surface.usdc", "--resume", "c"]].concat();
    refuse(folder.path(), &on, 1, &["surface.usdc", "a binary layer cannot go on"]);
    let python = |code: &str| {
        let mut command = Command::new("python3");
        command.args(["-c", code]).current_dir(folder.path()).output()
    };
    if !python("import pxr").is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED: python3 has no usd-core (pip install usd-core); the file is not read");
        return;
    }
    for code in [LOOK, &LOOK.replace(".usda", ".usdc")] {
        let output = python(code).expect("python3 starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// A liquid has its colour over a way as long as the scene, also where the walls are left out of the file.
#[test]
fn a_liquid_is_as_clear_without_its_walls() {
    if !gpu() {
        return;
    }
    let folder = folder();
    fs::write(folder.path().join("tea.toml"), SCENE).expect("written");
    let run = |file: &str, more: &[&str]| {
        succeed(
            folder.path(),
            &[&["run", "tea.toml", "--until", "0", "--quiet", "--usd", file], more].concat(),
        );
        let text = fs::read_to_string(folder.path().join(file)).expect("text");
        let (_, rest) = text.split_once("attenuation_distance = ").expect("a distance");
        let distance = rest.lines().next().expect("a line").parse::<f64>().expect("a number");
        (distance, text.contains("\"boundary_1\""))
    };
    let (walls, none) = (run("walls.usda", &[]), run("none.usda", &["--no-boundaries"]));
    assert_eq!((walls.1, none.1), (true, false));
    // The tank has 0.4 × 0.8 × 0.4 m; an opacity of 1 is a way of 1/2.5 of that.
    let due = (0.4_f64 * 0.8 * 0.4).cbrt() / 2.5;
    assert!(
        (walls.0 - due).abs() < 1e-6 * due && walls.0 == none.0,
        "{walls:?} {none:?} for {due}"
    );
}

#[test]
fn an_animation_goes_on_where_a_run_resumes() {
    if !gpu() {
        return;
    }
    let [whole, halves] = [folder(), folder()];
    for folder in [&whole, &halves] {
        fs::write(folder.path().join("tea.toml"), SCENE).expect("written");
    }
    succeed(whole.path(), &[RUN, &["--until", "0.2", "--surface-speed"]].concat());
    succeed(halves.path(), &[RUN, &["--until", "0.1", "--surface-speed"]].concat());
    let resume = ["--until", "0.2", "--surface-speed", "--resume", "c"];
    succeed(halves.path(), &[RUN, &resume].concat());
    let file = |folder: &tempfile::TempDir| bytes(folder.path().join("out/surface.usda"));
    assert!(file(&whole) == file(&halves));
    let text = String::from_utf8(file(&whole)).expect("text");
    assert_eq!(text.lines().filter(|line| line.starts_with("6: ")).count(), 6 + 2 + 2 + 2);
    assert_eq!(fs::read_dir(whole.path().join("out")).expect("a folder").count(), 1 + 7 + 1);
}

/// What `usd-core` finds of foam, whose ids and places are those of the last frame's table.
const FOAM: &str = r#"
import csv
from pxr import Usd, UsdGeom

stage = Usd.Stage.Open("out/surface.usda")
foam = UsdGeom.Points(stage.GetPrimAtPath("/World/foam"))
rows = list(csv.DictReader(open("out/foam_00003.csv")))
assert [int(row["id"]) for row in rows] == list(foam.GetIdsAttr().Get(3))
kinds = UsdGeom.PrimvarsAPI(foam).GetPrimvar("kind").Get(3)
assert [int(row["kind"]) for row in rows] == list(kinds)
for row, place in zip(rows, foam.GetPointsAttr().Get(3)):
    assert all(abs(float(row[axis]) - place[k]) < 1e-6 for k, axis in enumerate("xyz"))
assert len(foam.GetVelocitiesAttr().Get(3)) == len(rows) > 10
widths = {0: 0.44, 1: 0.5, 2: 0.28}
assert foam.GetWidthsInterpolation() == "vertex"
for kind, width in zip(kinds, foam.GetWidthsAttr().Get(3), strict=True):
    assert abs(width - widths[kind] * 0.04) < 1e-7, (kind, width)
"#;

#[test]
fn foam_is_points_of_the_animation() {
    if !gpu() {
        return;
    }
    let folder = folder();
    let foam = "[foam]\namount = 50.0\nlength = 0.02\n[[material]]";
    let scene = SCENE.replacen("[[material]]", foam, 1);
    fs::write(folder.path().join("tea.toml"), scene).expect("written");
    succeed(folder.path(), &[RUN, &["--until", "0.1", "--foam", "csv"]].concat());
    let text = fs::read_to_string(folder.path().join("out/surface.usda")).expect("text");
    let (_, points) = text.split_once("def Points \"foam\"").expect("a prim");
    let samples = |name: &str| {
        let (_, samples) = points.split_once(&format!("{name}.timeSamples")).expect(name);
        samples.lines().skip(1).take_while(|line| *line != "}").count()
    };
    for name in
        ["extent", "int64[] ids", "points", "velocities", "float[] widths", "int[] primvars:kind"]
    {
        assert_eq!(samples(name), 4, "{name}");
    }
    let rows = fs::read_to_string(folder.path().join("out/foam_00003.csv")).expect("a table");
    assert!(rows.lines().count() > 10, "{rows}");
    let python = |code: &str| {
        let mut command = Command::new("python3");
        command.args(["-c", code]).current_dir(folder.path()).output()
    };
    if python("import pxr").is_ok_and(|output| output.status.success()) {
        let output = python(FOAM).expect("python3 starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// What `usd-core` finds of a wedge that grows by 5 cm a frame of its own, which are as long as two of the run.
const WEDGE: &str = r#"
from pxr import Usd, UsdGeom

stage = Usd.Stage.Open("out/surface.usda")
wedge = UsdGeom.Mesh(stage.GetPrimAtPath("/World/wedge"))
assert wedge.GetPointsAttr().GetTimeSamples() == list(range(5))
place = UsdGeom.Xformable(wedge).ComputeLocalToWorldTransform
for time in range(5):
    points = [place(time).Transform(p) for p in wedge.GetPointsAttr().Get(time)]
    assert UsdGeom.Mesh.ValidateTopology(
        wedge.GetFaceVertexIndicesAttr().Get(), wedge.GetFaceVertexCountsAttr().Get(), len(points))[0]
    assert abs(max(p[1] for p in points) - (0.1 + 0.025 * time)) < 1e-5, [p[1] for p in points]
    assert abs(max(p[0] for p in points) - (0.4 + 0.01 * time)) < 1e-5, [p[0] for p in points]
"#;

#[test]
fn a_mesh_that_changes_its_shape_does_so_in_the_animation() {
    if !gpu() {
        return;
    }
    let folder = folder();
    for (frame, height) in [(1, 0.1), (2, 0.15), (3, 0.2)] {
        let text = format!(
            "v 0.3 0 0\nv 0.4 0 0\nv 0.3 0 0.1\nv 0.3 {height} 0\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n"
        );
        fs::write(folder.path().join(format!("wedge_{frame}.obj")), text).expect("written");
    }
    let wedge = r#"[[boundary]]
name = "wedge"
side = "outside"
shape.mesh = { file = "wedge_1.obj" }
motion = [
    { frames = { files = "wedge_*.obj", fps = 15.0 } },
    { translate = { velocity = [0.3, 0.0, 0.0] } },
]
[[body]]"#;
    fs::write(folder.path().join("tea.toml"), SCENE.replacen("[[body]]", wedge, 1))
        .expect("written");
    succeed(folder.path(), &[RUN, &["--until", "0.1334"]].concat());
    succeed(folder.path(), &[RUN, &["--until", "0.1334", "--usd", "out/surface.usdc"]].concat());
    let text = fs::read_to_string(folder.path().join("out/surface.usda")).expect("text");
    let (_, mesh) = text.split_once("def Mesh \"wedge\"").expect("a prim");
    let (_, points) = mesh.split_once("point3f[] points.timeSamples = {\n").expect("samples");
    // The apex about the centre of mass of the first frame, a quarter of 0.1 m above its base.
    let heights = points.lines().take(5).map(|line| {
        let last = line.rsplit_once("),(").expect("points").1;
        last.split(',').nth(1).expect("y").parse::<f64>().expect("a number")
    });
    let heights: Vec<_> = heights.collect();
    for (frame, height) in heights.iter().enumerate() {
        let due = 0.075 + 0.025 * frame as f64;
        assert!((height - due).abs() < 1e-5, "{heights:?}");
    }
    let python = |code: &str| {
        let mut command = Command::new("python3");
        command.args(["-c", code]).current_dir(folder.path()).output()
    };
    if python("import pxr").is_ok_and(|output| output.status.success()) {
        for code in [WEDGE, &WEDGE.replace(".usda", ".usdc")] {
            let output = python(code).expect("python3 starts");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

#[test]
fn velocities_are_where_files_can_hold_them() {
    if !gpu() {
        return;
    }
    let folder = folder();
    fs::write(folder.path().join("tea.toml"), SCENE).expect("written");
    let run = ["run", "tea.toml", "--until", "0.03", "--quiet", "--surface-velocity", "--surface"];
    for (format, file, mark) in [
        ("ply", "surface_00001.ply", "property float vz"),
        ("glb", "surface_00001.glb", "\"_VELOCITY\""),
        ("vtk", "surface_00001.vtp", "Name=\"velocity\""),
    ] {
        succeed(folder.path(), &[&run[..], &[format]].concat());
        let text = bytes(folder.path().join("out").join(file));
        assert!(String::from_utf8_lossy(&text).contains(mark), "{file}");
    }
    let series = bytes(folder.path().join("out/surface.pvd"));
    let series = String::from_utf8(series).expect("text");
    assert!(series.contains("surface_00000.vtp") && series.contains("surface_00001.vtp"));
    // The animation has them without being asked, beside files that do not.
    let beside = ["run", "tea.toml", "--until", "0.03", "--quiet", "--usd", "a/b.usda"];
    succeed(folder.path(), &[&beside[..], &["--surface", "ply"]].concat());
    let text = |file: &str| String::from_utf8_lossy(&bytes(folder.path().join(file))).into_owned();
    assert!(text("a/b.usda").contains("vector3f[] velocities.timeSamples"));
    assert!(!text("out/surface_00001.ply").contains("property float vz"));
    let obj = meniscus(folder.path(), &[&run[..], &["obj"]].concat()).output();
    let obj = obj.expect("the command starts");
    assert_eq!(obj.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&obj.stderr).contains("OBJ files cannot hold velocities"));
}

#[test]
fn each_material_has_a_surface_in_its_colour() {
    if !gpu() {
        return;
    }
    let folder = folder();
    let scene = r#"
solver = "mls_mpm"
particle_radius = 0.02
domain = { min = [0.0, 0.0, 0.0], max = [0.8, 0.4, 0.2] }
[[material]]
name = "water"
[[material]]
name = "red jelly"
model = "jelly"
[[fluid]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.4, 0.2, 0.2] }
[[fluid]]
material = "red jelly"
shape.box = { min = [0.4, 0.0, 0.0], max = [0.8, 0.2, 0.2] }
"#;
    fs::write(folder.path().join("two.toml"), scene).unwrap();
    for format in ["glb", "ply", "usd"] {
        succeed(
            folder.path(),
            &["run", "two.toml", "--until", "0.02", "--surface", format, "--quiet"],
        );
    }
    let red = [0.807, 0.073, 0.047];
    let glb = bytes(folder.path().join("out/surface_00001.glb"));
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let json: serde_json::Value = serde_json::from_slice(&glb[20..20 + length]).unwrap();
    let names: Vec<_> = json["nodes"].as_array().unwrap().iter().map(|n| &n["name"]).collect();
    assert_eq!(names, ["water", "red jelly"]);
    for (channel, value) in red.iter().enumerate() {
        let color = &json["materials"][1]["pbrMetallicRoughness"]["baseColorFactor"][channel];
        assert!((color.as_f64().unwrap() - value).abs() < 1e-3, "{color}");
    }
    let usd = fs::read_to_string(folder.path().join("out/surface.usda")).unwrap();
    assert!(usd.contains("def Mesh \"water\"") && usd.contains("def Mesh \"red_jelly\""));
    // Colour of the surface, 0.91 of red, follows the place and the normal of each vertex.
    let ply = bytes(folder.path().join("out/surface_00001.ply"));
    let end = ply.windows(11).position(|w| w == b"end_header\n").unwrap() + 11;
    let head = String::from_utf8_lossy(&ply[..end]).into_owned();
    let count = head.lines().find_map(|line| line.strip_prefix("element vertex ")).unwrap();
    for vertex in ply[end..].chunks(27).take(count.parse().unwrap()) {
        let x = f32::from_le_bytes(vertex[..4].try_into().unwrap());
        let is_jelly = vertex[24] > vertex[26];
        assert!((x - 0.4).abs() < 0.06 || is_jelly == (x > 0.4), "{x}: {:?}", &vertex[24..]);
    }
}
