//! Which box the bots of a run get on this machine: decided once, said in a line, and kept in `run.toml`.

use host::{Lack, Look, Open, Sandbox, Tier, open_in};

use super::CliError;
use run;
use tournament::{Boxes, Contestant, Problem, TournamentFile, given};

/// Why bots are not started.
#[derive(Debug)]
pub enum Refusal {
    /// The file says something that cannot be meant.
    Problem(Problem),
    /// This machine cannot hold the box.
    Machine(Problem),
}

impl From<Refusal> for CliError {
    fn from(refusal: Refusal) -> CliError {
        match refusal {
            Refusal::Problem(problem) | Refusal::Machine(problem) => problem.into(),
        }
    }
}

/// Writes into the file which box its bots get here, `usual` where it says nothing. Where that is not
/// said by being left out, it is said on standard error.
///
/// What is usual must be had where it is a box: a grade without one is for those who say so.
pub fn settle(file: &mut TournamentFile, usual: Boxes) -> Result<(), Refusal> {
    let asked = file.boxes().map_err(Refusal::Problem)?;
    match asked.unwrap_or(usual) {
        Boxes::Off => {
            if asked.is_some() {
                say!("sandbox: off: bots can do what you can do");
            }
        }
        Boxes::Of(tier) => {
            let look = host::look();
            reached(&look, tier)?;
            say!("{}", line(&look, tier));
        }
        Boxes::Auto => {
            let look = host::look();
            if let Some(tier) = look.best() {
                say!("{}", line(&look, tier));
                file.sandbox = given(Some(tier.word().to_owned()));
            } else if usual == Boxes::Auto {
                reached(&look, Tier::Standard)?;
            } else {
                let why = look.lack(Tier::Standard).map_or("", |lack| &lack.what);
                say!("sandbox: off: bots can do what you can do ({why})");
                file.sandbox = given(Some("off".to_owned()));
            }
        }
    }
    Ok(())
}

/// Whether this machine can hold the box that a run began with.
pub fn check(file: &TournamentFile) -> Result<(), CliError> {
    settle(&mut file.clone(), Boxes::Off)?;
    Ok(())
}

/// Names the bots that do not get a user of their own in their sandboxes, with the first file that is in the way.
pub fn say_shared_users<'a>(contestants: impl Iterator<Item = &'a Contestant>) {
    let bots = contestants.map(|bot| (bot.name.as_str(), &bot.launch));
    if let Some(said) = run::shared_users(bots) {
        say!("{said}");
    }
}

fn reached(look: &Look, tier: Tier) -> Result<(), Refusal> {
    look.lack(tier).map_or(Ok(()), |Lack { what, fix }| {
        let what = format!("this machine cannot hold a {tier} sandbox: {what}");
        let fix = format!("{fix}; or, for bots that you trust, --sandbox off");
        Err(Refusal::Machine(Problem::new(what).help(fix)))
    })
}

/// The sentence at the start of a run.
fn line(look: &Look, tier: Tier) -> String {
    let made_of = look
        .made_of
        .iter()
        .filter(|part| tier == Tier::Strict || *part != "namespaces");
    let made_of: Vec<&str> = made_of.map(String::as_str).collect();
    let mut line = format!("sandbox: {tier} ({})", made_of.join(", "));
    if let Some(lack) = look.lack(Tier::Strict).filter(|_| tier == Tier::Standard) {
        line += &format!("; not strict, because {}", lack.what);
    }
    if let Some(Lack { what, .. }) = &look.not_counted {
        line += &format!("; {what}: arena sandbox says what that means");
    }
    let Open { readable, closed } = open_in(&Sandbox::new(tier));
    let readable: Vec<String> = readable
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    if !readable.is_empty() {
        line += &format!("; also open to bots: {}", readable.join(", "));
    }
    if let Some(path) = closed {
        let path = path.display();
        line += &format!("; bots that need {path} run as the arena's user: no other can read it");
    }
    line
}
