//! Headers of requests, and the credentials that an operator keeps.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| firmquote_http::fuzzing::headers(data));
