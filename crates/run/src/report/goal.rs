//! The result so far of a match that ends when it reaches its goal, and a forecast of its length.

use message::number::{about, signed};
use message::{Message, message, spoken};
use stats::{
    Decision, FEWEST_UNITS, Forecast, Model, Pentanomial, Precision, Sample, Sprt, Strength,
};
use tournament::Goal;

use super::head_to_head::Pairing;
use super::results::{ForecastResults, GoalResults, MatchResults, PrecisionResults, TestResults};

#[derive(Clone, Debug, PartialEq)]
pub struct GoalLine {
    /// The goal concerns the strength of the first bot relative to the second.
    pub names: [String; 2],
    pub goal: Goal,
    pub pairs: Pentanomial,
    /// The number of planned games that do not count yet.
    pub left: u64,
    /// The number of games that were played after the last pair that counts.
    pub beyond: u64,
    /// The number of pairs that were ignored because both bots failed in one of the games.
    pub unscored: u64,
    /// The number of pairs that were ignored because they repeat an earlier pair.
    pub repeated: u64,
    /// If all further games would repeat earlier ones: the number of openings.
    pub exhausted: Option<u64>,
}

impl GoalLine {
    /// Returns whether H1 is accepted, or the difference is known with the wanted precision.
    pub fn is_passed(&self) -> bool {
        match &self.goal {
            Goal::Decision(test) => test.decision(test.llr(&self.pairs)) == Decision::AcceptH1,
            Goal::Precision(wish) => wish.is_reached(&self.pairs),
        }
    }

    pub(super) fn pairing(&self) -> Pairing {
        Pairing {
            score: self.pairs.score(),
            pairs: self.pairs,
            both_failed: 0,
            at_every_look: match &self.goal {
                Goal::Decision(_) => None,
                Goal::Precision(wish) => wish.estimate(&self.pairs),
            },
        }
    }

    fn of_pairs(&self) -> MatchResults {
        MatchResults::of(self.names.each_ref().map(String::as_str), &self.pairing())
    }

    /// Returns how many games are still needed; `None` after the end, or with too few results.
    fn forecast(&self) -> Option<ForecastResults> {
        if self.exhausted.is_some() || self.pairs.pairs() < FEWEST_UNITS {
            return None;
        }
        match &self.goal {
            Goal::Decision(test) => {
                let Forecast {
                    games,
                    low,
                    high,
                    accepts_h1,
                } = test.forecast(&self.pairs)?;
                Some(ForecastResults {
                    games,
                    games_80: Some([low, high]),
                    accepts_h1: Some(accepts_h1),
                })
            }
            Goal::Precision(wish) => {
                let games = wish.games_left(&self.pairs)?;
                (games > 0.0).then_some(ForecastResults {
                    games,
                    games_80: None,
                    accepts_h1: None,
                })
            }
        }
    }

    /// Returns the progress, from 0 (the bound for H0, or no games) to 1 (the bound for H1, or the wanted precision).
    pub fn share(&self) -> f64 {
        match &self.goal {
            Goal::Decision(test) => {
                let bounds = test.bounds();
                (test.llr(&self.pairs) - bounds.lower) / (bounds.upper - bounds.lower)
            }
            Goal::Precision(wish) => {
                let (played, left) = (2 * self.pairs.pairs(), wish.games_left(&self.pairs));
                left.map_or(0.0, |left| played as f64 / (played as f64 + left))
            }
        }
    }

