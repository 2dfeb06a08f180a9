//! `firmquote ready`, `firmquote pause` and `firmquote resume` with the admin listeners of replicas.

use std::process::Command;

use crate::client::API_KEY;
use crate::program::{CONFIG, Ended, Serving, configured, directory, firmquote, run};

const POOL: &str = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
/// An address where nothing listens.
const NOBODY: &str = "127.0.0.1:1";

/// Returns the token of a new operator and its configuration lines.
pub(crate) fn operator(name: &str, roles: &str) -> (String, String) {
    let shown = run(firmquote(&["credential", "new-operator", "--name", name, "--roles", roles])).stdout;
    let token = shown.lines().find_map(|line| line.strip_prefix("    ")).unwrap().to_owned();
    (token, shown[shown.find("\n[[operator]]").unwrap()..].to_owned())
}

fn with_token(arguments: &[&str], token: &str) -> Ended {
    let mut command: Command = firmquote(arguments);
    command.env("FIRMQUOTE_ADMIN_TOKEN", token);
    run(command)
}

#[test]
fn a_pool_is_paused_by_name_and_reason_and_replicas_that_fail_are_named() {
    let (token, lines) = operator("on-call", "pauser");
    let directory = directory();
    let mut serving = Serving::start(configured(&directory, &["serve"], &format!("{CONFIG}{lines}")));
    let admin = serving.admin.to_string();
    let both = format!("{admin},{NOBODY}");
    let paused = with_token(&["pause", POOL, "--admin", &both, "--reason", "reserves & prices differ"], &token);
    assert_eq!(paused.status.code(), Some(1));
    let answers: Vec<&str> = paused.stdout.lines().collect();
    let answer = format!("{admin}  {POOL} on chain 1 is paused, on this replica only, until its restart");
    assert_eq!((answers.len(), answers[0]), (2, answer.as_str()));
    assert!(answers[1].starts_with(&format!("{NOBODY}  ")) && answers[1].contains("failed: "), "{}", answers[1]);
    assert!(paused.stderr.contains(&format!("1 of 2 replicas failed: {NOBODY}")), "{}", paused.stderr);
    let line = serving.wait_for("pause state changed by the operator");
    assert!(line.contains("reserves & prices differ") && line.contains("on-call"), "{line}");
    let resumed = with_token(&["resume", POOL, "--admin", &admin], &token);
    assert_eq!(resumed.status.code(), Some(1));
    assert!(resumed.stdout.contains("this operator does not have the role admin"), "{}", resumed.stdout);
    let long = "x".repeat(201);
    let refused = with_token(&["pause", POOL, "--admin", &admin, "--reason", &long], &token);
    assert!(refused.stdout.contains("reason: Input should be 1 to 200 characters"), "{}", refused.stdout);
    for ended in [paused, resumed, refused] {
        assert!(!ended.stdout.contains(&token) && !ended.stderr.contains(&token));
    }
}

#[test]
fn the_readiness_of_each_replica_is_shown() {
    let directory = directory();
    let serving = Serving::start(configured(&directory, &["serve"], CONFIG));
    let admin = serving.admin.to_string();
    let ready = run(firmquote(&["ready", "--admin", &admin]));
    assert_eq!((ready.status.code(), ready.stdout), (Some(0), format!("{admin}  ready\n")));
    for other in [NOBODY, serving.public.to_string().as_str(), "localhost"] {
        let failed = run(firmquote(&["ready", "--admin", other]));
        assert_eq!(failed.status.code(), Some(1));
        assert!(failed.stdout.starts_with(&format!("{other}  failed: ")), "{}", failed.stdout);
    }
}

#[test]
fn a_pause_needs_a_token() {
    let ended = run(firmquote(&["pause", POOL, "--admin", NOBODY]));
    assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(1), ""));
    assert_eq!(ended.stderr, "error: no token: use --token-file, or set FIRMQUOTE_ADMIN_TOKEN\n");
}

#[test]
fn events_are_printed_as_lines_by_the_first_replica_that_answers() {
    let (token, lines) = operator("on-call", "viewer,pauser");
    let directory = directory();
    let config = format!("{CONFIG}{lines}").replacen("max_quotes", "ledger_file = \"ledger.jsonl\"\nmax_quotes", 1);
    let serving = Serving::start(configured(&directory, &["serve"], &config));
    let admin = serving.admin.to_string();
    let paused = with_token(&["pause", POOL, "--admin", &admin, "--reason", "drill"], &token);
    assert_eq!(paused.status.code(), Some(0), "{}", paused.stdout);
    let start = format!("{}.0-0.0-0", "0".repeat(32));
    let told = with_token(&["events", "--admin", &format!("{NOBODY},{admin}"), "--after", &start], &token);
    assert_eq!(told.status.code(), Some(0), "{}", told.stderr);
    let line: serde_json::Value = serde_json::from_str(told.stdout.trim_end()).unwrap();
    assert_eq!(
        (&line["event"], &line["operator"], &line["reason"]),
        (&"paused".into(), &"on-call".into(), &"drill".into())
    );
    let filtered = with_token(&["events", "--admin", &admin, "--after", &start, "--kinds", "signed"], &token);
    assert_eq!((filtered.status.code(), filtered.stdout.as_str()), (Some(0), ""));
    let from_now_on = with_token(&["events", "--admin", &admin], &token);
    assert_eq!((from_now_on.status.code(), from_now_on.stdout.as_str()), (Some(0), ""));
    assert!(from_now_on.stderr.starts_with("note: --follow waits"), "{}", from_now_on.stderr);
    let unknown = with_token(&["events", "--admin", &admin, "--kinds", "sold"], &token);
    assert!(unknown.status.code() == Some(1) && unknown.stderr.contains("Invalid input data"), "{}", unknown.stderr);
    let denied = with_token(&["events", "--admin", &admin], "wrong");
    assert!(denied.status.code() == Some(1) && denied.stderr.contains("Access is forbidden"), "{}", denied.stderr);
}

