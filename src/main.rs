//! `arena`: see `arena --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    arena::cli::main()
}
