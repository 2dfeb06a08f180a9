//! Certificates and keys in PEM, of the service and of those that it asks.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    firmquote_http::fuzzing::certificates(data);
    firmquote_outbound::fuzzing::certificates(data);
    firmquote_store::fuzzing::certificates(data);
});
