//! The configuration of a chain: the addresses of its nodes and the requirements on them.

use std::time::Duration;

use firmquote_domain::ChainId;

#[cfg(feature = "chain")]
use crate::InvalidConfig;

/// The upper limit of all durations; longer ones are considered a mistake.
#[cfg(feature = "chain")]
const MAX_DURATION: Duration = Duration::from_hours(24);

/// The nodes of a chain and the requirements on them. Has no `Debug`: addresses may contain API keys.
#[derive(Clone)]
pub struct ChainRpcConfig {
    /// The chain. A node on another chain is never used.
    pub chain_id: ChainId,
    /// The 1 to 16 node addresses in order of preference: `https://` or `wss://`, or without TLS `http://` or `ws://`.
    /// An API key goes into the path or the query.
    pub urls: Vec<String>,
    /// The certificate authorities to trust, as PEM, instead of those of the system.
    pub authorities: Option<Vec<u8>>,
    /// The time limit of one call, from the connection to the last byte of the response.
    pub call_timeout: Duration,
    /// How long a failed node is ranked behind all others. If a rate-limiting node demands a longer one, that
    /// applies.
    pub cooldown: Duration,
    /// The interval at which the newest block of every node is queried, so that a node that has fallen behind is
    /// detected by comparison with the others. There is no survey with a single address.
    pub survey_interval: Duration,
    /// The maximum lag of a node's newest block behind the highest block at which another node was read, in blocks.
    pub max_lag_blocks: u64,
    /// The maximum age of a node's newest block by our clock, in seconds, at least 1.
    pub max_age_seconds: u32,
}

impl ChainRpcConfig {
    /// The maximum number of nodes of a chain.
    pub const MAX_URLS: usize = 16;
}

#[cfg(feature = "chain")]
impl ChainRpcConfig {
    /// # Errors
    /// [`InvalidConfig`] for no addresses or too many, and for times of zero or of more than a day.
    pub(crate) fn check(&self) -> Result<(), InvalidConfig> {
        if !(1..=Self::MAX_URLS).contains(&self.urls.len()) {
            return Err(InvalidConfig(format!("a chain has 1 to {} node addresses", Self::MAX_URLS)));
        }
        for (name, time) in [
            ("call timeout", self.call_timeout),
            ("cooldown", self.cooldown),
            ("survey interval", self.survey_interval),
            ("maximum age of a block", Duration::from_secs(self.max_age_seconds.into())),
        ] {
            check_time(name, time)?;
        }
        Ok(())
    }
}

/// # Errors
/// [`InvalidConfig`] for zero and for more than a day.
#[cfg(feature = "chain")]
pub(crate) fn check_time(name: &str, time: Duration) -> Result<(), InvalidConfig> {
    if time.is_zero() || time > MAX_DURATION {
        return Err(InvalidConfig(format!("the {name} must be above zero and at most a day")));
    }
    Ok(())
}

#[cfg(feature = "chain")]
#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> ChainRpcConfig {
        let second = Duration::from_secs(1);
        ChainRpcConfig {
            chain_id: ChainId::new(1).unwrap(),
            urls: vec!["http://127.0.0.1:1".to_owned()],
            authorities: None,
            call_timeout: second,
            cooldown: second,
            survey_interval: second,
            max_lag_blocks: 0,
            max_age_seconds: 1,
        }
    }

    #[test]
    fn every_number_is_bounded() {
        assert!(config().check().is_ok());
        let changes: [fn(&mut ChainRpcConfig); 7] = [
            |config| config.urls.clear(),
            |config| config.urls = vec![String::new(); 17],
            |config| config.call_timeout = Duration::ZERO,
            |config| config.cooldown = Duration::from_secs(86_401),
            |config| config.survey_interval = Duration::ZERO,
            |config| config.max_age_seconds = 0,
            |config| config.max_age_seconds = 86_401,
        ];
        for (position, change) in changes.into_iter().enumerate() {
            let mut config = config();
            change(&mut config);
            assert!(config.check().is_err(), "change {position}");
        }
    }
}
