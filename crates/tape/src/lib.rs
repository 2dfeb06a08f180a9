//! What a firm-quote server saw, in Arrow IPC files.
#![doc = include_str!("../README.md")]

mod error;
mod manifest;
mod reader;
mod recorder;
mod rows;
mod writer;

pub use error::TapeError;
pub use manifest::{Segment, verify};
pub use reader::read;
pub use recorder::{ReportError, TapeCounts, TapeRecorder};
pub use rows::{GapRow, PriceRow, Row};
pub use writer::{TapeDirectory, TapeWriter};
