//! Valid and invalid meshes in every format.

use std::path::Path;

use meniscus_formats::{LoadOptions, Loaded, Mesh, MeshFormat, load_scene, write_mesh};
use meniscus_model::scene::Shape;

/// A tetrahedron of volume 1/6.
const CORNERS: [[f32; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const FACES: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];

fn load(folder: &Path, mesh: &str) -> Result<Loaded, String> {
    load_as("[[boundary]]\nside = \"outside\"", folder, mesh)
}

fn load_as(solid: &str, folder: &Path, mesh: &str) -> Result<Loaded, String> {
    let scene = folder.join("scene.toml");
    // More keys may follow the name.
    let mesh = if mesh.contains('"') { mesh.to_owned() } else { format!("{mesh:?}") };
    let text = format!(
        "particle_radius = 0.05\n[[material]]\nname = \"water\"\n[[fluid]]\n\
         shape.box = {{ min = [2.0, 0.0, 0.0], max = [2.5, 0.5, 0.5] }}\n\
         {solid}\nshape.mesh = {{ file = {mesh} }}\n"
    );
    std::fs::write(&scene, text).expect("written");
    load_scene(&scene.display().to_string(), &LoadOptions::default())
        .map_err(|error| error.to_string())
}

/// Whether the mesh is closed, and its volume.
fn solid(loaded: &Loaded) -> (bool, f64) {
    let Shape::Mesh(mesh) = &loaded.scene.boundaries[0].shape else { panic!("no mesh") };
    let mesh = mesh.content.get().expect("read").mesh();
    (mesh.is_closed(), mesh.volume())
}

fn is_the_tetrahedron(loaded: &Loaded) -> bool {
    let (closed, volume) = solid(loaded);
    closed && (volume - 1.0 / 6.0).abs() < 1e-6
}

fn stl(faces: &[[u32; 3]], count: u32) -> Vec<u8> {
    let mut bytes = vec![0; 80];
    bytes.extend(count.to_le_bytes());
    for face in faces {
        bytes.extend([0; 12]);
        let corners = face.iter().flat_map(|i| CORNERS[*i as usize]);
        bytes.extend(corners.flat_map(f32::to_le_bytes));
        bytes.extend([0; 2]);
    }
    bytes
}

#[test]
fn every_format_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let normal = CORNERS.map(|_| [0.0, 1.0, 0.0]);
    let mesh = Mesh::new(CORNERS.to_vec(), normal.to_vec(), FACES.to_vec());
    for (name, format) in [
        ("mesh.obj", MeshFormat::Obj),
        ("mesh.ply", MeshFormat::Ply),
        ("mesh.glb", MeshFormat::Glb),
    ] {
        write_mesh(&folder.path().join(name), format, &mesh).expect("written");
    }
    std::fs::write(folder.path().join("mesh.stl"), stl(&FACES, 4)).expect("written");
    let mut text = "solid x\n".to_owned();
    for face in FACES {
        text += "facet normal 0 0 0\nouter loop\n";
        for [x, y, z] in face.map(|i| CORNERS[i as usize]) {
            text += &format!("vertex {x} {y} {z}\n");
        }
        text += "endloop\nendfacet\n";
    }
    std::fs::write(folder.path().join("text.stl"), text + "endsolid x\n").expect("written");
    for name in ["mesh.obj", "mesh.ply", "mesh.glb", "mesh.stl", "text.stl"] {
        let loaded = load(folder.path(), name).unwrap_or_else(|error| panic!("{error}"));
        assert!(is_the_tetrahedron(&loaded), "{name}: {:?}", solid(&loaded));
        assert!(loaded.warnings.is_empty());
    }
}

