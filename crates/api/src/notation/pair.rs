//! Values that are arrays of two in JSON.

use firmquote_domain::{Amount, Symbol};
use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

use crate::{Json, Notation};

/// Price and size of a part of a curve, as decimal numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Band {
    /// Whole output tokens for each whole input token.
    pub price: String,
    /// Whole input tokens.
    pub size: String,
}

/// Implements the notation of two values of a type.
macro_rules! pair {
    ($type:ty, $name:literal, $about:literal) => {
        impl Notation for [$type; 2] {
            const NAME: &'static str = $name;

            fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.clone().map(Json).serialize(serializer)
            }

            fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <[Json<$type>; 2]>::deserialize(deserializer).map(|pair| pair.map(|Json(value)| value))
            }

            #[cfg(feature = "schema")]
            fn schema() -> utoipa::openapi::Schema {
                pair_schema(utoipa::openapi::Ref::from_schema_name(<$type>::NAME).into(), $about)
            }

            #[cfg(feature = "schema")]
            fn add_schemas(schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>) {
                schemas.push((<$type>::NAME.to_owned(), <$type>::schema().into()));
            }
        }
    };
}

pair!(Symbol, "SymbolPair", "The symbols of two assets, in either order.");
pair!(Amount, "Knot", "Cumulative input and output, in base units.");

impl Notation for Band {
    const NAME: &'static str = "Band";

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [&self.price, &self.size].serialize(serializer)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let [price, size] = <[String; 2]>::deserialize(deserializer)?;
        Ok(Self { price, size })
    }

    #[cfg(feature = "schema")]
    fn schema() -> utoipa::openapi::Schema {
        let decimal = super::text::text_schema(r"^[0-9]+(\.[0-9]+)?$", "A decimal number.");
        pair_schema(
            utoipa::openapi::Schema::from(decimal).into(),
            "Price in whole output tokens for each whole input token, and size in whole input tokens.",
        )
    }
}

#[cfg(feature = "schema")]
fn pair_schema(item: utoipa::openapi::RefOr<utoipa::openapi::Schema>, about: &str) -> utoipa::openapi::Schema {
    let array = utoipa::openapi::schema::ArrayBuilder::new().items(item).min_items(Some(2)).max_items(Some(2));
    array.description(Some(about)).into()
}
