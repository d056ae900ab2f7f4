//! The cost of pages that watch a run: clients read the events of the wall (the page of all boards) over TCP.

use std::io::Read;
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use arena::web::{EntryPage, Hub, RunningServer, Site, serve};
use referee::bot::Launch;
use run::Run;
use tournament::Catalogue;

use super::{OverheadResult, TURNS, Watching, http, play};

const PAGES: usize = 8;

pub struct Pages {
    hub: Arc<Hub>,
    running: RunningServer,
    readers: Vec<JoinHandle<usize>>,
}

impl Pages {
    /// Starts a server for a run that has not begun, and opens `pages` pages.
    pub fn of(run: &mut Run, pages: usize, folder: &Path) -> OverheadResult<Pages> {
        let watcher = run.watch();
        let hub = Hub::start("bench".to_owned(), run.tournament().clone(), 0, watcher)?;
        let running = serve(Site {
            is_anonymous: false,
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            results: folder.to_owned(),
            catalogue: Arc::new(Catalogue {
                program: folder.to_owned(),
                entries: Vec::new(),
                engines: Vec::new(),
                check: |_, _| Ok(()),
                solvers: Vec::new(),
            }),
            offers: Vec::new(),
            stages: Vec::new(),
            analyse: None,
            settings: arena::analysis::Settings::QUICK,
            teach: None,
            advise: None,
            going_on: None,
            hub: Some(Arc::clone(&hub)),
            league: None,
            chosen: None,
            lang: &message::all()[0],
        })?;
        let url = running.url(EntryPage::Wall);
        let port = running.address().port();
        let path = url.split_once(&format!(":{port}")).ok_or("no address")?.1;
        let entered = http::ask(port, "GET", path, &[], "");
        let cookie = entered.header("set-cookie").ok_or("no cookie")?;
        let cookie = cookie.split(';').next().unwrap_or_default();
        let readers = (0..pages).map(|_| {
            let headers = [("cookie", cookie)];
            let mut stream = http::send(port, "GET", "/live/events", &headers, "")?;
            Ok(thread::spawn(move || read(&mut stream)))
        });
        Ok(Pages {
            readers: readers.collect::<OverheadResult<_>>()?,
            hub,
            running,
        })
    }

    pub fn end(self) -> usize {
        self.hub.end();
        self.running.end();
        let pages = self.readers.len().max(1);
        let read = self.readers.into_iter().map(JoinHandle::join);
        read.map(Result::unwrap_or_default).sum::<usize>() / pages
    }
}

fn read(stream: &mut TcpStream) -> usize {
    let (mut bytes, mut buffer) = (0, [0; 1 << 12]);
    while let Ok(more @ 1..) = stream.read(&mut buffer) {
        bytes += more;
    }
    bytes
}

pub fn measure(launch: &Launch, games: u64) -> OverheadResult<()> {
    println!(
        "{games} games, without a watcher, with --watch, and with {PAGES} pages that show the wall:"
    );
    for concurrency in 1..=2 {
        let ways = [Watching::None, Watching::Pages(0), Watching::Pages(PAGES)];
        let mut times = ways.map(|_| Vec::new());
        let mut bytes = 0;
        for _ in 0..TURNS {
            for (watching, times) in ways.iter().zip(&mut times) {
                let (figures, _) = play(launch, games, concurrency, *watching)?;
                times.push(figures.a_ply.as_secs_f64() * 1e6);
                bytes = bytes.max(figures.bytes_a_page);
            }
        }
        let [alone, served, watched] = times.map(|mut times| {
            times.sort_by(f64::total_cmp);
            [times[0], times[times.len() / 2]]
        });
        let ratio = |at: usize, one: [f64; 2]| one[at] / alone[at];
        println!(
            "concurrency {concurrency}: {:.2} µs a ply; --watch {:.3} × (median {:.3} ×); \
             {PAGES} pages {:.3} × (median {:.3} ×), {} kB a page",
            alone[0],
            ratio(0, served),
            ratio(1, served),
            ratio(0, watched),
            ratio(1, watched),
            bytes / 1000,
        );
    }
    Ok(())
}
