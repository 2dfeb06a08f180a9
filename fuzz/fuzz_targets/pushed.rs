//! Prices that the operator's backend sends, in a request and on a board.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| firmquote_market::fuzzing::pushed(data));
