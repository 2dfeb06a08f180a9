//! Recoverable ECDSA signatures in the form that contracts accept.

use alloy_primitives::{B256, U256, uint};

use crate::InvalidValue;

/// Half the order of secp256k1, the upper bound of s (EIP-2): without it, anyone could turn one signature into another.
const HALF_ORDER: U256 = uint!(0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0_U256);

/// A recoverable secp256k1 signature with low s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    r: B256,
    s: B256,
    is_y_odd: bool,
}

impl Signature {
    /// A signature from its parts; `is_y_odd` is the recovery bit.
    ///
    /// # Errors
    /// [`InvalidValue::OutOfRange`] for a zero part or a high s (EIP-2).
    pub fn new(r: B256, s: B256, is_y_odd: bool) -> Result<Self, InvalidValue> {
        if r.is_zero() || s.is_zero() || U256::from_be_bytes(s.0) > HALF_ORDER {
            return Err(InvalidValue::OutOfRange {
                allowed: "r above zero, s above zero and at most half the group order",
            });
        }
        Ok(Self { r, s, is_y_odd })
    }

    /// The recovery value for `ecrecover`: 27 or 28.
    pub const fn v(&self) -> u8 {
        if self.is_y_odd { 28 } else { 27 }
    }

    /// The x coordinate of the nonce point, 32 bytes.
    pub const fn r(&self) -> B256 {
        self.r
    }

    /// The `s` value, 32 bytes, at most half the group order.
    pub const fn s(&self) -> B256 {
        self.s
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn high_s_and_zero_components_are_rejected() {
        let word = |number: U256| B256::from(number.to_be_bytes());
        let one = word(U256::from(1));
        assert_eq!(Signature::new(one, word(HALF_ORDER), true).unwrap().v(), 28);
        assert_eq!(Signature::new(one, one, false).unwrap().v(), 27);
        for (r, s) in [(B256::ZERO, one), (one, B256::ZERO), (one, word(HALF_ORDER + U256::from(1)))] {
            assert!(Signature::new(r, s, false).is_err());
        }
    }
}
