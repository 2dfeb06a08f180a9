//! Checks that a pool contract accepts the signatures of one key and of no other, by simulating swap calls that move
//! nothing.
//!
//! The offer in the calls expired long ago and demands the most for the least, so it is worthless to anyone who obtains
//! it.

use alloy_primitives::Bytes;
use async_trait::async_trait;
use firmquote_domain::Address;

use super::{CallOutcome, ChainError, ChainQuery, ChainRpc, Head, Node, NodeFault};

/// A block time before the offer expires, for contracts that check the expiry first.
const BLOCK_TIME: u64 = 1;

/// Calls of one swap, each with a different signature of the same offer.
#[derive(Clone, Debug)]
pub struct RecoveryProbe {
    /// Signed by the configured key.
    pub configured: Bytes,
    /// Signed by two keys that are not designated signers.
    pub others: [Bytes; 2],
}

/// The conclusion from the outcomes of a [`RecoveryProbe`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// The contract gets further with the signature of the configured key than with the others.
    Proven,
    /// The contract accepts the signature of a key that is not a designated signer.
    AnySigner,
    /// The outcomes are inconclusive.
    Undecided,
}

/// Simulates the calls of `probe` at one block of one node.
///
/// # Errors
/// [`ChainError`] if no node could be read.
pub async fn verify_recovery(rpc: &ChainRpc, pool: Address, probe: &RecoveryProbe) -> Result<Recovery, ChainError> {
    rpc.read(&SwapSimulation { pool, probe }).await
}

struct SwapSimulation<'p> {
    pool: Address,
    probe: &'p RecoveryProbe,
}

#[async_trait]
impl ChainQuery for SwapSimulation<'_> {
    type Output = Recovery;

    async fn read(&self, node: &Node, head: &Head) -> Result<Recovery, NodeFault> {
        let now = self.outcomes(node, head, None).await?;
        match classify(&now) {
            // All calls may have failed because of the expiry. Not every node supports overriding the time.
            Recovery::Undecided => match self.outcomes(node, head, Some(BLOCK_TIME)).await {
                Ok(then) => Ok(classify(&then)),
                Err(NodeFault::Refused { .. } | NodeFault::Malformed(_)) => Ok(Recovery::Undecided),
                Err(fault) => Err(fault),
            },
            decided => Ok(decided),
        }
    }
}

impl SwapSimulation<'_> {
    /// Returns the outcomes with the signature of the configured key and with the two others.
    async fn outcomes(&self, node: &Node, head: &Head, time: Option<u64>) -> Result<[CallOutcome; 3], NodeFault> {
        let [one, other] = &self.probe.others;
        let simulate = async |call: &Bytes| node.simulate(self.pool, call.clone(), head, time).await;
        Ok([simulate(&self.probe.configured).await?, simulate(one).await?, simulate(other).await?])
    }
}

fn classify([ours, one, other]: &[CallOutcome; 3]) -> Recovery {
    let [ours, one, other] = [ours, one, other].map(meaning);
    match (ours, one, other) {
        (_, Some(OutcomeMeaning::Success), _) | (_, _, Some(OutcomeMeaning::Success)) => Recovery::AnySigner,
        (Some(ours), Some(one), Some(other)) if one == other && ours != one => Recovery::Proven,
        _ => Recovery::Undecided,
    }
}

/// The kind of an outcome, independent of the values in it.
#[derive(PartialEq, Eq)]
enum OutcomeMeaning<'o> {
    Success,
    /// The selector of a custom error, without its arguments, which may contain the recovered account.
    Error(&'o [u8]),
    /// The data of a built-in Solidity error: a text or a number.
    Text(&'o [u8]),
}

/// The selectors of `Error(string)` and `Panic(uint256)`.
const BUILTIN_ERROR_SELECTORS: [[u8; 4]; 2] = [[0x08, 0xc3, 0x79, 0xa0], [0x4e, 0x48, 0x7b, 0x71]];

fn meaning(outcome: &CallOutcome) -> Option<OutcomeMeaning<'_>> {
    match outcome {
        CallOutcome::Returned(_) => Some(OutcomeMeaning::Success),
        CallOutcome::Reverted(data) => {
            let selector = data.get(..4)?;
            let is_builtin = BUILTIN_ERROR_SELECTORS.iter().any(|known| known == selector);
            Some(if is_builtin { OutcomeMeaning::Text(data) } else { OutcomeMeaning::Error(selector) })
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
    fn recovery_is_proven_only_by_a_different_kind_of_response() {
        let success = || CallOutcome::Returned(Bytes::new());
        let [own, of_ours, of_one, of_other] =
            [b"\x01\x02\x03\x04", b"\x0a\x0b\x0c\x0d", b"\x0a\x0b\x0c\x0e", b"\x0a\x0b\x0c\x0f"]
                .map(|data| data.as_slice());
        let wrong_signer = |account: u8| reverted(&[9, 9, 9, 9, account]);
        let text = |text: &[u8]| reverted(&[&BUILTIN_ERROR_SELECTORS[0], text].concat());
        for (ours, one, other, expected) in [
            (reverted(own), wrong_signer(1), wrong_signer(2), Recovery::Proven),
            (success(), wrong_signer(1), wrong_signer(2), Recovery::Proven),
            // Under another domain our signature recovers to an unknown account, too.
            (wrong_signer(3), wrong_signer(1), wrong_signer(2), Recovery::Undecided),
            (reverted(own), success(), wrong_signer(2), Recovery::AnySigner),
            (reverted(own), wrong_signer(1), success(), Recovery::AnySigner),
            (text(b"too old"), text(b"wrong"), text(b"wrong"), Recovery::Proven),
            (text(b"wrong"), text(b"wrong"), text(b"wrong"), Recovery::Undecided),
            (text(b"too old"), text(b"wrong 0x1"), text(b"wrong 0x2"), Recovery::Undecided),
            (reverted(b""), wrong_signer(1), wrong_signer(2), Recovery::Undecided),
            (reverted(of_ours), reverted(of_one), reverted(of_other), Recovery::Undecided),
        ] {
            assert_eq!(classify(&[ours.clone(), one, other]), expected, "{ours:?}");
        }
    }
}
