//! How requests name assets.

use std::fmt;

use firmquote_domain::{Address, Asset, Pool, Symbol};

use crate::UnsupportedInput;

/// How a request names an asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssetKey<'a> {
    /// The symbol under which a pool lists it; case-sensitive.
    Symbol(&'a str),
    /// The address of its token.
    Address(Address),
}

impl AssetKey<'_> {
    /// Returns position and description of the asset in `pool`, or `None` if the pool does not list it.
    pub(crate) fn find(self, pool: &Pool) -> Option<(usize, &Asset)> {
        match self {
            Self::Symbol(symbol) => pool.asset(symbol),
            Self::Address(address) => pool.spec().assets.iter().enumerate().find(|(_, asset)| asset.address == address),
        }
    }

    /// Returns the input that names an asset of this side, which is not supported.
    pub(crate) const fn unsupported(self, is_input: bool) -> UnsupportedInput {
        match (self, is_input) {
            (Self::Symbol(_), true) => UnsupportedInput::InputSymbol,
            (Self::Symbol(_), false) => UnsupportedInput::OutputSymbol,
            (Self::Address(_), true) => UnsupportedInput::InputAddress,
            (Self::Address(_), false) => UnsupportedInput::OutputAddress,
        }
    }
}

impl<'a> From<&'a str> for AssetKey<'a> {
    fn from(symbol: &'a str) -> Self {
        Self::Symbol(symbol)
    }
}

impl<'a> From<&'a Symbol> for AssetKey<'a> {
    fn from(symbol: &'a Symbol) -> Self {
        Self::Symbol(symbol.as_str())
    }
}

impl From<Address> for AssetKey<'_> {
    fn from(address: Address) -> Self {
        Self::Address(address)
    }
}

impl fmt::Display for AssetKey<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Symbol(symbol) => f.write_str(symbol),
            Self::Address(address) => address.fmt(f),
        }
    }
}
