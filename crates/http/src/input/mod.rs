//! Request inputs: parses bytes into values, field by field, and collects every invalid input.

mod field;
mod fields;
mod inputs;
mod invalid;
mod json_object;
mod lists;
mod raw_input;
mod reader;
mod values;

pub(crate) use self::{
    field::{Field, Input, Kind, Read, ReadText, concat},
    fields::{Fields, unreadable_body},
    inputs::*,
    invalid::{Echo, InvalidInput, InvalidKind, ValueError, shorten},
    raw_input::RawInput,
    reader::Reader,
    values::{SYMBOLS, decimal, digits, integer, out_of_range, pattern, positive_integer, text},
};
