//! Prints quotes and signatures as text.

use std::io::{self, Write};

use firmquote_client::{Quote, SignedSwap};
use firmquote_domain::Timestamp;
use firmquote_verify::TokenAmount;

use crate::client::{
    Derived, DerivedAmount,
    display::{self, Align, TextTable},
};

/// Prints a quote and the values derived from it, with the time left at `now`.
pub(super) fn quote(out: &mut impl Write, quote: &Quote, derived: &Derived, now: Timestamp) -> io::Result<()> {
    let mut table = TextTable::new([Align::Left, Align::Left, Align::Left]);
    let input = TokenAmount { token: *quote.input_asset_address, amount: *quote.input_amount };
    let output = TokenAmount { token: *quote.output_asset_address, amount: *quote.output_amount };
    amounts(&mut table, input, output, derived);
    let unit = |amount: &Option<DerivedAmount>| amount.as_ref().map_or("?".to_owned(), |one| one.symbol.clone());
    let rate = format!("{} {} for 1 {}", quote.rate, unit(&derived.output), unit(&derived.input));
    table.row(["rate", &rate, ""]);
    let time = derived.time_in_seconds.map(|seconds| format!("for {seconds} s")).unwrap_or_default();
    let fee = derived.fee_in_basis_points.map_or("not known".to_owned(), |fee| format!("{fee} basis points {time}"));
    table.row(["fee", &fee, ""]);
    let (until, left) = (display::utc(quote.must_accept_by.seconds()), quote.must_accept_by.seconds_since(now));
    table.row(["accept by", &until, &format!("{left} s left")]);
    table.row(["good until", &derived.good_until_utc, ""]);
    table.row(["pool", derived.pool_address.as_deref().unwrap_or("ambiguous"), ""]);
    let is_recomputed =
        if derived.is_recomputed { "yes, to the base unit" } else { "no: the pool has moved; run verify for details" };
    table.row(["recomputed", is_recomputed, ""]);
    if let (Some(output), Some(left)) = (quote.levels_output, quote.firm_budget_left_input) {
        let left = format!("{left} base units of input left in the firm budget");
        table.row(["firm levels", &format!("output {output} base units"), &left]);
    }
    table.row(["quote id", &quote.id.to_string(), ""]);
    write!(out, "{table}")
}

/// Prints a signed swap.
pub(super) fn signed(out: &mut impl Write, signed: &SignedSwap, derived: &Derived) -> io::Result<()> {
    let mut table = TextTable::new([Align::Left, Align::Left, Align::Left]);
    let input = TokenAmount { token: *signed.input_asset_address, amount: *signed.input_amount };
    let output = TokenAmount { token: *signed.output_asset_address, amount: *signed.output_amount };
    amounts(&mut table, input, output, derived);
    table.row(["good until", &derived.good_until_utc, &signed.good_until.to_word().to_string()]);
    table.row(["destination", &signed.destination_address.to_string(), ""]);
    table.row(["pool contract", &signed.service_exchange_address.to_string(), ""]);
    let signature = &signed.signature;
    table.row(["signature v", &signature.v().to_string(), ""]);
    table.row(["signature r", &signature.r().to_string(), ""]);
    table.row(["signature s", &signature.s().to_string(), ""]);
    if let Some(transaction) = signed.transaction() {
        table.row(["wei to send", &transaction.value.to_string(), ""]);
    }
    write!(out, "{table}")?;
    // Outside the table: it would widen the column of all rows.
    signed.calldata.as_ref().map_or(Ok(()), |calldata| writeln!(out, "calldata  {calldata}"))
}

fn amounts(table: &mut TextTable, input: TokenAmount, output: TokenAmount, derived: &Derived) {
    let mut row = |label: &str, TokenAmount { token, amount }: TokenAmount, derived: &Option<DerivedAmount>| {
        let units = format!("{amount} base units");
        match derived {
            Some(derived) => table.row([label, &derived.to_string(), &units]),
            None => table.row([label, &units, &format!("of {token}")]),
        }
    };
    row("input", input, &derived.input);
    row("output", output, &derived.output);
}
