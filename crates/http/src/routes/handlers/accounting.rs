//! Counts quotes and signatures, and remembers with a request what it was about.

use firmquote_domain::{PoolId, Quote, QuoteId, SignedQuote};

use crate::{
    request::{LogFields, RequestContext},
    service::ServiceSnapshot,
    wire::QuoteInput,
};

impl ServiceSnapshot {
    /// A quote was made, or refused.
    pub(crate) fn log_quote(&self, context: &RequestContext, input: &QuoteInput<'_>, made: Option<&Quote>) {
        let subject = match made {
            Some(quote) => {
                self.metrics().count_quote();
                self.count_in(quote.pool, |pool| pool.quotes.inc());
                LogFields::from_quote(&self.desk, quote)
            }
            None => LogFields::from_quote_input(&self.desk, input),
        };
        context.set_log_fields(subject);
    }

    /// A quote was signed, or not.
    pub(crate) fn log_signature(&self, context: &RequestContext, quote_id: QuoteId, signed: Option<&SignedQuote>) {
        let subject = match signed {
            Some(signed) => {
                self.count_signature(signed.quote.pool);
                LogFields::from_quote(&self.desk, &signed.quote)
            }
            None => LogFields::from_quote_id(quote_id),
        };
        context.set_log_fields(subject);
    }

    /// Counts a signature.
    pub(crate) fn count_signature(&self, pool: PoolId) {
        self.metrics().count_signature();
        self.count_in(pool, |pool| pool.signatures.inc());
    }
}
