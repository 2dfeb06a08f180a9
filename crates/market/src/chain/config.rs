//! What is configured of a chain: where its nodes are, and what is expected of them.

use std::time::Duration;

use firmquote_domain::ChainId;

/// The longest that any of the times may be; longer ones are a mistake.
const MAX_DURATION: Duration = Duration::from_hours(24);

/// The most nodes of one chain.
const MAX_URLS: usize = 16;

/// Where the nodes of a chain are, and what is expected of them. Has no `Debug`: addresses may hold keys.
#[derive(Clone)]
pub struct ChainAccess {
    /// The chain. A node of another one is never used.
    pub chain_id: ChainId,
    /// Addresses of nodes, the preferred ones first: `https://` or `wss://`, or without TLS `http://` or `ws://`; 1
    /// to 16 of them. A key stands in the path or in the query.
    pub urls: Vec<String>,
    /// Certificates of the authorities to trust, as PEM, instead of those that this system trusts.
    pub authorities: Option<Vec<u8>>,
    /// How long one call may take, from the connection to the last byte of the answer.
    pub call_timeout: Duration,
    /// How long a node that failed is put behind all others. One that asks to be left alone for longer gets that.
    pub pause: Duration,
    /// How often the newest block of every node is asked for, so that a node that has fallen behind is known by the
    /// others. With one address nothing is asked.
    pub survey_interval: Duration,
    /// The most that the newest block of a node may be behind the highest that any node has shown, in blocks.
    pub max_lag_blocks: u64,
    /// The oldest that the newest block of a node may be by our clock, in seconds, at least 1.
    pub max_age_seconds: u32,
}

impl ChainAccess {
    /// # Errors
    /// [`InvalidChainAccess`] for no addresses or too many, and for times of zero or of more than a day.
    pub(super) fn check(&self) -> Result<(), InvalidChainAccess> {
        if !(1..=MAX_URLS).contains(&self.urls.len()) {
            return Err(InvalidChainAccess(format!("a chain has 1 to {MAX_URLS} addresses of nodes")));
        }
        for (name, time) in [
            ("call timeout", self.call_timeout),
            ("pause", self.pause),
            ("survey interval", self.survey_interval),
            ("maximum age of a block", Duration::from_secs(self.max_age_seconds.into())),
        ] {
            check_time(name, time)?;
        }
        Ok(())
    }
}

/// # Errors
/// [`InvalidChainAccess`] for zero and for more than a day.
pub(crate) fn check_time(name: &str, time: Duration) -> Result<(), InvalidChainAccess> {
    if time.is_zero() || time > MAX_DURATION {
        return Err(InvalidChainAccess(format!("the {name} has to be more than zero and at most a day")));
    }
    Ok(())
}

/// What nothing can be read with, whatever the nodes do. Tells nothing secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidChainAccess(pub(crate) String);

#[cfg(test)]
mod tests {
    use super::*;

    fn access() -> ChainAccess {
        let second = Duration::from_secs(1);
        ChainAccess {
            chain_id: ChainId::new(1).unwrap(),
            urls: vec!["http://127.0.0.1:1".to_owned()],
            authorities: None,
            call_timeout: second,
            pause: second,
            survey_interval: second,
            max_lag_blocks: 0,
            max_age_seconds: 1,
        }
    }

    #[test]
    fn every_number_has_its_bounds() {
        assert!(access().check().is_ok());
        let changes: [fn(&mut ChainAccess); 7] = [
            |access| access.urls.clear(),
            |access| access.urls = vec![String::new(); 17],
            |access| access.call_timeout = Duration::ZERO,
            |access| access.pause = Duration::from_secs(86_401),
            |access| access.survey_interval = Duration::ZERO,
            |access| access.max_age_seconds = 0,
            |access| access.max_age_seconds = 86_401,
        ];
        for (position, change) in changes.into_iter().enumerate() {
            let mut access = access();
            change(&mut access);
            assert!(access.check().is_err(), "change {position}");
        }
    }
}
