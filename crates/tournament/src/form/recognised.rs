use std::path::{Path, PathBuf};

use message::Message;
use referee::bot::{Manifest, Restart};
use referee::dialect::Protocol;
use referee::problem::Problem;

use super::frame;
use super::kind::Form;
use super::main_file::MainFile;

#[derive(Clone, Debug)]
pub struct Recognised {
    pub manifest: Manifest,
    /// The folder to which paths in the manifest are relative.
    pub folder: PathBuf,
    /// A description of the file, if its kind is not obvious.
    pub note: Option<Message>,
    pub form: Option<Form>,
}

impl Recognised {
    pub fn seconds(&self) -> [u64; 2] {
        match (self.form, self.manifest.protocol) {
            (Some(form), _) => form.seconds(),
            (None, Protocol::Columbia) => [10, 0],
            _ => [0, 0],
        }
    }

    /// Makes a frame start the program as a player of this form. `text` is the text of the program's sources.
    pub fn put_into(&mut self, form: Form, text: &str) -> Result<(), Problem> {
        frame::around(&mut self.manifest, form, text)?;
        self.note = Some(form.about().into());
        self.form = Some(form);
        Ok(())
    }

    #[must_use]
    pub fn chosen(mut self, main: &MainFile, file: &Path) -> Recognised {
        if let Some(choice) = main.choice(file) {
            self.note = Some(Message::list(self.note.into_iter().chain([choice])));
        }
        self
    }
}

pub fn manifest(command: Vec<String>) -> Manifest {
    Manifest {
        keep_folder: false,
        name: None,
        command,
        build: None,
        games: games::names().into_iter().map(str::to_owned).collect(),
        restart: Restart::Never,
        memory_mib: None,
        processes: None,
        disk_mib: None,
        cores: 1,
        environment: Vec::new(),
        install: None,
        protocol: Protocol::Arena,
        setup: Vec::new(),
        options: Vec::new(),
        starts_turns: false,
    }
}
