//! Clock skew between three replicas. Runs in process because the system clock cannot be changed: each desk has a clock
//! that is ahead of or behind the real time, which Redis has.
#![expect(clippy::panic, reason = "a test fails by panicking")]

use std::{
    collections::BTreeSet,
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use firmquote_desk::{Desk, DeskError, FirmLevelsState, Pauses, QuoteRequest, SignRequest};
use firmquote_domain::{
    Address, Client, Clock, GoodUntilKind, Pool, PoolSpec, Quote, SignedQuote, SwapAmount, Terms, Timestamp, U256,
};
use firmquote_e2e::{
    demo,
    evm::chain_id,
    exchange::{Listing, PoolHarness},
};
use firmquote_market::{Market, PoolState, Snapshot};
use firmquote_signer::PoolSigner;
use firmquote_store::redis::{KeyPrefix, RedisAddress, RedisConfig, RedisStore, Servers, TlsFiles};
use firmquote_test_servers::redis::{Options, Server};
use tokio::time::sleep;

/// How far the clocks of the three desks are ahead.
const AHEAD_SECONDS: [i64; 3] = [-2, 0, 2];

/// The acceptance window in seconds. Between any two of the desks at least two seconds of it remain.
const WINDOW_SECONDS: u32 = 6;

/// Number of quotes of each pair of desks that are signed one after the other, until the last desk considers them
/// expired.
const QUOTES_PER_PAIR: usize = 36;

/// The pause between two quotes.
const PAUSE: Duration = Duration::from_millis(250);

/// Redis counts in milliseconds, and reads its clock before it reads a quote.
const REDIS_CLOCK_TOLERANCE_MICROS: u64 = 20_000;

/// A clock that is ahead of the real time by this many microseconds.
struct SkewedClock(i64);

impl Clock for SkewedClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(real_micros().saturating_add_signed(self.0))
    }
}

fn real_micros() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970");
    u64::try_from(since.as_micros()).expect("before 2106")
}

/// Creates a desk whose clock is ahead by this many seconds.
async fn desk(redis: &Server, exchange: &PoolHarness, ahead_seconds: i64) -> Desk {
    let spec = PoolSpec { acceptance_window_seconds: WINDOW_SECONDS, ..exchange.spec().clone() };
    let asset = |listing: &Listing| (listing.price, listing.reserve.to_string().parse().expect("a reserve"));
    let state = PoolState::fixed(exchange.listings.iter().map(asset), U256::ZERO);
    let market = Arc::new(Market::new(Snapshot::default().with(spec.id, state)));
    let pool = Arc::new(Pool::new(spec).expect("a consistent pool"));
    let config = RedisConfig {
        wait_aof: None,
        max_clock_skew: Duration::from_secs(5),
        servers: Servers::One(RedisAddress::parse(&redis.url()).expect("an address")),
        credentials: None,
        tls: TlsFiles::default(),
        prefix: KeyPrefix::new("clocks").expect("a prefix"),
        timeout: Duration::from_secs(10),
        wait_replicas: 0,
        status_retention_seconds: 0,
        ledger_max_age_seconds: 3_600,
    };
    let store = Arc::new(RedisStore::connect(&config).await.expect("a usable configuration"));
    Desk {
        pools: vec![PoolSigner::new(pool, exchange.key.clone()).into()],
        pauses: Arc::new(Pauses::with_paused(store.clone(), BTreeSet::new())),
        market,
        firm_levels: Arc::new(FirmLevelsState::new(Timestamp::from_micros(0))),
        store,
        clock: Arc::new(SkewedClock(ahead_seconds * 1_000_000)),
        operator_view: Arc::default(),
        recorder: None,
    }
}

/// Requests a quote with the maximum validity of the pool.
async fn quote(desk: &Desk) -> Quote {
    let request = QuoteRequest {
        client: Client::Anonymous,
        source_network: None,
        chain_id: chain_id(),
        input: "T0".into(),
        output: "T1".into(),
        amount: SwapAmount::ExactInput("1000000000000000".parse().expect("an amount")),
        time_in_seconds: Some(desk.pools[0].signer().pool().spec().max_time_in_seconds),
        pool_address: None,
        levels_id: None,
        quote_id: None,
    };
    desk.quote(&request).await.expect("a quote")
}

