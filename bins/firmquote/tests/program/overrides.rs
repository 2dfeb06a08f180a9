//! Environment variables override the file, and errors name the variable.

use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};

use crate::program::{CONFIG, Ended, KEY, configured, directory, firmquote, run};

/// Runs `check` on the configuration with these variables.
fn checked(variables: &[(&str, &str)]) -> Ended {
    let directory = directory();
    let mut command = configured(&directory, &["check"], CONFIG);
    command.envs(variables.iter().copied());
    run(command)
}

#[test]
fn variables_override_the_file() {
    for (name, text, displayed) in [
        ("FIRMQUOTE__SERVER__BIND", "127.0.0.1:1234", "server       127.0.0.1:1234 (version 1 and 2)"),
        ("FIRMQUOTE__SERVER__BIND_V2", "[::1]:1235", "127.0.0.1:0 (version 1), [::1]:1235 (version 2)"),
        ("FIRMQUOTE__STORE__MAX_QUOTES", "7", "memory, at most 7 quotes"),
        ("FIRMQUOTE__LIMITS__ANONYMOUS", "false", "version 1 requires credentials"),
        ("FIRMQUOTE__AUTH__BASIC", "false", "credentials  2; Basic is disabled; version 1"),
        ("FIRMQUOTE__CHAIN__0__NAME", "Elsewhere", "on Elsewhere (1)"),
        ("FIRMQUOTE__POOL__0__K", "0.123456789012345678", "k 0.123456789012345678"),
        ("FIRMQUOTE__POOL__0__DOMAIN__VERSION", "2", "domain       ClipperDirect 2"),
        ("FIRMQUOTE__POOL__0__GOOD_UNTIL", "plain", "on Ethereum (1), plain"),
        ("FIRMQUOTE__POOL__0__ASSET__1__PRICE_USD", "0.99999999", "0.99999999"),
        ("FIRMQUOTE__POOL__0__ASSET__0__RESERVE", "1000000000000000000000", "2080527.00"),
        ("FIRMQUOTE__POOL__0__PAIR__0__BASE_FEE_BPS", "7.77", "7.77 bp"),
        ("FIRMQUOTE__POOL__0__PAIR__0__ASSETS", "USDC,ETH", "USDC/ETH"),
        ("FIRMQUOTE__POOL__0__PAIR__0__ASSETS__0", "USDT", ""),
        ("FIRMQUOTE__SERVER__TRUSTED_PROXIES", "10.0.0.0/8, fd00::/8", "proxies      10.0.0.0/8, fd00::/8: "),
        ("FIRMQUOTE__SERVER__TRUSTED_PROXIES__1", "192.168.0.0/16", "proxies      10.0.0.0/8, 192.168.0.0/16: "),
    ] {
        let ended = checked(&[(name, text)]);
        if displayed.is_empty() {
            let expected = "is USDT/USDC, allowed: two different symbols of the pool's assets";
            assert!(ended.stderr.contains(expected), "{}", ended.stderr);
        } else {
            assert!(ended.stdout.contains(displayed), "{name}: {} {}", ended.stdout, ended.stderr);
        }
    }
}

#[test]
fn entries_can_be_appended_to_an_array() {
    let ended = checked(&[
        ("FIRMQUOTE__POOL__0__ASSET__2__SYMBOL", "DAI"),
        ("FIRMQUOTE__POOL__0__ASSET__2__ADDRESS", "0x6B175474E89094C44Da98b954EedeAC495271d0F"),
        ("FIRMQUOTE__POOL__0__ASSET__2__DECIMALS", "18"),
        ("FIRMQUOTE__POOL__0__ASSET__2__WEIGHT", "250"),
        ("FIRMQUOTE__POOL__0__ASSET__2__RESERVE", "309714519494182375269440"),
        ("FIRMQUOTE__POOL__0__ASSET__2__PRICE_USD", "1"),
    ]);
    assert!(ended.stdout.contains("DAI       250"), "{} {}", ended.stdout, ended.stderr);
}

#[test]
fn an_error_in_a_variable_names_it() {
    const NAMES: &str = "names no key, allowed: FIRMQUOTE__SECTION__KEY in capitals, with numbers for indexes";
    for (name, text, error) in [
        (
            "FIRMQUOTE__POOL__0__K",
            "1.5",
            ": pool[0].k is \"1.5\", allowed: 0 or more and below 1, with at most 18 decimals",
        ),
        ("FIRMQUOTE__POOL__0__K", "", ": pool[0].k is \"\", allowed: 0 or more and below 1, with at most 18 decimals"),
        ("FIRMQUOTE__STORE__MAX_QUOTES", "0", ": store.max_quotes is \"0\", allowed: 1 to 10000000 quotes"),
        (
            "FIRMQUOTE__STORES__KIND",
            "memory",
            ": stores is not a key (did you mean store?), \
             allowed: server, store, limits, auth, log, otlp, tape, operator, webhook, credential, chain, signer, pool, price_source, price_rule, \
             sandbox",
        ),
        ("FIRMQUOTE__POOL__2__K", "0", ": pool[2] skips an index, allowed: an index of at most 1"),
        ("FIRMQUOTE__POOL__1__K", "0", ": pool[1].chain_id is missing, allowed: 1 to 18446744073709551615"),
        ("FIRMQUOTE__LIMITS__ANONYMOUS", "yes", ": limits.anonymous is \"yes\", allowed: true or false"),
        ("FIRMQUOTE__store__kind", "memory", &format!(" {NAMES}")),
        ("FIRMQUOTE__", "", &format!(" {NAMES}")),
        (
            "FIRMQUOTE__CREDENTIAL__0__API_KEY_SHA256",
            "hidden",
            ": credential[0].api_key_sha256 is a hidden value, \
             allowed: the SHA-256 of an API key: 64 hex digits",
        ),
    ] {
        let ended = checked(&[(name, text)]);
        assert_eq!(ended.stderr.trim_end(), format!("error: environment variable {name}{error}"));
        assert_eq!(ended.status.code(), Some(1));
    }
}

