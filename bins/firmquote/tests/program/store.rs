//! `[store]`: an unreachable Redis, and the sources of its passwords and certificates.

use std::{fs, process::Command};

use reqwest::Client;
use tempfile::TempDir;
use tokio::net::TcpSocket;

use crate::program::{CONFIG, Ended, ONE_ETH, Serving, configured, directory, quote_request, run, set_mode};

pub(crate) const MEMORY: &str = "kind = \"memory\"\nmax_quotes = 1000\n";
/// A secret that must not appear in any output.
const PASSWORD: &str = "correct-horse";

/// A local port without a listener, reserved for the lifetime of the value.
struct ClosedPort(TcpSocket);

impl ClosedPort {
    fn take() -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        Self(socket)
    }

    fn address(&self) -> String {
        self.0.local_addr().unwrap().to_string()
    }
}

/// Returns a command with these keys in `[store]`.
fn stored(directory: &TempDir, arguments: &[&str], store: &str) -> Command {
    configured(directory, arguments, &CONFIG.replace(MEMORY, store))
}

/// Runs `check` with these keys in `[store]`.
fn checked(store: &str) -> Ended {
    let directory = directory();
    run(stored(&directory, &["check"], store))
}

#[test]
fn an_unreachable_redis_is_a_warning() {
    let port = ClosedPort::take();
    let address = port.address();
    let ended = checked(&format!("kind = \"redis\"\nurl = \"redis://:{PASSWORD}@{address}/3\"\nwait_replicas = 2\n"));
    assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(0), ""));
    for line in [
        format!("store        redis, one server: {address}"),
        "  keys       start with firmquote:, calls time out after 500 ms".to_owned(),
        "  records    kept for 86400 s after good_until, replicas that must acknowledge each: 2".to_owned(),
        "  ledger     every signature, in the stream firmquote:signed for 86400 s".to_owned(),
        "- store: the store call failed: no connection to Redis: Connection refused (os error 111); \
         serve starts anyway and returns 503 until Redis responds"
            .to_owned(),
    ] {
        assert!(ended.stdout.lines().any(|written| written == line), "{line}\n{}", ended.stdout);
    }
    assert!(!ended.stdout.contains(PASSWORD), "{}", ended.stdout);
}

#[test]
fn clusters_and_sentinels_are_labelled() {
    let port = ClosedPort::take();
    let address = port.address();
    let url = format!("redis://user:{PASSWORD}@{address}");
    for (keys, displayed) in [
        (format!("url = [\"{url}\"]"), format!("redis, one server: {address}")),
        (format!("url = \"{url}\"\ncluster = true"), format!("redis, a Cluster: {address}")),
        (format!("url = [\"{url}\", \"{url}\"]"), format!("redis, a Cluster: {address}, {address}")),
        (
            format!("url = [\"{url}\", \"{url}\"]\nsentinel_master = \"main\""),
            format!("redis, master main of the Sentinels: {address}, {address}"),
        ),
        (
            format!("url = \"{url}\"\nsentinel_master = \"main\"\ncluster = false"),
            format!("redis, master main of the Sentinels: {address}"),
        ),
    ] {
        let ended = checked(&format!("kind = \"redis\"\ntimeout_ms = 50\n{keys}\n"));
        assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(0), ""));
        assert!(ended.stdout.contains(&format!("\nstore        {displayed}\n")), "{displayed}\n{}", ended.stdout);
        assert!(ended.stdout.contains("\n- store: ") && !ended.stdout.contains(PASSWORD), "{}", ended.stdout);
    }
}

#[test]
fn one_url_is_a_server_and_comma_separated_urls_are_a_cluster() {
    let port = ClosedPort::take();
    let (address, directory) = (port.address(), directory());
    for (text, displayed) in [
        (format!("redis://{address}/0"), format!("redis, one server: {address}")),
        (format!("redis://{address}, redis://{address}"), format!("redis, a Cluster: {address}, {address}")),
    ] {
        let mut command = configured(&directory, &["check"], &CONFIG.replace(MEMORY, "timeout_ms = 50\n"));
        command.env("FIRMQUOTE__STORE__KIND", "redis").env("FIRMQUOTE__STORE__URL", text);
        let output = run(command).stdout;
        assert!(output.contains(&format!("\nstore        {displayed}\n")), "{displayed}\n{output}");
    }
    let mut command = configured(&directory, &["check"], &CONFIG.replace(MEMORY, "url = [\"redis://h\"]\n"));
    command.env("FIRMQUOTE__STORE__KIND", "redis").env("FIRMQUOTE__STORE__URL__1", format!(":{PASSWORD}@h"));
    let output = run(command).stderr;
    let expected = "error: environment variable FIRMQUOTE__STORE__URL__1: store.url[1] is a hidden value, ";
    assert!(output.starts_with(expected) && !output.contains(PASSWORD), "{output}");
}

