//! Tells macOS's linker that Python itself provides its functions.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
