//! The output of `key new` and `credential new` can be pasted into the file, and works over HTTP.

use std::{fs::OpenOptions, process::Stdio};

use reqwest::{Client, RequestBuilder, StatusCode};

use crate::program::{CONFIG, Serving, configured, directory, firmquote, run};

/// Splits an output into the secret and the lines for the configuration.
fn parts(arguments: &[&str]) -> (String, String) {
    let ended = run(firmquote(arguments));
    assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(0), ""));
    let secret = ended.stdout.lines().find_map(|line| line.strip_prefix("    ")).unwrap().to_owned();
    assert_eq!(ended.stdout.matches(&secret).count(), 1, "a secret is shown once");
    let lines = ended.stdout.find("\n[").unwrap();
    (secret, ended.stdout[lines..].to_owned())
}

async fn status(request: RequestBuilder) -> StatusCode {
    request.send().await.unwrap().status()
}

#[tokio::test]
async fn a_new_api_key_and_a_new_password_authenticate() {
    let (key, key_lines) = parts(&["credential", "new", "--client", "new-client"]);
    let arguments = ["credential", "new", "--client", "new-client", "--username", "somebody"];
    let (password, password_lines) = parts(&arguments);
    let directory = directory();
    let config = format!("{CONFIG}{key_lines}{password_lines}");
    let mut serving = Serving::start(configured(&directory, &["serve"], &config));
    let client = Client::builder().no_proxy().build().unwrap();
    let (first, second) =
        (format!("http://{}/rfq/pool?chain_id=1", serving.public), format!("http://{}/rfq/v2/pool/1", serving.public));
    assert_eq!(status(client.get(&second).header("x-api-key", &key)).await, 200);
    assert!(serving.wait_for("/rfq/v2/pool/{chain_id}").contains("client=\"new-client\""));
    assert_eq!(status(client.get(&second).header("x-api-key", &password)).await, 403);
    assert_eq!(status(client.get(&first).basic_auth("somebody", Some(&password))).await, 200);
    assert_eq!(status(client.get(&first).basic_auth("somebody", Some(&key))).await, 403);
    assert_eq!(status(client.get(&first)).await, 401);
}

#[tokio::test]
async fn a_new_operator_may_pause_and_not_resume() {
    let (token, lines) = parts(&["credential", "new-operator", "--name", "on-call", "--roles", "viewer,pauser"]);
    let directory = directory();
    let serving = Serving::start(configured(&directory, &["serve"], &format!("{CONFIG}{lines}")));
    let client = Client::builder().no_proxy().build().unwrap();
    let pool = format!("http://{}/pools/0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359", serving.admin);
    assert_eq!(status(client.post(format!("{pool}/pause")).bearer_auth(&token)).await, 200);
    assert_eq!(status(client.post(format!("{pool}/resume")).bearer_auth(&token)).await, 403);
    let recent = format!("http://{}/signatures/recent", serving.admin);
    assert_eq!(status(client.get(&recent).bearer_auth(&token)).await, 200);
    let ended = run(firmquote(&["credential", "new-operator", "--name", "on-call", "--roles", "king"]));
    assert!(ended.status.code() == Some(2) && ended.stderr.contains("allowed: viewer, pauser, pricer, admin"));
}

#[test]
fn a_new_key_is_accepted_and_its_account_signs() {
    let (key, lines) = parts(&["key", "new"]);
    let printed = run(firmquote(&["key", "new"])).stdout;
    assert!(!printed.contains(&key), "no two keys are the same");
    let config = CONFIG.replace("[[signer]]\nname = \"hot\"\nkey_env = \"FIRMQUOTE_SIGNER_KEY\"\n", &lines);
    let directory = directory();
    let mut command = configured(&directory, &["check"], &config);
    command.env("FIRMQUOTE_SIGNER_KEY", &key);
    let ended = run(command);
    assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(0), ""));
    assert!(!ended.stdout.contains(&key));
}

#[test]
fn check_shows_the_account_of_a_new_key() {
    let printed = run(firmquote(&["key", "new"])).stdout;
    let mut values = printed.lines().filter_map(|line| line.strip_prefix("    "));
    let (key, account) = (values.next().unwrap(), values.next().unwrap());
    let directory = directory();
    let mut command = configured(&directory, &["check"], CONFIG);
    command.env("FIRMQUOTE_SIGNER_KEY", key);
    assert!(run(command).stdout.contains(&format!("signed by    {account} (hot)")));
}

#[test]
fn a_secret_that_nobody_can_read_is_an_error_and_not_in_the_file() {
    let directory = directory();
    let new = ["credential", "new", "--client", "acme"];
    for arguments in [
        &["key", "new"][..],
        &["credential", "new-admin-token"],
        &["credential", "new-operator", "--name", "on-call", "--roles", "admin"],
        &new,
        &[&new[..], &["--file", "credentials.toml"]].concat(),
    ] {
        let (reader, closed) = std::io::pipe().unwrap();
        drop(reader);
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        for output in [Stdio::from(closed), Stdio::from(full)] {
            let mut command = firmquote(arguments);
            command.current_dir(directory.path()).stdout(output);
            let ended = run(command);
            assert_eq!(ended.status.code(), Some(1), "{arguments:?}: {}", ended.stderr);
            assert!(ended.stderr.starts_with("error: cannot show the secret: "), "{}", ended.stderr);
        }
    }
    assert!(!directory.path().join("credentials.toml").exists(), "no hash of a secret that nobody knows");
}

#[test]
fn a_missing_file_has_no_credentials_to_list() {
    let ended = run(firmquote(&["credential", "list", "--file", "nowhere.toml"]));
    assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(1), ""));
    assert!(ended.stderr.starts_with("error: nowhere.toml: cannot be read: "), "{}", ended.stderr);
}
