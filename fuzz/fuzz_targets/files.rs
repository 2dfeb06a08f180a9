//! The operator's other files: credentials, as they are read and as they are edited, and lists of accounts. The program has
//! no library: its modules are built here.
#![no_main]
#![expect(dead_code, unused_imports, reason = "only what reads is used of what the program has")]

#[path = "../../bins/firmquote/src/config/mod.rs"]
mod config;
#[path = "../../bins/firmquote/src/commands/credential/document.rs"]
mod document;
#[path = "../../bins/firmquote/src/environment.rs"]
mod environment;
#[path = "../../bins/firmquote/src/file.rs"]
mod file;
#[path = "../../bins/firmquote/src/commands/credential/fuzzing.rs"]
mod fuzzing;
#[path = "../../bins/firmquote/src/instant.rs"]
mod instant;
#[path = "../../bins/firmquote/src/memory_size.rs"]
mod memory_size;
#[path = "../../bins/firmquote/src/open_files.rs"]
mod open_files;
#[path = "../../bins/firmquote/src/password.rs"]
mod password;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    config::fuzzing::accounts(data);
    fuzzing::credentials(data);
});
