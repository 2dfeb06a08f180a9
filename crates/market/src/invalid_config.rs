//! The error of an unusable configuration.

/// An unusable configuration of nodes or of a price source, independent of what these respond. Contains nothing secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidConfig(pub(crate) String);
