//! Creation code from the committed contract artifacts.
#![expect(clippy::expect_used, reason = "a missing artifact is a failed test")]

use std::{fs, path::PathBuf};

use alloy_sol_types::{SolConstructor, private::Bytes};
use serde_json::Value;

/// Returns the directory of the Solidity package.
pub fn contracts_folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/contracts"))
}

/// Returns the path of a program that `npm ci` installed in the Solidity package's `node_modules`.
///
/// # Panics
/// With the command that installs it, if it is missing.
pub fn installed(path: &str) -> PathBuf {
    let program = contracts_folder().join("node_modules").join(path);
    assert!(program.exists(), "{path} is not installed, run: npm ci --prefix tests/e2e/contracts");
    program
}

/// Returns the data of the transaction that creates `contract` with these constructor arguments.
pub fn creation<C: SolConstructor>(contract: &str, arguments: &C) -> Vec<u8> {
    let path = contracts_folder().join("artifacts").join(format!("{contract}.json"));
    let text = fs::read_to_string(path).expect("the artifact is committed");
    let artifact: Value = serde_json::from_str(&text).expect("an artifact is JSON");
    let code: Bytes = artifact
        .get("bytecode")
        .and_then(Value::as_str)
        .and_then(|hex| hex.parse().ok())
        .expect("creation code in hex");
    [code.as_ref(), &arguments.abi_encode()].concat()
}
