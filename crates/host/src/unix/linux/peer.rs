//! The user at the other end of a connection within this machine.

use std::net::{IpAddr, SocketAddr};

use procfs::net::{TcpNetEntry, tcp, tcp6};

/// The administrator: also the relay by which a browser on Windows reaches WSL.
const ROOT: u32 = 0;

/// Whether the socket `client` that is connected to `server` belongs to a user who is neither that of this process, nor
/// the one that started it by `sudo`, nor the administrator.
pub fn is_from_another_user(client: SocketAddr, server: SocketAddr) -> bool {
    let own = rustix::process::geteuid().as_raw();
    let caller = std::env::var("SUDO_UID")
        .ok()
        .and_then(|uid| uid.parse().ok());
    match owner(client, server) {
        Owner::User(uid) => ![ROOT, own].contains(&uid) && (own != ROOT || caller != Some(uid)),
        // Within the machine, that is a socket that its process has closed: no program waits for an answer.
        Owner::Unlisted => client.ip().to_canonical().is_loopback(),
        Owner::Unknown => false,
    }
}

/// The user of a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    User(u32),
    /// The socket is closed, or on another machine.
    Unlisted,
    /// The system shows no tables.
    Unknown,
}

fn owner(client: SocketAddr, server: SocketAddr) -> Owner {
    // The table of IPv6 has the sockets that speak both.
    let mut tables = [tcp(), tcp6()]
        .into_iter()
        .filter_map(Result::ok)
        .peekable();
    if tables.peek().is_none() {
        return Owner::Unknown;
    }
    let is_it = |socket: &TcpNetEntry| {
        // A socket that its process has closed counts as root's.
        let is_open = socket.inode != 0;
        is_open
            && end(socket.local_address) == end(client)
            && end(socket.remote_address) == end(server)
    };
    let found = tables.flatten().find(is_it);
    found.map_or(Owner::Unlisted, |socket| Owner::User(socket.uid))
}

/// An address that is the same in both tables.
fn end(address: SocketAddr) -> (IpAddr, u16) {
    (address.ip().to_canonical(), address.port())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{TcpListener, TcpStream};

    #[test]
    fn the_owner_of_a_connection_is_found_by_both_ends() {
        for (listens, connects) in [
            ("127.0.0.1:0", "127.0.0.1"),
            ("[::1]:0", "::1"),
            ("127.0.0.1:0", "::ffff:127.0.0.1"),
        ] {
            // Without IPv6 there is nothing to look at.
            let Ok(listener) = TcpListener::bind(listens) else {
                continue;
            };
            let port = listener.local_addr().expect("bound").port();
            let ip: IpAddr = connects.parse().expect("an address");
            let stream = TcpStream::connect((ip, port)).expect("connected");
            let (accepted, client) = listener.accept().expect("accepted");
            let server = accepted.local_addr().expect("connected");
            let own = rustix::process::geteuid().as_raw();
            assert_eq!(owner(client, server), Owner::User(own), "{connects}");
            assert!(!is_from_another_user(client, server), "{connects}");
            let elsewhere = owner(client, client);
            assert_eq!(elsewhere, Owner::Unlisted, "connected to another server");
            drop(stream);
            let closed = owner(client, server);
            assert_eq!(closed, Owner::Unlisted, "it is listed as root's");
            assert!(is_from_another_user(client, server), "{connects}");
        }
    }
}
