//! The stores and their files; Redis as a real server.

mod archive;
mod calls;
mod codec;
mod deviations;
mod ledger_file;
mod ledger_lines;
mod memory;
mod pause_file;
mod redis;
