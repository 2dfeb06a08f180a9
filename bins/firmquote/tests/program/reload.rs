//! What is written while the program serves is in force soon after, whole, or refused with a reason.

use std::{fs, net::TcpListener, os::unix::fs::symlink, path::Path};

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    program::{ACCOUNT, CONFIG, KEY, Serving, configured, directory, firmquote, quote_request, run, set_mode},
    remote_signer::signer,
};

/// Said once what the credentials file holds is in force.
const CREDENTIALS: &str = "credentials reloaded";
/// Said once what is written is in force.
const APPLIED: &str = "configuration reloaded";
/// Said when it is not.
const REFUSED: &str = "configuration rejected: the previous version stays active, retrying";

/// A program that serves what stands in its directory.
struct Bench {
    directory: TempDir,
    serving: Serving,
    client: Client,
}

impl Bench {
    /// The program with this configuration and these other files.
    fn start(config: &str, files: &[(&str, &str)]) -> Self {
        let directory = directory();
        for (name, text) in files {
            fs::write(directory.path().join(name), text).unwrap();
            set_mode(&directory.path().join(name), 0o600);
        }
        let serving = Serving::start(configured(&directory, &["serve"], config));
        Self { directory, serving, client: Client::builder().no_proxy().build().unwrap() }
    }

    /// The program with a credentials file that holds nothing yet.
    fn with_credentials_file() -> Self {
        let config = format!("{CONFIG}\n[auth]\ncredentials_file = \"credentials.toml\"\n");
        Self::start(&config, &[("credentials.toml", "# kept by hand\n")])
    }

    /// Puts a file in place of another, whole.
    fn write(&self, name: &str, text: &str) {
        let (beside, place) = (self.directory.path().join("beside"), self.directory.path().join(name));
        fs::write(&beside, text).unwrap();
        set_mode(&beside, 0o600);
        fs::rename(beside, place).unwrap();
    }

    /// Runs the program's own command in the directory, and returns what it says.
    fn command(&self, arguments: &[&str]) -> String {
        let mut command = firmquote(arguments);
        command.current_dir(self.directory.path());
        let ended = run(command);
        assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(0), ""), "{arguments:?}");
        ended.stdout
    }

    /// Makes an API key in the credentials file.
    fn new_key(&self, client: &str) -> String {
        let output = self.command(&["credential", "new", "--client", client, "--file", "credentials.toml"]);
        output.lines().find_map(|line| line.strip_prefix("    ")).unwrap().to_owned()
    }

    async fn pool_status(&self, key: &str) -> StatusCode {
        let url = format!("http://{}/rfq/v2/pool/1", self.serving.public);
        self.client.get(url).header("x-api-key", key).send().await.unwrap().status()
    }

    async fn quote(&self) -> Result<Value, String> {
        let request = quote_request("10000000000000000");
        self.post("/rfq/quote", &request).await
    }

    async fn sign(&self, quote: &Value, destination: &str) -> Result<Value, String> {
        self.post("/rfq/sign", &json!({ "quote_id": quote["id"], "destination_address": destination })).await
    }

    /// The answer, or the message of the error.
    async fn post(&self, path: &str, body: &Value) -> Result<Value, String> {
        let answer = self.client.post(format!("http://{}{path}", self.serving.public)).json(body).send().await.unwrap();
        let (is_ok, body) = (answer.status().is_success(), answer.json::<Value>().await.unwrap());
        if is_ok { Ok(body) } else { Err(body.get("errorMessage").and_then(Value::as_str).unwrap().to_owned()) }
    }
}

