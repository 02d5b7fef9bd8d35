//! Outlines of polygons: CSV, DXF, SVG.

use meniscus_model::scene::Vec3;

use super::{Files, extension};

/// Largest distance of the corners of an arc from it, as a share of its radius: 1 − cos of half the angle between them.
const STEP: f64 = 5.0 * std::f64::consts::PI / 180.0;

/// Corners of the closed outline of a file.
pub(super) fn read(files: &Files, name: &str) -> Result<Vec<Vec3>, String> {
    let text = || files.read(name).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let corners = match extension(name).as_str() {
        "csv" | "txt" => csv(&text()?),
        "dxf" => dxf(&text()?),
        _ => return Err(format!("{name:?} is no file of an outline: expected .csv or .dxf")),
    };
    corners.map_err(|message: String| format!("outline {name:?}: {message}"))
}

/// A corner per line, x and y, separated by commas, semicolons or spaces; the first line may have names.
fn csv(text: &str) -> Result<Vec<Vec3>, String> {
    let mut corners = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let cells = line.split([',', ';', ' ', '\t']).filter(|cell| !cell.is_empty());
        let numbers: Option<Vec<f64>> = cells.take(2).map(|cell| cell.parse().ok()).collect();
        match numbers.as_deref() {
            Some([x, y]) => corners.push([*x, *y, 0.0]),
            _ if corners.is_empty() && number == 0 => {}
            _ => return Err(format!("line {}: expected x, y, found {line:?}", number + 1)),
        }
    }
    Ok(corners)
}

/// Metres of the units of a drawing by their number in the header's `$INSUNITS` (the reference of DXF); those of none are m.
fn metres(pairs: &[(i32, &str)]) -> Result<f64, String> {
    let Some(k) = pairs.iter().position(|pair| *pair == (9, "$INSUNITS")) else { return Ok(1.0) };
    let number = pairs.get(k + 1).map_or("", |(_, value)| value);
    Ok(match number {
        "0" | "6" => 1.0,
        "1" => 0.0254,
        "2" => 0.3048,
        "4" => 1e-3,
        "5" => 1e-2,
        "7" => 1e3,
        "8" => 25.4e-9,
        "9" => 25.4e-6,
        "10" => 0.9144,
        "12" => 1e-9,
        "13" => 1e-6,
        "14" => 0.1,
        "15" => 10.0,
        "16" => 100.0,
        "21" => 1200.0 / 3937.0,
        _ => {
            return Err(format!(
                "its units, $INSUNITS = {number}, are not read: save it in metres (6) or millimetres (4)"
            ));
        }
    })
}

