//! The set of pool data that a request selects (docs/api.md).

use std::borrow::Cow;

use firmquote_api::PoolType;

use serde_json::json;
use utoipa::openapi::schema::{ObjectBuilder, Type};

use super::{
    RawInput, ValueError,
    field::{Field, Input, Kind, Read},
    values::out_of_range,
};

pub(crate) static FIELDSET: Input<Read<Fieldset>> = Input::new(
    &Kind {
        read: Fieldset::read,
        schema: || ObjectBuilder::new().schema_type(Type::String).enum_values(Some(["offchain-data", "all"])),
    },
    Field::new("fieldset", "The set of pool data to return; by default balances and values.")
        .example(|| json!("offchain-data")),
);

/// A set of pool data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fieldset {
    /// On-chain state of the pool, valued at current prices. The default.
    Onchain,
    /// The parameters that quotes are computed with, and their fees.
    Offchain,
    /// Both sets, observed at the same instant.
    All,
}

impl Fieldset {
    /// Parses the name of a set; the default set has no name.
    fn read(received: &RawInput<'_>) -> Result<Self, ValueError> {
        let named = |text: Cow<'_, str>| [Self::Offchain, Self::All].into_iter().find(|set| set.name() == Some(&text));
        received.as_text().and_then(named).ok_or(out_of_range("Input should be offchain-data or all, or absent"))
    }

    /// Returns the name in requests.
    pub(crate) const fn name(self) -> Option<&'static str> {
        match self {
            Self::Onchain => None,
            Self::Offchain => Some("offchain-data"),
            Self::All => Some("all"),
        }
    }

    /// Returns the `pool_type` in responses.
    pub(crate) const fn pool_type(self) -> PoolType {
        match self {
            Self::Onchain => PoolType::Onchain,
            Self::Offchain => PoolType::Offchain,
            Self::All => PoolType::All,
        }
    }

    pub(crate) const fn has_offchain(self) -> bool {
        matches!(self, Self::Offchain | Self::All)
    }
}
