//! Servers behind TLS.

use firmquote_market::pyth::PythConfig;

use crate::{
    listener::Run,
    pyth::{
        hermes::{BTC, Exchange, Hermes, feed as recorded},
        setup::{feed, source},
    },
    tls,
};

#[tokio::test]
async fn a_server_with_an_untrusted_certificate_is_not_used() {
    let hermes = Hermes::start().await;
    let (acceptor, _) = tls::acceptor();
    let base_url = format!("https://localhost:{}", hermes.address().port());
    let run = Run::start(&source(PythConfig { base_url, ..feed(hermes.address()) }));
    assert!(acceptor.accept(hermes.connection().await).await.is_err());
    let why = run.gone().await;
    assert!(why.contains("invalid peer certificate"), "{why}");
}

#[tokio::test]
async fn a_server_with_a_trusted_authority_is_used() {
    let hermes = Hermes::start().await;
    let (acceptor, certificate) = tls::acceptor();
    let base_url = format!("https://localhost:{}", hermes.address().port());
    let authorities = Some(certificate.into_bytes());
    let mut run = Run::start(&source(PythConfig { base_url, authorities, ..feed(hermes.address()) }));
    let connection = acceptor.accept(hermes.connection().await).await.expect("trusted");
    let mut stream = Exchange::of(connection).await;
    stream.begin().await;
    stream.update(&[recorded(BTC, "100000000")]).await;
    assert_eq!(run.next().await.1.map(|(price, _, _)| price), Ok("1".to_owned()));
}
