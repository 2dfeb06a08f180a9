//! Servers are ready when they are returned, and stop on drop.

mod process;
mod redis;
