//! Unexpected values, and amounts including edge cases.

use firmquote_domain::U256;
use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;

use super::one;
use crate::draw::log_uniform;

/// Draws an amount as a decimal string, mostly 0.01 to 40.00 whole tokens, which the pools can serve.
pub(super) fn amount(rng: &mut ChaCha8Rng, decimals: usize) -> String {
    match rng.random_range(0..16) {
        0 => one::<&str>(rng, &["0", "1", "2", "00012", "9999999999999999999999999"]).to_owned(),
        1 => (U256::MAX >> rng.random_range(0_usize..255)).to_string(),
        2 => log_uniform(rng, U256::ONE, U256::MAX).to_string(),
        _ => format!("{}{}", rng.random_range(1..4_000), "0".repeat(decimals.saturating_sub(2))),
    }
}

/// Draws a JSON value of any type as text; some are not valid JSON.
pub(super) fn json(rng: &mut ChaCha8Rng) -> String {
    let plain = [
        "null",
        "true",
        "0",
        "-1",
        "1e18",
        "1.5",
        "-0",
        "1e999999",
        "[]",
        "{}",
        "[[[[]]]]",
        "{\"a\":{\"a\":[]}}",
        "\"\"",
        "\" 1\"",
        "\"1 \"",
        "\"+1\"",
        "\"-1\"",
        "\"0x10\"",
        "\"1e3\"",
        "\"1.0\"",
        "\"１２\"",
        "\"\\u0000\"",
        "\"a\\u0000b\"",
        "\"\\ud800\"",
        "\"\\ud83d\\ude00\"",
        "\"ETH\\u202eCDSU\"",
        "\"e\u{301}\u{200d}\"",
        "\"\\n\\r\\t\\u001b[31m\"",
        "\"ETH\\\"\"",
        "'ETH'",
        "NaN",
        "Infinity",
        "01",
        "1_000",
        "\"\u{7f}\"",
        "tru",
        "\"unclosed",
        "[1,]",
        "115792089237316195423570985008687907853269984665640564039457584007913129639935",
        "115792089237316195423570985008687907853269984665640564039457584007913129639936",
        "\"115792089237316195423570985008687907853269984665640564039457584007913129639936\"",
        "\"00000000-0000-0000-0000-000000000000\"",
        "\"ffffffff-ffff-ffff-ffff-ffffffffffff\"",
        "\"0x0000000000000000000000000000000000000000\"",
        "\"0xfffffffffffffffffffffffffffffffffffffffff\"",
        "\"0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed\"",
        "\"0x\"",
        "4294967295",
        "4294967296",
        "18446744073709551616",
    ];
    match rng.random_range(0..12) {
        0 => format!("\"{}\"", "9".repeat(rng.random_range(1..15_000))),
        1 => format!("\"{}\"", "\u{1f4a3}".repeat(rng.random_range(1..3_000))),
        2 => "[".repeat(rng.random_range(1..15_000)),
        4 => {
            let depth = rng.random_range(1..7_000);
            ["[".repeat(depth), "]".repeat(depth)].concat()
        }
        3 => "9".repeat(rng.random_range(1..15_000)),
        _ => one(rng, &plain).to_owned(),
    }
}

/// Draws a raw query value, which may be percent-encoded correctly or not.
pub(super) fn query(rng: &mut ChaCha8Rng) -> String {
    let plain = [
        "",
        "%00",
        "%ff%fe",
        "%zz",
        "%",
        "%2",
        "+",
        "%20",
        "%0d%0aset-cookie:x",
        "null",
        "true",
        "-1",
        "0",
        "1e18",
        "0x1",
        "%C3%A9%CC%81",
        "%F0%9F%92%A3",
        "%ED%A0%80",
        "..%2f..",
        "%252e",
        "ETH%00",
        "4294967296",
        "[]",
        "{}",
        "=",
        "==&&&=",
        "0x0000000000000000000000000000000000000000",
        "115792089237316195423570985008687907853269984665640564039457584007913129639936",
    ];
    match rng.random_range(0..10) {
        0 => "9".repeat(rng.random_range(1..20_000)),
        1 => "%E2%82%AC".repeat(rng.random_range(1..2_000)),
        _ => one(rng, &plain).to_owned(),
    }
}
