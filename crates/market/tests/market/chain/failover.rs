//! Failover between two nodes: while the preferred one fails the other is read from, afterwards the preferred one
//! again.

use firmquote_domain::U256;
use firmquote_market::chain::{NodeFault, ReserveError};

use crate::chain::{
    fake::{Block, CHAIN_ID, FakeNode, Reply, TIME},
    running_source::{RecordedReserves, RunningSource, wait_until},
    setup::source,
};

/// Returns the ids of the nodes that reserves were read from.
pub(crate) fn node_ids(updates: &RecordedReserves) -> Vec<u64> {
    updates.all().iter().filter_map(|update| update.as_ref().ok()).map(|reserves| reserves.pool_tokens.to()).collect()
}

/// Checks that the second node is read from after `fail` was applied to the first, and the first after `recover`.
async fn check(case: &str, fail: impl AsyncFn(&mut FakeNode), recover: impl AsyncFn(&mut FakeNode)) {
    let (mut first, second) = (FakeNode::start(1).await, FakeNode::start(2).await);
    fail(&mut first).await;
    let running = RunningSource::<RecordedReserves>::start(source(&[&first, &second]));
    check_running(case, &running, (first, second), recover).await;
    assert!(!node_ids(&running.updates).starts_with(&[1]), "{case}: {:?}", running.updates.all());
}

/// Checks the same for running nodes at block 100 of which the first fails.
pub(crate) async fn check_running(
    case: &str,
    running: &RunningSource<RecordedReserves>,
    (mut first, second): (FakeNode, FakeNode),
    recover: impl AsyncFn(&mut FakeNode),
) {
    let earlier = node_ids(&running.updates).len();
    for number in 101..104 {
        // At a height that it was read at, the first node would only be asked for its newest block.
        let is_level = first.state().newest.number == number - 1;
        is_level.then(|| first.state().newest = Block::at(number));
        second.state().newest = Block::at(number);
        running.updates.wait_for_block(&format!("{case}: the second node is read from"), number).await;
    }
    assert!(node_ids(&running.updates)[earlier..].iter().all(|id| *id == 2), "{case}: {:?}", running.updates.all());
    recover(&mut first).await;
    first.state().newest = Block::at(104);
    let is_read_from_first = || (node_ids(&running.updates).last() == Some(&1)).then_some(());
    wait_until(&format!("{case}: the first node is read from again"), is_read_from_first).await;
    assert_eq!(running.errors.all(), Vec::<String>::new(), "{case}: one good node is enough");
}

async fn check_reply(case: &str, method: Option<&'static str>, reply: Reply) {
    let fail = async |node: &mut FakeNode| node.set_fault(method, reply.clone());
    check(case, fail, async |node: &mut FakeNode| node.state().fault = None).await;
}

