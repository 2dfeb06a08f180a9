//! What a source can be made of.

use std::{net::SocketAddr, time::Duration};

use firmquote_market::pyth::{PythConfig, PythSource};
use zeroize::Zeroizing;

use crate::{
    pyth::hermes::{config, source},
    server::{TestServer, symbol},
    source_run::SourceRun,
};

fn refused(config: PythConfig) -> String {
    PythSource::new(config).err().expect("refused").to_string()
}

fn somewhere() -> PythConfig {
    config(SocketAddr::from(([127, 0, 0, 1], 1)))
}

#[test]
fn invalid_stream_settings_are_rejected() {
    assert_eq!(refused(PythConfig { feeds: vec![], ..somewhere() }), "no feeds");
    let mut twice = somewhere();
    twice.feeds.push((twice.feeds[1].0, symbol("ETH")));
    assert_eq!(refused(twice), "two feeds for ETH");
    for time in [Duration::ZERO, Duration::MAX] {
        for config in [
            PythConfig { connect_timeout: time, ..somewhere() },
            PythConfig { idle_timeout: time, ..somewhere() },
            PythConfig { lifetime: time, ..somewhere() },
        ] {
            assert_eq!(refused(config), "each time has to be more than zero and at most 30 days");
        }
    }
    let key = Some(Zeroizing::new("a secret\nwith a line".to_owned()));
    assert_eq!(refused(PythConfig { api_key: key, ..somewhere() }), "the API key is not a valid header value");
    let base_url = "hermes".to_owned();
    assert_eq!(
        refused(PythConfig { base_url, ..somewhere() }),
        "the address of Hermes has to start with https:// and a host"
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