#[test]
fn pools_and_clients_of_all_replicas_are_shown_and_replicas_that_fail_are_named() {
    let (token, lines) = operator("on-call", "viewer");
    let directory = directory();
    let serving = Serving::start(configured(&directory, &["serve"], &format!("{CONFIG}{lines}")));
    let admin = serving.admin.to_string();
    let overview = run(firmquote(&["overview", "--admin", &format!("{admin},{NOBODY}")]));
    let rows: Vec<&str> = overview.stdout.lines().collect();
    assert!(rows[0].starts_with("replica ") && rows[0].contains("value_usd"), "{rows:#?}");
    assert!(rows[1].starts_with(&admin) && rows[1].contains(&format!("1:{POOL} ")), "{rows:#?}");
    assert!(rows[1].contains(" open ") && rows[1].contains(" 1409908.56 "), "{rows:#?}");
    assert!(rows.len() == 2 && overview.stderr.contains(&format!("{NOBODY}: ")), "{rows:#?} {}", overview.stderr);
    assert!(overview.stderr.contains(&format!("1 of 2 replicas failed: {NOBODY}")), "{}", overview.stderr);
    let clients = with_token(&["clients", "--admin", &format!("{NOBODY},{admin}")], &token);
    assert!(clients.stdout.starts_with("client "), "{}", clients.stdout);
    assert!(clients.stderr.contains("note: No tape is recorded"), "{}", clients.stderr);
    assert!(clients.stderr.contains(&format!("1 of 2 replicas failed: {NOBODY}")), "{}", clients.stderr);
    let refused = with_token(&["clients", "--admin", &admin, "--day", "yesterday"], &token);
    assert!(refused.stderr.contains("day: "), "{}", refused.stderr);
    assert_eq!([&overview, &clients, &refused].map(|ended| ended.status.code()), [Some(1); 3]);
}

#[tokio::test]
async fn a_credential_is_revoked_without_a_file_beyond_a_restart_and_restored() {
    let (token, lines) = operator("on-call", "admin");
    let directory = directory();
    let config = format!("{CONFIG}{lines}").replacen(
        "max_quotes",
        "state_dir = \"state\"\nledger_file = \"ledger.jsonl\"\nmax_quotes",
        1,
    );
    std::fs::create_dir(directory.path().join("state")).unwrap();
    let serve = || Serving::start(configured(&directory, &["serve"], &config));
    let status = async |serving: &Serving| {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let url = format!("http://{}/rfq/v2/swaps", serving.public);
        client.get(url).header("x-api-key", API_KEY).send().await.unwrap().status().as_u16()
    };
    let sha256 = CONFIG.split("api_key_sha256 = \"").nth(1).unwrap().split_at(64).0;
    let id = &sha256[..12];
    let act = |serving: &Serving, act: &str, id: &str| {
        let admin = serving.admin.to_string();
        with_token(&["credential", act, "--id", id, "--admin", &admin, "--reason", "lost laptop"], &token)
    };
    let serving = serve();
    assert_eq!(status(&serving).await, 200);
    let revoked = act(&serving, "revoke", id);
    assert_eq!(revoked.stdout, format!("{}  {id} is revoked\n", serving.admin), "{}", revoked.stderr);
    assert_eq!(status(&serving).await, 403);
    let credential = format!("[[credential]]\nclient = \"test\"\napi_key_sha256 = \"{sha256}\"\n");
    std::fs::write(directory.path().join("copy.toml"), credential).unwrap();
    let list = ["credential", "list", "--file", "copy.toml", "--admin", &serving.admin.to_string()];
    let mut list = firmquote(&list);
    list.current_dir(directory.path());
    assert!(run(list).stdout.lines().nth(1).is_some_and(|row| row.contains("revoked")), "the store revokes it");
    let scheme = format!("http://{}", serving.admin);
    let refused = with_token(&["credential", "revoke", "--id", id, "--admin", &scheme], &token);
    assert!(refused.stdout.contains("allowed: host:port, without a scheme"), "{}", refused.stdout);
    let unknown = act(&serving, "revoke", "000000000000");
    assert!(unknown.status.code() == Some(1) && unknown.stdout.contains("credential_id"), "{}", unknown.stdout);
    serving.signal("TERM");
    assert!(serving.ended().status.success());
    let serving = serve();
    assert_eq!(status(&serving).await, 403, "after a restart");
    assert_eq!(act(&serving, "restore", id).status.code(), Some(0));
    assert_eq!(status(&serving).await, 200);
    let entries = std::fs::read_to_string(directory.path().join("operator.jsonl")).unwrap();
    let told = |revoked: bool| format!("\"key\":\"{id}.revoked\",\"old\":\"{}\",\"new\":\"{revoked}\"", !revoked);
    for (entry, revoked) in entries.lines().zip([true, false]) {
        assert!(entry.contains(&told(revoked)) && entry.contains("\"on-call\""), "{entry}");
        assert!(entry.contains("\"reason\":\"lost laptop\""), "{entry}");
    }
    let both = run(firmquote(&["credential", "revoke", "--id", id, "--admin", NOBODY, "--file", "x"]));
    assert_eq!(both.status.code(), Some(2));
}
