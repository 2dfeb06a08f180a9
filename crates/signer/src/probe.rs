//! An expired offer by which a pool contract shows whether it accepts the key of a signer.

use alloy_primitives::{Address, U256};
use firmquote_domain::{Amount, GoodUntil, GoodUntilKind, Offer, PackedGoodUntil, Price, Signature, UnixSeconds};

use crate::{PoolSigner, SignerError, TypedMessage};

/// The input amount: more than the supply of any token.
const INPUT: U256 = U256::from_limbs([0, 1 << 63, 0, 0]);
/// The expiry of the offer, in 1970.
const EXPIRED_AT: UnixSeconds = UnixSeconds::new(1);

impl PoolSigner {
    /// Signs an offer of the pool that expired in 1970 and pays one base unit for 2^127, for a simulated call that
    /// shows whether the contract recovers the account of the key. `None` for a pool with fewer than two assets.
    ///
    /// Bypasses the guard, which rejects expired offers. `destination` is the only caller-supplied part of the offer.
    ///
    /// # Errors
    /// The errors of [`Signer::sign`](crate::Signer::sign).
    pub async fn sign_probe(&self, destination: Address) -> Result<Option<(Offer, Signature)>, SignerError> {
        let Some(offer) = self.probe(destination) else { return Ok(None) };
        let signature = self.signer().sign(&TypedMessage::from_offer(self.separator(), &offer)).await?;
        Ok(Some((offer, signature)))
    }

    fn probe(&self, destination: Address) -> Option<Offer> {
        let spec = self.pool().spec();
        let [input, output, ..] = spec.assets.as_slice() else { return None };
        let price = Price::new(1)?;
        let good_until = match spec.good_until {
            GoodUntilKind::Plain => GoodUntil::Plain(EXPIRED_AT),
            GoodUntilKind::Verified => GoodUntil::Packed(PackedGoodUntil {
                input_price: price,
                output_price: price,
                k: spec.k,
                input_weight: input.weight,
                output_weight: output.weight,
                expires_at: EXPIRED_AT,
            }),
        };
        Some(Offer {
            pool: spec.id,
            input_token: input.address,
            output_token: output.address,
            input_amount: Amount::new(INPUT)?,
            output_amount: Amount::ONE,
            good_until,
            destination,
        })
    }
}
