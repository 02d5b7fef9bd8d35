//! One shape said in several ways.

use std::{fs, path::Path};

use meniscus_model::Scene;
use toml::{Table, Value};

use super::{Finding, Trial, keys::numbers, trial::mass};

/// Largest distance of particles of two ways, in spacings: files of f32 round to 10⁻⁷ of the shape.
const APART: f64 = 1e-4;

/// Largest difference of masses, relative.
const MASS: f64 = 1e-6;

/// Corners of a box, z last, in the order of its faces.
const FACES: [[usize; 4]; 6] =
    [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

/// Closed shells.
struct Shells {
    corners: Vec<[f64; 3]>,
    triangles: Vec<[usize; 3]>,
}

impl Shells {
    fn of(boxes: &[[[f64; 3]; 2]]) -> Self {
        let mut shells = Self { corners: Vec::new(), triangles: Vec::new() };
        for limits in boxes {
            let first = shells.corners.len();
            let corner = |k: usize| std::array::from_fn(|axis| limits[k >> axis & 1][axis]);
            shells.corners.extend((0..8).map(corner));
            for [a, b, c, d] in FACES {
                shells.triangles.extend([[a, b, c], [a, c, d]].map(|t| t.map(|k| first + k)));
            }
        }
        shells
    }

    fn write(&self, path: &Path) {
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        let text = match extension.as_str() {
            "obj" => {
                let corners = self.corners.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n"));
                let faces = self.triangles.iter().map(|t| {
                    let [a, b, c] = t.map(|k| k + 1);
                    format!("f {a} {b} {c}\n")
                });
                corners.chain(faces).collect()
            }
            "ply" => {
                let head = format!(
                    "ply\nformat ascii 1.0\nelement vertex {}\nproperty double x\nproperty double y\n\
                     property double z\nelement face {}\nproperty list uchar int vertex_indices\n\
                     end_header\n",
                    self.corners.len(),
                    self.triangles.len()
                );
                let corners = self.corners.iter().map(|[x, y, z]| format!("{x} {y} {z}\n"));
                let faces = self.triangles.iter().map(|[a, b, c]| format!("3 {a} {b} {c}\n"));
                std::iter::once(head).chain(corners).chain(faces).collect()
            }
            _ => {
                let facet = |t: &[usize; 3]| {
                    let corner = |k: usize| {
                        let [x, y, z] = self.corners[k];
                        format!("vertex {x} {y} {z}\n")
                    };
                    let corners: String = t.iter().map(|k| corner(*k)).collect();
                    format!("facet normal 0 0 0\nouter loop\n{corners}endloop\nendfacet\n")
                };
                let facets: String = self.triangles.iter().map(facet).collect();
                format!("solid box\n{facets}endsolid box\n")
            }
        };
        fs::write(path, text).expect("a file in a temporary folder");
    }
}

/// Boxes of a kind of item, as mutable keys of their shapes with the limits.
fn boxes<'a>(
    keys: &'a mut Table,
    kind: &str,
) -> impl Iterator<Item = (&'a mut Table, [[f64; 3]; 2])> {
    let items = keys.get_mut(kind).and_then(Value::as_array_mut).into_iter().flatten();
    items.filter_map(|item| {
        let shape = item.get_mut("shape")?.as_table_mut()?;
        let limits = shape.get("box")?.as_table()?;
        let corner = |key: &str| {
            let x = numbers(limits.get(key)?)?;
            Some([0, 1, 2].map(|k| x.get(k).copied().unwrap_or(0.0)))
        };
        let limits = [corner("min")?, corner("max")?];
        Some((shape, limits))
    })
}

/// Particles of all fluids in m, and masses of bodies in kg.
fn content(scene: &Scene) -> (Vec<[f64; 3]>, Vec<f64>) {
    let (spacing, dimensions) = (scene.spacing(), scene.dimensions);
    let fluids = scene.fluids.iter();
    let all = fluids.flat_map(|fluid| fluid.particles(spacing, dimensions, scene.seed)).collect();
    (all, scene.bodies.iter().map(|body| mass(body, dimensions)).collect())
}

fn compare(how: &str, base: &Scene, other: &Scene) -> Vec<Finding> {
    let ((a, masses), (b, others)) = (content(base), content(other));
    let mut findings = vec![Finding::new(
        format!("{how}: particles, {} of {}", b.len(), a.len()),
        a.len().abs_diff(b.len()) as f64,
        0.0,
    )];
    if a.len() == b.len() {
        // Each has one of the other at its place.
        let near = |x: &[f64; 3]| {
            let distance = |y: &[f64; 3]| (0..3).map(|k| (x[k] - y[k]).abs()).fold(0.0, f64::max);
            b.iter().map(distance).fold(f64::INFINITY, f64::min)
        };
        let worst = a.iter().map(near).fold(0.0, f64::max) / base.spacing();
        findings.push(Finding::new(format!("{how}: places, in spacings"), worst, APART));
    }
    for (k, (a, b)) in masses.iter().zip(&others).enumerate() {
        let what = format!("{how}: mass of body {k}, {b} of {a} kg");
        findings.push(Finding::new(what, (b - a).abs() / a, MASS));
    }
    findings
}

