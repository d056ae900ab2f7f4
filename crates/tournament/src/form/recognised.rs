use std::path::PathBuf;

use message::Message;
use referee::bot::{Manifest, Restart};
use referee::dialect::Protocol;
use referee::problem::Problem;

use super::frame;
use super::kind::Form;

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

    /// Sets the protocol of a program: `speaks`, which the user named, or else `seems`, which its sources show.
    pub(super) fn speak(&mut self, speaks: Option<Protocol>, seems: Option<Protocol>) {
        let seems = seems.filter(|_| speaks.is_none());
        self.note = seems.and_then(about);
        if let Some(protocol) = speaks.or(seems) {
            make_speak(&mut self.manifest, protocol);
        }
    }

    /// Adds the description of a choice among several files, if there was one.
    #[must_use]
    pub fn chosen(mut self, choice: Option<Message>) -> Recognised {
        if let Some(choice) = choice {
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

pub fn make_speak(manifest: &mut Manifest, protocol: Protocol) {
    manifest.protocol = protocol;
    // A program of Columbia ends after one game, and many Gomocup engines do not understand a second START.
    if let Protocol::Columbia | Protocol::Gomocup = protocol {
        manifest.restart = Restart::Always;
    }
    if protocol == Protocol::Columbia {
        manifest.games = protocol.games().into_iter().map(str::to_owned).collect();
    }
}

pub fn about(protocol: Protocol) -> Option<Message> {
    let about = match protocol {
        Protocol::Columbia => "a program of the courses at Columbia and Toronto",
        Protocol::Botzone => "a program for Botzone, JSON",
        Protocol::BotzoneText => "a program for Botzone, simplified interaction",
        Protocol::Gomocup => "an engine with Gomocup's protocol",
        Protocol::Gtp => "an engine with the Go Text Protocol",
        _ => return None,
    };
    Some(about.into())
}
