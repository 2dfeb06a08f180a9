//! The purpose that a configuration is read for.

/// The purpose of a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConfigMode {
    /// An operator's own pools with the operator's own keys.
    Operation,
    /// A built-in configuration, with a key generated at load.
    BuiltIn,
    /// An operator's own pools with generated keys: for calculations, whose signatures nobody honors.
    Calculation,
}
