//! The operator's file, with environment variables laid over it.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| firmquote_config::fuzzing::configuration(data));
