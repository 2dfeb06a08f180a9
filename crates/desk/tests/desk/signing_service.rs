//! Signing services, which may take seconds: nothing reaches one that would be refused, and what it signs is checked again.

use std::sync::{
    Arc,
    atomic::{AtomicU64, AtomicUsize, Ordering},
};

use async_trait::async_trait;
use firmquote_desk::{ConflictReason, Desk, DeskError, Limit, QuoteRequest, ServedPool, SigningPolicy};
use firmquote_domain::{Address, ManualClock, Pool, PoolSpec, Signature, SwapAmount, Usd};
use firmquote_market::{Market, Snapshot};
use firmquote_signer::{LocalSigner, PoolSigner, Signer, SignerError, TypedMessage};

use crate::{
    pool::{Bench, bench, one_eth, replica_of, sign, spec, state, terms},
    settlement::on_chain,
};

/// A signing service that takes a while, during which the price of ETH may change.
struct SlowSigner {
    key: LocalSigner,
    clock: Arc<ManualClock>,
    market: Arc<Market>,
    seconds: AtomicU64,
    /// In hundredths of a US dollar; 0 leaves the price.
    next_price: AtomicU64,
    requests: AtomicUsize,
}

#[async_trait]
impl Signer for SlowSigner {
    fn address(&self) -> Address {
        self.key.address()
    }

    async fn sign(&self, message: &TypedMessage) -> Result<Signature, SignerError> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        self.clock.advance_micros(self.seconds.load(Ordering::Relaxed) * 1_000_000);
        let price = self.next_price.load(Ordering::Relaxed);
        if price > 0 {
            let price = format!("{}.{:02}", price / 100, price % 100);
            self.market.replace(Snapshot::default().with(spec().id, state(&price)));
        }
        self.key.sign(message).await
    }

    async fn check(&self) -> Result<(), SignerError> {
        Ok(())
    }
}

/// A bench whose pool signs by a service, with this policy.
fn remote(spec: PoolSpec, policy: SigningPolicy) -> (Bench, Arc<SlowSigner>) {
    let mut bench = bench(vec![spec.clone()]);
    let signer = Arc::new(SlowSigner {
        key: LocalSigner::from_hex(&"11".repeat(32)).unwrap(),
        clock: Arc::clone(&bench.clock),
        market: Arc::clone(&bench.market),
        seconds: AtomicU64::new(0),
        next_price: AtomicU64::new(0),
        requests: AtomicUsize::new(0),
    });
    let mut pool = ServedPool::from(PoolSigner::new(Arc::new(Pool::new(spec).unwrap()), signer.clone()));
    pool.policy = policy;
    bench.desk.pools = vec![pool];
    (bench, signer)
}

#[tokio::test]
async fn a_signature_that_took_long_is_released_only_if_the_quote_still_holds() {
    for (seconds, price, expected) in [
        (0, 0, None),
        (2, 0, None),
        (6, 0, None),
        (6, 209_000, None),
        // Within a second the check still counts.
        (0, 200_000, None),
        (2, 200_000, Some(ConflictReason::Price)),
        (6, 200_000, Some(ConflictReason::Price)),
    ] {
        for is_at_once in [false, true] {
            let (Bench { desk, .. }, signer) = remote(spec(), SigningPolicy::default());
            signer.seconds.store(seconds, Ordering::Relaxed);
            signer.next_price.store(price, Ordering::Relaxed);
            let signed = match is_at_once {
                true => desk.quote_and_sign(&one_eth(), terms(2)).await,
                false => {
                    let quote = desk.quote(&one_eth()).await.unwrap();
                    desk.sign(&sign(quote.id, 1)).await
                }
            };
            let refused = match &signed {
                Err(DeskError::Conflict(conflict)) => Some(conflict.reason),
                signed => signed.as_ref().map(|_| None).unwrap(),
            };
            assert_eq!(refused, expected, "{seconds} s, {price}: {signed:?}");
        }
    }
}

#[tokio::test]
async fn a_quote_that_expires_meanwhile_is_not_released_and_stays_bound() {
    let (Bench { desk, .. }, signer) = remote(spec(), SigningPolicy::default());
    let quote = desk.quote(&one_eth()).await.unwrap();
    signer.seconds.store(12, Ordering::Relaxed);
    assert!(matches!(desk.sign(&sign(quote.id, 1)).await, Err(DeskError::UnknownQuote(_))));
    assert!(desk.pools[0].book().swaps().is_empty(), "nothing is entered");
}

#[tokio::test]
async fn what_would_be_refused_never_reaches_the_service() {
    let limits =
        SigningPolicy { max_per_minute: Limit::Usd("3000".parse::<Usd>().unwrap()), ..SigningPolicy::default() };
    let (Bench { desk, market, .. }, signer) = remote(spec(), limits.clone());
    let mut replica = replica_of(&desk, &market);
    replica.pools[0].policy = limits;
    let [first, second, third] = [0; 3].map(|_| async { desk.quote(&one_eth()).await.unwrap().id });
    let (first, second, third) = (first.await, second.await, third.await);
    desk.sign(&sign(first, 1)).await.unwrap();
    assert_eq!(signer.requests.swap(0, Ordering::Relaxed), 1);
    // The volume of the minute; other terms; a pause, of which this replica does not know yet.
    assert!(matches!(replica.sign(&sign(second, 1)).await, Err(DeskError::PoolLimit { .. })));
    assert!(matches!(desk.sign(&sign(first, 2)).await, Err(DeskError::SignedForOtherTerms)));
    desk.store.set_paused(spec().id, true, None, desk.clock.now()).await.unwrap();
    assert!(matches!(replica.sign(&sign(third, 1)).await, Err(DeskError::Paused)));
    assert!(matches!(replica.quote_and_sign(&one_eth(), terms(1)).await, Err(DeskError::Paused)));
    assert_eq!(signer.requests.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn others_signed_meanwhile_are_considered_before_the_signature_is_released() {
    let (Bench { desk, market, .. }, signer) =
        remote(PoolSpec { single_use: true, ..spec() }, SigningPolicy::default());
    let local = on_chain(PoolSpec { single_use: true, ..spec() });
    let replica = Desk { pools: local.desk.pools, ..replica_of(&desk, &market) };
    // The pool of the replica is the same, with a key in its process.
    let large = QuoteRequest { amount: SwapAmount::ExactInput("100000000000000000000".parse().unwrap()), ..one_eth() };
    let quotes = [desk.quote(&large).await.unwrap(), replica.quote(&large).await.unwrap()];
    replica.sign(&sign(quotes[1].id, 1)).await.unwrap();
    let before = desk.pools[0].book().swaps().len();
    let outcome = desk.sign(&sign(quotes[0].id, 2)).await;
    assert!(
        matches!(&outcome, Err(DeskError::Conflict(conflict)) if conflict.reason == ConflictReason::Outstanding),
        "{outcome:?}"
    );
    assert_eq!((before, signer.requests.load(Ordering::Relaxed)), (0, 0), "found while it was prepared");
    assert!(desk.pools[0].book().swap(quotes[1].id).is_some(), "its copy of the book was brought up to date");
}
