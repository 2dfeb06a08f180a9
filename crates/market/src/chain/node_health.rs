//! The health of one node: whether its chain is verified, whether it is ranked behind the others or not asked, the
//! newest block at which it was read, and the number of blocks whose events it returns at once.

use std::time::Duration;

use firmquote_domain::Timestamp;
use tokio::time::Instant;

use super::{Head, NodeFault};

/// The number of blocks whose events are requested at once; many nodes refuse more.
const MAX_EVENT_BLOCKS: u64 = 1_000;

/// How long a smaller number applies: the node may have limited the number of events, not of blocks, or have refused for
/// another reason. Finding it again takes a refusal for each halving.
const EVENT_LIMIT_TIME: Duration = Duration::from_secs(30);

/// The health of one node. Initially in good standing, with its chain unverified.
#[derive(Default)]
pub(super) struct NodeHealth {
    /// The newest block that the node has shown since it last failed, while verified to be on the configured chain.
    confirmed_head: Option<Head>,
    /// The time until which other nodes are tried first.
    deprioritized_until: Option<Instant>,
    /// The time until which the node is not queried at all.
    rate_limited_until: Option<Instant>,
    /// Number and time of the newest block at which it was read, unless it failed since.
    newest_head: Option<(u64, Timestamp)>,
    /// The number of blocks whose events the node returns at once, and the time until which it applies.
    event_limit: Option<(u64, Instant)>,
}

impl NodeHealth {
    /// Records a failure. A reorganization, and a failure of a contract alone, do not count against the node.
    pub(super) fn record_failure(&mut self, fault: &NodeFault, now: Instant, cooldown: Duration) {
        match fault {
            NodeFault::Contract(_) | NodeFault::Reorganized => return,
            NodeFault::RateLimited { seconds } => self.rate_limited_until = Some(now + Duration::from_secs(*seconds)),
            _ => {}
        }
        self.deprioritize(now, cooldown);
    }

    /// Ranks the node behind the others for the cooldown, and requires its chain to be verified again. Its newest block
    /// no longer counts against the others.
    pub(super) fn deprioritize(&mut self, now: Instant, cooldown: Duration) {
        self.confirmed_head = None;
        self.newest_head = None;
        self.deprioritized_until = Some(now + cooldown);
    }

    /// Records a successful reading at `head`. A rate limit that a concurrent call received meanwhile stays in effect.
    pub(super) const fn record_success(&mut self, head: &Head) {
        self.deprioritized_until = None;
        self.newest_head = Some((head.number, head.time));
    }

    /// Returns whether `head` is known to be on the configured chain without a query: it continues the block that the
    /// node last showed on that chain. Otherwise another node may be behind the same address by now, or the node may
    /// have been restarted with another chain.
    pub(super) fn is_on_chain(&self, head: &Head) -> bool {
        self.confirmed_head.is_some_and(|earlier| head.continues(&earlier))
    }

    /// Records the newest block that the node shows, which is on the configured chain.
    pub(super) const fn set_confirmed_head(&mut self, head: &Head) {
        self.confirmed_head = Some(*head);
    }

    /// Returns the rest of the rate-limit delay in seconds, rounded up, or `None` if there is none.
    pub(super) fn rate_limit_seconds(&self, now: Instant) -> Option<u64> {
        let left = self.rate_limited_until?.checked_duration_since(now).filter(|left| !left.is_zero())?;
        Some(left.as_secs() + u64::from(left.subsec_nanos() > 0))
    }

    /// Returns the number of blocks whose events to request at once.
    pub(super) fn max_event_blocks(&self, now: Instant) -> u64 {
        self.event_limit.filter(|(_, until)| *until > now).map_or(MAX_EVENT_BLOCKS, |(blocks, _)| blocks)
    }

    /// Records that the node returns the events of this number of blocks, after it refused more.
    pub(super) fn limit_event_blocks(&mut self, blocks: u64, now: Instant) {
        self.event_limit = Some((blocks, now + EVENT_LIMIT_TIME));
    }

    /// Returns the sort key among the nodes: nodes in good standing come first, then failed nodes, starting with the
    /// one that failed first.
    pub(super) fn rank(&self, now: Instant) -> Option<Instant> {
        self.deprioritized_until.filter(|until| *until > now)
    }

