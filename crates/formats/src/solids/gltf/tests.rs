//! Tests of animated files, which they write.

use serde_json::{Value, json};

use super::*;

/// Arrays of a file.
#[derive(Default)]
struct Arrays {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Arrays {
    /// Adds numbers of a component type; returns the number of the array.
    fn add(&mut self, kind: &str, components: usize, component: u32, values: &[f32]) -> usize {
        let offset = self.bytes.len();
        for value in values {
            match component {
                5126 => self.bytes.extend(value.to_le_bytes()),
                _ => self.bytes.extend((*value as u16).to_le_bytes()),
            }
        }
        let index = self.accessors.len();
        let length = self.bytes.len() - offset;
        self.views.push(json!({ "buffer": 0, "byteOffset": offset, "byteLength": length }));
        let count = values.len() / components;
        self.accessors.push(
            json!({ "bufferView": index, "componentType": component, "count": count, "type": kind,
            "min": [-9.0, -9.0, -9.0], "max": [9.0, 9.0, 9.0] }),
        );
        if kind != "VEC3" {
            let own = self.accessors[index].as_object_mut().expect("an object");
            own.retain(|key, _| key != "min" && key != "max");
        }
        index
    }

    fn floats(&mut self, kind: &str, components: usize, values: &[f32]) -> usize {
        self.add(kind, components, 5126, values)
    }

