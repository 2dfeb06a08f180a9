//! What every store must do, as a suite that runs against any of them.
#![expect(clippy::missing_panics_doc, clippy::expect_used, reason = "a broken contract fails by panicking")]

use std::sync::Arc;

use firmquote_domain::{
    Address, Amount, B256, BasisPoints, ChainId, Client, Decimals, GoodUntil, Leg, NativeSide, PackedGoodUntil,
    PoolConstant, PoolId, Price, Quote, QuoteId, Signature, SignedQuote, Terms, Timestamp, Weight,
};

use crate::{Claim, QuoteStore, StoreError};

/// How many tasks race for one quote.
const RACERS: u8 = 64;

/// Holds `store` to the contract of [`QuoteStore`], with quotes made at `now`.
///
/// A store with an expiry of its own needs the real time as `now`.
pub async fn check(store: Arc<dyn QuoteStore>, now: Timestamp) {
    store.ping().await.expect("the store answers");
    keeps_quotes_until_they_expire(&*store, now).await;
    binds_a_quote_to_its_first_terms(&*store, now).await;
    keeps_quotes_apart_by_client(&*store, now).await;
    answers_the_recorded_signature_again(&*store, now).await;
    records_what_was_never_inserted(&*store, now).await;
    releases_only_unsigned_claims(&*store, now).await;
    keeps_extreme_values(&*store, now).await;
    grants_one_of_many_terms(store, now).await;
}

async fn keeps_quotes_until_they_expire(store: &dyn QuoteStore, now: Timestamp) {
    let quote = sample_quote(1, now);
    store.insert(&quote, now).await.expect("there is room");
    let last = Timestamp::from_micros(quote.must_accept_by.as_micros() - 1);
    let late = claim(store, &quote, &terms(1), quote.must_accept_by).await;
    assert_eq!(late, Claim::Unknown, "the instant must_accept_by is too late");
    assert_eq!(claim(store, &quote, &terms(1), last).await, Claim::Granted(quote.clone()), "the instant before is not");
    let never = sample_quote(2, now);
    assert_eq!(claim(store, &never, &terms(1), now).await, Claim::Unknown, "never inserted");
}

async fn binds_a_quote_to_its_first_terms(store: &dyn QuoteStore, now: Timestamp) {
    let quote = sample_quote(3, now);
    store.insert(&quote, now).await.expect("there is room");
    assert_eq!(claim(store, &quote, &terms(1), now).await, Claim::Granted(quote.clone()));
    for other in other_terms(terms(1)) {
        assert_eq!(claim(store, &quote, &other, now).await, Claim::OtherTerms, "{other:?}");
        let signed = SignedQuote { quote: quote.clone(), terms: other, signature: signature(9) };
        let refused = store.record(signed, now).await;
        assert!(matches!(refused, Err(StoreError::OtherTerms)), "{refused:?}");
    }
    store.insert(&quote, now).await.expect("there is room");
    assert_eq!(claim(store, &quote, &terms(2), now).await, Claim::OtherTerms, "inserting again unbinds nothing");
    assert_eq!(claim(store, &quote, &terms(1), now).await, Claim::Granted(quote), "the first terms are granted again");
}

async fn keeps_quotes_apart_by_client(store: &dyn QuoteStore, now: Timestamp) {
    for (seed, owner) in [(4, Client::Anonymous), (5, Client::Named("acme".into()))] {
        let quote = Quote { client: owner.clone(), ..sample_quote(seed, now) };
        store.insert(&quote, now).await.expect("there is room");
        for other in [
            Client::Anonymous,
            Client::Named("acme".into()),
            Client::Named("".into()),
            Client::Named("anonymous".into()),
        ] {
            let answer = store.claim(quote.id, &other, &terms(1), now).await.expect("the store answers");
            let expected = if other == owner { Claim::Granted(quote.clone()) } else { Claim::AnotherClients };
            assert_eq!(answer, expected, "{other:?} asks for a quote of {owner:?}");
        }
    }
}

