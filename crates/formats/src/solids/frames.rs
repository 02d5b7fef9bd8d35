//! Frames of boundaries that change their shape: files by a pattern with one `*`, or one file of glTF with
//! its animation.

use std::path::Path;

use meniscus_model::Scene;
use meniscus_model::mesh::{Frames, Pose, TriangleMesh};
use meniscus_model::scene::{Content, Motion, Problem};

use super::gltf::Model;
use super::{Files, extension, mesh_of, of_mesh, read_triangles};
use crate::scenes;

/// Most frames of a motion.
pub(super) const MOST_FRAMES: usize = 10_000;

/// Reads the frames of all boundaries, each of which then begins with the form of its first frame.
pub(super) fn fill_in(scene: &mut Scene, files: &Files) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (i, boundary) in scene.boundaries.iter_mut().enumerate() {
        // The checks of the scene refuse frames of anything else.
        let Some(mesh) = mesh_of(&mut boundary.shape) else { continue };
        let Some(rest) = mesh.content.get().cloned() else { continue };
        for (k, motion) in boundary.motion.iter_mut().enumerate() {
            let Motion::Frames { files: pattern, animation, fps, repeats, poses } = motion else {
                continue;
            };
            let read = match animation {
                _ if is_animated(pattern) => {
                    bake(files, pattern, animation.as_deref(), *fps, *repeats)
                }
                Some(name) => {
                    let message = format!(
                        "{name:?} is of one .glb or .gltf file, but files = {pattern:?}: leave it out or give one"
                    );
                    let path = format!("boundary[{i}].motion[{k}].frames.animation");
                    problems.push(Problem::new(path, message));
                    continue;
                }
                None => read(files, pattern),
            };
            let found = read.and_then(|frames| {
                // Shells that cross are one in the shape, which those of frames are not.
                let first = frames.first();
                let united = TriangleMesh::new(first.positions(), first.triangles());
                let own = rest.mesh().triangles().len();
                let others = united.map_or(0, |mesh| mesh.triangles().len());
                if own != others && mesh.file != *pattern {
                    return Err(format!(
                        "the frames of {pattern:?} have {others} triangles, but the shape, {:?}, has {own}: give one of the \
                         frames as shape.mesh.file",
                        mesh.file
                    ));
                }
                Ok(frames)
            });
            match found {
                Ok(frames) => {
                    mesh.fill_in(frames.first());
                    *poses = Content::of(frames.placed(|p| mesh.place(p)));
                }
                Err(message) => {
                    let path = format!("boundary[{i}].motion[{k}].frames.files");
                    problems.push(Problem::new(path, message));
                }
            }
        }
    }
    problems
}

/// Names of the files of all frames of a scene.
pub(crate) fn frame_files(scene: &Scene, files: &Files) -> Vec<String> {
    let motions = scene.boundaries.iter().flat_map(|boundary| &boundary.motion);
    let patterns = motions.filter_map(|motion| match motion {
        Motion::Frames { files, .. } => Some(files),
        _ => None,
    });
    patterns.filter_map(|pattern| matching(files, pattern).ok()).flatten().collect()
}

/// Whether this is the name of one file with an animation, not a pattern.
fn is_animated(pattern: &str) -> bool {
    !pattern.contains('*') && matches!(extension(pattern).as_str(), "glb" | "gltf")
}

/// Frames of a file's animation.
fn bake(
    files: &Files,
    name: &str,
    animation: Option<&str>,
    fps: f64,
    repeats: bool,
) -> Result<Frames, String> {
    let say = |message: String| of_mesh(name, &message);
    let model = Model::read(files, name, &files.read(name)?).map_err(say)?;
    let (poses, rate) = model.poses(animation, fps, repeats).map_err(say)?;
    let pose = |(k, positions)| Pose {
        name: format!("{name} [{k}]"),
        positions,
        triangles: model.triangles.clone(),
    };
    let frames = Frames::new(&poses.into_iter().enumerate().map(pose).collect::<Vec<_>>())?;
    Ok(frames.at_rate(rate))
}

