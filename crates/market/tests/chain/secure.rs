//! Nodes behind TLS.

use std::{env, process::Command, sync::Arc};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::{ServerConfig, crypto::ring, pki_types::PrivatePkcs8KeyDer};
use tokio_rustls::TlsAcceptor;

use crate::{
    failover::{source, source_of},
    fake::Fake,
    hearing::{Reserves, Running},
};

/// Where a child finds the node.
const URL: &str = "FIRMQUOTE_TEST_NODE";

/// A node behind TLS, and its certificate as PEM.
async fn node() -> (Fake, String) {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let key = PrivatePkcs8KeyDer::from(signing_key.serialize_der()).into();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)
        .unwrap();
    (Fake::start_with(1, Some(TlsAcceptor::from(Arc::new(config)))).await, cert.pem())
}

#[tokio::test]
async fn a_node_that_nobody_vouches_for_is_not_asked() {
    let (node, _) = node().await;
    let running = Running::<Reserves>::start(source(&[&node]));
    let end = running.ends.next("it ends", 0, |_| true).await;
    assert!(end.contains("invalid peer certificate"), "{end}");
    assert_eq!(node.part().asked, Vec::<String>::new());
}

#[tokio::test]
async fn a_node_that_the_system_trusts_is_read_from() {
    let (node, certificate) = node().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("authority.pem");
    std::fs::write(&file, certificate).unwrap();
    let mut child = Command::new(env::current_exe().unwrap());
    child.args(["secure::a_child_reads_from_a_node_that_its_system_trusts", "--exact", "--ignored", "--nocapture"]);
    child.env("SSL_CERT_FILE", file).env_remove("SSL_CERT_DIR").env(URL, node.url());
    let output = tokio::task::spawn_blocking(move || child.output()).await.unwrap().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(node.asked("eth_call") > 0);
}

#[tokio::test]
#[ignore = "runs in a child process of the test above, which sets its certificate authority"]
async fn a_child_reads_from_a_node_that_its_system_trusts() {
    let Ok(url) = env::var(URL) else { return };
    let running = Running::<Reserves>::start(source_of(vec![url]));
    running.heard.wait("it is read from", 0, Result::is_ok).await;
}