async fn answers_the_recorded_signature_again(store: &dyn QuoteStore, now: Timestamp) {
    let quote = sample_quote(6, now);
    store.insert(&quote, now).await.expect("there is room");
    assert_eq!(claim(store, &quote, &terms(1), now).await, Claim::Granted(quote.clone()));
    let signed = SignedQuote { quote: quote.clone(), terms: terms(1), signature: signature(1) };
    assert_eq!(store.record(signed.clone(), now).await.expect("there is room"), signed);
    let second = SignedQuote { signature: signature(2), ..signed.clone() };
    assert_eq!(store.record(second, now).await.expect("there is room"), signed, "the first signature stays");
    store.insert(&quote, now).await.expect("there is room");
    let last_second = Timestamp::from_seconds(quote.good_until.expires_at().get());
    for instant in [now, quote.must_accept_by, last_second] {
        assert_eq!(claim(store, &quote, &terms(1), instant).await, Claim::Signed(signed.clone()), "at {instant:?}");
        assert_eq!(claim(store, &quote, &terms(2), instant).await, Claim::OtherTerms, "at {instant:?}");
    }
    assert_eq!(claim(store, &quote, &terms(1), last_second.plus_seconds(1)).await, Claim::Unknown, "lapsed");
}

async fn records_what_was_never_inserted(store: &dyn QuoteStore, now: Timestamp) {
    let signed = SignedQuote { quote: sample_quote(7, now), terms: terms(1), signature: signature(1) };
    assert_eq!(store.record(signed.clone(), now).await.expect("there is room"), signed);
    assert_eq!(claim(store, &signed.quote, &terms(1), now).await, Claim::Signed(signed.clone()));
    assert_eq!(claim(store, &signed.quote, &terms(2), now).await, Claim::OtherTerms);
}

async fn releases_only_unsigned_claims(store: &dyn QuoteStore, now: Timestamp) {
    let quote = sample_quote(8, now);
    store.insert(&quote, now).await.expect("there is room");
    assert_eq!(claim(store, &quote, &terms(1), now).await, Claim::Granted(quote.clone()));
    store.release(quote.id, &terms(2)).await.expect("the store answers");
    assert_eq!(claim(store, &quote, &terms(2), now).await, Claim::OtherTerms, "the claim is for other terms");
    store.release(quote.id, &terms(1)).await.expect("the store answers");
    assert_eq!(claim(store, &quote, &terms(2), now).await, Claim::Granted(quote.clone()));
    let signed = SignedQuote { quote: quote.clone(), terms: terms(2), signature: signature(1) };
    store.record(signed.clone(), now).await.expect("there is room");
    store.release(quote.id, &terms(2)).await.expect("the store answers");
    assert_eq!(claim(store, &quote, &terms(2), now).await, Claim::Signed(signed));
    store.release(sample_quote(9, now).id, &terms(1)).await.expect("releasing nothing is no error");
}

async fn keeps_extreme_values(store: &dyn QuoteStore, now: Timestamp) {
    let mut quote = sample_quote(10, now);
    quote.client = Client::Named("ü\"\\ \u{1f4a7}".repeat(20).into());
    quote.pool.chain_id = ChainId::new(u64::MAX).expect("not zero");
    quote.input.amount = Amount::MAX;
    quote.output.amount = Amount::ONE;
    quote.input.price = Price::new(u64::MAX).expect("not zero");
    quote.output.price = Price::new(1).expect("not zero");
    quote.fee = BasisPoints::from_hundredths(BasisPoints::ONE_HUNDREDTHS - 1).expect("below the whole");
    quote.time_in_seconds = 86_400;
    quote.good_until = GoodUntil::Packed(PackedGoodUntil {
        input_price: quote.input.price,
        output_price: quote.output.price,
        k: PoolConstant::new(PoolConstant::ONE_STEPS - 1).expect("below one"),
        input_weight: Weight::new(u16::MAX).expect("not zero"),
        output_weight: Weight::new(1).expect("not zero"),
        expires_at: quote.good_until.expires_at(),
    });
    store.insert(&quote, now).await.expect("there is room");
    let terms = Terms { aux_data: B256::repeat_byte(0xff), native: NativeSide::Output, transmit: true, ..terms(0xff) };
    let owner = quote.client.clone();
    let granted = store.claim(quote.id, &owner, &terms, now).await.expect("the store answers");
    assert_eq!(granted, Claim::Granted(quote.clone()));
    let signed = SignedQuote { quote, terms, signature: signature(0x7f) };
    store.record(signed.clone(), now).await.expect("there is room");
    let again = store.claim(signed.quote.id, &owner, &terms, now).await.expect("the store answers");
    assert_eq!(again, Claim::Signed(signed));
}

