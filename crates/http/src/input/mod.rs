//! From bytes to values: what a request said, field by field, with every mistake in it.

mod field;
mod fields;
mod fieldset;
mod invalid;
mod json_object;
mod raw_value;
mod reader;
mod values;

pub(crate) use field::Field;
pub(crate) use fields::{Fields, unreadable};
pub(crate) use fieldset::Fieldset;
pub(crate) use invalid::{Echo, InvalidInput, InvalidKind, shorten};
pub(crate) use raw_value::RawInput;
pub(crate) use reader::Reader;
pub(crate) use values::{
    Problem, address, amount, aux_data, boolean, chain_id, destination, quote_id, seconds, symbol,
};
