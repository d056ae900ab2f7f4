//! The files that a strict box sees: the arguments by which `bwrap` mounts them.
//!
//! The root is a file system in memory, with mounts of the folders that the program may read. The program can write to
//! `/tmp`, `/dev/shm` and its home, which have a limit of size and are removed with the box, and to the folders that
//! the sandbox names.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{
    MemfdFlags, Mode, OFlags, SeekFrom, StatVfsMountFlags, memfd_create, open, seek, statvfs,
};
use rustix::io::Errno;
use rustix::mount::{MountFlags, mount, mount_bind, mount_remount};
use rustix::thread::{CapabilitySet, CapabilitySets, UnshareFlags, set_capabilities};

use super::Plan;

pub const PROGRAM: &str = "bwrap";
pub const OURSELVES: &str = "/.arena";
pub const HOME: &str = "/home/bot";
const USER: &str = "bot";
const USER_ID: u32 = 1000;
/// The largest file that is copied instead of mounted, in bytes.
const LONGEST_COPY: u64 = 1 << 18;
/// The space for temporary files if there is no limit, in MiB.
const USUAL_DISK_MIB: u64 = 1 << 16;
pub const SYSTEM: [&str; 7] = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
];

/// Settings that runtimes need and that contain no secrets. Lists no folder that may contain keys. Node works without
/// `openssl.cnf`, but fails if the file exists and may not be read. For Java see [`of_java`].
pub const SETTINGS: [&str; 10] = [
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/alternatives",
    "/etc/ssl/openssl.cnf",
    "/etc/pki/tls/openssl.cnf",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/nsswitch.conf",
];

pub const NETWORK: [&str; 8] = [
    "/etc/ssl/certs",
    "/etc/pki/tls/certs",
    "/etc/pki/ca-trust/extracted",
    "/etc/resolv.conf",
    "/etc/hosts",
    "/etc/host.conf",
    "/etc/services",
    "/etc/protocols",
];

pub const DEVICES: [&str; 5] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];

/// The folders in which a program in a strict box may write, empty at its start.
const OWN: [&str; 3] = ["/tmp", "/dev/shm", HOME];

/// What the program finds at a path; of two rules for the same path, the greater rule counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rule {
    Own,
    Readable,
    Hidden,
}

/// The files of `/proc` that a program in a strict box sees besides its own processes, because runtimes read them.
/// Other files, such as `/proc/vmstat`, show what other processes do, or what an earlier game did.
const OF_PROC: [&str; 9] = [
    "cpuinfo",
    "filesystems",
    "loadavg",
    "meminfo",
    "stat",
    "sys",
    "tty",
    "uptime",
    "version",
];

/// The files about the machine that runtimes read if the program sees the machine's own `/sys` (in a standard box).
pub const OF_MACHINE: [&str; 2] = [
    "/sys/devices/system/cpu",
    "/sys/kernel/mm/transparent_hugepage",
];

pub fn of_java() -> Vec<PathBuf> {
    let entries = fs::read_dir("/etc").into_iter().flatten().flatten();
    let names = entries.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(b"java"));
    names.map(|entry| entry.path()).collect()
}

pub fn is_there_anyway(path: &Path) -> bool {
    let places = SYSTEM.iter().chain(&SETTINGS);
    places.into_iter().any(|place| path.starts_with(place))
}

