//! The kinds of requests that a sandbox distinguishes.

use actix_web::http::Method;
use strum::{EnumIter, IntoStaticStr};

/// The kind of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Operation {
    /// A quote, in either version.
    Quote,
    /// A signature, in either version.
    Sign,
    /// A quote and its signature.
    QuoteSign,
    /// Pool data, in either version.
    Pool,
    /// The chains.
    Chains,
    /// The signed swaps of a client.
    Swaps,
    /// The status of a quote.
    QuoteStatus,
    /// A grid of quotes.
    Curve,
    /// A snapshot of levels.
    Levels,
    /// Levels as Server-Sent Events.
    LevelStream,
    /// Levels over a WebSocket.
    LevelSocket,
    /// Events of a client's quotes as Server-Sent Events.
    Events,
    /// A transaction for the simulated chain.
    Transaction,
    /// Documentation, and the sandbox itself.
    Other,
}

impl Operation {
    /// The name in responses and documentation.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the kind of a request for `path`.
    pub fn from_request(method: &Method, path: &str) -> Self {
        let (is_get, is_post) = (*method == Method::GET, *method == Method::POST);
        if path == "/sandbox/transactions" && is_post {
            return Self::Transaction;
        }
        let Some(route) = path.strip_prefix("/rfq/") else { return Self::Other };
        match route.strip_prefix("v2/").unwrap_or(route) {
            "quote" if is_post => Self::Quote,
            "sign" if is_post => Self::Sign,
            "pool" if is_get => Self::Pool,
            "chains" if is_get => Self::Chains,
            "swaps" if is_get => Self::Swaps,
            rest if is_get => match rest.split_once('/') {
                Some(("quote", _)) => Self::Quote,
                Some(("quote-sign", _)) => Self::QuoteSign,
                Some(("quote-status", _)) => Self::QuoteStatus,
                Some(("pool", _)) => Self::Pool,
                Some(("curve", _)) => Self::Curve,
                Some(("levels", rest)) if rest.ends_with("/stream") => Self::LevelStream,
                Some(("levels", rest)) if rest.ends_with("/ws") => Self::LevelSocket,
                Some(("levels", _)) => Self::Levels,
                Some(("events", _)) => Self::Events,
                _ => Self::Other,
            },
            _ => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_distinguished_by_method_and_path() {
        for (method, path, operation) in [
            (Method::POST, "/rfq/quote", Operation::Quote),
            (Method::GET, "/rfq/v2/quote/31337", Operation::Quote),
            (Method::POST, "/rfq/sign", Operation::Sign),
            (Method::POST, "/rfq/v2/sign", Operation::Sign),
            (Method::GET, "/rfq/v2/quote-sign/31337", Operation::QuoteSign),
            (Method::GET, "/rfq/pool", Operation::Pool),
            (Method::GET, "/rfq/v2/pool/31337", Operation::Pool),
            (Method::GET, "/rfq/v2/chains", Operation::Chains),
            (Method::GET, "/rfq/v2/swaps", Operation::Swaps),
            (Method::GET, "/rfq/v2/quote-status/x", Operation::QuoteStatus),
            (Method::GET, "/rfq/v2/curve/31337", Operation::Curve),
            (Method::GET, "/rfq/v2/levels/31337", Operation::Levels),
            (Method::GET, "/rfq/v2/levels/31337/stream", Operation::LevelStream),
            (Method::GET, "/rfq/v2/levels/31337/ws", Operation::LevelSocket),
            (Method::GET, "/rfq/v2/events/31337", Operation::Events),
            (Method::POST, "/sandbox/transactions", Operation::Transaction),
            (Method::GET, "/sandbox/session", Operation::Other),
            (Method::GET, "/docs", Operation::Other),
            (Method::GET, "/rfq/quote", Operation::Other),
        ] {
            assert_eq!(Operation::from_request(&method, path), operation, "{method} {path}");
        }
    }
}
