//! Signatures as the numbers that contracts accept.

use firmquote_domain::{InvalidValue, Signature};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use super::Bytes32;
use crate::Notation;

/// An ECDSA signature with a low `s` (EIP-2).
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
struct Parts {
    /// 27 or 28, by the parity of the point's y coordinate.
    #[cfg_attr(feature = "schema", schema(minimum = 27, maximum = 28))]
    v: u8,
    /// The `r` value.
    r: Bytes32,
    /// The `s` value.
    s: Bytes32,
}

impl Notation for Signature {
    const NAME: &'static str = "Signature";

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Parts { v: self.v(), r: self.r().into(), s: self.s().into() }.serialize(serializer)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const PARITY: InvalidValue = InvalidValue::OutOfRange { allowed: "v of 27 or 28" };
        let Parts { v, r, s } = Parts::deserialize(deserializer)?;
        let is_y_odd = match v {
            27 => Ok(false),
            28 => Ok(true),
            _ => Err(PARITY),
        };
        is_y_odd.and_then(|is_y_odd| Self::new(*r, *s, is_y_odd)).map_err(D::Error::custom)
    }

    #[cfg(feature = "schema")]
    fn schema() -> utoipa::openapi::Schema {
        match <Parts as utoipa::PartialSchema>::schema() {
            utoipa::openapi::RefOr::T(schema) => schema,
            utoipa::openapi::RefOr::Ref(reference) => {
                utoipa::openapi::schema::AllOfBuilder::new().item(reference).into()
            }
        }
    }

    #[cfg(feature = "schema")]
    fn add_schemas(schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>) {
        <Parts as utoipa::ToSchema>::schemas(schemas);
    }
}
