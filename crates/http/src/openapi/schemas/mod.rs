//! Schemas of responses, by name. Objects are closed: a response has the described members and no others.

mod chains;
mod errors;
mod levels;
mod operator;
mod operator_page;
mod pools;
mod shapes;
mod swaps;

pub(super) use self::errors::refusal_name;
use self::shapes::NamedSchema;

/// All schemas, for both public API versions and the operator.
pub(super) fn all() -> Vec<NamedSchema> {
    [
        shapes::all(),
        chains::all(),
        swaps::all(),
        levels::all(),
        pools::all(),
        operator::all(),
        operator_page::all(),
        errors::all(),
    ]
    .concat()
}
