//! The kinds of `[[price_source]]`.

use firmquote_market::exchange::Exchange;

use crate::document::values::text::{FromText, word};

/// The kind of a source; each has its own keys.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Pyth,
    Chainlink,
    Exchange(Exchange),
    Push,
    Static,
    Host,
}

impl FromText for Kind {
    fn from_text(text: &str) -> Result<Self, String> {
        let exchanges = Exchange::ALL.map(|exchange| (exchange.name(), Self::Exchange(exchange)));
        let kinds = [
            &[("pyth", Self::Pyth), ("chainlink", Self::Chainlink)],
            exchanges.as_slice(),
            &[("push", Self::Push), ("static", Self::Static), ("host", Self::Host)],
        ];
        word(&kinds.concat(), text)
    }
}
