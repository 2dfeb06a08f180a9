//! Every mistake in a configuration is one error with the place, the key, the value and the allowed values.

use std::{fs, process::Command};

use tempfile::TempDir;

use crate::program::{KEY, PLAIN_CONFIG, configured, directory, firmquote, run, set_mode};

const CASES: &str = include_str!("mistakes.txt");

/// Returns the error of a command, its only output, without the prefix and the final line break.
fn error(command: Command) -> String {
    let ended = run(command);
    // 4 is a file that `check` cannot read.
    assert!(matches!(ended.status.code(), Some(1 | 4)) && ended.stdout.is_empty(), "{}", ended.stderr);
    ended.stderr.strip_prefix("error: ").unwrap().trim_end().to_owned()
}

fn check(directory: &TempDir, config: &str) -> Command {
    configured(directory, &["check"], config)
}

/// Returns the lines of a case that begin with `sign`.
fn lines(case: &str, sign: &str) -> String {
    case.lines().filter_map(|line| line.strip_prefix(sign)).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_configuration_error_is_one_clear_line() {
    let cases: Vec<_> = CASES.split("\n\n").skip(1).collect();
    assert!(cases.len() > 80, "{}", cases.len());
    for case in cases {
        let (from, to, expected) = (lines(case, "- "), lines(case, "+ "), lines(case, "= "));
        assert!(PLAIN_CONFIG.contains(&from), "{from}");
        let directory = directory();
        assert_eq!(error(check(&directory, &PLAIN_CONFIG.replacen(&from, &to, 1))), expected);
    }
}

#[test]
fn no_command_starts_with_an_invalid_configuration() {
    let directory = directory();
    let command = configured(&directory, &["serve"], &PLAIN_CONFIG.replace("k = 0.06", "k = 6"));
    assert_eq!(
        error(command),
        "firmquote.toml:41: pool[0].k is 6, allowed: 0 or more and below 1, with at most 18 decimals"
    );
}

#[test]
fn an_unreadable_file_is_named() {
    let command = firmquote(&["serve", "--config", "no/such/file.toml"]);
    assert_eq!(error(command), "no/such/file.toml: cannot be read: No such file or directory (os error 2)");
    let directory = directory();
    let command = check(&directory, PLAIN_CONFIG);
    fs::write(directory.path().join("firmquote.toml"), [0xff, 0xfe]).unwrap();
    assert_eq!(error(command), "firmquote.toml: cannot be read: stream did not contain valid UTF-8");
}

#[test]
fn empty_and_partial_files_report_missing_keys() {
    let directory = directory();
    for (config, expected) in [
        ("", "firmquote.toml: pool is missing, allowed: one [[pool]] or more"),
        ("[[pool]]\n", "firmquote.toml:1: pool[0].chain_id is missing, allowed: 1 to 18446744073709551615"),
        ("[[pool]]\nchain_id = 1\n", "firmquote.toml:1: pool[0].address is missing, allowed: 0x and 40 hex digits"),
        ("pool = []\n", "firmquote.toml:1: pool is an array, allowed: one [[pool]] or more"),
        ("pool = [1]\n", "firmquote.toml:1: pool[0] is 1, allowed: a table of chain_id, address, signer, "),
    ] {
        let found = error(check(&directory, config));
        assert!(found.starts_with(expected) && (found == expected || expected.ends_with(", ")), "{found}");
    }
}

#[test]
fn a_pool_without_assets_or_pairs_is_rejected() {
    let directory = directory();
    let (before_pairs, _) = PLAIN_CONFIG.split_once("[[pool.pair]]").unwrap();
    let found = error(check(&directory, before_pairs));
    assert_eq!(found, "firmquote.toml:35: pool[0].pair is none, allowed: one pair or more");
    let (before_assets, _) = PLAIN_CONFIG.split_once("[[pool.asset]]").unwrap();
    let found = error(check(&directory, before_assets));
    assert_eq!(found, "firmquote.toml:35: pool[0].asset is 0 asset(s), allowed: two assets or more");
    let twice = format!("{PLAIN_CONFIG}\n{}", &PLAIN_CONFIG[PLAIN_CONFIG.find("[[pool]]").unwrap()..]);
    let found = error(check(&directory, &twice));
    let address = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
    let expected = format!("pool[1].address is {address:?}, allowed: an address that no other pool of the chain has");
    assert_eq!(found, format!("firmquote.toml:66: {expected}"));
}

#[test]
fn a_key_in_a_variable_must_be_valid() {
    let directory = directory();
    let order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
    for (key, allowed) in [
        ("", "64 hex digits, with or without 0x"),
        (&KEY[..65], "64 hex digits, with or without 0x"),
        (order, "1 to the order of secp256k1 less 1"),
    ] {
        let mut command = check(&directory, PLAIN_CONFIG);
        command.env("FIRMQUOTE_SIGNER_KEY", key);
        let shown = "signer[0].key_env is \"FIRMQUOTE_SIGNER_KEY\"";
        let expected = format!("firmquote.toml:33: {shown}, allowed: the name of a variable that holds {allowed}");
        assert_eq!(error(command), expected);
    }
}

#[test]
fn a_key_file_must_be_private_to_its_owner() {
    let directory = directory();
    let path = directory.path().join("key");
    let config = PLAIN_CONFIG.replace("key_env = \"FIRMQUOTE_SIGNER_KEY\"", "key_file = \"key\"");
    let found = |text: &str, mode: u32| {
        fs::write(&path, text).unwrap();
        set_mode(&path, mode);
        let ended = run(check(&directory, &config));
        ended.stderr.trim_end().replace("error: firmquote.toml:33: signer[0].key_file is \"key\", allowed: ", "")
    };
    for mode in [0o600, 0o400, 0o700] {
        assert_eq!(found(&format!("{KEY}\n"), mode), "");
        fs::remove_file(&path).unwrap();
    }
    for mode in [0o640, 0o604, 0o660, 0o644, 0o620] {
        assert_eq!(
            found(KEY, mode),
            "a file that only its owner may read and write (mode 600 or 400, or 640 or 440 of root's if the service is not root)"
        );
    }
    for text in ["", "key", &format!("{KEY}{KEY}"), &"0".repeat(1_000)] {
        assert_eq!(found(text, 0o600), "a file that holds 64 hex digits, with or without 0x", "{text}");
    }
}

#[test]
fn two_listeners_on_one_address_are_rejected() {
    let directory = directory();
    let mut command = check(&directory, PLAIN_CONFIG);
    command.env("FIRMQUOTE__SERVER__BIND", "127.0.0.1:9090").env_remove("FIRMQUOTE__SERVER__ADMIN_BIND");
    let expected = "environment variable FIRMQUOTE__SERVER__BIND: server.bind is \"127.0.0.1:9090\", \
                    allowed: an address other than that of admin_bind, 127.0.0.1:9090";
    assert_eq!(error(command), expected);
}

#[test]
fn breakers_need_a_place_for_their_pauses_and_steps_in_order() {
    let of_pool = |keys: &str| format!("k = 0.06\nreserves = \"chain\"\n{keys}");
    for (keys, store, expected) in [
        (
            "breakers.loss_pause_at_bps = 500\n",
            "",
            "firmquote.toml:5: store.state_dir is missing, allowed: a directory, in which [pool[0].breakers] retains its pauses",
        ),
        (
            "breakers.loss_widen_at_bps = 500\n",
            "state_dir = \".\"\n",
            "firmquote.toml:44: pool[0].breakers.loss_widen_at_bps is 500, allowed: less than where the pool is paused, or \"none\"",
        ),
    ] {
        let config = PLAIN_CONFIG.replacen("k = 0.06\n", &of_pool(keys), 1);
        let config = config.replacen("max_quotes", &format!("{store}max_quotes"), 1);
        assert_eq!(error(check(&directory(), &config)), expected);
    }
}
