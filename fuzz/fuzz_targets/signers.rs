//! Keystores, and what signing services answer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| firmquote_signer::fuzzing::signers(data));
