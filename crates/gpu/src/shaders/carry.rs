//! What a walk over neighbours carries of each: `//!carry velocity: vec4<f32>, kappa: f32` adds members to the struct
//! `Neighbour` of a pass, from the pass itself, the files it includes and its terms. With subgroups, the functions
//! `from_lane_0` to `from_lane_7` take it from another lane: WGSL broadcasts one number or vector at a time, from a
//! lane that is a constant.

use std::fmt::Write;

/// Line in place of the struct, until all members are known.
const PLACE: &str = "//!carry";
/// Lanes that hand out their neighbours.
const LANES: usize = 8;

/// Members of a pass's `Neighbour` with their types, in order.
#[derive(Debug, Default)]
pub(super) struct Carried(Vec<(String, String)>);

impl Carried {
    /// Adds the members of a directive, and returns the line to put in place of the first one. Two files may carry one
    /// member.
    ///
    /// # Errors
    /// A member without a type, of a type that no subgroup broadcasts, or of two types.
    pub(super) fn add(&mut self, members: &str) -> Result<Option<&'static str>, String> {
        let first = self.0.is_empty();
        for member in members.split(',').map(str::trim) {
            let (name, ty) = member.split_once(':').unwrap_or((member, ""));
            let (name, ty) = (name.trim(), ty.trim());
            let scalar =
                ["vec2<", "vec3<", "vec4<"].iter().find_map(|vector| ty.strip_prefix(vector));
            let scalar = scalar.and_then(|rest| rest.strip_suffix('>')).unwrap_or(ty);
            if name.is_empty() || !["f32", "u32", "i32"].contains(&scalar) {
                return Err(format!(
                    "`{member}`: expected a name and the type of a number or vector, as in `//!carry velocity: \
                     vec4<f32>, kappa: f32`"
                ));
            }
            match self.0.iter().find(|(known, _)| known == name) {
                Some((_, known)) if known != ty => {
                    return Err(format!("`{name}` is carried as {known} and as {ty} in one pass"));
                }
                Some(_) => {}
                None => self.0.push((name.to_owned(), ty.to_owned())),
            }
        }
        Ok(first.then_some(PLACE))
    }

    /// The text with the struct in place of [`Carried::add`]'s line, in one line so that others keep their numbers; with
    /// `lanes` also the functions that take it from another lane.
    pub(super) fn declare(&self, text: &str, lanes: bool) -> String {
        let members: Vec<_> = self.0.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
        let mut declared = format!("struct Neighbour {{ {} }}", members.join(", "));
        for lane in (0..LANES).filter(|_| lanes) {
            let taken =
                |(name, _): &(String, String)| format!("subgroupBroadcast(own.{name}, {lane}u)");
            let values: Vec<_> = self.0.iter().map(taken).collect();
            let _ = write!(
                declared,
                " fn from_lane_{lane}(own: Neighbour) -> Neighbour {{ return Neighbour({}); }}",
                values.join(", ")
            );
        }
        let line = |line| if line == PLACE { declared.as_str() } else { line };
        text.lines().flat_map(|text| [line(text), "\n"]).collect()
    }
}
