//! The stores and their files; Redis as a real server.

mod ledger_file;
mod memory;
mod pause_file;
mod redis;
