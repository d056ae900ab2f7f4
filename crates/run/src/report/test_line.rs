//! A match under a sequential test as text: the verdict and the pairs.

use serde_json::{Value, json};

use super::{MatchLine, Pairing};
use message::number::signed;
use stats::{Decision, Model, Pentanomial, Sprt, Strength};

/// A match under a sequential test.
#[derive(Clone, Debug, PartialEq)]
pub struct TestLine {
    /// The bots: is the first stronger than the second?
    pub names: [String; 2],
    /// The test.
    pub test: Sprt,
    /// The counted pairs.
    pub pairs: Pentanomial,
    /// Games that were played after the deciding pair.
    pub beyond: u64,
    /// Pairs that were ignored because both bots failed in one of their games.
    pub unscored: u64,
    /// Pairs that were ignored because they repeat an earlier pair.
    pub repeated: u64,
    /// The number of openings, if all further games would repeat earlier ones.
    pub exhausted: Option<u64>,
}

impl TestLine {
    /// The decision of the test.
    pub fn decision(&self) -> Decision {
        self.test.decision(self.llr())
    }

    /// The log-likelihood ratio of the counted pairs.
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

    /// A short text for a progress bar.
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

    /// The verdict as text, then the numbers.
    pub fn text(&self) -> String {
        let (test, bounds, line) = (&self.test, self.test.bounds(), self.of_pairs());
        let model = self.unit();
        let games = self.pairs.pairs() * 2;
        let mut text = format!(
            "{}\nLLR {:.2}; H0 ({} {model}) is accepted at {:.2}, H1 ({} {model}) at {:.2}; \
             α {}, β {}\n{}\n{}; {games} games count\n",
            self.words(),
            self.llr(),
            test.elo0(),
            bounds.lower,
            test.elo1(),
            bounds.upper,
            test.alpha(),
            test.beta(),
            line.strength_text(),
            line.pairs_text(),
        );
        let mut say = |number: u64, one: &str, more: &str| match number {
            0 => {}
            1 => text += &format!("1 {one}\n"),
            _ => text += &format!("{number} {more}\n"),
        };
        say(
            self.repeated,
            "pair was ignored: it repeats an earlier pair move by move",
            "pairs were ignored: they repeat earlier pairs move by move",
        );
        say(
            self.beyond,
            "game was played after the decision: it is in the tables, not in the test",
            "games were played after the decision: they are in the tables, not in the test",
        );
        say(
            self.unscored,
            "pair was ignored: both bots failed in one of its games",
            "pairs were ignored: both bots failed in one of their games",
        );
        if let Some(openings) = self.exhausted {
            text += &format!(
                "stopped: from each of the {openings} openings these bots only repeat their games. \
                 Give the test more openings: make a file with arena openings, then use --openings \
                 FILE\n"
            );
        }
        text
    }

    /// The unit of its hypotheses.
    fn unit(&self) -> &'static str {
        match self.test.model() {
            Model::Logistic => "Elo",
            Model::Normalised => "nElo",
        }
    }

    fn words(&self) -> String {
        let [one, two] = &self.names;
        let (elo0, elo1, unit) = (self.test.elo0(), self.test.elo1(), self.unit());
        let (accepted, is) = match self.decision() {
            Decision::Undecided => {
                let what = "undecided: these games do not show whether";
                return format!("{what} {one} is stronger than {two}");
            }
            Decision::AcceptH1 if elo0 < 0.0 => (
                "H1",
                format!("not weaker than {two} by {} {unit} or more", -elo0),
            ),
            Decision::AcceptH1 if elo0 == 0.0 => ("H1", format!("stronger than {two}")),
            Decision::AcceptH1 => (
                "H1",
                format!("stronger than {two} by more than {elo0} {unit}"),
            ),
            Decision::AcceptH0 if elo1 < 0.0 => (
                "H0",
                format!("weaker than {two} by more than {} {unit}", -elo1),
            ),
            Decision::AcceptH0 if elo1 == 0.0 => ("H0", format!("not stronger than {two}")),
            Decision::AcceptH0 => (
                "H0",
                format!("not stronger than {two} by {elo1} {unit} or more"),
            ),
        };
        format!("{accepted} is accepted: {one} is {is}")
    }

    /// The same for programs.
    pub fn json(&self) -> Value {
        let (test, bounds) = (&self.test, self.test.bounds());
        json!({
            "verdict": match self.decision() {
                Decision::AcceptH0 => "H0",
                Decision::AcceptH1 => "H1",
                Decision::Undecided => "undecided",
            },
            "words": self.words(),
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
    use super::*;
    use cases::cases;

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
            assert_eq!(line(elo, pairs).words(), words);
        }
    }

    /// The Elo, its error and the nElo are fastchess's for these pairs.
    #[test]
    fn the_figures_of_a_published_match() {
        let mut line = line([0.0, 10.0], [34, 54, 31, 32, 64, 75]);
        line.beyond = 2;
        line.repeated = 120;
        line.exhausted = Some(120);
        insta::assert_snapshot!(line.text(), @r"
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
