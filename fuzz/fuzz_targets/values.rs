//! Values of the domain, as people and clients write them.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| firmquote_domain::fuzzing::values(data));
