//! One round of a feed contract, and the conditions under which it is a price.

use alloy_sol_types::sol;
use firmquote_domain::{InvalidValue, Timestamp, U256};

use self::Aggregator::latestRoundDataReturn;
use super::ChainlinkFeed;
use crate::Observation;

sol! {
    /// A feed: the proxy of an aggregator.
    interface Aggregator {
        function aggregator() view returns (address);
        function decimals() view returns (uint8);
        function latestRoundData() view returns (
            uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound
        );
    }

    /// An aggregator that stops at two answers, however far the market moves beyond them.
    interface BoundedAggregator {
        function minAnswer() view returns (int192);
        function maxAnswer() view returns (int192);
    }
}

/// The smallest and the largest answer that an aggregator gives.
pub(super) type AnswerBounds = [Option<i128>; 2];

/// One answer of a feed with its decimals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Round {
    /// Increases with every update; its upper 16 bits, the phase, with every new aggregator behind the same proxy.
    pub(super) id: u128,
    decimals: u8,
    /// `None` beyond 128 bits.
    answer: Option<i128>,
    /// `None` if it is not a valid time.
    updated_at: Option<Timestamp>,
    answered_in: u128,
    /// `None` for an aggregator without bounds.
    bounds: Option<AnswerBounds>,
}

impl Round {
    pub(super) fn new(data: &latestRoundDataReturn, decimals: u8, bounds: Option<AnswerBounds>) -> Self {
        Self {
            id: data.roundId.to(),
            decimals,
            answer: data.answer.try_into().ok(),
            updated_at: parse_time(data.updatedAt),
            answered_in: data.answeredInRound.to(),
            bounds,
        }
    }

    /// Returns the last instant at which the round can be a price.
    pub(super) fn expires_at(&self, feed: &ChainlinkFeed) -> Option<Timestamp> {
        Some(self.updated_at?.plus_seconds(feed.heartbeat_seconds))
    }

    /// Returns the price, observed at `now`: the last update may be as old as the heartbeat, and the reading shows that
    /// there was none since.
    ///
    /// # Errors
    /// [`InvalidValue::OutOfRange`] for an answer that is not above zero or not of its own round, or that is one of the
    /// two bounds of its aggregator, beyond which the price may be; for an incomplete round, for an update in the future
    /// beyond the tolerance, and once the heartbeat has passed without another update: a feed that misses its heartbeat must not be relied on. Otherwise those of [`Observation::from_scaled`].
    pub(super) fn observation(
        &self,
        feed: &ChainlinkFeed,
        clock_tolerance_seconds: u32,
        now: Timestamp,
    ) -> Result<Observation, InvalidValue> {
        let out_of_range = |allowed| InvalidValue::OutOfRange { allowed };
        let answer = self.answer.filter(|answer| *answer > 0).ok_or(out_of_range("an answer above zero"))?;
        if let Some([min, max]) = self.bounds
            && (min.is_some_and(|min| answer <= min) || max.is_some_and(|max| answer >= max))
        {
            return Err(out_of_range("an answer within the bounds of its aggregator"));
        }
        let updated_at = self.updated_at.ok_or(out_of_range("a round that is complete"))?;
        if self.answered_in < self.id {
            return Err(out_of_range("an answer of its own round"));
        }
        if updated_at > now.plus_seconds(clock_tolerance_seconds) {
            return Err(out_of_range("an update that is not in the future"));
        }
        if now > updated_at.plus_seconds(feed.heartbeat_seconds) {
            return Err(out_of_range("an update within the heartbeat of the feed"));
        }
        Observation::from_scaled(answer, 0, -i32::from(self.decimals), now)
    }
}

/// Converts seconds since the Unix epoch; zero means an incomplete round.
fn parse_time(seconds: U256) -> Option<Timestamp> {
    let micros = u64::try_from(seconds).ok()?.checked_mul(1_000_000)?;
    (micros > 0).then_some(Timestamp::from_micros(micros))
}

