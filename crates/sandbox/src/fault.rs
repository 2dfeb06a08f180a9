//! The faults that takers can inject.

use std::str::FromStr as _;

use actix_web::http::header::HeaderMap;
use strum::{EnumIter, EnumString, IntoStaticStr};

use crate::operation::Operation;

/// The request header that names a fault, optionally with a number: `conflict`, `slow=3`.
pub const FAULT_HEADER: &str = "x-sandbox-fault";

/// A fault to inject into a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Fault {
    /// Signing conflicts with the latest prices, with a fresh quote.
    Conflict,
    /// The quote has expired by the time it is signed.
    Expired,
    /// The client has used up its rate limit.
    RateLimited,
    /// No price is trusted.
    StalePrices,
    /// The store cannot be reached.
    Unavailable,
    /// The operator has paused the pool.
    Paused,
    /// The response is delayed by the number of seconds, 5 by default.
    Slow,
    /// The connection is cut before the request is handled.
    Cut,
    /// The request is handled, and the connection is cut instead of sending the response.
    LostAnswer,
    /// The signature is made by a key that the contract does not accept.
    Forged,
    /// The stream of levels lacks a message.
    Gap,
    /// Levels are withdrawn and published again, every few seconds.
    Withdraw,
    /// The stream of levels falls silent, without heartbeats.
    Silence,
    /// The transaction disappears and never executes.
    Dropped,
    /// The block of the transaction is replaced, and a later one executes it again.
    Reorged,
}

/// A fault with its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultInjection {
    /// The kind of fault.
    pub fault: Fault,
    /// Seconds, for [`Fault::Slow`] and [`Fault::RateLimited`].
    pub seconds: u32,
}

/// The default number of a fault.
const DEFAULT_SECONDS: u32 = 5;

/// The maximum number of a fault.
const MAX_SECONDS: u32 = 120;

impl Fault {
    /// The name in headers, schedules and documentation.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether the fault applies to requests of this kind.
    pub fn applies_to(self, operation: Operation) -> bool {
        use Operation::{Events, LevelSocket, LevelStream, Levels, Quote, QuoteSign, Sign, Transaction};
        match self {
            Self::Conflict => operation == Sign,
            Self::Expired => matches!(operation, Quote | Sign),
            Self::StalePrices => matches!(operation, Quote | Sign | QuoteSign | Operation::Curve | Levels),
            Self::Unavailable | Self::Paused => matches!(operation, Quote | Sign | QuoteSign),
            Self::Forged => matches!(operation, Sign | QuoteSign),
            Self::Gap | Self::Silence => operation == LevelStream,
            Self::Withdraw => matches!(operation, LevelStream | LevelSocket),
            Self::Dropped | Self::Reorged => operation == Transaction,
            Self::LostAnswer => !matches!(operation, Events | LevelStream | LevelSocket | Operation::Other),
            Self::RateLimited | Self::Slow | Self::Cut => operation != Operation::Other,
        }
    }
}

impl FaultInjection {
    /// Returns the fault that the headers of a request name; `None` without the header.
    ///
    /// # Errors
    /// A message that names the allowed values.
    pub fn from_headers(headers: &HeaderMap) -> Result<Option<Self>, String> {
        let Some(value) = headers.get(FAULT_HEADER) else { return Ok(None) };
        value.to_str().map_err(|_| "must be ASCII".to_owned()).and_then(Self::parse).map(Some)
    }

    /// Parses a name, optionally with `=` and a number of seconds.
    ///
    /// # Errors
    /// A message that names the allowed values.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (name, number) = text.split_once('=').map_or((text, None), |(name, number)| (name, Some(number)));
        let fault =
            Fault::from_str(name).map_err(|_| format!("{name:?} is not a fault; GET /sandbox lists all faults"))?;
        let seconds = match number.map(u32::from_str) {
            None => DEFAULT_SECONDS,
            Some(Ok(seconds)) if (1..=MAX_SECONDS).contains(&seconds) => seconds,
            Some(_) => return Err(format!("allowed after {name}= are seconds from 1 to {MAX_SECONDS}")),
        };
        Ok(Self { fault, seconds })
    }
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator as _;

    use super::*;

    #[test]
    fn every_fault_is_parsed_by_name_and_injected_somewhere() {
        for fault in Fault::iter() {
            assert_eq!(FaultInjection::parse(fault.name()).unwrap().fault, fault);
            assert!(Operation::iter().any(|operation| fault.applies_to(operation)), "{fault:?}");
            assert!(!fault.applies_to(Operation::Other), "{fault:?}");
        }
    }

    #[test]
    fn seconds_are_parsed_within_bounds() {
        assert_eq!(FaultInjection::parse("slow=3"), Ok(FaultInjection { fault: Fault::Slow, seconds: 3 }));
        assert_eq!(FaultInjection::parse("slow"), Ok(FaultInjection { fault: Fault::Slow, seconds: 5 }));
        for text in ["slow=0", "slow=121", "slow=x", "slow=", "Slow", "", "conflict ", "=3"] {
            assert!(FaultInjection::parse(text).is_err(), "{text:?}");
        }
    }
}
