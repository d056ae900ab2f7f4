//! Who played: the machine of a shard, as it says so in its file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Machines whose calibrations differ by more than this are not the same.
const TOLERATED: f64 = 0.10;

/// One start of a shard.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Session {
    /// SHA-256 of the plan.
    pub plan: String,
    /// The block.
    pub block: u64,
    /// The version of the arena.
    pub arena: String,
    /// The machine's name.
    pub machine: String,
    /// Its processor.
    pub processor: String,
    /// The cores that the shard was given.
    pub cores: usize,
    /// The machine's load when the shard began: tasks that want to run, averaged over a minute.
    pub load: f64,
    /// Nodes per second of a fixed search, on one core.
    pub nodes_per_s: u64,
    /// By what the limits of the bots were multiplied.
    pub time_scale: f64,
    /// When it began by the machine's clock, in ms since 1970 UTC.
    pub started_unix_ms: u64,
}

/// What is to be said of a run on these machines, where clocks decide: one sentence if they differ.
pub fn differences<'a>(sessions: impl IntoIterator<Item = &'a Session>) -> Option<String> {
    // The best of a machine's calibrations: others may have been disturbed.
    let mut machines: BTreeMap<&str, (u64, &str)> = BTreeMap::new();
    let mut scaled = false;
    for session in sessions {
        let speed = session.nodes_per_s;
        let machine = machines.entry(&session.machine);
        let best = machine.or_insert((speed, &session.processor));
        best.0 = best.0.max(speed);
        scaled |= (session.time_scale - 1.0).abs() > f64::EPSILON;
    }
    let slowest = machines.iter().min_by_key(|(_, (speed, _))| *speed)?;
    let fastest = machines.iter().max_by_key(|(_, (speed, _))| *speed)?;
    let more = fastest.1.0 as f64 / slowest.1.0.max(1) as f64 - 1.0;
    if more <= TOLERATED || scaled {
        return None;
    }
    let named = |(name, (speed, processor)): (&&str, &(u64, &str))| {
        format!("{name} ({processor}, {:.2} Mnodes/s)", *speed as f64 / 1e6)
    };
    Some(format!(
        "the machines differ: {} is {:.0} % faster than {}, so the same limit is another strength; plan \
         with --scale-time, or let the bots search fixed nodes",
        named(fastest),
        100.0 * more,
        named(slowest)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(machine: &str, nodes_per_s: u64, time_scale: f64) -> Session {
        Session {
            plan: String::new(),
            block: 0,
            arena: String::new(),
            machine: machine.to_owned(),
            processor: "a processor".to_owned(),
            cores: 1,
            load: 0.0,
            nodes_per_s,
            time_scale,
            started_unix_ms: 0,
        }
    }

    #[test]
    fn machines_differ_from_a_tenth_on_and_a_disturbed_calibration_is_not_another_machine() {
        let alike = [session("a", 1_000_000, 1.0), session("b", 1_090_000, 1.0)];
        assert_eq!(differences(&alike), None);
        let disturbed = [session("a", 1_000_000, 1.0), session("a", 500_000, 1.0)];
        assert_eq!(differences(&disturbed), None);
        let unlike = [session("a", 1_000_000, 1.0), session("b", 1_250_000, 1.0)];
        let said = differences(&unlike).expect("they differ");
        assert!(
            said.contains("b (a processor, 1.25 Mnodes/s) is 25 % faster"),
            "{said}"
        );
        let scaled = [session("a", 1_000_000, 1.25), session("b", 1_250_000, 1.0)];
        assert_eq!(differences(&scaled), None);
        assert_eq!(differences([]), None);
    }
}
