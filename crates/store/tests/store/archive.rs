//! The archive of a ledger file, as an embedding program uses it.

use std::{fs, path::Path};

use firmquote_store::archive::{Archive, ArchiveError, ArchiveGap, ArchiveWarning, FileArchiver};

/// Midnight between two days, in Unix microseconds.
const MIDNIGHT_US: u64 = 1_795_219_200_000_000;

fn entry(time_us: u64) -> String {
    format!("{{\"event\":\"lapsed\",\"recorded_at_us\":{time_us}}}\n")
}

/// Archives all that is in `ledger`; returns what was reported.
///
/// A test opens its archive once: a process that another test starts holds the lock for a moment, until it closes what it
/// inherits.
fn archive_ledger(ledger: &Path, archive: &mut Archive, accept_gap: bool) -> Result<Vec<ArchiveWarning>, ArchiveError> {
    let mut notes = Vec::new();
    let mut archiver = FileArchiver::open(ledger, archive, accept_gap, &mut |note| notes.push(note))?;
    while archiver.archive_new(&mut |note| notes.push(note))? {}
    Ok(notes)
}

#[test]
fn entries_are_archived_once_by_day_and_a_gap_is_refused_until_it_is_accepted() {
    let directory = tempfile::tempdir().unwrap();
    let [ledger, kept] = ["signed.jsonl", "kept"].map(|name| directory.path().join(name));
    let [evening, night] = [entry(MIDNIGHT_US - 1), entry(MIDNIGHT_US)];
    fs::write(&ledger, format!("{evening}torn\n{night}")).unwrap();
    let mut archive = Archive::open(&kept).unwrap();
    assert_eq!(archive_ledger(&ledger, &mut archive, false).unwrap(), [ArchiveWarning::InvalidLines(1)]);
    assert_eq!(archive_ledger(&ledger, &mut archive, false).unwrap(), []);
    let day = |name: &str| fs::read_to_string(kept.join(name)).unwrap();
    assert_eq!((day("2026-11-20.jsonl"), day("2026-11-21.jsonl")), (evening, night.clone()));

    let later = entry(MIDNIGHT_US + 1);
    let elsewhere = directory.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::rename(&ledger, elsewhere.join("signed.jsonl")).unwrap();
    fs::write(&ledger, &later).unwrap();
    let gap = ArchiveGap::File { path: ledger.clone() };
    assert!(matches!(archive_ledger(&ledger, &mut archive, false), Err(ArchiveError::Gap(refused)) if refused == gap));
    assert_eq!(archive_ledger(&ledger, &mut archive, true).unwrap(), [ArchiveWarning::Gap(gap)]);
    assert_eq!(day("2026-11-21.jsonl"), night + &later);
}

#[test]
fn the_archive_of_another_kind_of_ledger_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let [ledger, kept] = ["signed.jsonl", "kept"].map(|name| directory.path().join(name));
    fs::write(&ledger, entry(MIDNIGHT_US)).unwrap();
    let mut archive = Archive::open(&kept).unwrap();
    for cursor in [r#"{"generation":"1","id":"0-0","complete_at_ms":0}"#, r#"{"position":"1:2"}"#] {
        fs::write(kept.join("cursor.json"), cursor).unwrap();
        assert!(
            matches!(archive_ledger(&ledger, &mut archive, true), Err(ArchiveError::OtherLedger { .. })),
            "{cursor}"
        );
    }
}
