//! Pages in a real browser.

mod cors;
mod docs;
mod driver;
mod operator;
