//! The client: one method for each operation of the service.

use std::{fmt, sync::Arc};

use http_body_util::Full;
use hyper::{
    Method, Request,
    body::Bytes,
    header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue, USER_AGENT},
};
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::{
    Answer, ClientSettings, Error, InvalidSettings, OffchainPools, OnchainPools, PoolRequest, Quote, QuoteRequest,
    QuotedSwap, Refusal, SignRequest, SignedSwap, SwapTerms,
    address::BaseAddress,
    answer::{OffchainAnswerV1, OffchainAnswerV2, OnchainAnswerV1, OnchainAnswerV2, QuoteMembers, SignObject},
    asked,
    connector::Connector,
    credential::Presented,
    notes::{is_request_id, notes, retry_after},
    route::{Fieldset, Route, Version},
    transport::{Failure, Received, Transport},
};

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const PROGRAM: HeaderValue = HeaderValue::from_static(concat!("firmquote-client/", env!("CARGO_PKG_VERSION")));

/// Asks one service. Clones share their connections.
#[derive(Clone)]
pub struct Client {
    inner: Arc<Inner>,
    request_id: Option<Arc<str>>,
}

struct Inner {
    base: BaseAddress,
    base_v2: BaseAddress,
    credential: Presented,
    transport: Transport,
}

impl Client {
    /// A client that has asked nothing yet.
    ///
    /// # Errors
    /// [`InvalidSettings`] naming the first thing that will not do.
    pub fn new(settings: ClientSettings) -> Result<Self, InvalidSettings> {
        let base = BaseAddress::parse(&settings.base_url)?;
        let base_v2 = settings.base_url_v2.as_deref().map_or_else(|| Ok(base.clone()), BaseAddress::parse)?;
        let is_tls = base.is_tls() || base_v2.is_tls();
        let connector = Connector::new(is_tls, settings.authorities.as_deref(), settings.connect_timeout)?;
        let transport = Transport::new(connector, &settings);
        let credential = Presented::of(settings.credential)?;
        Ok(Self { inner: Arc::new(Inner { base, base_v2, credential, transport }), request_id: None })
    }

    /// The same client, whose requests have this name in the log of the service instead of a new one each.
    ///
    /// # Errors
    /// [`InvalidSettings::RequestId`].
    pub fn with_request_id(&self, request_id: &str) -> Result<Self, InvalidSettings> {
        if !is_request_id(request_id) {
            return Err(InvalidSettings::RequestId);
        }
        Ok(Self { inner: self.inner.clone(), request_id: Some(request_id.into()) })
    }

    /// What the pools' contracts hold, at present prices.
    ///
    /// # Errors
    /// [`Error`]; its [`reaction`](Error::reaction) says what to do.
    pub async fn onchain_pools(&self, request: &PoolRequest) -> Result<Answer<OnchainPools>, Error> {
        let route = Route::pools(self.version(), request, Fieldset::Onchain)?;
        match route.version {
            Version::One => Ok(self.ask::<OnchainAnswerV1>(&route).await?.map(OnchainPools::from)),
            Version::Two => Ok(self.ask::<OnchainAnswerV2>(&route).await?.map(OnchainPools::from)),
        }
    }

    /// What the pools compute quotes with, and the fee of each pair.
    ///
    /// # Errors
    /// [`Error`]; its [`reaction`](Error::reaction) says what to do.
    pub async fn offchain_pools(&self, request: &PoolRequest) -> Result<Answer<OffchainPools>, Error> {
        let route = Route::pools(self.version(), request, Fieldset::Offchain)?;
        match route.version {
            Version::One => Ok(self.ask::<OffchainAnswerV1>(&route).await?.map(OffchainPools::from)),
            Version::Two => Ok(self.ask::<OffchainAnswerV2>(&route).await?.map(OffchainPools::from)),
        }
    }

    /// A quote. Asking again makes another one.
    ///
    /// # Errors
    /// [`Error`]; its [`reaction`](Error::reaction) says what to do. [`Error::Unusable`] for a quote of something else.
    pub async fn quote(&self, request: &QuoteRequest) -> Result<Answer<Quote>, Error> {
        let answer: Answer<Quote> = self.ask(&Route::quote(self.version(), request)?).await?;
        asked::is_quoted(request, &answer).map_err(|reason| Error::unusable(&answer.notes, reason))?;
        Ok(answer)
    }

    /// Has a quote signed. The same terms get the same signature, so that asking again after a lost answer is safe; other
    /// terms are refused.
    ///
    /// # Errors
    /// [`Error`]; its [`reaction`](Error::reaction) says what to do. [`Error::Unusable`] for a signature on other terms.
    pub async fn sign(&self, request: &SignRequest) -> Result<Answer<SignedSwap>, Error> {
        let answer: Answer<SignObject> = self.ask(&Route::sign(self.version(), request)).await?;
        let answer = answer.map(|object| object.with_native(request.terms.native));
        asked::is_signed(&request.terms, &answer).map_err(|reason| Error::unusable(&answer.notes, reason))?;
        Ok(answer)
    }

