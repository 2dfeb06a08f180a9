//! Signing: a claim, a last look, the signature and its record; only then is the signature released.

use firmquote_domain::{Client, NativeSide, Quote, QuoteId, SignedQuote, Terms, Timestamp, is_expired};
use firmquote_signer::{Refusal, SignerError, SigningRequest};
use firmquote_store::{ClaimOutcome, LimitExceeded, StoreError, VolumeCharge, VolumeOutcome};

use crate::{Desk, DeskError, QuoteRequest, ServedPool, policy::TradeLimits};

/// A request to sign a quote.
#[derive(Clone, Debug)]
pub struct SignRequest {
    /// The requesting client; only the quote's own client gets a signature.
    pub client: Client,
    /// The quote to sign.
    pub quote_id: QuoteId,
    /// The terms to bind it to.
    pub terms: Terms,
}

/// How long a last look stays valid.
const LAST_LOOK_TTL_SECONDS: u32 = 1;

/// How a quote is bound to the terms that it is signed for.
#[derive(Clone, Copy)]
enum Binding {
    /// By a claim on the stored quote.
    Claimed,
    /// By its record alone: it was never stored unsigned.
    Immediate,
}

impl Desk {
    /// Signs a quote for the terms of its first request; the same terms get the same signature again until the swap is
    /// no longer valid on chain.
    ///
    /// The claim binds the quote before anything is signed, its swap is entered into the book of the pool, and the record
    /// is stored before the signature is released. A claim for terms that this quote can never be signed for is released again.
    ///
    /// # Errors
    /// [`DeskError::UnknownQuote`], [`DeskError::AnotherClients`], [`DeskError::SignedForOtherTerms`],
    /// [`DeskError::NotAllowed`], [`DeskError::Conflict`] if the request cannot be served; [`DeskError::Paused`],
    /// [`DeskError::DestinationDenied`], [`DeskError::SenderDenied`], [`DeskError::AboveLimit`],
    /// [`DeskError::PoolLimit`], [`DeskError::ClientLimit`] and
    /// [`DeskError::OutstandingLimit`] if the operator's policy refuses; [`DeskError::BookIncomplete`], [`DeskError::Market`],
    /// [`DeskError::Untrusted`], [`DeskError::Store`] and [`DeskError::Key`] for temporary failures;
    /// [`DeskError::Internal`] for a bug.
    pub async fn sign(&self, request: &SignRequest) -> Result<SignedQuote, DeskError> {
        let now = self.clock.now();
        let SignRequest { client, quote_id, terms } = request;
        match self.store.claim(*quote_id, client, terms, now).await.map_err(DeskError::Store)? {
            ClaimOutcome::Unknown => Err(DeskError::UnknownQuote(*quote_id)),
            ClaimOutcome::AnotherClients => Err(DeskError::AnotherClients),
            ClaimOutcome::OtherTerms => Err(DeskError::SignedForOtherTerms),
            ClaimOutcome::Signed(signed) => Ok(signed),
            ClaimOutcome::Granted(quote) => self.sign_claimed(quote, terms).await,
        }
    }

    /// Quotes and signs in one step: the quote is never stored unsigned.
    ///
    /// # Errors
    /// Those of [`Self::quote`] and [`Self::sign`].
    pub async fn quote_and_sign(&self, request: &QuoteRequest<'_>, terms: Terms) -> Result<SignedQuote, DeskError> {
        let now = self.clock.now();
        let quote = self.make_quote(request, now)?;
        self.sign_and_record(quote, &terms, Binding::Immediate, now).await
    }

    /// Signs a claimed quote. Reads the clock again: the claim may have taken time, and an expired quote is not signed.
    async fn sign_claimed(&self, quote: Quote, terms: &Terms) -> Result<SignedQuote, DeskError> {
        let (id, now) = (quote.id, self.clock.now());
        if is_expired(quote.must_accept_by, now) {
            return Err(DeskError::UnknownQuote(id));
        }
        if let Err(error) = self.last_look(&quote, now) {
            return Err(self.with_fresh_quote(error, &quote).await);
        }
        let result = self.sign_and_record(quote, terms, Binding::Claimed, now).await;
        if let Err(DeskError::NotAllowed { .. }) = &result {
            self.store.release(id, terms).await.map_err(DeskError::Store)?;
        }
        result
    }

    async fn sign_and_record(
        &self,
        quote: Quote,
        terms: &Terms,
        binding: Binding,
        now: Timestamp,
    ) -> Result<SignedQuote, DeskError> {
        self.check_clock()?;
        let request = match self.approve(&quote, terms, binding, now).await {
            Ok(request) => request,
            Err(error) => return Err(self.with_fresh_quote(error, &quote).await),
        };
        let pool = self.pool_of(&quote)?;
        let signature = pool.signer().sign(&request).await.map_err(|error| signer_error(error, &quote, terms))?;
        self.recheck_before_release(&quote, now)?;
        let signed = SignedQuote { quote, terms: *terms, signature, execution: pool.spec().execution() };
        let id = signed.quote.id;
        let recorded = match binding {
            Binding::Claimed => self.store.record(signed, now).await,
            Binding::Immediate => self.store.insert_signed(signed, now).await,
        };
        let recorded = recorded.map_err(|error| match error {
            StoreError::OtherTerms => DeskError::SignedForOtherTerms,
            StoreError::Unclaimed => DeskError::UnknownQuote(id),
            error => DeskError::from_store(error),
        })?;
        self.operator_view.signatures.record(&recorded, pool.spec(), self.clock.now());
        Ok(recorded)
    }