#[test]
fn glb_nodes_are_placed() {
    let folder = tempfile::tempdir().expect("a folder");
    let corners: Vec<u8> = CORNERS.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    let faces: Vec<u8> = FACES.iter().flatten().flat_map(|i| i.to_le_bytes()).collect();
    std::fs::write(folder.path().join("mesh.bin"), [corners, faces].concat()).expect("written");
    let text = r#"{ "asset": { "version": "2.0" }, "scenes": [{ "nodes": [0] }],
      "nodes": [{ "children": [1], "scale": [2, 1, 1] },
                { "mesh": 0, "translation": [0, 5, 0], "scale": [1, 3, 1] }],
      "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
      "buffers": [{ "uri": "mesh.bin", "byteLength": 96 }],
      "bufferViews": [{ "buffer": 0, "byteLength": 48 },
                      { "buffer": 0, "byteOffset": 48, "byteLength": 48 }],
      "accessors": [
        { "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3",
          "min": [0, 0, 0], "max": [1, 1, 1] },
        { "bufferView": 1, "componentType": 5125, "count": 12, "type": "SCALAR" }] }"#;
    std::fs::write(folder.path().join("mesh.gltf"), text).expect("written");
    let loaded = load(folder.path(), "mesh.gltf").unwrap_or_else(|error| panic!("{error}"));
    let (closed, volume) = solid(&loaded);
    assert!(closed && (volume - 1.0).abs() < 1e-5, "{volume}");
    std::fs::remove_file(folder.path().join("mesh.bin")).expect("removed");
    let error = load(folder.path(), "mesh.gltf").expect_err("its buffer is gone");
    assert!(error.contains("there is no file \"mesh.bin\""), "{error}");
}

#[test]
fn every_dialect_of_obj_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let plain = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    let two = plain.replace("v 0 0 0", "o a\nv 0 0 0 1 0 0") + "o b\nv 5 5 5\n";
    let variants: [(&str, Vec<u8>); 12] = [
        ("plain", plain.into()),
        ("byte order mark", format!("\u{feff}{plain}").into()),
        ("carriage returns", plain.replace('\n', "\r\n").into()),
        ("tabs", plain.replace(' ', "\t").into()),
        ("leading space", format!("  {}", plain.replace('\n', "\n  ")).into()),
        ("continued lines", plain.replace("f 2 3 4", "f 2 \\\n 3\\\n4").into()),
        ("comments", plain.replace("f 1 3 2", "# f 9 9 9\nf 1 3 2 # three").into()),
        ("Latin-1", [b"# Gr\xf6\xdfe\no W\xfcrfel\n", plain.as_bytes()].concat()),
        ("weights", plain.replace("v 0 0 0", "v 0 0 0 1.0").into()),
        ("colours of some vertices", two.into()),
        ("negative", plain.replace("f 1 2 4", "f -4/1 -3/1 -1/1").into()),
        (
            "others",
            format!("mtllib no.mtl\nvn 0 0 1\nvt 0 0\n{plain}l 1 2\np 1\ns off\ng\n")
                .replace("f 1 4 3", "f 1//1 4//1 3/1/1")
                .into(),
        ),
    ];
    for (name, text) in variants {
        std::fs::write(folder.path().join("mesh.obj"), text).expect("written");
        let loaded = load(folder.path(), "mesh.obj").unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(is_the_tetrahedron(&loaded), "{name}: {:?}", solid(&loaded));
    }
    for (line, expected) in [
        ("v 1 0", "line 9: \"v 1 0\": the coordinate z is missing"),
        ("v 1 0 x", "line 9: \"v 1 0 x\": expected a number for z, found \"x\""),
        ("f 1 2", "line 9: \"f 1 2\": a face needs 3 vertices, not 2"),
        ("f 1 2 a/3", "expected a vertex number, found \"a/3\""),
        ("f 1 2 9 \\\n\n", "line 9: \"f 1 2 9\": there is no vertex 9, 4 stand before this line"),
        ("f 1 2 -5", "there is no vertex -5, 4 stand"),
        ("f 0 1 2", "there is no vertex 0, 4 stand"),
        ("f 1 2 -9223372036854775808", "there is no vertex -9223372036854775808"),
    ] {
        std::fs::write(folder.path().join("mesh.obj"), format!("{plain}{line}")).expect("written");
        let error = load(folder.path(), "mesh.obj").expect_err(line);
        assert!(error.contains("mesh \"mesh.obj\": line 9: "), "{line}: {error}");
        assert!(error.contains(expected), "{line}: {error}");
    }
}

