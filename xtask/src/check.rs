//! Checks of the arena's dependencies.

use std::collections::BTreeSet;

use crate::packages::{self, Package};
use crate::target::{self, Target};
use crate::{Result, licences};

/// Checks that all licences are permissive, and that every package builds with our rust-version.
pub fn all() -> Result<()> {
    of(&target::ALL)
}

fn of(targets: &[Target]) -> Result<()> {
    let mut packages = BTreeSet::new();
    for target in targets {
        packages.extend(packages::of(target, true)?);
    }
    licences::are_allowed(&packages)?;
    let (lowest, by) = lowest_rust(&packages)?;
    let others = packages.iter().filter(|package| !package.is_ours()).count();
    println!(
        "{others} packages of others, all under permissive licences; Rust {lowest} is needed by {by}"
    );
    Ok(())
}

/// Returns our rust-version, and the packages that need it. Fails if a package needs a newer version.
fn lowest_rust(packages: &BTreeSet<Package>) -> Result<(String, String)> {
    let version = |package: &Package| {
        package
            .rust_version
            .as_deref()
            .map(numbers)
            .unwrap_or_default()
    };
    let (ours, others): (Vec<_>, Vec<_>) = packages.iter().partition(|package| package.is_ours());
    let promised = ours
        .iter()
        .map(|package| version(package))
        .max()
        .unwrap_or_default();
    let newest = others
        .iter()
        .map(|package| version(package))
        .max()
        .unwrap_or_default();
    let with = others.iter().filter(|package| version(package) == newest);
    let with: Vec<_> = with
        .map(|package| format!("{} {}", package.name, package.version))
        .collect();
    let (with, [major, minor, _]) = (with.join(", "), newest);
    if newest > promised {
        return Err(
            format!("rust-version in Cargo.toml is too low: {with} needs {major}.{minor}").into(),
        );
    }
    let [major, minor, _] = promised;
    Ok((
        format!("{major}.{minor}"),
        if newest == promised {
            with
        } else {
            "our own packages".to_owned()
        },
    ))
}

fn numbers(version: &str) -> [u32; 3] {
    let mut numbers = version.split('.').map(|number| number.parse().unwrap_or(0));
    std::array::from_fn(|_| numbers.next().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks only this system, whose packages were downloaded for the build.
    #[test]
    fn licences_are_permissive_and_our_rust_version_is_enough() {
        let here = target::ALL
            .iter()
            .find(|target| target.name.split('-').next() == Some(std::env::consts::OS));
        of(std::slice::from_ref(here.expect("a system with releases")))
            .expect("the rules of dependencies are kept");
    }

    #[test]
    fn versions_are_numbers() {
        assert!(numbers("1.9") < numbers("1.89.0"));
        assert_eq!(numbers("1.89"), numbers("1.89.0"));
    }
}
