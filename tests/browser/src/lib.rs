//! A headless Chromium, driven by the tests of pages.
//!
//! Whatever goes wrong here is a failed test, so everything panics with what it saw instead of returning errors.
#![doc = include_str!("../README.md")]

mod browser;
mod driver;
mod page;
mod screen;
mod seen;

pub use browser::Browser;
pub use screen::{ColorScheme, Screen};
pub use seen::Request;
