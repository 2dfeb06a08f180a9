//! Swaps that must not execute revert with the expected error.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic anywhere")]

use alloy_sol_types::{SolError, SolStruct, eip712_domain};
use firmquote_domain::{
    Amount, B256, ChainId, GoodUntil, GoodUntilKind, NativeSide, Offer, PoolId, Signature, SigningDomain, Terms, U256,
};
use firmquote_e2e::{
    demo::{self, DAI, ETH, USDC},
    evm::{CHAIN_ID, Outcome},
    exchange::PoolHarness,
    interface::{FirmquotePool, OfferStruct},
    swapping::{EXPIRY, SignedSwap, TRADER},
    transaction::Transaction,
};
use firmquote_signer::{DomainSeparator, LocalSigner, Refusal, Signer, SignerError, TypedMessage, digest, recover};

const KINDS: [GoodUntilKind; 2] = [GoodUntilKind::Plain, GoodUntilKind::Verified];

/// Each function once: the tokens it swaps, the native side, and whether it pulls the input.
const ROUTES: [((usize, usize), NativeSide, bool); 5] = [
    ((USDC, DAI), NativeSide::Neither, false),
    ((USDC, DAI), NativeSide::Neither, true),
    ((ETH, USDC), NativeSide::Input, false),
    ((USDC, ETH), NativeSide::Output, false),
    ((USDC, ETH), NativeSide::Output, true),
];

const TRANSMIT: Terms = demo::terms(NativeSide::Neither, true);

#[track_caller]
fn assert_reverts(exchange: &mut PoolHarness, transaction: &Transaction, error: &impl SolError) {
    match exchange.chain.attempt(transaction) {
        Outcome::Reverted(data) => assert_eq!(data, error.abi_encode()),
        Outcome::Executed { .. } => panic!("executed"),
    }
}

/// Returns a pool, and a swap of 1 % of its USDC for DAI that would execute.
async fn ready(kind: GoodUntilKind) -> (PoolHarness, SignedSwap) {
    let mut exchange = PoolHarness::open(demo::opening(kind));
    let swap = demo::ready(&mut exchange, (USDC, DAI), TRANSMIT).await;
    assert!(exchange.chain.attempt(&swap.transaction()).is_executed());
    (exchange, swap)
}

/// Returns the error of the pool for a signature of another message.
fn wrong_signer(exchange: &PoolHarness, offer: &Offer, signature: &Signature) -> FirmquotePool::WrongSigner {
    let digest = digest(&DomainSeparator::from_pool(exchange.signer.pool()), offer);
    FirmquotePool::WrongSigner { recovered: recover(digest, signature).unwrap() }
}

fn later(good_until: GoodUntil) -> GoodUntil {
    match good_until {
        GoodUntil::Plain(seconds) => GoodUntil::Plain(seconds.checked_add(1).unwrap()),
        GoodUntil::Packed(mut packed) => {
            packed.expires_at = packed.expires_at.checked_add(1).unwrap();
            GoodUntil::Packed(packed)
        }
    }
}

#[tokio::test]
async fn a_signature_covers_every_field_of_the_offer() {
    type Tamper = fn(&mut Offer, &PoolHarness);
    let tampers: [Tamper; 6] = [
        |offer, exchange| offer.input_token = exchange.contracts.tokens[ETH],
        |offer, exchange| offer.output_token = exchange.contracts.tokens[ETH],
        |offer, _| offer.input_amount = offer.input_amount.checked_sub(Amount::ONE).unwrap(),
        |offer, _| offer.output_amount = offer.output_amount.checked_add(Amount::ONE).unwrap(),
        |offer, _| offer.good_until = later(offer.good_until),
        |offer, _| offer.destination = TRADER,
    ];
    for kind in KINDS {
        let (mut exchange, swap) = ready(kind).await;
        for tamper in tampers {
            let mut offer = swap.offer;
            tamper(&mut offer, &exchange);
            let error = wrong_signer(&exchange, &offer, &swap.signature);
            assert_reverts(&mut exchange, &SignedSwap { offer, ..swap }.transaction(), &error);
        }
    }
}

#[tokio::test]
async fn a_signature_covers_neither_the_function_nor_the_auxiliary_data() {
    let (mut exchange, swap) = ready(GoodUntilKind::Verified).await;
    let changed_data = SignedSwap { terms: Terms { aux_data: B256::ZERO, ..TRANSMIT }, ..swap };
    assert!(exchange.chain.attempt(&changed_data.transaction()).is_executed());
    exchange.push(swap.offer.input_token, swap.offer.input_amount.base_units());
    let pushed = SignedSwap { terms: demo::terms(NativeSide::Neither, false), ..swap };
    assert!(exchange.chain.attempt(&pushed.transaction()).is_executed());
}

