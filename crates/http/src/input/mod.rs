//! Request inputs: parses bytes into values, field by field, and collects every invalid input.

mod field;
mod fields;
mod fieldset;
mod invalid;
mod json_object;
mod raw_value;
mod reader;
mod values;

pub(crate) use self::{
    field::Field,
    fields::{Fields, unreadable},
    fieldset::Fieldset,
    invalid::{Echo, InvalidInput, InvalidKind, shorten},
    raw_value::RawInput,
    reader::Reader,
    values::{
        ValueError, address, amount, amounts, aux_data, boolean, chain_id, destination, levels_id, pairs, quote_id,
        seconds, state_id, symbol, times,
    },
};
