//! Sample quotes, terms and signatures for the suite.

use std::sync::{
    Arc,
    atomic::{AtomicU64, AtomicUsize, Ordering},
};

use firmquote_domain::{
    Address, Amount, B256, BasisPoints, ChainId, Client, Decimals, Execution, FixedSide, GoodUntil, Leg, LevelsId,
    NativeSide, PoolId, Price, Quote, QuoteId, QuotedLevels, ReserveBounds, Settlement, Signature, SignedQuote,
    SignedSwap, SourceNetwork, StateId, Terms, Timestamp, U256,
};

use crate::{
    Booking, CommitOutcome, Commitment, OpenOutcome, OutstandingLimits, PrepareOutcome, QuoteRecord,
    ReservationExtension, Store, StoreError, VolumeCharge,
};

/// Stores used in rotation.
pub(super) struct Replicas<'a> {
    stores: &'a [Arc<dyn Store>],
    next: AtomicUsize,
}

impl<'a> Replicas<'a> {
    pub(super) fn new(stores: &'a [Arc<dyn Store>]) -> Self {
        Self { stores, next: AtomicUsize::new(0) }
    }

    /// The next store in rotation.
    pub(super) fn next(&self) -> &'a dyn Store {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        &**self.stores.get(index % self.stores.len().max(1)).expect("at least one store")
    }
}

/// A commitment with its signature, which owns its parts: of a stored quote, without limits.
#[derive(Clone, Debug)]
pub struct SampleCommitment {
    /// The signature, with quote and terms.
    pub signed: SignedQuote,
    /// Whether the quote is stored.
    pub is_quote_stored: bool,
    /// The entry in the book.
    pub booking: Booking,
    /// The volume to charge.
    pub charge: Option<VolumeCharge>,
    /// What keeps the input reserved.
    pub extension: Option<ReservationExtension>,
}

impl SampleCommitment {
    /// The commitment to `signed`, in a book of its own.
    pub fn new(signed: SignedQuote) -> Self {
        let mut swap = sample_swap(&signed);
        swap.offer.pool.address.0.iter_mut().zip(signed.quote.id.as_bytes()).for_each(|(byte, part)| *byte = *part);
        let booking = sample_booking(swap);
        Self { signed, is_quote_stored: true, booking, charge: None, extension: None }
    }

    /// The same for a quote that was made for its signature.
    pub fn at_once(signed: SignedQuote) -> Self {
        Self { is_quote_stored: false, ..Self::new(signed) }
    }

    /// The commitment of a quote of its own, which differs between calls.
    pub fn fresh(now: Timestamp) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed).to_be_bytes();
        let mut id = [0xff; 16];
        id.iter_mut().zip(count.into_iter().chain(now.as_micros().to_be_bytes())).for_each(|(byte, part)| *byte = part);
        let quote = Quote { id: QuoteId::from_bytes(id), ..sample_quote(1, now) };
        Self::at_once(sample_signed(&quote, sample_terms(1), 1))
    }

    fn commitment(&self) -> Commitment<'_> {
        Commitment {
            quote: &self.signed.quote,
            terms: &self.signed.terms,
            is_quote_stored: self.is_quote_stored,
            booking: &self.booking,
            charge: self.charge.as_ref(),
            extension: self.extension.as_ref(),
        }
    }

    /// Prepares the signature.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn try_prepare(&self, store: &dyn Store, now: Timestamp) -> Result<PrepareOutcome, StoreError> {
        store.prepare(&self.commitment(), now).await
    }

    /// Commits the signature.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn try_commit(&self, store: &dyn Store, now: Timestamp) -> Result<CommitOutcome, StoreError> {
        store.commit(&self.commitment(), self.signed.clone(), now).await
    }

    pub(super) async fn prepare(&self, store: &dyn Store, now: Timestamp) -> PrepareOutcome {
        self.try_prepare(store, now).await.expect("the store answers")
    }

    pub(super) async fn commit(&self, store: &dyn Store, now: Timestamp) -> CommitOutcome {
        self.try_commit(store, now).await.expect("the store answers")
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

    /// Opens a quote as its own client. Twice, since the first call may answer from the memory of the process.
    pub(super) async fn open(&self, quote: &Quote, terms: &Terms, now: Timestamp) -> OpenOutcome {
        let store = self.next();
        store.open(quote.id, &quote.client, terms, now).await.expect("the store answers");
        store.open(quote.id, &quote.client, terms, now).await.expect("the store answers")
    }

    pub(super) async fn prepare(&self, quote: &Quote, terms: &Terms, now: Timestamp) -> PrepareOutcome {
        SampleCommitment::new(sample_signed(quote, *terms, 1)).prepare(self.next(), now).await
    }

    pub(super) async fn try_commit(&self, signed: &SignedQuote, now: Timestamp) -> CommitOutcome {
        SampleCommitment::new(signed.clone()).commit(self.next(), now).await
    }

    pub(super) async fn try_commit_at_once(&self, signed: &SignedQuote, now: Timestamp) -> CommitOutcome {
        SampleCommitment::at_once(signed.clone()).commit(self.next(), now).await
    }

    /// Commits the signature of a stored quote, and returns the recorded one.
    pub(super) async fn commit(&self, signed: &SignedQuote, now: Timestamp) -> SignedQuote {
        recorded(self.try_commit(signed, now).await)
    }

    /// Commits the signature of a quote that was made for it, and returns the recorded one.
    pub(super) async fn commit_at_once(&self, signed: &SignedQuote, now: Timestamp) -> SignedQuote {
        recorded(self.try_commit_at_once(signed, now).await)
    }
}

fn recorded(outcome: CommitOutcome) -> SignedQuote {
    let CommitOutcome::Recorded { signed, .. } = outcome else { panic!("nothing speaks against it: {outcome:?}") };
    signed
}
