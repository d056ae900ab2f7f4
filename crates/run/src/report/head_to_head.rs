//! Two bots against each other: their results, as text and for programs, and the verdict of a sequential test.

use message::number::signed;
use message::{Message, message};
use serde_json::{Value, json};
use stats::{Decision, FEWEST_UNITS, Model, Pentanomial, Score, Sprt, Strength, Z_95, wilson};

/// The results of two bots, from the first bot's view.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pairing {
    /// The results of games, without those in which both failed.
    pub score: Score,
    pub pairs: Pentanomial,
    pub both_failed: u64,
}

impl Pairing {
    /// Estimates the difference in strength: from complete pairs if there are any, else from games; `None` if there are
    /// too few. Pairs are the better sample, since the two games of a pair are not independent. If there are pairs,
    /// ignores the games of incomplete pairs, so that the model stays the same.
    pub fn strength(&self) -> Option<Strength> {
        match self.pairs.pairs() {
            0 => Strength::of(&self.score),
            _ => Strength::of(&self.pairs),
        }
    }
}

/// The result of two bots against each other, from the first bot's view.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchLine {
    pub names: [String; 2],
    pub pairing: Pairing,
}

impl MatchLine {
    /// Describes the score, the difference in strength, and the results of pairs, in one line each.
    pub fn text(&self) -> Vec<Message> {
        let [one, two] = &self.names;
        let Score {
            wins,
            draws,
            losses,
        } = self.pairing.score;
        vec![
            message!("{one} against {two}: {wins}–{draws}–{losses} (won, drawn, lost)"),
            self.strength_text(),
            self.pairs_text(),
        ]
    }

    fn strength_text(&self) -> Message {
        let (games, pairs) = (self.pairing.score.games(), self.pairing.pairs.pairs());
        let Some(strength) = self.pairing.strength() else {
            let (number, unit) = match (games, pairs) {
                (1, 0) => (1, "game"),
                (_, 0) => (games, "games"),
                (_, 1) => (1, "pair"),
                _ => (pairs, "pairs"),
            };
            let unit = Message::from(unit);
            return message!(
                "no Elo, nElo or LOS from {number} {unit}: at least {FEWEST_UNITS} are needed"
            );
        };
        let figure = |elo: f64, error: f64| format!("{} ± {error:.1}", signed(elo, 1));
        let normalised = match strength.normalised {
            Some(elo) => Message::quote(figure(elo.elo, elo.error_95)),
            None => "– (all results are the same)".into(),
        };
        let elo = figure(strength.elo.elo, strength.elo.error_95);
        let (los, draws) = (100.0 * strength.los, 100.0 * self.pairing.score.draw_rate());
        let strength =
            message!("Elo {elo} (95 %), nElo {normalised}, LOS {los:.1} %, draws {draws:.1} %");
        let note = match games - 2 * pairs {
            _ if pairs == 0 => "from games, as no pair is complete".into(),
            0 => return strength,
            1 => "1 game of an incomplete pair is ignored".into(),
            alone => message!("{alone} games of incomplete pairs are ignored"),
        };
        Message::list([strength, note])
    }

    fn pairs_text(&self) -> Message {
        let Pentanomial {
            ll,
            ld,
            wl,
            dd,
            wd,
            ww,
        } = self.pairing.pairs;
        message!("pairs LL {ll}, LD {ld}, WL {wl}, DD {dd}, WD {wd}, WW {ww}")
    }

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

#[derive(Clone, Debug, PartialEq)]
pub struct TestLine {
    /// The two bots; the test asks whether the first is stronger.
    pub names: [String; 2],
    pub test: Sprt,
    pub pairs: Pentanomial,
    /// The number of games that were played after the deciding pair.
    pub beyond: u64,
    /// The number of pairs that were ignored because both bots failed in one of their games.
    pub unscored: u64,
    /// The number of pairs that were ignored because they repeat an earlier pair.
    pub repeated: u64,
    /// The number of openings if all further games would repeat earlier ones; else `None`.
    pub exhausted: Option<u64>,
}

impl TestLine {
    pub fn decision(&self) -> Decision {
        self.test.decision(self.llr())
    }