/// The closed polyline (LWPOLYLINE, POLYLINE) of a drawing in ASCII, or its lines and arcs (LINE, ARC) joined to one, in m.
fn dxf(text: &str) -> Result<Vec<Vec3>, String> {
    let mut lines = text.lines().map(str::trim);
    let mut pairs = Vec::new();
    while let (Some(code), Some(value)) = (lines.next(), lines.next()) {
        let number = 2 * pairs.len() + 1;
        let code: i32 = code
            .parse()
            .map_err(|_| format!("line {number}: expected a group code, found {code:?}"))?;
        pairs.push((code, value));
    }
    let unit = metres(&pairs)?;
    let start =
        pairs.windows(2).position(|pair| pair[0] == (0, "SECTION") && pair[1] == (2, "ENTITIES"));
    let entities = &pairs[start.ok_or("it has no section ENTITIES of a DXF file in ASCII")?..];
    let mut outlines = Vec::new();
    let mut pieces = Vec::new();
    // Corners with their bulges, of the polyline that is being read.
    let mut open: Option<(Vec<Corner>, Side)> = None;
    let begins: Vec<usize> = (0..entities.len()).filter(|k| entities[*k].0 == 0).collect();
    for (k, begin) in begins.iter().enumerate() {
        let end = begins.get(k + 1).copied().unwrap_or(entities.len());
        let body = &entities[begin + 1..end];
        let number = |code: i32| {
            let found = body.iter().find(|(own, _)| *own == code);
            found.and_then(|(_, value)| value.parse::<f64>().ok())
        };
        let point = |x: i32, y: i32| Some([number(x)?, number(y)?]);
        let name = entities[*begin].1;
        let side = || Side::of(name, [210, 220, 230].map(number));
        match name {
            "ENDSEC" => break,
            "LWPOLYLINE" => {
                let mut corners: Vec<Corner> = Vec::new();
                for (code, value) in body {
                    let Ok(value) = value.parse::<f64>() else { continue };
                    match (code, corners.last_mut()) {
                        (10, _) => corners.push(([value, 0.0], 0.0)),
                        (20, Some(last)) => last.0[1] = value,
                        (42, Some(last)) => last.1 = value,
                        _ => {}
                    }
                }
                outlines.push(side()?.turn(bulged(&corners)));
            }
            // One of 3-D (8) has its places in the world.
            "POLYLINE" if number(70).is_some_and(|flags| flags as u32 & 8 != 0) => {
                open = Some((Vec::new(), Side::Front));
            }
            "POLYLINE" => open = Some((Vec::new(), side()?)),
            "VERTEX" => {
                if let (Some((corners, _)), Some(p)) = (&mut open, point(10, 20)) {
                    corners.push((p, number(42).unwrap_or(0.0)));
                }
            }
            "SEQEND" => {
                outlines.extend(open.take().map(|(corners, side)| side.turn(bulged(&corners))));
            }
            // Its ends are places in the world, whatever its direction.
            "LINE" => {
                if let (Some(a), Some(b)) = (point(10, 20), point(11, 21)) {
                    pieces.push(vec![a, b]);
                }
            }
            "ARC" => {
                if let (Some(center), Some(radius)) = (point(10, 20), number(40)) {
                    let [from, to] = [50, 51].map(|code| number(code).unwrap_or(0.0).to_radians());
                    let turn = (to - from).rem_euclid(std::f64::consts::TAU);
                    pieces.push(side()?.turn(arc(center, radius, from, turn)));
                }
            }
            _ => {}
        }
    }
    if !pieces.is_empty() {
        outlines.push(join(pieces)?);
    }
    match outlines.len() {
        1 => Ok(outlines.remove(0).into_iter().map(|[x, y]| [unit * x, unit * y, 0.0]).collect()),
        0 => Err("it has no LWPOLYLINE, POLYLINE, LINE or ARC".into()),
        more => Err(format!("it has {more} outlines: a polygon is one")),
    }
}

/// Side of the drawing's plane from which the numbers of an entity are seen: its extrusion direction is along z, or against it,
/// when x is the other way (the arbitrary axis algorithm of the DXF reference).
#[derive(Clone, Copy)]
enum Side {
    Front,
    Back,
}

impl Side {
    fn of(name: &str, direction: [Option<f64>; 3]) -> Result<Self, String> {
        let [x, y, z] =
            [direction[0].unwrap_or(0.0), direction[1].unwrap_or(0.0), direction[2].unwrap_or(1.0)];
        // Of programs that write few digits.
        let is_upright = x.hypot(y) <= 1e-6 * z.abs();
        match is_upright && z != 0.0 {
            true if z > 0.0 => Ok(Self::Front),
            true => Ok(Self::Back),
            false => Err(format!(
                "its {name} has the extrusion direction ({x}, {y}, {z}): an outline lies in the plane, with (0, 0, 1) or \
                 (0, 0, -1)"
            )),
        }
    }

    fn turn(self, points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
        match self {
            Self::Front => points,
            Self::Back => points.into_iter().map(|[x, y]| [-x, y]).collect(),
        }
    }
}

/// Points of an arc about a center by a turn in rad, both ends included.
fn arc(center: [f64; 2], radius: f64, from: f64, turn: f64) -> Vec<[f64; 2]> {
    let count = (turn.abs() / STEP).ceil().max(1.0) as u32;
    let at = |k: u32| {
        let angle = from + turn * f64::from(k) / f64::from(count);
        [center[0] + radius * angle.cos(), center[1] + radius * angle.sin()]
    };
    (0..=count).map(at).collect()
}