    pub fn headline(&self) -> String {
        let mut parts = match &self.goal {
            Goal::Decision(test) => {
                let (bounds, llr) = (test.bounds(), test.llr(&self.pairs));
                let mut parts = vec![format!(
                    "LLR {llr:.2} ({:.2}, {:.2})",
                    bounds.lower, bounds.upper
                )];
                if let Some(Strength { elo, .. }) = self.pairing().strength() {
                    parts.push(format!("Elo {} ± {:.0}", signed(elo.elo, 0), elo.error_95));
                }
                parts
            }
            Goal::Precision(wish) => match wish.estimate(&self.pairs) {
                Some(elo) => vec![format!(
                    "Elo {} ± {:.1} (± {})",
                    signed(elo.elo, 1),
                    elo.error_95,
                    wish.elo()
                )],
                None => vec![format!("Elo – (± {})", wish.elo())],
            },
        };
        if let Some(missing) = self.forecast() {
            let games = about(missing.games);
            parts.push(spoken().render(&match missing.games_80 {
                Some(range) => {
                    let [low, high] = range.map(about);
                    message!("≈ {games} to go ({low}–{high})")
                }
                None => message!("≈ {games} to go"),
            }));
        }
        let [ll, ld, even, wd, ww] = self.pairs.counts();
        parts.push(format!("Ptnml(0-2) {ll} {ld} {even} {wd} {ww}"));
        parts.join("  ")
    }

    /// Returns lines of text: first the result in words, then the numbers.
    pub fn text(&self) -> Vec<Message> {
        let line = self.of_pairs();
        let mut lines = match &self.goal {
            Goal::Decision(test) => {
                let (llr, bounds) = (test.llr(&self.pairs), test.bounds());
                let (lower, upper, unit) = (bounds.lower, bounds.upper, unit(test));
                let (elo0, elo1) = (test.elo0(), test.elo1());
                let (alpha, beta) = (test.alpha(), test.beta());
                let numbers = message!(
                    "LLR {llr:.2}; H0 ({elo0} {unit}) is accepted at {lower:.2}, H1 ({elo1} {unit}) at {upper:.2}; \
                     α {alpha}, β {beta}"
                );
                vec![self.verdict(test), numbers, line.strength_text()]
            }
            Goal::Precision(wish) => {
                let numbers = self.estimate_text(*wish);
                vec![self.knowledge(*wish), numbers, line.score_text()]
            }
        };
        let games = self.pairs.pairs() * 2;
        lines.push(Message::list([
            line.pairs_text(),
            message!("{games} {games|game counts|games count}"),
        ]));
        lines.extend(self.forecast_text());
        lines.extend(self.ignored());
        lines
    }

    /// Describes how many more games the match needs and, if no planned game is left, how to play more.
    pub fn forecast_text(&self) -> Vec<Message> {
        let Some(missing) = self.forecast() else {
            return Vec::new();
        };
        let games = about(missing.games);
        let mut lines = vec![match (&self.goal, missing.games_80) {
            (Goal::Precision(wish), _) => {
                let wanted = wish.elo();
                message!(
                    "± {wanted} Elo takes about {games} more games, if the results stay as they are"
                )
            }
            (Goal::Decision(_), range) => {
                let [low, high] = range.unwrap_or_default().map(about);
                message!("a decision takes about {games} more games (80 %: {low} to {high})")
            }
        }];
        if self.left == 0 {
            // For a test, this number of games is enough in nine of ten cases.
            let most = missing.games_80.map_or(missing.games, |[_, high]| high);
            let more = 2 * (most / 2.0).ceil() as u64;
            let total = more + 2 * (self.pairs.pairs() + self.repeated + self.unscored);
            lines.push(message!("arena resume RUN --max-games {total} plays them"));
        }
        lines
    }

    fn ignored(&self) -> Vec<Message> {
        let mut lines = Vec::new();
        if let number @ 1.. = self.repeated {
            lines.push(message!(
                "{number} {number|pair was|pairs were} ignored: \
                 {number|it repeats an earlier pair|they repeat earlier pairs} move by move"
            ));
        }
        if let number @ 1.. = self.beyond {
            lines.push(message!(
                "{number} {number|game was|games were} played after the end of the match: \
                 {number|it is|they are} in games.csv, and {number|does|do} not count"
            ));
        }
        if let number @ 1.. = self.unscored {
            lines.push(message!(
                "{number} {number|pair was|pairs were} ignored: both bots failed in \
                 {number|one of its games|a game of each of these pairs}"
            ));
        }
        lines.extend(self.exhausted.map(|openings| {
            message!(
                "stopped: from each of the {openings} openings these bots only repeat their games. \
                 Give the test more openings: make a file with arena openings, then use --openings FILE"
            )
        }));
        lines
    }

