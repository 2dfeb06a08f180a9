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

    /// A signature from the 65 bytes that [`Self::to_bytes`] returns; the last may also be 0 or 1.
    ///
    /// # Errors
    /// [`InvalidValue::OutOfRange`] for another last byte, and as [`Self::new`].
    pub fn from_bytes(bytes: [u8; 65]) -> Result<Self, InvalidValue> {
        let [parts @ .., v] = bytes;
        let is_y_odd = match v {
            0 | 27 => false,
            1 | 28 => true,
            _ => return Err(InvalidValue::OutOfRange { allowed: "27 or 28, or 0 or 1, as the last byte" }),
        };
        let (r, s) = parts.split_at(32);
        Self::new(B256::from_slice(r), B256::from_slice(s), is_y_odd)
    }

    /// The 65 bytes that `ecrecover` of most contract libraries reads: r, s, and v of 27 or 28.
    pub fn to_bytes(&self) -> [u8; 65] {
        let mut bytes = [self.v(); 65];
        let parts = self.r.iter().chain(&self.s);
        bytes.iter_mut().zip(parts).for_each(|(byte, part)| *byte = *part);
        bytes
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

impl From<Signature> for alloy_primitives::Signature {
    fn from(signature: Signature) -> Self {
        Self::from_scalars_and_parity(signature.r, signature.s, signature.is_y_odd)
    }
}

impl TryFrom<alloy_primitives::Signature> for Signature {
    type Error = InvalidValue;

    /// Fails as [`Signature::new`] does: a high s is refused, not [normalized](alloy_primitives::Signature::normalize_s).
    fn try_from(signature: alloy_primitives::Signature) -> Result<Self, InvalidValue> {
        Self::new(signature.r().into(), signature.s().into(), signature.v())
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

    #[test]
    fn bytes_and_the_type_of_alloy_convert_there_and_back() {
        let [r, s] = [B256::repeat_byte(0x11), B256::repeat_byte(0x22)];
        for is_y_odd in [false, true] {
            let signature = Signature::new(r, s, is_y_odd).unwrap();
            let bytes = signature.to_bytes();
            assert_eq!((&bytes[..32], &bytes[32..64], bytes[64]), (&r[..], &s[..], signature.v()));
            assert_eq!(Signature::from_bytes(bytes).unwrap(), signature);
            let mut with_parity = bytes;
            with_parity[64] = u8::from(is_y_odd);
            assert_eq!(Signature::from_bytes(with_parity).unwrap(), signature);
            let theirs = alloy_primitives::Signature::from(signature);
            assert_eq!(theirs.as_bytes(), bytes);
            assert_eq!(Signature::try_from(theirs).unwrap(), signature);
        }
        let mut other = Signature::new(r, s, true).unwrap().to_bytes();
        other[64] = 29;
        assert!(Signature::from_bytes(other).is_err());
        let high = alloy_primitives::Signature::new(U256::from(1), HALF_ORDER + U256::from(1), false);
        assert!(Signature::try_from(high).is_err());
    }
}
