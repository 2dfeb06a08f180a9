//! The configurations in `deploy/` are usable once pool and secrets are filled in.

use std::fs;

use crate::program::{KEY, directory, firmquote, run, set_mode};

const COMPOSE: &str = include_str!("../../../../deploy/compose/config/firmquote.toml");
const COMPOSE_CREDENTIALS: &str = include_str!("../../../../deploy/compose/config/credentials.toml");
const KUBERNETES: &str = include_str!("../../../../deploy/kubernetes/firmquote.toml");

/// Returns the warnings of `firmquote check`, with secrets from the test and an unreachable Redis.
fn warnings(config: &str) -> Vec<String> {
    let directory = directory();
    let files =
        [("firmquote.toml", config), ("credentials.toml", COMPOSE_CREDENTIALS), ("key", KEY), ("password", "secret")];
    for (name, text) in files {
        fs::write(directory.path().join(name), text).unwrap();
        set_mode(&directory.path().join(name), 0o600);
    }
    let mut command = firmquote(&["check", "--config", "firmquote.toml"]);
    command.env_remove("FIRMQUOTE__SERVER__BIND").env_remove("FIRMQUOTE__SERVER__ADMIN_BIND");
    command.env("FIRMQUOTE__SIGNER__0__KEY_FILE", "key").env("FIRMQUOTE__STORE__PASSWORD_FILE", "password");
    command.env("FIRMQUOTE__AUTH__CREDENTIALS_FILE", "credentials.toml");
    command.env("FIRMQUOTE__STORE__URL", "redis://127.0.0.1:1/0");
    command.current_dir(directory.path());
    let ended = run(command);
    assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(0), ""));
    let warnings_section = ended.stdout.split_once("\nwarnings\n").unwrap().1;
    warnings_section.lines().map(|line| line.split(':').next().unwrap().to_owned()).collect()
}

#[test]
fn the_compose_and_kubernetes_configurations_are_valid() {
    let compose_changes = ["- limits.anonymous", "- pool[0].address", "- pool[0].asset[0].price_usd", "- store"];
    let price = "- pool[0].asset[0].price_usd";
    let kubernetes_changes = ["- limits.anonymous", "- server.admin_bind", "- pool[0].address", price, "- store"];
    for (config, expected) in [(COMPOSE, &compose_changes[..]), (KUBERNETES, &kubernetes_changes[..])] {
        assert_eq!(warnings(config), expected);
    }
}
