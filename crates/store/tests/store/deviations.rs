//! The suite finds stores that break a rule, and names the rule: each of these deviates from the memory store in one thing.

use std::{
    collections::BTreeMap,
    env,
    process::{Command, Stdio},
    sync::Arc,
};

use async_trait::async_trait;
use firmquote_domain::{
    Amount, Client, FirmLevels, LevelsId, PoolId, Quote, QuoteId, SignedQuote, SignedSwap, SwapOutcome, Terms,
    Timestamp, U256,
};
use firmquote_store::{
    BookChange, BookUpdate, BookVersion, CommitOutcome, Commitment, LevelBudget, LevelsLookup, MemoryStore,
    OpenOutcome, OperatorEntry, OutstandingLimits, PausedPools, PoolSample, PrepareOutcome, QuoteRecord, QuoteRefusal,
    Reservation, ReservationOutcome, Store, StoreError, SwapPage, SwapRange, Trip, conformance,
};

const NOW: Timestamp = Timestamp::from_seconds(1_700_000_000);

/// The variable that names the deviation in the process that checks it.
const VARIABLE: &str = "FIRMQUOTE_STORE_DEVIATION";

/// Each deviation, with the first rule that it breaks.
const DEVIATIONS: [(&str, &str); 17] = [
    ("finds expired quotes", "finds unsigned quotes until they expire"),
    ("finds no outcome", "finds what became of a swap"),
    ("opens quotes of others", "keeps quotes apart by client"),
    ("prepares without binding", "preparing binds a quote to its terms"),
    ("returns the second signature", "returns the recorded signature again"),
    ("lists swaps in no order", "lists the signed swaps of a client in order"),
    ("signs while paused", "refuses paused pools"),
    ("counts no volume", "refuses without any change"),
    ("ignores what is outstanding", "limits what is outstanding"),
    ("shows no changes", "is followed change by change"),
    ("loses levels", "holds levels until they expire"),
    ("grants every reservation", "counts what is used in one direction for one client"),
    ("forgets pauses", "refuses paused pools"),
    ("forgets revocations", "shares revocations"),
    ("trips every time", "trips once"),
    ("loses samples", "keeps samples"),
    ("loses estimates", "shares estimates"),
];

struct DeviatingStore {
    inner: MemoryStore,
    deviation: String,
}

impl DeviatingStore {
    fn deviates(&self, deviation: &str) -> bool {
        self.deviation == deviation
    }
}

#[async_trait]
impl Store for DeviatingStore {
    async fn insert(&self, quote: &Quote, now: Timestamp) -> Result<(), StoreError> {
        self.inner.insert(quote, now).await
    }

    async fn find(&self, id: QuoteId, now: Timestamp) -> Result<Option<QuoteRecord>, StoreError> {
        let now = if self.deviates("finds expired quotes") { NOW } else { now };
        let mut found = self.inner.find(id, now).await?;
        if self.deviates("finds no outcome")
            && let Some(record) = &mut found
        {
            record.outcome = None;
        }
        Ok(found)
    }

    async fn open(
        &self,
        id: QuoteId,
        client: &Client,
        terms: &Terms,
        now: Timestamp,
    ) -> Result<OpenOutcome, StoreError> {
        let opened = self.inner.open(id, client, terms, now).await?;
        match (&opened, self.inner.find(id, now).await?) {
            (OpenOutcome::Refused(QuoteRefusal::OtherClient), Some(record))
                if self.deviates("opens quotes of others") =>
            {
                Ok(OpenOutcome::Unsigned(record.quote))
            }
            _ => Ok(opened),
        }
    }

    async fn prepare(&self, commitment: &Commitment<'_>, now: Timestamp) -> Result<PrepareOutcome, StoreError> {
        if self.deviates("prepares without binding") {
            return Ok(PrepareOutcome::Prepared);
        }
        self.inner.prepare(commitment, now).await
    }

    async fn commit(
        &self,
        commitment: &Commitment<'_>,
        signed: SignedQuote,
        now: Timestamp,
    ) -> Result<CommitOutcome, StoreError> {
        let mut commitment = *commitment;
        let mut booking = commitment.booking.clone();
        if self.deviates("ignores what is outstanding") {
            booking.limits = OutstandingLimits::default();
            commitment.booking = &booking;
        }
        if self.deviates("counts no volume") {
            commitment.charge = None;
        }
        let pool = commitment.quote.pool;
        let is_paused = self.deviates("signs while paused") && self.inner.paused().await?.pools.contains(&pool);
        if is_paused {
            self.inner.set_paused(pool, false, None, now).await?;
        }
        let outcome = self.inner.commit(&commitment, signed.clone(), now).await?;
        if is_paused {
            self.inner.set_paused(pool, true, None, now).await?;
        }
        match outcome {
            CommitOutcome::AlreadySigned(_) if self.deviates("returns the second signature") => {
                Ok(CommitOutcome::AlreadySigned(signed))
            }
            other => Ok(other),
        }
    }

    async fn set_outcome(
        &self,
        swap: &SignedSwap,
        outcome: Option<SwapOutcome>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.inner.set_outcome(swap, outcome, now).await
    }

