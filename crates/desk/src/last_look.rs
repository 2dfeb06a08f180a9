//! The last look: whether a quote still holds at the newest prices and reserves.

use firmquote_domain::{BasisPoints, GoodUntilKind, Quote, U512};
use firmquote_pricing::{PairState, PricingError, Side, output_for, would_execute};
use firmquote_signer::PoolSigner;

use crate::{Desk, DeskError, pairing::Pairing};

impl Desk {
    /// Whether the pool would still give at least what `quote` says, within the pool's tolerance, and its contract
    /// would still execute it. Returns the state it looked at.
    pub(crate) fn last_look(&self, quote: &Quote) -> Result<PairState, DeskError> {
        let signer = self.signer_of(quote)?;
        let spec = signer.pool().spec();
        if !spec.swaps_enabled {
            return Err(DeskError::SwapsDisabled);
        }
        let state = self.present_state(signer, quote)?;
        let gives = output_for(&state, quote.input.amount).map_err(|error| match error {
            PricingError::TooLarge { .. } | PricingError::TooSmall { .. } | PricingError::Empty => DeskError::Conflict,
            PricingError::Undecided => DeskError::Internal(error.to_string()),
        })?;
        let is_enough = U512::from(gives.base_units()) * U512::from(BasisPoints::ONE_HUNDREDTHS)
            >= U512::from(quote.output.amount.base_units()) * least_share(spec.last_look_tolerance);
        // The contract checks with the prices that were packed, and the reserves it has.
        let packed = PairState {
            input: Side { price: quote.input.price, ..state.input },
            output: Side { price: quote.output.price, ..state.output },
            ..state
        };
        let executes = match spec.good_until {
            GoodUntilKind::Plain => quote.output.amount < state.output.reserve,
            GoodUntilKind::Verified => would_execute(&packed, quote.input.amount, quote.output.amount),
        };
        if is_enough && executes { Ok(state) } else { Err(DeskError::Conflict) }
    }

    /// The newest state of a quote's pair, with today's fee for the quote's time.
    fn present_state(&self, signer: &PoolSigner, quote: &Quote) -> Result<PairState, DeskError> {
        let assets = &signer.pool().spec().assets;
        let listed = |token| assets.iter().enumerate().find(|(_, asset)| asset.address == token);
        let pairing = listed(quote.input.token)
            .zip(listed(quote.output.token))
            .and_then(|(input, output)| Pairing::new(signer, input, output))
            .ok_or(DeskError::Conflict)?;
        pairing.state(&self.market.snapshot(), quote.time_in_seconds, self.clock.now())
    }
}

/// What share of the quoted output the pool must still give, in hundredths of a basis point.
fn least_share(tolerance: BasisPoints) -> U512 {
    U512::from(BasisPoints::ONE_HUNDREDTHS - tolerance.hundredths())
}