/// Reads the answer of a feed as a price at `now`, for the fuzz target `nodes`.
///
/// # Panics
/// If a price is not observed at `now`, or an error is not one short line.
#[cfg(any(test, fuzzing))]
pub(crate) fn fuzz_round(data: &latestRoundDataReturn, now: Timestamp) {
    let Ok(symbol) = firmquote_domain::Symbol::new("ETH") else { return };
    let feed = ChainlinkFeed { symbol, aggregator: firmquote_domain::Address::ZERO, heartbeat_seconds: 3_600 };
    for decimals in [0, 8, 18, u8::MAX] {
        match Round::new(data, decimals, None).observation(&feed, 10, now) {
            Ok(observation) => assert_eq!(observation.observed_at, now),
            Err(error) => crate::fuzzing::check_error_text(&error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy_primitives::{I256, aliases::U80};
    use firmquote_domain::{Address, Symbol};

    const UPDATED: u32 = 1_700_000_000;

    fn feed() -> ChainlinkFeed {
        ChainlinkFeed { symbol: Symbol::new("ETH").unwrap(), aggregator: Address::ZERO, heartbeat_seconds: 3_600 }
    }

    fn data() -> latestRoundDataReturn {
        latestRoundDataReturn {
            roundId: U80::from((6_u128 << 64) + 20),
            answer: I256::try_from(208_052_700_000_i64).unwrap(),
            startedAt: U256::ZERO,
            updatedAt: U256::from(UPDATED),
            answeredInRound: U80::from((6_u128 << 64) + 20),
        }
    }

    fn observed(data: &latestRoundDataReturn, decimals: u8, now: u32) -> Result<String, InvalidValue> {
        let observation = Round::new(data, decimals, None).observation(&feed(), 10, Timestamp::from_seconds(now))?;
        assert_eq!(observation.observed_at, Timestamp::from_seconds(now));
        Ok(observation.price.to_string())
    }

    #[test]
    fn a_round_is_a_price_at_the_time_of_reading() {
        assert_eq!(observed(&data(), 8, UPDATED).as_deref(), Ok("2080.527"));
        assert_eq!(
            observed(&data(), 11, UPDATED + 3_600).as_deref(),
            Ok("2.080527"),
            "hours old, within the heartbeat"
        );
        assert_eq!(observed(&data(), 8, UPDATED - 10).as_deref(), Ok("2080.527"), "within the tolerance");
    }

    #[test]
    fn an_answer_at_a_bound_of_its_aggregator_is_no_price() {
        let answer = 208_052_700_000_i128;
        for (bounds, is_price) in [
            ([Some(1), Some(answer + 1)], true),
            ([Some(answer), None], false),
            ([Some(answer + 1), None], false),
            ([None, Some(answer)], false),
            ([None, None], true),
        ] {
            let round = Round::new(&data(), 8, Some(bounds));
            let observed = round.observation(&feed(), 10, Timestamp::from_seconds(UPDATED));
            assert_eq!(observed.is_ok(), is_price, "{bounds:?}");
        }
    }

    #[test]
    fn invalid_rounds_are_rejected() {
        let refused = |change: &dyn Fn(&mut latestRoundDataReturn), now| {
            let mut data = data();
            change(&mut data);
            observed(&data, 8, now).is_err()
        };
        assert!(refused(&|data| data.answer = I256::ZERO, UPDATED));
        assert!(refused(&|data| data.answer = I256::MINUS_ONE, UPDATED));
        assert!(refused(&|data| data.answer = I256::MAX, UPDATED));
        assert!(refused(&|data| data.updatedAt = U256::ZERO, UPDATED));
        assert!(refused(&|data| data.updatedAt = U256::MAX, UPDATED));
        assert!(refused(&|data| data.answeredInRound -= U80::from(1), UPDATED));
        assert!(refused(&|_| (), UPDATED - 11), "in the future");
        assert!(refused(&|_| (), UPDATED + 3_601), "past the heartbeat");
        assert!(observed(&data(), 255, UPDATED).is_err(), "too small to be a price");
    }
}
