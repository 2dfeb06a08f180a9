//! Feeds what fuzzing kept to the functions that it was kept for. Part of the unit tests of each crate that is fuzzed.

use std::{fs, path::Path};

/// Feeds every file of the corpus of `target`, in the order of their names.
pub(crate) fn replay(target: &str, feed: fn(&[u8])) {
    let corpus = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus")).join(target);
    let mut files: Vec<_> = fs::read_dir(&corpus).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", corpus.display());
    for file in files {
        // Shown with a test that fails: the last one is the file.
        println!("{}", file.display());
        feed(&fs::read(file).unwrap());
    }
}