/// Returns the arguments of `bwrap`, up to the command in the box, and the open files that they name.
pub fn words(plan: &Plan) -> io::Result<(Vec<OsString>, Vec<OwnedFd>)> {
    let mut words = Words::default();
    words.add(["--unshare-pid", "--unshare-ipc", "--unshare-uts"]);
    words.add(["--unshare-cgroup-try", "--die-with-parent"]);
    words.add(["--as-pid-1", "--hostname", USER]);
    if !plan.sandbox.network {
        words.add(["--unshare-net"]);
    }
    let id = plan.user.unwrap_or(USER_ID).to_string();
    if plan.user.is_none() {
        words.add(["--unshare-user", "--uid", &id, "--gid", &id]);
        // `close_mounts` needs this capability.
        words.add(["--cap-add", "CAP_SYS_ADMIN"]);
    }
    for folder in SYSTEM.map(Path::new) {
        match fs::read_link(folder) {
            Ok(target) => words.place("--symlink", &target, folder),
            Err(_) if folder.is_dir() => words.place("--ro-bind", folder, folder),
            Err(_) => {}
        }
    }
    let network: &[&str] = if plan.sandbox.network { &NETWORK } else { &[] };
    let settings = SETTINGS.iter().chain(network).map(PathBuf::from);
    let mut made = Vec::new();
    for file in settings.chain(of_java()) {
        match small(&file) {
            Some(open) => {
                words.copy(&open, &file);
                made.push(open);
            }
            None => words.place("--ro-bind-try", &file, &file),
        }
    }
    let passwd = format!("{USER}:x:{id}:{id}::{HOME}:/bin/sh\n");
    let group = format!("{USER}:x:{id}:\n");
    for (text, at) in [(passwd, "/etc/passwd"), (group, "/etc/group")] {
        let file = in_memory(&text)?;
        words.copy(&file, Path::new(at));
        made.push(file);
    }
    words.add(["--proc", "/proc", "--dev", "/dev"]);
    let folder = plan.folder.as_deref().unwrap_or(Path::new("/"));
    let size = plan.sandbox.disk_mib.unwrap_or(USUAL_DISK_MIB) << 20;
    let own = OWN.map(Path::new);
    let readable = plan.sandbox.readable.iter().map(PathBuf::as_path);
    let readable = readable.filter(|path| is_worth_a_mount(path));
    let hidden = plan.sandbox.hidden.iter().map(PathBuf::as_path);
    // A folder of [`OWN`] shows nothing of the machine's folder of the same name.
    let hidden = hidden.filter(|path| !own.contains(path));
    let mut rules: Vec<_> = own.into_iter().map(|path| (path, Rule::Own)).collect();
    rules.extend(readable.map(|path| (path, Rule::Readable)));
    rules.extend(hidden.map(|path| (path, Rule::Hidden)));
    // The innermost rule counts, and among rules for the same path, the last.
    rules.sort_by_key(|&(path, rule)| (path.components().count(), rule));
    for (number, &(path, rule)) in rules.iter().enumerate() {
        let mut around = rules[..number].iter().rev();
        let around = around.find(|(other, _)| path.starts_with(other));
        let is_readable = around.is_some_and(|&(_, rule)| rule == Rule::Readable);
        match rule {
            // The mount of the machine's folder is read-only, so nothing can be made in it.
            Rule::Own if is_readable && !path.is_dir() => {}
            Rule::Own => {
                words.add(["--perms", "1777", "--size", &size.to_string()]);
                words.add(["--tmpfs".as_ref(), path.as_os_str()]);
            }
            Rule::Hidden if is_readable || is_there_anyway(path) => words.hide(path),
            Rule::Hidden => {}
            // A mounted folder already shows its contents. Mounting a link in it would mount the link's target.
            Rule::Readable if is_readable => {}
            Rule::Readable => words.place("--ro-bind-try", path, path),
        }
    }
    if is_worth_a_mount(folder) {
        // The program starts there, even if it may not read the folder.
        words.add(["--dir".as_ref(), folder.as_os_str()]);
    }
    words.add(["--remount-ro", "/dev"]);
    // Comes last, because a bot's kept folder is inside a hidden one.
    for path in plan
        .sandbox
        .writable
        .iter()
        .filter(|path| is_worth_a_mount(path))
    {
        words.place("--bind-try", path, path);
    }
    words.place("--ro-bind", &plan.ourselves, Path::new(OURSELVES));
    words.add(["--remount-ro", "/"]);
    words.add(["--chdir".as_ref(), folder.as_os_str()]);
    words.add(["--"]);
    Ok((words.words, made))
}

