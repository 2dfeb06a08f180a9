//! Streams of price feeds: Hermes and exchanges.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    firmquote_market::fuzzing::body(data);
    firmquote_market::fuzzing::messages(data);
});
