//! Starting a program: in its job from its first instant, with three streams and no other handle of
//! ours, with the variables that it is to see and no console.
//!
//! Without a console no window opens, Ctrl-C reaches only us, and nobody reads our keyboard.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::mem;
use std::os::windows::io::{AsHandle, AsRawHandle, FromRawHandle, OwnedHandle};
use std::path::{Path, PathBuf};
use std::ptr;

use windows_sys::Win32::Foundation::{
    ERROR_ACCESS_DENIED, ERROR_BAD_EXE_FORMAT, ERROR_BAD_FORMAT, ERROR_COMMITMENT_LIMIT,
    ERROR_DIRECTORY, ERROR_EXE_MACHINE_TYPE_MISMATCH, ERROR_FILE_NOT_FOUND, ERROR_INVALID_NAME,
    ERROR_NO_SYSTEM_RESOURCES, ERROR_NOT_ENOUGH_MEMORY, ERROR_NOT_ENOUGH_QUOTA, ERROR_OUTOFMEMORY,
    ERROR_PATH_NOT_FOUND, ERROR_TOO_MANY_OPEN_FILES, HANDLE,
};
use windows_sys::Win32::System::Threading::{
    CREATE_NO_WINDOW, CREATE_SUSPENDED, CREATE_UNICODE_ENVIRONMENT, CreateProcessW,
    EXTENDED_STARTUPINFO_PRESENT, PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
    PROC_THREAD_ATTRIBUTE_JOB_LIST, PROCESS_INFORMATION, ResumeThread, STARTF_USESTDHANDLES,
    STARTUPINFOEXW,
};

use super::attributes::Attributes;
use super::job::Job;
use super::wide::wide;
use super::{affinity, command_line, look_up};
use crate::{Exit, Program, Refusal, StartError};

/// The standard streams of a process: its input, its output, its errors.
pub type Three<'a> = [&'a File; 3];

/// A process that was started, and its number.
#[derive(Debug)]
pub struct Started {
    pub process: OwnedHandle,
    pub number: u32,
}

/// Here it is known at once whether a program was started.
pub fn refusal(_: Exit, _: &str) -> Option<StartError> {
    None
}

/// Starts the program in the job.
pub fn start(program: &Program, streams: Three<'_>, job: &Job) -> io::Result<Started> {
    let found = look_up::find(&program.path, program.folder.as_deref())?;
    let arguments = [&*found.first, &*program.arguments].concat();
    let (file, line) = if look_up::is_batch(&found.file) {
        let shell = shell();
        let line = command_line::for_batch(&shell, dunce::simplified(&found.file), &arguments)?;
        (shell, line)
    } else {
        let file = dunce::simplified(&found.file).to_owned();
        let line = command_line::for_program(&file, &arguments);
        (file, line)
    };
    let folder = program
        .folder
        .as_deref()
        .map(|folder| wide(dunce::simplified(folder).as_os_str()));
    let folder = folder.transpose()?;
    let environment = environment(&program.variables)?;
    create(&file, &line, folder.as_deref(), &environment, streams, job)
}

