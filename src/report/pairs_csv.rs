//! `pairs.csv`: a row for every two bots that met, seen from the first.

use super::standings::Standings;
use super::{Strength, cell};
use stats::{Z_95, wilson};

const HEADER: [&str; 23] = [
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

/// The whole table.
pub(super) fn csv(standings: &Standings) -> csv::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(HEADER)?;
    for ([bot, opponent], pairing) in standings.pairings() {
        let score = pairing.score;
        let interval = wilson(&score, Z_95);
        let strength = Strength::of(&score, &pairing.pairs);
        let elo = |figure: fn(&Strength) -> f64| {
            cell::maybe(strength.as_ref(), |strength| {
                format!("{:.1}", figure(strength))
            })
        };
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
            elo(|strength| strength.elo.elo),
            elo(|strength| strength.elo.error_95),
            elo(|strength| strength.normalised.elo),
            elo(|strength| strength.normalised.error_95),
            cell::maybe(strength, |strength| format!("{:.4}", strength.los)),
            pairing.pairs.pairs().to_string(),
        ];
        row.extend(counts.map(|count| count.to_string()));
        writer.write_record(row)?;
    }
    writer
        .into_inner()
        .map_err(|error| error.into_error().into())
}