    /// A quote and its signature, in one round trip with an API key and in two without. Asking again makes another quote:
    /// send one of the signed swaps only.
    ///
    /// # Errors
    /// [`Error`]; its [`reaction`](Error::reaction) says what to do. [`Error::Unusable`] for a swap of something else.
    pub async fn quote_and_sign(&self, request: &QuoteRequest, terms: &SwapTerms) -> Result<Answer<QuotedSwap>, Error> {
        if self.version() == Version::One {
            let quote = self.quote(request).await?.value;
            let signed = self.sign(&SignRequest { quote_id: quote.id, terms: *terms }).await?;
            asked::is_of(&quote, &signed).map_err(|reason| Error::unusable(&signed.notes, reason))?;
            return Ok(signed.map(|swap| QuotedSwap::of(&quote, swap)));
        }
        let answer: Answer<SignObject> = self.ask(&Route::quote_and_sign(request, terms)).await?;
        let unusable = |reason: String| Error::unusable(&answer.notes, reason);
        let members: QuoteMembers = serde_json::from_str(&answer.text).map_err(|error| unusable(error.to_string()))?;
        let answer = answer.map(|object| members.with_swap(object.with_native(terms.native)));
        let unusable = |reason: &str| Error::unusable(&answer.notes, reason);
        asked::is_signed(terms, &answer.swap).map_err(unusable)?;
        asked::is_swapped(request, &answer.swap).map_err(unusable)?;
        Ok(answer)
    }

    fn version(&self) -> Version {
        if self.inner.credential.has_api_key { Version::Two } else { Version::One }
    }

    async fn ask<T: DeserializeOwned>(&self, route: &Route) -> Result<Answer<T>, Error> {
        let request_id = self.request_id.clone().unwrap_or_else(fresh);
        let request = self
            .request(route, &request_id)
            .map_err(|error| Error::Unreachable { request_id: request_id.to_string(), cause: error.to_string() })?;
        let received = self.inner.transport.ask(request).await.map_err(|failure| failed(failure, &request_id))?;
        self.understand(received, &request_id)
    }

    fn request(&self, route: &Route, request_id: &str) -> Result<Request<Full<Bytes>>, hyper::http::Error> {
        let base = match route.version {
            Version::One => &self.inner.base,
            Version::Two => &self.inner.base_v2,
        };
        let request = Request::builder().uri(base.join(&route.path)?);
        let mut request = match &route.body {
            Some(body) => {
                let request = request.method(Method::POST).header(CONTENT_TYPE, JSON);
                request.body(Full::from(body.to_string()))?
            }
            None => request.body(Full::default())?,
        };
        let headers = request.headers_mut();
        headers.insert(ACCEPT, JSON);
        headers.insert(USER_AGENT, PROGRAM);
        headers.insert(X_REQUEST_ID, HeaderValue::from_str(request_id)?);
        if let Some((name, value)) = &self.inner.credential.header {
            headers.insert(name.clone(), value.clone());
        }
        Ok(request)
    }

    fn understand<T: DeserializeOwned>(&self, received: Received, request_id: &str) -> Result<Answer<T>, Error> {
        let Received { status, headers, body } = received;
        let notes = notes(&headers, request_id);
        let unusable = |reason: String| Error::Unusable { request_id: request_id.to_owned(), status, reason };
        let text = String::from_utf8_lossy(&body).into_owned();
        let is_betrayal =
            self.inner.credential.is_told_in(&text) || self.inner.credential.is_told_in(&notes.request_id);
        if is_betrayal {
            return Err(unusable("it repeats the credential".to_owned()));
        }
        if status != 200 {
            return Err(Error::Refused(Box::new(Refusal::of(status, &text, retry_after(&headers), notes))));
        }
        let value = serde_json::from_str(&text).map_err(|error| unusable(error.to_string()))?;
        Ok(Answer { value, notes, text })
    }
}

impl fmt::Debug for Client {
    /// Where it asks, and nothing of its credential.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { base, base_v2, .. } = &*self.inner;
        f.debug_struct("Client").field("base", base).field("base_v2", base_v2).finish_non_exhaustive()
    }
}

fn fresh() -> Arc<str> {
    Uuid::new_v4().to_string().into()
}

fn failed(failure: Failure, request_id: &str) -> Error {
    let request_id = request_id.to_owned();
    match failure {
        Failure::Unreachable(cause) => Error::Unreachable { request_id, cause },
        Failure::TimedOut(after) => Error::TimedOut { request_id, after },
        Failure::Interrupted(cause) => Error::Interrupted { request_id, cause },
        Failure::TooLarge { status, most } => {
            Error::Unusable { request_id, status, reason: format!("it is longer than {most} bytes") }
        }
    }
}