    /// Returns the newest block at which the node was read, as long as that block counts as new.
    pub(super) fn highest_block(&self, max_age_seconds: u32, now: Timestamp) -> Option<u64> {
        self.newest_head.filter(|(_, time)| time.plus_seconds(max_age_seconds) >= now).map(|(number, _)| number)
    }
}

#[cfg(test)]
mod tests {
    use firmquote_domain::B256;

    use super::*;

    const COOLDOWN: Duration = Duration::from_secs(30);

    fn late() -> NodeFault {
        NodeFault::Timeout { call: "eth_chainId".to_owned(), millis: 1 }
    }

    /// A block whose hash is `number`.
    fn block(number: u8) -> Head {
        let hash = B256::with_last_byte;
        let time = Timestamp::from_seconds(1_000);
        Head { number: number.into(), hash: hash(number), parent_hash: hash(number - 1), time }
    }

    #[test]
    fn a_failed_node_is_deprioritised_and_its_chain_rechecked() {
        let now = Instant::now();
        let mut health = NodeHealth::default();
        health.set_confirmed_head(&block(7));
        health.record_failure(&late(), now, COOLDOWN);
        assert!(!health.is_on_chain(&block(7)));
        assert_eq!(health.rate_limit_seconds(now), None);
        assert_eq!(health.rank(now), Some(now + COOLDOWN));
        assert_eq!(health.rank(now + COOLDOWN), None);
        health.record_success(&block(7));
        assert_eq!(health.rank(now), None);
    }

    #[test]
    fn a_nodes_chain_is_rechecked_unless_its_block_extends_the_last_one() {
        let mut health = NodeHealth::default();
        assert!(!health.is_on_chain(&block(7)));
        health.set_confirmed_head(&block(7));
        for (number, expected) in [(7, true), (8, true), (9, false), (6, false)] {
            assert_eq!(health.is_on_chain(&block(number)), expected, "{number}");
        }
    }

    #[test]
    fn a_busy_node_is_not_called_before_its_retry_delay() {
        let now = Instant::now();
        let mut health = NodeHealth::default();
        health.record_failure(&NodeFault::RateLimited { seconds: 90 }, now, COOLDOWN);
        for (passed_ms, left) in [(0, Some(90)), (500, Some(90)), (89_999, Some(1)), (90_000, None)] {
            assert_eq!(health.rate_limit_seconds(now + Duration::from_millis(passed_ms)), left, "{passed_ms}");
        }
    }

    #[test]
    fn contract_failures_and_reorganizations_do_not_count_against_the_node() {
        let now = Instant::now();
        let mut health = NodeHealth::default();
        health.set_confirmed_head(&block(7));
        for fault in [NodeFault::Contract("reverts".to_owned()), NodeFault::Reorganized] {
            health.record_failure(&fault, now, COOLDOWN);
            assert_eq!((health.is_on_chain(&block(7)), health.rank(now)), (true, None), "{fault}");
        }
    }

    #[test]
    fn a_limit_on_events_is_tested_again_after_some_time() {
        let now = Instant::now();
        let mut health = NodeHealth::default();
        health.limit_event_blocks(8, now);
        for (passed, expected) in [(Duration::ZERO, 8), (EVENT_LIMIT_TIME, MAX_EVENT_BLOCKS)] {
            assert_eq!(health.max_event_blocks(now + passed), expected, "{passed:?}");
        }
    }

    #[test]
    fn a_height_counts_once_it_was_read_while_recent_and_until_the_node_fails() {
        let time = Timestamp::from_seconds;
        let mut health = NodeHealth::default();
        health.set_confirmed_head(&block(7));
        assert_eq!(health.highest_block(60, time(1_000)), None, "it was only shown");
        health.record_success(&block(7));
        assert_eq!(health.highest_block(60, time(1_060)), Some(7));
        assert_eq!(health.highest_block(60, time(1_061)), None);
        health.record_failure(&late(), Instant::now(), COOLDOWN);
        assert_eq!(health.highest_block(60, time(1_000)), None);
    }
}