#[tokio::test]
async fn only_the_designated_key_signs_and_only_for_this_pool() {
    let (mut exchange, swap) = ready(GoodUntilKind::Verified).await;
    let separator = DomainSeparator::from_pool(exchange.signer.pool());
    let stranger = LocalSigner::random().unwrap();
    let signature = stranger.sign(&TypedMessage::from_offer(&separator, &swap.offer)).await.unwrap();
    let error = FirmquotePool::WrongSigner { recovered: stranger.address() };
    assert_reverts(&mut exchange, &SignedSwap { signature, ..swap }.transaction(), &error);

    let domain = exchange.spec().domain.clone();
    let id = exchange.spec().id;
    for (domain, id) in [
        (domain.clone(), PoolId { chain_id: ChainId::new(1).unwrap(), ..id }),
        (domain.clone(), PoolId { address: TRADER, ..id }),
        (SigningDomain { version: "1.0.1".into(), ..domain.clone() }, id),
        (SigningDomain { name: "Clipper".into(), ..domain }, id),
    ] {
        let message = TypedMessage::from_offer(&DomainSeparator::new(&domain, id), &swap.offer);
        let signature = exchange.key.sign(&message).await.unwrap();
        let error = wrong_signer(&exchange, &swap.offer, &signature);
        assert_reverts(&mut exchange, &SignedSwap { signature, ..swap }.transaction(), &error);
    }
}

#[tokio::test]
async fn signatures_in_another_form_are_rejected() {
    /// Positions of v and s in the calldata: after the selector, six arguments, and v and r before s.
    const V: usize = 4 + 6 * 32 + 31;
    const S: usize = 4 + 8 * 32;
    let order: U256 = "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141".parse().unwrap();
    let (mut exchange, swap) = ready(GoodUntilKind::Plain).await;

    let mut flipped = swap.transaction();
    flipped.data[V] ^= 27 ^ 28;
    let signature = Signature::new(swap.signature.r(), swap.signature.s(), swap.signature.v() == 27).unwrap();
    let error = wrong_signer(&exchange, &swap.offer, &signature);
    assert_reverts(&mut exchange, &flipped, &error);

    let mut foreign = swap.transaction();
    foreign.data[V] = 26;
    assert_reverts(&mut exchange, &foreign, &FirmquotePool::ECDSAInvalidSignature {});

    // The other signature by the same key over the same digest: high s and the other v.
    let mut malleable = flipped;
    let s = B256::from(order - U256::from_be_bytes(swap.signature.s().0));
    malleable.data[S..S + 32].copy_from_slice(s.as_slice());
    assert_reverts(&mut exchange, &malleable, &FirmquotePool::ECDSAInvalidSignatureS { s });
}

#[tokio::test]
async fn an_offer_is_valid_in_its_last_second_and_not_after() {
    for kind in KINDS {
        for (positions, native, transmit) in ROUTES {
            let mut exchange = PoolHarness::open(demo::opening(kind));
            let swap = demo::ready(&mut exchange, positions, demo::terms(native, transmit)).await;
            exchange.chain.set_time(EXPIRY + 1);
            let error = FirmquotePool::Expired { unixTime: U256::from(EXPIRY) };
            assert_reverts(&mut exchange, &swap.transaction(), &error);
            exchange.chain.set_time(EXPIRY);
            assert!(exchange.chain.attempt(&swap.transaction()).is_executed());
        }
    }
}

#[tokio::test]
async fn an_offer_executes_once_through_any_function() {
    for kind in KINDS {
        for (positions, native, transmit) in ROUTES {
            let mut exchange = PoolHarness::open(demo::opening(kind));
            let swap = demo::ready(&mut exchange, positions, demo::terms(native, transmit)).await;
            exchange.chain.send(&swap.transaction()).executed();
            let digest = digest(&DomainSeparator::from_pool(exchange.signer.pool()), &swap.offer);
            for transmit in [false, true] {
                exchange.fund(&swap);
                exchange.prepare(&swap);
                let repeated = SignedSwap { terms: Terms { transmit, ..swap.terms }, ..swap };
                assert_reverts(&mut exchange, &repeated.transaction(), &FirmquotePool::AlreadyUsed { digest });
            }
        }
    }
}

#[tokio::test]
async fn an_undelivered_input_buys_nothing() {
    let mut exchange = PoolHarness::open(demo::opening(GoodUntilKind::Verified));
    let offer = demo::offer(&mut exchange, (USDC, DAI));
    let (pool, needed) = (exchange.contracts.pool, offer.input_amount.base_units());
    let pushed = exchange.sign(offer, demo::terms(NativeSide::Neither, false)).await.unwrap();
    let error = FirmquotePool::InputTooSmall { received: U256::ZERO };
    assert_reverts(&mut exchange, &pushed.transaction(), &error);
    let pulled = exchange.sign(offer, TRANSMIT).await.unwrap();
    let error = FirmquotePool::ERC20InsufficientAllowance { spender: pool, allowance: U256::ZERO, needed };
    assert_reverts(&mut exchange, &pulled.transaction(), &error);

    let sold = demo::ready(&mut exchange, (ETH, DAI), demo::terms(NativeSide::Input, false)).await;
    let stated = sold.offer.input_amount.base_units();
    let sent = stated - U256::ONE;
    let error = FirmquotePool::InsufficientValue { sent, stated };
    assert_reverts(&mut exchange, &sold.transaction().with_value(sent), &error);
}

