//! Commands of clients: amounts as people write them, pool data, documents. Nothing here signs, and nothing is sent to a
//! chain.

pub(crate) mod access;
pub(crate) mod call;
pub(crate) mod derived;
pub(crate) mod document;
pub(crate) mod failure;
pub(crate) mod moment;
pub(crate) mod names;
pub(crate) mod pool_sets;
pub(crate) mod printed;
pub(crate) mod published;
pub(crate) mod text_table;
pub(crate) mod whole_tokens;