#[test]
fn a_variable_missing_an_underscore_is_rejected_unless_it_holds_a_key() {
    for (name, right) in [
        ("FIRMQUOTE_LIMITS__ANONYMOUS", "FIRMQUOTE__LIMITS__ANONYMOUS"),
        ("FIRMQUOTE_SERVER__BIND_V2", "FIRMQUOTE__SERVER__BIND_V2"),
    ] {
        let ended = checked(&[(name, "false")]);
        let reason = format!("is not read, allowed: {right}, with two underscores between all steps");
        assert_eq!(ended.stderr, format!("error: environment variable {name} {reason}\n"));
        assert_eq!(ended.status.code(), Some(1));
    }
    let signer_key = ("FIRMQUOTE_SIGNER__KEY", KEY);
    let named = ("FIRMQUOTE__SIGNER__0__KEY_ENV", "FIRMQUOTE_SIGNER__KEY");
    assert_eq!(checked(&[signer_key, named]).stderr, "");
    let unnamed = checked(&[signer_key]);
    assert!(unnamed.stderr.contains("FIRMQUOTE_SIGNER__KEY is not read") && !unnamed.stderr.contains(KEY));
}

#[test]
fn a_non_text_variable_is_rejected() {
    let directory = directory();
    let mut command = configured(&directory, &["check"], CONFIG);
    command.env("FIRMQUOTE__POOL__0__K", OsStr::from_bytes(&[0xff]));
    let expected = "error: environment variable FIRMQUOTE__POOL__0__K is not UTF-8, allowed: text\n";
    assert_eq!(run(command).stderr, expected);
}

#[test]
fn the_demo_key_signs_for_the_demo_pool_only() {
    let other = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
    for (variables, error) in [
        (
            vec![("FIRMQUOTE__POOL__0__ADDRESS", other)],
            format!(
                "built-in demo: pool[0] is 1:{other}, allowed: the demo's own pool only; for another one, use a configuration file"
            ),
        ),
        (
            vec![("FIRMQUOTE__CHAIN__0__ID", "10"), ("FIRMQUOTE__POOL__0__CHAIN_ID", "10")],
            "built-in demo: pool[0] is 10:0x655eDCE464CC797526600a462A8154650EEe4B77, \
             allowed: the demo's own pool only; for another one, use a configuration file"
                .to_owned(),
        ),
        (
            vec![("FIRMQUOTE__SIGNER__0__KEY_ENV", "KEY")],
            "environment variable FIRMQUOTE__SIGNER__0__KEY_ENV: signer[0].key_env is a hidden value, \
             allowed: no key, a built-in configuration generates its own; for another one, use a configuration file"
                .to_owned(),
        ),
        (
            vec![("FIRMQUOTE__SIGNER__0__KEYSTORE", "key.json"), ("FIRMQUOTE__SIGNER__0__PASSWORD_FILE", "password")],
            "environment variable FIRMQUOTE__SIGNER__0__KEYSTORE: signer[0].keystore is \"key.json\", \
             allowed: no key, a built-in configuration generates its own; for another one, use a configuration file"
                .to_owned(),
        ),
        (
            vec![("FIRMQUOTE__SIGNER__0__REMOTE_URL", "http://127.0.0.1:1/hidden")],
            "environment variable FIRMQUOTE__SIGNER__0__REMOTE_URL: signer[0].remote_url is a hidden value, \
             allowed: no key, a built-in configuration generates its own; for another one, use a configuration file"
                .to_owned(),
        ),
        (
            vec![("FIRMQUOTE__STORE__KIND", "redis")],
            "environment variable FIRMQUOTE__STORE__KIND: store.kind is \"redis\", \
             allowed: \"memory\", a generated key never signs with a Redis store; for that write a file"
                .to_owned(),
        ),
    ] {
        let mut command = firmquote(&["serve"]);
        command.envs(variables);
        let ended = run(command);
        assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(1), ""));
        assert_eq!(ended.stderr.trim_end(), format!("error: {error}"));
    }
}
