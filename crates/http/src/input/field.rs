//! The inputs of all operations and their names on the wire.

use strum::{IntoStaticStr, VariantArray};

/// An input of an operation, identified by its name on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(const_into_str)]
pub(crate) enum Field {
    #[strum(serialize = "chain_id")]
    ChainId,
    #[strum(serialize = "input_asset_symbol")]
    InputAssetSymbol,
    #[strum(serialize = "output_asset_symbol")]
    OutputAssetSymbol,
    #[strum(serialize = "input_amount")]
    InputAmount,
    #[strum(serialize = "output_amount")]
    OutputAmount,
    #[strum(serialize = "time_in_seconds")]
    TimeInSeconds,
    #[strum(serialize = "pool_address")]
    PoolAddress,
    #[strum(serialize = "quote_id")]
    QuoteId,
    #[strum(serialize = "destination_address")]
    DestinationAddress,
    #[strum(serialize = "sender_address")]
    SenderAddress,
    #[strum(serialize = "aux_data")]
    AuxData,
    #[strum(serialize = "calldata")]
    Calldata,
    #[strum(serialize = "native_input")]
    NativeInput,
    #[strum(serialize = "native_output")]
    NativeOutput,
    #[strum(serialize = "transmit")]
    Transmit,
    #[strum(serialize = "guarantee")]
    Guarantee,
    #[strum(serialize = "state_id")]
    StateId,
    #[strum(serialize = "levels_id")]
    LevelsId,
    #[strum(serialize = "amounts")]
    Amounts,
    #[strum(serialize = "times")]
    Times,
    #[strum(serialize = "pairs")]
    Pairs,
    #[strum(serialize = "knots")]
    Knots,
    #[strum(serialize = "format")]
    Format,
    #[strum(serialize = "fieldset")]
    Fieldset,
    #[strum(serialize = "prices")]
    Prices,
    #[strum(serialize = "symbol")]
    Symbol,
    #[strum(serialize = "price_usd")]
    PriceUsd,
    #[strum(serialize = "confidence_usd")]
    ConfidenceUsd,
    #[strum(serialize = "observed_at")]
    ObservedAt,
}

impl Field {
    /// Returns the name on the wire.
    pub(crate) const fn name(self) -> &'static str {
        self.into_str()
    }

    /// Returns the field in `accepted` with this name, or `None` if there is none.
    pub(crate) fn from_name(name: &str, accepted: &[Self]) -> Option<Self> {
        accepted.iter().copied().find(|field| field.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_follows_declaration_order_and_names_resolve() {
        for (at, field) in Field::VARIANTS.iter().copied().enumerate() {
            assert_eq!(field as usize, at);
            assert_eq!(Field::from_name(field.name(), Field::VARIANTS), Some(field));
        }
        assert_eq!(Field::from_name("calldata", &[Field::ChainId]), None);
    }
}
