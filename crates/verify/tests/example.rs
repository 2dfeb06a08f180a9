//! The example `swap` itself: it approves and sends only a swap whose terms, signature and calldata are verified.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

#[path = "../examples/swap.rs"]
#[expect(dead_code, unreachable_pub, reason = "its main is for the command line")]
mod example;

use firmquote_client::{Bytes, QuoteRequest, SignedSwap, SwapAmount, SwapTerms};
use firmquote_domain::{
    Address, ChainId, GoodUntil, NativeSide, Offer, PoolId, SigningDomain, Symbol, Terms, UnixSeconds,
};
use firmquote_signer::{DomainSeparator, LocalSigner, Signer as _, TypedMessage};

use example::{Contracts, verify};

const WALLET: Address = Address::repeat_byte(7);

fn contracts() -> Contracts {
    let [pool, input, output] = [9, 1, 2].map(Address::repeat_byte);
    Contracts { pool, input, output }
}

/// Returns the Sign object of `offer`, with the calldata of `call`.
async fn signed(key: &LocalSigner, domain: &SigningDomain, offer: Offer, call: &Offer) -> SignedSwap {
    let separator = DomainSeparator::new(domain, offer.pool);
    let signature = key.sign(&TypedMessage::from_offer(&separator, &offer)).await.unwrap();
    let terms = Terms { transmit: true, ..Terms::new(call.destination) };
    let calldata = Bytes::from(firmquote_calldata::encode(call, &terms, &signature));
    let response = firmquote_api::SignedSwap {
        calldata: Some(calldata.into()),
        ..firmquote_api::SignedSwap::new(&offer, signature)
    };
    SignedSwap { response, native: NativeSide::Neither }
}

#[tokio::test]
async fn only_the_requested_swap_is_verified() {
    let key = LocalSigner::random().unwrap();
    let domain = SigningDomain { name: "Test".into(), version: "2".into() };
    let chain_id = ChainId::new(1).unwrap();
    let offer = Offer {
        pool: PoolId { chain_id, address: contracts().pool },
        input_token: contracts().input,
        output_token: contracts().output,
        input_amount: "1000".parse().unwrap(),
        output_amount: "2000".parse().unwrap(),
        good_until: GoodUntil::Plain(UnixSeconds::new(1_697_235_920)),
        destination: WALLET,
    };
    let [ether, dollar] = ["ETH", "USDC"].map(|symbol| Symbol::new(symbol).unwrap());
    let request = QuoteRequest::new(chain_id, ether, dollar, SwapAmount::ExactInput(offer.input_amount));
    let terms = SwapTerms::transmit_and_swap(WALLET);
    let is_verified = |swap: &SignedSwap| verify(swap, &request, contracts(), &terms, &domain, key.address()).is_ok();
    assert!(is_verified(&signed(&key, &domain, offer, &offer).await));

    let higher = "1001".parse().unwrap();
    let other = Address::repeat_byte(5);
    // The pool's key signs another swap, or the calldata is for another swap.
    for altered in [
        Offer { pool: PoolId { address: other, ..offer.pool }, ..offer },
        Offer { input_token: other, ..offer },
        Offer { output_token: other, ..offer },
        Offer { input_amount: higher, ..offer },
        Offer { destination: other, ..offer },
    ] {
        assert!(!is_verified(&signed(&key, &domain, altered, &altered).await), "{altered:?}");
    }
    for call in [
        Offer { destination: other, ..offer },
        Offer { input_amount: higher, ..offer },
        Offer { output_amount: "1".parse().unwrap(), ..offer },
    ] {
        assert!(!is_verified(&signed(&key, &domain, offer, &call).await), "{call:?}");
    }
    let other_key = LocalSigner::random().unwrap();
    assert!(!is_verified(&signed(&other_key, &domain, offer, &offer).await), "signed by another account");
    let mut without_calldata = signed(&key, &domain, offer, &offer).await;
    without_calldata.response.calldata = None;
    assert!(
        is_verified(&without_calldata) && without_calldata.transaction().is_none(),
        "without calldata there is no transaction"
    );
}
