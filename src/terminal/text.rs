//! Sentences of several screens.

use message::Lang;
use message::number::rounded;
use referee::record::{GameRecord, Outcome, Verdict, harmless};

/// How a game ended, in a line.
pub fn ending(record: &GameRecord, lang: &Lang) -> String {
    let how = lang.word("reason", record.verdict.reason()).to_owned();
    let (key, name, how) = match (record.verdict.outcome(), &record.verdict) {
        (Outcome::Win(side), _) => ("said.won", record.player(side), how),
        (Outcome::NobodyScores, _) => ("said.nobody", "", how),
        (Outcome::Void, Verdict::Void { why }) => ("said.void", "", lang.say(why).into_owned()),
        (Outcome::Draw | Outcome::Void, _) => ("said.drawn", "", how),
    };
    let [black, white] = record.counts;
    let said = lang.with(key, &[("name", name), ("how", &how)]);
    harmless(&format!("{said}, {black}-{white}"))
}

/// A score rounded to a hundredth; bots write up to seventeen digits.
pub fn score(score: f64) -> String {
    format!("{:+}", rounded(score, 2))
}

#[cfg(test)]
mod tests {
    use super::score;

    #[test]
    fn scores_have_two_decimals_at_most() {
        let shown = [1.220_281_782, -21.730_750_717, 56.0, -0.5, -0.001].map(score);
        assert_eq!(shown, ["+1.22", "-21.73", "+56", "-0.5", "+0"]);
    }
}
