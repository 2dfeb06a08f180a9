//! Paths and query strings of requests.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| firmquote_http::fuzzing::queries(data));