    fn verdict(&self, test: &Sprt) -> Message {
        let [one, two] = &self.names;
        let (elo0, elo1, unit) = (test.elo0(), test.elo1(), unit(test));
        let (accepted, is) = match test.decision(test.llr(&self.pairs)) {
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

    fn knowledge(&self, wish: Precision) -> Message {
        let ([one, two], wanted) = (&self.names, wish.elo());
        if wish.is_reached(&self.pairs) {
            message!("the difference between {one} and {two} is known to ± {wanted} Elo")
        } else {
            message!("the difference between {one} and {two} is not known to ± {wanted} Elo")
        }
    }

    fn estimate_text(&self, wish: Precision) -> Message {
        match wish.estimate(&self.pairs) {
            Some(found) => {
                let (elo, error) = (signed(found.elo, 1), found.error_95);
                message!("Elo {elo} ± {error:.1} (95 %, valid after every pair)")
            }
            None => "too few games: the difference has no upper or no lower limit yet".into(),
        }
    }

    pub(super) fn test(&self) -> Option<TestResults> {
        let Goal::Decision(test) = &self.goal else {
            return None;
        };
        let (bounds, llr) = (test.bounds(), test.llr(&self.pairs));
        Some(TestResults {
            verdict: match test.decision(llr) {
                Decision::AcceptH0 => "H0",
                Decision::AcceptH1 => "H1",
                Decision::Undecided => "undecided",
            },
            words: self.verdict(test),
            llr,
            bounds: [bounds.lower, bounds.upper],
            elo0: test.elo0(),
            elo1: test.elo1(),
            alpha: test.alpha(),
            beta: test.beta(),
            model: match test.model() {
                Model::Logistic => "logistic",
                Model::Normalised => "normalised",
            },
            goal: self.results(),
        })
    }

    pub(super) fn precision(&self) -> Option<PrecisionResults> {
        let Goal::Precision(wish) = self.goal else {
            return None;
        };
        let found = wish.estimate(&self.pairs);
        Some(PrecisionResults {
            wanted: wish.elo(),
            known: wish.is_reached(&self.pairs),
            words: self.knowledge(wish),
            elo: found.map(|found| found.elo),
            elo_error_95: found.map(|found| found.error_95),
            goal: self.results(),
        })
    }

    fn results(&self) -> GoalResults {
        GoalResults {
            r#match: self.of_pairs(),
            forecast: self.forecast(),
            games_beyond: self.beyond,
            pairs_unscored: self.unscored,
            pairs_repeated: self.repeated,
            exhausted: self.exhausted.is_some(),
        }
    }
}

fn unit(test: &Sprt) -> &'static str {
    match test.model() {
        Model::Logistic => "Elo",
        Model::Normalised => "nElo",
    }
}

/// Describes, before the first game, how many games a match with this goal takes. `draws` is the assumed draw rate.
/// Adds a note if two deterministic bots would repeat games, because there are fewer `openings` than the match needs.
pub fn plan_text(goal: &Goal, draws: f64, openings: u64) -> Vec<Message> {
    let drawn = 100.0 * draws;
    let (needed, text) = match goal {
        Goal::Decision(test) => {
            let middle = f64::midpoint(test.elo0(), test.elo1());
            let (elo0, elo1, unit) = (test.elo0(), test.elo1(), unit(test));
            let needed = [elo0, middle, elo1].map(|elo| test.plan(elo, draws).games);
            let [at0, between, at1] = needed.map(about);
            let text = message!(
                "on average, a decision takes {at0} games at {elo0} {unit}, {between} at {middle} and {at1} at \
                 {elo1}, if {drawn:.0} % of independent games are drawn"
            );
            (needed[1], text)
        }
        Goal::Precision(wish) => {
            let ([needed, once], wanted) = (wish.plan(draws), wish.elo());
            let ratio = needed / once;
            let games = about(needed);
            let text = message!(
                "± {wanted} Elo takes about {games} games if {drawn:.0} % of independent games are drawn: {ratio:.1} \
                 times as many as in a match whose length is fixed before"
            );
            (needed, text)
        }
    };
    let games = 2 * openings;
    let note = (needed > games as f64).then(|| {
        message!(
            "note: bots that always play the same moves have {games} different games from {openings} openings, and \
             only different games count; arena openings makes more, for --openings FILE"
        )
    });
    std::iter::once(text).chain(note).collect()
}

#[cfg(test)]
mod tests {
    use cases::cases;

