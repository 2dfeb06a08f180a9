//! Replays the corpora of the fuzz targets.
#![doc = include_str!("../README.md")]
#![expect(
    clippy::panic,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a corpus that cannot be read is a failed test, and its output is captured"
)]

use std::{fs, path::Path};

/// Feeds every file of the corpus of `target` to `feed`, in the order of their names.
///
/// # Panics
/// When `feed` does, and when there is no such corpus or nothing in it.
pub fn replay(target: &str, feed: impl Fn(&[u8])) {
    let corpus = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus")).join(target);
    let entries = fs::read_dir(&corpus).unwrap_or_else(|error| panic!("{}: {error}", corpus.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry of the corpus").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", corpus.display());
    for file in files {
        // Shown with a test that fails: the last one is the file.
        println!("{}", file.display());
        feed(&fs::read(file).expect("a file of the corpus"));
    }
}
