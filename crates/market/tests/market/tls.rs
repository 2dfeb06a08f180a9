//! Exchanges, Hermes and nodes behind TLS, with certificates that are trusted or not.

use std::sync::Arc;

use firmquote_market::{
    exchange::{Exchange, ExchangeConfig},
    pyth::PythConfig,
};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::{ServerConfig, crypto::ring, pki_types::PrivatePkcs8KeyDer};
use tokio_rustls::TlsAcceptor;

use crate::{
    chain::{
        fake::{FakeNode, Transport},
        running_source::{POLL_INTERVAL, RecordedReserves, RunningSource},
        setup,
    },
    exchange::{
        fake_exchange::Client,
        setup::{book_ticker, config as exchange_config, source as exchange_source},
    },
    pyth::hermes::{BTC, Exchange as HermesExchange, config as pyth_config, recorded_feed, source as pyth_source},
    server::TestServer,
    source_run::SourceRun,
};

/// Returns an acceptor for `localhost` with a self-signed certificate, and the certificate as PEM.
fn acceptor() -> (TlsAcceptor, String) {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let key = PrivatePkcs8KeyDer::from(signing_key.serialize_der()).into();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)
        .expect("a key for the certificate");
    (TlsAcceptor::from(Arc::new(config)), cert.pem())
}

#[tokio::test]
async fn an_exchange_with_an_untrusted_certificate_is_not_used() {
    let server = TestServer::start().await;
    let (acceptor, _) = acceptor();
    let url = format!("wss://localhost:{}", server.address().port());
    let config = ExchangeConfig { url, ..exchange_config(Exchange::Binance, server.address()) };
    let run = SourceRun::start(&exchange_source(config));
    assert!(acceptor.accept(server.connection().await).await.is_err());
    let cause = run.disconnected().await;
    assert!(cause.contains("invalid peer certificate"), "{cause}");
}

#[tokio::test]
async fn an_exchange_with_a_trusted_authority_is_used() {
    let server = TestServer::start().await;
    let (acceptor, certificate) = acceptor();
    let url = format!("wss://localhost:{}", server.address().port());
    let authorities = Some(certificate.into_bytes());
    let config = ExchangeConfig { url, authorities, ..exchange_config(Exchange::Binance, server.address()) };
    let mut run = SourceRun::start(&exchange_source(config));
    let connection = acceptor.accept(server.connection().await).await.expect("trusted");
    let mut client = Client::accept(connection).await;
    client.send_text(&book_ticker("BTCUSDT", "1", "1")).await;
    assert_eq!(run.next().await.1.map(|(price, _, _)| price), Ok("1".to_owned()));
}

#[tokio::test]
async fn a_server_with_an_untrusted_certificate_is_not_used() {
    let server = TestServer::start().await;
    let (acceptor, _) = acceptor();
    let base_url = format!("https://localhost:{}", server.address().port());
    let run = SourceRun::start(&pyth_source(PythConfig { base_url, ..pyth_config(server.address()) }));
    assert!(acceptor.accept(server.connection().await).await.is_err());
    let cause = run.disconnected().await;
    assert!(cause.contains("invalid peer certificate"), "{cause}");
}

#[tokio::test]
async fn a_server_with_a_trusted_authority_is_used() {
    let server = TestServer::start().await;
    let (acceptor, certificate) = acceptor();
    let base_url = format!("https://localhost:{}", server.address().port());
    let authorities = Some(certificate.into_bytes());
    let mut run = SourceRun::start(&pyth_source(PythConfig { base_url, authorities, ..pyth_config(server.address()) }));
    let connection = acceptor.accept(server.connection().await).await.expect("trusted");
    let mut stream = HermesExchange::receive(connection).await;
    stream.start_stream().await;
    stream.send_update(&[recorded_feed(BTC, "100000000")]).await;
    assert_eq!(run.next().await.1.map(|(price, _, _)| price), Ok("1".to_owned()));
}

#[tokio::test]
async fn a_node_with_an_untrusted_certificate_is_not_used() {
    for transport in [Transport::Http, Transport::WebSocket] {
        let node = FakeNode::start_with(1, transport, Some(acceptor().0)).await;
        let running = RunningSource::<RecordedReserves>::start(setup::source(&[&node]));
        let error = running.errors.next("it ends", 0, |_| true).await;
        assert!(error.contains("invalid peer certificate"), "{transport:?}: {error}");
        assert_eq!(node.state().methods, Vec::<String>::new(), "{transport:?}");
    }
}

#[tokio::test]
async fn a_node_with_a_trusted_authority_is_used() {
    for transport in [Transport::Http, Transport::WebSocket] {
        let (acceptor, certificate) = acceptor();
        let node = FakeNode::start_with(1, transport, Some(acceptor)).await;
        let mut config = setup::config(vec![node.url()]);
        config.authorities = Some(certificate.into_bytes());
        let running = RunningSource::<RecordedReserves>::start(setup::source_with(config, POLL_INTERVAL));
        running.updates.wait(&format!("{transport:?} is read from"), 0, Result::is_ok).await;
    }
}

#[tokio::test]
async fn a_certificate_of_another_authority_is_rejected() {
    for transport in [Transport::Http, Transport::WebSocket] {
        let node = FakeNode::start_with(1, transport, Some(acceptor().0)).await;
        let mut config = setup::config(vec![node.url()]);
        config.authorities = Some(acceptor().1.into_bytes());
        let running = RunningSource::<RecordedReserves>::start(setup::source_with(config, POLL_INTERVAL));
        let error = running.errors.next("it ends", 0, |_| true).await;
        assert!(error.contains("invalid peer certificate"), "{transport:?}: {error}");
    }
}