    use super::*;

    fn line(elo: [f64; 2], pairs: [u64; 6]) -> GoalLine {
        let test = Sprt::new(elo[0], elo[1], 0.05, 0.05, Model::Logistic);
        GoalLine {
            names: ["new".to_owned(), "base".to_owned()],
            goal: Goal::Decision(test.expect("in order")),
            pairs: pairs.into(),
            left: 0,
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
            assert_eq!(line(elo, pairs).text()[0], words.as_str());
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
        2 games were played after the end of the match: they are in games.csv, and do not count
        stopped: from each of the 120 openings these bots only repeat their games. Give the test more openings: make a file with arena openings, then use --openings FILE
        ");
    }

    #[test]
    fn a_match_without_games_left_says_how_many_it_takes() {
        let open = line([0.0, 10.0], [34, 54, 61, 2, 44, 55]);
        let wish = Precision::new(20.0).expect("in range");
        let goal = Goal::Precision(wish);
        let unknown = GoalLine {
            goal,
            ..open.clone()
        };
        let texts = [&open, &unknown].map(|line| {
            let lines: Vec<String> = line.text().iter().map(Message::to_string).collect();
            format!("{}\n{}\n", line.headline(), lines.join("\n"))
        });
        insta::assert_snapshot!(texts.join("\n"), @r"
        LLR 0.79 (-2.94, 2.94)  Elo +22 ± 29  ≈ 4,300 to go (840–10,000)  Ptnml(0-2) 34 54 63 44 55
        undecided: these games do not show whether new is stronger than base
        LLR 0.79; H0 (0 Elo) is accepted at -2.94, H1 (10 Elo) at 2.94; α 0.05, β 0.05
        Elo +22.3 ± 29.1 (95 %), nElo +23.4 ± 30.5, LOS 93.4 %, draws 20.4 %
        pairs LL 34, LD 54, WL 61, DD 2, WD 44, WW 55; 500 games count
        a decision takes about 4,300 more games (80 %: 840 to 10,000)
        arena resume RUN --max-games 10564 plays them

        Elo +22.3 ± 46.0 (± 20)  ≈ 2,100 to go  Ptnml(0-2) 34 54 63 44 55
        the difference between new and base is not known to ± 20 Elo
        Elo +22.3 ± 46.0 (95 %, valid after every pair)
        new against base: 215–102–183 (won, drawn, lost)
        pairs LL 34, LD 54, WL 61, DD 2, WD 44, WW 55; 500 games count
        ± 20 Elo takes about 2,100 more games, if the results stay as they are
        arena resume RUN --max-games 2640 plays them
        ");
    }

    #[test]
    fn a_plan_says_what_it_assumes() {
        let test = line([0.0, 5.0], [0; 6]).goal;
        let wish = Precision::new(5.0).expect("in range");
        let plans = [(test, 20_000), (Goal::Precision(wish), 1000)];
        let texts = plans.map(|(goal, openings)| plan_text(&goal, 0.1, openings));
        let texts: Vec<_> = texts.iter().flatten().map(Message::to_string).collect();
        insta::assert_snapshot!(texts.join("\n"), @r"
        on average, a decision takes 23,000 games at 0 Elo, 38,000 at 2.5 and 23,000 at 5, if 10 % of independent games are drawn
        ± 5 Elo takes about 42,000 games if 10 % of independent games are drawn: 2.5 times as many as in a match whose length is fixed before
        note: bots that always play the same moves have 2000 different games from 1000 openings, and only different games count; arena openings makes more, for --openings FILE
        ");
    }
}
