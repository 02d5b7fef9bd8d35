//! The command `meniscus` as other programs use it: exit status, messages, files.

mod animation;
mod bad_input;
mod bench;
mod blender;
mod energy;
mod files;
mod films;
mod outputs;
mod readme;
mod resume;
mod stored;
mod support;
mod sweep;
mod words;
