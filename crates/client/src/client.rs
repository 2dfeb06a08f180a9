//! The client: one method for each operation of the service.

use std::{fmt, sync::Arc};

use firmquote_api::{self as api, PoolType};
use serde::de::DeserializeOwned;

use crate::{
    Chain, ChainId, ClientSettings, Error, InvalidSettings, Levels, LevelsRequest, LevelsSnapshot, OffchainPools,
    OnchainPools, PoolRequest, Pools, Quote, QuoteEvents, QuoteGrid, QuoteGridRequest, QuoteId, QuoteRequest,
    QuoteStatus, QuotedSwap, Response, SignRequest, SignedSwap, SwapTerms, Swaps, SwapsRequest,
    executor::{RequestExecutor, fresh_request_id},
    response::one_line,
    response_meta::is_request_id,
    route::{Route, Version},
    validate::{self, ReturnedPool},
};

/// A client of one service. Clones share their connections.
#[derive(Clone)]
pub struct Client {
    executor: Arc<RequestExecutor>,
    request_id: Option<Arc<str>>,
}

impl Client {
    /// Creates a client; nothing is sent yet.
    ///
    /// # Errors
    /// [`InvalidSettings`] for the first invalid setting.
    pub fn new(settings: ClientSettings) -> Result<Self, InvalidSettings> {
        Ok(Self { executor: Arc::new(RequestExecutor::new(settings)?), request_id: None })
    }

    /// Returns a client that sends this request id, for the service's log, instead of a new one with each request.
    ///
    /// # Errors
    /// [`InvalidSettings::RequestId`] if the service would not accept the id.
    pub fn with_request_id(&self, request_id: &str) -> Result<Self, InvalidSettings> {
        if !is_request_id(request_id) {
            return Err(InvalidSettings::RequestId);
        }
        Ok(Self { executor: self.executor.clone(), request_id: Some(request_id.into()) })
    }

    /// Lists every chain with its pools, their tokens, and the trade sizes for this client. Requires an API key.
    ///
    /// # Errors
    /// [`Error`]; [`reaction`](Error::reaction) returns what to do next.
    pub async fn chains(&self) -> Result<Response<Vec<Chain>>, Error> {
        Ok(self.execute::<api::Chains>(&Route::chains(self.version())?).await?.map(|response| response.chains))
    }

    /// Returns the holdings of the pools' contracts, at current prices.
    ///
    /// # Errors
    /// [`Error`]; [`reaction`](Error::reaction) returns what to do next. [`Error::InvalidResponse`] for another chain,
    /// pool or state than requested.
    pub async fn onchain_pools(&self, request: &PoolRequest) -> Result<Response<OnchainPools>, Error> {
        self.fetch_pools(request, PoolType::Onchain).await
    }

    /// Returns the pricing inputs of the pools, and the fee of each pair.
    ///
    /// # Errors
    /// [`Error`]; [`reaction`](Error::reaction) returns what to do next. [`Error::InvalidResponse`] for another chain,
    /// pool, state or `time_in_seconds` than requested.
    pub async fn offchain_pools(&self, request: &PoolRequest) -> Result<Response<OffchainPools>, Error> {
        self.fetch_pools(request, PoolType::Offchain).await
    }

    /// Returns the on-chain and the off-chain data of the pools from one instant: everything that determines their
    /// quotes.
    ///
    /// # Errors
    /// [`Error`]; [`reaction`](Error::reaction) returns what to do next. [`Error::InvalidResponse`] for another chain,
    /// pool, state or `time_in_seconds` than requested.
    pub async fn pools(&self, request: &PoolRequest) -> Result<Response<Pools>, Error> {
        self.fetch_pools(request, PoolType::All).await
    }

    /// Requests a quote. Every call makes a new one. A quote of firm levels reserves a part of their budget, so this
    /// client never repeats it by itself.
    ///
    /// # Errors
    /// [`Error`]; [`reaction`](Error::reaction) returns what to do next. [`Error::InvalidResponse`] if the quote does
    /// not match the request.
    pub async fn quote(&self, request: &QuoteRequest) -> Result<Response<Quote>, Error> {
        let response: Response<Quote> = self.execute(&Route::quote(self.version(), request)?).await?;
        validate::check_quote(request, &response).map_err(|reason| Error::invalid_response(&response.meta, reason))?;
        Ok(response)
    }

