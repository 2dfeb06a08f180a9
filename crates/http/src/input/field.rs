//! The names of all inputs.

/// An input of some operation, by its name on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    ChainId,
    InputAssetSymbol,
    OutputAssetSymbol,
    InputAmount,
    OutputAmount,
    TimeInSeconds,
    PoolAddress,
    QuoteId,
    DestinationAddress,
    SenderAddress,
    AuxData,
    Calldata,
    NativeInput,
    NativeOutput,
    Transmit,
    Fieldset,
    Prices,
    Symbol,
    PriceUsd,
    ConfidenceUsd,
    ObservedAt,
}

impl Field {
    /// All of them, in the order of their declaration.
    pub(crate) const ALL: [Self; 21] = [
        Self::ChainId,
        Self::InputAssetSymbol,
        Self::OutputAssetSymbol,
        Self::InputAmount,
        Self::OutputAmount,
        Self::TimeInSeconds,
        Self::PoolAddress,
        Self::QuoteId,
        Self::DestinationAddress,
        Self::SenderAddress,
        Self::AuxData,
        Self::Calldata,
        Self::NativeInput,
        Self::NativeOutput,
        Self::Transmit,
        Self::Fieldset,
        Self::Prices,
        Self::Symbol,
        Self::PriceUsd,
        Self::ConfidenceUsd,
        Self::ObservedAt,
    ];

    /// The name on the wire.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::ChainId => "chain_id",
            Self::InputAssetSymbol => "input_asset_symbol",
            Self::OutputAssetSymbol => "output_asset_symbol",
            Self::InputAmount => "input_amount",
            Self::OutputAmount => "output_amount",
            Self::TimeInSeconds => "time_in_seconds",
            Self::PoolAddress => "pool_address",
            Self::QuoteId => "quote_id",
            Self::DestinationAddress => "destination_address",
            Self::SenderAddress => "sender_address",
            Self::AuxData => "aux_data",
            Self::Calldata => "calldata",
            Self::NativeInput => "native_input",
            Self::NativeOutput => "native_output",
            Self::Transmit => "transmit",
            Self::Fieldset => "fieldset",
            Self::Prices => "prices",
            Self::Symbol => "symbol",
            Self::PriceUsd => "price_usd",
            Self::ConfidenceUsd => "confidence_usd",
            Self::ObservedAt => "observed_at",
        }
    }

    /// The field among `accepted` with this name, or `None` for a name that is not asked for.
    pub(crate) fn named(name: &str, accepted: &[Self]) -> Option<Self> {
        accepted.iter().copied().find(|field| field.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_in_the_order_of_declaration_and_names_are_found() {
        for (at, field) in Field::ALL.into_iter().enumerate() {
            assert_eq!(field as usize, at);
            assert_eq!(Field::named(field.name(), &Field::ALL), Some(field));
        }
        assert_eq!(Field::named("calldata", &[Field::ChainId]), None);
    }
}
