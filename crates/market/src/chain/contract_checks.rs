//! Checks what a pool contract reports about itself beyond its tokens: the form of `good_until` that it reads, whether
//! it remembers signatures, and its EIP-712 domain.

use alloy_sol_types::SolCall;
use firmquote_domain::{
    Address, B256, GoodUntil, GoodUntilKind, PackedGoodUntil, Pool, PoolConstant, Price, U256, UnixSeconds, Weight,
};
use firmquote_outbound::excerpt;

use super::{
    CallOutcome, Head, InconclusiveCheck, Mismatch, Node, NodeFault, PoolVerification,
    contract_call::{DomainOwner, SimulationOverrides, SingleUsePool, Token, VerifyingPool},
};

/// The bit mask of the fields in the domain of a pool (EIP-5267): name, version, chain and contract, without a salt.
const DOMAIN_FIELDS: u8 = 0x0f;

/// The maximum length of a token's symbol in a message, in characters.
const MAX_SYMBOL_CHARACTERS: usize = 32;

/// Compares the configured symbols of the tokens of `pool` with those that the tokens report, as far as they report any.
/// A wrapped native token may be configured under the symbol of the native coin.
///
/// # Errors
/// [`NodeFault`] if the node cannot be queried.
pub(super) async fn check_symbols(
    node: &Node,
    pool: &Pool,
    at: &Head,
    findings: &mut PoolVerification,
) -> Result<(), NodeFault> {
    for asset in &pool.spec().assets {
        let data = Token::symbolCall {}.abi_encode().into();
        let outcome = node
            .simulate((asset.address, Token::symbolCall::SIGNATURE), data, at, SimulationOverrides::default())
            .await?;
        let Some(actual) = reported_symbol(&outcome) else { continue };
        let configured = asset.symbol.as_str();
        let is_wrapped = asset.address == pool.spec().chain.wrapped_native
            && actual.strip_prefix(['W', 'w']).is_some_and(|native| native.eq_ignore_ascii_case(configured));
        if !is_wrapped && !actual.eq_ignore_ascii_case(configured) {
            let (configured, token) = (asset.symbol.clone(), asset.address);
            findings.inconclusive.push(InconclusiveCheck::Symbol { configured, token, actual });
        }
    }
    Ok(())
}

/// Returns the symbol of a token, shortened; early tokens return 32 bytes that are padded with zeros.
fn reported_symbol(outcome: &CallOutcome) -> Option<String> {
    let CallOutcome::Returned(data) = outcome else { return None };
    let symbol = match Token::symbolCall::abi_decode_returns_validate(data) {
        Ok(symbol) => symbol,
        Err(_) => String::from_utf8(data.get(..32)?.to_vec()).ok()?.trim_end_matches('\0').to_owned(),
    };
    Some(excerpt(&symbol, MAX_SYMBOL_CHARACTERS)).filter(|symbol| !symbol.is_empty())
}

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
    let outcome = simulate(node, pool, &call, at).await?;
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
    let call = SingleUsePool::usedDigestCall { digest: B256::ZERO };
    let outcome = simulate(node, pool, &call, at).await?;
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
    let CallOutcome::Returned(answer) = simulate(node, pool, &DomainOwner::eip712DomainCall {}, at).await? else {
        return Ok(());
    };
    let Ok(actual) = DomainOwner::eip712DomainCall::abi_decode_returns_validate(&answer) else { return Ok(()) };
    let is_same = actual.fields.0 == [DOMAIN_FIELDS]
        && actual.name == spec.domain.name
        && actual.version == spec.domain.version
        && actual.chainId == U256::from(spec.id.chain_id.get())
        && actual.verifyingContract == spec.id.address;
    findings.reports_domain = is_same;
    if !is_same {
        let configured = (spec.domain.name.clone(), spec.domain.version.clone());
        let (chain_id, contract): (U256, Address) = (actual.chainId, actual.verifyingContract);
        let actual = (actual.name, actual.version);
        findings.mismatches.push(Mismatch::Domain { actual, chain_id, contract, configured });
    }
    Ok(())
}

/// Returns what `call` on the contract of `pool` does at the block `at`.
async fn simulate<C: SolCall + Sync>(node: &Node, pool: &Pool, call: &C, at: &Head) -> Result<CallOutcome, NodeFault> {
    node.simulate((pool.spec().id.address, C::SIGNATURE), call.abi_encode().into(), at, SimulationOverrides::default())
        .await
}
