//! A match of two bots in words: strength, pairs, and what a sequential test says of them.

use serde_json::{Value, json};

use stats::{
    Elo, Model, NormalisedElo, Pentanomial, Sample, Score, Sprt, Verdict, Z_95, los, wilson,
};

/// What two bots did to each other, seen from the first.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchLine {
    /// The bots.
    pub names: [String; 2],
    /// Games, those in which both failed left out.
    pub score: Score,
    /// Whole pairs of games.
    pub pairs: Pentanomial,
}

/// What is said of a match's strength, from its whole pairs where there are any, else from its games:
/// the two games of a pair are not independent, so whole pairs are the better sample, and a game
/// whose partner is missing is left out rather than let the model change with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Logistic Elo.
    pub elo: Elo,
    /// Normalised Elo.
    pub normalised: NormalisedElo,
    /// Likelihood of superiority.
    pub los: f64,
}

impl Strength {
    /// Of a match with these games and these whole pairs of them; `None` of fewer than two games,
    /// which say nothing.
    pub fn of(score: &Score, pairs: &Pentanomial) -> Option<Strength> {
        fn strength<S: Sample<K>, const K: usize>(sample: &S) -> Strength {
            Strength {
                elo: Elo::of(sample),
                normalised: NormalisedElo::of(sample),
                los: los(sample),
            }
        }
        if pairs.pairs() > 0 {
            Some(strength(pairs))
        } else if score.games() > 1 {
            Some(strength(score))
        } else {
            None
        }
    }
}

impl MatchLine {
    fn strength(&self) -> Option<Strength> {
        Strength::of(&self.score, &self.pairs)
    }

    /// Two lines for the terminal.
    pub fn text(&self) -> String {
        let [one, two] = &self.names;
        let score = self.score;
        format!(
            "{one} against {two}: {}–{}–{} (won, drawn, lost)\n{}\n{}\n",
            score.wins,
            score.draws,
            score.losses,
            self.strength_text(),
            self.pairs_text()
        )
    }

    fn strength_text(&self) -> String {
        let Some(strength) = self.strength() else {
            return "no Elo: that takes two games at least".to_owned();
        };
        let mut text = format!(
            "Elo {:+.1} ± {:.1} (95 %), nElo {:+.1} ± {:.1}, LOS {:.1} %, draws {:.1} %",
            strength.elo.elo,
            strength.elo.error_95,
            strength.normalised.elo,
            strength.normalised.error_95,
            100.0 * strength.los,
            100.0 * self.score.draw_rate()
        );
        match self.score.games() - 2 * self.pairs.pairs() {
            _ if self.pairs.pairs() == 0 => text += "; from games, as no pair is whole",
            0 => {}
            1 => text += "; 1 game without its partner is left out",
            alone => text += &format!("; {alone} games without their partners are left out"),
        }
        text
    }

    fn pairs_text(&self) -> String {
        let Pentanomial {
            ll,
            ld,
            wl,
            dd,
            wd,
            ww,
        } = self.pairs;
        format!("pairs LL {ll}, LD {ld}, WL {wl}, DD {dd}, WD {wd}, WW {ww}")
    }

    /// The same for programs.
    pub fn json(&self) -> Value {
        let (strength, score) = (self.strength(), self.score);
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
            "nelo": strength.map(|strength| strength.normalised.elo),
            "nelo_error_95": strength.map(|strength| strength.normalised.error_95),
            "los": strength.map(|strength| strength.los),
            "pairs": <[u64; 6]>::from(self.pairs),
        })
    }
}

/// A match under a sequential test.
#[derive(Clone, Debug, PartialEq)]
pub struct TestLine {
    /// The bots: is the first stronger than the second?
    pub names: [String; 2],
    /// The test.
    pub test: Sprt,
    /// The pairs that count.
    pub pairs: Pentanomial,
    /// Games that were played beyond the pair that decided.
    pub beyond: u64,
    /// Pairs that were passed over since both bots failed in one of their games.
    pub unscored: u64,
    /// Pairs that were passed over since they were played just as earlier ones were.
    pub repeated: u64,
    /// Whether more games would all be such: the number of openings that were played.
    pub exhausted: Option<u64>,
}

impl TestLine {
    /// What the test says.
    pub fn verdict(&self) -> Verdict {
        self.test.verdict(self.llr())
    }

    fn llr(&self) -> f64 {
        self.test.llr(&self.pairs)
    }

    fn of_pairs(&self) -> MatchLine {
        MatchLine {
            names: self.names.clone(),
            score: self.pairs.score(),
            pairs: self.pairs,
        }
    }

    /// A few words for a bar that moves.
    pub fn headline(&self) -> String {
        let bounds = self.test.bounds();
        let mut text = format!(
            "LLR {:.2} ({:.2}, {:.2})",
            self.llr(),
            bounds.lower,
            bounds.upper
        );
        if let Some(Strength { elo, .. }) = self.of_pairs().strength() {
            text += &format!("  Elo {:+.0} ± {:.0}", elo.elo, elo.error_95);
        }
        text
    }

