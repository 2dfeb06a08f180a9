//! The types of values in tables. Each reads its own form and range from the text as written, and says what is allowed
//! where there is another value or none.

pub(crate) mod array;
pub(crate) mod decimal;
pub(crate) mod integer;
pub(crate) mod setting;
pub(crate) mod text;
