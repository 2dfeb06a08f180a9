//! The configurations in `deploy/` are usable once pool and secrets are filled in.

use std::fs;

use crate::program::{KEY, directory, firmquote, run, set_mode};

const COMPOSE: &str = include_str!("../../../../deploy/compose/config/firmquote.toml");
const COMPOSE_CREDENTIALS: &str = include_str!("../../../../deploy/compose/config/credentials.toml");
const KUBERNETES: &str = include_str!("../../../../deploy/kubernetes/firmquote.toml");
const KUBERNETES_STORE: &str = include_str!("../../../../deploy/kubernetes/store.env");
const MEMORY_STORE: &str = include_str!("../../../../deploy/overlays/memory/store.env");
const SENTINEL_STORE: &str = include_str!("../../../../deploy/overlays/sentinel/store.env");

/// Returns the warnings of `firmquote check` with variables from `store`, secrets from the test and an unreachable Redis.
fn warnings(config: &str, store: &str) -> Vec<String> {
    let directory = directory();
    let files =
        [("firmquote.toml", config), ("credentials.toml", COMPOSE_CREDENTIALS), ("key", KEY), ("password", "secret")];
    for (name, text) in files {
        fs::write(directory.path().join(name), text).unwrap();
        set_mode(&directory.path().join(name), 0o600);
    }
    let mut command = firmquote(&["check", "--config", "firmquote.toml"]);
    command.env_remove("FIRMQUOTE__SERVER__BIND").env_remove("FIRMQUOTE__SERVER__ADMIN_BIND");
    command.env("FIRMQUOTE__SIGNER__0__KEY_FILE", "key").env("FIRMQUOTE__AUTH__CREDENTIALS_FILE", "credentials.toml");
    for (name, value) in
        store.lines().filter_map(|line| line.split_once('=')).filter(|(name, _)| !name.starts_with('#'))
    {
        let value = match name {
            "FIRMQUOTE__STORE__PASSWORD_FILE" => "password".to_owned(),
            _ if name.contains("__URL") => "redis://127.0.0.1:1/0".to_owned(),
            _ => value.replace("/var/lib/firmquote", directory.path().to_str().unwrap()),
        };
        command.env(name, value);
    }
    command.current_dir(directory.path());
    let ended = run(command);
    assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(0), ""));
    let warnings_section = ended.stdout.split_once("\nwarnings\n").unwrap().1;
    warnings_section.lines().map(|line| line.split(':').next().unwrap().to_owned()).collect()
}

#[test]
fn the_compose_and_kubernetes_configurations_are_valid() {
    let price = "- pool[0].asset[0].price_usd";
    let compose_changes = ["- limits.anonymous", "- pool[0].address", price, "- store"];
    let kubernetes_changes = ["- limits.anonymous", "- server.admin_bind", "- pool[0].address", price, "- store"];
    for (config, store, expected) in [
        (COMPOSE, include_str!("../../../../deploy/compose/redis.env"), &compose_changes[..]),
        (COMPOSE, include_str!("../../../../deploy/compose/sentinel.env"), &compose_changes[..]),
        (COMPOSE, include_str!("../../../../deploy/compose/memory.env"), &compose_changes[..3]),
        (KUBERNETES, KUBERNETES_STORE, &kubernetes_changes[..]),
        (KUBERNETES, SENTINEL_STORE, &kubernetes_changes[..]),
        (KUBERNETES, MEMORY_STORE, &kubernetes_changes[..4]),
    ] {
        assert_eq!(warnings(config, store), expected, "{store}");
    }
}
