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

/// The closed polyline (LWPOLYLINE, POLYLINE) of a drawing in ASCII, or its lines and arcs (LINE, ARC) joined to one.
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
    let start =
        pairs.windows(2).position(|pair| pair[0] == (0, "SECTION") && pair[1] == (2, "ENTITIES"));
    let entities = &pairs[start.ok_or("it has no section ENTITIES of a DXF file in ASCII")?..];
    let mut outlines = Vec::new();
    let mut pieces = Vec::new();
    // Corners with their bulges, of the polyline that is being read.
    let mut open: Option<Vec<Corner>> = None;
    let begins: Vec<usize> = (0..entities.len()).filter(|k| entities[*k].0 == 0).collect();
    for (k, begin) in begins.iter().enumerate() {
        let end = begins.get(k + 1).copied().unwrap_or(entities.len());
        let body = &entities[begin + 1..end];
        let number = |code: i32| {
            let found = body.iter().find(|(own, _)| *own == code);
            found.and_then(|(_, value)| value.parse::<f64>().ok())
        };
        let point = |x: i32, y: i32| Some([number(x)?, number(y)?]);
        match entities[*begin].1 {
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
                outlines.push(bulged(&corners));
            }
            "POLYLINE" => open = Some(Vec::new()),
            "VERTEX" => {
                if let (Some(corners), Some(p)) = (&mut open, point(10, 20)) {
                    corners.push((p, number(42).unwrap_or(0.0)));
                }
            }
            "SEQEND" => outlines.extend(open.take().map(|corners| bulged(&corners))),
            "LINE" => {
                if let (Some(a), Some(b)) = (point(10, 20), point(11, 21)) {
                    pieces.push(vec![a, b]);
                }
            }
            "ARC" => {
                if let (Some(center), Some(radius)) = (point(10, 20), number(40)) {
                    let [from, to] = [50, 51].map(|code| number(code).unwrap_or(0.0).to_radians());
                    let turn = (to - from).rem_euclid(std::f64::consts::TAU);
                    pieces.push(arc(center, radius, from, turn));
                }
            }
            _ => {}
        }
    }
    if !pieces.is_empty() {
        outlines.push(join(pieces)?);
    }
    match outlines.len() {
        1 => Ok(outlines.remove(0).into_iter().map(|[x, y]| [x, y, 0.0]).collect()),
        0 => Err("it has no LWPOLYLINE, POLYLINE, LINE or ARC".into()),
        more => Err(format!("it has {more} outlines: a polygon is one")),
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
}
