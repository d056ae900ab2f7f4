//! Marks from a league's games so far: the ratings, and the results against anchors by the thresholds of a suite.

use run::RunError;
use stats::{Score, Z_95, wilson};
use tournament::Problem;
use tournament::mark::Scale;

use super::database::{League, Version};
use referee::problem;

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
    /// `None` if there is no suite, or if the bot has not met all opponents of the suite.
    pub mark: Option<f64>,
    /// Whether more games could change the mark: a threshold is within the 95 % interval of a result.
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
    /// Returns a row for each bot with an owner, sorted by owner and bot. The opponents of `scale` must be anchors.
    pub fn marks(&self, scale: &Scale) -> Result<Vec<MarkRow>, RunError> {
        let versions = self.versions()?;
        let table = self.table()?;
        let anchor = |name: &String| {
            let is_anchor = |version: &&Version| version.owner.is_none() && version.bot == *name;
            versions
                .iter()
                .find(is_anchor)
                .map(|version| version.id)
                .ok_or_else(|| -> Problem {
                    problem!("the suite has the opponent {name}, which is no anchor of the league")
                        .help("use a suite with the league's anchors as its bots")
                })
        };
        let hurdles = scale
            .hurdles
            .iter()
            .map(|hurdle| Ok((anchor(&hurdle.opponent)?, hurdle)));
        let hurdles = hurdles.collect::<Result<Vec<_>, Problem>>()?;
        let mut rows = Vec::new();
        for row in table.rows.into_iter().filter(|row| !row.is_anchor) {
            let results = self.results_of(row.version)?;
            let (mut mark, mut is_open, mut against) = (0.0, false, Vec::new());
            let mut has_met_all = !hurdles.is_empty();
            for (anchor, hurdle) in &hurdles {
                let score = results.get(anchor).copied().unwrap_or_default();
                // As in a grade, the share is computed as a quotient, and a threshold of 0 is reached without games.
                let is_beaten = hurdle.threshold <= 0.0
                    || score.games() > 0 && score.rate() + 1e-9 >= hurdle.threshold;
                mark += if is_beaten { hurdle.points } else { 0.0 };
                is_open |=
                    hurdle.threshold > 0.0 && wilson(&score, Z_95).contains(hurdle.threshold);
                has_met_all &= hurdle.threshold <= 0.0 || score.games() > 0;
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
                mark: has_met_all.then_some(mark),
                is_open,
            });
        }
        rows.sort_by(|one, other| (&one.owner, &one.bot).cmp(&(&other.owner, &other.bot)));
        Ok(rows)
    }
}
