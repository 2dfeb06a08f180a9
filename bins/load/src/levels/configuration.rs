//! The configuration of a service whose pool has many pairs with pushed prices.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::service::API_KEY_HASH;

/// The admin token for pushing prices.
pub(super) const ADMIN_TOKEN: &str = "load-harness-admin-token-0123456789abcdef";

/// Returns the configuration of a pool with this number of `pairs` and of `clients`.
pub(super) fn configuration(pairs: u32, clients: u32) -> String {
    let mut more = String::new();
    for number in 0..pairs {
        let symbol = symbol(number);
        _ = write!(
            more,
            "[[pool.asset]]\nsymbol = \"{symbol}\"\naddress = \"{}\"\ndecimals = 18\nweight = 100\n\
                 reserve = \"476877882758190421102\"\nprice_usd = 2080\n\n[[pool.pair]]\nassets = [\"{symbol}\", \"USDC\"]\n\
                 base_fee_bps = 5\nannual_volatility = 0.60\n\n",
            token(number)
        );
    }
    more.push_str("[[price_source]]\nkind = \"push\"\n\n");
    for number in 0..pairs {
        _ = write!(more, "[[price_source.asset]]\nsymbol = \"{}\"\n\n", symbol(number));
    }
    for number in 0..pairs {
        let symbol = symbol(number);
        _ = write!(
            more,
            "[[price_rule]]\nsymbol = \"{symbol}\"\nmax_age_ms = 60000\nmax_jump_bps_per_second = 9999\n\n"
        );
    }
    for client in 0..clients {
        let hash = hex(&Sha256::digest(key(client)));
        _ = write!(more, "[[credential]]\nclient = \"subscriber-{client}\"\napi_key_sha256 = \"{hash}\"\n\n");
    }
    include_str!("levels.toml")
        .replace("{api_key_sha256}", API_KEY_HASH)
        .replace("{admin_token_sha256}", &hex(&Sha256::digest(ADMIN_TOKEN)))
        + &more
}

pub(super) fn symbol(number: u32) -> String {
    if number == 0 { "ETH".to_owned() } else { format!("T{number}") }
}

pub(super) fn token(number: u32) -> String {
    // The native coin goes by its wrapped-native contract.
    if number == 0 {
        "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2".to_owned()
    } else {
        format!("0x{:040x}", 0x1000 + number)
    }
}

pub(super) fn key(client: u32) -> String {
    format!("load-subscriber-{client:08}-0123456789abcdef")
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}
