//! Whether a pool contract honours the signatures of a key and of no other: calls of a swap that move nothing, simulated.
//!
//! The offer in them has expired long ago and asks for the most for the least, so that nobody gains by having it.

use alloy_primitives::Bytes;
use async_trait::async_trait;
use firmquote_domain::Address;

use super::{CallOutcome, ChainError, ChainRpc, Head, Node, NodeFault, Reading};

/// A block time before the offer expires, for contracts that look at the expiry first.
const BLOCK_TIME: u64 = 1;

/// Calls of the same swap, each with another signature of the same offer.
#[derive(Clone, Debug)]
pub struct RecoveryProbe {
    /// Signed by the key that is configured.
    pub ours: Bytes,
    /// Signed by two keys that nobody has designated.
    pub strangers: [Bytes; 2],
}

/// What the answers to a [`RecoveryProbe`] show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// The contract gets further with our signature than with those of strangers.
    Proven,
    /// The contract takes the signature of a stranger.
    AnySigner,
    /// The answers do not differ in what they say.
    Undecided,
}

/// Simulates the calls of `probe` at one block of one node.
///
/// # Errors
/// [`ChainError`] when no node could be asked.
pub async fn verify_recovery(rpc: &ChainRpc, pool: Address, probe: &RecoveryProbe) -> Result<Recovery, ChainError> {
    rpc.read(&SwapSimulation { pool, probe }).await
}

struct SwapSimulation<'p> {
    pool: Address,
    probe: &'p RecoveryProbe,
}

#[async_trait]
impl Reading for SwapSimulation<'_> {
    type Answer = Recovery;

    async fn read(&self, node: &Node, head: &Head) -> Result<Recovery, NodeFault> {
        let now = self.outcomes(node, head, None).await?;
        match judge(&now) {
            // Perhaps it is the expiry that all of them fail on. Not every node can set the time.
            Recovery::Undecided => match self.outcomes(node, head, Some(BLOCK_TIME)).await {
                Ok(then) => Ok(judge(&then)),
                Err(NodeFault::Refused { .. } | NodeFault::Malformed(_)) => Ok(Recovery::Undecided),
                Err(fault) => Err(fault),
            },
            decided => Ok(decided),
        }
    }
}

impl SwapSimulation<'_> {
    /// The outcomes with our signature and with those of two strangers.
    async fn outcomes(&self, node: &Node, head: &Head, time: Option<u64>) -> Result<[CallOutcome; 3], NodeFault> {
        let [one, other] = &self.probe.strangers;
        let simulate = async |call: &Bytes| node.simulate(self.pool, call.clone(), head, time).await;
        Ok([simulate(&self.probe.ours).await?, simulate(one).await?, simulate(other).await?])
    }
}

fn judge([ours, one, other]: &[CallOutcome; 3]) -> Recovery {
    let [ours, one, other] = [ours, one, other].map(meaning);
    match (ours, one, other) {
        (_, Some(OutcomeMeaning::Success), _) | (_, _, Some(OutcomeMeaning::Success)) => Recovery::AnySigner,
        (Some(ours), Some(one), Some(other)) if one == other && ours != one => Recovery::Proven,
        _ => Recovery::Undecided,
    }
}

/// What an outcome says, whatever values it says it of.
#[derive(PartialEq, Eq)]
enum OutcomeMeaning<'o> {
    Success,
    /// The selector of an error of the contract's own: its arguments may be the recovered account.
    Error(&'o [u8]),
    /// A text or a number that the language itself reverts with.
    Text(&'o [u8]),
}

/// `Error(string)` and `Panic(uint256)`.
const OF_LANGUAGE: [[u8; 4]; 2] = [[0x08, 0xc3, 0x79, 0xa0], [0x4e, 0x48, 0x7b, 0x71]];

fn meaning(outcome: &CallOutcome) -> Option<OutcomeMeaning<'_>> {
    match outcome {
        CallOutcome::Returned(_) => Some(OutcomeMeaning::Success),
        CallOutcome::Reverted(data) => {
            let selector = data.get(..4)?;
            let is_of_language = OF_LANGUAGE.iter().any(|known| known == selector);
            Some(if is_of_language { OutcomeMeaning::Text(data) } else { OutcomeMeaning::Error(selector) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reverted(data: &[u8]) -> CallOutcome {
        CallOutcome::Reverted(Bytes::copy_from_slice(data))
    }

    #[test]
    fn recovery_is_proven_by_another_kind_of_answer_alone() {
        let success = || CallOutcome::Returned(Bytes::new());
        let [own, of_ours, of_one, of_other] =
            [b"\x01\x02\x03\x04", b"\x0a\x0b\x0c\x0d", b"\x0a\x0b\x0c\x0e", b"\x0a\x0b\x0c\x0f"]
                .map(|data| data.as_slice());
        let wrong_signer = |account: u8| reverted(&[9, 9, 9, 9, account]);
        let text = |text: &[u8]| reverted(&[&OF_LANGUAGE[0], text].concat());
        for (ours, one, other, expected) in [
            (reverted(own), wrong_signer(1), wrong_signer(2), Recovery::Proven),
            (success(), wrong_signer(1), wrong_signer(2), Recovery::Proven),
            // Under another domain our signature recovers to a stranger, too.
            (wrong_signer(3), wrong_signer(1), wrong_signer(2), Recovery::Undecided),
            (reverted(own), success(), wrong_signer(2), Recovery::AnySigner),
            (reverted(own), wrong_signer(1), success(), Recovery::AnySigner),
            (text(b"too old"), text(b"wrong"), text(b"wrong"), Recovery::Proven),
            (text(b"wrong"), text(b"wrong"), text(b"wrong"), Recovery::Undecided),
            (text(b"too old"), text(b"wrong 0x1"), text(b"wrong 0x2"), Recovery::Undecided),
            (reverted(b""), wrong_signer(1), wrong_signer(2), Recovery::Undecided),
            (reverted(of_ours), reverted(of_one), reverted(of_other), Recovery::Undecided),
        ] {
            assert_eq!(judge(&[ours.clone(), one, other]), expected, "{ours:?}");
        }
    }
}
