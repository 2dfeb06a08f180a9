//! Two nodes: while the preferred one fails, the other one is read from; afterwards the preferred one again.

use firmquote_domain::U256;
use firmquote_market::chain::{NodeFault, ReserveError};

use crate::chain::{
    fake::{Block, CHAIN_ID, FakeNode, Reply, TIME},
    running_source::{RecordedReserves, RunningSource, wait_until},
    setup::source,
};

/// The node that reserves were read from, if they were.
pub(crate) fn names(updates: &RecordedReserves) -> Vec<u64> {
    updates.all().iter().filter_map(|said| said.as_ref().ok()).map(|reserves| reserves.pool_tokens.to()).collect()
}

/// The second node is read from while `break_down` holds for the first, and the first once `repair` was done.
async fn check(what: &str, break_down: impl AsyncFn(&mut FakeNode), repair: impl AsyncFn(&mut FakeNode)) {
    let (mut first, second) = (FakeNode::start(1).await, FakeNode::start(2).await);
    break_down(&mut first).await;
    let running = RunningSource::<RecordedReserves>::start(source(&[&first, &second]));
    check_running(what, &running, (first, second), repair).await;
    assert!(!names(&running.updates).starts_with(&[1]), "{what}: {:?}", running.updates.all());
}

/// The same, of nodes that are at block 100 and of which the first fails.
pub(crate) async fn check_running(
    what: &str,
    running: &RunningSource<RecordedReserves>,
    (mut first, second): (FakeNode, FakeNode),
    repair: impl AsyncFn(&mut FakeNode),
) {
    let skipped = names(&running.updates).len();
    for number in 101..104 {
        second.state().newest = Block::at(number);
        let is_of_block = |reserves: &Result<_, _>| matches!(reserves, Ok(observed) if number_of(observed) == number);
        running.updates.wait(&format!("{what}: the second node is read from"), 0, is_of_block).await;
    }
    assert!(names(&running.updates)[skipped..].iter().all(|name| *name == 2), "{what}: {:?}", running.updates.all());
    repair(&mut first).await;
    first.state().newest = Block::at(104);
    let is_of_first = || (names(&running.updates).last() == Some(&1)).then_some(());
    wait_until(&format!("{what}: the first node is read from again"), is_of_first).await;
    assert_eq!(running.errors.all(), Vec::<String>::new(), "{what}: one good node is enough");
}

const fn number_of(reserves: &firmquote_market::chain::PoolReserves) -> u64 {
    reserves.block_number
}

async fn check_reply(what: &str, method: Option<&'static str>, reply: Reply) {
    let break_down = async |node: &mut FakeNode| match method {
        Some(method) => node.reply_to(method, reply.clone()),
        None => node.reply_to_all(reply.clone()),
    };
    check(what, break_down, async |node: &mut FakeNode| node.state().fault = None).await;
}

