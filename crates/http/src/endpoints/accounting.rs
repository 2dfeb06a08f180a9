//! Counts quotes and signatures, and records the log fields of each request.

use firmquote_domain::{PoolId, Quote, QuoteId, SignedQuote};

use crate::{
    request::{LogFields, RequestContext},
    service::ServiceSnapshot,
    wire::QuoteInput,
};

impl ServiceSnapshot {
    /// Counts the quote that was made, if any, and records the log fields of the request.
    pub(crate) fn log_quote(&self, context: &RequestContext, input: &QuoteInput<'_>, made: Option<&Quote>) {
        let log_fields = match made {
            Some(quote) => {
                self.metrics().count_quote();
                self.count_in(quote.pool, |pool| pool.quotes.inc());
                LogFields::from_quote(&self.desk, quote)
            }
            None => LogFields::from_quote_input(&self.desk, input),
        };
        context.set_log_fields(log_fields);
    }

    /// Counts the signature that was made, if any, and records the log fields of the request.
    pub(crate) fn log_signature(&self, context: &RequestContext, quote_id: QuoteId, signed: Option<&SignedQuote>) {
        let log_fields = match signed {
            Some(signed) => {
                self.count_signature(signed.quote.pool);
                LogFields::from_quote(&self.desk, &signed.quote)
            }
            None => LogFields::from_quote_id(quote_id),
        };
        context.set_log_fields(log_fields);
    }

    /// Counts a signature, in total and for `pool`.
    pub(crate) fn count_signature(&self, pool: PoolId) {
        self.metrics().count_signature();
        self.count_in(pool, |pool| pool.signatures.inc());
    }
}