    fn glb(self, mut document: Value) -> Vec<u8> {
        document["asset"] = json!({ "version": "2.0" });
        document["buffers"] = json!([{ "byteLength": self.bytes.len() }]);
        document["bufferViews"] = self.views.into();
        document["accessors"] = self.accessors.into();
        let mut text = document.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut all = b"glTF\x02\0\0\0".to_vec();
        all.extend((28 + text.len() as u32 + self.bytes.len() as u32).to_le_bytes());
        for (kind, chunk) in [(b"JSON", text), (b"BIN\0", self.bytes)] {
            all.extend((chunk.len() as u32).to_le_bytes());
            all.extend(kind);
            all.extend(chunk);
        }
        all
    }
}

fn read(bytes: &[u8]) -> Model {
    Model::read(&Files::Bundled, "test.glb", bytes).unwrap_or_else(|error| panic!("{error}"))
}

fn assert_near(found: &[Vec3], expected: &[Vec3]) {
    let near = |(a, b): (&Vec3, &Vec3)| DVec3::from(*a).distance(DVec3::from(*b)) < 1e-6;
    let all = found.len() == expected.len() && found.iter().zip(expected).all(near);
    assert!(all, "{found:?} is not {expected:?}");
}

#[test]
fn a_strip_of_two_joints_bends() {
    let mut arrays = Arrays::default();
    let corners =
        [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [1., 1., 0.], [0., 2., 0.], [1., 2., 0.]];
    let position = arrays.floats("VEC3", 3, corners.as_flattened());
    let joints = arrays.add("VEC4", 4, 5123, &[0., 1., 0., 0.].repeat(6));
    let weights = [[1., 0., 0., 0.], [1., 0., 0., 0.], [2., 2., 0., 0.], [0.5, 0.5, 0., 0.]];
    let weights = [weights.as_flattened(), &[0., 1., 0., 0.].repeat(2)].concat();
    let weights = arrays.floats("VEC4", 4, &weights);
    let indices = arrays.add("SCALAR", 1, 5123, &[0., 1., 2., 1., 3., 2., 2., 3., 4., 3., 5., 4.]);
    let bind = [0.0_f32, -1.0]
        .map(|y| [[1., 0., 0., 0.], [0., 1., 0., 0.], [0., 0., 1., 0.], [0., y, 0., 1.]]);
    let bind = arrays.floats("MAT4", 16, bind.as_flattened().as_flattened());
    let times = arrays.floats("SCALAR", 1, &[1.0, 2.0]);
    let half = 0.5_f32.sqrt();
    let turns = arrays.floats("VEC4", 4, &[0., 0., 0., 1., 0., 0., half, half]);
    // A node with a skin is where its joints are, whatever its own place.
    let bytes = arrays.glb(json!({
        "scenes": [{ "nodes": [0, 1] }],
        "nodes": [{ "mesh": 0, "skin": 0, "translation": [9, 9, 9] }, { "children": [2] },
                  { "translation": [0, 1, 0] }],
        "skins": [{ "joints": [1, 2], "inverseBindMatrices": bind }],
        "meshes": [{ "primitives": [{ "indices": indices,
            "attributes": { "POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights } }] }],
        "animations": [{ "samplers": [{ "input": times, "output": turns }],
            "channels": [{ "sampler": 0, "target": { "node": 2, "path": "rotation" } }] }],
    }));
    let model = read(&bytes);
    let (poses, _) = model.poses(None, 2.0, false).expect("poses");
    assert_eq!((poses.len(), model.triangles.len()), (5, 4));
    let still = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]];
    let bent = |others: [Vec3; 3]| [still, others].concat();
    let rest = bent([[1., 1., 0.], [0., 2., 0.], [1., 2., 0.]]);
    // Its first key is at 1 s: until then it waits.
    poses[..3].iter().for_each(|pose| assert_near(pose, &rest));
    // The upper joint turns by 45° and by 90°; the vertex at its height follows by a half.
    let h = 0.5_f64.sqrt();
    let half = bent([[0.5 + 0.5 * h, 1. + 0.5 * h, 0.], [-h, 1. + h, 0.], [0., 1. + 2. * h, 0.]]);
    assert_near(&poses[3], &half);
    assert_near(&poses[4], &bent([[0.5, 1.5, 0.], [-1., 1., 0.], [-1., 2., 0.]]));
    assert_near(&read(&bytes).rest().0, &rest);
}

#[test]
fn morphs_step_and_nodes_move_on_splines() {
    let mut arrays = Arrays::default();
    let position = arrays.floats("VEC3", 3, &[0., 0., 0., 1., 0., 0., 0., 1., 0.]);
    let way = arrays.floats("VEC3", 3, &[0., 0., 0., 0., 0., 0., 0., 0., 3.]);
    let times = arrays.floats("SCALAR", 1, &[0.0, 0.9, 2.0]);
    let weights = arrays.floats("SCALAR", 1, &[0.0, 1.0, 0.5]);
    let ends = arrays.floats("SCALAR", 1, &[0.0, 2.0]);
    let spline =
        [[0., 0., 0.], [0., 0., 0.], [1., 0., 0.], [0., 0., 0.], [4., 0., 0.], [7., 0., 0.]];
    let spline = arrays.floats("VEC3", 3, spline.as_flattened());
    let scales = arrays.floats("VEC3", 3, &[1., 1., 1., 1., 3., 1.]);
    let target = |sampler: u32, path: &str| json!({ "sampler": sampler, "target": { "node": 1, "path": path } });
    let bytes = arrays.glb(json!({
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "children": [1], "matrix": [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 1, 0, 1] }, { "mesh": 0 }],
        "meshes": [{ "weights": [0.25],
            "primitives": [{ "attributes": { "POSITION": position }, "targets": [{ "POSITION": way }] }] }],
        "animations": [
            { "name": "still", "channels": [target(0, "translation")],
              "samplers": [{ "input": ends, "output": spline, "interpolation": "CUBICSPLINE" }] },
            { "name": "go", "channels": [target(0, "weights"), target(1, "translation"), target(2, "scale")],
              "samplers": [{ "input": times, "output": weights, "interpolation": "STEP" },
                           { "input": ends, "output": spline, "interpolation": "CUBICSPLINE" },
                           { "input": ends, "output": scales }] },
        ],
    }));
    let model = read(&bytes);
    let (poses, rate) = model.poses(Some("go"), 1.0, false).expect("poses");
    assert!((rate - 1.0).abs() < 1e-12, "{rate}");
    assert_eq!(poses.len(), 3);
    assert_near(&poses[0], &[[0., 1., 0.], [2., 1., 0.], [0., 3., 0.]]);
    // Half way: 2 from the end's value and 2 · 1/8 from the slope at the start; scaled by 2, then by the parent.
    assert_near(&poses[1], &[[4.5, 1., 0.], [6.5, 1., 0.], [4.5, 5., 6.]]);
    assert_near(&poses[2], &[[8., 1., 0.], [10., 1., 0.], [8., 7., 3.]]);
    // With the first pose in place of the last one, and the first animation, which leaves the weights at rest.
    let (round, _) = model.poses(None, 1.0, true).expect("poses");
    assert_eq!(round.len(), 2);
    assert_near(&round[1], &[[4.5, 1., 0.], [6.5, 1., 0.], [4.5, 3., 1.5]]);
    let wrong = |name, fps| model.poses(name, fps, false).expect_err("wrong");
    assert_eq!(wrong(Some("run"), 1.0), "it has no animation \"run\", but \"still\", \"go\"");
    assert!(wrong(None, 1e9).contains("at most 10000 frames"), "{}", wrong(None, 1e9));
}

#[test]
fn a_scene_has_an_animated_boundary() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, edit: fn(&mut Value)| {
        let mut arrays = Arrays::default();
        let position = arrays.floats("VEC3", 3, &[0., 0., 0., 1., 0., 0., 0., 0., -1., 0., 1., 0.]);
        let faces = [0., 2., 1., 0., 1., 3., 1., 2., 3., 2., 0., 3.];
        let indices = arrays.add("SCALAR", 1, 5123, &faces);
        let times = arrays.floats("SCALAR", 1, &[0.51, 1.01]);
        let places = arrays.floats("VEC3", 3, &[0., 0., 0., 0., 0.5, 0.]);
        let mut document = json!({
            "scenes": [{ "nodes": [0] }], "nodes": [{ "mesh": 0 }],
            "meshes": [{ "primitives": [{ "attributes": { "POSITION": position }, "indices": indices }] }],
            "animations": [{ "samplers": [{ "input": times, "output": places }],
                "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }] }],
        });
        edit(&mut document);
        std::fs::write(folder.path().join(name), arrays.glb(document)).expect("written");
    };
    let scene = |file: &str, keys: &str| {
        let text = format!(
            "particle_radius = 0.05\n[[material]]\nname = \"water\"\n[[fluid]]\n\
             shape.box = {{ min = [0, 0, 2], max = [1, 1, 3] }}\n[[boundary]]\n\
             shape.mesh = {{ file = \"rise.glb\", scale = 2.0 }}\nside = \"outside\"\n\
             motion = [{{ frames = {{ files = \"{file}\"{keys} }} }}]\n"
        );
        let path = folder.path().join("scene.toml");
        crate::load_text(&path.display().to_string(), &text, &crate::LoadOptions::default())
    };
    write("rise.glb", |_| {});
    let loaded = scene("rise.glb", "").expect("sound").scene;
    let motion = loaded.boundaries[0].frames().expect("frames");
    assert_eq!((motion.frames.count(), motion.fps), (25, 24.0));
    // Two times 1 m, and as much as it has risen from 0.51 to 1.01 s, which are no frames; curves through these are a tenth of
    // a frame's way off where it sets out and arrives.
    for (time, expected) in [(0.0, 2.0), (0.4, 2.0), (0.76, 2.5), (9.0, 3.0)] {
        let highest = motion.at(time).iter().map(|p| p.y).fold(0.0, f64::max);
        assert!((highest - expected).abs() < 1e-6, "{time}: {highest}");
    }
    write("still.glb", |document| document["animations"] = json!([]));
    write("short.glb", |document| document["animations"][0]["samplers"][0]["output"] = json!(2));
    write("lost.glb", |document| {
        document["animations"][0]["channels"][0]["target"]["node"] = json!(7);
    });
    write("loop.glb", |document| document["nodes"][0]["children"] = json!([0]));
    for (file, keys, expected) in [
        ("none.glb", "", "frames.files: there is no file \"none.glb\""),
        ("still.glb", "", "frames.files: mesh \"still.glb\": it has no animation"),
        ("short.glb", "", "values of an animation cannot be 2 values of type Scalar, F32"),
        ("lost.glb", "", "its animation has no node 7 or no sampler 0"),
        ("loop.glb", "", "node 0 has two parents"),
        ("rise.glb", ", animation = \"go\"", "it has no animation \"go\", but none with a name"),
        (
            "rise_*.glb",
            ", animation = \"go\"",
            "frames.animation: \"go\" is of one .glb or .gltf file",
        ),
    ] {
        let found = scene(file, keys).expect_err("wrong").to_string();
        assert!(found.contains(expected), "{expected}: {found}");
    }
}

#[test]
fn positions_that_are_not_there_are_an_error() {
    let document = json!({ "meshes": [{ "primitives": [{ "attributes": { "POSITION": 7 } }] }] });
    let file = Arrays::default().glb(document);
    let problem = Model::read(&Files::Bundled, "test.glb", &file).err();
    assert_eq!(problem.as_deref(), Some("the positions of mesh 0 are not in the file"));
}
