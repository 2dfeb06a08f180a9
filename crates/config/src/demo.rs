//! The built-in demo: an embedded configuration, read like any other, whose signing key is generated when it is read.
//! That key signs for the demo's pool and no other.

use std::sync::Arc;

use firmquote_domain::PoolId;

use crate::{
    Config, ConfigError, Override, PoolConfig, Sources,
    document::{error::KeyError, path::KeyPath},
    mode::ConfigMode,
};

/// The demo's configuration file.
const TEXT: &str = include_str!("../demo.toml");
/// Its name in errors.
const NAME: &str = "built-in demo";
impl Config {
    /// Reads the built-in demo with `overrides` applied.
    ///
    /// # Errors
    /// [`ConfigError`] for an invalid override, and for one that would make the demo's key sign for another pool or
    /// another chain than the demo's.
    pub fn demo(overrides: &[Override], sources: &Arc<dyn Sources>) -> Result<Self, ConfigError> {
        let demo = Self::parse(NAME, TEXT, overrides, ConfigMode::Demo, sources)?;
        let own = Self::demo_pools(sources)?;
        let foreign = demo.pools.iter().enumerate().find(|(_, pool)| !own.contains(&pool.id()));
        let Some((position, pool)) = foreign else { return Ok(demo) };
        let key = KeyPath::default().key("pool").index(position);
        let error = KeyError::not_allowed(key, pool.id(), "the demo's own pool only; for another write a file");
        Err(ConfigError::Key { location: NAME.to_owned(), error })
    }

    /// Returns the pools of the built-in demo.
    ///
    /// # Errors
    /// [`ConfigError`] when the demo itself is not usable; a bug.
    pub fn demo_pools(sources: &Arc<dyn Sources>) -> Result<Vec<PoolId>, ConfigError> {
        let demo = Self::parse(NAME, TEXT, &[], ConfigMode::Demo, sources)?;
        Ok(demo.pools.iter().map(PoolConfig::id).collect())
    }
}
