//! Values of keys in Redis.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| firmquote_store::fuzzing::stored(data));
