//! Bodies of requests.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| firmquote_http::fuzzing::bodies(data));
