//! What the pool offers: the curve, as far as it is not better than the prices by more than the pool's bound. Where the pool
//! is away from its target the curve pays for its return without a bound; the offer does not.

use firmquote_domain::{Amount, BasisPoints, U256, U512, narrow};

use crate::{PairState, PreparedPair, PricingError};

/// The output that is offered for `input`: the lesser of the curve's and of the bounded one, both rounded down.
///
/// # Errors
/// Those of [`output_for`](crate::output_for).
pub fn offered_output(pair: &PairState, input: Amount) -> Result<Amount, PricingError> {
    PreparedPair::new(*pair).offered_output(input)
}

/// The input for which `output` is offered: the greater of the curve's and of the bounded one, both rounded up.
///
/// # Errors
/// Those of [`input_for`](crate::input_for).
pub fn offered_input(pair: &PairState, output: Amount) -> Result<Amount, PricingError> {
    PreparedPair::new(*pair).offered_input(output)
}

impl PreparedPair {
    /// Returns the same result as [`offered_output`] for this pair.
    ///
    /// # Errors
    /// Those of [`offered_output`].
    pub fn offered_output(&self, input: Amount) -> Result<Amount, PricingError> {
        let output = match self.output_for(input) {
            Ok(output) => Amount::new(self.guarded_output(input).min(output.base_units())),
            Err(PricingError::TooSmall { .. }) => None,
            Err(error) => return Err(error),
        };
        match output {
            Some(output) => Ok(output),
            None => Err(PricingError::TooSmall { limit: self.offered_input(Amount::ONE)? }),
        }
    }

    /// Returns the same result as [`offered_input`] for this pair.
    ///
    /// # Errors
    /// Those of [`offered_input`].
    pub fn offered_input(&self, output: Amount) -> Result<Amount, PricingError> {
        let input = self.input_for(output)?;
        match self.guarded_input(output) {
            Some(guarded) => Ok(input.max(guarded)),
            None => Err(PricingError::TooLarge { limit: self.offered_output(Amount::MAX)? }),
        }
    }

    /// Whether the bound is no more than the curve for `input`; false without a bound.
    ///
    /// # Errors
    /// Those of [`Self::output_for`].
    pub(crate) fn is_guarded(&self, input: Amount) -> Result<bool, PricingError> {
        if self.state().max_improvement.is_none() {
            return Ok(false);
        }
        Ok(self.guarded_output(input) <= self.output_for(input)?.base_units())
    }

    /// The most that is offered for `input` at the prices, rounded down: `in * pX * 10^dY * (10^6 + x) / (pY * 10^dX * 10^6)`,
    /// with x in hundredths of a basis point; the largest number without a bound, and above 2^256 - 1.
    fn guarded_output(&self, input: Amount) -> U256 {
        let Some([numerator, denominator]) = self.bounded_rate() else { return U256::MAX };
        narrow(U512::from(input.base_units()) * numerator / denominator).unwrap_or(U256::MAX)
    }

    /// The least that is asked for `output` at the prices, rounded up; `None` above 2^256 - 1, one unit without a bound.
    fn guarded_input(&self, output: Amount) -> Option<Amount> {
        let Some([numerator, denominator]) = self.bounded_rate() else { return Some(Amount::ONE) };
        narrow((U512::from(output.base_units()) * denominator).div_ceil(numerator)).and_then(Amount::new)
    }

    /// The output for an input at the prices and the bound, as a fraction of integers below 2^165.
    fn bounded_rate(&self) -> Option<[U512; 2]> {
        let PairState { input, output, max_improvement, .. } = self.state();
        let units = |decimals: firmquote_domain::Decimals| U512::from(decimals.units_per_token());
        let price = |side: &crate::PairAsset| U512::from(side.price.steps());
        let scale = U512::from(BasisPoints::SCALE);
        let improved = scale + U512::from((*max_improvement)?.hundredths());
        Some([price(input) * units(output.decimals) * improved, price(output) * units(input.decimals) * scale])
    }
}
