//! The operator's other files: credentials, as they are read and as they are edited, and lists of accounts.
#![no_main]

use firmquote_config::fuzzing;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    fuzzing::accounts(data);
    fuzzing::credentials(data);
});
