//! Checks that a pool contract accepts the signatures of one key and of no other, by simulating swap calls that move
//! nothing.
//!
//! The offer in the calls expired long ago and gives the minimum for the maximum, so it is worthless to anyone who
//! obtains it.

use alloy_primitives::Bytes;
use async_trait::async_trait;
use firmquote_domain::Address;

use super::{CallOutcome, ChainError, ChainQuery, ChainRpc, Head, Node, NodeFault, contract_call::SimulationOverrides};

/// A block time before the offer expires, for contracts that check the expiry first.
const BLOCK_TIME: u64 = 1;

/// Calls of one swap, each with a different signature of the same offer.
#[derive(Clone, Debug)]
pub struct RecoveryProbe {
    /// Signed by the configured key.
    pub configured: Bytes,
    /// Signed by two keys that are not designated signers.
    pub others: [Bytes; 2],
    /// The tokens of the offer.
    pub tokens: [Address; 2],
}

/// The conclusion from the outcomes of a [`RecoveryProbe`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecoveryOutcome {
    /// The contract gets further with the signature of the configured key than with the others.
    Proven,
    /// The contract accepts the signature of a key that is not a designated signer.
    AnySigner,
    /// The outcomes are inconclusive.
    Inconclusive,
}

/// Simulates the calls of `probe` at one block of one node.
///
/// # Errors
/// [`ChainError`] if no node could be read.
pub async fn verify_recovery(
    rpc: &ChainRpc,
    pool: Address,
    probe: &RecoveryProbe,
) -> Result<RecoveryOutcome, ChainError> {
    rpc.read(&SwapSimulation { pool, probe }).await
}

struct SwapSimulation<'p> {
    pool: Address,
    probe: &'p RecoveryProbe,
}

#[async_trait]
impl ChainQuery for SwapSimulation<'_> {
    type Output = RecoveryOutcome;

    async fn read(&self, node: &Node, head: &Head) -> Result<RecoveryOutcome, NodeFault> {
        // All calls may have failed because of the expiry, or because the input was not delivered.
        let unexpired = SimulationOverrides { block_time: Some(BLOCK_TIME), ..SimulationOverrides::default() };
        let delivered = SimulationOverrides { abundant_tokens: &self.probe.tokens, ..unexpired };
        for overrides in [SimulationOverrides::default(), unexpired, delivered] {
            match self.outcomes(node, head, overrides).await {
                Ok(outcomes) => match classify(&outcomes) {
                    RecoveryOutcome::Inconclusive => {}
                    conclusive => return Ok(conclusive),
                },
                Err(NodeFault::Refused { .. } | NodeFault::Malformed(_))
                    if overrides != SimulationOverrides::default() =>
                {
                    break;
                }
                Err(fault) => return Err(fault),
            }
        }
        Ok(RecoveryOutcome::Inconclusive)
    }
}

impl SwapSimulation<'_> {
    /// Returns the outcomes with the signature of the configured key and with the two others.
    async fn outcomes(
        &self,
        node: &Node,
        head: &Head,
        overrides: SimulationOverrides<'_>,
    ) -> Result<[CallOutcome; 3], NodeFault> {
        let [one, other] = &self.probe.others;
        let simulate = async |call: &Bytes| node.simulate((self.pool, "a swap"), call.clone(), head, overrides).await;
        Ok([simulate(&self.probe.configured).await?, simulate(one).await?, simulate(other).await?])
    }
}

fn classify([ours, one, other]: &[CallOutcome; 3]) -> RecoveryOutcome {
    let [ours, one, other] = [ours, one, other].map(outcome_kind);
    match (ours, one, other) {
        (_, Some(OutcomeKind::Success), _) | (_, _, Some(OutcomeKind::Success)) => RecoveryOutcome::AnySigner,
        (Some(ours), Some(one), Some(other)) if one == other && ours != one => RecoveryOutcome::Proven,
        _ => RecoveryOutcome::Inconclusive,
    }
}

/// The kind of an outcome, independent of the values in it.
#[derive(PartialEq, Eq)]
enum OutcomeKind<'o> {
    Success,
    /// The selector of a custom error, without its arguments, which may contain the recovered account.
    Error(&'o [u8]),
    /// The data of a built-in Solidity error: a text or a number.
    Text(&'o [u8]),
}

/// The selectors of `Error(string)` and `Panic(uint256)`.
const BUILTIN_ERROR_SELECTORS: [[u8; 4]; 2] = [[0x08, 0xc3, 0x79, 0xa0], [0x4e, 0x48, 0x7b, 0x71]];

fn outcome_kind(outcome: &CallOutcome) -> Option<OutcomeKind<'_>> {
    match outcome {
        CallOutcome::Returned(_) => Some(OutcomeKind::Success),
        CallOutcome::Reverted(data) => {
            let selector = data.get(..4)?;
            let is_builtin = BUILTIN_ERROR_SELECTORS.iter().any(|builtin| builtin == selector);
            Some(if is_builtin { OutcomeKind::Text(data) } else { OutcomeKind::Error(selector) })
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
        let [own, own_contract, one_contract, other_contract] =
            [b"\x01\x02\x03\x04", b"\x0a\x0b\x0c\x0d", b"\x0a\x0b\x0c\x0e", b"\x0a\x0b\x0c\x0f"]
                .map(|data| data.as_slice());
        let wrong_signer = |account: u8| reverted(&[9, 9, 9, 9, account]);
        let text = |text: &[u8]| reverted(&[&BUILTIN_ERROR_SELECTORS[0], text].concat());
        for (ours, one, other, expected) in [
            (reverted(own), wrong_signer(1), wrong_signer(2), RecoveryOutcome::Proven),
            (success(), wrong_signer(1), wrong_signer(2), RecoveryOutcome::Proven),
            // Under another domain our signature recovers to an unknown account, too.
            (wrong_signer(3), wrong_signer(1), wrong_signer(2), RecoveryOutcome::Inconclusive),
            (reverted(own), success(), wrong_signer(2), RecoveryOutcome::AnySigner),
            (reverted(own), wrong_signer(1), success(), RecoveryOutcome::AnySigner),
            (text(b"too old"), text(b"wrong"), text(b"wrong"), RecoveryOutcome::Proven),
            (text(b"wrong"), text(b"wrong"), text(b"wrong"), RecoveryOutcome::Inconclusive),
            (text(b"too old"), text(b"wrong 0x1"), text(b"wrong 0x2"), RecoveryOutcome::Inconclusive),
            (reverted(b""), wrong_signer(1), wrong_signer(2), RecoveryOutcome::Inconclusive),
            (reverted(own_contract), reverted(one_contract), reverted(other_contract), RecoveryOutcome::Inconclusive),
        ] {
            assert_eq!(classify(&[ours.clone(), one, other]), expected, "{ours:?}");
        }
    }
}
