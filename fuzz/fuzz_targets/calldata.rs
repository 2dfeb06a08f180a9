//! What a chain tells of swaps and pools: calldata, logs, answers.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| firmquote_calldata::fuzzing::calldata(data));
