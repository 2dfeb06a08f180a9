//! The client: one method for each operation of the service.

use std::{fmt, sync::Arc};

use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::{
    Answer, Chain, ClientSettings, Error, InvalidSettings, OffchainPools, OnchainPools, PoolRequest, Quote,
    QuoteRequest, QuotedSwap, SignRequest, SignedSwap, SwapTerms,
    answer::{
        ChainsAnswer, OffchainAnswerV1, OffchainAnswerV2, OnchainAnswerV1, OnchainAnswerV2, QuoteMembers, SignObject,
    },
    executor::RequestExecutor,
    response_meta::is_request_id,
    route::{Fieldset, Route, Version},
    validate,
};

/// A client of one service. Clones share their connections.
#[derive(Clone)]
pub struct Client {
    exchange: Arc<RequestExecutor>,
    request_id: Option<Arc<str>>,
}

impl Client {
    /// Creates a client; nothing is sent yet.
    ///
    /// # Errors
    /// [`InvalidSettings`] for the first invalid setting.
    pub fn new(settings: ClientSettings) -> Result<Self, InvalidSettings> {
        Ok(Self { exchange: Arc::new(RequestExecutor::new(settings)?), request_id: None })
    }

    /// Returns a client that sends this request id, for the service's log, instead of a new one with each request.
    ///
    /// # Errors
    /// [`InvalidSettings::RequestId`] if the service would not accept the id.
    pub fn with_request_id(&self, request_id: &str) -> Result<Self, InvalidSettings> {
        if !is_request_id(request_id) {
            return Err(InvalidSettings::RequestId);
        }
        Ok(Self { exchange: self.exchange.clone(), request_id: Some(request_id.into()) })
    }

    /// Lists every chain with its pools, their tokens, and the trade sizes for this client. Requires an API key.
    ///
    /// # Errors
    /// [`Error`]; its [`reaction`](Error::reaction) reports what to do.
    pub async fn chains(&self) -> Result<Answer<Vec<Chain>>, Error> {
        Ok(self.ask::<ChainsAnswer>(&Route::chains(self.version())?).await?.map(|answer| answer.chains))
    }

    /// Returns what the pools' contracts hold, at current prices.
    ///
    /// # Errors
    /// [`Error`]; its [`reaction`](Error::reaction) reports what to do.
    pub async fn onchain_pools(&self, request: &PoolRequest) -> Result<Answer<OnchainPools>, Error> {
        let route = Route::pools(self.version(), request, Fieldset::Onchain)?;
        match route.version {
            Version::One => Ok(self.ask::<OnchainAnswerV1>(&route).await?.map(OnchainPools::from)),
            Version::Two => Ok(self.ask::<OnchainAnswerV2>(&route).await?.map(OnchainPools::from)),
        }
    }

    /// Returns what the pools compute quotes with, and the fee of each pair.
    ///
    /// # Errors
    /// [`Error`]; its [`reaction`](Error::reaction) reports what to do.
    pub async fn offchain_pools(&self, request: &PoolRequest) -> Result<Answer<OffchainPools>, Error> {
        let route = Route::pools(self.version(), request, Fieldset::Offchain)?;
        match route.version {
            Version::One => Ok(self.ask::<OffchainAnswerV1>(&route).await?.map(OffchainPools::from)),
            Version::Two => Ok(self.ask::<OffchainAnswerV2>(&route).await?.map(OffchainPools::from)),
        }
    }

    /// Requests a quote. Every call makes another one.
    ///
    /// # Errors
    /// [`Error`]; its [`reaction`](Error::reaction) reports what to do. [`Error::Unusable`] if the quote does not match
    /// the request.
    pub async fn quote(&self, request: &QuoteRequest) -> Result<Answer<Quote>, Error> {
        let answer: Answer<Quote> = self.ask(&Route::quote(self.version(), request)?).await?;
        validate::is_quoted(request, &answer).map_err(|reason| Error::unusable(&answer.meta, reason))?;
        Ok(answer)
    }

