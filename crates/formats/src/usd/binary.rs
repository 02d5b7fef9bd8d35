//! Layers of USD as binary crate files (`.usdc`), from the text of [`super::Animation`]: numbers of four bytes in place of ten.
//!
//! A crate file has tables of tokens, fields (a name and a value), sets of fields, paths and specs (a path with a set of fields),
//! and values that the fields point to. Integers are packed as differences; what the format then compresses by LZ4 is stored as
//! such, as one run of literals. The version is 0.8.0, which programs since 2018 read. (Pixar's `pxr/usd/sdf/crateFile.cpp`.)

use std::collections::HashMap;
use std::io::{self, BufRead, Seek, SeekFrom, Write};

mod packing;

use packing::{packed, stored};

const VERSION: [u8; 8] = [0, 8, 0, 0, 0, 0, 0, 0];
const IS_ARRAY: u64 = 1 << 63;
const IS_INLINED: u64 = 1 << 62;
const IS_COMPRESSED: u64 = 1 << 61;
/// Elements from which on an array of integers may be packed.
const LEAST_PACKED: usize = 16;

/// Types of values.
mod kind {
    pub(super) const BOOL: u64 = 1;
    pub(super) const INT: u64 = 3;
    pub(super) const INT64: u64 = 5;
    pub(super) const FLOAT: u64 = 8;
    pub(super) const DOUBLE: u64 = 9;
    pub(super) const STRING: u64 = 10;
    pub(super) const TOKEN: u64 = 11;
    pub(super) const QUATF: u64 = 17;
    pub(super) const VEC3D: u64 = 23;
    pub(super) const VEC3F: u64 = 24;
    pub(super) const TOKEN_LIST_OP: u64 = 32;
    pub(super) const PATH_LIST_OP: u64 = 34;
    pub(super) const TOKEN_VECTOR: u64 = 41;
    pub(super) const SPECIFIER: u64 = 42;
    pub(super) const VARIABILITY: u64 = 44;
    pub(super) const TIME_SAMPLES: u64 = 46;
    pub(super) const DOUBLE_VECTOR: u64 = 48;
}

/// Types of specs.
mod spec {
    pub(super) const ATTRIBUTE: u32 = 1;
    pub(super) const PRIM: u32 = 6;
    pub(super) const ROOT: u32 = 7;
    pub(super) const RELATIONSHIP: u32 = 8;
}

/// A prim or property.
#[derive(Debug, Default)]
struct Node {
    name: String,
    kind: u32,
    /// Names and values.
    fields: Vec<(u32, u64)>,
    /// Numbers of the prims and properties in it.
    children: Vec<usize>,
}

/// A file being written.
struct File<W> {
    out: W,
    /// Bytes so far.
    at: u64,
    tokens: Vec<String>,
    token_of: HashMap<String, u32>,
    /// Strings as tokens.
    strings: Vec<u32>,
    nodes: Vec<Node>,
    /// Values that are paths: where in the file, and the path.
    targets: Vec<(u64, String)>,
}

/// Writes the layer that a text is as a crate file, to the beginning of `out`.
///
/// # Errors
/// Those of reading and writing, and text unlike that of [`super::Animation`].
pub(super) fn convert(text: impl BufRead, out: impl Write + Seek) -> io::Result<()> {
    let mut file = File {
        out,
        at: 0,
        tokens: Vec::new(),
        token_of: HashMap::new(),
        strings: Vec::new(),
        nodes: vec![Node { kind: spec::ROOT, ..Node::default() }],
        targets: Vec::new(),
    };
    // Room for the head, and no value at the offset 0, which is that of an empty array.
    file.put(&[0; 88])?;
    // Empty tokens are at the front, as in files of others: number 0 may stand for none.
    file.token("");
    file.read(text)?;
    file.end()
}

fn wrong(line: &str) -> io::Error {
    let start: String = line.chars().take(60).collect();
    io::Error::new(io::ErrorKind::InvalidData, format!("no binary form of {start:?}"))
}

/// What stands in quotation marks or angles.
fn quoted(text: &str) -> &str {
    text.trim().trim_matches(['"', '<', '>'])
}

/// Numbers of a value, whatever its brackets.
fn numbers<T: std::str::FromStr>(text: &str) -> io::Result<Vec<T>> {
    let parts = text.split(['[', ']', '(', ')', ',', ' ']).filter(|part| !part.is_empty());
    parts.map(|part| part.parse().map_err(|_| wrong(text))).collect()
}

