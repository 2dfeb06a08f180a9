//! Answers that were kept as text, read again as strictly as when they came.

use serde::de::DeserializeOwned;

use crate::{
    NativeSide, OffchainPools, OnchainPools, SignedSwap,
    answer::{OffchainAnswerV2, OnchainAnswerV2, SignObject},
};

/// A text that is no such answer.
#[derive(Debug, thiserror::Error)]
#[error("it is no answer of this kind: {0}")]
pub struct InvalidRecord(#[source] serde_json::Error);

/// Reads what [`Client::onchain_pools`](crate::Client::onchain_pools) answered with an API key
/// ([`Answer::text`](crate::Answer::text)).
///
/// # Errors
/// [`InvalidRecord`] for anything else.
pub fn recorded_onchain_pools(text: &str) -> Result<OnchainPools, InvalidRecord> {
    read::<OnchainAnswerV2>(text).map(OnchainPools::from)
}

/// Reads what [`Client::offchain_pools`](crate::Client::offchain_pools) answered with an API key.
///
/// # Errors
/// [`InvalidRecord`] for anything else.
pub fn recorded_offchain_pools(text: &str) -> Result<OffchainPools, InvalidRecord> {
    read::<OffchainAnswerV2>(text).map(OffchainPools::from)
}

/// Reads a Sign object that was asked for with this native side, which no answer repeats. That the signature is one of the
/// terms beside it is not checked.
///
/// # Errors
/// [`InvalidRecord`] for anything else, values that are never signed among it.
pub fn recorded_signed_swap(text: &str, native: NativeSide) -> Result<SignedSwap, InvalidRecord> {
    Ok(read::<SignObject>(text)?.with_native(native))
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, InvalidRecord> {
    serde_json::from_str(text).map_err(InvalidRecord)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_such_answer_is_refused() {
        for text in ["", "{}", "[]", "{\"pools\":{}}", "{\"pools\":[{}]}", "null"] {
            assert!(recorded_onchain_pools(text).is_err(), "{text}");
            assert!(recorded_offchain_pools(text).is_err(), "{text}");
            assert!(recorded_signed_swap(text, NativeSide::Neither).is_err(), "{text}");
        }
        assert_eq!(recorded_onchain_pools("{\"pools\":[]}").unwrap(), OnchainPools::new());
    }
}
