//! Signing: a last look, the signature, its claim and its record; only then is the signature released.

mod approval;
mod commit;
mod error;
mod recent_quotes;

use std::sync::Arc;

use firmquote_domain::{
    BookEntry, Client, Quote, QuoteId, SignedQuote, SignedSwap, SwapState, Terms, Timestamp, is_expired, is_lapsed,
};
use firmquote_signer::SigningRequest;
use firmquote_store::{BookChange, ClaimOutcome, ClaimRefusal, StoreError, VolumeOutcome};

use self::approval::{Approval, Binding};
use self::error::{claim_error, record_error, signer_error, volume_error};
pub(crate) use self::recent_quotes::RecentQuotes;
use crate::{
    Desk, DeskError, ServedPool,
    book::{BookingMode, PreTradeCheck},
};

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

impl Desk {
    /// Signs a quote for the terms of its first request; the same terms get the same signature again until the swap is
    /// no longer valid on chain.
    ///
    /// No signature is released before its quote is bound to the terms, its volume charged, its swap entered into the
    /// book of the pool and its record stored. A claim for terms that this quote can never be signed for is released
    /// again.
    ///
    /// # Errors
    /// [`DeskError::UnknownQuote`], [`DeskError::OtherClient`], [`DeskError::SignedForOtherTerms`],
    /// [`DeskError::NotAllowed`], [`DeskError::Conflict`] if the request cannot be served; [`DeskError::Paused`],
    /// [`DeskError::DestinationDenied`], [`DeskError::SenderDenied`], [`DeskError::TradeValueAboveLimit`],
    /// [`DeskError::PoolLimit`], [`DeskError::ClientLimit`] and [`DeskError::OutstandingLimit`] if the operator's
    /// policy refuses; [`DeskError::BookIncomplete`], [`DeskError::Market`], [`DeskError::Untrusted`],
    /// [`DeskError::Store`] and [`DeskError::Signer`] for temporary failures; [`DeskError::Internal`] for a bug.
    pub async fn sign(&self, request: &SignRequest) -> Result<SignedQuote, DeskError> {
        let SignRequest { client, quote_id, terms } = request;
        if let Some(quote) = self.take_recent(*quote_id, client) {
            return match self.sign_stored(&quote, terms, Binding::Stored).await {
                // A store that does not respond is not queried again.
                Err(refusal) if !matches!(refusal, DeskError::Store(_)) => {
                    self.claim_after_refusal(request, refusal).await
                }
                signed => signed,
            };
        }
        match self.store.claim(*quote_id, client, terms, self.clock.now()).await.map_err(DeskError::Store)? {
            ClaimOutcome::Refused(refusal) => Err(claim_error(refusal, *quote_id)),
            ClaimOutcome::Signed(signed) => self.release_recorded(signed).await,
            ClaimOutcome::Granted(quote) => match self.sign_stored(&quote, terms, Binding::Claimed).await {
                Err(refusal) => self.release_unsignable(request, refusal).await,
                signed => signed,
            },
        }
    }

    /// Returns the signature of a quote that this replica refuses to sign, if another replica has recorded it.
    /// Otherwise the refused terms are the first that the quote is bound to.
    async fn claim_after_refusal(&self, request: &SignRequest, refusal: DeskError) -> Result<SignedQuote, DeskError> {
        let SignRequest { client, quote_id, terms } = request;
        match self.store.claim(*quote_id, client, terms, self.clock.now()).await {
            Ok(ClaimOutcome::Signed(signed)) => self.release_recorded(signed).await,
            Ok(ClaimOutcome::Refused(ClaimRefusal::OtherTerms)) => Err(DeskError::SignedForOtherTerms),
            Ok(ClaimOutcome::Granted(_)) => self.release_unsignable(request, refusal).await,
            Ok(ClaimOutcome::Refused(ClaimRefusal::Unknown | ClaimRefusal::OtherClient)) | Err(_) => Err(refusal),
        }
    }

    /// Returns a signature that is on record, once its swap is in this replica's copy of the book. A store that lost
    /// changes may have the record and not the swap: then the swap is entered again.
    pub(super) async fn release_recorded(&self, signed: SignedQuote) -> Result<SignedQuote, DeskError> {
        let (id, expires_at) = (signed.quote.id, signed.quote.good_until.expires_at());
        let Some(pool) = self.pool(signed.quote.pool) else { return Ok(signed) };
        let has_swap = || pool.book().swap(id).is_some() || is_lapsed(expires_at, self.clock.now());
        if has_swap() {
            return Ok(signed);
        }
        self.refresh_book(pool).await?;
        if !has_swap() {
            let entry = BookEntry { swap: Arc::new(SignedSwap::from(&signed)), state: SwapState::Outstanding };
            let entered = self.books.apply_changes(pool.id(), &[BookChange::Entered(entry)], self.clock.now()).await;
            entered.map_err(DeskError::Store)?;
            self.refresh_book(pool).await?;
        }
        let lost = || DeskError::Store(StoreError::Unavailable("the book has lost a signed swap".into()));
        if has_swap() { Ok(signed) } else { Err(lost()) }
    }

    /// Releases a claim for terms that its quote can never be signed for, and returns the refusal.
    async fn release_unsignable(
        &self,
        SignRequest { quote_id, terms, .. }: &SignRequest,
        refusal: DeskError,
    ) -> Result<SignedQuote, DeskError> {
        if let DeskError::NotAllowed { .. } = refusal {
            self.store.release(*quote_id, terms).await.map_err(DeskError::Store)?;
        }
        Err(refusal)
    }

