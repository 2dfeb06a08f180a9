//! What a source can be made of.

use std::{net::SocketAddr, time::Duration};

use firmquote_market::pyth::{PythConfig, PythSource};
use zeroize::Zeroizing;

use crate::{
    listener::Run,
    pyth::{
        hermes::Hermes,
        setup::{feed, source, symbol},
    },
};

fn refused(feed: PythConfig) -> String {
    PythSource::new(feed).err().expect("refused").to_string()
}

fn somewhere() -> PythConfig {
    feed(SocketAddr::from(([127, 0, 0, 1], 1)))
}

#[test]
fn invalid_stream_settings_are_rejected() {
    assert_eq!(refused(PythConfig { feeds: vec![], ..somewhere() }), "no feeds");
    let mut twice = somewhere();
    twice.feeds.push((twice.feeds[1].0, symbol("ETH")));
    assert_eq!(refused(twice), "two feeds for ETH");
    for time in [Duration::ZERO, Duration::MAX] {
        for feed in [
            PythConfig { connect_timeout: time, ..somewhere() },
            PythConfig { idle_timeout: time, ..somewhere() },
            PythConfig { lifetime: time, ..somewhere() },
        ] {
            assert_eq!(refused(feed), "each time has to be more than zero and at most 30 days");
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
    let hermes = Hermes::start().await;
    let base_url = format!("http://{}/hermes/", hermes.address());
    let api_key = Some(Zeroizing::new("a-key".to_owned()));
    let run = Run::start(&source(PythConfig { base_url, api_key, ..feed(hermes.address()) }));
    let mut request = hermes.request().await;
    assert!(request.head.starts_with("GET /hermes/v2/updates/price/stream?ids[]=0x"), "{}", request.head);
    assert!(request.head.contains("authorization: Bearer a-key\r\n"), "{}", request.head);
    request.refuse("401 Unauthorized").await;
    assert!(!run.against_protocol().await.contains("a-key"));
}
