//! One function an operation: it decodes, asks the desk, encodes.

pub(crate) mod admin;
pub(crate) mod operator;
pub(crate) mod operator_page;
pub(crate) mod pages;
pub(crate) mod pauses;
pub(crate) mod prices;
pub(crate) mod version_1;
pub(crate) mod version_2;
