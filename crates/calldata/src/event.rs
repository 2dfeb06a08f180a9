//! The event that a pool emits for every executed swap.

use alloy_primitives::{Address, B256, Bytes, U256};
use alloy_sol_types::SolEvent;
use firmquote_domain::Offer;

use crate::{
    CalldataError,
    abi::{STRICT, Swapped},
};

/// A swap executed by a pool. Amounts are plain integers: a contract may have executed values that are never signed
/// here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwappedEvent {
    /// Token paid in; the wrapped-native contract for the native coin.
    pub input_token: Address,
    /// Token paid out; the wrapped-native contract for the native coin.
    pub output_token: Address,
    /// Account that received the output.
    pub recipient: Address,
    /// Base units actually paid in.
    pub input_amount: U256,
    /// Base units actually paid out.
    pub output_amount: U256,
    /// The auxiliary data of the call.
    pub aux_data: Bytes,
}

impl From<&Offer> for SwappedEvent {
    /// The event of an offer that is executed as it stands, without auxiliary data.
    fn from(offer: &Offer) -> Self {
        Self {
            input_token: offer.input_token,
            output_token: offer.output_token,
            recipient: offer.destination,
            input_amount: offer.input_amount.base_units(),
            output_amount: offer.output_amount.base_units(),
            aux_data: Bytes::new(),
        }
    }
}

/// The first topic of the log of a swap.
pub const SWAPPED_TOPIC: B256 = Swapped::SIGNATURE_HASH;

/// Decodes the log of a swap. Does not check which contract emitted it.
///
/// # Errors
/// [`CalldataError::UnknownEvent`] for a log of another event, [`CalldataError::Malformed`] for the log of a swap that
/// is not canonically encoded, and for a log without topics.
pub fn decode_swapped(topics: &[B256], data: &[u8]) -> Result<SwappedEvent, CalldataError> {
    if let Some(topic) = topics.first()
        && *topic != Swapped::SIGNATURE_HASH
    {
        return Err(CalldataError::UnknownEvent(*topic));
    }
    let log = Swapped::decode_raw_log_with_config(topics, data, STRICT).map_err(CalldataError::Malformed)?;
    Ok(SwappedEvent {
        input_token: log.inAsset,
        output_token: log.outAsset,
        recipient: log.recipient,
        input_amount: log.inAmount,
        output_amount: log.outAmount,
        aux_data: log.auxiliaryData,
    })
}

/// Encodes the log of a swap: its topics and its data.
pub fn encode_swapped(event: &SwappedEvent) -> (Vec<B256>, Bytes) {
    let SwappedEvent { input_token, output_token, recipient, input_amount, output_amount, aux_data } = event.clone();
    let log = Swapped {
        inAsset: input_token,
        outAsset: output_token,
        recipient,
        inAmount: input_amount,
        outAmount: output_amount,
        auxiliaryData: aux_data,
    };
    let data = log.encode_log_data();
    (data.topics().to_vec(), data.data)
}

/// Decodes the log of a swap whose data may be cut off after the amounts, without its auxiliary data.
///
/// # Errors
/// Those of [`decode_swapped`], except for auxiliary data that is not canonically encoded.
pub fn decode_swapped_start(topics: &[B256], data: &[u8]) -> Result<SwappedEvent, CalldataError> {
    /// The size of the two amounts, which precede the position of the auxiliary data.
    const AMOUNTS: usize = 64;
    let no_aux_data = [B256::with_last_byte(96), B256::ZERO].map(|word| word.0);
    decode_swapped(topics, &[data.get(..AMOUNTS).unwrap_or(data), no_aux_data.as_flattened()].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIGNATURE: &str = "Swapped(address,address,address,uint256,uint256,bytes)";

    fn log() -> (Vec<B256>, Vec<u8>) {
        let word = |number: u64| B256::from(U256::from(number));
        let token = |byte| Address::repeat_byte(byte).into_word();
        let topics = vec![alloy_primitives::keccak256(SIGNATURE), token(1), token(2), token(3)];
        let data = [word(10), word(20), word(96), word(3), B256::right_padding_from(b"abc")];
        (topics, data.map(|word| word.0).as_flattened().to_vec())
    }

    #[test]
    fn swap_logs_are_decoded() {
        let (topics, data) = log();
        let swap = decode_swapped(&topics, &data).unwrap();
        assert_eq!(swap.input_token, Address::repeat_byte(1));
        assert_eq!(swap.output_token, Address::repeat_byte(2));
        assert_eq!(swap.recipient, Address::repeat_byte(3));
        assert_eq!((swap.input_amount, swap.output_amount), (U256::from(10), U256::from(20)));
        assert_eq!(swap.aux_data, Bytes::from_static(b"abc"));
        assert_eq!(encode_swapped(&swap), (topics, data.into()));
    }

    #[test]
    fn the_start_of_a_swap_log_suffices() {
        let (topics, data) = log();
        let expected = SwappedEvent { aux_data: Bytes::new(), ..decode_swapped(&topics, &data).unwrap() };
        for bytes in [64, 65, 96, 128, data.len()] {
            assert_eq!(decode_swapped_start(&topics, &data[..bytes]).unwrap(), expected, "{bytes}");
        }
        for bytes in [0, 32, 63] {
            let decoded = decode_swapped_start(&topics, &data[..bytes]);
            assert!(matches!(decoded, Err(CalldataError::Malformed(_))), "{bytes}: {decoded:?}");
        }
    }

    #[test]
    fn logs_of_other_events_are_distinguished_from_malformed_ones() {
        let (topics, data) = log();
        let other = [B256::repeat_byte(7)];
        assert_eq!(decode_swapped(&other, &data), Err(CalldataError::UnknownEvent(other[0])));
        let with = |at: usize, byte: u8| {
            let mut data = data.clone();
            data[at] = byte;
            data
        };
        let trailing = [data.as_slice(), &[0; 32]].concat();
        let dirty_topics = [&topics[..3], &[B256::repeat_byte(1)]].concat();
        let five_topics = [topics.as_slice(), &[B256::ZERO]].concat();
        for (number, (topics, data)) in [
            (&[][..], data.as_slice()),
            (&topics[..3], data.as_slice()),
            (&five_topics, data.as_slice()),
            (&dirty_topics, data.as_slice()),
            (&topics, &data[..128]),
            (&topics, &trailing),
            (&topics, &with(95, 128)),
            (&topics, &with(127, 33)),
            (&topics, &with(131, 1)),
        ]
        .into_iter()
        .enumerate()
        {
            assert!(matches!(decode_swapped(topics, data), Err(CalldataError::Malformed(_))), "case {number}");
        }
    }
}
