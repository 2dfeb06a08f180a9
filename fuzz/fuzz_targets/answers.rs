//! What a server answers a client: quotes, signed swaps, pool data, errors, headers.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| firmquote_client::fuzzing::answers(data));
