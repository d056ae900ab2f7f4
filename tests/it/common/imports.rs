//! Who imports whom, read from the source: the modules of a package, what each file defines, and
//! which other file each path in it leads to, through `use`, `super`, `self` and re-exports.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::{Item, ItemMod, Meta, UseTree, Visibility};

/// The name of a module from the root of its package: `["bot", "process"]`; empty for the root.
type ModulePath = Vec<String>;

/// What one file, which is one module, holds.
#[derive(Default)]
struct Module {
    file: PathBuf,
    /// Names it defines.
    defined: BTreeSet<String>,
    /// Names it has from elsewhere, with the whole path of each.
    imported: BTreeMap<String, Vec<String>>,
    /// Modules all of whose names it has.
    globs: Vec<Vec<String>>,
    /// Paths in its code, and in its private `use`.
    paths: BTreeSet<Vec<String>>,
}

/// The modules of one package, tests left out.
pub struct Package {
    modules: BTreeMap<ModulePath, Module>,
}

impl Package {
    /// The package whose root module is this file.
    pub fn read(root: &Path) -> Package {
        let mut package = Package {
            modules: BTreeMap::new(),
        };
        let folder = root.parent().expect("a file has a folder");
        package.add(root, folder, &[]);
        package
    }

    /// Reads a file whose child modules lie in `folder`.
    fn add(&mut self, file: &Path, folder: &Path, path: &[String]) {
        let text =
            fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let syntax =
            syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let mut module = Module {
            file: file.to_owned(),
            ..Module::default()
        };
        let mut reader = Reader {
            at: path.to_vec(),
            module: &mut module,
        };
        reader.visit_file(&syntax);
        self.modules.insert(path.to_vec(), module);
        for item in &syntax.items {
            let Item::Mod(child) = item else { continue };
            if child.content.is_some() || is_for_tests(&child.attrs) {
                continue;
            }
            let name = child.ident.unraw().to_string();
            let (file, below) = if let Some(named) = attribute(child, "path") {
                let file = file.parent().expect("a folder").join(named);
                let below = file.parent().expect("a folder").to_owned();
                (file, below)
            } else {
                let flat = folder.join(format!("{name}.rs"));
                let deep = folder.join(&name).join("mod.rs");
                let file = if flat.is_file() { flat } else { deep };
                (file, folder.join(&name))
            };
            let path: ModulePath = path.iter().cloned().chain([name]).collect();
            // Where two systems have a module of the same name, each is looked at on its own.
            if !self.modules.contains_key(&path) {
                self.add(&file, &below, &path);
            }
        }
    }

    /// Which parts, the folders and files beside the root, and which other packages each part uses.
    pub fn parts(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut parts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (at, module) in &self.modules {
            let Some(part) = at.first() else { continue };
            let used = parts.entry(part.clone()).or_default();
            for path in &module.paths {
                let path = self.expanded(at, path);
                let first = match path.as_slice() {
                    [root, part, ..] if root == "crate" => Some(part),
                    [package, _, ..] => Some(package),
                    // A variable, or a name of the prelude.
                    _ => None,
                };
                used.extend(first.filter(|first| *first != part).cloned());
            }
        }
        parts
    }

    /// For every file the other files of the package whose names it uses. A re-export is a sign on a
    /// door: who goes through it uses what stands behind.
    pub fn files(&self) -> BTreeMap<PathBuf, BTreeSet<PathBuf>> {
        let mut files: BTreeMap<PathBuf, BTreeSet<PathBuf>> = BTreeMap::new();
        for (at, module) in &self.modules {
            let used = files.entry(module.file.clone()).or_default();
            for path in &module.paths {
                let target = self.target(&self.expanded(at, path), 0);
                used.extend(target.filter(|target| *target != module.file));
            }
        }
        files
    }

    /// The path with its first word resolved by what the module imports, as often as it can be.
    fn expanded(&self, at: &[String], path: &[String]) -> Vec<String> {
        let module = &self.modules[at];
        let mut path = path.to_vec();
        for _ in 0..8 {
            match module.imported.get(&path[0]) {
                Some(whole) if *whole != path && whole[0] != path[0] => {
                    path.splice(0..1, whole.iter().cloned());
                }
                _ => break,
            }
        }
        path
    }

    /// The file that defines what a path names; `None`: another package's, or not known.
    fn target(&self, path: &[String], depth: usize) -> Option<PathBuf> {
        let inner = path.strip_prefix(&["crate".to_owned()][..])?;
        let length = (0..=inner.len())
            .rev()
            .find(|&length| self.modules.contains_key(&inner[..length]))?;
        let (at, rest) = inner.split_at(length);
        let module = &self.modules[at];
        let name = rest.first()?;
        if module.defined.contains(name) {
            return Some(module.file.clone());
        }
        if depth > 8 {
            return None;
        }
        if let Some(whole) = module.imported.get(name) {
            return self.target(&self.expanded(at, whole), depth + 1);
        }
        let behind = module.globs.iter().find_map(|glob| {
            let path: Vec<String> = glob.iter().chain(rest).cloned().collect();
            self.target(&self.expanded(at, &path), depth + 1)
        });
        behind.or_else(|| Some(module.file.clone()))
    }
}

