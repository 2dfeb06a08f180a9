//! Nodes behind TLS.

use crate::{
    chain::{
        fake::{FakeNode, Speaks},
        hearing::{MOMENT, Reserves, Running},
        setup::{access, source, source_of},
    },
    tls,
};

#[tokio::test]
async fn a_node_with_an_untrusted_certificate_is_not_used() {
    for speaks in [Speaks::Http, Speaks::WebSocket] {
        let node = FakeNode::start_with(1, speaks, Some(tls::acceptor().0)).await;
        let running = Running::<Reserves>::start(source(&[&node]));
        let end = running.ends.next("it ends", 0, |_| true).await;
        assert!(end.contains("invalid peer certificate"), "{speaks:?}: {end}");
        assert_eq!(node.part().asked, Vec::<String>::new(), "{speaks:?}");
    }
}

#[tokio::test]
async fn a_node_with_a_trusted_authority_is_used() {
    for speaks in [Speaks::Http, Speaks::WebSocket] {
        let (acceptor, certificate) = tls::acceptor();
        let node = FakeNode::start_with(1, speaks, Some(acceptor)).await;
        let mut access = access(vec![node.url()]);
        access.authorities = Some(certificate.into_bytes());
        let running = Running::<Reserves>::start(source_of(access, MOMENT));
        running.updates.wait(&format!("{speaks:?} is read from"), 0, Result::is_ok).await;
    }
}

#[tokio::test]
async fn a_certificate_of_another_authority_is_rejected() {
    for speaks in [Speaks::Http, Speaks::WebSocket] {
        let node = FakeNode::start_with(1, speaks, Some(tls::acceptor().0)).await;
        let mut access = access(vec![node.url()]);
        access.authorities = Some(tls::acceptor().1.into_bytes());
        let running = Running::<Reserves>::start(source_of(access, MOMENT));
        let end = running.ends.next("it ends", 0, |_| true).await;
        assert!(end.contains("invalid peer certificate"), "{speaks:?}: {end}");
    }
}
