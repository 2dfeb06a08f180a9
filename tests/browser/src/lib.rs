//! A headless Chromium for tests of web pages.
//!
//! Any error means a failed test, so functions panic with details instead of returning errors.
#![doc = include_str!("../README.md")]

mod browser;
mod driver;
mod page;
mod page_log;
mod screen;

pub use browser::Browser;
pub use page_log::Request;
pub use screen::{ColorScheme, Screen};
