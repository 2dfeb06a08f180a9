//! What the commands of clients stand on: amounts as people write them, pool data, and the checks of quotes and signatures.
//! Nothing here signs, and nothing is sent to a chain.

pub(crate) mod access;
pub(crate) mod amounts;
pub(crate) mod call;
pub(crate) mod check;
pub(crate) mod claim;
pub(crate) mod derived;
pub(crate) mod document;
pub(crate) mod failure;
pub(crate) mod moment;
pub(crate) mod names;
pub(crate) mod pool_sets;
pub(crate) mod printed;
pub(crate) mod published;
pub(crate) mod recompute;
pub(crate) mod signature;
mod stated;
pub(crate) mod terms;
pub(crate) mod text_table;
pub(crate) mod values;
pub(crate) mod whole_tokens;