#[tokio::test]
async fn keys_are_created_listed_and_revoked_while_serving() {
    let mut bench = Bench::with_credentials_file();
    let key = bench.new_key("apex");
    bench.serving.wait_for(CREDENTIALS);
    assert_eq!(bench.pool_status(&key).await, 200);
    assert_eq!(bench.pool_status("test").await, 200, "the key that stands in the configuration itself");
    let listed = bench.command(&["credential", "list", "--file", "credentials.toml"]);
    let id = listed.lines().nth(1).and_then(|line| line.split_whitespace().next()).unwrap().to_owned();
    assert!(listed.contains("apex") && listed.contains("API key") && !listed.contains(&key), "{listed}");
    let admin = bench.serving.admin.to_string();
    let with_uses = bench.command(&["credential", "list", "--file", "credentials.toml", "--admin", &admin]);
    assert!(with_uses.lines().next().unwrap().ends_with("last used"), "{with_uses}");
    assert!(with_uses.lines().nth(1).unwrap().ends_with(" UTC"), "{with_uses}");
    assert!(with_uses.lines().nth(1).unwrap().contains("enabled"), "{with_uses}");
    let set = |term: &str| bench.command(&["credential", "set", &id, term, "--file", "credentials.toml"]);
    let state = || bench.command(&["credential", "list", "--file", "credentials.toml"]);
    set("expires_at=2099-01-01");
    assert!(state().contains("until 2099-01-01"), "{}", state());
    set("enabled=false");
    assert!(state().contains("disabled"), "{}", state());
    bench.serving.wait_for(CREDENTIALS);
    bench.command(&["credential", "revoke", "--file", "credentials.toml", "--id", &id]);
    bench.serving.wait_for(CREDENTIALS);
    assert_eq!(bench.pool_status(&key).await, 403);
    assert_eq!(bench.pool_status("test").await, 200);
}

#[tokio::test]
async fn fees_limits_and_switches_apply_once_written() {
    let mut bench = Bench::start(CONFIG, &[]);
    let before = bench.quote().await.unwrap();
    bench.write("firmquote.toml", &CONFIG.replace("base_fee_bps = 5", "base_fee_bps = 50"));
    bench.serving.wait_for(APPLIED);
    let after = bench.quote().await.unwrap();
    let [cheap, dear] = [&before, &after].map(|quote| quote["output_amount"].as_str().unwrap().parse::<u64>().unwrap());
    assert!(dear < cheap, "{dear} {cheap}");
    bench.write("firmquote.toml", &CONFIG.replace("k = 0.06", "k = 0.06\nswaps_enabled = false"));
    bench.serving.wait_for(APPLIED);
    assert_eq!(bench.quote().await.unwrap_err(), "swaps are disabled for this pool");
    assert!(bench.sign(&before, "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed").await.is_err());
    bench.write("firmquote.toml", &CONFIG.replace("anonymous = true", "anonymous = false"));
    bench.serving.wait_for(APPLIED);
    assert_eq!(bench.quote().await.unwrap_err(), "Credentials are required");
}

#[tokio::test]
async fn an_invalid_configuration_is_rejected_by_key_and_the_old_one_stays() {
    let mut bench = Bench::start(CONFIG, &[]);
    for (from, to, reason) in [
        ("k = 0.06", "k = 1", "pool[0].k is 1, allowed: "),
        ("k = 0.06", "k = ", "not TOML"),
        ("[server]", "[server]\nworkers = 3", "server.workers cannot be changed while the service runs"),
        ("max_quotes = 1000", "max_quotes = 7", "store.max_quotes cannot be changed while the service runs"),
        ("level = \"debug\"", "level = \"info\"", "log.level cannot be changed while the service runs"),
    ] {
        bench.write("firmquote.toml", &CONFIG.replace(from, to));
        let line = bench.serving.wait_for(REFUSED);
        assert!(line.contains(reason), "{line}");
        assert!(bench.quote().await.is_ok());
    }
    fs::remove_file(bench.directory.path().join("firmquote.toml")).unwrap();
    assert!(bench.serving.wait_for(REFUSED).contains("cannot be read"));
    let url = format!("http://{}/metrics", bench.serving.admin);
    let metrics = bench.client.get(&url).send().await.unwrap().text().await.unwrap();
    assert!(metrics.contains("firmquote_last_reload_successful 0"), "{metrics}");
    bench.write("firmquote.toml", &CONFIG.replace("base_fee_bps = 5", "base_fee_bps = 6"));
    bench.serving.wait_for(APPLIED);
    let metrics = bench.client.get(&url).send().await.unwrap().text().await.unwrap();
    assert!(metrics.contains("firmquote_last_reload_successful 1"), "{metrics}");
    assert!(metrics.contains("firmquote_reloads_total{outcome=\"refused\"} 6"), "{metrics}");
}