#[tokio::test]
async fn a_verified_pool_rejects_an_output_above_the_curve_before_checking_the_time() {
    for (kind, is_refused) in [(GoodUntilKind::Verified, true), (GoodUntilKind::Plain, false)] {
        let (mut exchange, swap) = ready(kind).await;
        let output = swap.offer.output_amount.base_units();
        let offer = Offer { output_amount: Amount::new(output + output / U256::from(100)).unwrap(), ..swap.offer };
        let greedy = exchange.sign_unguarded(offer, TRANSMIT).await;
        let outcome = exchange.chain.attempt(&greedy.transaction());
        assert_eq!(outcome.is_executed(), !is_refused, "a plain offer is held against no price");
        exchange.chain.set_time(EXPIRY + 1);
        if is_refused {
            assert_reverts(&mut exchange, &greedy.transaction(), &FirmquotePool::InvariantNotIncreased {});
        }
    }
}

#[tokio::test]
async fn a_pool_never_pays_more_than_its_reserve() {
    for kind in KINDS {
        let (mut exchange, swap) = ready(kind).await;
        let reserve = exchange.reserves()[DAI];
        let output = reserve + U256::ONE;
        let offer = Offer { output_amount: Amount::new(output).unwrap(), ..swap.offer };
        assert!(matches!(
            exchange.sign(offer, TRANSMIT).await,
            Err(SignerError::Refused(Refusal::WholeReserve { .. }))
        ));
        let drained = exchange.sign_unguarded(offer, TRANSMIT).await;
        assert_reverts(&mut exchange, &drained.transaction(), &FirmquotePool::ReserveExceeded { reserve, output });
    }
}

/// Returns a call of a pool with any `good_until` word, signed with the pool's key; hashed and encoded with Solidity
/// types.
async fn with_word(exchange: &PoolHarness, offer: &Offer, word: U256) -> Transaction {
    let domain = eip712_domain! {
        name: "ClipperDirect",
        version: "1.0.0",
        chain_id: CHAIN_ID,
        verifying_contract: offer.pool.address,
    };
    let typed = OfferStruct {
        input_token: offer.input_token,
        output_token: offer.output_token,
        input_amount: offer.input_amount.base_units(),
        output_amount: offer.output_amount.base_units(),
        good_until: word,
        destination_address: offer.destination,
    };
    let message = TypedMessage::new(&DomainSeparator::from_pool(exchange.signer.pool()), typed.eip712_hash_struct());
    assert_eq!(message.digest(), typed.eip712_signing_hash(&domain));
    let signature = exchange.key.sign(&message).await.unwrap();
    let call = FirmquotePool::transmitAndSwapCall {
        inputToken: typed.input_token,
        outputToken: typed.output_token,
        inputAmount: typed.input_amount,
        outputAmount: typed.output_amount,
        goodUntil: word,
        destinationAddress: typed.destination_address,
        theSignature: FirmquotePool::Signature { v: signature.v(), r: signature.r(), s: signature.s() },
        auxiliaryData: Default::default(),
    };
    Transaction::calling(TRADER, offer.pool.address, &call)
}

#[tokio::test]
async fn words_that_void_the_check_cannot_be_built_and_are_rejected_by_the_pool() {
    let (mut exchange, swap) = ready(GoodUntilKind::Verified).await;
    let good = swap.offer.good_until.to_word();
    let untouched = with_word(&exchange, &swap.offer, good).await;
    assert!(exchange.chain.attempt(&untouched).is_executed(), "both encodings are one");

    let [low, k, output_price, input_price] = good.into_limbs();
    for word in [
        U256::from_limbs([low, k, output_price, 0]),
        U256::from_limbs([low, k, 0, input_price]),
        U256::from_limbs([low & !(0xffff << 48), k, output_price, input_price]),
        U256::from_limbs([low & !(0xffff << 32), k, output_price, input_price]),
        // Milliseconds are parsed as a packed word without prices.
        U256::from(u64::from(EXPIRY) * 1000),
    ] {
        assert!(GoodUntil::from_word(word).is_err(), "{word}");
        let voided = with_word(&exchange, &swap.offer, word).await;
        assert_reverts(&mut exchange, &voided, &FirmquotePool::ZeroField {});
    }
}
