//! The table of a league: a row for each bot, with the newest version that can play.

use message::Message;
use run::RunError;
use serde::Serialize;

use super::database::{League, Version, VersionState};

#[derive(Clone, Debug, Serialize)]
pub struct LeagueTable {
    pub league: String,
    pub rounds: u64,
    pub games: u64,
    pub is_closed: bool,
    pub rows: Vec<TableRow>,
    pub waiting: usize,
}

#[derive(Clone, Debug, Serialize)]
pub struct TableRow {
    /// Counted from 1; `None` before the version's first game.
    pub place: Option<usize>,
    /// The number of the version's page.
    pub version: i64,
    pub name: String,
    pub owner: Option<String>,
    pub is_anchor: bool,
    pub state: VersionState,
    #[serde(serialize_with = "in_english")]
    pub reason: Option<Message>,
    #[serde(flatten)]
    pub figures: Figures,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Figures {
    pub elo: Option<f64>,
    pub error_95: Option<f64>,
    pub places: Option<[usize; 2]>,
    pub games: u64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub faults: u64,
}

impl Version {
    /// Returns the version's figures, which everybody may see.
    pub fn figures(&self) -> Figures {
        Figures {
            elo: self.rating.map(|[elo, _]| elo),
            error_95: self.rating.map(|[_, error]| error),
            places: self.places.filter(|_| self.plays()),
            games: self.score.games(),
            wins: self.score.wins,
            draws: self.score.draws,
            losses: self.score.losses,
            faults: self.faults,
        }
    }
}

#[expect(clippy::ref_option, reason = "serde passes a reference")]
fn in_english<S: serde::Serializer>(
    reason: &Option<Message>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    reason
        .as_ref()
        .map(ToString::to_string)
        .serialize(serializer)
}

impl League {
    pub fn table(&self) -> Result<LeagueTable, RunError> {
        let versions = self.versions()?;
        let owners = self.owners()?;
        let (rounds, games) = self.counted()?;
        let mut shown: Vec<&Version> = versions
            .iter()
            .filter(|version| is_shown(&versions, version))
            .collect();
        let elo = |version: &Version| version.figures().elo.filter(|_| version.plays());
        shown.sort_by(|one, other| {
            let [one, other] =
                [one, other].map(|version| elo(version).unwrap_or(f64::NEG_INFINITY));
            other.total_cmp(&one)
        });
        let row = |(above, version): (usize, &&Version)| TableRow {
            place: elo(version).map(|_| above + 1),
            version: version.id,
            name: version.name(),
            owner: version.owner.and_then(|id| {
                owners
                    .iter()
                    .find(|owner| owner.id == id)
                    .map(|owner| owner.name.clone())
            }),
            is_anchor: version.owner.is_none(),
            state: version.state,
            reason: version.reason.clone(),
            figures: version.figures(),
        };
        Ok(LeagueTable {
            league: self.name(),
            rounds,
            games,
            is_closed: self.settings()?.is_closed(),
            rows: shown.iter().enumerate().map(row).collect(),
            waiting: versions
                .iter()
                .filter(|version| version.state == VersionState::Waiting)
                .count(),
        })
    }
}

/// Returns whether the table shows this version of its bot: the newest that can play, or the newest if none can.
fn is_shown(versions: &[Version], version: &Version) -> bool {
    let of_bot = || {
        versions
            .iter()
            .rev()
            .filter(|other| other.bot == version.bot)
    };
    let shown = of_bot()
        .find(|other| other.plays())
        .or_else(|| of_bot().next());
    shown.is_some_and(|shown| shown.id == version.id)
}
