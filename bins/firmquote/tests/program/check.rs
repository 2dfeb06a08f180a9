//! `firmquote check` summarizes a configuration and warns about risks.

use std::{fs, net::TcpListener};

use crate::program::{ACCOUNT, CONFIG, KEY, configured, directory, firmquote, run, set_mode};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/example.toml");

/// Returns the warnings about the configuration with `from` replaced by `to`.
fn warnings(from: &str, to: &str) -> String {
    assert!(CONFIG.contains(from), "{from}");
    let directory = directory();
    let ended = run(configured(&directory, &["check"], &CONFIG.replacen(from, to, 1)));
    assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(0), ""));
    ended.stdout.split_once("\nwarnings\n").map(|(_, warnings)| warnings.to_owned()).unwrap_or_default()
}

#[test]
fn the_deployment_example_is_valid() {
    let mut command = firmquote(&["check", "--config", EXAMPLE]);
    command.env("FIRMQUOTE_SIGNER_KEY", KEY);
    let ended = run(command);
    assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(0), ""));
    for line in [
        &format!("{EXAMPLE} is usable"),
        "pool 0x655eDCE464CC797526600a462A8154650EEe4B77 on Ethereum (1), verified",
        &format!("  signed by    {ACCOUNT} (hot)"),
        "  quotes       accepted within 12 s, valid for 60 s more by default (1 to 120)",
        "  curve        k 0.06, at most 100 bp over the prices, last look 0 bp, trades from 0.1 USD",
        "  value        1978682.50 USD",
        "  ETH        79              2080.527           992157.31   50.14 %   50.12 %",
        "  ETH/USDC           5 bp          8.63 bp        -7.43 bp",
        "  USDC/USDT          4 bp          4.13 bp        -0.51 bp",
        "  outstanding in USD     first trade      per client    first, anon.       all anon.     all clients",
        "  ETH to USDC                  41775            8703             417             835           83550",
    ] {
        assert!(ended.stdout.lines().any(|written| written == line), "{line}\n{}", ended.stdout);
    }
}

#[test]
fn the_example_lists_every_key() {
    let example = fs::read_to_string(EXAMPLE).unwrap();
    let documentation = include_str!("../../../../docs/configuration.md");
    for line in example.lines().map(|line| line.trim_start_matches(['#', ' '])) {
        let Some((key, _)) = line.split_once(" = ") else { continue };
        assert!(documentation.contains(&format!("`{key}`")), "docs/configuration.md does not describe {key}");
    }
    for row in documentation.lines().filter_map(|line| line.strip_prefix("| `")) {
        let (key, _) = row.split_once('`').unwrap();
        assert!(example.contains(&format!("{key} = ")), "example.toml does not show {key}");
    }
}

/// Returns the examples of a page that configure price sources, without their `[[chain]]`.
fn examples(page: &str) -> Vec<String> {
    let blocks = page.split("```toml\n").skip(1).filter_map(|rest| rest.split_once("```"));
    let sources = blocks.filter_map(|(block, _)| block.find("[[price_source]]").and_then(|start| block.get(start..)));
    sources.map(str::to_owned).collect()
}

#[test]
fn the_source_examples_are_valid() {
    let pages = [
        include_str!("../../../../docs/prices.md"),
        include_str!("../../../../docs/prices/pyth.md"),
        include_str!("../../../../docs/prices/exchanges.md"),
        include_str!("../../../../docs/prices/chainlink.md"),
        include_str!("../../../../docs/prices/push.md"),
        include_str!("../../../../docs/prices/static.md"),
    ];
    let token = "\nadmin_token_sha256 = \"2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae\"\n";
    let base = CONFIG.replacen("[server]\n", &format!("[server]{token}"), 1);
    let mut count = 0;
    for example in pages.into_iter().flat_map(examples) {
        let directory = directory();
        let mut command = configured(&directory, &["check"], &format!("{base}\n{example}"));
        command.env("HERMES_API_KEY", "key");
        let ended = run(command);
        assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(0), ""), "{example}");
        count += 1;
    }
    assert!(count >= 6, "{count} examples");
}

