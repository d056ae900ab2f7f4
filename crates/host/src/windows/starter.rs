//! Starts a program that is in its job from the first instant, with three streams and no other handle of ours, and with
//! only the environment variables that it may see. It has no console: no window opens, Ctrl-C reaches only us, and the
//! program cannot read our keyboard.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::marker::PhantomData;
use std::mem;
use std::os::windows::io::{AsHandle, AsRawHandle, BorrowedHandle, FromRawHandle, OwnedHandle};
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
    DeleteProcThreadAttributeList, EXTENDED_STARTUPINFO_PRESENT, GetCurrentProcess,
    GetCurrentThread, GetProcessAffinityMask, InitializeProcThreadAttributeList,
    LPPROC_THREAD_ATTRIBUTE_LIST, PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
    PROC_THREAD_ATTRIBUTE_JOB_LIST, PROCESS_INFORMATION, ResumeThread, STARTF_USESTDHANDLES,
    STARTUPINFOEXW, SetProcessAffinityMask, SetThreadAffinityMask, UpdateProcThreadAttribute,
};

use super::job::Job;
use super::{command_line, wide};
use crate::{Exit, Program, Refusal, StartError};

type Three<'a> = [&'a File; 3];

#[derive(Debug)]
pub struct Started {
    pub process: OwnedHandle,
    pub number: u32,
}

/// [`start`] itself returns all errors.
pub fn refusal(_: Exit, _: &str) -> Option<StartError> {
    None
}

pub fn start(program: &Program, streams: Three<'_>, job: &Job) -> io::Result<Started> {
    let found = command_line::find(&program.path, program.folder.as_deref())?;
    let arguments = [&*found.first, &*program.arguments].concat();
    let (file, line) = if command_line::is_batch(&found.file) {
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
    let environment = environment(program)?;
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
    // The system refuses a handle that is listed twice.
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
    let is_pinned = PINNED.get() != 0;
    if is_pinned {
        flags |= CREATE_SUSPENDED;
    }
    let mut started = PROCESS_INFORMATION::default();
    // SAFETY: all texts end with a zero, the environment with two; the attributes and their handles live until the call
    // returns; the streams are open and may be inherited.
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
    // SAFETY: both were made above, and nothing else owns them.
    let (process, thread) = unsafe {
        (
            OwnedHandle::from_raw_handle(started.hProcess),
            OwnedHandle::from_raw_handle(started.hThread),
        )
    };
    if is_pinned {
        // If the system refuses the cores, the process runs on any core.
        let _ = pin_like_us(process.as_handle());
        // SAFETY: the handle is open; its thread was made suspended.
        unsafe { ResumeThread(thread.as_raw_handle()) };
    }
    Ok(Started {
        process,
        number: started.dwProcessId,
    })
}

fn shell() -> PathBuf {
    let system = env::var_os("SystemRoot").unwrap_or_else(|| r"C:\Windows".into());
    PathBuf::from(system).join(r"System32\cmd.exe")
}

/// Returns the sorted environment block: our variables that the program may see, and the program's own settings.
fn environment(program: &Program) -> io::Result<Vec<u16>> {
    let set = program
        .variables
        .iter()
        .filter_map(|name| Some((name.to_ascii_uppercase(), env::var_os(name)?)));
    let own = program.settings.iter();
    let own = own.map(|(name, value)| (name.to_ascii_uppercase(), value.clone()));
    let sorted: BTreeMap<String, OsString> = set.chain(own).collect();
    let mut block = Vec::new();
    for (name, value) in sorted {
        let mut variable = OsString::from(name);
        variable.push("=");
        variable.push(value);
        block.extend(wide(&variable)?);
    }
    // An empty block, too, ends with two zeros.
    if block.is_empty() {
        block.push(0);
    }
    block.push(0);
    Ok(block)
}

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

thread_local! {
    /// The cores to which this thread is pinned, as a bit mask; 0: not pinned. A new process does not inherit them.
    static PINNED: Cell<usize> = const { Cell::new(0) };
}

/// Returns the cores that this process may use, within its processor group of up to 64.
pub fn allowed_cores() -> Vec<usize> {
    let (mut ours, mut all) = (0_usize, 0_usize);
    // SAFETY: the handle of the current process is always open, and the numbers are ours.
    unsafe { GetProcessAffinityMask(GetCurrentProcess(), &raw mut ours, &raw mut all) };
    (0..usize::BITS as usize)
        .filter(|core| ours >> core & 1 == 1)
        .collect()
}

pub fn pin_to(cores: impl Iterator<Item = usize>) {
    let mask = cores.fold(0, |mask, core| mask | 1_usize << core);
    // SAFETY: the handle of the current thread is always open.
    if unsafe { SetThreadAffinityMask(GetCurrentThread(), mask) } != 0 {
        PINNED.set(mask);
    }
}

fn pin_like_us(process: BorrowedHandle<'_>) -> io::Result<()> {
    // SAFETY: the handle is open and has all rights.
    if unsafe { SetProcessAffinityMask(process.as_raw_handle(), PINNED.get()) } == 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

const ROOM: u32 = 2;

/// Attributes of a new process. Each points to a list of handles that lives at least as long as the attribute.
#[derive(Debug)]
struct Attributes<'a> {
    /// Only the system reads this memory, and it reports the size that it needs. Whole words keep it aligned.
    memory: Vec<usize>,
    values: PhantomData<&'a [HANDLE]>,
}

impl<'a> Attributes<'a> {
    fn new() -> io::Result<Attributes<'a>> {
        let mut size = 0;
        // SAFETY: without a list the call only returns the size.
        unsafe { InitializeProcThreadAttributeList(ptr::null_mut(), ROOM, 0, &raw mut size) };
        let mut attributes = Attributes {
            memory: vec![0; size.div_ceil(mem::size_of::<usize>())],
            values: PhantomData,
        };
        // SAFETY: the memory is as long as the system requires.
        let done =
            unsafe { InitializeProcThreadAttributeList(attributes.list(), ROOM, 0, &raw mut size) };
        if done == 0 {
            mem::take(&mut attributes.memory);
            return Err(io::Error::last_os_error());
        }
        Ok(attributes)
    }

    fn set(&mut self, attribute: u32, handles: &'a [HANDLE]) -> io::Result<()> {
        // SAFETY: the list is whole, and the handles live longer than it does.
        let done = unsafe {
            UpdateProcThreadAttribute(
                self.list(),
                0,
                attribute as usize,
                handles.as_ptr().cast(),
                mem::size_of_val(handles),
                ptr::null_mut(),
                ptr::null(),
            )
        };
        if done == 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(())
    }

    fn list(&mut self) -> LPPROC_THREAD_ATTRIBUTE_LIST {
        self.memory.as_mut_ptr().cast()
    }
}

impl Drop for Attributes<'_> {
    fn drop(&mut self) {
        if !self.memory.is_empty() {
            // SAFETY: the list is whole, and is not used again.
            unsafe { DeleteProcThreadAttributeList(self.list()) };
        }
    }
}
