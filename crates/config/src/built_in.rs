//! The built-in configurations, the demo and the sandbox: embedded files, read like any other, each with a signing key
//! that is generated when it is read. That key signs only for the pools of its file.

use std::sync::Arc;

use firmquote_domain::PoolId;

use crate::{
    Config, ConfigError, Environment, Override, PoolConfig,
    document::{error::KeyError, path::KeyPath},
    mode::ConfigMode,
};

/// A built-in configuration.
struct BuiltIn {
    /// Its name in errors.
    name: &'static str,
    kind: &'static str,
    text: &'static str,
}

const DEMO: BuiltIn = BuiltIn { name: "built-in demo", kind: "demo", text: include_str!("../demo.toml") };
const SANDBOX: BuiltIn = BuiltIn { name: "built-in sandbox", kind: "sandbox", text: include_str!("../sandbox.toml") };

impl Config {
    /// Reads the built-in demo with `overrides` applied.
    ///
    /// # Errors
    /// [`ConfigError`] for an invalid override, and for one that would make the demo's key sign for another pool or
    /// another chain than the demo's.
    pub fn demo(overrides: &[Override], environment: &Arc<dyn Environment>) -> Result<Self, ConfigError> {
        DEMO.read(overrides, environment)
    }

    /// Reads the built-in sandbox with `overrides` applied.
    ///
    /// # Errors
    /// Those of [`Self::demo`].
    pub fn sandbox(overrides: &[Override], environment: &Arc<dyn Environment>) -> Result<Self, ConfigError> {
        SANDBOX.read(overrides, environment)
    }

    /// Returns the pools of the built-in demo.
    ///
    /// # Errors
    /// [`ConfigError`] when the demo itself is not usable; a bug.
    pub fn demo_pools(environment: &Arc<dyn Environment>) -> Result<Vec<PoolId>, ConfigError> {
        DEMO.pools(environment)
    }
}

impl BuiltIn {
    fn read(&self, overrides: &[Override], environment: &Arc<dyn Environment>) -> Result<Config, ConfigError> {
        let config = Config::parse(self.name, self.text, overrides, ConfigMode::BuiltIn, environment)?;
        let own = self.pools(environment)?;
        let foreign = config.pools.iter().enumerate().find(|(_, pool)| !own.contains(&pool.id()));
        let Some((position, pool)) = foreign else { return Ok(config) };
        let key = KeyPath::default().key("pool").index(position);
        let error = KeyError::not_allowed(
            key,
            pool.id(),
            format!("the {}'s own pool only; for another one, use a configuration file", self.kind),
        );
        Err(ConfigError::Key { location: self.name.to_owned(), error })
    }

    fn pools(&self, environment: &Arc<dyn Environment>) -> Result<Vec<PoolId>, ConfigError> {
        let config = Config::parse(self.name, self.text, &[], ConfigMode::BuiltIn, environment)?;
        Ok(config.pools.iter().map(PoolConfig::id).collect())
    }
}