    /// Requests the signature of a quote. The same terms get the same signature, so retrying after a lost response is
    /// safe; other terms are refused.
    ///
    /// Checks the destination, and that there is calldata if and only if it was requested. Knows only the id of
    /// the quote, and [does not verify signature and calldata](SignedSwap).
    ///
    /// # Errors
    /// [`Error`]; [`reaction`](Error::reaction) returns what to do next. [`Error::InvalidResponse`] for a signature on
    /// other terms.
    pub async fn sign(&self, request: &SignRequest) -> Result<Response<SignedSwap>, Error> {
        let response: Response<api::SignedSwap> = self.execute(&Route::sign(self.version(), request)).await?;
        let response = response.map(|response| SignedSwap { response, native: request.terms.native });
        validate::check_terms(&request.terms, &response)
            .map_err(|reason| Error::invalid_response(&response.meta, reason))?;
        Ok(response)
    }

    /// Requests the signature of a quote like [`Self::sign`], and checks the signed chain, pool, tokens, amounts and
    /// expiry against the quote. [Does not verify signature and calldata](SignedSwap): verify both before the calldata
    /// is sent.
    ///
    /// # Errors
    /// [`Error`]; [`reaction`](Error::reaction) returns what to do next. [`Error::InvalidResponse`] for a signature on
    /// other terms or of another swap.
    pub async fn sign_quote(&self, quote: &Quote, terms: &SwapTerms) -> Result<Response<SignedSwap>, Error> {
        let signed = self.sign(&SignRequest { quote_id: *quote.id, terms: *terms }).await;
        let is_swap = |fresh: &Quote| validate::check_fresh_quote(quote, fresh);
        let signed = signed.map_err(|error| error.filter_fresh_quote(is_swap))?;
        validate::check_matches_quote(quote, &signed)
            .map_err(|reason| Error::invalid_response(&signed.meta, reason))?;
        Ok(signed)
    }

    /// Requests a quote and its signature, in one round trip with an API key and in two without. Every call makes a new
    /// quote and a new signature, which counts against limits, so this client never repeats it by itself; send only one
    /// of the signed swaps.
    ///
    /// Checks chain, fixed amount, a pinned pool, levels and the destination against the request. Knows the tokens
    /// only by their symbols, and [does not verify signature and calldata](SignedSwap).
    ///
    /// # Errors
    /// [`Error`]; [`reaction`](Error::reaction) returns what to do next. [`Error::InvalidResponse`] if the swap does
    /// not match the request, [`Error::QuoteNotSigned`] with the quote if only the signature is missing.
    pub async fn quote_and_sign(
        &self,
        request: &QuoteRequest,
        terms: &SwapTerms,
    ) -> Result<Response<QuotedSwap>, Error> {
        let is_requested = |fresh: &Quote| validate::check_quote(request, fresh);
        if self.version() == Version::One {
            let quote = self.quote(request).await?.value;
            let signed = match self.sign_quote(&quote, terms).await {
                Ok(signed) => signed,
                Err(cause) => {
                    let cause = Box::new(cause.filter_fresh_quote(is_requested));
                    return Err(Error::QuoteNotSigned { quote: Box::new(quote), cause });
                }
            };
            let quoted = |swap: SignedSwap| api::QuotedSwap::new(quote, swap.response);
            return Ok(signed.map(|swap| QuotedSwap::new(quoted(swap), terms.native)));
        }
        let response = self.execute::<api::QuotedSwap>(&Route::quote_and_sign(request, terms)).await;
        let response = response.map_err(|error| error.filter_fresh_quote(is_requested))?;
        let response = response.map(|response| QuotedSwap::new(response, terms.native));
        let invalid_response = |reason: &str| Error::invalid_response(&response.meta, reason);
        validate::check_terms(terms, &response.swap).map_err(invalid_response)?;
        validate::check_quoted_swap(request, &response.quote).map_err(invalid_response)?;
        Ok(response)
    }

    /// Returns the status of a quote of the client. Requires an API key. A quote that expired unsigned, or whose status
    /// the service no longer keeps, is refused with [`ErrorType::NotFound`](crate::ErrorType::NotFound).
    ///
    /// # Errors
    /// [`Error`]; [`reaction`](Error::reaction) returns what to do next. [`Error::InvalidResponse`] for the status of
    /// another quote.
    pub async fn quote_status(&self, quote_id: QuoteId) -> Result<Response<QuoteStatus>, Error> {
        let response: Response<QuoteStatus> = self.execute(&Route::quote_status(self.version(), quote_id)?).await?;
        if response.quote_id != quote_id {
            return Err(Error::invalid_response(&response.meta, "it is for a different quote"));
        }
        Ok(response)
    }

