//! The entry point of the fuzz target `values`: everything in this crate that is parsed from text or a word.
//!
//! Built for fuzzing and for the test that replays the target's corpus; not part of any program.

use std::{
    fmt::{Debug, Display},
    str::FromStr,
};

use crate::{
    Amount, BasisPoints, GoodUntil, InvalidValue, PoolConstant, Price, QuoteId, Symbol, U256, Usd, Volatility,
    parse_address, parse_decimal,
};

/// Parses `data` as every value type, and compares accepted values with the digits of the text.
///
/// # Panics
/// If a value differs from the text it was parsed from, or is not written in the form that it is parsed from.
pub fn values(data: &[u8]) {
    word(data);
    let Ok(text) = str::from_utf8(data) else { return };
    amount(text);
    address(text);
    names(text);
    decimals(text);
    survives::<Price>(text, 8);
    survives::<Usd>(text, 8);
    survives::<BasisPoints>(text, 2);
    survives::<Volatility>(text, 8);
    survives::<PoolConstant>(text, 18);
}

/// Checks that a parsed `good_until` is encoded as the same word.
fn word(data: &[u8]) {
    let Some(word) = U256::try_from_be_slice(data) else { return };
    if let Ok(good_until) = GoodUntil::from_word(word) {
        assert_eq!(good_until.to_word(), word, "{good_until:?}");
    }
}

/// Checks that an amount equals its digits, and that digits alone are refused only for zero and beyond 256 bits.
fn amount(text: &str) {
    let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse::<Amount>() {
        Ok(amount) => {
            assert!(is_digits, "{text:?} is {amount}");
            assert_eq!(amount.to_string(), text.trim_start_matches('0'));
        }
        Err(InvalidValue::Malformed { .. }) => assert!(!is_digits, "{text:?}"),
        Err(_) => assert!(U256::from_str_radix(text, 10).is_ok_and(|units| units.is_zero()) || text.len() >= 78),
    }
}

/// Checks that an address equals its digits, and that hex digits are refused only in mixed case without the checksum.
fn address(text: &str) {
    let digits = text.strip_prefix("0x").unwrap_or_default();
    let is_hex = digits.len() == 40 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_mixed = digits.to_ascii_lowercase() != digits && digits.to_ascii_uppercase() != digits;
    match parse_address(text) {
        Ok(address) => {
            assert!(is_hex, "{text:?} is {address}");
            assert_eq!(format!("{address:#x}"), text.to_ascii_lowercase());
            assert!(!is_mixed || address.to_string() == text, "{text}");
            assert_eq!(parse_address(&address.to_string()), Ok(address));
        }
        Err(_) => assert!(!is_hex || is_mixed, "{text}"),
    }
}

fn names(text: &str) {
    if let Ok(symbol) = Symbol::new(text) {
        assert_eq!(symbol.as_str(), text);
    }
    if let Ok(id) = text.parse::<QuoteId>() {
        assert_eq!(id.to_string(), text.to_ascii_lowercase());
    }
}

/// Checks that a scaled decimal equals the text without its point, with the fraction cut or padded to the scale.
fn decimals(text: &str) {
    for scale in [0, 8, 20] {
        let Ok((scaled, is_cut)) = parse_decimal(text, scale) else { continue };
        assert_eq!(scaled.to_string(), moved(text, scale), "{text} at {scale}");
        assert_eq!(is_cut, has_rest(text, scale), "{text} at {scale}");
    }
}

/// Checks that a value equals the text cut to the scale, and is parsed again from its written form.
fn survives<T: Copy + Debug + Display + FromStr<Err = InvalidValue> + PartialEq>(text: &str, scale: u8) {
    let Ok(value) = text.parse::<T>() else { return };
    let shown = value.to_string();
    assert_eq!(shown.parse(), Ok(value), "{text}");
    assert_eq!(moved(&shown, scale), moved(text, scale), "{text}");
}

/// The digits of `text` with the point moved right by `scale` and the rest cut off, without leading zeros.
fn moved(text: &str, scale: u8) -> String {
    let scale = usize::from(scale);
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{fraction:0<scale$.scale$}");
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() { "0".to_owned() } else { digits.to_owned() }
}

fn has_rest(text: &str, scale: u8) -> bool {
    let fraction = text.split_once('.').map(|(_, fraction)| fraction).unwrap_or_default();
    fraction.bytes().skip(usize::from(scale)).any(|digit| digit != b'0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_pass_the_fuzz_corpus() {
        firmquote_test_corpus::replay("values", values);
    }
}
