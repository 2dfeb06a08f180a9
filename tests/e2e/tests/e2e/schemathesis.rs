//! The responses of the service match its own API description, for thousands of requests that schemathesis generates
//! from it: valid and invalid, with each kind of credential and without, within limits and beyond, and signing quotes
//! by following links. Every run has the same seed; IDs and times in the responses differ.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use firmquote_domain::{Address, GoodUntilKind, SigningDomain, parse_address};
use firmquote_e2e::{
    configuration::{self, ExtraConfig, NO_LIMITS},
    demo,
    endpoint::{API_KEY, API_KEY_SHA256, Endpoint},
    evm::CHAIN_ID,
    service::{LEDGER, Service},
};
use tempfile::TempDir;

/// The pool in the examples of the API description, which `trades.py` also names.
const POOL: &str = "0x655eDCE464CC797526600a462A8154650EEe4B77";

/// Username and password of the Basic scheme, and the configured hash.
const LOGIN: &str = "old-partner:bb6dda6a4d9fd28868126051cc422afa4fc2cd1a76e383a3";
const PASSWORD_HASH: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$jzBL5/UzRMBle1B7rJ+KWg$5aSlymzJajPze9bpGEKU3OYbj332SHjWM7U6iS8NB64";

/// More requests than any run sends.
const GENEROUS: &str = "anonymous_per_second = 1000000\nanonymous_burst = 1000000\n\
    failed_logins_per_minute = 1000000\nfailed_logins_burst = 1000000\n";

/// Fewer requests than any run sends.
const TIGHT: &str = "anonymous_per_second = 1\nanonymous_burst = 20\n\
    failed_logins_per_minute = 1\nfailed_logins_burst = 5\n";

/// Starts a server with one pool whose quotes outlive every run.
fn service(limits: &str) -> Service {
    let assets: Vec<_> = (1..).map(Address::repeat_byte).zip(demo::opening(GoodUntilKind::Verified).listings).collect();
    let domain = SigningDomain { name: "Firmquote Test".into(), version: "7".into() };
    let tables = format!(
        "\n[[credential]]\nclient = \"old-partner\"\nusername = \"old-partner\"\npassword_hash = \"{PASSWORD_HASH}\"\n\
         \n[server]\nadmin_token_sha256 = \"{API_KEY_SHA256}\"\n\n[store]\nledger_file = \"{LEDGER}\"\n\n[limits]\n{limits}"
    );
    let more =
        ExtraConfig { pool: format!("acceptance_window_seconds = 600\n{NO_LIMITS}"), tables, ..ExtraConfig::default() };
    let file = configuration::render(&domain, &assets, &[(parse_address(POOL).unwrap(), "verified")], &more);
    // The chain in the examples of the API description.
    Service::start(&file.replace(&format!("id = {CHAIN_ID}"), "id = 1"))
}

/// Returns the directory of the settings, and of the virtual environment created by `scripts/test`.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("schemathesis")
}

/// Runs schemathesis against the API description of `endpoint`; a violation fails the test with its report.
fn run(endpoint: &Endpoint, settings: &str, arguments: &[&str]) {
    let program = folder().join("venv/bin/schemathesis");
    assert!(program.exists(), "schemathesis is not installed, run: scripts/install-schemathesis, or scripts/test");
    let directory = settings_directory(settings);
    let mut command = Command::new(program);
    command.current_dir(directory.path()).env("PYTHONDONTWRITEBYTECODE", "1").env("NO_PROXY", "127.0.0.1");
    command.arg("--config-file").arg(format!("{settings}.toml")).arg("run").args(arguments);
    // Streams never end, so they cannot be tested.
    for stream in ["level_stream_v2", "events_v2", "events"] {
        command.args(["--exclude-operation-id", stream]);
    }
    command.args(["--seed", "3", "--no-color"]).arg(format!("{}/openapi.json", endpoint.base()));
    let output = command.output().unwrap();
    let report = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(output.status.success(), "{report}");
}

/// Copies the settings to a temporary directory, since schemathesis writes files to its working directory.
fn settings_directory(settings: &str) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for file in [format!("{settings}.toml"), format!("{settings}.py")] {
        fs::copy(folder().join(&file), directory.path().join(file)).unwrap();
    }
    directory
}

/// Asserts that quotes were made and signed, so that the run did not only test refusals.
async fn assert_traded(service: &Service) {
    for name in ["firmquote_quotes_total", "firmquote_signatures_total"] {
        assert!(service.metric(name).await > 0.0, "{name}");
    }
}

#[tokio::test]
async fn requests_with_an_api_key_match_the_specification() {
    let service = service(GENEROUS);
    let key = format!("x-api-key:{API_KEY}");
    run(service.public(), "described", &["-H", &key, "--exclude-operation-id", "pool_v1", "-n", "15"]);
    // With this many operations few quotes are followed to a signature; `trades` tests those.
    assert!(service.metric("firmquote_quotes_total").await > 0.0);
}

#[tokio::test]
async fn basic_requests_match_the_specification() {
    let service = service(GENEROUS);
    run(service.public(), "described", &["-a", LOGIN, "--include-path-regex", "^/rfq/[a-z]+$", "-n", "15"]);
    assert_traded(&service).await;
}

#[tokio::test]
async fn anonymous_requests_match_the_specification() {
    let service = service(GENEROUS);
    run(service.public(), "described", &["-n", "15"]);
    assert_traded(&service).await;
}

#[tokio::test]
async fn rate_limited_requests_match_the_specification() {
    let service = service(TIGHT);
    run(service.public(), "described", &["--include-path-regex", "^/rfq/", "--phases", "fuzzing", "-n", "40"]);
    let wrong = ["-H", "x-api-key:wrong", "--include-path-regex", "^/rfq/v2/", "--phases", "fuzzing", "-n", "10"];
    run(service.public(), "described", &wrong);
    for reason in ["anonymous_rate", "failed_login_rate"] {
        let refused = service.metric(&format!("firmquote_rejections_total{{reason=\"{reason}\"}}")).await;
        assert!(refused > 0.0, "{reason}");
    }
}

#[tokio::test]
async fn operator_requests_match_the_specification() {
    let service = service(GENEROUS);
    let token = format!("Authorization:Bearer {API_KEY}");
    run(service.admin(), "described", &["-H", &token, "-n", "15"]);
}

#[tokio::test]
async fn servable_requests_succeed_and_their_quotes_are_signed() {
    let service = service(GENEROUS);
    let key = format!("x-api-key:{API_KEY}");
    run(
        service.public(),
        "trades",
        &["-H", &key, "--exclude-operation-id", "pool_v1", "--mode", "positive", "-n", "15"],
    );
    assert_traded(&service).await;
}