#[tokio::test]
async fn a_key_is_revoked_even_while_the_configuration_is_being_edited() {
    let mut bench = Bench::with_credentials_file();
    let key = bench.new_key("apex");
    bench.serving.wait_for(CREDENTIALS);
    bench.write("firmquote.toml", "half written");
    bench.serving.wait_for(REFUSED);
    assert_eq!(bench.pool_status(&key).await, 200);
    bench.command(&["credential", "revoke", "--file", "credentials.toml", "--client", "apex"]);
    bench.serving.wait_for(CREDENTIALS);
    assert_eq!(bench.pool_status(&key).await, 403);
    bench.write("credentials.toml", "[[credential]]\nclient = \"apex\"\n");
    let line = bench.serving.wait_for("credentials rejected: the previous version stays active");
    assert!(line.contains("credentials.toml:1: credential[0].api_key_sha256 is missing"), "{line}");
    assert_eq!(bench.pool_status("test").await, 200);
}

/// A node that takes connections and says nothing.
fn silent_node() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    (listener, url)
}

#[tokio::test]
async fn a_key_is_revoked_even_while_a_new_configuration_waits_for_a_node() {
    let (_node, url) = silent_node();
    let config = CONFIG.replace("http://127.0.0.1:1/v3?key=hidden", &url);
    let config = config.replace("k = 0.06", "k = 0.06\nreserves = \"chain\"");
    let config = config.replace("rpc_urls", "rpc_timeout_ms = 60000\nrpc_urls");
    let file = "\n[auth]\ncredentials_file = \"credentials.toml\"\n";
    let written = config.replace("reserves = \"chain\"", "reserves = \"static\"");
    let mut bench = Bench::start(&format!("{written}{file}"), &[("credentials.toml", "")]);
    let key = bench.new_key("apex");
    bench.serving.wait_for(CREDENTIALS);
    bench.write("firmquote.toml", &format!("{config}{file}"));
    bench.command(&["credential", "revoke", "--file", "credentials.toml", "--client", "apex"]);
    bench.serving.wait_for(CREDENTIALS);
    assert_eq!(bench.pool_status(&key).await, 403);
    bench.write("firmquote.toml", &format!("{written}{file}").replace("base_fee_bps = 5", "base_fee_bps = 6"));
    bench.serving.wait_for(APPLIED);
}

#[tokio::test]
async fn a_rejected_configuration_applies_once_its_cause_is_gone() {
    let mut bench = Bench::with_credentials_file();
    let config = format!("{CONFIG}\n[auth]\ncredentials_file = \"credentials.toml\"\n");
    bench.write("credentials.toml", "half written");
    bench.serving.wait_for("credentials rejected");
    bench.write("firmquote.toml", &config.replace("k = 0.06", "k = 0.06\nswaps_enabled = false"));
    let line = bench.serving.wait_for(REFUSED);
    assert!(line.contains("credentials.toml:1:") && line.contains("not TOML"), "{line}");
    assert!(bench.quote().await.is_ok());
    bench.write("credentials.toml", "");
    bench.serving.wait_for(APPLIED);
    assert_eq!(bench.quote().await.unwrap_err(), "swaps are disabled for this pool");
}

#[tokio::test]
async fn a_duplicate_credential_does_not_prevent_revocation() {
    let mut bench = Bench::with_credentials_file();
    let key = bench.new_key("apex");
    bench.serving.wait_for(CREDENTIALS);
    let twice = ["credential", "new", "--client", "x", "--username", "old-partner", "--file", "credentials.toml"];
    bench.command(&twice);
    let line = bench.serving.wait_for("credentials reloaded; duplicates are ignored, the first entry counts");
    assert!(line.contains("username old-partner is configured twice"), "{line}");
    assert_eq!(bench.pool_status(&key).await, 200);
    bench.command(&["credential", "revoke", "--file", "credentials.toml", "--client", "apex"]);
    while bench.pool_status(&key).await != 403 {
        bench.serving.wait_for("/rfq/v2/pool/{chain_id}");
    }
    assert_eq!(bench.pool_status("test").await, 200);
}