/// A corner of a polyline, and its bulge.
type Corner = ([f64; 2], f64);

/// Corners of a polyline, with those of its arcs: the bulge of a corner is the tangent of a quarter of the turn to the next one.
fn bulged(corners: &[Corner]) -> Vec<[f64; 2]> {
    let next = corners.iter().cycle().skip(1);
    let side = |((a, bulge), (b, _)): (&Corner, &Corner)| {
        if *bulge == 0.0 || a == b {
            return vec![*a];
        }
        let turn = 4.0 * bulge.atan();
        let (x, y) = (b[0] - a[0], b[1] - a[1]);
        // From the middle of the chord to the centre, to the left: half the chord over tan(turn/2).
        let away = 0.5 / (0.5 * turn).tan();
        let center = [0.5 * (a[0] + b[0]) - away * y, 0.5 * (a[1] + b[1]) + away * x];
        let (dx, dy) = (a[0] - center[0], a[1] - center[1]);
        let mut points = arc(center, dx.hypot(dy), dy.atan2(dx), turn);
        points.pop();
        points[0] = *a;
        points
    };
    corners.iter().zip(next).flat_map(side).collect()
}

/// Lines and arcs end to end, as one outline.
fn join(mut pieces: Vec<Vec<[f64; 2]>>) -> Result<Vec<[f64; 2]>, String> {
    let far = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
    let all = pieces.iter().flatten();
    let size = all.map(|p| p[0].abs().max(p[1].abs())).fold(0.0, f64::max);
    let close = 1e-6 * size;
    let mut outline = pieces.swap_remove(0);
    while let Some(&end) = outline.last() {
        let fits = |piece: &Vec<[f64; 2]>| {
            far(piece[0], end) <= close || far(piece[piece.len() - 1], end) <= close
        };
        let Some(k) = pieces.iter().position(fits) else { break };
        let mut piece = pieces.swap_remove(k);
        if far(piece[0], end) > close {
            piece.reverse();
        }
        outline.extend(&piece[1..]);
    }
    let end = outline[outline.len() - 1];
    if !pieces.is_empty() || far(outline[0], end) > close {
        return Err(format!(
            "its lines and arcs are no closed outline: nothing goes on at [{}, {}]",
            end[0], end[1]
        ));
    }
    outline.pop();
    Ok(outline)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_has_a_corner_per_line_with_or_without_names() {
        let due = vec![[0.0, 0.0, 0.0], [1.5, 0.0, 0.0], [1.0, 2.0, 0.0]];
        assert_eq!(csv("x,y\n0,0\n1.5,0 # here\n\n1,2\n"), Ok(due.clone()));
        assert_eq!(csv("0 0\n1.5;0\n1\t2"), Ok(due));
        let error = csv("0,0\n1,one").expect_err("no number");
        assert!(error.contains("line 2: expected x, y"), "{error}");
    }

    fn drawing(entities: &str) -> String {
        let text =
            format!("0 SECTION 2 HEADER 0 ENDSEC 0 SECTION 2 ENTITIES {entities} 0 ENDSEC 0 EOF");
        text.split(' ').collect::<Vec<_>>().join("\n")
    }

    fn area(corners: &[Vec3]) -> f64 {
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).map(|(a, b)| 0.5 * (a[0] * b[1] - a[1] * b[0])).sum()
    }

    #[test]
    fn dxf_has_polylines_with_arcs_and_lines_that_join() {
        // A square of edge 2 whose right side bulges by a half circle.
        let text = "0 LWPOLYLINE 90 4 70 1 10 0 20 0 10 2 20 0 42 1 10 2 20 2 10 0 20 2";
        let corners = dxf(&drawing(text)).expect("a polyline");
        let due = 4.0 + 0.5 * std::f64::consts::PI;
        assert!((area(&corners) / due - 1.0).abs() < 2e-3, "{} and {due}", area(&corners));
        // The same of lines in any order and direction, and an arc.
        let text = "0 LINE 10 0 20 0 11 2 21 0 0 LINE 10 0 20 2 11 0 21 0 0 LINE 10 0 20 2 11 2 21 2 0 ARC 10 2 20 1 40 1 50 270 51 90";
        let corners = dxf(&drawing(text)).expect("lines");
        assert!((area(&corners).abs() / due - 1.0).abs() < 2e-3, "{} and {due}", area(&corners));
        let old =
            "0 POLYLINE 70 1 0 VERTEX 10 0 20 0 0 VERTEX 10 1 20 0 0 VERTEX 10 0 20 1 0 SEQEND";
        assert_eq!(dxf(&drawing(old)).expect("a polyline").len(), 3);
        for (text, expected) in [
            ("0 LINE 10 0 20 0 11 2 21 0", "no closed outline"),
            ("0 CIRCLE 10 0 20 0 40 1", "no LWPOLYLINE"),
        ] {
            let error = dxf(&drawing(text)).expect_err("no outline");
            assert!(error.contains(expected), "{error}");
        }
    }
    #[test]
    fn dxf_has_entities_from_behind_and_units() {
        // The square with the half circle, from behind: at the same x as in front if the numbers have the other sign.
        let front = "0 LWPOLYLINE 70 1 10 0 20 0 10 2 20 0 42 1 10 2 20 2 10 0 20 2";
        let back = "0 LWPOLYLINE 70 1 210 0.0 220 0 230 -1 10 0 20 0 10 -2 20 0 42 -1 10 -2 20 2 10 0 20 2";
        let due = dxf(&drawing(front)).expect("a polyline");
        let near = |found: &[Vec3], factor: f64| {
            let apart = |(p, q): (&Vec3, &Vec3)| {
                (p[0] - factor * q[0]).abs().max((p[1] - factor * q[1]).abs())
            };
            assert_eq!(found.len(), due.len());
            let most = found.iter().zip(&due).map(apart).fold(0.0, f64::max);
            assert!(most < 1e-12, "{most}");
        };
        near(&dxf(&drawing(back)).expect("a polyline"), 1.0);
        // Lines are where they are, the arc is seen from behind: from 90 to 270° about (-2, 1) is from -90 to 90° about (2, 1).
        let text = "0 LINE 10 0 20 0 11 2 21 0 230 -1 0 LINE 10 0 20 2 11 0 21 0 0 LINE 10 0 20 2 11 2 21 2 0 ARC 210 0 220 0 230 -1 10 -2 20 1 40 1 50 90 51 270";
        let corners = dxf(&drawing(text)).expect("lines");
        assert!((area(&corners).abs() / area(&due) - 1.0).abs() < 1e-12, "{}", area(&corners));
        let old = "0 POLYLINE 70 1 230 -1 0 VERTEX 10 0 20 0 0 VERTEX 10 -1 20 0 0 VERTEX 10 0 20 1 0 SEQEND";
        assert_eq!(dxf(&drawing(old)).expect("a polyline")[1], [1.0, 0.0, 0.0]);
        let tilted = front.replace("70 1", "70 1 210 0 220 0.6 230 0.8");
        let error = dxf(&drawing(&tilted)).expect_err("no outline of the plane");
        assert!(error.contains("LWPOLYLINE has the extrusion direction (0, 0.6, 0.8)"), "{error}");
        let of = |unit: u32| {
            let header = format!("2\nHEADER\n9\n$INSUNITS\n70\n{unit}");
            dxf(&drawing(front).replacen("2\nHEADER", &header, 1))
        };
        for (unit, metre) in [(0, 1.0), (1, 0.0254), (4, 0.001), (5, 0.01), (6, 1.0)] {
            near(&of(unit).expect("read"), metre);
        }
        let error = of(18).expect_err("astronomical units");
        assert!(error.contains("$INSUNITS = 18"), "{error}");
    }
}
