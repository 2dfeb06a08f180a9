//! Repeated requests for a quote that is signed at once: the answer of the first is given again.

use firmquote_domain::{Client, Quote, QuoteId, SignedQuote, SwapAmount, Terms, Timestamp};
use firmquote_store::{OpenOutcome, QuoteRefusal};
use sha2::{Digest as _, Sha256};

use crate::{AssetKey, Desk, DeskError, QuoteRequest, quoting::request_recorder::StateLog, sign::quote_error};

/// Returns the id of the quote that `client` requests with an idempotency key: a UUID of version 8 (RFC 9562), made of a hash
/// of both, so that every replica finds the first answer by it.
pub fn quote_id_of_key(client: &Client, key: &str) -> QuoteId {
    let name = client.name().unwrap_or_default();
    let length = u64::try_from(name.len()).unwrap_or(u64::MAX).to_be_bytes();
    let hash = Sha256::new_with_prefix("firmquote idempotency key").chain_update(length).chain_update(name);
    let mut bytes = [0; 16];
    hash.chain_update(key).finalize().iter().zip(&mut bytes).for_each(|(digit, byte)| *byte = *digit);
    QuoteId::from_bytes(uuid::Builder::from_custom_bytes(bytes).into_uuid().into_bytes())
}

impl Desk {
    /// Makes and signs the quote `id` once: a repeated request gets the answer of the first. The quote is stored before it is
    /// signed, so that whatever replicas do at once is about one quote, as if it had been requested and then signed.
    ///
    /// # Errors
    /// [`DeskError::KeyReused`] for another request with the same id, and for any once the signature has expired;
    /// [`DeskError::NotAllowed`] with firm levels; those of [`Self::quote`] and [`Self::sign`].
    pub(super) async fn sign_once(
        &self,
        request: &QuoteRequest<'_>,
        id: QuoteId,
        terms: &Terms,
        now: Timestamp,
        states: &mut StateLog,
    ) -> Result<SignedQuote, DeskError> {
        if request.levels_id.is_some() {
            let reason = "cannot be combined with an Idempotency-Key".to_owned();
            return Err(DeskError::NotAllowed { field: "levels_id", reason });
        }
        let opened = match self.open_once(request, id, terms, now).await? {
            Some(opened) => opened,
            None => {
                let quote = self.make_quote(request, now, states)?;
                self.store.insert(&quote, now).await.map_err(DeskError::from_store)?;
                // That of another request, if it came first.
                self.open_once(request, id, terms, now).await?.ok_or(DeskError::UnknownQuote(id))?
            }
        };
        let stored = match opened {
            OpenOutcome::Unsigned(quote) => quote,
            OpenOutcome::Signed(signed) => return self.release_recorded(signed).await,
            OpenOutcome::Refused(refusal) => return Err(quote_error(refusal, id)),
        };
        match self.sign_unsigned(&stored, terms, true, &mut StateLog::disabled()).await {
            Err(DeskError::SignedForOtherTerms) => Err(DeskError::KeyReused),
            Ok(signed) if !self.is_for(request, &signed.quote) => Err(DeskError::KeyReused),
            signed => signed,
        }
    }

    /// Returns the quote `id`, or its signature, if that is for `request`; `None` if there is none yet.
    async fn open_once(
        &self,
        request: &QuoteRequest<'_>,
        id: QuoteId,
        terms: &Terms,
        now: Timestamp,
    ) -> Result<Option<OpenOutcome>, DeskError> {
        let opened = self.store.open(id, &request.client, terms, now).await.map_err(DeskError::from_store)?;
        let is_same = match &opened {
            OpenOutcome::Signed(signed) => self.is_for(request, &signed.quote),
            OpenOutcome::Unsigned(quote) => self.is_for(request, quote),
            OpenOutcome::Refused(QuoteRefusal::Unknown) => {
                // A signature that has expired, and is still known.
                let known = self.store.find(id, now).await.map_err(DeskError::from_store)?;
                return if known.is_some() { Err(DeskError::KeyReused) } else { Ok(None) };
            }
            OpenOutcome::Refused(QuoteRefusal::OtherTerms | QuoteRefusal::OtherClient) => false,
        };
        if is_same { Ok(Some(opened)) } else { Err(DeskError::KeyReused) }
    }

    /// Whether `quote` is one for `request`.
    pub(super) fn is_for(&self, request: &QuoteRequest<'_>, quote: &Quote) -> bool {
        let Some(pool) = self.pool(quote.pool) else { return false };
        let token = |key: AssetKey<'_>| key.find(pool.signer().pool()).map(|(_, asset)| asset.address);
        let amount = match request.amount {
            SwapAmount::ExactInput(_) => SwapAmount::ExactInput(quote.input.amount),
            SwapAmount::ExactOutput(_) => SwapAmount::ExactOutput(quote.output.amount),
        };
        quote.fixed == request.amount.side()
            && amount == request.amount
            && quote.pool.chain_id == request.chain_id
            && request.pool_address.is_none_or(|address| address == quote.pool.address)
            && request.time_in_seconds.is_none_or(|time| time == quote.time_in_seconds)
            && token(request.input) == Some(quote.input.token)
            && token(request.output) == Some(quote.output.token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_that_of_one_client_and_one_key() {
        let named = |name: &str| Client::Named(name.into());
        let ids = [
            quote_id_of_key(&named("acme"), "1"),
            quote_id_of_key(&named("acme"), "2"),
            quote_id_of_key(&named("acme1"), ""),
            quote_id_of_key(&named("apex"), "1"),
        ];
        assert!(ids.iter().enumerate().all(|(at, id)| !ids[..at].contains(id)));
        assert_eq!(ids[0], quote_id_of_key(&named("acme"), "1"));
        assert_eq!(ids[0].to_string().as_bytes()[14], b'8', "the version");
    }
}
