//! The packages alone: types, lints, tests without a service, and installation into an empty project.

use std::{fs, path::Path};

use firmquote_e2e::service::Service;
use serde_json::Value;

use super::{Binding, succeed};
use crate::client::setup::service;

#[test]
fn the_typescript_package_passes_its_checks_and_installs() {
    let npm = |arguments: &[&str]| succeed(Binding::TypeScript.command("npm").args(arguments));
    npm(&["run", "--silent", "lint"]);
    let tests = Binding::TypeScript.folder().join("build/tests/unit");
    let mut node = Binding::TypeScript.interpreter();
    let files = fs::read_dir(&tests).unwrap().map(|entry| entry.unwrap().path());
    let report = succeed(
        node.args(["--test", "--test-reporter=tap"])
            .args(files.filter(|path| path.to_string_lossy().ends_with(".test.js"))),
    );
    assert!(report.contains("# pass 1") && report.contains("# fail 0"), "{report}");
    succeed(Binding::TypeScript.interpreter().arg("tests/package/run.mjs"));
}

#[test]
fn the_python_package_passes_its_checks_and_installs() {
    let module = |arguments: &[&str]| succeed(Binding::Python.interpreter().arg("-m").args(arguments));
    module(&["mypy"]);
    module(&["ruff", "check", "."]);
    module(&["ruff", "format", "--check", "."]);
    let report = module(&["pytest", "-q"]);
    assert!(report.contains(" passed"), "{report}");
    succeed(Binding::Python.interpreter().arg("tests/package/check_wheel.py"));
}

/// The bindings implement this API description, and their own tests check them against it.
#[tokio::test]
async fn the_bindings_follow_the_served_openapi_document() {
    let service: Service = service();
    let served = service.public().text("/openapi.json").await.unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bindings/openapi.json");
    if std::env::var_os("FIRMQUOTE_RECORD_OPENAPI").is_some() {
        fs::write(&file, &served).unwrap();
    }
    // The order of members depends on the features of the build.
    let [followed, served] = [fs::read_to_string(&file).unwrap(), served].map(|text| text.parse::<Value>().unwrap());
    assert!(followed == served, "record it with FIRMQUOTE_RECORD_OPENAPI=1, then `npm run generate`, and follow it");
}
