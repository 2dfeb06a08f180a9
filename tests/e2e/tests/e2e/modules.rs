//! The modules of each crate form no cycle, and its directories reflect its structure.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic anywhere")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use cargo_metadata::MetadataCommand;
use syn::{
    File, Item, ItemUse, UseTree, Visibility,
    ext::IdentExt as _,
    visit::{self, Visit},
};

/// The path of a module: its own name and those of its parents, outermost first; empty for the crate root.
type Module = Vec<String>;

/// A module: the names it defines, the names it imports, and the paths in its code.
struct Source {
    items: BTreeSet<String>,
    imports: BTreeMap<String, Import>,
    paths: BTreeSet<Vec<String>>,
    lines: usize,
}

/// The path of an import, and whether it is reexported to other modules.
struct Import {
    path: Vec<String>,
    is_public: bool,
}

/// Returns the items of a file except its tests.
#[derive(Default)]
struct Reader {
    imports: BTreeMap<String, Import>,
    paths: BTreeSet<Vec<String>>,
}

impl Visit<'_> for Reader {
    fn visit_item(&mut self, item: &Item) {
        if !is_test(item) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &ItemUse) {
        let is_public = !matches!(item.vis, Visibility::Inherited);
        read_tree(&item.tree, &[], is_public, &mut self.imports);
    }

    fn visit_path(&mut self, path: &syn::Path) {
        self.paths.insert(path.segments.iter().map(|segment| segment.ident.unraw().to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_visibility(&mut self, _: &Visibility) {}
}

fn is_test(item: &Item) -> bool {
    let attributes = match item {
        Item::Mod(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => return false,
    };
    attributes.iter().any(|attribute| {
        let is_cfg = attribute.path().is_ident("cfg");
        is_cfg && attribute.parse_args::<syn::Ident>().is_ok_and(|condition| condition == "test")
    })
}

fn read_tree(tree: &UseTree, before: &[String], is_public: bool, imports: &mut BTreeMap<String, Import>) {
    let joined = |name: &syn::Ident| [before, &[name.unraw().to_string()]].concat();
    let mut add = |name: &syn::Ident, mut path: Vec<String>| {
        if path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let name = if name == "self" { path.last().unwrap().clone() } else { name.unraw().to_string() };
        imports.insert(name, Import { path, is_public });
    };
    match tree {
        UseTree::Path(path) => read_tree(&path.tree, &joined(&path.ident), is_public, imports),
        UseTree::Group(group) => group.items.iter().for_each(|tree| read_tree(tree, before, is_public, imports)),
        UseTree::Name(name) => add(&name.ident, joined(&name.ident)),
        UseTree::Rename(rename) => add(&rename.rename, joined(&rename.ident)),
        UseTree::Glob(_) => drop(imports.insert("*".to_owned(), Import { path: before.to_vec(), is_public })),
    }
}

fn names(file: &File) -> BTreeSet<String> {
    let name = |item: &Item| match item {
        Item::Const(item) => Some(item.ident.clone()),
        Item::Enum(item) => Some(item.ident.clone()),
        Item::Fn(item) => Some(item.sig.ident.clone()),
        Item::Static(item) => Some(item.ident.clone()),
        Item::Struct(item) => Some(item.ident.clone()),
        Item::Trait(item) => Some(item.ident.clone()),
        Item::Type(item) => Some(item.ident.clone()),
        _ => None,
    };
    file.items.iter().filter_map(name).map(|name| name.unraw().to_string()).collect()
}

/// Returns the modules of the crate whose sources are in `folder`.
fn modules(folder: &Path) -> BTreeMap<Module, Source> {
    fn read(folder: &Path, module: &Module, modules: &mut BTreeMap<Module, Source>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let below = [module.as_slice(), std::slice::from_ref(&name)].concat();
            if path.is_dir() {
                read(&path, &below, modules);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let file = syn::parse_file(&text).unwrap();
                let mut reader = Reader::default();
                reader.visit_file(&file);
                let Reader { imports, paths } = reader;
                let source = Source { items: names(&file), imports, paths, lines: text.lines().count() };
                let is_root = ["lib", "main", "mod"].contains(&name.as_str());
                modules.insert(if is_root { module.clone() } else { below }, source);
            }
        }
    }
    let mut modules = BTreeMap::new();
    read(folder, &Module::new(), &mut modules);
    modules
}

/// Resolves a path in `module` from the crate root; `None` for paths into other crates or of local items.
fn absolute(path: &[String], module: &Module, modules: &BTreeMap<Module, Source>) -> Option<Vec<String>> {
    let (first, rest) = path.split_first()?;
    let parent = || module.split_last().map(|(_, parent)| parent.to_vec());
    match first.as_str() {
        "crate" => Some(rest.to_vec()),
        "self" => Some([module, rest].concat()),
        "super" => {
            let outer = rest.iter().take_while(|step| *step == "super").count();
            let base = parent()?;
            Some([&base[..base.len().checked_sub(outer)?], &rest[outer..]].concat())
        }
        _ => {
            let child = [module.as_slice(), std::slice::from_ref(first)].concat();
            modules.contains_key(&child).then(|| [module.as_slice(), path].concat())
        }
    }
}

/// Returns the module that defines the target of `path`, following reexports.
fn definer(path: &[String], modules: &BTreeMap<Module, Source>) -> Option<Module> {
    let module =
        (0..=path.len()).rev().map(|length| path[..length].to_vec()).find(|path| modules.contains_key(path))?;
    let (source, Some(name)) = (&modules[&module], path.get(module.len())) else { return Some(module) };
    match source.imports.get(name).filter(|_| !source.items.contains(name)) {
        Some(import) => definer(&absolute(&import.path, &module, modules)?, modules),
        None => Some(module),
    }
}

/// Returns the modules that each module uses. A reexport does not count as a use.
fn uses(modules: &BTreeMap<Module, Source>) -> BTreeMap<&Module, BTreeSet<Module>> {
    let imports = |(module, source): (&Module, &Source)| {
        let first_segments: BTreeSet<&String> = source.paths.iter().filter_map(|path| path.first()).collect();
        let imported =
            source.imports.iter().filter(|(name, import)| !import.is_public || first_segments.contains(name));
        let imported = imported.map(|(_, import)| &import.path);
        let paths = source.paths.iter().filter(|path| path.len() > 1).chain(imported);
        let used = paths.filter_map(|path| definer(&absolute(path, module, modules)?, modules));
        used.filter(|used| used != module).collect()
    };
    modules.iter().map(|entry| (entry.0, imports(entry))).collect()
}

/// Returns a module that reaches itself, with the modules on the way.
fn cycle(uses: &BTreeMap<&Module, BTreeSet<Module>>) -> Option<Vec<Module>> {
    uses.keys().find_map(|start| {
        let mut came_from: BTreeMap<&Module, &Module> = BTreeMap::new();
        let mut pending = vec![*start];
        while let Some(module) = pending.pop() {
            for next in &uses[module] {
                if next == *start {
                    let mut way = vec![module.clone()];
                    while let Some(before) = came_from.get(way.last().unwrap()).filter(|_| way.last() != Some(*start)) {
                        way.push((*before).clone());
                    }
                    return Some(way);
                }
                if !came_from.contains_key(next) {
                    came_from.insert(next, module);
                    pending.push(next);
                }
            }
        }
        None
    })
}

/// Returns the modules of every crate and program, by its name.
fn sources() -> Vec<(String, BTreeMap<Module, Source>)> {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
    let workspace = MetadataCommand::new().manifest_path(manifest).no_deps().exec().unwrap();
    let root = &workspace.workspace_root;
    let is_ours = |path: &Path| ["crates", "bins"].iter().any(|folder| path.starts_with(root.join(folder)));
    let packages = workspace.packages.iter().filter(|package| is_ours(package.manifest_path.as_std_path()));
    let read = |package: &cargo_metadata::Package| {
        let folder = package.manifest_path.parent().unwrap().join("src");
        (package.name.to_string(), modules(folder.as_std_path()))
    };
    packages.map(read).collect()
}

#[test]
fn modules_of_a_crate_have_no_cycles() {
    for (package, modules) in sources() {
        assert!(modules.len() > 3, "{package} has {} modules", modules.len());
        let cycle = cycle(&uses(&modules));
        assert_eq!(cycle, None, "{package}");
    }
}

#[test]
fn a_crate_has_few_files_beside_its_root() {
    for (package, modules) in sources() {
        let lines: usize = modules.values().map(|source| source.lines).sum();
        let is_file = |module: &&Module| {
            module.len() == 1 && !modules.keys().any(|other| other.starts_with(module) && other != *module)
        };
        let files = modules.keys().filter(is_file).count();
        let max = if lines > 5_000 { 8 } else { 20 };
        assert!(files <= max, "{package}, {lines} lines: {files} files beside the root, {max} at most");
    }
}

#[test]
fn cycles_through_reexports_are_detected() {
    let source = |text: &str| {
        let file = syn::parse_file(text).unwrap();
        let mut reader = Reader::default();
        reader.visit_file(&file);
        Source { items: names(&file), imports: reader.imports, paths: reader.paths, lines: 0 }
    };
    let crate_of = |second: &str| {
        let texts = [
            ("", "mod first; mod folder; pub use folder::Second;"),
            ("first", "pub(crate) struct First(crate::Second); #[cfg(test)] mod tests { use crate::folder; }"),
            ("folder", "mod second; pub(crate) use second::Second;"),
            ("folder::second", second),
        ];
        let module = |path: &str| path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect();
        texts.into_iter().map(|(path, text)| (module(path), source(text))).collect::<BTreeMap<Module, Source>>()
    };
    assert_eq!(cycle(&uses(&crate_of("pub(crate) struct Second;"))), None);
    let cycle = cycle(&uses(&crate_of("use crate::first::First; pub(crate) struct Second(Box<First>);"))).unwrap();
    assert_eq!(cycle.len(), 2, "{cycle:?}");
}
