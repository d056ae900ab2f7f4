//! `arena sandbox`.

use clap::Args;
use host::{Lack, Look, Tier};

use super::{CliError, print};
use crate::lang::{Lang, spoken, width::right};

/// Show how well this machine can keep bots from itself and from each other
///
/// Tries every tier of --sandbox, and says what each prevents, what it leaves open, and how to get the
/// better one. docs/grading.md says more.
#[derive(Debug, Args)]
pub struct Sandbox {
    /// Print it as JSON
    #[arg(long)]
    json: bool,
}

/// What a bot could try, and who prevents it.
struct Row {
    /// What it could try.
    what: &'static str,
    /// Whether a strict box prevents it.
    strict: Held,
    /// Whether a standard box does.
    standard: Held,
}

/// How far something is prevented.
#[derive(Clone, Copy)]
enum Held {
    Yes,
    /// Only where the box is counted and limited as a whole by cgroups.
    WithCgroups,
    /// Not; what is left open.
    No(&'static str),
}

use Held::{No, WithCgroups, Yes};

const ROWS: [Row; 17] = [
    row(
        "read or change other bots' files, the results, your files",
        Yes,
        Yes,
    ),
    row("change its own files", Yes, Yes),
    row(
        "see the names of other processes",
        Yes,
        No("names and command lines are seen"),
    ),
    row(
        "read the memory or environment of other processes, trace them",
        Yes,
        Yes,
    ),
    row("send signals to the arena or to other bots", Yes, Yes),
    row(
        "change priorities, limits or cores, its own or others'",
        Yes,
        Yes,
    ),
    row("use the network, or sockets of the machine", Yes, Yes),
    row("leave processes running", Yes, Yes),
    row(
        "leave files in /tmp, /dev/shm or its home for its next game",
        Yes,
        Yes,
    ),
    row("compute while its opponent thinks", Yes, Yes),
    row("hide CPU time in children", WithCgroups, WithCgroups),
    row(
        "take memory without end, shared or in many processes",
        WithCgroups,
        WithCgroups,
    ),
    row("start processes without end", Yes, WithCgroups),
    row(
        "fill the disk",
        Yes,
        No("each file is limited, not their number, unless cgroups count memory"),
    ),
    row(
        "fill the disk through a folder that stays (keep_folder; a grade has none)",
        No("each file is limited, not their number"),
        No("each file is limited, not their number"),
    ),
    row(
        "find that files exist whose names it guesses",
        Yes,
        No("it sees that they exist"),
    ),
    row(
        "gain rights: set-user-id programs, namespaces, io_uring, keys, bpf",
        Yes,
        Yes,
    ),
];

const fn row(what: &'static str, strict: Held, standard: Held) -> Row {
    Row {
        what,
        strict,
        standard,
    }
}

impl Sandbox {
    /// Runs the command.
    pub fn run(self) -> Result<(), CliError> {
        let look = host::look();
        let text = if self.json {
            format!("{:#}\n", json(&look))
        } else {
            text(&look, spoken())
        };
        print(&text)
    }
}

fn text(look: &Look, lang: &Lang) -> String {
    let mut text = String::new();
    for tier in Tier::ALL {
        match look.lack(tier) {
            None => text += &format!("{tier}: can be had here\n"),
            Some(Lack { what, fix }) => text += &format!("{tier}: not here: {what}\n  {fix}\n"),
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
    let [held_word, partly, open, title] =
        ["held", "partly", "open", "what a bot could try"].map(|word| lang.word("sandbox", word));
    text += &format!("\n  strict  standard  {title}\n");
    for Row {
        what,
        strict,
        standard,
    } in ROWS
    {
        let cell = |tier, held| match held {
            _ if look.lack(tier).is_some() => "-",
            Yes => held_word,
            WithCgroups if look.not_counted.is_none() => held_word,
            WithCgroups => partly,
            No(_) => open,
        };
        let (one, two) = (cell(Tier::Strict, strict), cell(Tier::Standard, standard));
        let (one, two, what) = (right(one, 8), right(two, 8), lang.say(what));
        text += &format!("{one}  {two}  {what}\n");
        if let No(why) = standard {
            let why = lang.say(why);
            text += &format!("                    standard: {why}\n");
        }
    }
    text
}

fn json(look: &Look) -> serde_json::Value {
    let lack = |lack: Option<&Lack>| {
        lack.map(|Lack { what, fix }| serde_json::json!({ "what": what, "fix": fix }))
    };
    serde_json::json!({
        "best": look.best().map(Tier::word),
        "not_strict": lack(look.lack(Tier::Strict)),
        "not_standard": lack(look.lack(Tier::Standard)),
        "made_of": look.made_of,
        "counted": look.counted,
        "not_counted": lack(look.not_counted.as_ref()),
        "keeps_signals": look.keeps_signals,
    })
}
