//! Failover between nodes over WebSockets, after failures of an open connection to the preferred one.

use crate::chain::{
    failover::{check_running, node_ids},
    fake::{Block, FakeNode, Reply, Transport},
    running_source::{RecordedReserves, RunningSource, wait_until},
    setup::source,
};

pub(crate) async fn node(id: u64) -> FakeNode {
    FakeNode::start_with(id, Transport::WebSocket, None).await
}

async fn check(case: &str, fail: impl AsyncFn(&mut FakeNode), recover: impl AsyncFn(&mut FakeNode)) {
    let (mut first, second) = (node(1).await, node(2).await);
    let running = RunningSource::<RecordedReserves>::start(source(&[&first, &second]));
    wait_until(&format!("{case}: the first node is read from"), || (node_ids(&running.updates) == [1]).then_some(()))
        .await;
    fail(&mut first).await;
    check_running(case, &running, (first, second), recover).await;
}

async fn check_reply(case: &str, method: Option<&'static str>, reply: Reply) {
    let fail = async |node: &mut FakeNode| node.set_fault(method, reply.clone());
    check(case, fail, async |node: &mut FakeNode| node.state().fault = None).await;
}

#[tokio::test]
async fn failing_nodes_are_skipped_until_they_recover() {
    for (case, method, reply) in [
        ("an error", None, Reply::Error(-32_603, "internal error")),
        (
            "an error without an id",
            None,
            Reply::Raw(r#"{"id":null,"error":{"code":-32700,"message":"what"}}"#.to_owned()),
        ),
        ("an error about the block", Some("eth_getBlockByNumber"), Reply::Error(-32_000, "missing trie node")),
        ("no block", Some("eth_getBlockByNumber"), Reply::Result(().into())),
    ] {
        check_reply(case, method, reply).await;
    }
}

#[tokio::test]
async fn nodes_with_invalid_responses_are_skipped_until_they_recover() {
    for (case, reply) in [
        ("garbage", Reply::Raw("hello".to_owned())),
        ("no JSON-RPC", Reply::Raw("{}".to_owned())),
        ("a list", Reply::Raw("[]".to_owned())),
        ("depth", Reply::Raw("[".repeat(1 << 20))),
        ("a notification of nothing", Reply::Raw(r#"{"jsonrpc":"2.0","method":"eth_subscription"}"#.to_owned())),
        ("bytes", Reply::Binary(vec![0; 64])),
        ("spaces", Reply::Raw(" ".repeat(1 << 20))),
        ("the answer to another question", Reply::OtherId),
    ] {
        check_reply(case, None, reply).await;
    }
}

#[tokio::test]
async fn silent_nodes_are_skipped_until_they_recover() {
    check_reply("silence", None, Reply::Silence).await;
    check_reply("a closed connection", None, Reply::Close).await;
    check("a server that is started again", async |node| node.stop().await, async |node| node.listen().await).await;
}

#[tokio::test]
async fn nodes_without_a_handshake_are_skipped_until_they_recover() {
    for (case, response) in [
        ("429", "HTTP/1.1 429 Too Many Requests\r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n"),
        ("503", "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n"),
        ("401", "HTTP/1.1 401 Unauthorized\r\ncontent-length: 2\r\n\r\n{}"),
        ("a redirection", "HTTP/1.1 302 Found\r\nlocation: ws://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n"),
        ("no HTTP", "SSH-2.0-OpenSSH_9.6\r\n"),
        ("no answer to a handshake", ""),
    ] {
        let fail = async |node: &mut FakeNode| {
            node.stop().await;
            node.state().handshake_response = Some(response.to_owned());
            node.listen().await;
        };
        check(case, fail, async |node: &mut FakeNode| node.state().handshake_response = None).await;
    }
}

#[tokio::test]
async fn nodes_that_contradict_the_configuration_are_skipped() {
    let apply = |change: fn(&mut FakeNode)| async move |node: &mut FakeNode| change(node);
    let switch_chain = |node: &mut FakeNode| {
        let mut state = node.state();
        state.chain_id = 8;
        state.newest = Block { branch: 8, ..Block::at(104) };
    };
    check("another chain", apply(switch_chain), apply(|node| node.state().chain_id = crate::chain::fake::CHAIN_ID))
        .await;
    check("20 blocks behind", apply(|node| node.state().newest = Block::at(80)), apply(|_| ())).await;
}

#[tokio::test]
async fn a_handshakes_retry_delay_is_capped_at_an_hour() {
    let node = node(1).await;
    node.state().handshake_response =
        Some("HTTP/1.1 429 Too Many Requests\r\nretry-after: 259200\r\ncontent-length: 0\r\n\r\n".to_owned());
    let running = RunningSource::<RecordedReserves>::start(source(&[&node]));
    let error = running.errors.next("it ends", 0, |_| true).await;
    assert!(error.starts_with("RateLimited { seconds: 3600 }"), "{error}");
}
