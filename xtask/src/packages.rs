//! The packages in a program, from `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;

use serde::Deserialize;

use crate::target::Target;
use crate::{Result, root};

#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
pub struct Package {
    pub name: String,
    pub version: String,
    id: String,
    pub license: Option<String>,
    pub repository: Option<String>,
    pub rust_version: Option<String>,
    manifest_path: PathBuf,
    /// `None` for a package of the workspace.
    source: Option<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<PackageNode>,
}

#[derive(Deserialize)]
struct PackageNode {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<DependencyKind>,
}

#[derive(Deserialize)]
struct DependencyKind {
    /// `None` for a dependency of the running program; else `build` or `dev`.
    kind: Option<String>,
}

impl Package {
    pub fn is_ours(&self) -> bool {
        self.source.is_none()
    }

    pub fn folder(&self) -> PathBuf {
        self.manifest_path
            .parent()
            .map(PathBuf::from)
            .unwrap_or_default()
    }
}

/// Returns the packages in `arena` for this system; with `build`, also those that are only needed to build it.
pub fn of(target: &Target, build: bool) -> Result<BTreeSet<Package>> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([
        "metadata",
        "--locked",
        "--format-version",
        "1",
        "--filter-platform",
        target.triple,
    ]);
    let output = cargo.current_dir(root()).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let all: Metadata = serde_json::from_slice(&output.stdout)?;
    let packages: BTreeMap<&str, &Package> = all
        .packages
        .iter()
        .map(|package| (package.id.as_str(), package))
        .collect();
    let nodes: BTreeMap<&str, &PackageNode> = all
        .resolve
        .nodes
        .iter()
        .map(|node| (node.id.as_str(), node))
        .collect();
    let arena = all
        .packages
        .iter()
        .find(|package| package.name == "arena" && package.is_ours());
    let mut found = BTreeSet::new();
    let mut open = vec![arena.ok_or("there is no package arena")?.id.as_str()];
    while let Some(id) = open.pop() {
        let (Some(package), Some(node)) = (packages.get(id), nodes.get(id)) else {
            continue;
        };
        if !found.insert((*package).clone()) {
            continue;
        }
        let counts = |kind: &DependencyKind| match kind.kind.as_deref() {
            None => true,
            Some("build") => build,
            Some(_) => false,
        };
        let needed = node
            .deps
            .iter()
            .filter(|dependency| dependency.dep_kinds.iter().any(counts));
        open.extend(needed.map(|dependency| dependency.pkg.as_str()));
    }
    Ok(found)
}
