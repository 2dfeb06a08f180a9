//! The committed artifacts match the compiled Solidity sources.

use std::process::Command;

use firmquote_e2e::artifact::{contracts_folder, installed};

#[test]
fn the_artifacts_match_their_sources() {
    installed("solc");
    let check = Command::new("node").args(["compile.mjs", "--check"]).current_dir(contracts_folder()).output();
    let check = check.expect("node is installed");
    let (stdout, stderr) = (String::from_utf8_lossy(&check.stdout), String::from_utf8_lossy(&check.stderr));
    assert!(check.status.success(), "run npm run build in tests/e2e/contracts and commit the result: {stdout}{stderr}");
}