    /// Signs a quote that was never stored.
    pub(crate) async fn sign_at_once(
        &self,
        quote: &Quote,
        terms: &Terms,
        now: Timestamp,
    ) -> Result<SignedQuote, DeskError> {
        self.sign_and_record(quote, terms, Binding::Immediate, now).await
    }

    /// Takes a quote of this process that no sign request has named yet, if a signature can be stored together with
    /// the claim on its quote.
    fn take_recent(&self, id: QuoteId, client: &Client) -> Option<Quote> {
        let can_commit = |pool: &&ServedPool| self.store.supports_commit() && pool.signer().is_local();
        self.pools.iter().filter(can_commit).find_map(|pool| pool.recent_quotes().take(id, client))
    }

    /// Signs a stored quote. Reads the clock again: a claim may have taken time, and an expired quote is not signed.
    async fn sign_stored(&self, quote: &Quote, terms: &Terms, binding: Binding) -> Result<SignedQuote, DeskError> {
        let (id, now) = (quote.id, self.clock.now());
        if is_expired(quote.must_accept_by, now) {
            return Err(DeskError::UnknownQuote(id));
        }
        if let Err(error) = self.last_look(quote, now) {
            return Err(self.with_fresh_quote(error, quote).await);
        }
        let signed = self.sign_and_record(quote, terms, binding, now).await;
        if quote.levels.is_some() {
            signed.as_ref().inspect_err(|error| self.count_breach(error)).ok();
        }
        signed
    }

    async fn sign_and_record(
        &self,
        quote: &Quote,
        terms: &Terms,
        binding: Binding,
        now: Timestamp,
    ) -> Result<SignedQuote, DeskError> {
        self.check_clock()?;
        let pool = self.pool_of(quote)?;
        let approval = self.approve(quote, terms, binding, now);
        if approval.is_ok() && binding != Binding::Immediate {
            self.extend_reservation(quote, now).await?;
        }
        let recorded = match approval {
            Err(error) => Err(error),
            Ok(approval) if self.store.supports_commit() && pool.signer().is_local() => {
                self.commit(approval, binding != Binding::Immediate, now).await
            }
            Ok(approval) => match self.charge_and_enter_book(approval, now).await {
                Err(error) => Err(error),
                Ok(approval) => return self.sign_booked(approval, binding, now).await,
            },
        };
        match recorded {
            Ok(recorded) => Ok(recorded),
            Err(error) => Err(self.with_fresh_quote(error, quote).await),
        }
    }

    /// Makes the signature of a quote whose swap is in the book, and records it.
    async fn sign_booked(
        &self,
        Approval { check, request, .. }: Approval<'_>,
        binding: Binding,
        now: Timestamp,
    ) -> Result<SignedQuote, DeskError> {
        let (quote, guarantee) = (check.quote, check.guarantee.map(Box::new));
        let signed = SignedQuote { guarantee, ..self.make_signature(&check, &request).await? };
        self.recheck_before_release(&check, now)?;
        let recorded = match binding {
            Binding::Claimed | Binding::Stored => self.store.record(signed, now).await,
            Binding::Immediate => self.store.insert_signed(signed, now).await,
        };
        let recorded = recorded.map_err(|error| record_error(error, quote.id))?;
        self.operator_view.signatures.record(&recorded, check.directed_pair.spec(), self.clock.now());
        Ok(recorded)
    }

    /// Makes a signature, which may not leave the service before it is recorded.
    pub(crate) async fn make_signature(
        &self,
        check: &PreTradeCheck<'_>,
        request: &SigningRequest,
    ) -> Result<SignedQuote, DeskError> {
        let (pool, quote, terms) = (check.directed_pair.pool, check.quote, check.terms);
        let signature = pool.signer().sign(request).await.map_err(|error| signer_error(error, quote, terms))?;
        let (execution, signed_at) = (check.execution(), self.clock.now());
        Ok(SignedQuote { quote: quote.clone(), terms: *terms, signature, execution, guarantee: None, signed_at })
    }

    /// Counts the trade and enters it into the book of its pool, before its signature is made. If none is made, it
    /// stays counted and the entry counts until it lapses, so that no total is ever too small.
    async fn charge_and_enter_book<'a>(
        &'a self,
        mut approval: Approval<'a>,
        now: Timestamp,
    ) -> Result<Approval<'a>, DeskError> {
        if let Some(charge) = &approval.charge {
            // Nothing is counted for a swap that the book refuses.
            approval.check = self.book(approval.check, BookingMode::Check, now).await?;
            match self.store.charge_volume(charge, now).await.map_err(DeskError::Store)? {
                VolumeOutcome::Within => {}
                VolumeOutcome::Refused(refusal) => return Err(volume_error(refusal)),
            }
            // The store call may have taken time.
            self.pauses.check(charge.pool, self.clock.now())?;
        }
        approval.check = self.book(approval.check, BookingMode::Enter, now).await?;
        Ok(approval)
    }

    /// Returns the pool of a quote. A quote of a pool that is no longer served cannot be signed.
    pub(crate) fn pool_of(&self, quote: &Quote) -> Result<&ServedPool, DeskError> {
        self.pool(quote.pool).ok_or(DeskError::UnknownQuote(quote.id))
    }
}
