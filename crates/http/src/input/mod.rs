//! Request inputs: parses bytes into values, field by field, and collects every invalid input.

mod field;
mod fields;
mod fieldset;
mod invalid;
mod json_object;
mod lists;
mod raw_input;
mod reader;
mod values;

pub(crate) use self::{
    field::Field,
    fields::{Fields, unreadable_body},
    fieldset::Fieldset,
    invalid::{Echo, InvalidInput, InvalidKind, shorten},
    lists::{amounts, event_kinds, pairs, times},
    raw_input::RawInput,
    reader::Reader,
    values::{
        ValueError, act_reason, address, amount, aux_data, boolean, chain_id, cursor, day, destination, digits,
        event_cursor, event_id, levels_id, out_of_range, page_size, quote_id, seconds, state_id, symbol, text,
        unix_seconds,
    },
};
