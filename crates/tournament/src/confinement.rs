//! The sandbox of each bot, and its limits.

use referee::problem;
use std::time::Duration;

use super::contestant::Contestant;
use super::numbers::{ms, span, within};
use super::tournament_file::{BotFile, TournamentFile};
use host::{Sandbox, Tier, Trust};
use referee::bot::cache;
use referee::problem::{Placed, Problem};

pub const MEMORY_MIB: i64 = 1024;
const PROCESSES: i64 = 256;
const DISK_MIB: i64 = 64;
const BUILD_MS: i64 = 600_000;
const BUILD_MEMORY_MIB: u64 = 4096;
const BUILD_PROCESSES: u64 = 1024;
const BUILD_DISK_MIB: u64 = 2048;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SandboxChoice {
    /// The strictest tier that the machine supports.
    Auto,
    Of(Tier),
    Off,
}

impl SandboxChoice {
    pub const NAMES: [&str; 4] = ["auto", "strict", "standard", "off"];

    pub fn from_word(word: &str) -> Option<SandboxChoice> {
        match word {
            "auto" => Some(SandboxChoice::Auto),
            "off" => Some(SandboxChoice::Off),
            word => Tier::from_word(word).map(SandboxChoice::Of),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Confinement {
    tier: Option<Tier>,
    build_limit: Duration,
    network: bool,
    memory_mib: u64,
    processes: u64,
    disk_mib: u64,
    has_hand_ins: bool,
}

impl TournamentFile {
    pub fn sandbox_choice(&self) -> Result<Option<SandboxChoice>, Problem> {
        let Some(word) = &self.sandbox else {
            return Ok(None);
        };
        SandboxChoice::from_word(word.get_ref())
            .map(Some)
            .ok_or_else(|| {
                problem!("unknown sandbox {:?}", word.get_ref())
                    .did_you_mean(word.get_ref(), SandboxChoice::NAMES.into_iter())
                    .at(word.span())
            })
    }

    /// Validates the sandbox and its limits. The caller has replaced `auto` with the machine's tier.
    pub(super) fn confinement(&self) -> Result<Confinement, Problem> {
        let limit = |value: &Placed<i64>, usual, most, key| {
            within(value.as_ref(), usual, 1..=most, key).map(|number| number as u64)
        };
        let memory_mib = limit(&self.memory_mib, MEMORY_MIB, 1 << 24, "memory_mib")?;
        let processes = limit(&self.processes, PROCESSES, 1 << 20, "processes")?;
        let disk_mib = limit(&self.disk_mib, DISK_MIB, 1 << 24, "disk_mib")?;
        let tier = match self.sandbox_choice()? {
            None | Some(SandboxChoice::Off) => None,
            Some(SandboxChoice::Of(tier)) => Some(tier),
            Some(SandboxChoice::Auto) => {
                return Err(Problem::new("sandbox = \"auto\" depends on the machine")
                    .help("write \"strict\", \"standard\" or \"off\"")
                    .at(span(self.sandbox.as_ref())));
            }
        };
        Ok(Confinement {
            tier,
            build_limit: ms(self.build_ms.as_ref(), BUILD_MS, "build_ms")?,
            network: self
                .network
                .as_ref()
                .is_some_and(|network| *network.get_ref()),
            memory_mib,
            processes,
            disk_mib,
            has_hand_ins: self.has_hand_ins(),
        })
    }
}

impl Confinement {
    /// Puts the bot into its sandbox. A limit of the bot itself counts only if it is lower than the tournament's.
    pub fn enclose(&self, bot: &mut Contestant, file: &BotFile) {
        if let Some(build) = &mut bot.build {
            build.limit(self.build_limit);
        }
        let Some(tier) = self.tier else { return };
        let least = |all: u64, own: Option<u64>| Some(own.map_or(all, |own| own.min(all)));
        if self.has_hand_ins {
            bot.cores = 1;
            // A hand-in gets no permanent folder, because the size of such a folder is not limited.
            bot.launch.asks.keep_folder = false;
            // An untrusted bot must not recommend an installation command to the user.
            bot.launch.install = None;
        }
        let own = file
            .network
            .as_ref()
            .is_some_and(|network| *network.get_ref());
        let asks = bot.launch.asks;
        let sandbox = Sandbox {
            network: self.network || own,
            memory_mib: least(self.memory_mib, bot.memory_mib),
            processes: least(self.processes, asks.processes),
            disk_mib: least(self.disk_mib, asks.disk_mib),
            trust: if bot.is_reference {
                Trust::Own
            } else {
                Trust::Stranger
            },
            ..Sandbox::new(tier)
        };
        // Environment variables may hold keys, which a hand-in could send to its author.
        if self.has_hand_ins || !sandbox.network {
            bot.launch.environment.clear();
        }
        if let Some(names) = &file.readable {
            let folder = bot.launch.folder.clone().unwrap_or_default();
            let names = names.get_ref().iter();
            // Replaces the files that the bot can read, except those in the arena's cache: the bot's frame or build.
            bot.launch.own.retain(|own| own.starts_with(cache("")));
            bot.launch.own.extend(names.map(|name| folder.join(name)));
        }
        bot.memory_mib = sandbox.memory_mib;
        bot.launch.enclose(&sandbox);
        if let Some(build) = &mut bot.build {
            build.enclose(&Sandbox {
                memory_mib: Some(BUILD_MEMORY_MIB),
                processes: Some(BUILD_PROCESSES),
                disk_mib: Some(BUILD_DISK_MIB),
                ..Sandbox::new(tier)
            });
        }
    }
}
