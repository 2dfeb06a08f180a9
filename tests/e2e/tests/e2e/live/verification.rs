//! The configuration is checked against the chain before the server starts.

use alloy_sol_types::sol;
use firmquote_domain::Address;
use firmquote_e2e::{
    configuration::ExtraConfig,
    evm::CHAIN_ID,
    exchange::KEY,
    service::run_with_config,
    world::{PreparedWorld, TestEnvironment},
};

use crate::live::setup::{STABLE, nodes, until_quoted, until_refused, web_socket};

const OTHER_KEY: &str = "0x5c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362319";
const UNLISTED: Address = Address::repeat_byte(0x77);

async fn prepared() -> PreparedWorld {
    TestEnvironment::prepare_with(async |node| ExtraConfig {
        chain: nodes(&[&web_socket(node), node.url()]),
        pool: "reserves = \"chain\"\n".to_owned(),
        ..ExtraConfig::default()
    })
    .await
}

/// Asserts that both `serve` and `check` fail and report the mismatch.
fn assert_refused(config: &str, key: &str, wrong: &str) {
    for subcommand in ["serve", "check"] {
        let (is_ok, output) = run_with_config(subcommand, config, key);
        assert!(!is_ok && output.contains(" does not match its configuration:"), "{subcommand}: {output}");
        assert!(output.contains(wrong), "{subcommand}: {wrong}\n{output}");
        assert!(!output.contains("panicked"), "{output}");
    }
}

#[tokio::test]
async fn a_mismatched_pool_prevents_the_start() {
    let world = prepared().await;
    let [eth, usdc, dai] = [0, 1, 2].map(|position| world.tokens[position].to_string());
    let plain = world.plain.to_string();
    assert_refused(&world.config, OTHER_KEY, "the pool honors signatures of ");
    for (changes, wrong) in [
        (vec![("decimals = 6", "decimals = 8")], format!("{usdc} has 6 decimals, but 8 are configured for USDC")),
        (
            vec![
                ("native_symbol = \"ETH\"", "native_symbol = \"XYZ\""),
                (&format!("wrapped_native = \"{eth}\""), &format!("wrapped_native = \"{UNLISTED}\"")),
            ],
            format!("the pool wraps the native coin with {eth}, but {UNLISTED} is configured"),
        ),
        (
            vec![(&format!("address = \"{dai}\""), &format!("address = \"{UNLISTED}\""))],
            format!(
                "the pool does not hold {UNLISTED}, configured as DAI; the pool holds {dai}, which is not configured"
            ),
        ),
        (
            vec![(&format!("address = \"{plain}\""), &format!("address = \"{UNLISTED}\""))],
            format!("{UNLISTED} is configured as the pool, but the contract "),
        ),
        // Signed in the form of the other kind, offers would skip the check or never expire.
        (
            vec![("good_until = \"verified\"", "good_until = \"plain\"")],
            "the pool verifies packed good_until, but good_until = \"plain\" is configured".to_owned(),
        ),
        (
            vec![("good_until = \"plain\"", "good_until = \"verified\"")],
            "the pool does not verify packed good_until, but good_until = \"verified\" is configured".to_owned(),
        ),
        (
            vec![("name = \"Firmquote Test\"", "name = \"Other\"")],
            "the pool signs as \"Firmquote Test\" version \"7\"".to_owned(),
        ),
        (vec![(&format!("id = {CHAIN_ID}"), "id = 10")], format!("is on chain {CHAIN_ID}, but chain 10 is configured")),
    ] {
        let config = changes.iter().fold(world.config.clone(), |config, (from, to)| {
            assert!(config.contains(from), "{from}");
            config.replace(from, to)
        });
        assert_refused(&config, KEY, &wrong);
    }
}

sol! {
    function usedDigest(bytes32) external view returns (bool);
    function eip712Domain() external view;
    function swap(address, address, uint256, uint256, uint256, address, (uint8, bytes32, bytes32), bytes) external;
}

#[tokio::test]
async fn a_pool_that_proves_less_than_its_signatures_rely_on_is_refused_unless_the_operator_vouches_for_it() {
    let world = prepared().await;
    let config = world.config.replace("reserves = \"chain\"", "reserves = \"chain\"\nsingle_use = true");
    for pool in [world.plain, world.verified] {
        world.node.remove_function::<usedDigestCall>(pool).await;
    }
    let vouched = |config: &str, words: &str| {
        config.replace("single_use = true", &format!("single_use = true\naccept_unproved = {words}"))
    };
    let refused = |config: &str, word: &str| {
        for subcommand in ["serve", "check"] {
            let (is_ok, output) = run_with_config(subcommand, config, KEY);
            let remedy = format!("say so with accept_unproved = [\"{word}\"]");
            assert!(!is_ok && output.contains("cannot determine whether") && output.contains(&remedy), "{output}");
        }
    };
    refused(&config, "single_use");
    let config_of_once = vouched(&config, "[\"single_use\"]");
    let (is_ok, output) = run_with_config("check", &config_of_once, KEY);
    assert!(is_ok && output.contains("cannot determine whether the pool executes each signature once"), "{output}");

    for pool in [world.plain, world.verified] {
        world.node.remove_function::<eip712DomainCall>(pool).await;
    }
    let (is_ok, output) = run_with_config("check", &config_of_once, KEY);
    assert!(is_ok && !output.contains("under this domain"), "the key is proved by the contract's answers: {output}");
    let wrong = config_of_once.replace("name = \"Firmquote Test\"", "name = \"Other\"");
    refused(&wrong, "domain");
    let wrong =
        vouched(&config, "[\"single_use\", \"domain\"]").replace("name = \"Firmquote Test\"", "name = \"Other\"");
    let (is_ok, output) = run_with_config("check", &wrong, KEY);
    assert!(is_ok && output.contains("cannot determine whether the pool accepts this key"), "{output}");
}

#[tokio::test]
async fn the_key_of_a_pool_that_checks_its_input_before_the_signer_is_proved() {
    let world = prepared().await;
    for pool in [world.plain, world.verified] {
        world.node.remove_function::<eip712DomainCall>(pool).await;
        world.node.check_input_first::<swapCall>(pool).await;
    }
    let (is_ok, output) = run_with_config("check", &world.config, KEY);
    assert!(is_ok && !output.contains("under this domain"), "{output}");
    let wrong = world.config.replace("name = \"Firmquote Test\"", "name = \"Other\"");
    let (is_ok, output) = run_with_config("check", &wrong, KEY);
    assert!(!is_ok && output.contains("say so with accept_unproved = [\"domain\"]"), "{output}");
}

#[tokio::test]
async fn a_matching_pool_is_shown_with_its_reserves() {
    let world = prepared().await;
    let (is_ok, output) = run_with_config("check", &world.config, KEY);
    assert!(is_ok && output.contains("  reserves     read from the chain\n"), "{output}");
    assert!(output.contains("  value        1800991.95 USD\n") && !output.contains(": its reserves"), "{output}");
    // The tokens of the test have symbols of their own.
    let mut warnings = output.lines().filter(|line| line.starts_with("- pool[1].address"));
    assert!(warnings.all(|line| line.contains("calls itself")), "{output}");
}

#[tokio::test]
async fn a_server_started_before_its_node_quotes_once_the_node_responds() {
    let mut prepared = prepared().await;
    prepared.node.set_suspended(true);
    let mut world = prepared.start();
    until_refused(&world, STABLE, "no reserves received yet").await;
    world.node.set_suspended(false);
    until_quoted(&world, STABLE).await;
}
