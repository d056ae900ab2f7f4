//! `arena sandbox`.

use clap::Args;
use host::{Lack, Look, Open, Outcome, Probed, Tier};

use super::{CliError, print};
use message::{Lang, spoken, width::right};

/// Show how well this machine can keep bots from itself and from each other
///
/// Starts a program in every tier of --sandbox that tries what a bot could try, and says what it could do, what else
/// is open, and how to get the better tier. Nothing is called held that was not tried on this machine.
/// docs/grading.md says more.
#[derive(Debug, Args)]
pub struct Sandbox {
    /// Print it as JSON
    #[arg(long)]
    json: bool,
}

/// The result of the probe in one tier.
struct Found {
    tier: Tier,
    /// The results of a probe in it, or the reason why it could not be tried.
    probed: Result<Vec<Probed>, String>,
    open: Open,
}

impl Found {
    fn of(look: &Look, tier: Tier) -> Found {
        let (probed, open) = match look.lack(tier) {
            Some(Lack { what, .. }) => (Err(what.clone()), Open::default()),
            None => (
                host::probe(tier).map_err(|error| error.to_string()),
                host::open_in(&host::Sandbox::new(tier)),
            ),
        };
        Found { tier, probed, open }
    }

    fn outcome(&self, what: &str) -> Outcome {
        let rows = self.probed.iter().flatten();
        let mut rows = rows.filter(|row| row.what == what);
        rows.next().map_or(Outcome::NotTried, |row| row.outcome)
    }
}

impl Sandbox {
    /// Runs the command.
    pub fn run(self) -> Result<(), CliError> {
        let look = host::look();
        let found = Tier::ALL.map(|tier| Found::of(&look, tier));
        let text = if self.json {
            format!("{:#}\n", json(&look, &found))
        } else {
            text(&look, &found, spoken())
        };
        print(&text)
    }
}

fn text(look: &Look, found: &[Found; 2], lang: &Lang) -> String {
    let mut text = String::new();
    for Found { tier, probed, open } in found {
        match (look.lack(*tier), probed) {
            (Some(Lack { what, fix }), _) => {
                text += &format!("{tier}: not here: {what}\n  {fix}\n");
            }
            (None, Err(what)) => text += &format!("{tier}: not tried: {what}\n"),
            (None, Ok(_)) => text += &format!("{tier}: can be had here\n"),
        }
        for path in &open.readable {
            text += &format!("  bots can read {}\n", path.display());
        }
        if let Some(path) = &open.closed {
            let path = path.display();
            text +=
                &format!("  bots that need {path} run as the arena's user: no other can read it\n");
        }
    }
    text += &format!("made of: {}\n", look.made_of.join(", "));
    match &look.not_counted {
        None => {
            text += "memory, processes and CPU time are those of a bot as a whole\n";
        }
        Some(Lack { what, fix }) => {
            text += &format!("{what}: limits hold for each process\n  {fix}\n");
        }
    }
    if !look.keeps_signals && look.no_standard.is_none() {
        text += "standard: this kernel cannot keep signals in a box (Linux 6.12 can): a bot there may send \
                 signals to itself alone\n";
    }
    let mut text = lang.say_lines(&text);
    let [held, open, not_tried, title] = ["held", "open", "not-tried", "what a bot could try"]
        .map(|word| lang.word("sandbox", word));
    text += &format!("\n  strict  standard  {title}\n");
    let Some(rows) = found.iter().find_map(|found| found.probed.as_ref().ok()) else {
        return text;
    };
    for Probed { what, .. } in rows {
        let [strict, standard] = found.each_ref().map(|found| match found.outcome(what) {
            Outcome::Held => held,
            Outcome::Open => open,
            Outcome::NotTried => not_tried,
        });
        let (strict, standard) = (right(strict, 8), right(standard, 8));
        text += &format!("{strict}  {standard}  {}\n", lang.say(what));
    }
    text
}

fn json(look: &Look, found: &[Found; 2]) -> serde_json::Value {
    let lack = |lack: Option<&Lack>| {
        lack.map(|Lack { what, fix }| serde_json::json!({ "what": what, "fix": fix }))
    };
    let tier = |found: &Found| {
        let rows = found
            .probed
            .iter()
            .flatten()
            .map(|Probed { what, outcome }| {
                let outcome = match outcome {
                    Outcome::Held => "held",
                    Outcome::Open => "open",
                    Outcome::NotTried => "not-tried",
                };
                serde_json::json!({ "what": what, "outcome": outcome })
            });
        serde_json::json!({
            "tier": found.tier.word(),
            "tried": rows.collect::<Vec<_>>(),
            "not_tried_because": found.probed.as_ref().err(),
            "bots_can_read": found.open.readable,
            "arenas_user_for": found.open.closed,
        })
    };
    serde_json::json!({
        "best": look.best().map(Tier::word),
        "not_strict": lack(look.lack(Tier::Strict)),
        "not_standard": lack(look.lack(Tier::Standard)),
        "made_of": look.made_of,
        "counted": look.counted,
        "not_counted": lack(look.not_counted.as_ref()),
        "keeps_signals": look.keeps_signals,
        "tiers": found.each_ref().map(tier),
    })
}
