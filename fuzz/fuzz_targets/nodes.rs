//! Answers of the nodes of a chain.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| firmquote_market::fuzzing::nodes(data));
