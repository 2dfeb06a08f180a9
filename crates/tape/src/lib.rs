//! What a firm-quote server saw, in Arrow IPC files.
#![doc = include_str!("../README.md")]

mod columns;
mod error;
mod manifest;
mod reader;
mod recorder;
mod rows;
mod writer;

pub use columns::{Batch, Columns, Row};
pub use error::TapeError;
pub use manifest::{Segment, verify};
pub use reader::{SegmentFiles, read};
pub use recorder::{Encoder, RecorderOptions, ReportError, TapeCounts, TapeRecorder};
pub use rows::{
    BlockRow, Change, ChangeRow, ConfigurationRow, GapRow, LevelsRow, PriceRow, RecordedAsset, RecordedBalance,
    RecordedLevelsUse, RecordedPair, RecordedQuote, RecordedSwap, RequestOperation, RequestRow, Rows, StateRow, Table,
    TableRow,
};
pub use writer::{MAX_SEGMENT_SECONDS, TapeDirectory, TapeWriter};