#[test]
fn permitted_but_dangerous_settings_are_warned_about() {
    for (from, to, warning) in [
        (
            "anonymous = true",
            "anonymous = true",
            "- limits.anonymous: quotes and signatures are given without credentials\n",
        ),
        (
            "\"Test\"",
            "\"Test\"",
            "- pool[0].address: cannot verify that the pool matches its configuration: 127.0.0.1:1: ",
        ),
        (
            "k = 0.06",
            "k = 0.06\nreserves = \"chain\"",
            "; serve starts anyway and does not quote until they are read\n",
        ),
        ("verified", "plain", "- pool[0].single_use: a plain pool that executes a signature repeatedly can be drained"),
        ("base_fee_bps = 5", "base_fee_bps = 0.99", "- pool[0].pair[0].base_fee_bps: 0.99 bp is below 1 bp"),
        (
            "k = 0.06",
            "k = 0.06\nmin_trade_usd = 0.09999999",
            "- pool[0].min_trade_usd: 0.09999999 USD is below 0.1 USD",
        ),
        (
            "k = 0.06",
            "k = 0.06\nlast_look_tolerance_bps = 8.64",
            "- pool[0].last_look_tolerance_bps: 8.64 bp may be lost at signing, more than ETH/USDC earns (8.63 bp)",
        ),
        (
            "decimals = 6",
            "decimals = 12",
            "- pool[0].asset[1].decimals: USDC is worth 0.42 USD in the pool and its weight targets",
        ),
        ("k = 0.06", "k = 0.06", "- pool[0].asset[0].price_usd: the price of ETH is fixed in the file while its"),
        ("k = 0.06", "k = 0.06", "- pool[0].reserves: they are fixed in the file and do not follow the swaps"),
        ("k = 0.06", "k = 0.06", "- store.ledger_file: not set; the memory store keeps no record"),
        (
            "kind = \"memory\"",
            "kind = \"memory\"\nstate_dir = \"firmquote.toml/state\"",
            "- store.state_dir: cannot write to firmquote.toml/state (",
        ),
        (
            "kind = \"memory\"",
            "kind = \"memory\"\nstate_dir = \"missing\"",
            "- store.state_dir: cannot write to missing (",
        ),
        (
            "client = \"acme\"",
            "client = \"acme\"\npairs = [\"ETH-BTC\"]",
            "- credential of acme: pairs has ETH-BTC, which no [[pool]] has\n",
        ),
        (
            "native_symbol = \"ETH\"\nwrapped_native = \"0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2\"",
            "native_symbol = \"POL\"\nwrapped_native = \"0xdAC17F958D2ee523a2206206994597C13D831ec7\"",
            "- pool[0].asset: wrapped POL is not listed: no swaps from or to the native coin\n",
        ),
        (
            "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
            "0x655eDCE464CC797526600a462A8154650EEe4B77",
            "- pool[0].address: this is the address in the examples",
        ),
    ] {
        let found = warnings(from, to);
        assert!(found.contains(warning), "{warning}\n{found}");
    }
}

#[test]
fn what_cannot_be_written_is_refused_as_it_is_at_the_start() {
    for (change, key) in [
        ("kind = \"memory\"\nledger_file = \"/proc/signed.jsonl\"", "store.ledger_file: cannot append to "),
        (
            "kind = \"memory\"\n[tape]\ndirectory = \"firmquote.toml\"",
            "tape.directory: cannot write to firmquote.toml: ",
        ),
    ] {
        let directory = directory();
        let config = CONFIG.replacen("kind = \"memory\"\nmax_quotes = 1000", change, 1);
        let ended = run(configured(&directory, &["check"], &config));
        assert_eq!(ended.status.code(), Some(1), "{}", ended.stdout);
        assert!(ended.stderr.contains(key), "{}", ended.stderr);
        assert!(fs::read_dir(directory.path()).unwrap().count() == 1, "nothing is left behind");
    }
}

#[test]
fn harmless_settings_cause_no_warning() {
    let quiet = CONFIG.replace("anonymous = true", "anonymous = false");
    let quiet = quiet.replace("rpc_urls = [\"http://127.0.0.1:1/v3?key=hidden\"]\n", "");
    let files = "kind = \"memory\"\nledger_file = \"signed.jsonl\"\nstate_dir = \".\"";
    let quiet = quiet.replace("kind = \"memory\"", files);
    let quiet = quiet.replace("price_usd = 2080.527", "price_usd = 1").replace("weight = 79", "weight = 65535");
    let quiet = quiet.replace("k = 0.06", "k = 0.06\nmax_improvement_bps = 100");
    // The pool of the examples may have fixed reserves; only the warning about its address remains.
    let quiet =
        quiet.replace("0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359", "0x655eDCE464CC797526600a462A8154650EEe4B77");
    let directory = directory();
    let ended = run(configured(&directory, &["check"], &quiet));
    assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(0), ""));
    let warnings = ended.stdout.split_once("\nwarnings\n").unwrap().1;
    assert!(warnings.starts_with("- pool[0].address: ") && warnings.lines().count() == 1, "{warnings}");
}

