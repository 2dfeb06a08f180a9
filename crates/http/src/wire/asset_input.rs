//! The assets of a request, by symbol or by address.

use std::borrow::Cow;

use firmquote_desk::AssetKey;
use firmquote_domain::Address;

use crate::input::{
    INPUT_ASSET_ADDRESS, INPUT_ASSET_SYMBOL, Input, InvalidKind, OUTPUT_ASSET_ADDRESS, OUTPUT_ASSET_SYMBOL, Read,
    ReadText, Reader, ValueError,
};

/// An asset as a request names it.
#[derive(Debug)]
pub(crate) enum AssetInput<'f> {
    Symbol(Cow<'f, str>),
    Address(Address),
}

impl<'f> AssetInput<'f> {
    /// Reads the input and the output of a request, of each of which exactly one name must be given.
    pub(crate) fn read_pair(reader: &mut Reader<'f, '_>) -> Option<[Self; 2]> {
        let input = Self::read(reader, &INPUT_ASSET_SYMBOL, &INPUT_ASSET_ADDRESS);
        let output = Self::read(reader, &OUTPUT_ASSET_SYMBOL, &OUTPUT_ASSET_ADDRESS);
        Some([input?, output?])
    }

    fn read(
        reader: &mut Reader<'f, '_>,
        by_symbol: &'static Input<ReadText>,
        by_address: &'static Input<Read<Address>>,
    ) -> Option<Self> {
        const BOTH: ValueError =
            ValueError::new(InvalidKind::MutuallyExclusive, "the symbol and the address cannot both be given");
        if !reader.has(&by_address.field) {
            return reader.required(by_symbol).map(Self::Symbol);
        }
        let address = reader.optional(by_address);
        if reader.has(&by_symbol.field) {
            reader.reject_all([&by_symbol.field, &by_address.field], BOTH);
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