async fn sign(desk: &Desk, quote: &Quote) -> Result<SignedQuote, DeskError> {
    // Each quote is signed for another destination, since an equal offer is signed only once.
    let destination = Address::left_padding_from(quote.id.as_bytes());
    let terms = Terms::new(destination);
    desk.sign(&SignRequest { client: Client::Anonymous, quote_id: quote.id, terms }).await
}

/// Returns the real time at which either Redis or the signing desk first considers `quote` expired.
fn deadline_micros(quote: &Quote, signer_ahead_seconds: i64) -> u64 {
    quote.must_accept_by.as_micros().saturating_add_signed(-signer_ahead_seconds.max(0) * 1_000_000)
}

#[derive(Default)]
struct Tally {
    signed: usize,
    expired: usize,
}

impl Tally {
    /// Requests the signature of `quote` now, and compares the outcome with its deadline.
    async fn take(&mut self, desk: &Desk, quote: &Quote, deadline_micros: u64) {
        let began = real_micros();
        let answer = sign(desk, quote).await;
        let ended = real_micros();
        match answer {
            Ok(_) => {
                assert!(
                    began < deadline_micros + REDIS_CLOCK_TOLERANCE_MICROS,
                    "signed {} us too late",
                    began - deadline_micros
                );
                self.signed += 1;
            }
            Err(DeskError::UnknownQuote(_)) => {
                assert!(ended >= deadline_micros, "expired {} us too early", deadline_micros - ended);
                self.expired += 1;
            }
            Err(error) => panic!("{error:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn clock_skew_shortens_the_time_to_sign_and_never_extends_it() {
    let (redis, exchange) =
        (Server::start(Options::default()), PoolHarness::open(demo::opening(GoodUntilKind::Verified)));
    let mut desks = Vec::new();
    for ahead in AHEAD_SECONDS {
        desks.push((ahead, desk(&redis, &exchange, ahead).await));
    }
    let mut series = Vec::new();
    for (_, quoting) in &desks {
        for (ahead, signing) in &desks {
            let mut tally = Tally::default();
            // The first quote is signed at once, so that this succeeds on slow machines too.
            let first = quote(quoting).await;
            tally.take(signing, &first, deadline_micros(&first, *ahead)).await;
            series.push((quoting, *ahead, signing, tally, Vec::new()));
        }
    }
    for _ in 0..QUOTES_PER_PAIR {
        for (quoting, .., quotes) in &mut series {
            quotes.push(quote(quoting).await);
        }
    }
    for moment in 0..QUOTES_PER_PAIR {
        for (_, ahead, signing, tally, quotes) in &mut series {
            let quote = &quotes[moment];
            tally.take(signing, quote, deadline_micros(quote, *ahead)).await;
        }
        sleep(PAUSE).await;
    }
    for (quoting, ahead, _, Tally { signed, expired }, _) in &series {
        let quoting = desks.iter().find(|(_, desk)| std::ptr::eq(desk, *quoting)).map(|(ahead, _)| *ahead);
        println!("clocks: quoted at {quoting:?} s, signed at {ahead} s: {signed} signed, {expired} expired");
        assert!(*signed > 0 && *expired > 0, "a signature or an expiry did not occur");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_quote_from_a_clock_far_ahead_is_not_signed() {
    let (redis, exchange) =
        (Server::start(Options::default()), PoolHarness::open(demo::opening(GoodUntilKind::Verified)));
    let (ahead, behind) = (desk(&redis, &exchange, 4).await, desk(&redis, &exchange, -3).await);
    let refused = sign(&behind, &quote(&ahead).await).await;
    assert!(matches!(refused, Err(DeskError::Conflict(_))), "{refused:?}");
    let refused = sign(&ahead, &quote(&behind).await).await;
    assert!(matches!(refused, Err(DeskError::UnknownQuote(_))), "{refused:?}");
}
