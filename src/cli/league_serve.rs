//! `arena league serve`, and `arena league site`.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use clap::Args;
use clap::builder::RangedU64ValueParser;
use message::{message, spoken};
use referee::problem;

use super::serve::wait_for;
use super::{CliError, print_said, stop_on_ctrl_c};
use crate::league::Limits;
use crate::web::{EntryPage, LeaguePages, PublicUrl, Site, serve, write_site};

/// Show the league to everybody in a browser: leaderboard, bots, games, and a page on which owners hand in
///
/// Works beside `play`. An owner enters with its own link, ADDRESS/enter/SECRET. docs/league.md explains how to put the
/// pages behind Caddy or nginx, which encrypt.
#[derive(Debug, Args)]
pub(super) struct ServeLeague {
    /// The folder of the league
    league: PathBuf,
    /// The port; 0 means any free one
    #[arg(long, value_name = "N", default_value_t = 8080)]
    port: u16,
    /// The address to listen on; if it is not this machine's own, everybody in the network can reach the pages
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// The address that visitors use if a reverse proxy passes requests on, such as `https://league.example`
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
    /// Show visitors numbers instead of the names of bots and owners, also in a league that was made without
    /// --anonymous
    #[arg(long)]
    anonymous: bool,
    #[command(flatten)]
    limits: LimitOptions,
}

/// Limits for hand-ins by owners on the page.
#[derive(Debug, Args)]
struct LimitOptions {
    /// The largest file of a hand-in, in MiB
    #[arg(long, value_name = "N", default_value_t = Limits::USUAL.upload >> 20, value_parser = mib())]
    file_mb: u64,
    /// The hand-ins of an owner within an hour
    #[arg(long, value_name = "N", default_value_t = Limits::USUAL.per_hour)]
    per_hour: u64,
    /// The bots of an owner
    #[arg(long, value_name = "N", default_value_t = Limits::USUAL.bots)]
    bots: u64,
    /// The disk space of all versions of an owner, in MiB
    #[arg(long, value_name = "N", default_value_t = Limits::USUAL.of_owner >> 20, value_parser = mib())]
    owner_mb: u64,
    /// The disk space of all hand-ins, in MiB
    #[arg(long, value_name = "N", default_value_t = Limits::USUAL.in_all >> 20, value_parser = mib())]
    total_mb: u64,
}

fn mib() -> RangedU64ValueParser {
    RangedU64ValueParser::new().range(1..=1 << 40)
}

impl LimitOptions {
    fn limits(&self) -> Limits {
        Limits {
            upload: self.file_mb << 20,
            per_hour: self.per_hour,
            bots: self.bots,
            of_owner: self.owner_mb << 20,
            in_all: self.total_mb << 20,
        }
    }
}

impl ServeLeague {
    pub fn run(self) -> Result<(), CliError> {
        let url = self
            .public_url
            .as_deref()
            .map(PublicUrl::parse)
            .transpose()?;
        if !self.address.is_loopback() && url.is_none() {
            say!(
                "warning: everybody who can reach {} can use these pages, over a connection that is not encrypted",
                self.address
            );
        }
        let limits = self.limits.limits();
        let pages = LeaguePages::open(&self.league, url, self.anonymous, limits)?;
        let address = SocketAddr::new(self.address, self.port);
        let stop = stop_on_ctrl_c()?;
        let running = serve(Site::of_league(address, pages, spoken())).map_err(|error| {
            problem!("cannot serve the page at {address}: {error}")
                .help("choose another port with --port; 0 means any free one")
        })?;
        let url = running.url(EntryPage::Runs);
        echo!("{url}");
        say!("owners enter with {url}enter/SECRET");
        wait_for(&stop);
        running.end();
        Ok(())
    }
}

/// Write the public part of the league as files, for any web server
///
/// Leaderboard and bots need no script; a page with a viewer has the newest games and those of the best bots. The whole
/// folder is replaced at once, so the command may run every few minutes.
#[derive(Debug, Args)]
pub(super) struct WriteSite {
    /// The folder of the league
    league: PathBuf,
    /// A new folder, or that of an older site
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Show numbers instead of the names of bots and owners, also in a league that was made without --anonymous
    #[arg(long)]
    anonymous: bool,
}

impl WriteSite {
    pub fn run(self) -> Result<(), CliError> {
        let pages = LeaguePages::open(&self.league, None, self.anonymous, Limits::USUAL)?;
        let games = write_site(pages, &self.out, spoken())?;
        let page = self.out.join("index.html");
        print_said(&message!(
            "{}: a site with {games} {games|game|games}",
            page.display()
        ))
    }
}