fn http(status: &str, headers: &str, body: &str) -> Reply {
    Reply::Raw(format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n{headers}\r\n{body}", body.len()))
}

#[tokio::test]
async fn failing_nodes_are_skipped_until_they_recover() {
    for (case, method, reply) in [
        ("an error with status 200", None, Reply::Error(-32_603, "internal error")),
        ("an error about the block", Some("eth_call"), Reply::Error(-32_000, "missing trie node")),
        ("a revert that the other node does not see", Some("eth_call"), Reply::Error(3, "execution reverted")),
        ("a contract that the other node knows", Some("eth_call"), Reply::Result("0x".into())),
        ("429", None, http("429 Too Many Requests", "retry-after: 1\r\n", "")),
        ("503", None, http("503 Service Unavailable", "", "<html>later</html>")),
        ("401", None, http("401 Unauthorized", "", "{}")),
        ("a redirection", None, http("302 Found", "location: http://127.0.0.1:1/\r\n", "")),
    ] {
        check_reply(case, method, reply).await;
    }
}

#[tokio::test]
async fn nodes_with_invalid_responses_are_skipped_until_they_recover() {
    for (case, method, reply) in [
        ("no JSON", None, http("200 OK", "", "hello")),
        ("no JSON-RPC", None, http("200 OK", "", "{}")),
        ("no HTTP", None, Reply::Raw("SSH-2.0-OpenSSH_9.6\r\n".to_owned())),
        ("more than anybody reads", None, http("200 OK", "", &" ".repeat(5 << 20))),
        ("another question", None, Reply::OtherId),
        ("no block", Some("eth_getBlockByNumber"), Reply::Result(().into())),
        ("a block without a number", Some("eth_getBlockByNumber"), Reply::Result("0x1".into())),
        ("half a word", Some("eth_call"), Reply::Result("0x01".into())),
        ("no chain id", Some("eth_chainId"), Reply::Result("seven".into())),
    ] {
        check_reply(case, method, reply).await;
    }
}

#[tokio::test]
async fn silent_nodes_are_skipped_until_they_recover() {
    for (case, reply) in [
        ("silence", Reply::Silence),
        ("half an answer", Reply::Raw("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{\"jsonrpc\":".to_owned())),
        ("a closed connection", Reply::Close),
    ] {
        check_reply(case, None, reply).await;
    }
    check("a closed port", async |node| node.stop().await, async |node| node.listen().await).await;
}

#[tokio::test]
async fn nodes_of_another_chain_are_never_used() {
    let (leave_chain, rejoin_chain) =
        (|node: &mut FakeNode| node.state().chain_id = 8, |node: &mut FakeNode| node.state().chain_id = CHAIN_ID);
    check("another chain", async |node| leave_chain(node), async |node| rejoin_chain(node)).await;

    let node = FakeNode::start(1).await;
    node.state().chain_id = 8;
    let running = RunningSource::<RecordedReserves>::start(source(&[&node]));
    let Err(ReserveError::Unavailable(error)) = running.updates.next("it fails", 0, Result::is_err).await else {
        panic!("{:?}", running.updates.all());
    };
    assert!(error.to_string().ends_with(&NodeFault::WrongChain { actual: 8 }.to_string()), "{error}");
    assert_eq!(node.requests("eth_call"), 0);
}

#[tokio::test]
async fn stale_nodes_are_skipped_until_they_catch_up() {
    let set_newest = |block: Block| async move |node: &mut FakeNode| node.state().newest = block;
    for (case, block) in [
        ("20 blocks behind", Block::at(80)),
        ("standing still", Block { time: TIME - 61, ..Block::at(200) }),
        ("from the future", Block { time: TIME + 16, ..Block::at(200) }),
    ] {
        check(case, set_newest(block), async |_: &mut FakeNode| ()).await;
    }
}

#[tokio::test]
async fn the_survey_finds_a_node_that_falls_behind_later() {
    let (first, second) = (FakeNode::start(1).await, FakeNode::start(2).await);
    let running = RunningSource::<RecordedReserves>::start(source(&[&first, &second]));
    running
        .updates
        .wait("the first is read from", 0, |update| {
            update.as_ref().is_ok_and(|reserves| reserves.pool_tokens == U256::ONE)
        })
        .await;
    // Within the allowed lag the preferred one is still used.
    second.state().newest = Block::at(105);
    let surveys = second.requests("eth_getBlockByNumber");
    wait_until("it was seen", || (second.requests("eth_getBlockByNumber") > surveys + 2).then_some(())).await;
    assert_eq!(node_ids(&running.updates), [1]);
    second.state().newest = Block::at(106);
    running.updates.wait("the second is read from", 1, Result::is_ok).await;
    assert_eq!(node_ids(&running.updates), [1, 2]);
}

#[tokio::test]
async fn a_node_that_cannot_be_read_at_its_block_does_not_count_against_the_others() {
    let (first, second) = (FakeNode::start(1).await, FakeNode::start(2).await);
    second.state().newest = Block::at(1_000);
    second.reply_to("eth_call", Reply::Error(-32_000, "missing trie node"));
    let running = RunningSource::<RecordedReserves>::start(source(&[&first, &second]));
    for number in 101..105 {
        first.state().newest = Block::at(number);
        let surveys = second.requests("eth_call");
        wait_until("it was seen", || (second.requests("eth_call") > surveys).then_some(())).await;
        // Before the next block: a block that is no longer the newest cannot be read.
        running.updates.wait_for_block("the first is read from", number).await;
    }
    assert!(running.updates.all().iter().all(Result::is_ok), "{:?}", running.updates.all());
    assert_eq!(running.errors.all(), Vec::<String>::new());
}

#[tokio::test]
async fn sources_are_rate_limited_only_when_every_node_is() {
    let (first, second) = (FakeNode::start(1).await, FakeNode::start(2).await);
    first.reply_to_all(http("429 Too Many Requests", "retry-after: 30\r\n", ""));
    second.reply_to_all(Reply::Error(-32_005, "daily request count exceeded"));
    let running = RunningSource::<RecordedReserves>::start(source(&[&first, &second]));
    let error = running.errors.next("it ends", 0, |_| true).await;
    assert!(error.starts_with("RateLimited { seconds: 10 }"), "{error}");
    let requests = (first.requests("eth_chainId"), second.requests("eth_chainId"));
    running.errors.next("it ends a few times more", 5, |_| true).await;
    assert_eq!((first.requests("eth_chainId"), second.requests("eth_chainId")), requests, "they are left alone");
}

#[tokio::test]
async fn a_contract_that_is_not_a_pool_is_reported() {
    let (first, second) = (FakeNode::start(1).await, FakeNode::start(2).await);
    for node in [&first, &second] {
        node.reply_to("eth_call", Reply::Error(3, "execution reverted"));
    }
    let running = RunningSource::<RecordedReserves>::start(source(&[&first, &second]));
    let update = running.updates.next("it fails", 0, |_| true).await;
    assert_eq!(update, Err(ReserveError::Contract("reverts in allTokensBalance()".to_owned())));
    assert!(running.errors.next("it ends", 0, |_| true).await.starts_with("Protocol"));
}

#[tokio::test]
async fn a_contract_is_not_at_fault_as_long_as_a_node_could_not_be_asked() {
    let (first, second) = (FakeNode::start(1).await, FakeNode::start(2).await);
    first.reply_to("eth_call", Reply::Error(3, "execution reverted"));
    second.reply_to_all(Reply::Close);
    let running = RunningSource::<RecordedReserves>::start(source(&[&first, &second]));
    let update = running.updates.next("it fails", 0, |_| true).await;
    assert!(matches!(update, Err(ReserveError::Unavailable(_))), "{update:?}");
}