    /// Returns a page of the signed swaps of the client, in the order of their signatures. Requires an API key. The next
    /// page starts at the `next_cursor` of the response, until that is `None`.
    ///
    /// # Errors
    /// [`Error`]; [`reaction`](Error::reaction) returns what to do next.
    pub async fn signed_swaps(&self, request: &SwapsRequest) -> Result<Response<Swaps>, Error> {
        self.execute(&Route::signed_swaps(self.version(), request)?).await
    }

    /// Returns indicative quotes for many sizes, all in one state of one pool. Requires an API key.
    ///
    /// # Errors
    /// [`Error`]; [`reaction`](Error::reaction) returns what to do next. [`Error::InvalidResponse`] if the response is
    /// not about this chain, pool, inputs and times.
    pub async fn quote_grid(&self, request: &QuoteGridRequest) -> Result<Response<QuoteGrid>, Error> {
        let response: Response<QuoteGrid> = self.execute(&Route::quote_grid(self.version(), request)?).await?;
        validate::check_grid(request, &response).map_err(|reason| Error::invalid_response(&response.meta, reason))?;
        Ok(response)
    }

    /// Returns the current price levels. Requires an API key.
    ///
    /// # Errors
    /// [`Error`]; [`reaction`](Error::reaction) returns what to do next. [`Error::InvalidResponse`] if the prices of a
    /// book rise.
    pub async fn levels(&self, request: &LevelsRequest) -> Result<Response<LevelsSnapshot>, Error> {
        let mut response: Response<LevelsSnapshot> = self.execute(&Route::levels(self.version(), request)?).await?;
        let checked = response.books.iter().try_for_each(validate::check_concave);
        checked.map_err(|reason| Error::invalid_response(&response.meta, reason))?;
        for withdrawn in &mut response.value.withdrawn {
            withdrawn.reason = one_line(&withdrawn.reason).into();
        }
        Ok(response)
    }

    /// Follows price levels, reconnecting as needed. Requires an API key; nothing is sent yet.
    pub fn follow_levels(&self, request: LevelsRequest) -> Levels {
        Levels::new(Arc::clone(&self.executor), self.request_id.clone(), request)
    }

    /// Follows the events of this client's quotes on a chain, reconnecting as needed, from now on or after the event with
    /// the id `after`. Requires an API key; nothing is sent yet.
    pub fn follow_events(&self, chain_id: ChainId, after: Option<String>) -> QuoteEvents {
        QuoteEvents::new(Arc::clone(&self.executor), self.request_id.clone(), chain_id, after)
    }

    /// Whether this client has an API key, which levels, statuses and pool data of version 2 require.
    pub fn has_api_key(&self) -> bool {
        self.version() == Version::Two
    }

    fn version(&self) -> Version {
        self.executor.version()
    }

    /// Requests the data `D` of pools, and checks it against the request.
    async fn fetch_pools<D: DeserializeOwned>(
        &self,
        request: &PoolRequest,
        data: PoolType,
    ) -> Result<Response<Vec<D>>, Error>
    where
        for<'d> ReturnedPool: From<&'d D>,
    {
        let route = Route::pools(self.version(), request, data)?;
        let response = match route.version {
            Version::One => self.execute::<D>(&route).await?.map(|pool| vec![pool]),
            Version::Two => self.execute::<api::Pools<D>>(&route).await?.map(|response| response.pools),
        };
        let pools: Vec<_> = response.iter().map(ReturnedPool::from).collect();
        validate::check_pools(request, &pools).map_err(|reason| Error::invalid_response(&response.meta, reason))?;
        Ok(response)
    }

    async fn execute<T: DeserializeOwned>(&self, route: &Route) -> Result<Response<T>, Error> {
        let request_id = self.request_id.clone().unwrap_or_else(fresh_request_id);
        self.executor.execute(route, &request_id).await
    }
}

impl fmt::Debug for Client {
    /// Shows hosts and ports of the servers, never the credential.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (base, base_v2) = self.executor.bases();
        let mut debug = f.debug_struct("Client");
        debug
            .field("base", &format_args!("{base}"))
            .field("base_v2", &format_args!("{base_v2}"))
            .finish_non_exhaustive()
    }
}
