//! Which system calls the program may make: those of [`policy`], in the forms that stand there.
//!
//! Three filters do it. The first knows the calls; any other does not exist (`ENOSYS`), so that libraries fall
//! back to what there is, as they do on an older kernel. The second knows the forms; any other is refused
//! (`EPERM`). The third knows what succeeds without being done. Filters are inherited by all that the program starts.

use std::collections::BTreeMap;
use std::io;

use seccompiler::{
    BpfProgram, SeccompAction,
    SeccompCmpArgLen::{self, Dword, Qword},
    SeccompCmpOp::{Eq, MaskedEq},
    SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};

use super::plan::Plan;
use crate::Tier;

mod policy;

use policy::{GROUPS, LOCKS, Only, When};

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// The filters. `keeps_signals`: the kernel keeps the program's signals in its box.
pub fn filters(plan: &Plan, keeps_signals: bool) -> io::Result<[BpfProgram; 3]> {
    let is_strict = plan.sandbox.tier == Tier::Strict;
    let holds = |when| match when {
        When::Always => true,
        When::Builds => plan.sandbox.builds,
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
    let known: Rules = rules.keys().map(|&call| (call, Vec::new())).collect();
    // A call without forms would be allowed in all by an empty list: it is left out.
    rules.retain(|_, forms| !forms.is_empty());
    // The others have to be entered behind the first; it does not know this call.
    free.push(libc::SYS_seccomp);
    rules.extend(free.into_iter().map(|call| (call, Vec::new())));
    let locks = LOCKS
        .iter()
        .map(|(call, form)| Ok((*call, conjunctions(form)?)));
    let (done, undone) = (SeccompAction::Allow, SeccompAction::Errno(0));
    Ok([
        filter(
            rules,
            SeccompAction::Errno(libc::EPERM as u32),
            done.clone(),
        )?,
        filter(locks.collect::<io::Result<_>>()?, done.clone(), undone)?,
        filter(known, SeccompAction::Errno(libc::ENOSYS as u32), done)?,
    ])
}

/// Enters them. To be called last, before the process becomes the program.
pub fn enter(filters: &[BpfProgram; 3]) -> io::Result<()> {
    filters
        .iter()
        .try_for_each(|filter| seccompiler::apply_filter(filter).map_err(io::Error::other))
}

/// The rules of one form: each holds by itself, and one for each choice of values.
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
    how: seccompiler::SeccompCmpOp,
    value: u64,
) -> io::Result<SeccompCondition> {
    SeccompCondition::new(argument, length, how, value).map_err(io::Error::other)
}

/// A filter that does one thing with what these rules match, and another with all else.
fn filter(rules: Rules, otherwise: SeccompAction, then: SeccompAction) -> io::Result<BpfProgram> {
    let machine = TargetArch::try_from(std::env::consts::ARCH).map_err(io::Error::other)?;
    let filter = SeccompFilter::new(rules, otherwise, then, machine);
    BpfProgram::try_from(filter.map_err(io::Error::other)?).map_err(io::Error::other)
}

/// Whether this machine's processor and kernel have such filters.
pub fn are_there() -> bool {
    let known = TargetArch::try_from(std::env::consts::ARCH).is_ok();
    known && std::path::Path::new("/proc/sys/kernel/seccomp/actions_avail").exists()
}
