//! Entry points of the fuzz targets `stored`, which decodes every kind of value read from Redis, and `certificates`,
//! which parses the TLS files of a connection.
//!
//! Built for fuzzing, and for the tests that replay the corpora of the targets; not part of any program.

use std::time::Duration;

use firmquote_domain::{Address, ChainId, PoolId, QuoteId, Usd};

use super::{
    KeyPrefix, RedisAddress, RedisConfig, Servers, TlsFiles, book,
    codec::{decode_outcome, decode_quote, decode_record, encode_outcome, encode_quote, encode_record},
    connection::connect::ConnectionFactory,
    generation::Generation,
    pauses::parse_pool_id,
    volume::decode_window,
};
use crate::{ledger, volume::WINDOW_SECONDS};

const ID: QuoteId = QuoteId::from_bytes([7; 16]);

/// Decodes `data` as the value of a quote, a record, an outcome, a booked swap and a volume total, and as a member of
/// the set of paused pools.
///
/// # Panics
/// When a decoded value changes in another round trip, when its ledger entry is not one line of JSON, and when a
/// refused trade gets a wait longer than the window.
pub fn stored(data: &[u8]) {
    if let Some(quote) = decode_quote(ID, data) {
        let again = encode_quote(&quote, 1, &Generation::UNKNOWN).ok().and_then(|bytes| decode_quote(ID, &bytes));
        assert_eq!(again, Some(quote));
    }
    if let Some(signed) = decode_record(ID, data) {
        let line = ledger::line(&signed).unwrap_or_default();
        assert!(line.starts_with('{') && !line.contains('\n'), "{line:?}");
        assert!(serde_json::from_str::<serde_json::Value>(&line).is_ok(), "{line}");
        let again = encode_record(&signed).ok();
        assert_eq!(again.and_then(|bytes| decode_record(ID, &bytes)), Some(signed));
    }
    if let Some(outcome) = decode_outcome(data) {
        assert_eq!(encode_outcome(&outcome).ok().and_then(|bytes| decode_outcome(&bytes)), Some(outcome));
    }
    let pool_id = ChainId::new(1).map(|chain_id| PoolId { chain_id, address: Address::ZERO });
    if let Some(pool) = pool_id
        && let Some(booked) = book::codec::decode(pool, ID, data)
    {
        let again = book::codec::encode(&booked).ok().and_then(|bytes| book::codec::decode(pool, ID, &bytes));
        assert_eq!(again, Some(booked));
    }
    if let Some(pool) = parse_pool_id(data) {
        assert_eq!(pool.to_string().as_bytes(), data);
    }
    check_volume_total(data);
}

/// Checks trades of zero, medium and maximum value against a total, before, in and after its seconds.
fn check_volume_total(data: &[u8]) {
    let Some(window) = decode_window(data) else { return };
    let [nothing, some, all] = [0, 1_000_000_000, u64::MAX].map(Usd::new);
    for now in [0, 1_763_700_000, u32::MAX] {
        for (value, limit) in [(nothing, nothing), (nothing, some), (some, some), (some, all), (all, all), (all, some)]
        {
            let Some(excess) = window.excess(value, limit, now) else { continue };
            let wait = excess.retry_after_seconds;
            assert_eq!(wait.is_none(), value > limit, "{window:?}");
            assert!(wait.is_none_or(|wait| (1..=WINDOW_SECONDS + 1).contains(&wait)), "{wait:?}, {window:?}");
        }
    }
}

/// Parses `data` as the certificates of authorities, and as the client certificate with its key.
///
/// # Panics
/// When an error message is long: it would repeat contents of the files.
pub fn certificates(data: &[u8]) {
    const MAX_LENGTH: usize = 80;
    // Only the first call in a process succeeds.
    drop(rustls::crypto::ring::default_provider().install_default());
    let (Ok(address), Some(prefix)) = (RedisAddress::parse("rediss://localhost"), KeyPrefix::new("fuzz")) else {
        return;
    };
    let config = RedisConfig {
        servers: Servers::One(address),
        credentials: None,
        tls: TlsFiles { authorities: Some(data.to_vec()), client: Some((data.to_vec(), data.to_vec().into())) },
        prefix,
        timeout: Duration::from_secs(1),
        wait_replicas: 0,
        wait_aof: None,
        max_clock_skew: Duration::from_secs(1),
        status_retention_seconds: 0,
        ledger_max_age_seconds: 0,
    };
    if let Err(error) = ConnectionFactory::new(&config) {
        let error_text = error.to_string();
        assert!(error_text.len() <= MAX_LENGTH, "{error_text}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_values_pass_the_fuzz_corpus() {
        firmquote_test_corpus::replay("stored", stored);
    }

    #[test]
    fn certificates_pass_the_fuzz_corpus() {
        firmquote_test_corpus::replay("certificates", certificates);
    }
}