fn read(files: &Files, pattern: &str) -> Result<Frames, String> {
    let pose = |name: String| {
        let (positions, triangles) = read_triangles(files, &name)?;
        Ok(Pose { name, positions, triangles })
    };
    let poses: Vec<_> =
        matching(files, pattern)?.into_iter().map(pose).collect::<Result<_, String>>()?;
    Frames::new(&poses)
}

/// Names of the files that a pattern means, in the order of the numbers, or else the names, in the place of its `*`.
fn matching(files: &Files, pattern: &str) -> Result<Vec<String>, String> {
    if is_animated(pattern) {
        return Ok(vec![pattern.to_owned()]);
    }
    let (folder, name) = match pattern.rfind(['/', '\\']) {
        Some(end) => pattern.split_at(end + 1),
        None => ("", pattern),
    };
    let stars = |text: &str| text.matches('*').count();
    let (Some((before, after)), 1, 0) = (name.split_once('*'), stars(name), stars(folder)) else {
        return Err(format!(
            "expected a pattern with one * in the file's name, as \"walk/*.obj\", or one animated file, as \"walk.glb\", \
             not {pattern:?}"
        ));
    };
    let names: Vec<String> = match files {
        Files::Bundled => scenes::mesh_names()
            .filter_map(|known| known.strip_prefix(folder))
            .map(Into::into)
            .collect(),
        Files::Folder(own) => {
            let place = own.join(folder);
            let place =
                if place.as_os_str().is_empty() { Path::new(".").to_owned() } else { place };
            let entries = std::fs::read_dir(&place)
                .map_err(|error| format!("cannot read the folder {}: {error}", place.display()))?;
            let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
            names.collect()
        }
    };
    // What stands for the star: a number by its digits without leading zeros, in the order of their count.
    let star = |name: &str| {
        let part = name.strip_prefix(before)?.strip_suffix(after)?;
        let digits = part.trim_start_matches('0');
        let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        Some(if is_number { (0, digits.len(), digits.to_owned()) } else { (1, 0, part.to_owned()) })
    };
    let long_enough =
        |name: &&String| name.len() >= before.len() + after.len() && !name.contains(['/', '\\']);
    let mut found: Vec<_> = names
        .iter()
        .filter(long_enough)
        .filter_map(|name| Some((star(name)?, name.clone())))
        .collect();
    found.sort();
    match found.len() {
        0 => Err(format!("there are no files {pattern:?}")),
        count if count > MOST_FRAMES => {
            Err(format!("{pattern:?} means {count} files; at most {MOST_FRAMES} are possible"))
        }
        _ => Ok(found.into_iter().map(|(_, name)| format!("{folder}{name}")).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_pattern_come_in_the_order_of_their_numbers() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::create_dir(folder.path().join("walk")).expect("a folder");
        for name in ["f_10.obj", "f_9.obj", "f_008.obj", "f_b.obj", "g_1.obj", "f_1.ply", "f_.obj"]
        {
            std::fs::write(folder.path().join("walk").join(name), "").expect("written");
        }
        let files = Files::Folder(folder.path().to_owned());
        let expected = ["f_008.obj", "f_9.obj", "f_10.obj", "f_.obj", "f_b.obj"];
        let expected: Vec<_> = expected.iter().map(|name| format!("walk/{name}")).collect();
        assert_eq!(matching(&files, "walk/f_*.obj"), Ok(expected));
        let wrong = |pattern: &str| matching(&files, pattern).expect_err("wrong");
        assert_eq!(wrong("walk/h*.obj"), "there are no files \"walk/h*.obj\"");
        for pattern in ["walk/f_1.obj", "walk/*_*.obj", "*/f_1.obj"] {
            assert!(wrong(pattern).starts_with("expected a pattern with one *"), "{pattern}");
        }
        assert!(wrong("run/*.obj").starts_with("cannot read the folder"));
    }

    /// A tetrahedron, its tip at this height.
    fn tetrahedron(height: f64, first: &str) -> String {
        format!("v 0 0 0\nv 1 0 0\nv 0 0 -1\nv 0 {height} 0\n{first}\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")
    }

    #[test]
    fn frames_are_read_and_what_is_wrong_with_them_is_said() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let write = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text).expect("written");
        };
        for (k, height) in [(1, 1.0), (2, 1.2), (3, 3.0)] {
            write(&format!("a_{k}.obj"), &tetrahedron(height, "f 1 3 2"));
        }
        for (k, face) in [(1, "f 1 3 2"), (2, "f 3 2 1")] {
            write(&format!("b_{k}.obj"), &tetrahedron(1.0, face));
            write(&format!("short_{k}.obj"), &tetrahedron(1.0 + 0.1 * f64::from(k), "f 1 3 2"));
        }
        let scene = |solver: &str, response: &str, motion: &str, solid: &str| {
            let text = format!(
                "solver = \"{solver}\"\nparticle_radius = 0.05\n[[material]]\nname = \"water\"\n[[fluid]]\n\
                 shape.box = {{ min = [0, 0, 2], max = [1, 1, 3] }}\n[[{solid}]]\n\
                 shape.mesh = {{ file = \"a_2.obj\", scale = 2.0 }}\n{response}\nmotion = [{motion}]\n"
            );
            let path = folder.path().join("scene.toml");
            crate::load_text(&path.display().to_string(), &text, &crate::LoadOptions::default())
        };
        let outside = "side = \"outside\"";
        let particles = "side = \"outside\"\nresponse.particles = {}";
        let frames = |files: &str| {
            format!("{{ frames = {{ files = \"{files}\", fps = 24.0, loop = true }} }}")
        };
        let loaded = scene("dfsph", outside, &frames("a_*.obj"), "boundary").expect("sound").scene;
        let boundary = &loaded.boundaries[0];
        // It begins with the first frame, placed as the shape.
        assert!((boundary.shape.bounds().1.y - 1.0).abs() < 1e-6, "{:?}", boundary.shape.bounds());
        let highest = |time| {
            let vertices = boundary.frames().expect("frames").at(time);
            vertices.iter().map(|p| p.y).fold(0.0, f64::max)
        };
        assert!((highest(1.0 / 24.0) - 2.4).abs() < 1e-6 && (highest(0.125) - 2.0).abs() < 1e-6);
        let other = scene("dfsph", particles, &frames("short_*.obj"), "boundary");
        let other = other.expect("sound");
        let first = scene("dfsph", outside, &frames("a_*.obj"), "boundary").expect("sound");
        assert_ne!(first.hash, other.hash);
        let wrong = |solver: &str, response: &str, motion: &str, solid: &str| {
            scene(solver, response, motion, solid).expect_err("wrong").to_string()
        };
        for (found, expected) in [
            (
                wrong("dfsph", outside, &frames("b_*.obj"), "boundary"),
                "mesh \"b_2.obj\": triangle 1 joins other",
            ),
            (
                wrong("dfsph", outside, &frames("c_*.obj"), "boundary"),
                "there are no files \"c_*.obj\"",
            ),
            (
                wrong("dfsph", outside, &frames("a_1*.obj"), "boundary"),
                "1 file: \"a_1.obj\"; frames need at least two",
            ),
            (wrong("dfsph", "density = 500.0", &frames("a_*.obj"), "body"), "a body is rigid"),
            (
                wrong("mls_mpm", outside, &frames("a_*.obj"), "boundary"),
                "take one of the solvers muller, wcsph",
            ),
            (
                wrong("dfsph", particles, &frames("a_*.obj"), "boundary"),
                "frame 3 of its motion stretches the mesh by",
            ),
            (
                wrong(
                    "dfsph",
                    "side = \"outside\"\nresponse.volume = { no_slip = true }",
                    &frames("a_*.obj"),
                    "boundary",
                ),
                "acts along its normal alone",
            ),
            (
                wrong(
                    "flip",
                    "side = \"outside\"\ncontact = \"sticky\"",
                    &frames("a_*.obj"),
                    "boundary",
                ),
                "it cannot be \"sticky\"",
            ),
            (
                wrong("dfsph", outside, &frames("a_*.obj").replace("24.0", "0.0"), "boundary"),
                "must be greater than 0",
            ),
        ] {
            assert!(found.contains(expected), "{expected}: {found}");
        }
    }
}
