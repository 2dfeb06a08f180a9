//! The output of `key new` and `credential new` can be pasted into the file, and works over HTTP.

use std::{
    fs::{self, OpenOptions},
    process::Stdio,
};

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
    assert!(ended.status.code() == Some(2) && ended.stderr.contains("allowed: viewer, pauser, pricer, hedger, admin"));
}

#[test]
fn an_operator_has_neither_the_token_nor_the_name_of_the_admin() {
    let hash = "ab".repeat(32);
    let admin = CONFIG.replacen("[server]\n", &format!("[server]\nadmin_token_sha256 = \"{hash}\"\n"), 1);
    for (name, token, key) in [("on-call", &hash, "token_sha256"), ("admin", &"cd".repeat(32), "name")] {
        let operator = format!("[[operator]]\nname = \"{name}\"\ntoken_sha256 = \"{token}\"\nroles = [\"viewer\"]\n");
        let directory = directory();
        let ended = run(configured(&directory, &["check"], &format!("{admin}{operator}")));
        assert_eq!(ended.status.code(), Some(1));
        assert!(ended.stderr.contains(&format!("operator[0].{key} ")), "{}", ended.stderr);
    }
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

/// The API key of the client `acme` in [`CONFIG`].
const KEY_OF_ACME: &str = "test";

#[tokio::test]
async fn the_terms_of_a_client_hold_within_a_second_of_the_files_change() {
    let directory = directory();
    let (key, lines) = parts(&["credential", "new", "--client", "maker"]);
    let path = directory.path().join("credentials.toml");
    fs::write(&path, lines.trim_start()).unwrap();
    let file = path.to_str().unwrap();
    let id = run(firmquote(&["credential", "list", "--file", file])).stdout;
    let id = id.lines().nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    let config = format!("{CONFIG}[auth]\ncredentials_file = \"credentials.toml\"\n");
    let mut serving = Serving::start(configured(&directory, &["serve"], &config));
    let (client, public) = (Client::builder().no_proxy().build().unwrap(), serving.public);
    let quote = async |key: &str, amount: &str| {
        let query = format!("input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount={amount}");
        let url = format!("http://{public}/rfq/v2/quote/1?{query}");
        let answer = client.get(&url).header("x-api-key", key).send().await.unwrap();
        let status = answer.status().as_u16();
        (status, answer.json::<serde_json::Value>().await.unwrap()["reason"].as_str().unwrap_or_default().to_owned())
    };
    const HALF: &str = "500000000000000000";
    const ONE: &str = "1000000000000000000";
    assert_eq!(quote(&key, ONE).await.0, 200);
    let set = |terms: &[&str]| run(firmquote(&[&["credential", "set", &id, "--file", file], terms].concat()));
    for (terms, amount, expected) in [
        (&["max_trade_usd=1500"][..], ONE, "trade_limit"),
        (&["max_trade_usd=", "pairs=[\"ETH-DAI\"]"], HALF, "client_terms"),
        (&["pairs=", "pools=[\"0x655eDCE464CC797526600a462A8154650EEe4B77\"]"], HALF, "client_terms"),
        (&["pools=", "chains=[10]"], HALF, "client_terms"),
        (&["chains=[1, 10]", "max_outstanding_bps=0.01"], ONE, "trade_limit"),
        (&["max_outstanding_bps=", "expires_at=2020-01-01"], HALF, "bad_credentials"),
        (&["expires_at=", "enabled=false"], HALF, "bad_credentials"),
    ] {
        let ended = set(terms);
        assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(0), ""), "{terms:?}");
        serving.wait_for("credentials reloaded");
        assert_eq!(quote(&key, amount).await.1, expected, "{terms:?}");
        assert_eq!(quote(KEY_OF_ACME, ONE).await.0, 200, "others are not concerned");
    }
    assert_eq!(set(&["enabled=", "fee_adjust_bps=-2.5"]).status.code(), Some(0));
    serving.wait_for("credentials reloaded");
    let query = "input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=1000000000000000000";
    let url = format!("http://{public}/rfq/v2/quote/1?{query}");
    let fee = async |key: &str| {
        let quote = client.get(&url).header("x-api-key", key).send().await.unwrap();
        quote.json::<serde_json::Value>().await.unwrap()["fee_in_basis_points"].as_f64().unwrap()
    };
    let (standard, own) = (fee(KEY_OF_ACME).await, fee(&key).await);
    assert_eq!(format!("{:.2}", standard - own), "2.50", "{standard} {own}");
    assert_eq!(set(&["fee_adjust_bps=-100"]).status.code(), Some(0));
    serving.wait_for("credentials reloaded");
    assert_eq!(fee(&key).await, 1.0);
    let checked = run(configured(&directory, &["check"], &config));
    let warned = "credential of maker: fee_adjust_bps -100 is cut on ETH/USDC of ";
    assert!(checked.stdout.contains(warned), "{}", checked.stdout);
    assert_eq!(set(&["fee_adjust_bps=", "max_requests_per_second=1"]).status.code(), Some(0));
    serving.wait_for("credentials reloaded");
    let mut statuses = Vec::new();
    for _ in 0..5 {
        statuses.push(quote(&key, HALF).await.0);
    }
    assert!(statuses.contains(&200) && statuses.contains(&429), "{statuses:?}");
    let before = fs::read_to_string(&path).unwrap();
    for (terms, expected) in [
        (
            &["fee_adjust_bps=1.234"][..],
            "fee_adjust_bps is 1.234, allowed: above -10000 and below 10000 basis points, with",
        ),
        (&["fee_adjust_bps=-10000"], "fee_adjust_bps is -10000, allowed: above -10000 and below 10000 basis points"),
        (&["max_trade_usd=0"], "max_trade_usd is 0, allowed: 0.00000001 to 184467440737.09551615 USD"),
        (&["client=other"], "client is no term, allowed: enabled, expires_at"),
        (&["expires_at=soon"], "expires_at is \"soon\", allowed: a date such as 2026-11-21"),
        (&["enabled"], "\"enabled\" is not a key=value"),
    ] {
        let ended = set(terms);
        assert!(ended.status.code() == Some(1) && ended.stderr.contains(expected), "{}", ended.stderr);
    }
    let unknown = run(firmquote(&["credential", "set", "nobody", "enabled=true", "--file", file]));
    assert!(unknown.stderr.contains("no credential with id nobody"), "{}", unknown.stderr);
    assert_eq!(fs::read_to_string(&path).unwrap(), before);
}
