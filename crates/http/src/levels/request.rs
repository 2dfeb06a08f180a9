//! The parameters of a request for levels.

use firmquote_desk::{LevelsRequest, MAX_KNOTS, MIN_KNOTS};
use firmquote_domain::{Address, ChainId};
use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::{
    error::ApiError,
    input::{Field, Fields, InvalidKind, RawInput, Reader, ValueError, address, chain_id, pairs, seconds},
};

/// Parameters of the query; the chain id is in the path.
pub(crate) const LEVELS: &[Field] =
    &[Field::Pairs, Field::PoolAddress, Field::TimeInSeconds, Field::Knots, Field::Format];

/// How the levels of a book are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
pub(crate) enum LevelFormat {
    /// Knots of cumulative input and output in base units.
    #[default]
    #[strum(serialize = "cumulative")]
    Cumulative,
    /// Bands of price and size in whole tokens.
    #[strum(serialize = "incremental")]
    Incremental,
}

/// A decoded request.
#[derive(Debug)]
pub(crate) struct LevelsInput {
    pub(crate) chain_id: ChainId,
    pub(crate) format: LevelFormat,
    pairs: Vec<String>,
    pool_address: Option<Address>,
    time_in_seconds: Option<u32>,
    max_knots: Option<u32>,
}

impl LevelsInput {
    /// Decodes the fields of a request.
    ///
    /// # Errors
    /// [`ApiError::InvalidInput`] with every error.
    pub(crate) fn decode(fields: &Fields<'_>) -> Result<Self, ApiError> {
        let mut reader = Reader::new(fields);
        let chain_id = reader.required(Field::ChainId, chain_id);
        let pairs = reader.optional(Field::Pairs, pairs);
        let pool_address = reader.optional(Field::PoolAddress, address);
        let time_in_seconds = reader.optional(Field::TimeInSeconds, seconds);
        let max_knots = reader.optional(Field::Knots, knots);
        let format = reader.optional(Field::Format, format);
        reader.finish(|| {
            Some(Self {
                chain_id: chain_id?,
                format: format.unwrap_or_default(),
                pairs: pairs.unwrap_or_default(),
                pool_address,
                time_in_seconds,
                max_knots,
            })
        })
    }

    /// Returns the request to the desk.
    pub(crate) fn request(&self) -> LevelsRequest<'_> {
        LevelsRequest {
            chain_id: self.chain_id,
            pool_address: self.pool_address,
            pairs: &self.pairs,
            time_in_seconds: self.time_in_seconds,
            max_knots: self.max_knots,
        }
    }
}

/// Parses a number of knots.
fn knots(received: &RawInput<'_>) -> Result<u32, ValueError> {
    const RANGE: ValueError = ValueError { kind: InvalidKind::OutOfRange, message: "Input should be 2 to 64 knots" };
    let knots = seconds(received)?;
    if (MIN_KNOTS..=MAX_KNOTS).contains(&knots) { Ok(knots) } else { Err(RANGE) }
}

/// Parses the name of a format.
fn format(received: &RawInput<'_>) -> Result<LevelFormat, ValueError> {
    const NAMES: ValueError =
        ValueError { kind: InvalidKind::OutOfRange, message: "Input should be cumulative or incremental" };
    received.as_text().and_then(|text| text.parse().ok()).ok_or(NAMES)
}
