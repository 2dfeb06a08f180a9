//! Sample quotes, terms and signatures for the suite.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use firmquote_domain::{
    Address, Amount, B256, BasisPoints, ChainId, Client, Decimals, Execution, FixedSide, GoodUntil, Leg, LevelsId,
    NativeSide, PoolId, Price, Quote, QuoteId, QuotedLevels, ReserveBounds, Settlement, Signature, SignedQuote,
    SignedSwap, SourceNetwork, StateId, Terms, Timestamp, U256,
};

use crate::{Booking, ClaimOutcome, OutstandingLimits, QuoteRecord, port::QuoteStore};

/// Stores used in rotation.
pub(super) struct Replicas<'a, S: ?Sized = dyn QuoteStore> {
    stores: &'a [Arc<S>],
    next: AtomicUsize,
}

impl<'a, S: ?Sized> Replicas<'a, S> {
    pub(super) fn new(stores: &'a [Arc<S>]) -> Self {
        Self { stores, next: AtomicUsize::new(0) }
    }

    /// The next store in rotation.
    pub(super) fn next(&self) -> &'a S {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        self.stores.get(index % self.stores.len().max(1)).expect("at least one store")
    }
}

/// A quote created at `now`, to be accepted within 12 seconds and valid on chain for 60 more.
pub fn sample_quote(seed: u8, now: Timestamp) -> Quote {
    let leg = |token, decimals, amount: &str, price, reserve: &str| Leg {
        token: Address::repeat_byte(token),
        decimals: Decimals::new(decimals).expect("few enough"),
        amount: amount.parse().expect("an amount"),
        price: Price::new(price).expect("not zero"),
        reserve: reserve.parse().expect("an amount"),
    };
    // Ids differ between runs, so that a store that outlives a run gets new ones.
    let mut id = [seed; 16];
    id.iter_mut().skip(8).zip(now.as_micros().to_be_bytes()).for_each(|(byte, part)| *byte = part);
    let must_accept_by = now.plus_seconds(12);
    Quote {
        id: QuoteId::from_bytes(id),
        client: Client::Anonymous,
        source_network: seed.is_multiple_of(2).then(|| SourceNetwork::new(u64::MAX - u64::from(seed))),
        pool: PoolId { chain_id: ChainId::new(1).expect("not zero"), address: Address::repeat_byte(9) },
        input: leg(1, 18, "10000000000000000000", 208_052_700_000, "476877882758190421102"),
        output: leg(2, 6, "20661947917", 100_000_000, "417751254142"),
        fixed: FixedSide::Input,
        fee: BasisPoints::from_hundredths(863).expect("below the whole"),
        time_in_seconds: 60,
        block: Some(7),
        state_id: StateId::from_bytes([seed; 16]),
        levels: seed.is_multiple_of(3).then(|| {
            let output = Amount::new(U256::from(20_661_947_916_u64)).expect("not zero");
            Box::new(QuotedLevels { id: LevelsId::from_bytes([seed; 16]), output, budget_left: U256::MAX })
        }),
        created_at: now,
        must_accept_by,
        good_until: GoodUntil::Plain(must_accept_by.plus_seconds(60).seconds()),
    }
}

/// A pool that differs between runs, so that a store that outlives a run gets new ones.
pub(super) fn sample_pool(number: u8, now: Timestamp) -> PoolId {
    let mut address = [number; 20];
    address.iter_mut().zip(now.as_micros().to_be_bytes()).for_each(|(byte, part)| *byte = part);
    PoolId { chain_id: ChainId::new(1).expect("not zero"), address: Address::from(address) }
}

/// Minimal terms; the destination is the byte repeated.
pub fn sample_terms(destination: u8) -> Terms {
    Terms::new(Address::repeat_byte(destination))
}

/// The terms with one member changed at a time.
pub(super) fn other_terms(terms: Terms) -> [Terms; 7] {
    [
        Terms { destination: Address::repeat_byte(0xaa), ..terms },
        Terms { sender: Address::repeat_byte(0xaa), ..terms },
        Terms { aux_data: B256::repeat_byte(1), ..terms },
        Terms { native: NativeSide::Input, ..terms },
        Terms { native: NativeSide::Output, ..terms },
        Terms { transmit: true, ..terms },
        Terms { guarantee: true, ..terms },
    ]
}

/// `quote` with a made-up signature that depends on `byte`.
pub fn sample_signed(quote: &Quote, terms: Terms, byte: u8) -> SignedQuote {
    let signature = Signature::new(B256::repeat_byte(byte), B256::repeat_byte(1), byte.is_multiple_of(2));
    let execution = if byte.is_multiple_of(3) { Execution::Guaranteed } else { Execution::BestEffort };
    let guarantee = ReserveBounds { max_input: U256::MAX, min_output: U256::from(byte) };
    let guarantee = byte.is_multiple_of(6).then(|| Box::new(guarantee));
    let (quote, signed_at) = (quote.clone(), quote.created_at.plus_seconds(1));
    SignedQuote { quote, terms, signature: signature.expect("a low s"), execution, guarantee, signed_at }
}

/// The entry of `signed` in the book of its pool, checked against the reserves of block 7.
pub fn sample_swap(signed: &SignedQuote) -> SignedSwap {
    SignedSwap { source_network: None, block: Some(7), ..SignedSwap::from(signed) }
}

/// The booking of `swap` at a pool that executes signatures repeatedly, without limits and sound with any other swaps.
pub fn sample_booking(swap: SignedSwap) -> Booking {
    Booking {
        swap: Arc::new(swap),
        max_inflow: U256::MAX,
        max_outflow: U256::MAX,
        version: None,
        limits: OutstandingLimits::default(),
        is_single_use: false,
        max_lifetime_seconds: 72,
    }
}

/// A made-up execution of `signed`.
pub fn sample_settlement(signed: &SignedQuote) -> Settlement {
    Settlement {
        transaction_hash: B256::repeat_byte(7),
        log_index: 3,
        block_number: 21_000_000,
        block_time: signed.signed_at.seconds(),
        input_amount: signed.quote.input.amount.base_units(),
        output_amount: U256::MAX,
    }
}

/// The first instant at which a signature of `quote` is no longer valid.
pub(super) fn lapse(quote: &Quote) -> Timestamp {
    Timestamp::from_seconds(quote.good_until.expires_at().get()).plus_seconds(1)
}

pub(super) fn before(instant: Timestamp) -> Timestamp {
    Timestamp::from_micros(instant.as_micros() - 1)
}

impl Replicas<'_> {
    pub(super) async fn insert(&self, quote: &Quote, now: Timestamp) {
        self.next().insert(quote, now).await.expect("there is room");
    }

    pub(super) async fn find(&self, quote: &Quote, now: Timestamp) -> Option<QuoteRecord> {
        self.next().find(quote.id, now).await.expect("the store answers")
    }

    /// The claim of the quote's own client.
    pub(super) async fn claim(&self, quote: &Quote, terms: &Terms, now: Timestamp) -> ClaimOutcome {
        self.next().claim(quote.id, &quote.client, terms, now).await.expect("the store answers")
    }

    pub(super) async fn record(&self, signed: SignedQuote, now: Timestamp) -> SignedQuote {
        self.next().record(signed, now).await.expect("there is room")
    }

    pub(super) async fn insert_signed(&self, signed: SignedQuote, now: Timestamp) -> SignedQuote {
        self.next().insert_signed(signed, now).await.expect("there is room")
    }
}
