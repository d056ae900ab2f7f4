//! A match of two bots as text: strength and pairs.

use serde_json::{Value, json};

use super::Pairing;
use message::number::signed;
use stats::{FEWEST_UNITS, Pentanomial, Z_95, wilson};

/// The result of two bots against each other, from the view of the first.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchLine {
    /// The bots.
    pub names: [String; 2],
    /// The results.
    pub pairing: Pairing,
}

impl MatchLine {
    /// Two lines for the terminal.
    pub fn text(&self) -> String {
        let [one, two] = &self.names;
        let score = self.pairing.score;
        format!(
            "{one} against {two}: {}–{}–{} (won, drawn, lost)\n{}\n{}\n",
            score.wins,
            score.draws,
            score.losses,
            self.strength_text(),
            self.pairs_text()
        )
    }

    /// The difference in strength, or that there are too few games for it.
    pub(super) fn strength_text(&self) -> String {
        let (games, pairs) = (self.pairing.score.games(), self.pairing.pairs.pairs());
        let Some(strength) = self.pairing.strength() else {
            let (number, unit) = match (games, pairs) {
                (1, 0) => (1, "game"),
                (_, 0) => (games, "games"),
                (_, 1) => (1, "pair"),
                _ => (pairs, "pairs"),
            };
            return format!(
                "no Elo, nElo or LOS from {number} {unit}: at least {FEWEST_UNITS} are needed"
            );
        };
        let normalised = match strength.normalised {
            Some(elo) => format!("{} ± {:.1}", signed(elo.elo, 1), elo.error_95),
            None => "– (all results are the same)".to_owned(),
        };
        let mut text = format!(
            "Elo {} ± {:.1} (95 %), nElo {normalised}, LOS {:.1} %, draws {:.1} %",
            signed(strength.elo.elo, 1),
            strength.elo.error_95,
            100.0 * strength.los,
            100.0 * self.pairing.score.draw_rate()
        );
        match games - 2 * pairs {
            _ if pairs == 0 => text += "; from games, as no pair is complete",
            0 => {}
            1 => text += "; 1 game of an incomplete pair is ignored",
            alone => text += &format!("; {alone} games of incomplete pairs are ignored"),
        }
        text
    }

    /// Its pairs by their results.
    pub(super) fn pairs_text(&self) -> String {
        let Pentanomial {
            ll,
            ld,
            wl,
            dd,
            wd,
            ww,
        } = self.pairing.pairs;
        format!("pairs LL {ll}, LD {ld}, WL {wl}, DD {dd}, WD {wd}, WW {ww}")
    }

    /// The same for programs.
    pub fn json(&self) -> Value {
        let (strength, score) = (self.pairing.strength(), self.pairing.score);
        let normalised = strength.and_then(|strength| strength.normalised);
        let interval = wilson(&score, Z_95);
        json!({
            "bot": self.names[0],
            "opponent": self.names[1],
            "games": score.games(),
            "wins": score.wins,
            "draws": score.draws,
            "losses": score.losses,
            "win_rate": score.rate(),
            "win_rate_95": [interval.low, interval.high],
            "draw_rate": score.draw_rate(),
            "elo": strength.map(|strength| strength.elo.elo),
            "elo_error_95": strength.map(|strength| strength.elo.error_95),
            "nelo": normalised.map(|normalised| normalised.elo),
            "nelo_error_95": normalised.map(|normalised| normalised.error_95),
            "los": strength.map(|strength| strength.los),
            "pairs": <[u64; 6]>::from(self.pairing.pairs),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(pairs: [u64; 6]) -> String {
        let pairs = Pentanomial::from(pairs);
        MatchLine {
            names: ["new".to_owned(), "base".to_owned()],
            pairing: Pairing {
                score: pairs.score(),
                pairs,
                both_failed: 0,
            },
        }
        .strength_text()
    }

    #[test]
    fn too_few_results_are_not_made_into_figures() {
        insta::assert_snapshot!(text([0, 0, 0, 0, 0, 1]), @"no Elo, nElo or LOS from 1 pair: at least 6 are needed");
        insta::assert_snapshot!(text([0, 0, 0, 0, 1, 1]), @"no Elo, nElo or LOS from 2 pairs: at least 6 are needed");
        insta::assert_snapshot!(text([0; 6]), @"no Elo, nElo or LOS from 0 games: at least 6 are needed");
        insta::assert_snapshot!(text([0, 0, 0, 0, 0, 10]), @"Elo +653.4 ± 417.8 (95 %), nElo – (all results are the same), LOS 99.9 %, draws 0.0 %");
    }
}
