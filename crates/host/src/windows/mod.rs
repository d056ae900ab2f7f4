//! Windows: nothing is started here yet, so nothing runs. What has a sensible answer all the same is
//! answered; a later change fills the rest.

use std::convert::Infallible;
use std::fs::Permissions;
use std::io;
use std::path::Path;
use std::time::Duration;

use crate::{Exit, Lack, Look, News, Piece, Program, Reached, StartError, Streams, Written};

/// A process and what it has started: none yet.
#[derive(Clone, Debug)]
pub struct Group(Infallible);

impl Group {
    pub fn number(&self) -> i32 {
        match self.0 {}
    }

    pub fn kill(&self) {
        match self.0 {}
    }
}

/// A process: none yet.
#[derive(Debug)]
pub struct Running(Infallible);

impl Running {
    pub fn start(_: &Program, _: Streams) -> Result<Running, StartError> {
        Err(StartError::NotSupported)
    }

    pub fn group(&self) -> Group {
        match self.0 {}
    }

    pub fn has_input(&self) -> bool {
        match self.0 {}
    }

    pub fn has_output(&self) -> bool {
        match self.0 {}
    }

    pub fn close_input(&mut self) {
        match self.0 {}
    }

    pub fn write(&mut self, _: &[u8]) -> Written {
        match self.0 {}
    }

    pub fn has_read_everything(&self) -> bool {
        match self.0 {}
    }

    pub fn read_output<T>(&mut self, _: impl FnOnce(&[u8]) -> T) -> io::Result<Piece<T>> {
        match self.0 {}
    }

    pub fn read_errors<T>(&mut self, _: impl FnOnce(&[u8]) -> T) -> io::Result<Piece<T>> {
        match self.0 {}
    }

    pub fn wait(&self, _: Option<Duration>, _: bool, _: bool) -> io::Result<News> {
        match self.0 {}
    }

    pub fn wait_for_end(&self, _: Duration) -> io::Result<bool> {
        match self.0 {}
    }

    pub fn freeze(&self) {
        match self.0 {}
    }

    pub fn thaw(&self) {
        match self.0 {}
    }

    pub fn cpu_time(&self) -> Option<Duration> {
        match self.0 {}
    }

    pub fn cpu_of_all(&self) -> Option<Duration> {
        match self.0 {}
    }

    pub fn waited(&self) -> Duration {
        match self.0 {}
    }

    pub fn is_ready(&self) -> bool {
        match self.0 {}
    }

    pub fn cpu_of_children(&self) -> Duration {
        match self.0 {}
    }

    pub fn children(&self) -> usize {
        match self.0 {}
    }

    pub fn peak_memory_kib(&self) -> Option<u64> {
        match self.0 {}
    }

    pub fn has_begun(&self) -> bool {
        match self.0 {}
    }

    pub fn no_box(&self, _: &str) -> Option<StartError> {
        match self.0 {}
    }

    pub fn reached(&self) -> Option<Reached> {
        match self.0 {}
    }

    pub fn end(&mut self) -> io::Result<Exit> {
        match self.0 {}
    }
}

/// There is no other role yet.
pub fn take_role_if_asked() {}

pub fn refusal(_: Exit, _: &str) -> Option<StartError> {
    None
}

pub fn thread_cpu_time() -> Duration {
    Duration::ZERO
}

pub fn processor_name() -> Option<String> {
    std::env::var("PROCESSOR_IDENTIFIER").ok()
}

pub fn system_name() -> String {
    std::env::var("OS").unwrap_or_default()
}

pub fn most_open() -> Option<usize> {
    None
}

pub fn open_now() -> usize {
    0
}

/// As many as there are, whatever their numbers.
pub fn allowed_cores() -> Vec<usize> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    (0..cores).collect()
}

pub fn pin_to(_: impl Iterator<Item = usize>) {}

/// By its name, as the system itself does.
pub fn may_run(path: &Path) -> bool {
    let kind = path.extension().unwrap_or_default().to_ascii_lowercase();
    ["exe", "com", "bat", "cmd"]
        .iter()
        .any(|known| kind == *known)
}

pub fn usual_permissions() -> Option<Permissions> {
    None
}

pub fn remote_file_system(_: &Path) -> Option<String> {
    None
}

/// No box can be made here yet.
pub fn look() -> Look {
    let lack = Lack {
        what: "sandboxes are not supported on this system yet".to_owned(),
        fix: "use Linux".to_owned(),
    };
    Look {
        no_strict: Some(lack.clone()),
        no_standard: Some(lack.clone()),
        keeps_signals: false,
        counted: Vec::new(),
        not_counted: Some(lack),
        made_of: Vec::new(),
    }
}