/// Groups of files that import each other in a circle.
pub fn circles(files: &BTreeMap<PathBuf, BTreeSet<PathBuf>>) -> Vec<BTreeSet<&Path>> {
    let reach = |from: &Path| {
        let mut seen = BTreeSet::new();
        let mut left = vec![from];
        while let Some(file) = left.pop() {
            for next in files.get(file).into_iter().flatten() {
                if seen.insert(next.as_path()) {
                    left.push(next);
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&Path, BTreeSet<&Path>> = files
        .keys()
        .map(|file| (file.as_path(), reach(file)))
        .collect();
    let mut found = Vec::new();
    for (file, seen) in reached.iter().filter(|(file, seen)| seen.contains(*file)) {
        let back = |other: &&&Path| reached.get(**other).is_some_and(|seen| seen.contains(file));
        found.push(
            seen.iter()
                .filter(back)
                .copied()
                .collect::<BTreeSet<&Path>>(),
        );
    }
    found.sort();
    found.dedup();
    found
}

fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && matches!(&attribute.meta, Meta::List(list) if list.tokens.to_string() == "test")
    })
}

fn attribute(item: &ItemMod, name: &str) -> Option<String> {
    item.attrs
        .iter()
        .find_map(|attribute| match &attribute.meta {
            Meta::NameValue(pair) if pair.path.is_ident(name) => match &pair.value {
                syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Str(text),
                    ..
                }) => Some(text.value()),
                _ => None,
            },
            _ => None,
        })
}

struct Reader<'a> {
    at: ModulePath,
    module: &'a mut Module,
}

impl Reader<'_> {
    /// From the root of the package: `crate::…`; other packages keep their names.
    fn absolute(&self, path: &[String]) -> Vec<String> {
        let mut at = self.at.clone();
        let mut rest = path;
        let is_relative = matches!(path.first().map(String::as_str), Some("self" | "super"));
        while let Some((first, others)) = rest.split_first() {
            match first.as_str() {
                "self" => {}
                "super" => drop(at.pop()),
                _ => break,
            }
            rest = others;
        }
        if !is_relative {
            return path.to_vec();
        }
        let root = ["crate".to_owned()].into_iter();
        root.chain(at).chain(rest.iter().cloned()).collect()
    }

    fn import(&mut self, tree: &UseTree, before: &[String], is_private: bool) {
        let with = |name: &syn::Ident| {
            let mut path = before.to_vec();
            path.push(name.to_string());
            path
        };
        match tree {
            UseTree::Path(path) => self.import(&path.tree, &with(&path.ident), is_private),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, before, is_private);
                }
            }
            UseTree::Glob(_) => {
                let whole = self.absolute(before);
                self.module.globs.push(whole);
            }
            UseTree::Name(name) => self.name(&with(&name.ident), is_private, None),
            UseTree::Rename(rename) => {
                self.name(
                    &with(&rename.ident),
                    is_private,
                    Some(rename.rename.to_string()),
                );
            }
        }
    }

    fn name(&mut self, path: &[String], is_private: bool, alias: Option<String>) {
        let mut whole = self.absolute(path);
        // `bot::{self, Launch}`
        if whole.last().is_some_and(|last| last == "self") {
            whole.pop();
        }
        // A child module by its bare name, in the 2018 way.
        let Some(last) = whole.last().cloned() else {
            return;
        };
        if is_private {
            self.module.paths.insert(whole.clone());
        }
        self.module.imported.insert(alias.unwrap_or(last), whole);
    }

    fn define(&mut self, name: &syn::Ident) {
        self.module.defined.insert(name.to_string());
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Mod(child) if child.content.is_none() => {
                let name = child.ident.unraw().to_string();
                let whole = self.absolute(&["self".to_owned(), name.clone()]);
                if !is_for_tests(&child.attrs) {
                    self.module.imported.insert(name, whole);
                }
                return;
            }
            Item::Mod(child) if is_for_tests(&child.attrs) => return,
            Item::Use(item) => {
                let is_private = matches!(item.vis, Visibility::Inherited);
                self.import(&item.tree, &[], is_private);
                return;
            }
            Item::Struct(item) => self.define(&item.ident),
            Item::Enum(item) => self.define(&item.ident),
            Item::Fn(item) => self.define(&item.sig.ident),
            Item::Trait(item) => self.define(&item.ident),
            Item::Type(item) => self.define(&item.ident),
            Item::Const(item) => self.define(&item.ident),
            Item::Static(item) => self.define(&item.ident),
            Item::Macro(item) => {
                if let Some(name) = &item.ident {
                    self.define(name);
                }
            }
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        let whole = self.absolute(&segments);
        self.module.paths.insert(whole);
        visit::visit_path(self, path);
    }
}
