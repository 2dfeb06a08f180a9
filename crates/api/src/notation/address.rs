//! Addresses with EIP-55 checksums.

use firmquote_domain::{Address, ChecksummedAddress, parse_address};
use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

use crate::Notation;

impl Notation for Address {
    const NAME: &'static str = "Address";

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&ChecksummedAddress(*self))
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parse_address(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }

    #[cfg(feature = "schema")]
    fn schema() -> utoipa::openapi::Schema {
        super::text::text_schema("^0x[0-9a-fA-F]{40}$", "20 bytes of hex with the EIP-55 checksum.").into()
    }
}
