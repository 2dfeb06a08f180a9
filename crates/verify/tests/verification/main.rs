//! Quotes and signatures of the service are verified; one more base unit or another term is detected.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic anywhere")]

mod example;
mod quotes;
mod signatures;