pub(super) fn check(trial: &Trial<'_>) -> Vec<Finding> {
    let base = trial.scene(|_| {});
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut findings = Vec::new();
    let mut add = |how: &str, change: &mut dyn FnMut(&mut Table)| {
        findings.extend(compare(how, &base, &trial.scene(|keys| change(keys))));
    };
    add("the last first", &mut |keys| {
        if let Some(fluids) = keys.get_mut("fluid").and_then(Value::as_array_mut) {
            fluids.reverse();
        }
    });
    if base.dimensions == 2 {
        for (how, turned, file) in [
            ("a polygon", false, None),
            ("a polygon the other way round", true, None),
            ("a file of corners", false, Some("outline.csv")),
            ("a drawing", true, Some("outline.dxf")),
        ] {
            let mut number = 0;
            add(how, &mut |keys| {
                for kind in ["fluid", "body", "boundary"] {
                    for (shape, [a, b]) in boxes(keys, kind) {
                        let mut corners =
                            vec![[a[0], a[1]], [b[0], a[1]], [b[0], b[1]], [a[0], b[1]]];
                        if turned {
                            corners.reverse();
                        }
                        shape.remove("box");
                        let mut polygon = Table::new();
                        match file {
                            None => {
                                let corner = |p: &[f64; 2]| Value::from(p.to_vec());
                                let points: Vec<_> = corners.iter().map(corner).collect();
                                polygon.insert("points".into(), points.into());
                            }
                            Some(file) => {
                                number += 1;
                                let path = folder.path().join(format!("{number}_{file}"));
                                fs::write(&path, outline(&path, &corners)).expect("a file");
                                let path = path.to_string_lossy().into_owned();
                                polygon.insert("file".into(), path.into());
                            }
                        }
                        shape.insert("polygon".into(), polygon.into());
                    }
                }
            });
        }
        return findings;
    }
    type Split = fn([[f64; 3]; 2]) -> Vec<[[f64; 3]; 2]>;
    let ways: [(&str, &str, Split); 6] = [
        ("OBJ", "obj", |limits| vec![limits]),
        ("PLY", "ply", |limits| vec![limits]),
        ("STL", "stl", |limits| vec![limits]),
        ("two shells that share a face", "obj", |[a, b]| {
            let middle = 0.5 * (a[0] + b[0]);
            vec![[a, [middle, b[1], b[2]]], [[middle, a[1], a[2]], b]]
        }),
        ("two shells that cross", "obj", |[a, b]| {
            let part = |share: f64| a[0] + share * (b[0] - a[0]);
            vec![[a, [part(0.625), b[1], b[2]]], [[part(0.375), a[1], a[2]], b]]
        }),
        ("a shell in another", "obj", |[a, b]| {
            let part = |share: f64| std::array::from_fn(|k| a[k] + share * (b[k] - a[k]));
            vec![[a, b], [part(0.25), part(0.75)]]
        }),
    ];
    for (way, extension, split) in ways {
        let mut number = 0;
        add(way, &mut |keys| {
            for kind in ["fluid", "body"] {
                for (shape, limits) in boxes(keys, kind) {
                    number += 1;
                    let path = folder.path().join(format!("{way} {number}.{extension}"));
                    Shells::of(&split(limits)).write(&path);
                    shape.remove("box");
                    let path = path.to_string_lossy().into_owned();
                    let mesh = Table::from_iter([("file".to_owned(), path.into())]);
                    shape.insert("mesh".into(), mesh.into());
                }
            }
        });
    }
    findings
}

/// Text of a file of an outline.
fn outline(path: &Path, corners: &[[f64; 2]]) -> String {
    if path.extension().is_some_and(|extension| extension == "csv") {
        return corners.iter().map(|[x, y]| format!("{x}, {y}\n")).collect();
    }
    let corner = |[x, y]: &[f64; 2]| format!("10\n{x}\n20\n{y}\n");
    let corners: String = corners.iter().map(corner).collect();
    format!(
        "0\nSECTION\n2\nENTITIES\n0\nLWPOLYLINE\n8\n0\n90\n4\n70\n1\n{corners}0\nENDSEC\n0\nEOF\n"
    )
}
