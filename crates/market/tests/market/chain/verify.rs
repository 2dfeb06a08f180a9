//! Configurations of a pool compared with its contracts.

use std::sync::Arc;

use alloy_sol_types::{SolCall as _, SolValue as _};
use firmquote_domain::{
    Address, Asset, BasisPoints, Chain, Decimals, FeeCurve, GoodUntilKind, ManualClock, Pair, Pool, PoolId, PoolSpec,
    SigningDomain, Symbol, Timestamp, U256, Volatility, Weight,
};
use firmquote_market::chain::{ChainError, InconclusiveCheck, Mismatch, PoolVerification, verify_pool};

use crate::chain::{
    fake::{DomainOwner, FakeNode, POOL, Reply, SingleUsePool, SwapPool, TIME, Token, VerifyingPool, books},
    setup::{chain_id, config, pool, rpc, urls},
};

const SIGNER: Address = Address::repeat_byte(0x51);
const STRANGER: Address = Address::repeat_byte(0x77);
const ETH: Address = Address::repeat_byte(1);
const USDC: Address = Address::repeat_byte(2);
const DECIMALS: [u8; 2] = [18, 6];

/// Starts a node with a pool of two tokens, of which the first is wrapped native.
async fn node() -> FakeNode {
    let node = FakeNode::start(1).await;
    let mut state = node.state();
    state.set_return_data::<SwapPool::allTokensBalanceCall>(POOL, &books(&[(ETH, 5), (USDC, 7)], 1));
    state.set_return_data::<SwapPool::DESIGNATED_SIGNERCall>(POOL, &SIGNER.abi_encode());
    state.set_return_data::<SwapPool::WRAPPER_CONTRACTCall>(POOL, &ETH.abi_encode());
    for (token, decimals) in [(ETH, DECIMALS[0]), (USDC, DECIMALS[1])] {
        state.set_return_data::<Token::decimalsCall>(token, &U256::from(decimals).abi_encode());
    }
    drop(state);
    node
}

/// Returns the matching configuration of the pool.
fn spec() -> PoolSpec {
    let symbols = ["ETH", "USDC"].map(|text| Symbol::new(text).unwrap());
    let asset = |position: usize| Asset {
        symbol: symbols[position].clone(),
        address: [ETH, USDC][position],
        decimals: Decimals::new(DECIMALS[position]).unwrap(),
        weight: Weight::new(100).unwrap(),
    };
    let fee = FeeCurve { base: BasisPoints::from_hundredths(500).unwrap(), annual_volatility: Volatility::default() };
    let chain = Chain { name: "Ethereum".to_owned(), native_symbol: Symbol::new("ETH").unwrap(), wrapped_native: ETH };
    PoolSpec {
        max_time_in_seconds: 600,
        ..PoolSpec::new(
            pool(),
            chain,
            SigningDomain { name: "Firmquote".into(), version: "1".into() },
            GoodUntilKind::Plain,
            "0.06".parse().unwrap(),
            // The order may differ from that of the contract.
            vec![asset(1), asset(0)],
            vec![Pair { assets: symbols.clone(), fee }],
        )
    }
}

async fn mismatches(nodes: &[&FakeNode], spec: PoolSpec) -> Result<Vec<Mismatch>, ChainError> {
    verification(nodes, spec).await.map(|verification| verification.mismatches)
}

async fn verification(nodes: &[&FakeNode], spec: PoolSpec) -> Result<PoolVerification, ChainError> {
    let clock = ManualClock::at(Timestamp::from_micros(TIME * 1_000_000));
    verify_pool(&rpc(config(urls(nodes)), &Arc::new(clock)), &Pool::new(spec).unwrap(), SIGNER).await
}

#[tokio::test]
async fn a_pool_that_matches_its_configuration_has_no_mismatches() {
    assert_eq!(mismatches(&[&node().await], spec()).await, Ok(Vec::new()));
}

#[tokio::test]
async fn every_mismatch_is_reported_with_both_values() {
    type Change = fn(&mut PoolSpec);
    let node = node().await;
    let cases: [(Change, Vec<String>); 3] = [
        (
            |spec| {
                spec.chain.wrapped_native = STRANGER;
                spec.assets[0].decimals = Decimals::new(18).unwrap();
            },
            vec![
                format!("the pool wraps the native coin with {ETH}, but {STRANGER} is configured"),
                format!("{USDC} has 6 decimals, but 18 are configured for USDC"),
            ],
        ),
        (
            |spec| spec.assets[0].address = STRANGER,
            vec![
                format!("the pool does not hold {STRANGER}, configured as USDC"),
                format!("the pool holds {USDC}, which is not configured"),
                format!("{STRANGER} is configured as USDC, but the contract does not implement decimals()"),
            ],
        ),
        (
            |spec| spec.id = PoolId { address: STRANGER, ..spec.id },
            ["allTokensBalance()", "DESIGNATED_SIGNER()", "WRAPPER_CONTRACT()"]
                .map(|name| format!("{STRANGER} is configured as the pool, but the contract does not implement {name}"))
                .to_vec(),
        ),
    ];
    for (change, expected) in cases {
        let mut changed = spec();
        change(&mut changed);
        let mismatches = mismatches(&[&node], changed).await.unwrap();
        assert_eq!(mismatches.iter().map(ToString::to_string).collect::<Vec<_>>(), expected);
    }
}