fn http(status: &str, headers: &str, body: &str) -> Reply {
    Reply::Raw(format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n{headers}\r\n{body}", body.len()))
}

#[tokio::test]
async fn failing_nodes_are_skipped_until_they_recover() {
    for (what, method, reply) in [
        ("an error with status 200", None, Reply::Error(-32_603, "internal error")),
        ("an error about the block", Some("eth_call"), Reply::Error(-32_000, "missing trie node")),
        ("a revert that the other node does not see", Some("eth_call"), Reply::Error(3, "execution reverted")),
        ("a contract that the other node knows", Some("eth_call"), Reply::Result("0x".into())),
        ("429", None, http("429 Too Many Requests", "retry-after: 1\r\n", "")),
        ("503", None, http("503 Service Unavailable", "", "<html>later</html>")),
        ("401", None, http("401 Unauthorized", "", "{}")),
        ("a redirection", None, http("302 Found", "location: http://127.0.0.1:1/\r\n", "")),
    ] {
        check_reply(what, method, reply).await;
    }
}

#[tokio::test]
async fn nodes_with_invalid_responses_are_skipped_until_they_recover() {
    for (what, method, reply) in [
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
        check_reply(what, method, reply).await;
    }
}

#[tokio::test]
async fn silent_nodes_are_skipped_until_they_recover() {
    for (what, reply) in [
        ("silence", Reply::Silence),
        ("half an answer", Reply::Raw("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{\"jsonrpc\":".to_owned())),
        ("a closed connection", Reply::Close),
    ] {
        check_reply(what, None, reply).await;
    }
    check("a closed port", async |node| node.stop().await, async |node| node.listen().await).await;
}

#[tokio::test]
async fn nodes_of_another_chain_are_never_used() {
    let (wrong, right) =
        (|node: &mut FakeNode| node.state().chain_id = 8, |node: &mut FakeNode| node.state().chain_id = CHAIN_ID);
    check("another chain", async |node| wrong(node), async |node| right(node)).await;

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
    let newest = |block: Block| async move |node: &mut FakeNode| node.state().newest = block;
    for (what, block) in [
        ("20 blocks behind", Block::at(80)),
        ("standing still", Block { time: TIME - 61, ..Block::at(200) }),
        ("from the future", Block { time: TIME + 16, ..Block::at(200) }),
    ] {
        check(what, newest(block), async |_: &mut FakeNode| ()).await;
    }
}

#[tokio::test]
async fn the_survey_finds_a_node_that_falls_behind_later() {
    let (first, second) = (FakeNode::start(1).await, FakeNode::start(2).await);
    let running = RunningSource::<RecordedReserves>::start(source(&[&first, &second]));
    running
        .updates
        .wait("the first is read from", 0, |said| said.as_ref().is_ok_and(|said| said.pool_tokens == U256::ONE))
        .await;
    // Within the lag that is allowed the preferred one stays.
    second.state().newest = Block::at(105);
    let surveys = second.requests("eth_getBlockByNumber");
    wait_until("it was seen", || (second.requests("eth_getBlockByNumber") > surveys + 2).then_some(())).await;
    assert_eq!(names(&running.updates), [1]);
    second.state().newest = Block::at(106);
    running.updates.wait("the second is read from", 1, Result::is_ok).await;
    assert_eq!(names(&running.updates), [1, 2]);
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
    }
    let is_newest = |said: &Result<_, _>| matches!(said, Ok(reserves) if number_of(reserves) == 104);
    running.updates.wait("the first is read from", 0, is_newest).await;
    assert!(running.updates.all().iter().all(Result::is_ok), "{:?}", running.updates.all());
    assert_eq!(running.errors.all(), Vec::<String>::new());
}

#[tokio::test]
async fn sources_are_rate_limited_only_when_every_node_is() {
    let (first, second) = (FakeNode::start(1).await, FakeNode::start(2).await);
    first.reply_to_all(http("429 Too Many Requests", "retry-after: 30\r\n", ""));
    second.reply_to_all(Reply::Error(-32_005, "daily request count exceeded"));
    let running = RunningSource::<RecordedReserves>::start(source(&[&first, &second]));
    let end = running.errors.next("it ends", 0, |_| true).await;
    assert!(end.starts_with("RateLimited { seconds: 10 }"), "{end}");
    let asked = (first.requests("eth_chainId"), second.requests("eth_chainId"));
    running.errors.next("it ends a few times more", 5, |_| true).await;
    assert_eq!((first.requests("eth_chainId"), second.requests("eth_chainId")), asked, "they are left alone");
}

#[tokio::test]
async fn a_contract_that_is_not_a_pool_is_reported() {
    let (first, second) = (FakeNode::start(1).await, FakeNode::start(2).await);
    for node in [&first, &second] {
        node.reply_to("eth_call", Reply::Error(3, "execution reverted"));
    }
    let running = RunningSource::<RecordedReserves>::start(source(&[&first, &second]));
    let said = running.updates.next("it fails", 0, |_| true).await;
    assert_eq!(said, Err(ReserveError::Contract("reverts".to_owned())));
    assert!(running.errors.next("it ends", 0, |_| true).await.starts_with("Protocol"));
}

#[tokio::test]
async fn a_contract_is_not_at_fault_as_long_as_a_node_could_not_be_asked() {
    let (first, second) = (FakeNode::start(1).await, FakeNode::start(2).await);
    first.reply_to("eth_call", Reply::Error(3, "execution reverted"));
    second.reply_to_all(Reply::Close);
    let running = RunningSource::<RecordedReserves>::start(source(&[&first, &second]));
    let said = running.updates.next("it fails", 0, |_| true).await;
    assert!(matches!(said, Err(ReserveError::Unavailable(_))), "{said:?}");
}
