//! The comparison of a recorded result with the one that the desk gives now.

use firmquote_desk::{Desk, DeskError, QuoteRequest};
use firmquote_domain::{Client, FirmLevels, Quote, U256};
use firmquote_tape::{RecordedQuote, RequestOperation, RequestRow};

use crate::recording::recorded_quote;

/// The result of a comparison.
pub(super) enum Check {
    Equal,
    Different(String),
    /// What it was decided by is not on the tape.
    NotRecomputed(String),
}

/// Returns the request for a quote of a row; `None` for a signature.
pub(crate) fn inquiry_of(row: &RequestRow) -> Option<QuoteRequest<'_>> {
    Some(QuoteRequest {
        client: row.client.as_deref().map_or(Client::Anonymous, |name| Client::Named(name.into())),
        source_network: None,
        chain_id: row.chain_id?,
        input: row.input.as_ref()?.into(),
        output: row.output.as_ref()?.into(),
        amount: row.amount?,
        time_in_seconds: row.time_in_seconds,
        pool_address: row.pool_address,
        levels_id: None,
        quote_id: None,
    })
}

/// Compares a quote, or its refusal, with that of the levels and what was used of them, if there were some. Returns the
/// quote that was computed, too.
pub(super) fn check_quote(
    row: &RequestRow,
    desk: &Desk,
    levels: Option<(&FirmLevels, U256)>,
) -> (Check, Option<Quote>) {
    let Some(request) = inquiry_of(row).filter(|_| row.levels_id.is_some() == levels.is_some()) else {
        return (Check::NotRecomputed(format!("{} firm_levels", row.operation.name())), None);
    };
    let computed = match levels {
        None => desk.price(&request, row.time),
        Some((levels, used)) => desk.price_at_levels(&request, levels, used, row.time),
    };
    let check = match (&row.quote, &row.refusal, &computed) {
        (Some(recorded), _, Ok(quote)) => compare(recorded, &recorded_quote(quote)),
        (Some(_), _, Err(error)) => Check::Different(format!("served, and refused now: {error}")),
        (None, Some(refusal), Err(error)) if refusal == error.name() => Check::Equal,
        (None, Some(refusal), _) if is_by_price(refusal, row.operation) => {
            let now = computed.as_ref().map_or_else(DeskError::name, |_| "served");
            Check::Different(format!("refused as {refusal}, and now: {now}"))
        }
        (None, refusal, _) => {
            let refusal = refusal.as_deref().unwrap_or("-");
            Check::NotRecomputed(format!("{} {refusal}", row.operation.name()))
        }
    };
    (check, computed.ok())
}

/// Compares the price half of the last look at a quote before it was signed.
pub(super) fn check_look(row: &RequestRow, quote: &Quote, desk: &Desk) -> Check {
    let recorded = row.refusal.as_deref();
    // A look comes after the request was received, and prices are trusted for a while: a refusal for their age alone is
    // not recomputed.
    match (desk.last_look(quote, row.time), recorded) {
        (Ok(()), None) => Check::Equal,
        // Earlier versions recorded no reason of a conflict.
        (Err(DeskError::Conflict(_)), Some("conflict")) => Check::Equal,
        (Err(error), Some(refusal)) if error.name() == refusal => Check::Equal,
        (Ok(()), Some(refusal)) => Check::NotRecomputed(format!("sign {refusal}")),
        (Err(error), Some(refusal)) => Check::Different(format!("refused as {refusal}, and now: {}", error.name())),
        (Err(error), None) => Check::Different(format!("signed, and refused now: {error}")),
    }
}

/// Whether a refusal depends on nothing but the states and the request.
fn is_by_price(refusal: &str, operation: RequestOperation) -> bool {
    match operation {
        // The limits and the accounts of a signature are checked after its price.
        RequestOperation::QuoteSign => ["too_large", "too_small", "exhausted", "swaps_disabled"].contains(&refusal),
        RequestOperation::Quote | RequestOperation::Requote | RequestOperation::Sign => {
            !["store", "quotes_held", "clock", "paused", "internal"].contains(&refusal)
        }
    }
}

/// Compares everything but the id of the state, which says nothing about a price.
fn compare(recorded: &RecordedQuote, computed: &RecordedQuote) -> Check {
    let fields = |quote: &RecordedQuote| {
        [
            ("pool", quote.pool.to_string()),
            ("input_amount", quote.input_amount.to_string()),
            ("output_amount", quote.output_amount.to_string()),
            ("fee_bps", quote.fee.to_string()),
            ("time_in_seconds", quote.time_in_seconds.to_string()),
            ("good_until", quote.good_until.to_string()),
            ("value", quote.value.to_string()),
            ("levels_output", quote.levels_output.map(|output| output.to_string()).unwrap_or_default()),
        ]
    };
    let differences = fields(recorded).into_iter().zip(fields(computed)).filter(|(before, now)| before != now);
    let differences: Vec<_> =
        differences.map(|((name, before), (_, now))| format!("{name}: {before}, now {now}")).collect();
    if differences.is_empty() { Check::Equal } else { Check::Different(differences.join("; ")) }
}
