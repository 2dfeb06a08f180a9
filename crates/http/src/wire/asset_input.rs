//! The assets of a request, by symbol or by address.

use std::borrow::Cow;

use firmquote_desk::AssetKey;
use firmquote_domain::Address;

use crate::input::{Field, InvalidKind, Reader, ValueError, address, symbol};

/// An asset as a request names it.
#[derive(Debug)]
pub(crate) enum AssetInput<'f> {
    Symbol(Cow<'f, str>),
    Address(Address),
}

impl<'f> AssetInput<'f> {
    /// Reads the input and the output of a request, of each of which exactly one name must be given.
    pub(crate) fn read_pair(reader: &mut Reader<'f, '_>) -> Option<[Self; 2]> {
        let input = Self::read(reader, [Field::InputAssetSymbol, Field::InputAssetAddress]);
        let output = Self::read(reader, [Field::OutputAssetSymbol, Field::OutputAssetAddress]);
        Some([input?, output?])
    }

    fn read(reader: &mut Reader<'f, '_>, fields: [Field; 2]) -> Option<Self> {
        const BOTH: ValueError =
            ValueError::new(InvalidKind::MutuallyExclusive, "the symbol and the address cannot both be given");
        let [by_symbol, by_address] = fields;
        if !reader.has(by_address) {
            return reader.required(by_symbol, symbol).map(Self::Symbol);
        }
        let address = reader.optional(by_address, address);
        if reader.has(by_symbol) {
            reader.reject_all(fields, BOTH);
            return None;
        }
        address.map(Self::Address)
    }

    /// Returns the key of the asset.
    pub(crate) fn key(&self) -> AssetKey<'_> {
        match self {
            Self::Symbol(symbol) => AssetKey::Symbol(symbol),
            Self::Address(address) => AssetKey::Address(*address),
        }
    }
}