#[tokio::test]
async fn the_signer_must_match_the_configured_key() {
    let node = node().await;
    node.state().set_return_data::<SwapPool::DESIGNATED_SIGNERCall>(POOL, &STRANGER.abi_encode());
    let expected = Mismatch::Signer { actual: STRANGER, configured: SIGNER };
    let text = format!("the pool honors signatures of {STRANGER}, but signer {SIGNER} is configured");
    assert_eq!(expected.to_string(), text);
    assert_eq!(mismatches(&[&node], spec()).await, Ok(vec![expected]));
}

#[tokio::test]
async fn a_reverting_contract_is_reported_once_per_function() {
    let node = node().await;
    node.state().set_reply::<SwapPool::allTokensBalanceCall>(POOL, Reply::Error(3, "execution reverted"));
    node.state().set_return_data::<Token::decimalsCall>(ETH, &U256::from(300).abi_encode());
    let contract =
        |contract, role: &str, reason: &str| Mismatch::Contract { contract, role: role.into(), reason: reason.into() };
    let expected = vec![
        contract(POOL, "the pool", "reverts in allTokensBalance()"),
        contract(ETH, "ETH", "returns unexpected data for decimals()"),
    ];
    assert_eq!(mismatches(&[&node], spec()).await, Ok(expected));
}

#[tokio::test]
async fn a_contract_that_one_node_cannot_read_is_read_from_another() {
    let (first, second) = (node().await, node().await);
    first.reply_to("eth_call", Reply::Error(3, "execution reverted"));
    assert_eq!(mismatches(&[&first, &second], spec()).await, Ok(Vec::new()));
    second.reply_to_all(Reply::Close);
    let error = mismatches(&[&first, &second], spec()).await.unwrap_err();
    assert!(matches!(error, ChainError::NoNode(_)), "the other node may know better: {error:?}");
}

#[tokio::test]
async fn a_node_on_another_chain_is_reported_and_the_pool_read_from_others() {
    let (other, node) = (FakeNode::start(2).await, node().await);
    other.state().chain_id = 8;
    let expected = Mismatch::Chain { node: other.host(), actual: 8, configured: chain_id() };
    let text = format!("the node at {} is on chain 8, but chain 7 is configured", other.host());
    assert_eq!(expected.to_string(), text);
    assert_eq!(mismatches(&[&other, &node], spec()).await, Ok(vec![expected.clone()]));
    assert_eq!(mismatches(&[&other], spec()).await, Ok(vec![expected]), "nothing else can be asked");
    assert_eq!(other.requests("eth_call"), 0);
}

#[tokio::test]
async fn verification_without_a_responding_node_is_an_error() {
    let node = node().await;
    node.reply_to_all(Reply::Close);
    let error = mismatches(&[&node], spec()).await.unwrap_err();
    assert!(matches!(error, ChainError::NoNode(_)), "{error:?}");
}

/// Returns the return data of a contract that unpacks the sample.
fn unpacked_sample() -> Vec<u8> {
    [123_u64, 456, 11, 22, 789].map(|number| U256::from(number).to_be_bytes::<32>()).concat()
}

#[tokio::test]
async fn the_pool_kind_comes_from_the_contract() {
    let reverts = || Reply::Error(3, "execution reverted");
    for (unpack, configured, expected) in [
        (Some(Ok(unpacked_sample())), GoodUntilKind::Verified, (0, 0)),
        (Some(Ok(unpacked_sample())), GoodUntilKind::Plain, (1, 0)),
        (None, GoodUntilKind::Plain, (0, 0)),
        (None, GoodUntilKind::Verified, (1, 0)),
        (Some(Err(reverts())), GoodUntilKind::Verified, (1, 0)),
        (Some(Ok(vec![0; 160])), GoodUntilKind::Verified, (0, 1)),
        (Some(Ok(vec![0; 160])), GoodUntilKind::Plain, (0, 1)),
    ] {
        let node = node().await;
        match &unpack {
            Some(Ok(answer)) => node.state().set_return_data::<VerifyingPool::unpackGoodUntilCall>(POOL, answer),
            Some(Err(reply)) => node.state().set_reply::<VerifyingPool::unpackGoodUntilCall>(POOL, reply.clone()),
            None => {}
        }
        let PoolVerification { mismatches, inconclusive, .. } =
            verification(&[&node], PoolSpec { good_until: configured, ..spec() }).await.unwrap();
        assert_eq!((mismatches.len(), inconclusive.len()), expected, "{configured:?}: {mismatches:?} {inconclusive:?}");
        assert!(mismatches.iter().all(|mismatch| *mismatch == Mismatch::GoodUntil { configured }));
        assert!(inconclusive.iter().all(|check| *check == InconclusiveCheck::GoodUntil));
    }
}

