//! Repeated requests for a quote that is signed at once: the answer of the first is given again.

use firmquote_domain::{Client, Quote, QuoteId, SignedQuote, SwapAmount, Terms, Timestamp};
use firmquote_store::{OpenOutcome, QuoteRefusal};
use sha2::{Digest as _, Sha256};

use crate::{Desk, DeskError, QuoteRequest};

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
    /// Returns what an earlier request with the id of this one was answered; `None` if there was none.
    ///
    /// # Errors
    /// [`DeskError::KeyReused`] if that was another request.
    pub(super) async fn find_earlier(
        &self,
        request: &QuoteRequest<'_>,
        terms: &Terms,
        now: Timestamp,
    ) -> Result<Option<SignedQuote>, DeskError> {
        let Some(id) = request.quote_id else { return Ok(None) };
        match self.store.open(id, &request.client, terms, now).await.map_err(DeskError::from_store)? {
            OpenOutcome::Signed(signed) => self.check_earlier(request, signed).await.map(Some),
            OpenOutcome::Refused(QuoteRefusal::Unknown) => Ok(None),
            OpenOutcome::Unsigned(_) | OpenOutcome::Refused(QuoteRefusal::OtherTerms | QuoteRefusal::OtherClient) => {
                Err(DeskError::KeyReused)
            }
        }
    }

    async fn check_earlier(&self, request: &QuoteRequest<'_>, signed: SignedQuote) -> Result<SignedQuote, DeskError> {
        if self.is_for(request, &signed.quote) {
            self.release_recorded(signed).await
        } else {
            Err(DeskError::KeyReused)
        }
    }

    /// Whether `quote` is one for `request`.
    pub(super) fn is_for(&self, request: &QuoteRequest<'_>, quote: &Quote) -> bool {
        let Some(pool) = self.pool(quote.pool) else { return false };
        let token = |key: crate::AssetKey<'_>| key.find(pool.signer().pool()).map(|(_, asset)| asset.address);
        let amount = match request.amount {
            SwapAmount::ExactInput(_) => SwapAmount::ExactInput(quote.input.amount),
            SwapAmount::ExactOutput(_) => SwapAmount::ExactOutput(quote.output.amount),
        };
        quote.fixed == request.amount.side()
            && amount == request.amount
            && quote.pool.chain_id == request.chain_id
            && request.pool_address.is_none_or(|address| address == quote.pool.address)
            && request.time_in_seconds.is_none_or(|time| time == quote.time_in_seconds)
            && quote.levels.as_deref().map(|levels| levels.id) == request.levels_id
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