#[test]
fn prices_defaults_and_warnings_are_shown_as_text_and_json() {
    let directory = directory();
    let summary = run(configured(&directory, &["check"], CONFIG)).stdout;
    for line in [
        "- ETH: fixed in the file, 2080.527 USD",
        "- USDC: fixed in the file, 1 USD",
        "- pool[0].signing.max_trade_usd: 10 % of the pool's value per trade, 140990.86 USD at present",
        "- pool[0].signing.max_usd_per_minute_anonymous: 1 % of the pool's value per minute for all anonymous clients, 14099.09 USD at present",
    ] {
        assert!(summary.lines().any(|written| written == line), "{line}\n{summary}");
    }
    let ended = run(configured(&directory, &["check", "--json"], CONFIG));
    let printed: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(ended.status.code(), Some(0));
    assert_eq!(printed["prices"][0]["asset"], "ETH");
    assert_eq!(printed["prices"][0]["source"], "fixed in the file");
    let keys = |member: &str| {
        let items = printed[member].as_array().unwrap().iter();
        items.map(|item| item["key"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert!(keys("warnings").contains(&"store.ledger_file".to_owned()), "{printed}");
    assert!(keys("defaults").contains(&"pool[0].signing.max_usd_per_minute".to_owned()), "{printed}");
}

#[test]
fn a_strict_check_fails_on_a_warning() {
    let directory = directory();
    for arguments in [&["check", "--strict"][..], &["check", "--strict", "--json"]] {
        let ended = run(configured(&directory, arguments, CONFIG));
        assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(3), ""), "{arguments:?}");
    }
}

#[test]
fn paths_are_relative_to_the_file() {
    let directory = directory();
    fs::write(directory.path().join("key"), KEY).unwrap();
    set_mode(&directory.path().join("key"), 0o600);
    let config = CONFIG.replace("key_env = \"FIRMQUOTE_SIGNER_KEY\"", "key_file = \"key\"");
    let config = config.replace("max_quotes = 1000", "ledger_file = \"signed.jsonl\"\nstate_dir = \"state\"");
    let file = directory.path().join("firmquote.toml");
    fs::write(&file, config).unwrap();
    let mut command = firmquote(&["check", "--config", file.to_str().unwrap()]);
    command.current_dir("/");
    let ended = run(command);
    assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(0), ""));
}

#[test]
fn every_outcome_has_a_code_and_is_json_on_request() {
    let directory = directory();
    let broken = CONFIG.replace("k = 0.06", "k = 6");
    for (config, arguments, code, outcome) in [
        (CONFIG, &["check", "--json"][..], 0, "usable"),
        (CONFIG, &["check", "--json", "--strict"], 3, "warnings"),
        (broken.as_str(), &["check", "--json"], 1, "invalid"),
    ] {
        let ended = run(configured(&directory, arguments, config));
        let printed: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!(
            (ended.status.code(), &printed["outcome"], ended.stderr.as_str()),
            (Some(code), &outcome.into(), "")
        );
        let error = printed["error"].as_str().unwrap_or_default();
        assert_eq!(error.contains("pool[0].k is 6"), outcome == "invalid", "{error}");
    }
    let missing = run(firmquote(&["check", "--json", "--config", "/nowhere.toml"]));
    let printed: serde_json::Value = serde_json::from_str(&missing.stdout).unwrap();
    assert_eq!((missing.status.code(), &printed["outcome"]), (Some(4), &"unreadable".into()));
    assert_eq!(run(firmquote(&["check", "--config", "/nowhere.toml"])).status.code(), Some(4));
}