    /// Checks everything that speaks against signing a quote, and enters it into the book of its pool. An entry whose
    /// signature is never made counts until it lapses.
    async fn approve(
        &self,
        quote: &Quote,
        terms: &Terms,
        binding: Binding,
        now: Timestamp,
    ) -> Result<SigningRequest, DeskError> {
        let position = self.position(quote, now)?;
        let (offer, output_reserve) = (quote.offer_to(terms.destination), position.output_reserve);
        let request = SigningRequest { offer, native: terms.native, output_reserve, now };
        let pool = position.pairing.pool;
        // Checked before the policy counts the trade: a trade that can never be signed must not count.
        pool.signer().check(&request).map_err(|refusal| refusal_error(&refusal, quote, terms))?;
        if let Binding::Immediate = binding {
            // Nor must a trade that the store has no room for.
            self.store.check_capacity(&quote.client, now).map_err(DeskError::from_store)?;
        }
        self.enforce_policy(pool, quote, terms, &position.limits, now).await?;
        self.enter_book(quote, terms, position, now).await?;
        Ok(request)
    }

    /// Checks that a completed signature may still be released. A signing service may have taken any time since
    /// `requested_at`: meanwhile the quote may have expired, the pool may have been paused, and the market may have moved.
    fn recheck_before_release(&self, quote: &Quote, requested_at: Timestamp) -> Result<(), DeskError> {
        let now = self.clock.now();
        if is_expired(quote.must_accept_by, now) {
            return Err(DeskError::UnknownQuote(quote.id));
        }
        self.pauses.check(quote.pool)?;
        if requested_at.plus_seconds(LAST_LOOK_TTL_SECONDS) < now {
            self.last_look(quote, now)?;
        }
        Ok(())
    }

    /// Checks a quote against the policy of its pool. The trade is counted before the signature is made and stays
    /// counted if none is made, so that no total is ever too small.
    async fn enforce_policy(
        &self,
        pool: &ServedPool,
        quote: &Quote,
        terms: &Terms,
        limits: &TradeLimits,
        now: Timestamp,
    ) -> Result<(), DeskError> {
        self.pauses.check(quote.pool)?;
        let value = pool.policy.check(quote, terms, limits)?;
        if !limits.has_totals() {
            return Ok(());
        }
        let charge = VolumeCharge {
            pool: quote.pool,
            client: quote.client.clone(),
            value,
            pool_limit: limits.max_per_minute,
            client_limit: limits.max_per_minute_of_client,
        };
        match self.store.charge_volume(&charge, now).await.map_err(DeskError::Store)? {
            // The store call may have taken time.
            VolumeOutcome::Within => self.pauses.check(quote.pool),
            VolumeOutcome::TotalsUnknown { retry_after_seconds } => {
                Err(DeskError::TotalsUnknown { retry_after_seconds })
            }
            VolumeOutcome::PoolLimit(LimitExceeded { retry_after_seconds, .. }) => {
                Err(DeskError::PoolLimit { retry_after_seconds })
            }
            VolumeOutcome::ClientLimit(LimitExceeded { retry_after_seconds, .. }) => {
                Err(DeskError::ClientLimit { retry_after_seconds })
            }
        }
    }

    /// Checks that the clock can be trusted for signing. A store with its own clock checks ours with each claim and
    /// record.
    pub(crate) fn check_clock(&self) -> Result<(), DeskError> {
        if self.store.has_clock() { Ok(()) } else { self.clock.check().map_err(DeskError::Clock) }
    }

    /// Returns the pool of a quote. A quote of a pool that is no longer served cannot be signed.
    pub(crate) fn pool_of(&self, quote: &Quote) -> Result<&ServedPool, DeskError> {
        let pool = self.pools.iter().find(|pool| pool.spec().id == quote.pool);
        pool.ok_or(DeskError::UnknownQuote(quote.id))
    }
}

/// Maps an error of the signer to the caller's error.
fn signer_error(error: SignerError, quote: &Quote, terms: &Terms) -> DeskError {
    match error {
        SignerError::Refused(refusal) => refusal_error(&refusal, quote, terms),
        error @ (SignerError::Unavailable { .. } | SignerError::InvalidKey(_) | SignerError::InvalidSignature(_)) => {
            DeskError::Key(error)
        }
    }
}

fn refusal_error(refusal: &Refusal, quote: &Quote, terms: &Terms) -> DeskError {
    let not_allowed = |field| DeskError::NotAllowed { field, reason: refusal.to_string() };
    match refusal {
        Refusal::LostDestination { .. } => not_allowed("destination_address"),
        Refusal::NotNative { .. } if terms.native == NativeSide::Output => not_allowed("native_output"),
        Refusal::NotNative { .. } => not_allowed("native_input"),
        Refusal::Lapsed { .. } => DeskError::UnknownQuote(quote.id),
        // Since the quote was made, the pool was reconfigured or drained, or the clock was set back.
        Refusal::OtherK { .. }
        | Refusal::OtherWeight { .. }
        | Refusal::OtherKind { .. }
        | Refusal::UnlistedToken { .. }
        | Refusal::WholeReserve { .. }
        | Refusal::TooLong { .. } => DeskError::disabled(),
        Refusal::OtherPool { .. } | Refusal::SameToken { .. } => {
            DeskError::Internal(format!("the signer refused: {refusal}"))
        }
    }
}
