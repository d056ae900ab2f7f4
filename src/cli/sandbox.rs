//! `arena sandbox`, and the choice of a run's sandbox. The choice is made once, printed, and kept in `run.toml`.

use clap::Args;
use host::{Lack, Look, Open, Outcome, Probed, Tier, open_in};
use referee::problem;

use super::{CliError, print};
use message::{Lang, Message, message, spoken, width::right};
use tournament::{Contestant, Problem, SandboxChoice, TournamentFile, given};

/// Show how well this machine can isolate bots from itself and from each other
///
/// In every tier of --sandbox, starts a program that attempts what a hostile bot could attempt. Shows what succeeded,
/// what else is open, and how to get a better tier. A row says "held" only if the attempt was made on this machine and
/// failed. docs/grading.md has the details.
#[derive(Debug, Args)]
pub struct Sandbox {
    /// Print it as JSON
    #[arg(long)]
    json: bool,
}

struct TierReport {
    tier: Tier,
    /// The results of the probe, or the reason why the tier could not be tried.
    probed: Result<Vec<Probed>, Message>,
    open: Open,
}

impl TierReport {
    fn of(look: &Look, tier: Tier) -> TierReport {
        let (probed, open) = match look.lack(tier) {
            Some(Lack { what, .. }) => (Err(what.clone()), Open::default()),
            None => (
                host::probe(tier).map_err(Message::from),
                open_in(&host::Sandbox::new(tier)),
            ),
        };
        TierReport { tier, probed, open }
    }

    fn outcome(&self, what: &str) -> Outcome {
        let rows = self.probed.iter().flatten();
        let mut rows = rows.filter(|row| row.what == what);
        rows.next().map_or(Outcome::NotTried, |row| row.outcome)
    }
}

impl Sandbox {
    pub fn run(self) -> Result<(), CliError> {
        let look = host::look();
        let found = Tier::ALL.map(|tier| TierReport::of(&look, tier));
        let text = if self.json {
            format!("{:#}\n", json(&look, &found))
        } else {
            text(&look, &found, spoken())
        };
        print(&text)
    }
}

fn text(look: &Look, found: &[TierReport; 2], lang: &Lang) -> String {
    let mut lines = Vec::new();
    for TierReport { tier, probed, open } in found {
        let word = tier.word();
        match (look.lack(*tier), probed) {
            (Some(Lack { what, fix }), _) => {
                lines.push(message!("{word}: not available here: {what}"));
                lines.push(message!("  {fix}"));
            }
            (None, Err(what)) => lines.push(message!("{word}: not tried: {what}")),
            (None, Ok(_)) => lines.push(message!("{word}: available here")),
        }
        for path in &open.readable {
            lines.push(message!("  bots can read {path}"));
        }
        if let Some(path) = &open.closed {
            lines.push(message!(
                "  bots that need {path} run as the arena's user: no other user can read it"
            ));
        }
    }
    lines.push(message!("uses: {}", translated(&look.made_of)));
    match &look.not_counted {
        None => {
            lines.push("memory, processes and CPU time are those of a bot as a whole".into());
        }
        Some(Lack { what, fix }) => {
            lines.push(message!(
                "{what}: limits hold for each process alone, not for a bot's processes together"
            ));
            lines.push(message!("  {fix}"));
        }
    }
    if !look.keeps_signals && look.no_standard.is_none() {
        lines.push(
            "standard: this kernel cannot restrict signals (Linux 6.12 can), so a bot in this \
             tier may send signals only to itself"
                .into(),
        );
    }
    let lines = lines.iter().map(|line| lang.render(line) + "\n");
    let mut text: String = lines.collect();
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
        text += &format!("{strict}  {standard}  {}\n", lang.fixed(what));
    }
    text
}

