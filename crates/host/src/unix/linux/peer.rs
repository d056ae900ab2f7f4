//! The user at the other end of a connection within this machine.

use std::net::{IpAddr, SocketAddr};

use procfs::net::{TcpNetEntry, tcp, tcp6};

/// Whether the socket `client` that is connected to `server` belongs to the user of this process, or to the one that
/// started it by `sudo`. A socket that the system does not list belongs to another.
pub fn is_from_this_user(client: SocketAddr, server: SocketAddr) -> bool {
    let own = rustix::process::geteuid().as_raw();
    let caller = std::env::var("SUDO_UID")
        .ok()
        .and_then(|uid| uid.parse().ok());
    let is_ours = |uid| uid == own || (own == 0 && caller == Some(uid));
    owner(client, server).is_some_and(is_ours)
}

fn owner(client: SocketAddr, server: SocketAddr) -> Option<u32> {
    // The table of IPv6 has the sockets that speak both.
    let tables = [tcp(), tcp6()].into_iter().filter_map(Result::ok);
    let is_it = |socket: &TcpNetEntry| {
        // A socket that its process has closed counts as root's.
        let is_open = socket.inode != 0;
        is_open
            && end(socket.local_address) == end(client)
            && end(socket.remote_address) == end(server)
    };
    tables.flatten().find(is_it).map(|socket| socket.uid)
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
            assert_eq!(owner(client, server), Some(own), "{connects}");
            assert!(is_from_this_user(client, server), "{connects}");
            assert_eq!(owner(client, client), None, "connected to another server");
            drop(stream);
            assert_eq!(
                owner(client, server),
                None,
                "closed: it is listed as root's"
            );
        }
    }
}
