//! What a process gets beside the usual when it is made: a list of attributes, each of which points to
//! a list of handles.

use std::io;
use std::marker::PhantomData;
use std::mem;
use std::ptr;

use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::System::Threading::{
    DeleteProcThreadAttributeList, InitializeProcThreadAttributeList, LPPROC_THREAD_ATTRIBUTE_LIST,
    UpdateProcThreadAttribute,
};

/// How many there may be.
const ROOM: u32 = 2;

/// Attributes whose values live at least as long.
#[derive(Debug)]
pub struct Attributes<'a> {
    /// The system says how long it is, not what is in it. Of whole words, so that it is aligned.
    memory: Vec<usize>,
    values: PhantomData<&'a [HANDLE]>,
}

impl<'a> Attributes<'a> {
    /// None yet.
    pub fn new() -> io::Result<Attributes<'a>> {
        let mut size = 0;
        // SAFETY: without a list the call only tells the size.
        unsafe { InitializeProcThreadAttributeList(ptr::null_mut(), ROOM, 0, &raw mut size) };
        let mut attributes = Attributes {
            memory: vec![0; size.div_ceil(mem::size_of::<usize>())],
            values: PhantomData,
        };
        // SAFETY: the memory is as long as the system said.
        let done =
            unsafe { InitializeProcThreadAttributeList(attributes.list(), ROOM, 0, &raw mut size) };
        if done == 0 {
            // There is no list that could be deleted.
            mem::take(&mut attributes.memory);
            return Err(io::Error::last_os_error());
        }
        Ok(attributes)
    }

    /// Adds one.
    pub fn set(&mut self, attribute: u32, handles: &'a [HANDLE]) -> io::Result<()> {
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

    /// For the call that makes the process.
    pub fn list(&mut self) -> LPPROC_THREAD_ATTRIBUTE_LIST {
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
