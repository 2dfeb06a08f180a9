//! Signing: open the quote, check it, sign it, commit the signature; only then is it released.

mod check;
mod commit;
mod error;

use std::sync::Arc;

use firmquote_domain::{BookEntry, Client, Quote, QuoteId, SignedQuote, SignedSwap, SwapState, Terms, is_lapsed};
use firmquote_store::{BookChange, OpenOutcome, QuoteRefusal, StoreError};

pub(crate) use self::error::quote_error;
use crate::{
    Desk, DeskError, ServedPool,
    quoting::request_recorder::{Operation, StateLog},
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
    /// Signs a quote for the terms of the first request that is not refused; the same terms get the same signature again
    /// until the swap is no longer valid on chain.
    ///
    /// No signature is released before its quote is bound to the terms, its volume charged, its swap entered into the
    /// book of the pool and its record stored. A refusal changes nothing, except that a quote whose signature was requested
    /// from a signing service stays bound to its terms.
    ///
    /// # Errors
    /// [`DeskError::UnknownQuote`], [`DeskError::OtherClient`], [`DeskError::SignedForOtherTerms`],
    /// [`DeskError::NotAllowed`], [`DeskError::Conflict`] if the request cannot be served; [`DeskError::Paused`],
    /// [`DeskError::DestinationDenied`], [`DeskError::SenderDenied`], [`DeskError::TradeValueAboveLimit`],
    /// [`DeskError::PoolLimit`], [`DeskError::ClientLimit`] and [`DeskError::OutstandingLimit`] if the operator's
    /// policy refuses; [`DeskError::BookIncomplete`], [`DeskError::Market`], [`DeskError::Untrusted`],
    /// [`DeskError::Store`] and [`DeskError::Signer`] for temporary failures; [`DeskError::Internal`] for a bug.
    pub async fn sign(&self, request: &SignRequest) -> Result<SignedQuote, DeskError> {
        let (now, mut states) = (self.clock.now(), self.state_log());
        let signed = self.sign_stored(request, &mut states).await;
        let quote = signed.as_ref().map(|signed| &signed.quote);
        self.record(|| Operation::Sign(request.quote_id), &request.client, now, states, quote);
        signed
    }

    async fn sign_stored(&self, request: &SignRequest, states: &mut StateLog) -> Result<SignedQuote, DeskError> {
        let quote = match self.open(request).await? {
            OpenOutcome::Unsigned(quote) => quote,
            OpenOutcome::Signed(signed) => return Box::pin(self.release_recorded(signed)).await,
            OpenOutcome::Refused(refusal) => return Err(quote_error(refusal, request.quote_id)),
        };
        let signed = self.sign_unsigned(&quote, &request.terms, true, states).await;
        if quote.levels.is_some() {
            signed.as_ref().inspect_err(|error| self.count_breach(error)).ok();
        }
        match signed {
            // A store that does not respond is not queried again.
            Err(refusal) if !matches!(refusal, DeskError::Store(_)) => {
                Box::pin(self.find_signed(request, refusal)).await
            }
            signed => signed,
        }
    }

    /// Returns the signature that another replica has recorded of a quote that this one refuses to sign.
    async fn find_signed(&self, request: &SignRequest, refusal: DeskError) -> Result<SignedQuote, DeskError> {
        match self.open(request).await {
            Ok(OpenOutcome::Signed(signed)) => self.release_recorded(signed).await,
            Ok(OpenOutcome::Refused(QuoteRefusal::OtherTerms)) => Err(DeskError::SignedForOtherTerms),
            Ok(OpenOutcome::Unsigned(_) | OpenOutcome::Refused(QuoteRefusal::Unknown | QuoteRefusal::OtherClient))
            | Err(_) => Err(refusal),
        }
    }

    async fn open(&self, SignRequest { client, quote_id, terms }: &SignRequest) -> Result<OpenOutcome, DeskError> {
        self.store.open(*quote_id, client, terms, self.clock.now()).await.map_err(DeskError::from_store)
    }

    /// Returns a signature that is on record, once its swap is in this replica's copy of the book. A store that lost
    /// changes may have the record and not the swap: then the swap is entered again.
    pub(crate) async fn release_recorded(&self, signed: SignedQuote) -> Result<SignedQuote, DeskError> {
        let (id, expires_at) = (signed.quote.id, signed.quote.good_until.expires_at());
        let Some(pool) = self.pool(signed.quote.pool) else { return Ok(signed) };
        let has_swap = || pool.book().swap(id).is_some() || is_lapsed(expires_at, self.clock.now());
        if has_swap() {
            return Ok(signed);
        }
        self.refresh_book(pool).await?;
        if !has_swap() {
            let entry = BookEntry { swap: Arc::new(SignedSwap::from(&signed)), state: SwapState::Outstanding };
            let entered = self.store.apply_changes(pool.id(), &[BookChange::Entered(entry)], self.clock.now()).await;
            entered.map_err(DeskError::from_store)?;
            self.refresh_book(pool).await?;
        }
        let lost = || DeskError::Store(StoreError::Unavailable("the book has lost a signed swap".into()));
        if has_swap() { Ok(signed) } else { Err(lost()) }
    }

    /// Returns the pool of a quote. A quote of a pool that is no longer served cannot be signed.
    pub(crate) fn pool_of(&self, quote: &Quote) -> Result<&ServedPool, DeskError> {
        self.pool(quote.pool).ok_or(DeskError::UnknownQuote(quote.id))
    }
}
