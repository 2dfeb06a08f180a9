//! Quotes as bytes.

use firmquote_domain::{ReserveBounds, Timestamp, U256};
use firmquote_store::{
    codec::{decode_quote, decode_signed, encode_quote, encode_signed},
    conformance::{sample_quote, sample_signed, sample_terms},
};

const NOW: Timestamp = Timestamp::from_seconds(1_700_000_000);

#[test]
fn encoded_quotes_decode_to_the_same() {
    let quote = sample_quote(1, NOW);
    let bytes = encode_quote(&quote).expect("encoded");
    assert_eq!(decode_quote(quote.id, &bytes).expect("decoded"), quote);
    let mut signed = sample_signed(&quote, sample_terms(1), 7);
    for guarantee in [None, Some(Box::new(ReserveBounds { max_input: U256::MAX, min_output: U256::ZERO }))] {
        signed.guarantee = guarantee;
        let bytes = encode_signed(&signed).expect("encoded");
        assert_eq!(decode_signed(quote.id, &bytes).expect("decoded"), signed);
    }
}

#[test]
fn other_bytes_are_refused() {
    let quote = sample_quote(1, NOW);
    let bytes = encode_quote(&quote).expect("encoded");
    let mut of_another_format = bytes.clone();
    of_another_format[0] += 1;
    let two = [&*bytes, &bytes].concat();
    let signed = encode_signed(&sample_signed(&quote, sample_terms(1), 7)).expect("encoded");
    assert!(decode_quote(quote.id, &signed).is_err(), "a signed quote is no quote");
    for bytes in [&[][..], &bytes[..1], &bytes[..bytes.len() - 1], &of_another_format, &two] {
        assert!(decode_quote(quote.id, bytes).is_err() && decode_signed(quote.id, bytes).is_err());
    }
}
