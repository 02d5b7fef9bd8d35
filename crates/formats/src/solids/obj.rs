//! Reader of Wavefront OBJ: vertices `v` and polygons `f`; materials, normals, texture coordinates, lines and points are
//! skipped.

use meniscus_model::mesh::MAX_TRIANGLES;

use super::{Triangles, too_many};

/// Positions, in the order in which faces first name them, and triangles, of polygons as fans. Text that is not UTF-8, as
/// names in Latin-1, a byte order mark, comments behind statements and lines continued by `\` are read as well.
pub(super) fn read(bytes: &[u8]) -> Result<Triangles, String> {
    let text = String::from_utf8_lossy(bytes);
    let mut mesh = Reader::default();
    let (mut statement, mut first) = (String::new(), 1);
    for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim_end();
        if statement.is_empty() {
            first = number + 1;
        }
        if let Some(part) = line.strip_suffix('\\') {
            statement += part;
            statement.push(' ');
            continue;
        }
        statement += line;
        mesh.read(&statement).map_err(|message| {
            format!("line {first}: {:?}: {message}", shortened(statement.trim()))
        })?;
        statement.clear();
    }
    too_many(mesh.triangles.len())?;
    Ok((mesh.positions, mesh.triangles))
}

/// The beginning of a long statement.
fn shortened(statement: &str) -> String {
    const MOST: usize = 40;
    match statement.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &statement[..end]),
        None => statement.to_owned(),
    }
}

#[derive(Default)]
struct Reader {
    /// Vertices of the file, and the number of each among `positions`.
    vertices: Vec<([f64; 3], Option<u32>)>,
    positions: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl Reader {
    fn read(&mut self, statement: &str) -> Result<(), String> {
        let mut words = statement.split_ascii_whitespace();
        match words.next() {
            Some("v") => self.vertex(words),
            Some("f") => self.face(words),
            _ => Ok(()),
        }
    }

    /// Three coordinates; a weight or a colour may follow.
    fn vertex<'a>(&mut self, mut words: impl Iterator<Item = &'a str>) -> Result<(), String> {
        let mut position = [0.0; 3];
        for (coordinate, name) in position.iter_mut().zip(["x", "y", "z"]) {
            let word = words.next().ok_or_else(|| format!("the coordinate {name} is missing"))?;
            // Positions of meshes are f32, as in other formats.
            let number: f32 = word
                .parse()
                .map_err(|_| format!("expected a number for {name}, found {word:?}"))?;
            *coordinate = f64::from(number);
        }
        self.vertices.push((position, None));
        Ok(())
    }

    /// Corners as `7`, `7/1`, `7//3` or `7/1/3`; those below 0 count back from the last vertex.
    fn face<'a>(&mut self, words: impl Iterator<Item = &'a str>) -> Result<(), String> {
        let mut corners = Vec::new();
        for word in words {
            let number = word.split('/').next().unwrap_or_default();
            let number: i64 =
                number.parse().map_err(|_| format!("expected a vertex number, found {word:?}"))?;
            let count = self.vertices.len();
            let index = match number {
                1.. => usize::try_from(number - 1).ok(),
                0 => None,
                _ => number
                    .checked_neg()
                    .and_then(|back| count.checked_sub(usize::try_from(back).ok()?)),
            };
            let vertex = index.and_then(|index| self.vertices.get_mut(index));
            let (position, known) = vertex.ok_or_else(|| {
                format!("there is no vertex {number}, {count} stand before this line")
            })?;
            corners.push(*known.get_or_insert_with(|| {
                self.positions.push(*position);
                self.positions.len() as u32 - 1
            }));
        }
        if corners.len() < 3 {
            return Err(format!("a face needs 3 vertices, not {}", corners.len()));
        }
        // Do not fill the memory with what is refused anyway.
        if self.triangles.len() <= MAX_TRIANGLES {
            let fan = corners.windows(2).skip(1).map(|pair| [corners[0], pair[0], pair[1]]);
            self.triangles.extend(fan);
        }
        Ok(())
    }
}
