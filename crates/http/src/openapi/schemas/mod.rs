//! Schemas of answers, by their names. Objects are closed: an answer has the members that are described and no others.

mod chains;
mod errors;
mod operator;
mod operator_page;
mod pools;
mod shapes;
mod swaps;

pub(super) use self::errors::refusal_name;
use self::shapes::NamedSchema;

/// All of them, for both public versions and the operator.
pub(super) fn all() -> Vec<NamedSchema> {
    [shapes::all(), chains::all(), swaps::all(), pools::all(), operator::all(), operator_page::all(), errors::all()]
        .concat()
}
