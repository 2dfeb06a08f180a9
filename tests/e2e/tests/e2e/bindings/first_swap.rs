//! The programs of `docs/first-swap.md`, unmodified, in a sandbox.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

#[path = "../../../../../crates/verify/examples/first_swap.rs"]
#[expect(dead_code, unreachable_pub, reason = "its main is for the command line")]
mod example;

use std::{fs, process::Command};

use super::{
    Binding,
    sandbox::{API_KEY, sandbox},
    succeed,
};

use serde_json::{Value, json};

const PAGE: &str = include_str!("../../../../../docs/first-swap.md");

/// Returns the first code block of a language.
fn first_code_block(language: &str) -> &'static str {
    let (_, rest) = PAGE.split_once(&format!("```{language}\n")).unwrap();
    rest.split_once("```").unwrap().0
}

#[test]
fn a_first_swap_settles_in_every_language() {
    let service = sandbox();
    let base = service.public().base();
    let mut shell = Command::new("sh");
    shell.args(["-ec", first_code_block("sh")]);
    let file = |binding: Binding, name: &str, language: &str| {
        let mut command = binding.interpreter();
        fs::write(binding.folder().join(name), first_code_block(language)).unwrap();
        command.arg(name);
        command
    };
    let node = file(Binding::TypeScript, "build/first-swap.mjs", "js");
    let python = file(Binding::Python, "venv/first_swap.py", "python");
    for mut program in [shell, node, python] {
        let stdout = succeed(program.env("FIRMQUOTE_URL", base).env("FIRMQUOTE_API_KEY", API_KEY));
        assert!(stdout.contains("settled: 20"), "{stdout}");
    }
}

#[tokio::test]
async fn the_rust_example_builds_an_accepted_transaction() {
    let service = sandbox();
    let base = service.public().base();
    let transaction = example::first_swap(base, API_KEY).await.unwrap();
    let body = json!({"to": transaction.to.to_string(), "data": transaction.data.to_string()});
    let request = reqwest::Client::new().post(format!("{base}/sandbox/transactions")).header("x-api-key", API_KEY);
    let receipt: Value = request.json(&body).send().await.unwrap().json().await.unwrap();
    assert_eq!(receipt["status"], "accepted", "{receipt}");
}