    /// Has a quote signed. The same terms get the same signature, so retrying after a lost response is safe; other
    /// terms are refused.
    ///
    /// # Errors
    /// [`Error`]; its [`reaction`](Error::reaction) reports what to do. [`Error::Unusable`] for a signature on other
    /// terms.
    pub async fn sign(&self, request: &SignRequest) -> Result<Answer<SignedSwap>, Error> {
        let answer: Answer<SignObject> = self.ask(&Route::sign(self.version(), request)).await?;
        let answer = answer.map(|object| object.with_native(request.terms.native));
        validate::is_signed(&request.terms, &answer).map_err(|reason| Error::unusable(&answer.meta, reason))?;
        Ok(answer)
    }

    /// Has a quote signed like [`Self::sign`], and checks the signed chain, tokens, amounts and expiry against the
    /// quote.
    ///
    /// # Errors
    /// [`Error`]; its [`reaction`](Error::reaction) reports what to do. [`Error::Unusable`] for a signature on other
    /// terms or of anything but the quote.
    pub async fn sign_quote(&self, quote: &Quote, terms: &SwapTerms) -> Result<Answer<SignedSwap>, Error> {
        let signed = self.sign(&SignRequest { quote_id: quote.id, terms: *terms }).await?;
        validate::is_of(quote, &signed).map_err(|reason| Error::unusable(&signed.meta, reason))?;
        Ok(signed)
    }

    /// Requests a quote and its signature, in one round trip with an API key and in two without. Every call makes
    /// another quote and another signature, which counts against limits, so this client never repeats it by itself;
    /// send only one of the signed swaps.
    ///
    /// # Errors
    /// [`Error`]; its [`reaction`](Error::reaction) reports what to do. [`Error::Unusable`] if the swap does not match
    /// the request, [`Error::Unsigned`] with the quote if there is one without a signature.
    pub async fn quote_and_sign(&self, request: &QuoteRequest, terms: &SwapTerms) -> Result<Answer<QuotedSwap>, Error> {
        if self.version() == Version::One {
            let quote = self.quote(request).await?.value;
            let signed = match self.sign_quote(&quote, terms).await {
                Ok(signed) => signed,
                Err(cause) => return Err(Error::Unsigned { quote: Box::new(quote), cause: Box::new(cause) }),
            };
            return Ok(signed.map(|swap| QuotedSwap::new(&quote, swap)));
        }
        let answer: Answer<SignObject> = self.ask(&Route::quote_and_sign(request, terms)).await?;
        let members: Result<QuoteMembers, _> = serde_json::from_str(&answer.text);
        let members = members.map_err(|error| Error::unusable(&answer.meta, &error.to_string()))?;
        let answer = answer.map(|object| members.with_swap(object.with_native(terms.native)));
        let unusable = |reason: &str| Error::unusable(&answer.meta, reason);
        validate::is_signed(terms, &answer.swap).map_err(unusable)?;
        validate::is_swapped(request, &answer.swap).map_err(unusable)?;
        Ok(answer)
    }

    fn version(&self) -> Version {
        self.exchange.version()
    }

    async fn ask<T: DeserializeOwned>(&self, route: &Route) -> Result<Answer<T>, Error> {
        let request_id = self.request_id.clone().unwrap_or_else(fresh);
        self.exchange.ask(route, &request_id).await
    }
}

impl fmt::Debug for Client {
    /// Shows hosts and ports of the servers, and nothing of the credential.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (base, base_v2) = self.exchange.bases();
        let mut debug = f.debug_struct("Client");
        debug
            .field("base", &format_args!("{base}"))
            .field("base_v2", &format_args!("{base_v2}"))
            .finish_non_exhaustive()
    }
}

fn fresh() -> Arc<str> {
    Uuid::new_v4().to_string().into()
}
