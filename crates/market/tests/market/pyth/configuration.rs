//! Valid and invalid configurations of a Pyth source.

use std::{net::SocketAddr, time::Duration};

use firmquote_market::pyth::{PythConfig, PythSource};
use zeroize::Zeroizing;

use crate::{
    pyth::hermes::{config, source},
    server::{TestServer, symbol},
    source_run::SourceRun,
};

fn error_of(config: PythConfig) -> String {
    PythSource::new(config).err().expect("refused").to_string()
}

fn valid_config() -> PythConfig {
    config(SocketAddr::from(([127, 0, 0, 1], 1)))
}

#[test]
fn invalid_stream_settings_are_rejected() {
    assert_eq!(error_of(PythConfig { feeds: vec![], ..valid_config() }), "no feeds");
    let mut duplicate = valid_config();
    duplicate.feeds.push((duplicate.feeds[1].0, symbol("ETH")));
    assert_eq!(error_of(duplicate), "two feeds for ETH");
    for time in [Duration::ZERO, Duration::MAX] {
        for config in [
            PythConfig { connect_timeout: time, ..valid_config() },
            PythConfig { idle_timeout: time, ..valid_config() },
            PythConfig { lifetime: time, ..valid_config() },
        ] {
            assert_eq!(error_of(config), "each time must be above zero and at most 30 days");
        }
    }
    let key = Some(Zeroizing::new("a secret\nwith a line".to_owned()));
    assert_eq!(error_of(PythConfig { api_key: key, ..valid_config() }), "the API key is not a valid header value");
    let base_url = "hermes".to_owned();
    assert_eq!(
        error_of(PythConfig { base_url, ..valid_config() }),
        "the address of Hermes has to start with http:// or https:// and a host"
    );
}

#[tokio::test]
async fn the_key_is_sent_to_the_server_below_the_base() {
    let server = TestServer::start().await;
    let base_url = format!("http://{}/hermes/", server.address());
    let api_key = Some(Zeroizing::new("a-key".to_owned()));
    let run = SourceRun::start(&source(PythConfig { base_url, api_key, ..config(server.address()) }));
    let mut request = server.request().await;
    assert!(request.head.starts_with("GET /hermes/v2/updates/price/stream?ids[]=0x"), "{}", request.head);
    assert!(request.head.contains("authorization: Bearer a-key\r\n"), "{}", request.head);
    request.respond("401 Unauthorized").await;
    assert!(!run.protocol_error().await.contains("a-key"));
}