    /// Returns the log-likelihood ratio of the counted pairs, in nats.
    pub fn llr(&self) -> f64 {
        self.test.llr(&self.pairs)
    }

    fn of_pairs(&self) -> MatchLine {
        MatchLine {
            names: self.names.clone(),
            pairing: Pairing {
                score: self.pairs.score(),
                pairs: self.pairs,
                both_failed: 0,
            },
        }
    }

    /// Returns a short text for a progress bar.
    pub fn headline(&self) -> String {
        let bounds = self.test.bounds();
        let mut text = format!(
            "LLR {:.2} ({:.2}, {:.2})",
            self.llr(),
            bounds.lower,
            bounds.upper
        );
        if let Some(Strength { elo, .. }) = self.of_pairs().pairing.strength() {
            text += &format!("  Elo {} ± {:.0}", signed(elo.elo, 0), elo.error_95);
        }
        text
    }

    /// Describes the verdict, then the numbers, in one line each.
    pub fn text(&self) -> Vec<Message> {
        let (test, bounds, line) = (&self.test, self.test.bounds(), self.of_pairs());
        let (llr, lower, upper) = (self.llr(), bounds.lower, bounds.upper);
        let (elo0, elo1, unit) = (test.elo0(), test.elo1(), self.unit());
        let (alpha, beta) = (test.alpha(), test.beta());
        let games = self.pairs.pairs() * 2;
        let mut lines = vec![
            self.words(),
            message!(
                "LLR {llr:.2}; H0 ({elo0} {unit}) is accepted at {lower:.2}, H1 ({elo1} {unit}) at {upper:.2}; \
                 α {alpha}, β {beta}"
            ),
            line.strength_text(),
            Message::list([line.pairs_text(), message!("{games} games count")]),
        ];
        match self.repeated {
            0 => {}
            1 => lines.push("1 pair was ignored: it repeats an earlier pair move by move".into()),
            number => lines.push(message!(
                "{number} pairs were ignored: they repeat earlier pairs move by move"
            )),
        }
        match self.beyond {
            0 => {}
            1 => lines.push(
                "1 game was played after the decision: it is in the tables, not in the test".into(),
            ),
            number => lines.push(message!(
                "{number} games were played after the decision: they are in the tables, not in the test"
            )),
        }
        match self.unscored {
            0 => {}
            1 => lines.push("1 pair was ignored: both bots failed in one of its games".into()),
            number => lines.push(message!(
                "{number} pairs were ignored: both bots failed in one of their games"
            )),
        }
        if let Some(openings) = self.exhausted {
            lines.push(message!(
                "stopped: from each of the {openings} openings these bots only repeat their games. \
                 Give the test more openings: make a file with arena openings, then use --openings \
                 FILE"
            ));
        }
        lines
    }

    fn unit(&self) -> &'static str {
        match self.test.model() {
            Model::Logistic => "Elo",
            Model::Normalised => "nElo",
        }
    }

    fn words(&self) -> Message {
        let [one, two] = &self.names;
        let (elo0, elo1, unit) = (self.test.elo0(), self.test.elo1(), self.unit());
        let (accepted, is) = match self.decision() {
            Decision::Undecided => {
                return message!(
                    "undecided: these games do not show whether {one} is stronger than {two}"
                );
            }
            Decision::AcceptH1 if elo0 < 0.0 => (
                "H1",
                message!("not weaker than {two} by {} {unit} or more", -elo0),
            ),
            Decision::AcceptH1 if elo0 == 0.0 => ("H1", message!("stronger than {two}")),
            Decision::AcceptH1 => (
                "H1",
                message!("stronger than {two} by more than {elo0} {unit}"),
            ),
            Decision::AcceptH0 if elo1 < 0.0 => (
                "H0",
                message!("weaker than {two} by more than {} {unit}", -elo1),
            ),
            Decision::AcceptH0 if elo1 == 0.0 => ("H0", message!("not stronger than {two}")),
            Decision::AcceptH0 => (
                "H0",
                message!("not stronger than {two} by {elo1} {unit} or more"),
            ),
        };
        message!("{accepted} is accepted: {one} is {is}")
    }

