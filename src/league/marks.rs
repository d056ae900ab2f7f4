//! Marks from a league's games so far: the ratings, and the results against anchors by the thresholds of a suite.

use run::RunError;
use stats::{Score, Z_95, wilson};
use tournament::Problem;
use tournament::mark::{Hurdle, Scale};

use super::database::{League, Version};
use super::pairing::MOST_PAIRS;
use referee::problem;

/// The goals of a suite, and the fewest games against each of its opponents for a mark.
#[derive(Clone, Debug)]
pub struct Goals {
    pub scale: Scale,
    pub games: u64,
}

impl Goals {
    /// Returns the goals with the anchors that are their opponents.
    fn anchors<'a>(
        &'a self,
        versions: &'a [Version],
    ) -> Result<Vec<(&'a Version, &'a Hurdle)>, Problem> {
        let anchor = |hurdle: &'a Hurdle| {
            let name = &hurdle.opponent;
            let is_anchor = |version: &&Version| version.owner.is_none() && version.bot == *name;
            let found = versions.iter().find(is_anchor).ok_or_else(|| {
                problem!("the suite has the opponent {name}, which is no anchor of the league")
                    .help("use a suite with the league's anchors as its bots")
            });
            Ok((found?, hurdle))
        };
        self.scale.hurdles.iter().map(anchor).collect()
    }

    /// Returns how many games are missing for a mark. As in a grade, a threshold of 0 is reached without games.
    fn missing(&self, hurdle: &Hurdle, score: &Score) -> u64 {
        let is_counted = hurdle.threshold > 0.0;
        self.games.saturating_sub(score.games()) * u64::from(is_counted)
    }
}

#[derive(Clone, Debug)]
pub struct MarkRow {
    pub owner: String,
    pub bot: String,
    pub place: Option<usize>,
    pub rating: Option<[f64; 2]>,
    pub games: u64,
    pub faults: u64,
    /// The results against the suite's opponents, in the suite's order.
    pub against: Vec<Score>,
    /// `None` if there is no suite, or if the bot has played too few games against an opponent of the suite.
    pub mark: Option<f64>,
    /// Whether more games could change the mark: there is none yet, or a threshold is within the 95 % interval of a result.
    pub is_open: bool,
}

impl MarkRow {
    pub fn titles(scale: &Scale) -> Vec<String> {
        let fixed = [
            "owner", "bot", "place", "elo", "error_95", "games", "faults",
        ];
        let opponents = scale.hurdles.iter().flat_map(|hurdle| {
            [
                format!("{} games", hurdle.opponent),
                format!("{} %", hurdle.opponent),
            ]
        });
        let fixed = fixed.into_iter().map(str::to_owned);
        fixed
            .chain(opponents)
            .chain(["mark", "of", "is_open"].map(str::to_owned))
            .collect()
    }

    pub fn cells(&self, scale: &Scale) -> Vec<String> {
        let number =
            |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.1}"));
        let mut cells = vec![
            self.owner.clone(),
            self.bot.clone(),
            self.place
                .map_or_else(String::new, |place| place.to_string()),
            number(self.rating.map(|[elo, _]| elo)),
            number(self.rating.map(|[_, error]| error)),
            self.games.to_string(),
            self.faults.to_string(),
        ];
        for score in &self.against {
            cells.push(score.games().to_string());
            cells.push(number((score.games() > 0).then(|| 100.0 * score.rate())));
        }
        let possible = scale.hurdles.iter().map(|hurdle| hurdle.points);
        let possible = possible.reduce(|sum, points| sum + points);
        let points =
            |points: Option<f64>| points.map_or_else(String::new, |points| points.to_string());
        cells.extend([
            points(self.mark),
            points(possible),
            self.is_open.to_string(),
        ]);
        cells
    }
}

impl League {
    /// Returns pairs that the versions that play still need for a mark, at most [`MOST_PAIRS`] of each version.
    pub(super) fn needed_pairs(&self, goals: &Goals) -> Result<Vec<[i64; 2]>, RunError> {
        let versions = self.versions()?;
        let mut hurdles = goals.anchors(&versions)?;
        hurdles.retain(|(anchor, _)| anchor.plays());
        let mut all = Vec::new();
        for version in versions
            .iter()
            .filter(|version| version.owner.is_some() && version.plays())
        {
            let results = self.results_of(version.id)?;
            let pairs = hurdles.iter().flat_map(|(anchor, hurdle)| {
                let score = results.get(&anchor.id).copied().unwrap_or_default();
                let pairs = goals.missing(hurdle, &score).div_ceil(2);
                std::iter::repeat_n([version.id, anchor.id], pairs as usize)
            });
            all.extend(pairs.take(MOST_PAIRS as usize));
        }
        Ok(all)
    }

    /// Returns a row for each bot with an owner, sorted by owner and bot. The opponents of `goals` must be anchors.
    pub fn marks(&self, goals: &Goals) -> Result<Vec<MarkRow>, RunError> {
        let versions = self.versions()?;
        let table = self.table()?;
        let hurdles = goals.anchors(&versions)?;
        let mut rows = Vec::new();
        for row in table.rows.into_iter().filter(|row| !row.is_anchor) {
            let results = self.results_of(row.version)?;
            let (mut mark, mut is_open, mut against) = (0.0, false, Vec::new());
            let mut is_complete = !hurdles.is_empty();
            for (anchor, hurdle) in &hurdles {
                let score = results.get(&anchor.id).copied().unwrap_or_default();
                let is_missing = goals.missing(hurdle, &score) > 0;
                // As in a grade, the share is computed as a quotient.
                let is_beaten = hurdle.threshold <= 0.0
                    || score.games() > 0 && score.rate() + 1e-9 >= hurdle.threshold;
                mark += if is_beaten { hurdle.points } else { 0.0 };
                is_open |= is_missing
                    || hurdle.threshold > 0.0 && wilson(&score, Z_95).contains(hurdle.threshold);
                is_complete &= !is_missing;
                against.push(score);
            }
            rows.push(MarkRow {
                owner: row.owner.unwrap_or_default(),
                bot: row.name,
                place: row.place,
                rating: row
                    .figures
                    .elo
                    .zip(row.figures.error_95)
                    .map(<[f64; 2]>::from),
                games: row.figures.games,
                faults: row.figures.faults,
                against,
                mark: is_complete.then_some(mark),
                is_open,
            });
        }
        rows.sort_by(|one, other| (&one.owner, &one.bot).cmp(&(&other.owner, &other.bot)));
        Ok(rows)
    }
}
