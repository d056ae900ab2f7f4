//! The kernel's data on the machine, on our own process and on connections.

use std::fs;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;

use procfs::net::{TcpNetEntry, tcp, tcp6};
use procfs::{CpuInfo, Current, LoadAverage};
use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// The administrator; also the user of the relay by which a browser on Windows reaches WSL.
const ROOT: u32 = 0;

/// Returns our own program, even if its file has been replaced since.
pub fn own_program() -> &'static Path {
    Path::new("/proc/self/exe")
}

pub fn processor_name() -> Option<String> {
    let processors = CpuInfo::current().ok()?;
    Some(processors.model_name(0)?.trim().to_owned())
}

pub fn system_name() -> String {
    let version = fs::read_to_string("/proc/version").unwrap_or_default();
    version.trim().to_owned()
}

pub fn machine_name() -> Option<String> {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
    Some(name.trim().to_owned())
}

pub fn load() -> Option<f32> {
    Some(LoadAverage::current().ok()?.one)
}

/// Reads the `cpu.max` of a control group, as a container sees it (`Documentation/admin-guide/cgroup-v2.rst`).
pub fn shares_cores() -> bool {
    let quota = fs::read_to_string("/sys/fs/cgroup/cpu.max");
    quota.is_ok_and(|quota| is_share(&quota))
}

fn is_share(quota: &str) -> bool {
    !quota.is_empty() && !quota.starts_with("max")
}

pub fn open_now() -> usize {
    fs::read_dir("/proc/self/fd").map_or(0, |list| list.count().saturating_sub(1))
}

/// Returns whether the kernel knows further formats of programs (`Documentation/admin-guide/binfmt-misc.rst`).
pub fn has_other_formats() -> bool {
    let entries = fs::read_dir("/proc/sys/fs/binfmt_misc")
        .into_iter()
        .flatten();
    let mut names = entries.flatten().map(|entry| entry.file_name());
    names.any(|name| name != "register" && name != "status")
}

pub fn allowed_cores() -> Vec<usize> {
    cores_of(None)
}

/// Returns the cores that the first thread of `process` (`None`: the calling thread) may use; empty if unknown.
pub fn cores_of(process: Option<Pid>) -> Vec<usize> {
    let allowed = sched_getaffinity(process);
    let all = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_ok_and(|cores| cores.is_set(core)));
    all.collect()
}

pub fn pin_to(cores: impl Iterator<Item = usize>) {
    let mut set = CpuSet::new();
    cores.for_each(|core| set.set(core));
    let _ = sched_setaffinity(None, &set);
}

/// Returns whether the socket `client` belongs to a user other than this one, its `sudo` user and the administrator.
pub fn is_from_another_user(client: SocketAddr, server: SocketAddr) -> bool {
    let own = rustix::process::geteuid().as_raw();
    let caller = std::env::var("SUDO_UID")
        .ok()
        .and_then(|uid| uid.parse().ok());
    match owner(client, server) {
        SocketOwner::User(uid) => {
            ![ROOT, own].contains(&uid) && (own != ROOT || caller != Some(uid))
        }
        // If an unlisted client is on this machine, its process has closed the socket, so refusing it harms no program.
        SocketOwner::Unlisted => client.ip().to_canonical().is_loopback(),
        SocketOwner::Unknown => false,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SocketOwner {
    User(u32),
    /// The socket is closed, or on another machine.
    Unlisted,
    /// The system does not show its tables of sockets.
    Unknown,
}

fn owner(client: SocketAddr, server: SocketAddr) -> SocketOwner {
    // The table of IPv6 also lists sockets that serve both protocols.
    let mut tables = [tcp(), tcp6()]
        .into_iter()
        .filter_map(Result::ok)
        .peekable();
    if tables.peek().is_none() {
        return SocketOwner::Unknown;
    }
    let is_it = |socket: &TcpNetEntry| {
        // If a process has closed a socket, the table shows the socket as root's, without an inode.
        let is_open = socket.inode != 0;
        is_open
            && end(socket.local_address) == end(client)
            && end(socket.remote_address) == end(server)
    };
    let found = tables.flatten().find(is_it);
    found.map_or(SocketOwner::Unlisted, |socket| {
        SocketOwner::User(socket.uid)
    })
}

/// Returns the address in a form that is the same in both tables.
fn end(address: SocketAddr) -> (IpAddr, u16) {
    (address.ip().to_canonical(), address.port())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{TcpListener, TcpStream};

    #[test]
    fn a_quota_is_a_share_of_all_cores() {
        let quotas = ["", "max 100000\n", "300000 100000\n"];
        assert_eq!(quotas.map(is_share), [false, false, true]);
    }

    #[test]
    fn the_owner_of_a_connection_is_found_by_both_ends() {
        for (listens, connects) in [
            ("127.0.0.1:0", "127.0.0.1"),
            ("[::1]:0", "::1"),
            ("127.0.0.1:0", "::ffff:127.0.0.1"),
        ] {
            let Ok(listener) = TcpListener::bind(listens) else {
                continue;
            };
            let port = listener.local_addr().expect("bound").port();
            let ip: IpAddr = connects.parse().expect("an address");
            let stream = TcpStream::connect((ip, port)).expect("connected");
            let (accepted, client) = listener.accept().expect("accepted");
            let server = accepted.local_addr().expect("connected");
            let own = rustix::process::geteuid().as_raw();
            assert_eq!(owner(client, server), SocketOwner::User(own), "{connects}");
            assert!(!is_from_another_user(client, server), "{connects}");
            let elsewhere = owner(client, client);
            assert_eq!(
                elsewhere,
                SocketOwner::Unlisted,
                "connected to another server"
            );
            drop(stream);
            // A process that another test is starting also holds the socket until it runs its program.
            let looks = (0..10_000).map(|_| owner(client, server));
            let is_closed = looks
                .into_iter()
                .any(|owner| owner == SocketOwner::Unlisted);
            assert!(is_closed, "it is listed as root's");
            assert!(is_from_another_user(client, server), "{connects}");
        }
    }
}
