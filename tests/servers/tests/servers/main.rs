//! Servers that tests start are ready when they return, and stop with their handle.

mod process;
mod redis;