#[tokio::test]
async fn without_redis_the_service_starts_unready() {
    let (port, directory) = (ClosedPort::take(), directory());
    let store = format!("kind = \"redis\"\nurl = \"redis://user:{PASSWORD}@{}\"\n", port.address());
    let mut command = stored(&directory, &["serve"], &store);
    command.env("FIRMQUOTE__LOG__LEVEL", "trace");
    let serving = Serving::start(command);
    let client = Client::builder().no_proxy().build().unwrap();
    for (address, path, status) in
        [(serving.admin, "healthz", 200), (serving.admin, "readyz", 503), (serving.public, "rfq/quote", 503)]
    {
        let url = format!("http://{address}/{path}");
        let request = if path == "rfq/quote" { client.post(url) } else { client.get(url) };
        let body = quote_request(ONE_ETH);
        assert_eq!(request.json(&body).send().await.unwrap().status(), status, "{path}");
    }
    serving.signal("TERM");
    let ended = serving.ended();
    assert_eq!(ended.status.code(), Some(0));
    assert!(ended.stderr.contains("cannot connect to Redis, retrying"), "{}", ended.stderr);
    let displayed = format!("store=\"redis, one server: {}\"", port.address());
    assert!(ended.stderr.contains(&displayed) && !ended.stderr.contains(PASSWORD), "{}", ended.stderr);
}

#[test]
fn a_password_comes_from_a_variable_or_a_private_file() {
    let (port, directory) = (ClosedPort::take(), directory());
    let path = directory.path().join("password");
    let server = format!("kind = \"redis\"\nurl = \"redis://{}\"\nusername = \"u\"\n", port.address());
    let config_with_file = format!("{server}password_file = \"password\"\n");
    for (mode, text, expected) in [
        (0o600, format!("{PASSWORD}\n"), ""),
        (0o400, PASSWORD.to_owned(), ""),
        (
            0o640,
            PASSWORD.to_owned(),
            "a file that only its owner may read and write (mode 600 or 400, or 640 or 440 of root's if the service is not root)",
        ),
        (0o600, "\n".to_owned(), "the source of a password that is not empty"),
        (0o600, PASSWORD.repeat(1_000), "a file that holds a password"),
    ] {
        fs::write(&path, text).unwrap();
        set_mode(&path, mode);
        let output = run(stored(&directory, &["check"], &config_with_file)).stderr;
        let place = "error: firmquote.toml:9: store.password_file is \"password\", allowed: ";
        assert_eq!(output.trim_end().replace(place, ""), expected);
        fs::remove_file(&path).unwrap();
    }
    let config_with_variable = format!("{server}password_env = \"FIRMQUOTE_REDIS__PASSWORD\"\n");
    let empty = "the source of a password that is not empty";
    for (password, expected) in [(PASSWORD, ""), ("", empty), ("\n", empty), ("\r\n", empty)] {
        let mut command = stored(&directory, &["check"], &config_with_variable);
        command.env("FIRMQUOTE_REDIS__PASSWORD", password);
        let ended = run(command);
        let place = "error: firmquote.toml:9: store.password_env is \"FIRMQUOTE_REDIS__PASSWORD\", allowed: ";
        assert_eq!(ended.stderr.trim_end().replace(place, ""), expected);
        assert!(!ended.stdout.contains(PASSWORD));
    }
}

#[test]
fn invalid_certificates_prevent_the_start() {
    let (port, directory) = (ClosedPort::take(), directory());
    let path = directory.path().join("file.pem");
    let server = format!("kind = \"redis\"\nurl = \"rediss://{}\"\n", port.address());
    let broken = "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n";
    let pair = format!("{server}tls_certificate_file = \"file.pem\"\ntls_key_file = \"file.pem\"\n");
    fs::write(&path, broken).unwrap();
    set_mode(&path, 0o644);
    let output = run(stored(&directory, &["check"], &pair)).stderr;
    let expected = "firmquote.toml:9: store.tls_key_file is \"file.pem\", \
                    allowed: a file that only its owner may read and write (mode 600 or 400, or 640 or 440 of root's if the service is not root)";
    assert_eq!(output.trim_end(), format!("error: {expected}"));
    set_mode(&path, 0o600);
    for (command, keys) in [
        (["check"], format!("{server}tls_ca_file = \"file.pem\"\n")),
        (["serve"], format!("{server}tls_ca_file = \"file.pem\"\n")),
        (["check"], pair),
    ] {
        let ended = run(stored(&directory, &command, &keys));
        assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(1), ""), "{}", ended.stderr);
        assert!(ended.stderr.contains("error: store: cannot be used as configured: "), "{}", ended.stderr);
    }
}
