//! Requests in their wire form, in the API version that the credential determines.

use std::fmt::Display;

use firmquote_api::PoolType;
use firmquote_domain::{ChainId, NativeSide, QuoteId};
use form_urlencoded::Serializer;
use serde_json::{Map, Value};

use crate::{
    Error, LevelsRequest, PoolRequest, QuoteGridRequest, QuoteRequest, SignRequest, SwapAmount, SwapTerms, SwapsRequest,
};

/// An API version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    /// For Basic and anonymous clients.
    One,
    /// For API keys.
    Two,
}

/// A request, ready to be sent to a base address.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Route {
    pub(crate) version: Version,
    /// Path and query.
    pub(crate) path: String,
    /// A body for POST, none for GET.
    pub(crate) body: Option<Value>,
    /// Whether the service may process it twice without harm: the same terms are signed once, and an unused quote costs
    /// nothing, except one of firm levels, which reserves a part of their budget.
    pub(crate) is_repeatable: bool,
}

/// Members of a query or of a JSON body, which have the same text form.
type Members = Vec<(&'static str, Member)>;

enum Member {
    Text(String),
    Flag(bool),
}

impl Route {
    /// A request for pool data.
    ///
    /// # Errors
    /// [`Error::NeedsApiKey`] if a single pool is requested in version 1.
    pub(crate) fn pools(version: Version, request: &PoolRequest, data: PoolType) -> Result<Self, Error> {
        let mut members = Members::new();
        members.extend(data.fieldset().map(|name| text("fieldset", name)));
        members.extend(request.time_in_seconds.map(|seconds| text("time_in_seconds", seconds)));
        members.extend(request.pool_address.map(|address| text("pool_address", address)));
        members.extend(request.state_id.map(|id| text("state_id", id)));
        match version {
            Version::One if request.pool_address.is_some() => Err(Error::NeedsApiKey("pool data of one pool")),
            Version::One if request.state_id.is_some() => Err(Error::NeedsApiKey("pool data of an earlier state")),
            Version::One => {
                members.push(text("chain_id", request.chain_id));
                Ok(Self::get(version, "/rfq/pool", &members))
            }
            Version::Two => Ok(Self::get(version, &format!("/rfq/v2/pool/{}", request.chain_id), &members)),
        }
    }

    /// A request for the list of chains.
    ///
    /// # Errors
    /// [`Error::NeedsApiKey`] in version 1.
    pub(crate) fn chains(version: Version) -> Result<Self, Error> {
        match version {
            Version::One => Err(Error::NeedsApiKey("the list of chains")),
            Version::Two => Ok(Self::get(version, "/rfq/v2/chains", &Members::new())),
        }
    }

    /// A request for a quote.
    ///
    /// # Errors
    /// [`Error::NeedsApiKey`] if a single pool is requested in version 1.
    pub(crate) fn quote(version: Version, request: &QuoteRequest) -> Result<Self, Error> {
        let mut members = quote_members(request);
        match version {
            Version::One if request.pool_address.is_some() => Err(Error::NeedsApiKey("a quote of one pool")),
            Version::One if request.levels_id.is_some() => Err(Error::NeedsApiKey("a quote of levels")),
            Version::One => {
                let mut body = object(members);
                body.insert("chain_id".to_owned(), request.chain_id.get().into());
                let body = Some(Value::Object(body));
                Ok(Self { version, path: "/rfq/quote".to_owned(), body, is_repeatable: true })
            }
            Version::Two => {
                members.extend(version_2_members(request));
                let route = Self::get(version, &format!("/rfq/v2/quote/{}", request.chain_id), &members);
                Ok(Self { is_repeatable: request.levels_id.is_none(), ..route })
            }
        }
    }

    /// A request for a signature.
    pub(crate) fn sign(version: Version, request: &SignRequest) -> Self {
        let path = match version {
            Version::One => "/rfq/sign",
            Version::Two => "/rfq/v2/sign",
        };
        let mut members = term_members(&request.terms);
        members.push(text("quote_id", request.quote_id));
        let body = Some(Value::Object(object(members)));
        Self { version, path: path.to_owned(), body, is_repeatable: true }
    }

    /// A request for a quote with its signature; version 2 only. Each one makes another signature, which counts against
    /// limits.
    pub(crate) fn quote_and_sign(request: &QuoteRequest, terms: &SwapTerms) -> Self {
        let mut members = quote_members(request);
        members.extend(version_2_members(request));
        members.extend(term_members(terms));
        let route = Self::get(Version::Two, &format!("/rfq/v2/quote-sign/{}", request.chain_id), &members);
        Self { is_repeatable: false, ..route }
    }

    /// A request for the status of a quote.
    ///
    /// # Errors
    /// [`Error::NeedsApiKey`] in version 1.
    pub(crate) fn quote_status(version: Version, quote_id: QuoteId) -> Result<Self, Error> {
        match version {
            Version::One => Err(Error::NeedsApiKey("the status of a quote")),
            Version::Two => Ok(Self::get(version, &format!("/rfq/v2/quote-status/{quote_id}"), &Members::new())),
        }
    }

    /// A request for signed swaps of the client.
    ///
    /// # Errors
    /// [`Error::NeedsApiKey`] in version 1.
    pub(crate) fn signed_swaps(version: Version, request: &SwapsRequest) -> Result<Self, Error> {
        if version == Version::One {
            return Err(Error::NeedsApiKey("signed swaps"));
        }
        let SwapsRequest { since, until, cursor, limit } = request;
        let mut members: Members = Vec::new();
        members.extend(since.map(|since| text("since", since.get())));
        members.extend(until.map(|until| text("until", until.get())));
        members.extend(cursor.as_ref().map(|cursor| text("cursor", cursor)));
        members.extend(limit.map(|limit| text("limit", limit)));
        Ok(Self::get(version, "/rfq/v2/swaps", &members))
    }

    /// A request for indicative quotes for many sizes.
    ///
    /// # Errors
    /// [`Error::NeedsApiKey`] in version 1.
    pub(crate) fn quote_grid(version: Version, request: &QuoteGridRequest) -> Result<Self, Error> {
        if version == Version::One {
            return Err(Error::NeedsApiKey("a grid of quotes"));
        }
        let mut members = vec![
            text("input_asset_symbol", &request.input_asset),
            text("output_asset_symbol", &request.output_asset),
            text("amounts", list(&request.inputs)),
        ];
        members.extend((!request.times.is_empty()).then(|| text("times", list(&request.times))));
        members.extend(request.pool_address.map(|address| text("pool_address", address)));
        Ok(Self::get(version, &format!("/rfq/v2/curve/{}", request.chain_id), &members))
    }

    /// A request for the current levels.
    ///
    /// # Errors
    /// [`Error::NeedsApiKey`] in version 1.
    pub(crate) fn levels(version: Version, request: &LevelsRequest) -> Result<Self, Error> {
        let path = format!("/rfq/v2/levels/{}", request.chain_id);
        Self::levels_at(version, &path, request)
    }

    /// A request for the stream of levels.
    ///
    /// # Errors
    /// [`Error::NeedsApiKey`] in version 1.
    pub(crate) fn level_stream(version: Version, request: &LevelsRequest) -> Result<Self, Error> {
        let path = format!("/rfq/v2/levels/{}/stream", request.chain_id);
        Self::levels_at(version, &path, request)
    }

    /// A request for the stream of events of a chain, after the event with this id.
    ///
    /// # Errors
    /// [`Error::NeedsApiKey`] in version 1.
    pub(crate) fn events(version: Version, chain_id: ChainId, last_event_id: Option<&str>) -> Result<Self, Error> {
        if version == Version::One {
            return Err(Error::NeedsApiKey("a stream of events"));
        }
        let members: Members = last_event_id.map(|id| text("last_event_id", id)).into_iter().collect();
        Ok(Self::get(version, &format!("/rfq/v2/events/{chain_id}"), &members))
    }

    fn levels_at(version: Version, path: &str, request: &LevelsRequest) -> Result<Self, Error> {
        if version == Version::One {
            return Err(Error::NeedsApiKey("levels"));
        }
        let pairs: Vec<String> = request.pairs.iter().map(|[input, output]| format!("{input}-{output}")).collect();
        let mut members = Members::new();
        members.extend((!pairs.is_empty()).then(|| text("pairs", list(&pairs))));
        members.extend(request.pool_address.map(|address| text("pool_address", address)));
        members.extend(request.time_in_seconds.map(|seconds| text("time_in_seconds", seconds)));
        members.extend(request.max_knots.map(|knots| text("knots", knots)));
        Ok(Self::get(version, path, &members))
    }

    fn get(version: Version, path: &str, members: &Members) -> Self {
        let mut query = Serializer::new(String::new());
        for (name, member) in members {
            match member {
                Member::Text(text) => query.append_pair(name, text),
                Member::Flag(flag) => query.append_pair(name, if *flag { "true" } else { "false" }),
            };
        }
        let query = query.finish();
        let path = if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") };
        Self { version, path, body: None, is_repeatable: true }
    }
}

/// Joins items with commas.
fn list<T: Display>(numbers: &[T]) -> String {
    numbers.iter().map(T::to_string).collect::<Vec<_>>().join(",")
}

/// The members that are specific to version 2.
fn version_2_members(request: &QuoteRequest) -> impl Iterator<Item = (&'static str, Member)> {
    let pool = request.pool_address.map(|address| text("pool_address", address));
    pool.into_iter().chain(request.levels_id.map(|id| text("levels_id", id)))
}

fn quote_members(request: &QuoteRequest) -> Members {
    let amount = match request.amount {
        SwapAmount::ExactInput(amount) => text("input_amount", amount),
        SwapAmount::ExactOutput(amount) => text("output_amount", amount),
    };
    let input = text("input_asset_symbol", &request.input_asset);
    let mut members = vec![input, text("output_asset_symbol", &request.output_asset), amount];
    members.extend(request.time_in_seconds.map(|seconds| text("time_in_seconds", seconds)));
    members
}

/// Returns the members for `terms`; those equal to the service's defaults are omitted.
fn term_members(terms: &SwapTerms) -> Members {
    let mut members = vec![text("destination_address", terms.destination)];
    members.extend(terms.sender.map(|sender| text("sender_address", sender)));
    members.extend(terms.aux_data.map(|aux_data| text("aux_data", aux_data)));
    let flags = [
        ("native_input", terms.native == NativeSide::Input),
        ("native_output", terms.native == NativeSide::Output),
        ("transmit", terms.transmit),
        ("guarantee", terms.guarantee),
        ("calldata", terms.calldata),
    ];
    members.extend(flags.into_iter().filter(|(_, flag)| *flag).map(|(name, flag)| (name, Member::Flag(flag))));
    members
}

fn text(name: &'static str, value: impl Display) -> (&'static str, Member) {
    (name, Member::Text(value.to_string()))
}

fn object(members: Members) -> Map<String, Value> {
    let value = |member| match member {
        Member::Text(text) => Value::String(text),
        Member::Flag(flag) => Value::Bool(flag),
    };
    members.into_iter().map(|(name, member)| (name.to_owned(), value(member))).collect()
}
