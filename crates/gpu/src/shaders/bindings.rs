//! Binding of arrays by name instead of number: `//!read position velocity`, `//!write density`,
//! `//!atomic cell_count`; or `//!read values: array<u32>` for an array with another name in the
//! table.
//!
//! `//!gather position` is for arrays read at slots that differ from invocation to invocation, by
//! the function `position_at(j: u32)`. With subgroups, so on software adapters, it reads a copy of the
//! array in a storage texture: llvmpipe reads textures for all lanes at once, but buffers one lane
//! and one scalar at a time, in a loop. A walk over neighbours takes 1.6 times as long with
//! buffers. `//!publish position` is for arrays that are gathered right after: the function
//! `publish_position(j: u32, value)` writes an element of the array and of its copy.

use std::collections::BTreeMap;

use meniscus_methods::{
    arrays::{self, Row},
    nearest,
};
use meniscus_model::shared;

use super::images::Image;

/// Start of placeholder lines for declarations, until all are known.
const PLACE: &str = "//!array ";

/// Access of a pass to an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Access {
    Gather,
    Read,
    Publish,
    Write,
    Atomic,
}

impl Access {
    /// Access for the verb of a directive.
    pub(super) fn named(verb: &str) -> Option<Self> {
        match verb {
            "gather" => Some(Self::Gather),
            "publish" => Some(Self::Publish),
            "read" => Some(Self::Read),
            "write" => Some(Self::Write),
            "atomic" => Some(Self::Atomic),
            _ => None,
        }
    }
}

/// Arrays that a pass binds, by name.
#[derive(Debug, Default)]
pub(super) struct Arrays(BTreeMap<String, Array>);

#[derive(Debug)]
struct Array {
    access: Access,
    /// Whether the pass reads the array at slots that differ from invocation to invocation.
    gathered: bool,
    /// Whether the pass writes both the array and its copy.
    published: bool,
    /// Type in WGSL.
    ty: String,
    comment: String,
}

/// Array that a directive adds to a pass.
pub(super) struct Added {
    /// Placeholder line for its declaration; `None` if it is already declared.
    pub(super) line: Option<String>,
    /// File that declares the type of its elements, if that is a struct.
    pub(super) include: Option<String>,
}

impl Arrays {
    /// Adds the arrays of a directive: names of the table or of `more` rows, or one name with its type.
    ///
    /// # Errors
    /// A name that is not in the table, or an array with both atomic and plain access or two types
    /// in one pass.
    pub(super) fn add(
        &mut self,
        access: Access,
        names: &str,
        more: &[Row],
    ) -> Result<Vec<Added>, String> {
        if let Some((name, ty)) = names.split_once(':') {
            return Ok(vec![self.add_one(
                access,
                name.trim(),
                ty.trim().to_owned(),
                String::new(),
            )?]);
        }
        let add = |name| {
            let own = || more.iter().copied().find(|row| row.name == name);
            let row = arrays::find(name).or_else(own).ok_or_else(|| {
                let rows = arrays::ARRAYS.iter().chain(more);
                let names: Vec<_> = rows.map(|row| row.name).collect();
                match nearest(name, &names) {
                    Some(known) => format!("the array table has no `{name}`; did you mean `{known}`?"),
                    None => format!(
                        "the array table has no `{name}`: add it to the arrays of its method, or give its type, as in \
                         `//!read {name}: array<u32>`"
                    ),
                }
            })?;
            let element = match access {
                Access::Atomic => format!("atomic<{}>", row.element()),
                _ => row.element(),
            };
            let comment: Vec<_> = row.doc.iter().map(|line| line.trim()).collect();
            let comment = format!(" // {}", comment.join(" ")).trim_end().to_owned();
            self.add_one(access, name, format!("array<{element}>"), comment)
        };
        names.split_whitespace().map(add).collect()
    }

    fn add_one(
        &mut self,
        access: Access,
        name: &str,
        ty: String,
        comment: String,
    ) -> Result<Added, String> {
        let mut elements = shared::STRUCTS.iter().copied().flatten();
        let include = elements.find(|one| ty == format!("array<{}>", one.name));
        let include = include.map(|one| one.include());
        let (gathered, published) = (access == Access::Gather, access == Access::Publish);
        if (gathered || published) && image(&ty).is_none() {
            return Err(format!("`{name}` is {ty}: arrays of such elements have no texture"));
        }
        if let Some(known) = self.0.get_mut(name) {
            if known.ty != ty {
                return Err(format!("`{name}` is {} and {ty} in one pass", known.ty));
            }
            known.access = known.access.max(access);
            known.gathered |= gathered;
            known.published |= published;
            if known.gathered && known.access > Access::Read {
                return Err(format!("`{name}` is gathered and written in one pass"));
            }
            if known.published && known.access > Access::Publish {
                return Err(format!("`{name}` is published and written in one pass"));
            }
            return Ok(Added { line: None, include });
        }
        self.0.insert(name.to_owned(), Array { access, gathered, published, ty, comment });
        Ok(Added { line: Some(format!("{PLACE}{name}")), include })
    }

    /// The text with declarations in place of [`Added::line`]s, numbered in order, skipping numbers
    /// that the text itself uses. Gathered arrays are textures if `images` is set.
    pub(super) fn declare(&self, text: &str, images: bool) -> String {
        let used: Vec<_> = text.lines().filter_map(own_number).collect();
        let mut numbers = (0..).filter(|number| !used.contains(number));
        let mut next = || format!("@group(1) @binding({})", numbers.next().unwrap_or_default());
        let mut declared = String::new();
        for line in text.lines() {
            match line.strip_prefix(PLACE).and_then(|name| Some((name, self.0.get(name)?))) {
                Some((name, array)) => {
                    declared += &array.declaration(name, images, &mut next);
                    declared += &array.comment;
                }
                None => declared += line,
            }
            declared.push('\n');
        }
        declared
    }
}

impl Array {
    /// Declaration, and the functions that gather and publish, in one line: lines of a composed pass
    /// keep their numbers.
    fn declaration(&self, name: &str, images: bool, next: &mut dyn FnMut() -> String) -> String {
        let Self { access, gathered, published, ty, .. } = self;
        let image = image(ty).filter(|_| images && (*gathered || *published));
        let element = ty.strip_prefix("array<").and_then(|ty| ty.strip_suffix('>'));
        let element = element.unwrap_or(ty);
        let mut parts = Vec::new();
        if image.is_none() || *access != Access::Gather {
            let access = if *access <= Access::Read { "read" } else { "read_write" };
            parts.push(format!("{} var<storage, {access}> {name}: {ty};", next()));
        }
        if let Some(image) = &image {
            parts.push(format!("{} {}", next(), image.declaration(name, *published)));
        }
        if *gathered {
            let value = image.map_or(format!("{name}[j]"), |image| image.load(name, "j"));
            parts.push(format!("fn {name}_at(j: u32) -> {element} {{ return {value}; }}"));
        }
        if *published {
            let also = image.map(|image| image.store(name, "j", "value")).unwrap_or_default();
            let body = format!("{name}[j] = value;{also}");
            parts.push(format!("fn publish_{name}(j: u32, value: {element}) {{ {body} }}"));
        }
        parts.join(" ")
    }
}

/// Texture for an array of this type, if there is one.
fn image(ty: &str) -> Option<Image> {
    Image::of_element(ty.strip_prefix("array<")?.strip_suffix('>')?)
}

/// Binding number in group 1 that a line declares explicitly.
fn own_number(line: &str) -> Option<u32> {
    let (_, rest) = line.split_once("@group(1) @binding(")?;
    rest.split_once(')')?.0.parse().ok()
}
