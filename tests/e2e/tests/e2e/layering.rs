//! Dependencies between the crates, and on external crates, follow the architecture.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic anywhere")]

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use cargo_metadata::{Dependency, DependencyKind, Metadata, MetadataCommand, Package};

/// The crates that can be embedded alone. Each depends on the domain crate and, if it makes outbound calls, the
/// outbound crate.
const LEVEL_1: [&str; 6] = [
    "firmquote-pricing",
    "firmquote-signer",
    "firmquote-calldata",
    "firmquote-store",
    "firmquote-market",
    "firmquote-api",
];

/// The embeddable crates that make outbound calls.
const OUTBOUND: [&str; 2] = ["firmquote-signer", "firmquote-market"];

/// All other crates with their dependencies in this workspace.
const DEPENDENCIES: [(&str, &[&str]); 11] = [
    ("firmquote-domain", &[]),
    ("firmquote-outbound", &[]),
    ("firmquote-client", &["firmquote-api", "firmquote-domain", "firmquote-outbound"]),
    (
        "firmquote-desk",
        &[
            "firmquote-pricing",
            "firmquote-signer",
            "firmquote-calldata",
            "firmquote-store",
            "firmquote-market",
            "firmquote-domain",
        ],
    ),
    (
        "firmquote-verify",
        &["firmquote-api", "firmquote-pricing", "firmquote-signer", "firmquote-calldata", "firmquote-domain"],
    ),
    ("firmquote-tape", &["firmquote-domain"]),
    (
        "firmquote-analysis",
        &[
            "firmquote-calldata",
            "firmquote-desk",
            "firmquote-domain",
            "firmquote-market",
            "firmquote-pricing",
            "firmquote-store",
            "firmquote-tape",
        ],
    ),
    ("firmquote-http", &["firmquote-api", "firmquote-desk", "firmquote-domain"]),
    (
        "firmquote-sandbox",
        &[
            "firmquote-api",
            "firmquote-calldata",
            "firmquote-desk",
            "firmquote-domain",
            "firmquote-http",
            "firmquote-market",
            "firmquote-signer",
            "firmquote-store",
        ],
    ),
    (
        "firmquote-config",
        &[
            "firmquote-desk",
            "firmquote-domain",
            "firmquote-http",
            "firmquote-market",
            "firmquote-outbound",
            "firmquote-sandbox",
            "firmquote-signer",
            "firmquote-store",
        ],
    ),
    (
        "firmquote-server",
        &[
            "firmquote-analysis",
            "firmquote-calldata",
            "firmquote-config",
            "firmquote-desk",
            "firmquote-domain",
            "firmquote-http",
            "firmquote-market",
            "firmquote-outbound",
            "firmquote-sandbox",
            "firmquote-signer",
            "firmquote-store",
            "firmquote-tape",
        ],
    ),
];

/// Packages that any crate may use in its tests; they depend on no crate of this workspace.
const TEST_SUPPORT: [&str; 2] = ["firmquote-test-corpus", "firmquote-test-servers"];

/// The load harness, which compares the service with bare handlers on the same server framework.
const LOAD: &str = "firmquote-load";

/// The test crate that mounts the interface beside its own routes, as a host application does.
const HOST: &str = "firmquote-sandbox";

/// The only crates that may depend on these external crates, by the start of their names; harness and host may also use
/// the server framework.
const RESERVED: [(&str, &str); 5] = [
    ("actix", "firmquote-http"),
    ("secp256k1", "firmquote-signer"),
    ("redis", "firmquote-store"),
    ("fred", "firmquote-store"),
    ("revm", "firmquote-e2e"),
];

fn workspace() -> Metadata {
    MetadataCommand::new()
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml"))
        .no_deps()
        .exec()
        .unwrap()
}

/// Returns the packages under `crates/`.
fn crates(workspace: &Metadata) -> Vec<&Package> {
    let folder = workspace.workspace_root.join("crates");
    workspace.packages.iter().filter(|package| package.manifest_path.starts_with(&folder)).collect()
}

fn package<'a>(workspace: &'a Metadata, name: &str) -> &'a Package {
    workspace.packages.iter().find(|package| *package.name == name).unwrap_or_else(|| panic!("no crate {name}"))
}

fn is_development(dependency: &Dependency) -> bool {
    dependency.kind == DependencyKind::Development
}

/// Returns the build dependencies of a package, internal and external.
fn uses(package: &Package, in_workspace: bool) -> BTreeSet<&str> {
    let built = package.dependencies.iter().filter(|dependency| !is_development(dependency));
    built.filter(|dependency| dependency.path.is_some() == in_workspace).map(|dependency| &*dependency.name).collect()
}

#[test]
fn crate_dependencies_match_the_architecture() {
    let workspace = workspace();
    let level_1 = LEVEL_1.map(|name| match OUTBOUND.contains(&name) {
        true => (name, ["firmquote-domain", "firmquote-outbound"].as_slice()),
        false => (name, ["firmquote-domain"].as_slice()),
    });
    let mut documented = BTreeSet::new();
    for (name, arrows) in DEPENDENCIES.into_iter().chain(level_1) {
        let expected: BTreeSet<&str> = arrows.iter().copied().collect();
        assert_eq!(uses(package(&workspace, name), true), expected, "{name}");
        documented.insert(name);
    }
    let present: BTreeSet<&str> = crates(&workspace).into_iter().map(|package| package.name.as_str()).collect();
    assert_eq!(present, documented, "a new crate requires an entry in the architecture");
}

