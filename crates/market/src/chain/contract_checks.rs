//! Checks what a pool contract reports about itself beyond its tokens: the form of `good_until` that it reads, whether
//! it remembers signatures, and its EIP-712 domain.

use alloy_sol_types::SolCall;
use firmquote_domain::{
    Address, B256, GoodUntil, GoodUntilKind, PackedGoodUntil, Pool, PoolConstant, Price, U256, UnixSeconds, Weight,
};

use super::{
    CallOutcome, Head, InconclusiveCheck, Mismatch, Node, NodeFault, PoolVerification,
    contract_call::{DomainOwner, SingleUsePool, VerifyingPool},
};

/// The bit mask of the fields in the domain of a pool (EIP-5267): name, version, chain and contract, without a salt.
const DOMAIN_FIELDS: u8 = 0x0f;

/// Compares the configured kind of `good_until` of `pool` with whether its contract unpacks `good_until`.
///
/// # Errors
/// [`NodeFault`] if the node cannot be queried.
pub(super) async fn check_good_until(
    node: &Node,
    pool: &Pool,
    at: &Head,
    findings: &mut PoolVerification,
) -> Result<(), NodeFault> {
    let Some((packed, expected)) = packed_good_until_sample() else { return Ok(()) };
    let call = VerifyingPool::unpackGoodUntilCall { packed };
    let outcome = node.simulate(pool.spec().id.address, call.abi_encode().into(), at, None).await?;
    let configured = pool.spec().good_until;
    match (unpacks_good_until(&outcome, &expected), configured) {
        (Some(true), GoodUntilKind::Plain) | (Some(false), GoodUntilKind::Verified) => {
            findings.mismatches.push(Mismatch::GoodUntil { configured });
        }
        (Some(_), _) => {}
        (None, _) => findings.inconclusive.push(InconclusiveCheck::GoodUntil),
    }
    Ok(())
}

/// Returns whether a contract with this outcome unpacks `good_until`; `None` if the outcome is inconclusive.
fn unpacks_good_until(outcome: &CallOutcome, expected: &[u8]) -> Option<bool> {
    match outcome {
        CallOutcome::Returned(bytes) | CallOutcome::Reverted(bytes) if bytes.is_empty() => Some(false),
        CallOutcome::Returned(bytes) if bytes.as_ref() == expected => Some(true),
        CallOutcome::Returned(_) | CallOutcome::Reverted(_) => None,
    }
}

/// Returns a packed word with five distinct numbers, and the return data of a contract that unpacks it.
fn packed_good_until_sample() -> Option<(U256, Vec<u8>)> {
    let word = GoodUntil::Packed(PackedGoodUntil {
        input_price: Price::new(123)?,
        output_price: Price::new(456)?,
        k: PoolConstant::new(789)?,
        input_weight: Weight::new(11)?,
        output_weight: Weight::new(22)?,
        expires_at: UnixSeconds::new(1),
    });
    let returned = [123_u64, 456, 11, 22, 789].map(|number| U256::from(number).to_be_bytes::<32>());
    Some((word.to_word(), returned.concat()))
}

/// Checks that the contract of a pool that is configured as single-use remembers which signatures it has executed, as
/// far as it reports them.
///
/// # Errors
/// [`NodeFault`] if the node cannot be queried.
pub(super) async fn check_single_use(
    node: &Node,
    pool: &Pool,
    at: &Head,
    findings: &mut PoolVerification,
) -> Result<(), NodeFault> {
    if !pool.spec().single_use {
        return Ok(());
    }
    // The digest of no offer.
    let call = SingleUsePool::usedDigestCall { digest: B256::ZERO }.abi_encode();
    let outcome = node.simulate(pool.spec().id.address, call.into(), at, None).await?;
    let is_supported = matches!(&outcome, CallOutcome::Returned(bytes) if bytes.as_ref() == B256::ZERO.as_slice());
    if !is_supported {
        findings.inconclusive.push(InconclusiveCheck::SingleUse);
    }
    Ok(())
}

/// Compares the domain of `pool` with the one that its contract reports (EIP-5267). A contract that reports none is not
/// checked.
///
/// # Errors
/// [`NodeFault`] if the node cannot be queried.
pub(super) async fn check_domain(
    node: &Node,
    pool: &Pool,
    at: &Head,
    findings: &mut PoolVerification,
) -> Result<(), NodeFault> {
    let spec = pool.spec();
    let call = DomainOwner::eip712DomainCall {}.abi_encode();
    let CallOutcome::Returned(answer) = node.simulate(spec.id.address, call.into(), at, None).await? else {
        return Ok(());
    };
    let Ok(actual) = DomainOwner::eip712DomainCall::abi_decode_returns_validate(&answer) else { return Ok(()) };
    let is_same = actual.fields.0 == [DOMAIN_FIELDS]
        && actual.name == spec.domain.name
        && actual.version == spec.domain.version
        && actual.chainId == U256::from(spec.id.chain_id.get())
        && actual.verifyingContract == spec.id.address;
    if !is_same {
        let configured = (spec.domain.name.clone(), spec.domain.version.clone());
        let (chain_id, contract): (U256, Address) = (actual.chainId, actual.verifyingContract);
        let actual = (actual.name, actual.version);
        findings.mismatches.push(Mismatch::Domain { actual, chain_id, contract, configured });
    }
    Ok(())
}
