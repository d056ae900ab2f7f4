//! `pairs.csv`: one row for every two bots that played, from the view of the first.

use super::cell;
use super::standings::Standings;
use stats::{Elo, Strength, Z_95, wilson};

pub(super) const HEADER: [&str; 23] = [
    "bot",
    "opponent",
    "games",
    "wins",
    "draws",
    "losses",
    "both_failed",
    "win_rate",
    "win_rate_low_95",
    "win_rate_high_95",
    "draw_rate",
    "elo",
    "elo_error_95",
    "nelo",
    "nelo_error_95",
    "los",
    "pairs",
    "pairs_ll",
    "pairs_ld",
    "pairs_wl",
    "pairs_dd",
    "pairs_wd",
    "pairs_ww",
];

/// One row for every two bots.
pub(super) fn rows(standings: &Standings) -> impl Iterator<Item = Vec<String>> {
    standings.pairings().map(|([bot, opponent], pairing)| {
        let score = pairing.score;
        let interval = wilson(&score, Z_95);
        let strength = pairing.strength();
        let elo = |elo: Option<Elo>| {
            let figures = elo.map(|elo| [elo.elo, elo.error_95]);
            [0, 1].map(|which| cell::maybe(figures, |figures| format!("{:.1}", figures[which])))
        };
        let [logistic, error] = elo(strength.map(|strength| strength.elo));
        let [normalised, normalised_error] = elo(strength.and_then(|strength| strength.normalised));
        let name = |number: usize| standings.bots()[number].name.clone();
        let counts: [u64; 6] = pairing.pairs.into();
        let mut row = vec![
            name(bot),
            name(opponent),
            (score.games() + pairing.both_failed).to_string(),
            score.wins.to_string(),
            score.draws.to_string(),
            score.losses.to_string(),
            pairing.both_failed.to_string(),
            format!("{:.4}", score.rate()),
            format!("{:.4}", interval.low),
            format!("{:.4}", interval.high),
            format!("{:.4}", score.draw_rate()),
            logistic,
            error,
            normalised,
            normalised_error,
            cell::maybe(strength, |strength: Strength| {
                format!("{:.4}", strength.los)
            }),
            pairing.pairs.pairs().to_string(),
        ];
        row.extend(counts.map(|count| count.to_string()));
        row
    })
}