fn json(look: &Look, found: &[TierReport; 2]) -> serde_json::Value {
    let lack = |lack: Option<&Lack>| {
        lack.map(|Lack { what, fix }| {
            serde_json::json!({ "what": what.to_string(), "fix": fix.to_string() })
        })
    };
    let tier = |found: &TierReport| {
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
            "not_tried_because": found.probed.as_ref().err().map(Message::to_string),
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

#[derive(Debug)]
pub enum Refusal {
    Problem(Problem),
    Machine(Problem),
}

impl From<Refusal> for CliError {
    fn from(refusal: Refusal) -> CliError {
        match refusal {
            Refusal::Problem(problem) | Refusal::Machine(problem) => problem.into(),
        }
    }
}

/// Chooses the bots' sandbox on this machine, writes it into the file, and prints it on standard error. If the file
/// names no tier, the tier is `usual`, and nothing is printed if `usual` is `off`. Fails if the machine lacks the
/// requested tier, or if `usual` is `auto` and the machine has no tier: grading without a sandbox must be requested.
pub fn settle(file: &mut TournamentFile, usual: SandboxChoice) -> Result<(), Refusal> {
    let asked = file.sandbox_choice().map_err(Refusal::Problem)?;
    match asked.unwrap_or(usual) {
        SandboxChoice::Off => {
            if asked.is_some() {
                say!("sandbox: off: bots can do what you can do");
            }
        }
        SandboxChoice::Of(tier) => {
            let look = host::look();
            reached(&look, tier)?;
            say_tier(&look, tier);
        }
        SandboxChoice::Auto => {
            let look = host::look();
            if let Some(tier) = look.best() {
                say_tier(&look, tier);
                file.sandbox = given(Some(tier.word().to_owned()));
            } else if usual == SandboxChoice::Auto {
                reached(&look, Tier::Standard)?;
            } else {
                if let Some(Lack { what, .. }) = look.lack(Tier::Standard) {
                    say!("sandbox: off: bots can do what you can do ({what})");
                }
                file.sandbox = given(Some("off".to_owned()));
            }
        }
    }
    Ok(())
}

pub fn check(file: &TournamentFile) -> Result<(), CliError> {
    settle(&mut file.clone(), SandboxChoice::Off)?;
    Ok(())
}

/// Prints which bots run as the arena's user inside their sandboxes, and the first file that other users cannot read.
pub fn say_shared_users<'a>(contestants: impl Iterator<Item = &'a Contestant>) {
    let bots = contestants.map(|bot| (bot.name.as_str(), &bot.launch));
    if let Some(note) = run::shared_users(bots) {
        say!("{note}");
    }
}

fn reached(look: &Look, tier: Tier) -> Result<(), Refusal> {
    look.lack(tier).map_or(Ok(()), |Lack { what, fix }| {
        let fix = message!("{fix}; or, for bots that you trust, --sandbox off");
        let problem = problem!(
            "this machine does not support a {} sandbox: {what}",
            tier.word()
        );
        Err(Refusal::Machine(problem.help(fix)))
    })
}

fn translated<'a>(parts: impl IntoIterator<Item = &'a String>) -> Vec<Message> {
    parts.into_iter().cloned().map(Message::whole).collect()
}

fn say_tier(look: &Look, tier: Tier) {
    let made_of = look
        .made_of
        .iter()
        .filter(|part| tier == Tier::Strict || *part != "namespaces");
    let mut parts = vec![message!(
        "sandbox: {} ({})",
        tier.word(),
        translated(made_of)
    )];
    if let Some(lack) = look.lack(Tier::Strict).filter(|_| tier == Tier::Standard) {
        parts.push(message!("not strict, because {}", lack.what));
    }
    if let Some(Lack { what, .. }) = &look.not_counted {
        parts.push(message!("{what}: arena sandbox explains this"));
    }
    let Open { readable, closed } = open_in(&host::Sandbox::new(tier));
    let readable: Vec<String> = readable
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    if !readable.is_empty() {
        parts.push(message!("bots can also read: {}", readable));
    }
    if let Some(path) = closed {
        parts.push(message!(
            "bots that need {path} run as the arena's user: no other user can read it"
        ));
    }
    say!("{}", Message::list(parts));
}
