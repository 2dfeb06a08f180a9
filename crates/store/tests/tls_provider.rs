//! TLS to Redis is the program's choice. The only test of its process, which must not have installed a provider.

use std::time::Duration;

use firmquote_store::redis::{KeyPrefix, RedisAddress, RedisConfig, RedisStore, Servers, TlsFiles};

#[tokio::test]
async fn no_process_wide_tls_provider_is_installed() {
    let config = RedisConfig {
        servers: Servers::One(RedisAddress::parse("rediss://localhost:6380").expect("an address")),
        credentials: None,
        tls: TlsFiles::default(),
        prefix: KeyPrefix::new("test").expect("a prefix"),
        timeout: Duration::from_secs(1),
        wait_replicas: 0,
        status_retention_seconds: 0,
        ledger_max_age_seconds: 3_600,
        wait_aof: None,
        max_clock_skew: Duration::from_secs(5),
    };
    let refused = RedisStore::connect(&config).await.map(drop).expect_err("nothing was installed");
    assert!(refused.to_string().contains("install a TLS provider"), "{refused}");
    assert!(rustls::crypto::CryptoProvider::get_default().is_none());
}