#[test]
fn a_collector_is_shown_without_its_path_and_a_long_path_is_warned_about() {
    let directory = directory();
    for (path, is_told) in [("", false), ("/hidden", false), ("/hidden/v1/traces", true), ("/v1/traces/", true)] {
        let otlp = format!("[otlp]\nendpoint = \"https://collector.example:4318{path}\"\nsample_ratio = 0.25\n");
        let ended = run(configured(&directory, &["check"], &format!("{CONFIG}\n{otlp}")));
        assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(0), ""));
        let line = "spans        to https://collector.example:4318, sampling 0.25 of the traces started here; custom headers: 0";
        assert!(ended.stdout.lines().any(|written| written == line), "{}", ended.stdout);
        let warning = "- otlp.endpoint: it ends with /v1/traces, which is appended automatically";
        assert_eq!(ended.stdout.contains(warning), is_told, "{}", ended.stdout);
        assert!(!ended.stdout.contains("hidden"), "{}", ended.stdout);
    }
}

#[test]
fn a_readable_file_of_hashes_is_reported() {
    let directory = directory();
    for (mode, is_told) in [(0o600, false), (0o640, false), (0o644, true)] {
        let command = configured(&directory, &["check"], CONFIG);
        set_mode(&directory.path().join("firmquote.toml"), mode);
        let output = run(command).stdout;
        let warning = "- firmquote.toml can be read by others (mode 644); it holds hashes of credentials";
        assert_eq!(output.contains(warning), is_told, "{output}");
    }
}

#[test]
fn a_push_source_is_checked_without_network_access() {
    let directory = directory();
    let source = "\n[[price_source]]\nkind = \"push\"\n[[price_source.asset]]\nsymbol = \"ETH\"\n";
    let memory = "kind = \"memory\"\nmax_quotes = 1000\n";
    let shared = CONFIG.replace(memory, "kind = \"redis\"\nurl = \"redis://127.0.0.1:1\"\n");
    for (config, token) in [(CONFIG, Some("a".repeat(64))), (&shared, None), (&shared, Some("a".repeat(64)))] {
        let mut command = configured(&directory, &["check"], &format!("{config}{source}"));
        command.envs(token.map(|token| ("FIRMQUOTE__SERVER__ADMIN_TOKEN_SHA256", token)));
        let ended = run(command);
        assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(0), ""), "{}", ended.stdout);
    }
}

#[test]
fn a_source_that_cannot_be_reached_is_shown_with_the_cause() {
    let directory = directory();
    // Nobody listens on the port once it is closed.
    let config = crate::prices::config(&TcpListener::bind("127.0.0.1:0").unwrap());
    let ended = run(configured(&directory, &["check"], &config));
    let cause = "no update was received yet; binance 127.0.0.1 ended: ";
    assert!(ended.stdout.contains(cause) && ended.stdout.contains("Connection refused"), "{}", ended.stdout);
}

#[test]
fn inconsistent_listeners_and_credentials_are_reported() {
    let directory = directory();
    let closed = CONFIG.replace("anonymous = true", "anonymous = false");
    let (before, rest) = closed.split_once("[[credential]]").unwrap();
    let (_, after) = rest.split_once("[[chain]]").unwrap();
    let mut command = configured(&directory, &["check"], &format!("{before}[[chain]]{after}"));
    command.env("FIRMQUOTE__SERVER__ADMIN_BIND", "0.0.0.0:9090");
    let output = run(command).stdout;
    assert!(
        output.contains("- credential: none, and limits.anonymous is false: no client can get a quote"),
        "{output}"
    );
    assert!(output.contains("- server.admin_bind: 0.0.0.0:9090 may be reachable from outside"), "{output}");
}

#[test]
fn a_publicly_known_key_is_warned_about_prominently() {
    let directory = directory();
    for (key, account) in [
        (
            "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
            "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        ),
        (
            "4f3edf983ac636a65a842ce7c78d9aa706d3b113bce9c46f30d7d21715b23b1d",
            "0x90F8bf6A479f320ead074411a4B0e7944Ea8c9C1",
        ),
    ] {
        let mut command = configured(&directory, &["check"], CONFIG);
        command.env("FIRMQUOTE_SIGNER_KEY", key);
        let output = run(command).stdout;
        assert!(output.contains(&format!("- pool[0].signer: the private key of {account} is public: ")), "{output}");
    }
    assert!(!run(configured(&directory, &["check"], CONFIG)).stdout.contains("is public"));
}