/// Covers all of `/proc` except processes, symbolic links and [`OF_PROC`]. This is done inside the box, because `bwrap`
/// would read the list of all mounts for each entry, which takes longer than the rest of its work. Then the supervisor
/// gives up its last capability, unless it must change the user.
///
/// Also mounts the machine's devices read-only: they can still be written to, but their times do not change.
pub fn close_mounts(plan: &Plan) -> io::Result<()> {
    if plan.user.is_none() {
        // We can change mounts only in a namespace of our own: the namespace of the box belongs to `bwrap`.
        #[expect(unsafe_code, reason = "some flags would unshare descriptors")]
        // SAFETY: the flag leaves descriptors shared.
        unsafe {
            rustix::thread::unshare_unsafe(UnshareFlags::NEWNS)?;
        }
    }
    let flags = MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV;
    // Later mounts copy the first cover together with its flags.
    let [mut folder, mut file] = [None, None];
    for entry in fs::read_dir("/proc")?.flatten() {
        let (name, kind, path) = (entry.file_name(), entry.file_type()?, entry.path());
        let is_process = name.as_encoded_bytes()[0].is_ascii_digit();
        if is_process || kind.is_symlink() || OF_PROC.iter().any(|known| name == *known) {
            continue;
        }
        let cover = if kind.is_dir() {
            &mut folder
        } else {
            &mut file
        };
        match cover {
            Some(cover) => mount_bind(&*cover, &path)?,
            None if kind.is_dir() => mount("tmpfs", &path, "tmpfs", flags, c"size=4k")?,
            None => {
                // The cover is a device on a mount with `nodev`: the kernel refuses to open it.
                mount_bind("/dev/null", &path)?;
                remount_device(&path, MountFlags::NODEV)?;
            }
        }
        cover.get_or_insert(path);
    }
    for device in ["null", "zero", "full", "random", "urandom", "tty"] {
        let path = Path::new("/dev").join(device);
        match remount_device(&path, MountFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => {}
            Err(error) => return Err(error.into()),
        }
    }
    if plan.user.is_none() {
        let none = CapabilitySet::empty();
        let none = CapabilitySets {
            effective: none,
            permitted: none,
            inheritable: none,
        };
        set_capabilities(None, none)?;
    }
    Ok(())
}

/// Makes the mount of a device read-only and adds `flags`. Keeps the flags of the machine's mount, which the kernel
/// does not let us remove: Podman, for example, mounts `/dev` with `noexec`.
fn remount_device(path: &Path, flags: MountFlags) -> Result<(), Errno> {
    let there = statvfs(path)?.f_flag;
    let kept = [
        (StatVfsMountFlags::NOEXEC, MountFlags::NOEXEC),
        (StatVfsMountFlags::NOATIME, MountFlags::NOATIME),
        (StatVfsMountFlags::NODIRATIME, MountFlags::NODIRATIME),
        (StatVfsMountFlags::RELATIME, MountFlags::RELATIME),
    ];
    let kept = kept.into_iter().filter(|(flag, _)| there.contains(*flag));
    let kept: MountFlags = kept.map(|(_, flag)| flag).collect();
    let always = MountFlags::BIND | MountFlags::RDONLY | MountFlags::NOSUID;
    mount_remount(path, always | flags | kept, c"")
}

/// Returns false for the root, whose mount would show everything, and for paths that every box shows.
fn is_worth_a_mount(path: &Path) -> bool {
    path != Path::new("/") && !is_there_anyway(path)
}

/// Returns an open file in memory, without a name, that holds this text. The next program inherits the file.
fn in_memory(text: &str) -> io::Result<OwnedFd> {
    let file = memfd_create("arena", MemfdFlags::empty())?;
    let mut file = fs::File::from(file);
    file.write_all(text.as_bytes())?;
    seek(&file, SeekFrom::Start(0))?;
    Ok(file.into())
}

/// Opens a small regular file for `bwrap` to copy. For each mount, `bwrap` would read the list of all mounts.
fn small(path: &Path) -> Option<OwnedFd> {
    let data = fs::metadata(path).ok()?;
    let flags = OFlags::RDONLY | OFlags::NONBLOCK;
    (data.is_file() && data.len() <= LONGEST_COPY)
        .then(|| open(path, flags, Mode::empty()).ok())
        .flatten()
}