fn create(
    file: &Path,
    line: &OsStr,
    folder: Option<&[u16]>,
    environment: &[u16],
    streams: Three<'_>,
    job: &Job,
) -> io::Result<Started> {
    let (file, mut line) = (wide(file.as_os_str())?, wide(line)?);
    let [input, output, errors] = streams.map(AsRawHandle::as_raw_handle);
    let mut given = vec![input, output, errors];
    // One that is named twice is refused.
    given.dedup();
    let jobs: [HANDLE; 1] = [job.handle().as_raw_handle()];
    let mut attributes = Attributes::new()?;
    attributes.set(PROC_THREAD_ATTRIBUTE_HANDLE_LIST, &given)?;
    attributes.set(PROC_THREAD_ATTRIBUTE_JOB_LIST, &jobs)?;
    let mut startup = STARTUPINFOEXW::default();
    startup.StartupInfo.cb = mem::size_of_val(&startup) as u32;
    startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    startup.StartupInfo.hStdInput = input;
    startup.StartupInfo.hStdOutput = output;
    startup.StartupInfo.hStdError = errors;
    startup.lpAttributeList = attributes.list();
    let mut flags = CREATE_NO_WINDOW | CREATE_UNICODE_ENVIRONMENT | EXTENDED_STARTUPINFO_PRESENT;
    let is_pinned = affinity::is_pinned();
    if is_pinned {
        flags |= CREATE_SUSPENDED;
    }
    let mut started = PROCESS_INFORMATION::default();
    // SAFETY: all texts end with a zero, the environment with two; the attributes and what they name
    // live until the call returns; the streams are open and may be inherited.
    let done = unsafe {
        CreateProcessW(
            file.as_ptr(),
            line.as_mut_ptr(),
            ptr::null(),
            ptr::null(),
            1,
            flags,
            environment.as_ptr().cast(),
            folder.map_or(ptr::null(), <[u16]>::as_ptr),
            (&raw const startup).cast(),
            &raw mut started,
        )
    };
    if done == 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: both were made above, and nobody else has them.
    let (process, thread) = unsafe {
        (
            OwnedHandle::from_raw_handle(started.hProcess),
            OwnedHandle::from_raw_handle(started.hThread),
        )
    };
    if is_pinned {
        // Where it is refused, it runs on whatever core there is.
        let _ = affinity::pin_like_us(process.as_handle());
        // SAFETY: the handle is open; its thread waits for this.
        unsafe { ResumeThread(thread.as_raw_handle()) };
    }
    Ok(Started {
        process,
        number: started.dwProcessId,
    })
}

/// The program that reads batch files.
fn shell() -> PathBuf {
    let system = env::var_os("SystemRoot").unwrap_or_else(|| r"C:\Windows".into());
    PathBuf::from(system).join(r"System32\cmd.exe")
}

/// Those variables of ours that are set, in the order that the system wants.
fn environment(names: &[&str]) -> io::Result<Vec<u16>> {
    let set = names
        .iter()
        .filter_map(|name| Some((name.to_ascii_uppercase(), env::var_os(name)?)));
    let sorted: BTreeMap<String, OsString> = set.collect();
    let mut block = Vec::new();
    for (name, value) in sorted {
        let mut variable = OsString::from(name);
        variable.push("=");
        variable.push(value);
        block.extend(wide(&variable)?);
    }
    // An empty one has two zeros, too.
    if block.is_empty() {
        block.push(0);
    }
    block.push(0);
    Ok(block)
}

/// Why the system did not start a program.
pub fn why(error: io::Error) -> StartError {
    let refusal = match error.raw_os_error().map(|number| number as u32) {
        Some(
            ERROR_NOT_ENOUGH_MEMORY
            | ERROR_OUTOFMEMORY
            | ERROR_TOO_MANY_OPEN_FILES
            | ERROR_NO_SYSTEM_RESOURCES
            | ERROR_COMMITMENT_LIMIT
            | ERROR_NOT_ENOUGH_QUOTA,
        ) => return StartError::Exhausted(error),
        Some(
            ERROR_FILE_NOT_FOUND | ERROR_PATH_NOT_FOUND | ERROR_DIRECTORY | ERROR_INVALID_NAME,
        ) => Refusal::NotFound,
        Some(ERROR_ACCESS_DENIED) => Refusal::NotAllowed,
        Some(ERROR_BAD_EXE_FORMAT | ERROR_BAD_FORMAT | ERROR_EXE_MACHINE_TYPE_MISMATCH) => {
            Refusal::NotAProgram
        }
        None if error.kind() == io::ErrorKind::NotFound => Refusal::NotFound,
        _ => Refusal::Other,
    };
    StartError::Refused(refusal, error)
}