    /// The verdict in words, then the figures.
    pub fn text(&self) -> String {
        let (test, bounds, line) = (&self.test, self.test.bounds(), self.of_pairs());
        let model = match test.model() {
            Model::Logistic => "Elo",
            Model::Normalised => "nElo",
        };
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
        match self.repeated {
            0 => {}
            1 => text += "1 pair says nothing new: it was played just as an earlier one was\n",
            more => {
                text += &format!(
                    "{more} pairs say nothing new: they were played just as earlier ones were\n"
                );
            }
        }
        if let Some(openings) = self.exhausted {
            text += &format!(
                "stopped: from each of the {openings} openings these bots play the same games again; \
                 give the test more of them, as arena openings makes them: --openings FILE\n"
            );
        }
        match self.beyond {
            0 => {}
            1 => text += "1 further game had been played by then: in the tables, not in the test\n",
            more => {
                text += &format!(
                    "{more} further games had been played by then: in the tables, not in the test\n"
                );
            }
        }
        match self.unscored {
            0 => {}
            1 => text += "1 pair says nothing, since both bots failed in one of its games\n",
            more => {
                text += &format!(
                    "{more} pairs say nothing, since both bots failed in one of their games\n"
                );
            }
        }
        text
    }

    fn words(&self) -> String {
        let [one, two] = &self.names;
        let by = |elo: f64| match self.test.model() {
            Model::Logistic => format!("{elo} Elo"),
            Model::Normalised => format!("{elo} nElo"),
        };
        let (elo0, elo1) = (self.test.elo0(), self.test.elo1());
        match self.verdict() {
            Verdict::AcceptH1 if elo0 == 0.0 => {
                format!("H1 is accepted: {one} is stronger than {two}")
            }
            Verdict::AcceptH1 if elo0 > 0.0 => {
                let by = by(elo0);
                format!("H1 is accepted: {one} is stronger than {two} by more than {by}")
            }
            Verdict::AcceptH1 => {
                let by = by(-elo0);
                format!("H1 is accepted: {one} is not weaker than {two} by {by} or more")
            }
            Verdict::AcceptH0 if elo1 == 0.0 => {
                format!("H0 is accepted: {one} is not stronger than {two}")
            }
            Verdict::AcceptH0 if elo1 > 0.0 => {
                let by = by(elo1);
                format!("H0 is accepted: {one} is not stronger than {two} by {by} or more")
            }
            Verdict::AcceptH0 => {
                let by = by(-elo1);
                format!("H0 is accepted: {one} is weaker than {two} by more than {by}")
            }
            Verdict::Undecided => {
                format!("undecided: these games do not tell whether {one} is stronger than {two}")
            }
        }
    }

    /// The same for programs.
    pub fn json(&self) -> Value {
        let (test, bounds) = (&self.test, self.test.bounds());
        json!({
            "verdict": match self.verdict() {
                Verdict::AcceptH0 => "H0",
                Verdict::AcceptH1 => "H1",
                Verdict::Undecided => "undecided",
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
        let (good, bad) = ([0, 0, 0, 0, 20, 900], [900, 20, 0, 0, 0, 0]);
        for (elo, pairs, words) in [
            (
                [0.0, 10.0],
                good,
                "H1 is accepted: new is stronger than base",
            ),
            (
                [5.0, 10.0],
                good,
                "H1 is accepted: new is stronger than base by more than 5 Elo",
            ),
            (
                [-5.0, 0.0],
                good,
                "H1 is accepted: new is not weaker than base by 5 Elo or more",
            ),
            (
                [0.0, 10.0],
                bad,
                "H0 is accepted: new is not stronger than base by 10 Elo or more",
            ),
            (
                [-5.0, 0.0],
                bad,
                "H0 is accepted: new is not stronger than base",
            ),
            (
                [-9.0, -5.0],
                bad,
                "H0 is accepted: new is weaker than base by more than 5 Elo",
            ),
            (
                [0.0, 5.0],
                [1; 6],
                "undecided: these games do not tell whether new is stronger than base",
            ),
        ] {
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
        undecided: these games do not tell whether new is stronger than base
        LLR 2.55; H0 (0 Elo) is accepted at -2.94, H1 (10 Elo) at 2.94; α 0.05, β 0.05
        Elo +55.6 ± 27.7 (95 %), nElo +57.9 ± 28.3, LOS 100.0 %, draws 31.4 %
        pairs LL 34, LD 54, WL 31, DD 32, WD 64, WW 75; 580 games count
        120 pairs say nothing new: they were played just as earlier ones were
        stopped: from each of the 120 openings these bots play the same games again; give the test more of them, as arena openings makes them: --openings FILE
        2 further games had been played by then: in the tables, not in the test
        ");
    }
}
