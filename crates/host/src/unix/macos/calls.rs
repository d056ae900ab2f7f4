//! The system calls of macOS, which cannot be tested on another system.

#![expect(unsafe_code, reason = "the system is called by its C interface")]

use std::ffi::{CStr, c_int, c_void};
use std::mem::{self, MaybeUninit};
use std::path::Path;
use std::ptr;
use std::sync::LazyLock;
use std::time::Duration;

use super::{Facts, Machine};

pub struct Mac;

impl Machine for Mac {
    fn processes(&self) -> Vec<i32> {
        // SAFETY: without a buffer, the call only returns the number of processes.
        let count = unsafe { libc::proc_listallpids(ptr::null_mut(), 0) };
        // More processes may have begun since.
        let mut numbers: Vec<c_int> = vec![0; usize::try_from(count).unwrap_or(0) + 64];
        let size = size_of_val(numbers.as_slice()) as c_int;
        // SAFETY: the buffer is ours and has this size.
        let count = unsafe { libc::proc_listallpids(numbers.as_mut_ptr().cast(), size) };
        numbers.truncate(usize::try_from(count).unwrap_or(0));
        numbers.retain(|&number| number > 0);
        numbers
    }

    fn facts(&self, process: i32) -> Option<Facts> {
        let mut all = MaybeUninit::<libc::proc_taskallinfo>::zeroed();
        let size = size_of::<libc::proc_taskallinfo>() as c_int;
        // SAFETY: the buffer is ours and has this size.
        let filled = unsafe {
            let flavour = libc::PROC_PIDTASKALLINFO;
            libc::proc_pidinfo(process, flavour, 0, all.as_mut_ptr().cast(), size)
        };
        if filled != size {
            return None;
        }
        // SAFETY: the system filled all of it; any bits are valid in its fields, which are numbers.
        let all = unsafe { all.assume_init() };
        let ticks = all
            .ptinfo
            .pti_total_user
            .saturating_add(all.ptinfo.pti_total_system);
        Some(Facts {
            group: all.pbsd.pbi_pgid as i32,
            is_zombie: all.pbsd.pbi_status == libc::SZOMB,
            ready_threads: all.ptinfo.pti_numrunning,
            cpu: of_ticks(ticks),
        })
    }

    fn arguments(&self, process: i32) -> Vec<u8> {
        let mut name = [libc::CTL_KERN, libc::KERN_PROCARGS2, process];
        let mut size = argument_space();
        let mut answer = vec![0_u8; size];
        // SAFETY: name and buffer are ours and have these sizes; the call changes no setting.
        let done = unsafe {
            let to = answer.as_mut_ptr().cast();
            libc::sysctl(name.as_mut_ptr(), 3, to, &raw mut size, ptr::null_mut(), 0)
        };
        answer.truncate(if done == 0 { size } else { 0 });
        answer
    }

    fn kill(&self, process: i32) -> bool {
        // SAFETY: no pointer is passed.
        process > 1 && unsafe { libc::kill(process, libc::SIGKILL) } == 0
    }
}

pub fn peak_footprint(process: i32) -> Option<u64> {
    let mut usage = MaybeUninit::<libc::rusage_info_v4>::zeroed();
    // SAFETY: the buffer is ours and has the form of this flavour; the C declaration takes a pointer to any flavour.
    unsafe {
        let to = usage.as_mut_ptr().cast::<libc::rusage_info_t>();
        let done = libc::proc_pid_rusage(process, libc::RUSAGE_INFO_V4, to);
        (done == 0).then(|| usage.assume_init().ri_lifetime_max_phys_footprint)
    }
}

pub fn load() -> Option<f32> {
    let mut averages = [0.0; 3];
    // SAFETY: the buffer has room for three numbers.
    let count = unsafe { libc::getloadavg(averages.as_mut_ptr(), 3) };
    (count >= 1).then_some(averages[0] as f32)
}

pub fn processor_name() -> Option<String> {
    let mut text = [0_u8; 256];
    read_setting(
        c"machdep.cpu.brand_string",
        text.as_mut_ptr().cast(),
        text.len(),
    )?;
    Some(
        CStr::from_bytes_until_nul(&text)
            .ok()?
            .to_str()
            .ok()?
            .trim()
            .to_owned(),
    )
}

pub fn remote_file_system(folder: &Path) -> Option<String> {
    use std::os::unix::ffi::OsStrExt;
    let folder = std::ffi::CString::new(folder.as_os_str().as_bytes()).ok()?;
    let mut data = MaybeUninit::<libc::statfs>::zeroed();
    // SAFETY: the text ends with a zero byte, and the buffer is ours; a call that succeeds fills the buffer in.
    let data = unsafe {
        if libc::statfs(folder.as_ptr(), data.as_mut_ptr()) != 0 {
            return None;
        }
        data.assume_init()
    };
    if data.f_flags & libc::MNT_LOCAL as u32 != 0 {
        return None;
    }
    let name: Vec<u8> = data
        .f_fstypename
        .iter()
        .map(|&letter| letter as u8)
        .collect();
    Some(
        CStr::from_bytes_until_nul(&name)
            .ok()?
            .to_str()
            .ok()?
            .to_owned(),
    )
}

fn argument_space() -> usize {
    static SPACE: LazyLock<usize> = LazyLock::new(|| {
        let mut space: c_int = 0;
        let read = read_setting(
            c"kern.argmax",
            (&raw mut space).cast(),
            mem::size_of::<c_int>(),
        );
        read.and_then(|()| usize::try_from(space).ok())
            .unwrap_or(1 << 20)
    });
    *SPACE
}

fn read_setting(name: &CStr, to: *mut c_void, mut size: usize) -> Option<()> {
    // SAFETY: the name ends with a zero byte; the caller's buffer has this size; the call changes no setting.
    let done = unsafe { libc::sysctlbyname(name.as_ptr(), to, &raw mut size, ptr::null_mut(), 0) };
    (done == 0).then_some(())
}

fn of_ticks(ticks: u64) -> Duration {
    #[repr(C)]
    struct Fraction {
        numer: u32,
        denom: u32,
    }
    unsafe extern "C" {
        fn mach_timebase_info(fraction: *mut Fraction) -> c_int;
    }
    static TICK: LazyLock<(u64, u64)> = LazyLock::new(|| {
        let mut fraction = Fraction { numer: 1, denom: 1 };
        // SAFETY: the fraction is ours and has the system's form (mach/mach_time.h).
        let done = unsafe { mach_timebase_info(&raw mut fraction) };
        match fraction {
            Fraction {
                numer,
                denom: denom @ 1..,
            } if done == 0 => (numer.into(), denom.into()),
            _ => (1, 1),
        }
    });
    let nanos = u128::from(ticks) * u128::from(TICK.0) / u128::from(TICK.1);
    Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
}
