//! The system calls of a program: seccomp filters for the table [`allowed_calls`](super::allowed_calls).
//!
//! There are three filters. One returns `ENOSYS` for all calls that are not in the table, so that libraries use older
//! calls instead. One returns `EPERM` for a call whose arguments match no form of the table. One makes some calls
//! succeed without effect. All descendants inherit the filters.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use seccompiler::{
    BpfProgram, SeccompAction,
    SeccompCmpArgLen::{self, Dword, Qword},
    SeccompCmpOp::{self, Eq, MaskedEq, Ne},
    SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};

use super::Plan;
use super::allowed_calls::{GROUPS, Only, WITHOUT_EFFECT, When};
use crate::Tier;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Makes the filters. `keeps_signals` means that the kernel does not let the program's signals out of its box.
pub fn filters(plan: &Plan, keeps_signals: bool) -> io::Result<[BpfProgram; 3]> {
    let is_strict = plan.sandbox.tier == Tier::Strict;
    let holds = |when| match when {
        When::Always => true,
        When::Builds => plan.sandbox.builds,
        When::Plays => !plan.sandbox.builds,
        When::Network => plan.sandbox.network,
        When::SignalsKept => keeps_signals || is_strict,
        When::SignalsNotKept => !keeps_signals && !is_strict,
    };
    let mut rules = Rules::new();
    let mut free = Vec::new();
    for group in GROUPS.iter().filter(|group| holds(group.when)) {
        for &call in group.calls {
            let forms = rules.entry(call).or_default();
            for form in group.forms {
                if form.is_empty() {
                    free.push(call);
                }
                forms.extend(conjunctions(form)?);
            }
        }
    }
    let mut ignored = Rules::new();
    for group in WITHOUT_EFFECT.iter().filter(|group| holds(group.when)) {
        for &call in group.calls {
            let forms = ignored.entry(call).or_default();
            for form in group.forms {
                forms.extend(conjunctions(form)?);
            }
        }
    }
    let known = rules.keys().chain(ignored.keys());
    let known: Rules = known.map(|&call| (call, Vec::new())).collect();
    // The library allows any arguments for an empty list of rules, so a call that is always refused is removed.
    rules.retain(|_, forms| !forms.is_empty());
    // This filter must allow `seccomp` (in no group), because the others are entered later. The last filter forbids it.
    free.push(libc::SYS_seccomp);
    rules.extend(free.into_iter().map(|call| (call, Vec::new())));
    let (done, undone) = (SeccompAction::Allow, SeccompAction::Errno(0));
    Ok([
        filter(
            rules,
            SeccompAction::Errno(libc::EPERM as u32),
            done.clone(),
        )?,
        filter(ignored, done.clone(), undone)?,
        filter(known, SeccompAction::Errno(libc::ENOSYS as u32), done)?,
    ])
}

/// Enters the filters. Must be the last step before the process becomes the program.
pub fn enter(filters: &[BpfProgram; 3]) -> io::Result<()> {
    filters
        .iter()
        .try_for_each(|filter| seccompiler::apply_filter(filter).map_err(io::Error::other))
}

/// Returns the rules of one form, one for each choice of values. A call is allowed if any rule matches.
fn conjunctions(form: &[Only]) -> io::Result<Vec<SeccompRule>> {
    let mut rules: Vec<Vec<SeccompCondition>> = vec![Vec::new()];
    for only in form {
        let choices: Vec<SeccompCondition> = match *only {
            Only::OneOf(argument, values) => values
                .iter()
                .map(|&value| condition(argument, Dword, Eq, value))
                .collect::<io::Result<_>>()?,
            Only::Bits(argument, bits) => {
                let others = MaskedEq(u64::from(!(bits as u32)));
                vec![condition(argument, Dword, others, 0)?]
            }
            Only::Null(argument) => vec![condition(argument, Qword, Eq, 0)?],
            Only::NotNull(argument) => vec![condition(argument, Qword, Ne, 0)?],
            Only::Own(argument) => [u64::from(std::process::id()), 0]
                .into_iter()
                .map(|value| condition(argument, Dword, Eq, value))
                .collect::<io::Result<_>>()?,
        };
        let with = |rule: &Vec<SeccompCondition>, choice: &SeccompCondition| {
            rule.iter().chain([choice]).cloned().collect()
        };
        rules = rules
            .iter()
            .flat_map(|rule| choices.iter().map(move |choice| with(rule, choice)))
            .collect();
    }
    let rules = rules.into_iter().filter(|rule| !rule.is_empty());
    rules
        .map(|rule| SeccompRule::new(rule).map_err(io::Error::other))
        .collect()
}

fn condition(
    argument: u8,
    length: SeccompCmpArgLen,
    how: SeccompCmpOp,
    value: u64,
) -> io::Result<SeccompCondition> {
    SeccompCondition::new(argument, length, how, value).map_err(io::Error::other)
}

fn filter(rules: Rules, otherwise: SeccompAction, then: SeccompAction) -> io::Result<BpfProgram> {
    let machine = TargetArch::try_from(std::env::consts::ARCH).map_err(io::Error::other)?;
    let filter = SeccompFilter::new(rules, otherwise, then, machine);
    BpfProgram::try_from(filter.map_err(io::Error::other)?).map_err(io::Error::other)
}

pub fn is_supported() -> bool {
    let known = TargetArch::try_from(std::env::consts::ARCH).is_ok();
    known && Path::new("/proc/sys/kernel/seccomp/actions_avail").exists()
}