#[test]
fn mirrored_parts_of_a_mesh_are_solid_as_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let corners: Vec<u8> = CORNERS.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    let faces: Vec<u8> = FACES.iter().flatten().flat_map(|i| i.to_le_bytes()).collect();
    std::fs::write(folder.path().join("mesh.bin"), [corners, faces].concat()).expect("written");
    let gltf = |nodes: &str, roots: &str| {
        let text = r#"{ "asset": { "version": "2.0" }, "scenes": [{ "nodes": ROOTS }],
      "nodes": [NODES],
      "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
      "buffers": [{ "uri": "mesh.bin", "byteLength": 96 }],
      "bufferViews": [{ "buffer": 0, "byteLength": 48 },
                      { "buffer": 0, "byteOffset": 48, "byteLength": 48 }],
      "accessors": [
        { "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3",
          "min": [0, 0, 0], "max": [1, 1, 1] },
        { "bufferView": 1, "componentType": 5125, "count": 12, "type": "SCALAR" }] }"#;
        let text = text.replace("ROOTS", roots).replace("NODES", nodes);
        std::fs::write(folder.path().join("mesh.gltf"), text).expect("written");
        load(folder.path(), "mesh.gltf").unwrap_or_else(|error| panic!("{error}"))
    };
    let plain = r#"{ "mesh": 0 }"#;
    // Beside the other one, around it, by the parent of a node, and twice, which is none.
    for (other, expected) in [
        (r#"{ "mesh": 0, "translation": [-1, 0, 0], "scale": [-1, 1, 1] }"#, 2.0),
        (r#"{ "mesh": 0, "translation": [2, -2, -2], "scale": [-9, 9, 9] }"#, 729.0),
        (
            r#"{ "children": [2], "scale": [1, -1, 1], "translation": [-3, 0, 0] }, { "mesh": 0 }"#,
            2.0,
        ),
        (
            r#"{ "children": [2], "scale": [1, -1, 1], "translation": [-3, 0, 0] },
               { "mesh": 0, "scale": [1, 1, -1] }"#,
            2.0,
        ),
    ] {
        let (closed, volume) = solid(&gltf(&format!("{plain}, {other}"), "[0, 1]"));
        assert!(closed && (6.0 * volume - expected).abs() < 1e-4 * expected, "{other}: {volume}");
    }
    // Of formats without nodes, parts beside others that are inside out; one within another is a cavity.
    let cube = |low: f64, high: f64, first: usize, inverted: bool| {
        let mut text = String::new();
        for k in 0..8 {
            let [x, y, z] =
                [k & 1, k >> 1 & 1, k >> 2].map(|bit| if bit == 1 { high } else { low });
            text += &format!("v {x} {y} {z}\n");
        }
        for face in
            [[1, 3, 4, 2], [5, 6, 8, 7], [1, 2, 6, 5], [3, 7, 8, 4], [1, 5, 7, 3], [2, 4, 8, 6]]
        {
            let mut face = face.map(|i| i + first);
            if inverted {
                face.reverse();
            }
            text += &format!("f {} {} {} {}\n", face[0], face[1], face[2], face[3]);
        }
        text
    };
    for (name, text, expected) in [
        ("beside", cube(0.0, 1.0, 0, false) + &cube(2.0, 3.0, 8, true), 2.0),
        ("before", cube(2.0, 3.0, 0, true) + &cube(0.0, 1.1, 8, false), 1.0 + 1.1_f64.powi(3)),
        ("within", cube(0.0, 2.0, 0, false) + &cube(0.5, 1.5, 8, true), 7.0),
        ("all", cube(0.0, 2.0, 0, true) + &cube(0.5, 1.5, 8, false), 7.0),
    ] {
        std::fs::write(folder.path().join("mesh.obj"), text).expect("written");
        let loaded = load(folder.path(), "mesh.obj").unwrap_or_else(|e| panic!("{name}: {e}"));
        let (closed, volume) = solid(&loaded);
        assert!(closed && (volume - expected).abs() < 1e-5, "{name}: {volume}");
    }
}

#[test]
fn bad_meshes_are_refused_or_mended() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, content: &[u8]| {
        std::fs::write(folder.path().join(name), content).expect("written");
    };
    let obj = |faces: &[[u32; 3]], more: &str| {
        let mut text = more.to_owned();
        for [x, y, z] in CORNERS {
            text += &format!("v {x} {y} {z}\n");
        }
        for [a, b, c] in faces {
            text += &format!("f {} {} {}\n", a + 1, b + 1, c + 1);
        }
        text.into_bytes()
    };
    // An inverted mesh is flipped, and triangles without area are removed.
    write("inverted.obj", &obj(&FACES.map(|[a, b, c]| [a, c, b]), ""));
    write("slivers.obj", &obj(&[&FACES[..], &[[1, 1, 2]]].concat(), ""));
    for name in ["inverted.obj", "slivers.obj"] {
        let loaded = load(folder.path(), name).unwrap_or_else(|error| panic!("{error}"));
        assert!(is_the_tetrahedron(&loaded), "{name}");
        let loaded = load_as("[[body]]\ndensity = 500.0", folder.path(), name)
            .unwrap_or_else(|error| panic!("{error}"));
        let solid = loaded.scene.bodies[0].shape.mesh().expect("read");
        let (filled, _) = solid.as_body().expect("closed");
        assert!((filled.volume - 1.0 / 6.0).abs() < 1e-6, "{name}: {filled:?}");
        assert!((filled.center - 0.25).abs().max_element() < 1e-6, "{name}: {filled:?}");
    }
    // An open mesh is a sheet.
    write("open.obj", &obj(&FACES[1..], ""));
    let loaded = load(folder.path(), "open.obj").unwrap_or_else(|error| panic!("{error}"));
    assert!(!solid(&loaded).0);
    let [warning] = &loaded.warnings[..] else { panic!("{:?}", loaded.warnings) };
    assert!(warning.contains("\"open.obj\" has 3 open edges, so it is a sheet"), "{warning}");
    // Unless the scene says so.
    let sheet = |file: &str| load(folder.path(), &format!("{file:?}, sheet = true"));
    assert!(sheet("open.obj").unwrap_or_else(|error| panic!("{error}")).warnings.is_empty());
    let error = sheet("inverted.obj").expect_err("closed");
    assert!(error.contains("mesh.sheet: the mesh is closed"), "{error}");

    write("nan.obj", b"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    write("index.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n");
    write("flat.obj", &obj(&[[1, 1, 2]], ""));
    write("empty.obj", b"# nothing\n");
    write("many.stl", &stl(&FACES, 10_000_000));
    write("early.stl", &stl(&FACES, 9));
    write("text.ply", b"not a ply file\n");
    write("image.png", b"");
    write("binary.glb", b"glTF\x02\0\0\0");
    write("far.obj", b"v 1e30 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let face = "f 1 2 3\n".repeat(2_000_001);
    write("many.obj", format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{face}").as_bytes());
    for (name, expected) in [
        ("nan.obj", "which is no place"),
        ("index.obj", "mesh \"index.obj\": line 4: \"f 1 2 9\": there is no vertex 9, 3 stand"),
        ("flat.obj", "none of its triangles has an area"),
        ("empty.obj", "it has no triangles"),
        ("many.stl", "it has 10000000 triangles; the limit is 2000000"),
        ("many.obj", "it has 2000001 triangles; the limit is 2000000"),
        ("early.stl", "mesh \"early.stl\": "),
        ("text.ply", "mesh \"text.ply\": "),
        ("image.png", "is not a mesh file: expected .obj, .ply, .stl, .gltf or .glb"),
        ("binary.glb", "mesh \"binary.glb\": "),
        ("far.obj", "which is no place"),
        ("none.obj", "there is no file \"none.obj\""),
    ] {
        let error = load(folder.path(), name).expect_err(name);
        assert!(error.contains(expected), "{name}: {error}");
        assert!(error.contains("scene.toml:8:"), "{name}: {error}");
        assert_eq!(error.lines().count(), 1, "{name}: {error}");
    }
}