#[tokio::test]
async fn account_lists_are_reloaded_on_change() {
    const DENIED: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    const OTHER: &str = "0x1111111111111111111111111111111111111111";
    let config = format!("{CONFIG}deny_destinations_file = \"denied.txt\"\n");
    let mut bench = Bench::start(&config, &[("denied.txt", "0x2222222222222222222222222222222222222222\n")]);
    let quote = bench.quote().await.unwrap();
    let signed = bench.sign(&quote, DENIED).await.unwrap();
    bench.write("denied.txt", &format!("{DENIED} # as the court has it\n\n"));
    bench.serving.wait_for(APPLIED);
    let refused = bench.sign(&bench.quote().await.unwrap(), DENIED).await.unwrap_err();
    assert_eq!(refused, "Access is forbidden: this pool does not sign for this destination_address");
    assert!(bench.sign(&bench.quote().await.unwrap(), OTHER).await.is_ok());
    assert_eq!(bench.sign(&quote, DENIED).await.unwrap(), signed, "what has left is repeated");
    bench.write("denied.txt", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe\n");
    let line = bench.serving.wait_for(REFUSED);
    assert!(line.contains("deny_destinations_file") && line.contains("line 1 is not an address"), "{line}");
    assert!(bench.sign(&bench.quote().await.unwrap(), DENIED).await.is_err());
}

#[tokio::test]
async fn a_new_key_takes_over_on_signal_and_claimed_quotes_keep_theirs() {
    const OTHER_KEY: &str = "0x1111111111111111111111111111111111111111111111111111111111111111";
    const DESTINATION: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    let config = CONFIG.replace("key_env = \"FIRMQUOTE_SIGNER_KEY\"", "key_file = \"key\"");
    let mut bench = Bench::start(&config, &[("key", KEY)]);
    let [claimed, waiting] = [bench.quote().await.unwrap(), bench.quote().await.unwrap()];
    let signed = bench.sign(&claimed, DESTINATION).await.unwrap();
    bench.write("key", OTHER_KEY);
    bench.serving.signal("HUP");
    bench.serving.wait_for(APPLIED);
    assert_eq!(bench.sign(&claimed, DESTINATION).await.unwrap(), signed);
    let by_other = bench.sign(&waiting, "0x1111111111111111111111111111111111111111").await.unwrap();
    assert_ne!(by_other["signature"], signed["signature"]);
    set_mode(&bench.directory.path().join("key"), 0o644);
    bench.serving.signal("HUP");
    assert!(bench.serving.wait_for(REFUSED).contains("only its owner may read"));
    assert!(bench.sign(&bench.quote().await.unwrap(), DESTINATION).await.is_ok());
}

#[tokio::test]
async fn a_credentials_file_named_later_is_watched() {
    let mut bench = Bench::start(CONFIG, &[("credentials.toml", "")]);
    bench.write("firmquote.toml", &format!("{CONFIG}\n[auth]\ncredentials_file = \"credentials.toml\"\n"));
    bench.serving.wait_for(APPLIED);
    let key = bench.new_key("apex");
    bench.serving.wait_for(CREDENTIALS);
    assert_eq!(bench.pool_status(&key).await, 200);
    bench.command(&["credential", "revoke", "--file", "credentials.toml", "--client", "apex"]);
    bench.serving.wait_for(CREDENTIALS);
    assert_eq!(bench.pool_status(&key).await, 403);
}

#[tokio::test]
async fn a_key_requested_by_a_rejected_signal_is_not_forgotten() {
    const DESTINATION: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    let config = CONFIG.replace("key_env = \"FIRMQUOTE_SIGNER_KEY\"", "key_file = \"key\"");
    let mut bench = Bench::start(&config, &[("key", KEY)]);
    bench.write("key", &"11".repeat(32));
    bench.write("firmquote.toml", &config.replace("base_fee_bps = 5", "base_fee_bps = 6"));
    bench.serving.wait_for(APPLIED);
    let before = bench.sign(&bench.quote().await.unwrap(), DESTINATION).await.unwrap();
    assert_eq!(signer(&before), ACCOUNT.parse().ok(), "nobody has asked for another key");
    bench.write("firmquote.toml", "half written");
    bench.serving.signal("HUP");
    bench.serving.wait_for(REFUSED);
    bench.write("firmquote.toml", &config);
    bench.serving.wait_for(APPLIED);
    let after = bench.sign(&bench.quote().await.unwrap(), DESTINATION).await.unwrap();
    assert_eq!(signer(&after), "0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A".parse().ok());
}

/// Puts `files` where a volume of Kubernetes shows them: each is a link into `..data`, which is a link to a directory
/// of their generation, and is turned to the next one in a single step.
fn mount(volume: &Path, generation: &str, files: &[(&str, &str)]) {
    let (real, data, turned) = (volume.join(generation), volume.join("..data"), volume.join("..data_tmp"));
    fs::create_dir_all(&real).unwrap();
    for (name, text) in files {
        fs::write(real.join(name), text).unwrap();
        set_mode(&real.join(name), 0o400);
    }
    let earlier = fs::read_link(&data).ok();
    symlink(generation, &turned).unwrap();
    fs::rename(&turned, &data).unwrap();
    match earlier {
        Some(earlier) => fs::remove_dir_all(volume.join(earlier)).unwrap(),
        None => files.iter().for_each(|(name, _)| symlink(Path::new("..data").join(name), volume.join(name)).unwrap()),
    }
}

#[tokio::test]
async fn kubernetes_volume_updates_are_followed() {
    const HASH: &str = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    let volume = directory();
    let at = |name: &str| volume.path().join(name).display().to_string();
    let config = format!("{CONFIG}\n[auth]\ncredentials_file = \"{}\"\n", at("credentials.toml"));
    let config = config.replace(&format!("[[credential]]\nclient = \"acme\"\napi_key_sha256 = \"{HASH}\"\n"), "");
    let config = config.replace("key_env = \"FIRMQUOTE_SIGNER_KEY\"", &format!("key_file = \"{}\"", at("signer-key")));
    let acme = format!("[[credential]]\nclient = \"acme\"\napi_key_sha256 = \"{HASH}\"\n");
    let files =
        |config, credentials| [("firmquote.toml", config), ("credentials.toml", credentials), ("signer-key", KEY)];
    mount(volume.path(), "..2026_1", &files(&config, &acme));
    let mut command = firmquote(&["serve", "--config"]);
    command.arg(at("firmquote.toml"));
    let serving = Serving::start(command);
    let client = Client::builder().no_proxy().build().unwrap();
    let mut bench = Bench { directory: directory(), serving, client };
    assert_eq!(bench.pool_status("test").await, 200);
    mount(volume.path(), "..2026_2", &files(&config, "# nobody\n"));
    bench.serving.wait_for(CREDENTIALS);
    assert_eq!(bench.pool_status("test").await, 403);
    let closed = config.replace("k = 0.06", "k = 0.06\nswaps_enabled = false");
    mount(volume.path(), "..2026_3", &files(&closed, "# nobody\n"));
    while bench.quote().await.is_ok() {
        bench.serving.wait_for(APPLIED);
    }
    assert_eq!(bench.quote().await.unwrap_err(), "swaps are disabled for this pool");
}

#[tokio::test]
async fn the_demo_ignores_a_reload() {
    let mut serving = Serving::start(firmquote(&["serve"]));
    serving.signal("HUP");
    serving.wait_for("no configuration file to reload");
    let client = Client::builder().no_proxy().build().unwrap();
    let answer = client.get(format!("http://{}/healthz", serving.admin)).send().await.unwrap();
    assert_eq!(answer.status(), 200);
}
