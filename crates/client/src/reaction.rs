//! What to do about an error.

use std::time::Duration;

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// Send the same request again. The service signs a quote for one set of terms and answers the same terms with the same
    /// signature, and a quote that nobody takes costs nothing. Sign before the quote's `must_accept_by`; after that ask for a
    /// new one. [`Client::quote_and_sign`](crate::Client::quote_and_sign) is the exception: each time makes another signature,
    /// which spends limits of the pool and of the client. After [`Error::Unsigned`](crate::Error::Unsigned) sign its quote
    /// instead; otherwise ask again only as often as signatures may be left unused, and send one of them to the chain.
    Retry {
        /// How long to wait before, if the service says so. Without it, wait a little, longer each time, and not for ever.
        after: Option<Duration>,
    },
    /// This quote will not be signed for these terms. Take the fresh quote of the answer
    /// ([`Error::fresh_quote`](crate::Error::fresh_quote)) if it has one and its amounts will do, else ask anew.
    Requote,
    /// The same will be refused again: another amount, another asset, another destination or another credential is needed,
    /// or somebody who looks at the service.
    GiveUp,
}