#[tokio::test]
async fn a_single_use_contract_records_digests_or_is_inconclusive() {
    let single_use = PoolSpec { single_use: true, ..spec() };
    for (answer, is_certain) in [(Some(false), true), (Some(true), false), (None, false)] {
        let node = node().await;
        if let Some(answer) = answer {
            node.state().set_return_data::<SingleUsePool::usedDigestCall>(POOL, &answer.abi_encode());
        }
        let expected = if is_certain { Vec::new() } else { vec![InconclusiveCheck::SingleUse] };
        let found = verification(&[&node], single_use.clone()).await.unwrap();
        assert_eq!(found, PoolVerification { inconclusive: expected, ..PoolVerification::default() }, "{answer:?}");
        assert_eq!(verification(&[&node], spec()).await.unwrap(), PoolVerification::default(), "not asked");
    }
}

#[tokio::test]
async fn a_published_domain_must_match() {
    for (fields, name, chain, contract, expected) in [
        (0x0f, "Firmquote", chain_id().get(), POOL, 0),
        (0x0f, "firmquote", chain_id().get(), POOL, 1),
        (0x0f, "Firmquote", 8, POOL, 1),
        (0x0f, "Firmquote", chain_id().get(), STRANGER, 1),
        (0x1f, "Firmquote", chain_id().get(), POOL, 1),
    ] {
        let node = node().await;
        let answer = DomainOwner::eip712DomainCall::abi_encode_returns(&DomainOwner::eip712DomainReturn {
            fields: [fields].into(),
            name: name.to_owned(),
            version: "1".to_owned(),
            chainId: U256::from(chain),
            verifyingContract: contract,
            salt: [0; 32].into(),
            extensions: Vec::new(),
        });
        node.state().set_return_data::<DomainOwner::eip712DomainCall>(POOL, &answer);
        let mismatches = mismatches(&[&node], spec()).await.unwrap();
        assert_eq!(mismatches.len(), expected, "{mismatches:?}");
        let is_domain = |mismatch: &Mismatch| matches!(mismatch, Mismatch::Domain { .. });
        assert!(mismatches.iter().all(is_domain), "{mismatches:?}");
    }
}

#[tokio::test]
async fn optional_functions_may_fail_in_the_words_of_any_node() {
    for (code, message) in
        [(-32_015, "VM execution error."), (-32_000, "invalid opcode: INVALID"), (-32_603, "internal"), (3, "reverted")]
    {
        let node = node().await;
        let fails = || Reply::Error(code, message);
        node.state().set_reply::<DomainOwner::eip712DomainCall>(POOL, fails());
        node.state().set_reply::<Token::symbolCall>(ETH, fails());
        assert_eq!(verification(&[&node], spec()).await, Ok(PoolVerification::default()), "{message}");
        // A node that cannot execute any call is not believed.
        node.reply_to("eth_call", fails());
        let is_contract = matches!(mismatches(&[&node], spec()).await, Ok(found) if !found.is_empty());
        assert!(!is_contract, "{message}");
    }
}

#[tokio::test]
async fn a_node_without_any_of_the_contracts_is_at_fault() {
    let node = FakeNode::start(1).await;
    for contract in [POOL, ETH, USDC] {
        node.state().set_return_data::<SwapPool::allTokensBalanceCall>(contract, &[]);
    }
    let error = mismatches(&[&node], spec()).await.unwrap_err().to_string();
    assert!(error.contains("it returns nothing for the pool and for every token"), "{error}");
}

#[tokio::test]
async fn tokens_whose_symbols_are_exchanged_are_suspicious() {
    let node = node().await;
    let set = |node: &FakeNode, token, symbol: &str| {
        node.state().set_return_data::<Token::symbolCall>(token, &symbol.abi_encode());
    };
    let inconclusive = async |node: &FakeNode| {
        verification(&[node], spec()).await.unwrap().inconclusive.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    for (eth, usdc, suspicious) in [("WETH", "USDC", 0), ("ETH", "usdc", 0), ("WETH", "DAI", 1), ("USDC", "WETH", 2)] {
        set(&node, ETH, eth);
        set(&node, USDC, usdc);
        assert_eq!(inconclusive(&node).await.len(), suspicious, "{eth} {usdc}");
    }
    set(&node, ETH, "WETH");
    let mut padded = [0; 32];
    padded[..3].copy_from_slice(b"DAI");
    node.state().set_return_data::<Token::symbolCall>(USDC, &padded);
    let expected = format!("the token {USDC}, configured as USDC, calls itself \"DAI\": are two addresses exchanged?");
    assert_eq!(inconclusive(&node).await, [expected]);
}
