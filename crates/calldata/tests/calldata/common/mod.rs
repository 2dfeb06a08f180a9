//! An offer, its terms and a signature.

use firmquote_domain::{
    Address, Amount, B256, ChainId, GoodUntil, NativeSide, Offer, PoolId, Signature, Terms, U256, UnixSeconds,
};

pub(crate) fn offer() -> Offer {
    Offer {
        pool: PoolId { chain_id: ChainId::new(1).unwrap(), address: Address::repeat_byte(9) },
        input_token: Address::repeat_byte(1),
        output_token: Address::repeat_byte(2),
        input_amount: Amount::new(U256::from(1_000_000)).unwrap(),
        output_amount: Amount::new(U256::from(2_000_000)).unwrap(),
        good_until: GoodUntil::Plain(UnixSeconds::new(1_700_000_000)),
        destination: Address::repeat_byte(3),
    }
}

pub(crate) fn terms() -> Terms {
    Terms {
        destination: Address::repeat_byte(3),
        sender: Address::repeat_byte(4),
        aux_data: B256::repeat_byte(5),
        native: NativeSide::Neither,
        transmit: false,
        guarantee: false,
    }
}

pub(crate) fn signature() -> Signature {
    Signature::new(B256::repeat_byte(6), B256::repeat_byte(7), true).unwrap()
}