impl<W: Write + Seek> File<W> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<u64> {
        let at = self.at;
        self.out.write_all(bytes)?;
        self.at += bytes.len() as u64;
        Ok(at)
    }

    fn token(&mut self, text: &str) -> u32 {
        if let Some(known) = self.token_of.get(text) {
            return *known;
        }
        let number = self.tokens.len() as u32;
        self.tokens.push(text.to_owned());
        self.token_of.insert(text.to_owned(), number);
        number
    }

    fn inlined(kind: u64, payload: u32) -> u64 {
        IS_INLINED | kind << 48 | u64::from(payload)
    }

    /// A value elsewhere in the file.
    fn stored(&mut self, kind: u64, bytes: &[u8]) -> io::Result<u64> {
        Ok(kind << 48 | self.put(bytes)?)
    }

    /// An array of this many elements.
    fn array(&mut self, kind: u64, count: usize, bytes: &[u8]) -> io::Result<u64> {
        if count == 0 {
            return Ok(IS_ARRAY | kind << 48);
        }
        let at = self.put(&(count as u64).to_le_bytes())?;
        self.put(bytes)?;
        Ok(IS_ARRAY | kind << 48 | at)
    }

    /// An array of integers, packed if it is long.
    fn integers(&mut self, values: &[i32]) -> io::Result<u64> {
        if values.len() < LEAST_PACKED {
            let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
            return self.array(kind::INT, values.len(), &bytes);
        }
        Ok(IS_COMPRESSED | self.array(kind::INT, values.len(), &packed(values))?)
    }

    fn double(&mut self, value: f64) -> io::Result<u64> {
        match f64::from(value as f32) == value {
            true => Ok(Self::inlined(kind::DOUBLE, (value as f32).to_bits())),
            false => self.stored(kind::DOUBLE, &value.to_le_bytes()),
        }
    }

    fn token_vector(&mut self, names: &[String]) -> io::Result<u64> {
        let mut bytes = (names.len() as u64).to_le_bytes().to_vec();
        for name in names {
            bytes.extend(self.token(name).to_le_bytes());
        }
        self.stored(kind::TOKEN_VECTOR, &bytes)
    }

    /// The only path of a list, which has its number at the end.
    fn target(&mut self, path: &str) -> io::Result<u64> {
        // Explicit, with explicit items.
        let bytes = [&[3u8][..], &1u64.to_le_bytes()].concat();
        let value = self.stored(kind::PATH_LIST_OP, &bytes)?;
        let at = self.put(&[0; 4])?;
        self.targets.push((at, path.to_owned()));
        Ok(value)
    }

    /// A value of a type of USD.
    fn value(&mut self, of: &str, text: &str) -> io::Result<u64> {
        let (element, is_array) = match of.strip_suffix("[]") {
            Some(element) => (element, true),
            None => (of, false),
        };
        if element == "token" {
            let names: Vec<_> =
                text.split(',').map(|name| quoted(name.trim_matches(['[', ']', ' ']))).collect();
            let numbers: Vec<u32> = names.iter().map(|name| self.token(name)).collect();
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            return match is_array {
                true => self.array(kind::TOKEN, numbers.len(), &bytes),
                false => Ok(Self::inlined(kind::TOKEN, numbers[0])),
            };
        }
        let floats = || -> io::Result<Vec<u8>> {
            Ok(numbers::<f32>(text)?.iter().flat_map(|x| x.to_le_bytes()).collect())
        };
        let (kind, width, bytes) = match element {
            "int" if is_array => return self.integers(&numbers(text)?),
            "int64" => {
                let bytes = numbers::<i64>(text)?.iter().flat_map(|x| x.to_le_bytes()).collect();
                (kind::INT64, 8, bytes)
            }
            "float" => (kind::FLOAT, 4, floats()?),
            "float3" | "point3f" | "normal3f" | "vector3f" | "color3f" => {
                (kind::VEC3F, 12, floats()?)
            }
            "double3" => {
                let bytes = numbers::<f64>(text)?.iter().flat_map(|x| x.to_le_bytes()).collect();
                (kind::VEC3D, 24, bytes)
            }
            "quatf" => {
                // The real part is last.
                let mut bytes = floats()?;
                let turn = bytes.len().min(4);
                bytes.rotate_left(turn);
                (kind::QUATF, 16, bytes)
            }
            _ => return Err(wrong(of)),
        };
        if is_array {
            return self.array(kind, bytes.len() / width, &bytes);
        }
        match (kind, &bytes[..]) {
            (kind::FLOAT, &[a, b, c, d]) => {
                Ok(Self::inlined(kind, u32::from_le_bytes([a, b, c, d])))
            }
            (_, bytes) if bytes.len() == width => self.stored(kind, bytes),
            _ => Err(wrong(text)),
        }
    }

    fn set(&mut self, node: usize, name: &str, value: u64) {
        let name = self.token(name);
        self.nodes[node].fields.push((name, value));
    }

    /// A child of a prim, made if it is not there.
    fn child(&mut self, parent: usize, name: &str, kind: u32) -> usize {
        let same = |number: &&usize| self.nodes[**number].name == name;
        if let Some(known) = self.nodes[parent].children.iter().find(same) {
            return *known;
        }
        let number = self.nodes.len();
        self.nodes.push(Node { name: name.to_owned(), kind, ..Node::default() });
        self.nodes[parent].children.push(number);
        number
    }

    /// Takes the text line by line.
    fn read(&mut self, text: impl BufRead) -> io::Result<()> {
        let mut lines = text.lines();
        // Prims that are open, and what a list in brackets belongs to.
        let (mut open, mut about) = (vec![0], 0);
        while let Some(line) = lines.next().transpose()? {
            let line = line.trim();
            let parent = open.last().copied().unwrap_or(0);
            if line.is_empty() || line.starts_with('#') || ["(", ")", "{"].contains(&line) {
                continue;
            }
            if line == "}" {
                open.pop();
                continue;
            }
            let line = line.strip_suffix(" (").unwrap_or(line);
            let (left, right) = match line.split_once(" = ") {
                Some((left, right)) => (left, Some(right)),
                None => (line, None),
            };
            let words: Vec<&str> = left.split(' ').collect();
            match (&words[..], right) {
                (["def", of, name], None) => {
                    let number = self.child(parent, quoted(name), spec::PRIM);
                    self.set(number, "specifier", Self::inlined(kind::SPECIFIER, 0));
                    let of = self.token(of);
                    self.set(number, "typeName", Self::inlined(kind::TOKEN, of));
                    open.push(number);
                    about = number;
                }
                (["prepend", "apiSchemas"], Some(right)) => {
                    let name = self.token(quoted(right.trim_matches(['[', ']'])));
                    // Prepended items.
                    let bytes = [&[32u8][..], &1u64.to_le_bytes(), &name.to_le_bytes()].concat();
                    let value = self.stored(kind::TOKEN_LIST_OP, &bytes)?;
                    self.set(about, "apiSchemas", value);
                }
                (["rel", name], Some(right)) => {
                    let number = self.child(parent, name, spec::RELATIONSHIP);
                    self.set(number, "variability", Self::inlined(kind::VARIABILITY, 1));
                    let value = self.target(quoted(right))?;
                    self.set(number, "targetPaths", value);
                }
                // Of the layer, or of the attribute before.
                ([name], Some(right)) => {
                    let value = match *name {
                        "doc" => {
                            let text = self.token(quoted(right));
                            self.strings.push(text);
                            Self::inlined(kind::STRING, self.strings.len() as u32 - 1)
                        }
                        _ if right.starts_with('"') => {
                            let token = self.token(quoted(right));
                            Self::inlined(kind::TOKEN, token)
                        }
                        _ => self.double(right.parse().map_err(|_| wrong(line))?)?,
                    };
                    self.set(about, if *name == "doc" { "documentation" } else { name }, value);
                }
                ([before @ .., of, name], right) if *of != "def" => {
                    let (name, part) = match name.split_once('.') {
                        Some((name, part)) => (name, Some(part)),
                        None => (*name, None),
                    };
                    let number = self.child(parent, name, spec::ATTRIBUTE);
                    about = number;
                    if self.nodes[number].fields.is_empty() {
                        for word in before {
                            match *word {
                                "custom" => {
                                    self.set(number, "custom", Self::inlined(kind::BOOL, 1));
                                }
                                "uniform" => {
                                    let uniform = Self::inlined(kind::VARIABILITY, 1);
                                    self.set(number, "variability", uniform);
                                }
                                _ => return Err(wrong(line)),
                            }
                        }
                        let of = self.token(of);
                        self.set(number, "typeName", Self::inlined(kind::TOKEN, of));
                    }
                    match (part, right) {
                        (None, None) => {}
                        (None, Some(right)) => {
                            let value = self.value(of, right)?;
                            self.set(number, "default", value);
                        }
                        (Some("connect"), Some(right)) => {
                            let value = self.target(quoted(right))?;
                            self.set(number, "connectionPaths", value);
                        }
                        (Some("timeSamples"), Some("{")) => {
                            let value = self.samples(of, &mut lines)?;
                            self.set(number, "timeSamples", value);
                        }
                        _ => return Err(wrong(line)),
                    }
                }
                _ => return Err(wrong(line)),
            }
        }
        Ok(())
    }

    /// Samples up to the closing brace.
    fn samples(
        &mut self,
        of: &str,
        lines: &mut impl Iterator<Item = io::Result<String>>,
    ) -> io::Result<u64> {
        let (mut times, mut values) = (Vec::new(), Vec::new());
        // Samples often stay as they are, as counts of corners and places of bodies at rest.
        let mut last: Option<(String, u64)> = None;
        while let Some(line) = lines.next().transpose()? {
            let line = line.trim();
            if line == "}" {
                break;
            }
            let (time, text) = line.split_once(": ").ok_or_else(|| wrong(line))?;
            let text = text.trim_end_matches(',');
            let value = match &last {
                Some((known, value)) if known == text => *value,
                _ => self.value(of, text)?,
            };
            times.push(time.parse::<f64>().map_err(|_| wrong(line))?);
            values.push(value);
            last = Some((text.to_owned(), value));
        }
        let mut bytes = (times.len() as u64).to_le_bytes().to_vec();
        bytes.extend(times.iter().flat_map(|time| time.to_le_bytes()));
        let times = self.stored(kind::DOUBLE_VECTOR, &bytes)?;
        // Each part begins with the way to it.
        let mut bytes = [8u64, times, 8, values.len() as u64].map(u64::to_le_bytes).concat();
        bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        self.stored(kind::TIME_SAMPLES, &bytes)
    }

    /// Writes the tables.
    fn end(mut self) -> io::Result<()> {
        for number in 0..self.nodes.len() {
            let (prims, properties): (Vec<usize>, Vec<usize>) = self.nodes[number]
                .children
                .iter()
                .partition(|child| self.nodes[**child].kind == spec::PRIM);
            for (name, of) in [("primChildren", &prims), ("properties", &properties)] {
                if !of.is_empty() {
                    let names: Vec<_> =
                        of.iter().map(|child| self.nodes[*child].name.clone()).collect();
                    let value = self.token_vector(&names)?;
                    self.set(number, name, value);
                }
            }
            // Prims first, as paths are sorted.
            self.nodes[number].children = [prims, properties].concat();
        }
        let (mut paths, mut elements) = (HashMap::new(), Vec::new());
        let mut waiting = vec![(0, String::new())];
        while let Some((number, path)) = waiting.pop() {
            for child in &self.nodes[number].children {
                let node = &self.nodes[*child];
                let mark = if node.kind == spec::PRIM { '/' } else { '.' };
                let own = format!("{path}{mark}{}", node.name);
                waiting.push((*child, own.clone()));
                paths.insert(own, *child as u32);
            }
        }
        for node in 0..self.nodes.len() {
            let name = self.nodes[node].name.clone();
            elements.push(self.token(&name));
        }
        for (at, path) in std::mem::take(&mut self.targets) {
            let number = paths.get(&path).ok_or_else(|| wrong(&path))?;
            self.out.seek(SeekFrom::Start(at))?;
            self.out.write_all(&number.to_le_bytes())?;
        }
        self.out.seek(SeekFrom::Start(self.at))?;

        let mut sections = Vec::new();
        let text: Vec<u8> = self.tokens.iter().flat_map(|token| token.bytes().chain([0])).collect();
        let block = stored(&text);
        let head = [self.tokens.len(), text.len(), block.len()].map(|n| (n as u64).to_le_bytes());
        self.section(&mut sections, "TOKENS", &[head.concat(), block].concat())?;
        let strings: Vec<u8> =
            self.strings.iter().flat_map(|number| number.to_le_bytes()).collect();
        let counted = |count: usize| (count as u64).to_le_bytes().to_vec();
        self.section(&mut sections, "STRINGS", &[counted(self.strings.len()), strings].concat())?;
        let fields: Vec<(u32, u64)> =
            self.nodes.iter().flat_map(|node| node.fields.clone()).collect();
        let names: Vec<i32> = fields.iter().map(|(name, _)| *name as i32).collect();
        let values: Vec<u8> = fields.iter().flat_map(|(_, value)| value.to_le_bytes()).collect();
        let values = stored(&values);
        let parts = [counted(fields.len()), packed(&names), counted(values.len()), values];
        self.section(&mut sections, "FIELDS", &parts.concat())?;
        // Each set ends with -1.
        let (mut sets, mut set_of, mut field) = (Vec::new(), Vec::new(), 0);
        for node in &self.nodes {
            set_of.push(sets.len() as i32);
            sets.extend(node.fields.iter().zip(field..).map(|(_, number)| number));
            field += node.fields.len() as i32;
            sets.push(-1);
        }
        let parts = [counted(sets.len()), packed(&sets)];
        self.section(&mut sections, "FIELDSETS", &parts.concat())?;
        let count = counted(self.nodes.len());
        let mut tree = Tree::default();
        self.tree(0, false, &elements, &mut tree);
        let [paths, names, jumps] =
            [&tree.paths, &tree.names, &tree.jumps].map(|part| packed(part));
        self.section(
            &mut sections,
            "PATHS",
            &[count.clone(), count.clone(), paths, names, jumps].concat(),
        )?;
        let numbers: Vec<i32> = (0..self.nodes.len() as i32).collect();
        let kinds: Vec<i32> = self.nodes.iter().map(|node| node.kind as i32).collect();
        let parts = [count, packed(&numbers), packed(&set_of), packed(&kinds)];
        self.section(&mut sections, "SPECS", &parts.concat())?;

        let mut contents = (sections.len() as u64).to_le_bytes().to_vec();
        for (name, at, size) in sections {
            let mut field = [0; 16];
            field[..name.len()].copy_from_slice(name.as_bytes());
            contents.extend(field);
            contents.extend([at, size].map(u64::to_le_bytes).concat());
        }
        let at = self.put(&contents)?;
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(b"PXR-USDC")?;
        self.out.write_all(&VERSION)?;
        self.out.write_all(&at.to_le_bytes())?;
        self.out.flush()
    }

    fn section(
        &mut self,
        sections: &mut Vec<(&'static str, u64, u64)>,
        name: &'static str,
        bytes: &[u8],
    ) -> io::Result<()> {
        let at = self.put(bytes)?;
        sections.push((name, at, bytes.len() as u64));
        Ok(())
    }

    /// Adds a path and those below it.
    fn tree(&self, number: usize, sibling: bool, elements: &[u32], tree: &mut Tree) {
        let node = &self.nodes[number];
        let is_property = node.kind == spec::ATTRIBUTE || node.kind == spec::RELATIONSHIP;
        let name = elements[number] as i32;
        let place = tree.jumps.len();
        tree.paths.push(number as i32);
        tree.names.push(if is_property { -name } else { name });
        tree.jumps.push(0);
        for (k, child) in node.children.iter().enumerate() {
            self.tree(*child, k + 1 < node.children.len(), elements, tree);
        }
        tree.jumps[place] = match (node.children.is_empty(), sibling) {
            (true, true) => 0,
            (true, false) => -2,
            (false, false) => -1,
            (false, true) => (tree.jumps.len() - place) as i32,
        };
    }
}

/// Paths in the order of a walk: of each its number, its last name, negative of properties, and the way to its next sibling, -1 of
/// one that has children only, -2 of one that has neither.
#[derive(Default)]
struct Tree {
    paths: Vec<i32>,
    names: Vec<i32>,
    jumps: Vec<i32>,
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn other_text_is_refused() {
        for text in
            ["def Mesh", "over \"a\" = 1", "matrix4d x = 1", "float x = one", "rel a = </no>"]
        {
            let error = convert(Cursor::new(text), Cursor::new(Vec::new())).expect_err(text);
            assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{text}");
        }
    }
}
