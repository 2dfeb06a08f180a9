//! `[log]` and `[otlp]`: what the service reports about itself.

pub(crate) mod log;
pub(crate) mod otlp;