#[test]
fn the_domain_depends_on_two_crates() {
    let workspace = workspace();
    assert_eq!(uses(package(&workspace, "firmquote-domain"), false), BTreeSet::from(["alloy-primitives", "thiserror"]));
}

#[test]
fn independently_embeddable_crates_are_tested_independently() {
    let workspace = workspace();
    for name in LEVEL_1.into_iter().chain(["firmquote-client", "firmquote-domain", "firmquote-outbound"]) {
        for dependency in package(&workspace, name).dependencies.iter().filter(|dependency| is_development(dependency))
        {
            let is_allowed =
                dependency.path.is_none() || *dependency.name == *name || TEST_SUPPORT.contains(&&*dependency.name);
            assert!(is_allowed, "{name} has the test dependencies {}", dependency.name);
        }
    }
    for name in TEST_SUPPORT {
        let support = package(&workspace, name);
        let used: Vec<_> = support.dependencies.iter().filter(|dependency| dependency.path.is_some()).collect();
        assert!(used.is_empty(), "{name} uses {used:?}");
    }
}

#[test]
fn server_keys_redis_and_chain_libraries_each_belong_to_one_crate() {
    for package in workspace().packages {
        for dependency in &package.dependencies {
            let owners = RESERVED.iter().filter(|(start, _)| dependency.name.starts_with(start));
            for (_, owner) in
                owners.filter(|(start, _)| *start != "actix" || ![LOAD, HOST].contains(&package.name.as_str()))
            {
                assert_eq!(*package.name, *owner, "{} names {}", package.name, dependency.name);
            }
        }
    }
}

/// Uses cargo's feature resolution for the crate built alone, so feature unification with the workspace hides nothing.
#[test]
fn default_features_of_embedded_crates_pull_in_no_server_redis_or_network() {
    const FOREIGN: [&str; 9] =
        ["actix", "redis", "fred", "mio", "socket2", "hyper", "reqwest", "alloy-provider", "alloy-transport"];
    for name in LEVEL_1 {
        let tree = Command::new(env!("CARGO"))
            .args(["tree", "--package", name, "--edges", "normal,build", "--prefix", "none", "--format", "{p}"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .unwrap();
        assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
        let tree = String::from_utf8(tree.stdout).unwrap();
        assert!(tree.contains("firmquote-domain"), "{tree}");
        let foreign = tree.lines().find(|line| FOREIGN.iter().any(|start| line.starts_with(start)));
        assert_eq!(foreign, None, "{name}");
    }
}

#[test]
fn cargo_run_without_a_package_runs_the_service() {
    let workspace = workspace();
    let programs: Vec<_> = workspace
        .workspace_default_packages()
        .into_iter()
        .flat_map(|package| &package.targets)
        .filter(|target| target.is_bin())
        .map(|target| target.name.as_str())
        .collect();
    assert_eq!(programs, ["firmquote"], "the README says `cargo run`");
}

#[test]
fn every_crate_has_a_description() {
    let workspace = workspace();
    for package in &workspace.packages {
        let name = &package.name;
        let folder = package.manifest_path.parent().unwrap();
        assert!(package.description.as_ref().is_some_and(|text| text.len() > 20), "{name} has no description");
        assert_eq!(package.license.as_deref(), Some("MIT OR Apache-2.0"), "{name}");
        assert!(package.rust_version.is_some(), "{name} has no rust-version");
        assert!(!package.authors.is_empty() && !package.keywords.is_empty(), "{name}");
        assert!(!package.categories.is_empty(), "{name}");
        assert_eq!(package.readme.as_ref().map(|path| path.as_str()), Some("README.md"), "{name}");
        let readme = fs::read_to_string(folder.join("README.md")).unwrap();
        assert!(readme.lines().count() > 5, "the README of {name} is empty");
        let manifest = fs::read_to_string(&package.manifest_path).unwrap();
        assert!(manifest.contains("[lints]\nworkspace = true"), "{name} does not take the workspace's lints");
    }
}

/// The only files of the server that read the environment and the wall clock.
const READERS: [&str; 2] = ["crates/server/src/clock.rs", "crates/server/src/environment/variables.rs"];

#[test]
fn environment_and_system_time_are_each_read_in_one_file() {
    const READS: [&str; 6] = ["env::", "SystemTime", "UNIX_EPOCH", "Timestamp::now", "Zoned::now", "Utc::now"];
    let workspace = workspace();
    let mut files = 0;
    let program = package(&workspace, "firmquote");
    for package in crates(&workspace).into_iter().chain([program]) {
        for_each_source(package.manifest_path.parent().unwrap().join("src").as_std_path(), &mut |path, source| {
            files += 1;
            if READERS.iter().any(|reader| path.ends_with(reader)) {
                return;
            }
            let code = source.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
            let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            for line in lines {
                let read = READS.iter().find(|read| line.contains(*read));
                assert_eq!(read, None, "{}: {line}", path.display());
            }
        });
    }
    assert!(files > 50, "{files} files");
}

fn for_each_source(folder: &Path, visit: &mut impl FnMut(&Path, &str)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            for_each_source(&path, visit);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            visit(&path, &fs::read_to_string(&path).unwrap());
        }
    }
}
