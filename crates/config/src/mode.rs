//! The purpose that a configuration is read for.

/// What a configuration is read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConfigMode {
    /// An operator's own pools with the operator's own keys.
    Operation,
    /// The built-in demo, with a key generated at load.
    Demo,
}
