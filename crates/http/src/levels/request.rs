//! The parameters of a request for levels.

use firmquote_desk::{Desk, DeskError, LevelBookKey, LevelsRequest, MAX_KNOTS, MIN_KNOTS};
use firmquote_domain::{Address, ChainId, Client};
use serde_json::json;
use strum::{EnumString, IntoStaticStr, VariantArray};

use utoipa::openapi::schema::{ObjectBuilder, Type};

use crate::{
    error::ApiError,
    input::{
        CHAIN_ID, Field, Fields, Input, InvalidKind, Kind, PAIRS, POOL_ADDRESS, RawInput, Read, Reader, STRICT,
        TIME_IN_SECONDS, ValueError, digits, positive_integer,
    },
};

/// Parameters of the query; the chain id is in the path.
pub(crate) const LEVELS: &[&Field] =
    &[&PAIRS.field, &POOL_ADDRESS.field, &TIME_IN_SECONDS.field, &KNOTS.field, &FORMAT.field, &STRICT.field];

static KNOTS: Input<Read<u32>> = Input::new(
    &Kind { read: knots, schema: || positive_integer().minimum(Some(MIN_KNOTS)).maximum(Some(MAX_KNOTS)) },
    Field::new("knots", "Maximum number of knots in a book, 2 to 64; 16 by default.").example(|| json!(4)),
);

static FORMAT: Input<Read<LevelFormat>> = Input::new(
    &Kind {
        read: format,
        schema: || ObjectBuilder::new().schema_type(Type::String).enum_values(Some(["cumulative", "incremental"])),
    },
    Field::new("format", "How levels are written: `cumulative` knots, the default, or `incremental` bands.")
        .example(|| json!("cumulative")),
);

/// How the levels of a book are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum LevelFormat {
    /// Knots of cumulative input and output in base units.
    #[default]
    Cumulative,
    /// Bands of price and size in whole tokens.
    Incremental,
}

impl LevelFormat {
    /// Returns the `semantics` of books.
    pub(crate) const fn semantics(self) -> &'static str {
        match self {
            Self::Cumulative => "cumulative_input_output_floor",
            Self::Incremental => "incremental_price_size",
        }
    }
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

/// A book that a request selects.
#[derive(Debug)]
pub(crate) struct RequestedLevelBook {
    pub(super) key: LevelBookKey,
    /// Whether its time or its number of knots is not the default, so that a client can request any number of them.
    pub(super) is_custom: bool,
}

impl LevelsInput {
    /// Decodes the fields of a request.
    ///
    /// # Errors
    /// [`ApiError::InvalidInput`] with every error.
    pub(crate) fn decode(fields: &Fields<'_>) -> Result<Self, ApiError> {
        let mut reader = Reader::new(fields);
        let chain_id = reader.required(&CHAIN_ID);
        let pairs = reader.optional(&PAIRS);
        let pool_address = reader.optional(&POOL_ADDRESS);
        let time_in_seconds = reader.optional(&TIME_IN_SECONDS);
        let max_knots = reader.optional(&KNOTS);
        let format = reader.optional(&FORMAT);
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

    /// Returns the books that the request of `client` selects.
    ///
    /// # Errors
    /// Those of [`Desk::level_books`].
    pub(crate) fn books(&self, desk: &Desk, client: &Client) -> Result<Vec<RequestedLevelBook>, DeskError> {
        let Self { chain_id, pool_address, time_in_seconds, max_knots, .. } = *self;
        let request = LevelsRequest { client, chain_id, pool_address, pairs: &self.pairs, time_in_seconds, max_knots };
        let keys = desk.level_books(&request)?.into_iter();
        let mut books: Vec<_> = keys.map(|key| RequestedLevelBook { key, is_custom: false }).collect();
        if time_in_seconds.is_some() || max_knots.is_some() {
            let defaults = desk.level_books(&LevelsRequest { time_in_seconds: None, max_knots: None, ..request })?;
            for (book, default) in books.iter_mut().zip(defaults) {
                book.is_custom = book.key != default;
            }
        }
        Ok(books)
    }
}

#[cfg(test)]
impl RequestedLevelBook {
    /// Different books, numbered from `first`.
    pub(super) fn numbered(first: usize, count: usize, is_custom: bool) -> Vec<Self> {
        use firmquote_desk::BookTerms;
        use firmquote_domain::{PoolId, Symbol};

        let pool = PoolId { chain_id: ChainId::new(1).unwrap(), address: Address::repeat_byte(1) };
        let [input, output] = ["ETH", "USDC"].map(|symbol| Symbol::new(symbol).unwrap());
        let key = |number: usize| LevelBookKey {
            pool,
            input: input.clone(),
            output: output.clone(),
            time_in_seconds: u32::try_from(number).unwrap(),
            max_knots: 16,
            terms: BookTerms::default(),
        };
        (first..first + count).map(|number| Self { key: key(number), is_custom }).collect()
    }
}

/// Parses a number of knots.
fn knots(received: &RawInput<'_>) -> Result<u32, ValueError> {
    const RANGE: ValueError = ValueError::new(InvalidKind::OutOfRange, "Input should be 2 to 64 knots");
    digits(received)?.parse().ok().filter(|knots| (MIN_KNOTS..=MAX_KNOTS).contains(knots)).ok_or(RANGE)
}

/// Parses the name of a format.
fn format(received: &RawInput<'_>) -> Result<LevelFormat, ValueError> {
    const NAMES: ValueError = ValueError::new(InvalidKind::OutOfRange, "Input should be cumulative or incremental");
    received.as_text().and_then(|text| text.parse().ok()).ok_or(NAMES)
}
