//! Writes the published files into `docs/protocol/`: the JSON Schema of the messages and the golden transcripts. `cargo
//! run -p protocol --features schema --example publish`

mod golden;
mod schema;

use std::fs;
use std::io;
use std::path::Path;

fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/protocol");
    for (name, text) in schema::files().into_iter().chain(golden::files()) {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text)?;
        println!("docs/protocol/{name}");
    }
    Ok(())
}
