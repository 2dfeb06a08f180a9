//! The inputs of all operations and their names on the wire.

use strum::{IntoStaticStr, VariantArray};

/// An input of an operation, identified by its name on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(const_into_str, serialize_all = "snake_case")]
pub(crate) enum Field {
    ChainId,
    InputAssetSymbol,
    OutputAssetSymbol,
    InputAssetAddress,
    OutputAssetAddress,
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
    Guarantee,
    StateId,
    LevelsId,
    Amounts,
    Times,
    Pairs,
    Knots,
    Format,
    Fieldset,
    Prices,
    Symbol,
    PriceUsd,
    ConfidenceUsd,
    ObservedAt,
    Day,
    Since,
    Until,
    Cursor,
    Limit,
    Reason,
    After,
    LastEventId,
    Kinds,
    CredentialId,
    HedgeId,
    Venue,
    SoldAssetSymbol,
    SoldQuantity,
    BoughtAssetSymbol,
    BoughtQuantity,
    Price,
    FeeUsd,
    ExecutedAt,
    Strict,
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