#[derive(Default)]
struct Words {
    words: Vec<OsString>,
    folders: BTreeSet<PathBuf>,
}

impl Words {
    fn add<const N: usize>(&mut self, words: [impl Into<OsString>; N]) {
        self.words.extend(words.map(Into::into));
    }

    fn copy(&mut self, file: &OwnedFd, to: &Path) {
        self.folders_above(to);
        self.add(["--perms", "0644", "--file"]);
        self.add([file.as_raw_fd().to_string().as_ref(), to.as_os_str()]);
    }

    fn place(&mut self, how: &str, from: &Path, to: &Path) {
        self.folders_above(to);
        self.add([how.as_ref(), from.as_os_str(), to.as_os_str()]);
    }

    fn hide(&mut self, path: &Path) {
        match fs::symlink_metadata(path) {
            Ok(data) if data.is_dir() => {
                self.add(["--tmpfs".as_ref(), path.as_os_str()]);
                // The mount covers the folders that were made below it, so they are made again when they are needed.
                self.folders
                    .retain(|folder| folder == path || !folder.starts_with(path));
            }
            Ok(_) => self.place("--ro-bind", Path::new("/dev/null"), path),
            Err(_) => {}
        }
    }

    fn folders_above(&mut self, to: &Path) {
        // If `bwrap` made these folders without being asked, other users could not enter them.
        let above: Vec<&Path> = to.ancestors().skip(1).collect();
        for folder in above.into_iter().rev().skip(1) {
            if self.folders.insert(folder.to_owned()) {
                self.add(["--dir".as_ref(), folder.as_os_str()]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the last mount at each path, as its option and size.
    fn mounts(readable: &[&str], hidden: &[&str]) -> Vec<(String, String)> {
        let mut plan = Plan::read(&mut std::iter::once(super::super::END.into())).expect("a plan");
        plan.sandbox.disk_mib = Some(64);
        plan.sandbox.readable = readable.iter().map(PathBuf::from).collect();
        plan.sandbox.hidden = hidden.iter().map(PathBuf::from).collect();
        let (words, _files) = words(&plan).expect("arguments");
        let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
        let mut found: Vec<(String, String)> = Vec::new();
        for (number, word) in words.iter().enumerate() {
            let (at, text) = match &**word {
                "--tmpfs" if words[number - 2] == "--size" => {
                    (1, format!("own {}", words[number - 1]))
                }
                "--tmpfs" => (1, "hidden".to_owned()),
                "--ro-bind-try" if words[number + 1] == words[number + 2] => {
                    (1, "readable".to_owned())
                }
                _ => continue,
            };
            let path = words[number + at].to_string();
            found.retain(|(covered, _)| !Path::new(covered).starts_with(&path));
            found.push((path, text));
        }
        found
    }

    #[test]
    fn an_own_folder_stays_whatever_is_hidden_or_readable() {
        let own = format!("own {}", 64 << 20);
        for (readable, hidden) in [
            (&[][..], &["/tmp"][..]),
            (&[], &["/home", "/dev/shm", HOME]),
            (&["/srv", "/tmp/bot"], &["/srv/teacher", "/tmp"]),
        ] {
            let mounts = mounts(readable, hidden);
            let kind = |path: &str| {
                mounts
                    .iter()
                    .find(|(at, _)| at == path)
                    .map(|(_, kind)| &**kind)
            };
            for folder in OWN {
                assert_eq!(
                    kind(folder),
                    Some(&*own),
                    "{folder}: {readable:?}, {hidden:?}: {mounts:?}"
                );
            }
            for path in readable {
                assert_eq!(kind(path), Some("readable"), "{path}: {mounts:?}");
            }
        }
        // `bwrap` could not make the bot's home in the machine's folder, which is mounted read-only.
        let expected = Path::new(HOME).is_dir();
        let mounts = mounts(&["/home"], &[]);
        assert_eq!(mounts.iter().any(|(at, _)| at == HOME), expected);
    }
}