    pub fn json(&self) -> Value {
        let (test, bounds) = (&self.test, self.test.bounds());
        json!({
            "verdict": match self.decision() {
                Decision::AcceptH0 => "H0",
                Decision::AcceptH1 => "H1",
                Decision::Undecided => "undecided",
            },
            "words": self.words().to_string(),
            "llr": self.llr(),
            "bounds": [bounds.lower, bounds.upper],
            "elo0": test.elo0(),
            "elo1": test.elo1(),
            "alpha": test.alpha(),
            "beta": test.beta(),
            "model": match test.model() {
                Model::Logistic => "logistic",
                Model::Normalised => "normalised",
            },
            "match": self.of_pairs().json(),
            "games_beyond": self.beyond,
            "pairs_unscored": self.unscored,
            "pairs_repeated": self.repeated,
            "exhausted": self.exhausted.is_some(),
        })
    }
}

#[cfg(test)]
mod tests {
    use cases::cases;

    use super::*;

    fn text(pairs: [u64; 6]) -> Message {
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
    fn too_few_results_have_no_figures() {
        insta::assert_snapshot!(text([0, 0, 0, 0, 0, 1]), @"no Elo, nElo or LOS from 1 pair: at least 6 are needed");
        insta::assert_snapshot!(text([0, 0, 0, 0, 1, 1]), @"no Elo, nElo or LOS from 2 pairs: at least 6 are needed");
        insta::assert_snapshot!(text([0; 6]), @"no Elo, nElo or LOS from 0 games: at least 6 are needed");
        insta::assert_snapshot!(text([0, 0, 0, 0, 0, 10]), @"Elo +653.4 ± 417.8 (95 %), nElo – (all results are the same), LOS 99.9 %, draws 0.0 %");
    }

    fn line(elo: [f64; 2], pairs: [u64; 6]) -> TestLine {
        let test = Sprt::new(elo[0], elo[1], 0.05, 0.05, Model::Logistic);
        TestLine {
            names: ["new".to_owned(), "base".to_owned()],
            test: test.expect("in order"),
            pairs: pairs.into(),
            beyond: 0,
            unscored: 0,
            repeated: 0,
            exhausted: None,
        }
    }

    #[test]
    fn verdicts_in_words() {
        type Row = ([f64; 2], [u64; 6], String);
        for (elo, pairs, words) in cases::<Row>("verdicts") {
            assert_eq!(line(elo, pairs).words(), words.as_str());
        }
    }

    /// fastchess computes the same Elo, error and nElo for these pairs.
    #[test]
    fn the_figures_of_a_published_match() {
        let mut line = line([0.0, 10.0], [34, 54, 31, 32, 64, 75]);
        line.beyond = 2;
        line.repeated = 120;
        line.exhausted = Some(120);
        let lines: Vec<String> = line.text().iter().map(Message::to_string).collect();
        insta::assert_snapshot!(lines.join("\n"), @r"
        undecided: these games do not show whether new is stronger than base
        LLR 2.55; H0 (0 Elo) is accepted at -2.94, H1 (10 Elo) at 2.94; α 0.05, β 0.05
        Elo +55.6 ± 27.7 (95 %), nElo +57.9 ± 28.3, LOS 100.0 %, draws 31.4 %
        pairs LL 34, LD 54, WL 31, DD 32, WD 64, WW 75; 580 games count
        120 pairs were ignored: they repeat earlier pairs move by move
        2 games were played after the decision: they are in the tables, not in the test
        stopped: from each of the 120 openings these bots only repeat their games. Give the test more openings: make a file with arena openings, then use --openings FILE
        ");
    }
}
