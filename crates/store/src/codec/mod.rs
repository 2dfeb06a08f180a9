//! The binary encoding of quotes and signed quotes, for those who keep them in a store of their own or in a file: a
//! format byte, then [postcard](https://docs.rs/postcard). The id of the quote is not part of it: it is the key.

pub(crate) mod stored;

use firmquote_domain::{Execution, Quote, QuoteId, SignedQuote, Timestamp};
use serde::Deserialize;

use self::stored::{StoredQuote, StoredSignature, StoredTerms};

/// The format of quotes and signed quotes; the only one that is written and read. It changes with the order and the
/// types of the fields of [`stored`].
pub(crate) const FORMAT: u8 = 6;

/// A quote that cannot be encoded or decoded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CodecError {
    /// The quote cannot be encoded. Never happens for values of `firmquote-domain`.
    #[error("the quote cannot be encoded")]
    Encode(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The bytes have another format, or are no quote.
    #[error("the bytes are not a quote in format {FORMAT}")]
    Unreadable,
}

/// Encodes a quote, without its id; some 200 bytes.
///
/// # Errors
/// [`CodecError::Encode`].
pub fn encode_quote(quote: &Quote) -> Result<Vec<u8>, CodecError> {
    postcard::to_extend(&StoredQuote::from(quote), vec![FORMAT]).map_err(|error| CodecError::Encode(error.into()))
}

/// Decodes the quote `id`.
///
/// # Errors
/// [`CodecError::Unreadable`].
pub fn decode_quote(id: QuoteId, bytes: &[u8]) -> Result<Quote, CodecError> {
    bytes.strip_prefix(&[FORMAT]).and_then(|stored| quote(id, stored)).ok_or(CodecError::Unreadable)
}

/// Encodes a signed quote, without its id; some 350 bytes.
///
/// # Errors
/// [`CodecError::Encode`].
pub fn encode_signed(signed: &SignedQuote) -> Result<Vec<u8>, CodecError> {
    extend_signed(vec![FORMAT], signed).map_err(|error| CodecError::Encode(error.into()))
}

/// Decodes the signed quote `id`.
///
/// # Errors
/// [`CodecError::Unreadable`].
pub fn decode_signed(id: QuoteId, bytes: &[u8]) -> Result<SignedQuote, CodecError> {
    bytes.strip_prefix(&[FORMAT]).and_then(|stored| signed(id, stored)).ok_or(CodecError::Unreadable)
}

/// Decodes the quote `id` from what follows the format.
pub(crate) fn quote(id: QuoteId, bytes: &[u8]) -> Option<Quote> {
    whole::<StoredQuote<'_>>(bytes)?.quote(id)
}

/// Appends a signed quote to what precedes it.
pub(crate) fn extend_signed(bytes: Vec<u8>, signed: &SignedQuote) -> Result<Vec<u8>, postcard::Error> {
    let SignedQuote { quote, terms, .. } = signed;
    let stored = (StoredQuote::from(quote), StoredTerms::from(terms), StoredSignature::from(signed));
    postcard::to_extend(&stored, bytes)
}

/// Decodes the signed quote `id` from what follows the format.
pub(crate) fn signed(id: QuoteId, bytes: &[u8]) -> Option<SignedQuote> {
    let (quote, terms, signature) = whole::<(StoredQuote<'_>, StoredTerms, StoredSignature)>(bytes)?;
    let execution = if signature.is_guaranteed { Execution::Guaranteed } else { Execution::BestEffort };
    let signed_at = Timestamp::from_micros(signature.signed_at_us);
    let guarantee = signature.guarantee.as_ref().map(|bounds| Box::new(bounds.into()));
    let (quote, terms, signature) = (quote.quote(id)?, terms.into(), signature.signature()?);
    Some(SignedQuote { quote, terms, signature, execution, guarantee, signed_at })
}

/// Decodes a value that all of `bytes` are.
fn whole<'b, T: Deserialize<'b>>(bytes: &'b [u8]) -> Option<T> {
    let (value, rest) = postcard::take_from_bytes(bytes).ok()?;
    rest.is_empty().then_some(value)
}
