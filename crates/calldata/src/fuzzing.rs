//! Entry point of the fuzz target `calldata`, which covers every decoder of this crate.
//!
//! Compiled only for fuzzing and for the test that replays the corpus of the target.

use alloy_primitives::B256;
use firmquote_domain::{Address, ChainId, NativeSide, Offer, PoolId, Terms};

use crate::{DecodedSwap, SwapFunction, decode, decode_swapped, encode, encode_swapped};

/// Decodes `data` as calldata and, with its first words as the topics, as a log.
///
/// # Panics
/// If a decoded value does not encode to the same bytes.
pub fn calldata(data: &[u8]) {
    if let (Ok(swap), Some(chain_id)) = (decode(data), ChainId::new(1))
        && let Ok(aux_data) = B256::try_from(swap.aux_data.as_ref())
    {
        // The recipient of the call is not part of the calldata.
        let pool = PoolId { chain_id, address: Address::ZERO };
        assert_eq!(encoded(pool, &swap, aux_data), data, "{swap:?}");
    }
    for topics in 0..=4 {
        log(topics, data);
    }
}

/// Encodes `swap` again. A token that the function omits does not occur in the calldata, so any address will do.
fn encoded(pool: PoolId, swap: &DecodedSwap, aux_data: B256) -> Vec<u8> {
    let native = match (swap.function.names_input_token(), swap.function.names_output_token()) {
        (false, _) => NativeSide::Input,
        (true, false) => NativeSide::Output,
        (true, true) => NativeSide::Neither,
    };
    let transmit = matches!(swap.function, SwapFunction::TransmitAndSwap | SwapFunction::TransmitAndSellTokenForEth);
    let terms =
        Terms { destination: swap.destination, sender: swap.destination, aux_data, native, transmit, guarantee: false };
    let offer = Offer {
        pool,
        input_token: swap.input_token.unwrap_or(Address::ZERO),
        output_token: swap.output_token.unwrap_or(Address::ZERO),
        input_amount: swap.input_amount,
        output_amount: swap.output_amount,
        good_until: swap.good_until,
        destination: swap.destination,
    };
    encode(&offer, &terms, &swap.signature)
}

fn log(topics: usize, bytes: &[u8]) {
    let Some((words, data)) = bytes.split_at_checked(topics * 32) else { return };
    let topics: Vec<_> = words.chunks(32).map(B256::from_slice).collect();
    let Ok(event) = decode_swapped(&topics, data) else { return };
    let (encoded_topics, encoded_data) = encode_swapped(&event);
    assert_eq!((encoded_topics, encoded_data.as_ref()), (topics, data));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calldata_targets_pass_the_fuzz_corpus() {
        firmquote_test_corpus::replay("calldata", calldata);
    }
}
