//! Conversion between amounts in whole tokens and base units. Exact in both directions: no rounding and no floating
//! point.

use std::fmt;

use firmquote_domain::{Address, Amount, Decimals, InvalidValue, U256, parse_decimal};
use firmquote_verify::PublishedPool;

/// The reason why a text is not a token amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum InvalidTokens {
    /// Not a plain decimal number, or too large for any token.
    #[error(transparent)]
    Number(#[from] InvalidValue),
    /// More decimals than the token has.
    #[error("it has {written} decimals, allowed: {allowed} at most")]
    TooPrecise {
        /// Decimals in the text.
        written: usize,
        /// Decimals of the token.
        allowed: u8,
    },
    /// A zero amount, which cannot be quoted.
    #[error("it is zero, allowed: one base unit or more")]
    Zero,
}

/// Parses an amount in whole tokens into base units: `1.5` of a token with 6 decimals is 1500000.
///
/// # Errors
/// [`InvalidTokens`]; also for more decimals than the token has, even if the extra ones are zeros.
pub(crate) fn parse(text: &str, decimals: Decimals) -> Result<Amount, InvalidTokens> {
    let (units, _) = parse_decimal(text, decimals.get())?;
    let written = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let allowed = decimals.get();
    if written > usize::from(allowed) {
        return Err(InvalidTokens::TooPrecise { written, allowed });
    }
    Amount::new(units).ok_or(InvalidTokens::Zero)
}

/// Displays an amount of base units in whole tokens, without trailing zeros.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WholeTokens(pub(crate) U256, pub(crate) Decimals);

impl fmt::Display for WholeTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = usize::from(self.1.get());
        // At least one digit before the point.
        let digits = format!("{:0>width$}", self.0.to_string(), width = decimals.saturating_add(1));
        let (whole, fraction) = digits.split_at(digits.len().saturating_sub(decimals));
        match fraction.trim_end_matches('0') {
            "" => f.write_str(whole),
            fraction => write!(f, "{whole}.{fraction}"),
        }
    }
}

/// Symbols and decimals of tokens, from the published data of these pools; empty without pool data.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PoolNames<'p>(pub(crate) &'p [PublishedPool]);

impl PoolNames<'_> {
    /// Returns the symbol of a token, empty if unknown.
    pub(crate) fn symbol(self, token: Address) -> String {
        let named = self.0.iter().find_map(|pool| pool.token(token));
        named.map(|one| one.asset.symbol.to_string()).unwrap_or_default()
    }

    /// Formats an amount in whole tokens with the token's symbol; empty if the token is unknown.
    pub(crate) fn tokens(self, token: Address, amount: Amount) -> String {
        let named = self.0.iter().find_map(|pool| pool.token(token));
        let whole = |decimals| WholeTokens(amount.base_units(), decimals);
        named.map(|one| format!("{} {}", whole(one.asset.decimals), one.asset.symbol)).unwrap_or_default()
    }

    /// Formats an amount in whole tokens if the token is known, else in base units.
    pub(crate) fn amount(self, token: Address, amount: Amount) -> String {
        let tokens = self.tokens(token, amount);
        if tokens.is_empty() { format!("{amount} base units of {token}") } else { tokens }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimals(number: u8) -> Decimals {
        Decimals::new(number).unwrap()
    }

    #[test]
    fn whole_tokens_are_base_units_exactly_and_back() {
        for (text, scale, units) in [
            ("1.5", 18, "1500000000000000000"),
            ("0.000001", 6, "1"),
            ("3000", 6, "3000000000"),
            ("7", 0, "7"),
            ("0.123456789012345678901234", 24, "123456789012345678901234"),
            ("9007199254.740993", 6, "9007199254740993"),
        ] {
            let amount = parse(text, decimals(scale)).unwrap();
            assert_eq!(amount.to_string(), units, "{text}");
            assert_eq!(WholeTokens(amount.base_units(), decimals(scale)).to_string(), text);
        }
        assert_eq!(parse("1.50", decimals(2)).unwrap().to_string(), "150");
        assert_eq!(WholeTokens(U256::ZERO, decimals(6)).to_string(), "0");
        assert_eq!(WholeTokens(U256::MAX, decimals(0)).to_string(), U256::MAX.to_string());
    }

    #[test]
    fn more_decimals_than_the_token_has_are_refused_and_never_rounded() {
        for (text, scale, written) in [("1.2345678", 6, 7), ("1.0000000", 6, 7), ("1.0", 0, 1), ("0.0000001", 6, 7)] {
            let expected = InvalidTokens::TooPrecise { written, allowed: scale };
            assert_eq!(parse(text, decimals(scale)), Err(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_positive_number_is_refused() {
        for text in ["0", "0.0", "0.000000"] {
            assert_eq!(parse(text, decimals(6)), Err(InvalidTokens::Zero), "{text}");
        }
        for text in ["", ".", ".5", "1.", "-1", "+1", "1e3", "0x1", "1,5", "1_000", " 1", "1.2.3", "NaN", "inf", "١"] {
            assert!(matches!(parse(text, decimals(6)), Err(InvalidTokens::Number(_))), "{text:?}");
        }
        assert!(matches!(parse(&"9".repeat(78), decimals(0)), Err(InvalidTokens::Number(_))));
    }
}
