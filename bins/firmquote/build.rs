//! Passes on how much the program is optimized, so that it can say so when it serves.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let level = env::var("OPT_LEVEL").unwrap_or_default();
    println!("cargo::rustc-env=FIRMQUOTE_OPT_LEVEL={level}");
}
