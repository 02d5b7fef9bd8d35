//! Lets macOS link a library whose symbols of Python the interpreter has.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
