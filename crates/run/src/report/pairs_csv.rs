//! `pairs.csv`: one row for every two bots that played, from the view of the first.

use super::cell::{Column, maybe, rate, tenths};
use super::{Pairing, standings::Standings};
use stats::{Elo, Interval, Strength, Z_95, wilson};

/// A row.
pub(super) struct Line<'a> {
    bots: [&'a str; 2],
    pairing: &'a Pairing,
    interval: Interval,
    strength: Option<Strength>,
}

impl Line<'_> {
    fn elo(&self) -> Option<Elo> {
        self.strength.map(|strength| strength.elo)
    }

    fn normalised(&self) -> Option<Elo> {
        self.strength.and_then(|strength| strength.normalised)
    }
}

/// The columns.
pub(super) fn columns<'a>() -> [Column<Line<'a>>; 23] {
    [
        ("bot", |line| line.bots[0].to_owned()),
        ("opponent", |line| line.bots[1].to_owned()),
        ("games", |line| {
            (line.pairing.score.games() + line.pairing.both_failed).to_string()
        }),
        ("wins", |line| line.pairing.score.wins.to_string()),
        ("draws", |line| line.pairing.score.draws.to_string()),
        ("losses", |line| line.pairing.score.losses.to_string()),
        ("both_failed", |line| line.pairing.both_failed.to_string()),
        ("win_rate", |line| rate(line.pairing.score.rate())),
        ("win_rate_low_95", |line| rate(line.interval.low)),
        ("win_rate_high_95", |line| rate(line.interval.high)),
        ("draw_rate", |line| rate(line.pairing.score.draw_rate())),
        ("elo", |line| maybe(line.elo(), |elo| tenths(elo.elo))),
        ("elo_error_95", |line| {
            maybe(line.elo(), |elo| tenths(elo.error_95))
        }),
        ("nelo", |line| {
            maybe(line.normalised(), |elo| tenths(elo.elo))
        }),
        ("nelo_error_95", |line| {
            maybe(line.normalised(), |elo| tenths(elo.error_95))
        }),
        ("los", |line| {
            maybe(line.strength, |strength| rate(strength.los))
        }),
        ("pairs", |line| line.pairing.pairs.pairs().to_string()),
        ("pairs_ll", |line| line.pairing.pairs.ll.to_string()),
        ("pairs_ld", |line| line.pairing.pairs.ld.to_string()),
        ("pairs_wl", |line| line.pairing.pairs.wl.to_string()),
        ("pairs_dd", |line| line.pairing.pairs.dd.to_string()),
        ("pairs_wd", |line| line.pairing.pairs.wd.to_string()),
        ("pairs_ww", |line| line.pairing.pairs.ww.to_string()),
    ]
}

/// One row for every two bots.
pub(super) fn rows(standings: &Standings) -> impl Iterator<Item = Line<'_>> {
    standings.pairings().map(|(bots, pairing)| Line {
        bots: bots.map(|bot| standings.bots()[bot].name.as_str()),
        pairing,
        interval: wilson(&pairing.score, Z_95),
        strength: pairing.strength(),
    })
}