async fn grants_one_of_many_terms(store: Arc<dyn QuoteStore>, now: Timestamp) {
    let quote = sample_quote(11, now);
    store.insert(&quote, now).await.expect("there is room");
    let race = (1..=RACERS).map(|racer| {
        let (store, quote) = (Arc::clone(&store), quote.clone());
        tokio::spawn(async move { (racer, claim(&*store, &quote, &terms(racer), now).await) })
    });
    let mut winners = Vec::new();
    for racer in race.collect::<Vec<_>>() {
        match racer.await.expect("no racer panics") {
            (racer, Claim::Granted(_)) => winners.push(racer),
            (_, answer) => assert_eq!(answer, Claim::OtherTerms),
        }
    }
    assert_eq!(winners.len(), 1, "one set of terms wins: {winners:?}");
}

async fn claim(store: &dyn QuoteStore, quote: &Quote, terms: &Terms, now: Timestamp) -> Claim {
    store.claim(quote.id, &quote.client, terms, now).await.expect("the store answers")
}

/// A quote made at `now`, to be accepted within 12 seconds, valid on chain for 60 more.
pub fn sample_quote(seed: u8, now: Timestamp) -> Quote {
    let leg = |token, decimals, amount: &str, price| Leg {
        token: Address::repeat_byte(token),
        decimals: Decimals::new(decimals).expect("few enough"),
        amount: amount.parse().expect("an amount"),
        price: Price::new(price).expect("not zero"),
    };
    // Ids differ from run to run, so that a store that outlives the run meets new ones.
    let mut id = [seed; 16];
    id.iter_mut().skip(8).zip(now.as_micros().to_be_bytes()).for_each(|(byte, part)| *byte = part);
    let must_accept_by = now.plus_seconds(12);
    Quote {
        id: QuoteId::from_bytes(id),
        client: Client::Anonymous,
        pool: PoolId { chain_id: ChainId::new(1).expect("not zero"), address: Address::repeat_byte(9) },
        input: leg(1, 18, "10000000000000000000", 208_052_700_000),
        output: leg(2, 6, "20661947917", 100_000_000),
        fee: BasisPoints::from_hundredths(863).expect("below the whole"),
        time_in_seconds: 60,
        created_at: now,
        must_accept_by,
        good_until: GoodUntil::Plain(must_accept_by.plus_seconds(60).seconds()),
    }
}

fn terms(destination: u8) -> Terms {
    let destination = Address::repeat_byte(destination);
    Terms { destination, sender: destination, aux_data: B256::ZERO, native: NativeSide::Neither, transmit: false }
}

/// Each member of the terms changed in turn.
fn other_terms(terms: Terms) -> [Terms; 6] {
    [
        Terms { destination: Address::repeat_byte(0xaa), ..terms },
        Terms { sender: Address::repeat_byte(0xaa), ..terms },
        Terms { aux_data: B256::repeat_byte(1), ..terms },
        Terms { native: NativeSide::Input, ..terms },
        Terms { native: NativeSide::Output, ..terms },
        Terms { transmit: true, ..terms },
    ]
}

fn signature(byte: u8) -> Signature {
    Signature::new(B256::repeat_byte(byte), B256::repeat_byte(1), byte.is_multiple_of(2)).expect("a low s")
}
