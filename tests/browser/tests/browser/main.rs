//! Pages in a real browser.

mod bindings;
mod cors;
mod docs;
mod driver;
mod operator;
mod setup;