    async fn signed_swaps(&self, client: &Client, range: &SwapRange, now: Timestamp) -> Result<SwapPage, StoreError> {
        let mut page = self.inner.signed_swaps(client, range, now).await?;
        if self.deviates("lists swaps in no order") {
            page.swaps.reverse();
        }
        Ok(page)
    }

    async fn apply_changes(&self, pool: PoolId, changes: &[BookChange], now: Timestamp) -> Result<(), StoreError> {
        self.inner.apply_changes(pool, changes, now).await
    }

    async fn changes_since(
        &self,
        pool: PoolId,
        version: Option<BookVersion>,
        now: Timestamp,
    ) -> Result<BookUpdate, StoreError> {
        let update = self.inner.changes_since(pool, version, now).await?;
        Ok(match update {
            BookUpdate::Changes { version, .. } if self.deviates("shows no changes") => {
                BookUpdate::Changes { version, changes: Vec::new() }
            }
            other => other,
        })
    }

    async fn store_levels(&self, levels: &FirmLevels, renewal: bool, now: Timestamp) -> Result<bool, StoreError> {
        if self.deviates("loses levels") {
            return Ok(true);
        }
        self.inner.store_levels(levels, renewal, now).await
    }

    async fn find_levels(&self, pool: PoolId, id: LevelsId, now: Timestamp) -> Result<LevelsLookup, StoreError> {
        self.inner.find_levels(pool, id, now).await
    }

    async fn reserve(&self, reservation: &Reservation<'_>, now: Timestamp) -> Result<ReservationOutcome, StoreError> {
        let mut reservation = reservation.clone();
        if self.deviates("grants every reservation") {
            reservation.limit = Amount::new(U256::MAX).unwrap_or(reservation.limit);
        }
        self.inner.reserve(&reservation, now).await
    }

    async fn set_reserved_until(
        &self,
        budget: &LevelBudget,
        quote_id: QuoteId,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        self.inner.set_reserved_until(budget, quote_id, until, now).await
    }

    async fn set_paused(
        &self,
        pool: PoolId,
        is_paused: bool,
        entry: Option<&OperatorEntry>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        if self.deviates("forgets pauses") {
            return Ok(());
        }
        self.inner.set_paused(pool, is_paused, entry, now).await
    }

    async fn trip(&self, trip: &Trip, entry: Option<&OperatorEntry>) -> Result<bool, StoreError> {
        let is_new = self.inner.trip(trip, entry).await?;
        Ok(is_new || self.deviates("trips every time"))
    }

    async fn end_trip(&self, trip: &Trip, entry: &OperatorEntry) -> Result<bool, StoreError> {
        self.inner.end_trip(trip, entry).await
    }

    async fn set_revoked(
        &self,
        credential: &str,
        is_revoked: bool,
        entry: Option<&OperatorEntry>,
    ) -> Result<(), StoreError> {
        let is_revoked = is_revoked && !self.deviates("forgets revocations");
        self.inner.set_revoked(credential, is_revoked, entry).await
    }

    async fn append_entry(&self, entry: &OperatorEntry) -> Result<(), StoreError> {
        self.inner.append_entry(entry).await
    }

    async fn store_sample(&self, pool: PoolId, sample: &PoolSample) -> Result<(), StoreError> {
        if self.deviates("loses samples") {
            return Ok(());
        }
        self.inner.store_sample(pool, sample).await
    }

    async fn samples(&self, pool: PoolId, since: Timestamp) -> Result<Vec<PoolSample>, StoreError> {
        self.inner.samples(pool, since).await
    }

    async fn paused(&self) -> Result<PausedPools, StoreError> {
        self.inner.paused().await
    }

    async fn estimates(&self) -> Result<BTreeMap<String, String>, StoreError> {
        self.inner.estimates().await
    }

    async fn store_estimates(&self, estimates: &BTreeMap<String, String>, now: Timestamp) -> Result<(), StoreError> {
        if self.deviates("loses estimates") {
            return Ok(());
        }
        self.inner.store_estimates(estimates, now).await
    }

    fn is_shared(&self) -> bool {
        self.inner.is_shared()
    }

    async fn ping(&self, now: Timestamp) -> Result<(), StoreError> {
        self.inner.ping(now).await
    }
}

/// Checks the store that the variable names; the memory store itself without it.
#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_delegates_passes() {
    let deviation = env::var(VARIABLE).unwrap_or_default();
    conformance::check(&[Arc::new(DeviatingStore { inner: MemoryStore::new(10_000), deviation })], NOW).await;
}

#[test]
fn the_rule_that_a_store_breaks_is_named() {
    let found = DEVIATIONS.map(|(deviation, _)| {
        let mut check = Command::new(env::current_exe().unwrap());
        check.args(["--exact", "deviations::a_store_that_delegates_passes", "--nocapture"]);
        let output = check.env(VARIABLE, deviation).stdin(Stdio::null()).output().unwrap();
        assert!(!output.status.success(), "{deviation}");
        let errors = String::from_utf8_lossy(&output.stderr);
        let named = errors.lines().find_map(|line| line.strip_prefix("The store breaks the rule: "));
        (deviation, named.unwrap_or_default().to_owned())
    });
    assert_eq!(found, DEVIATIONS.map(|(deviation, rule)| (deviation, rule.to_owned())));
}
