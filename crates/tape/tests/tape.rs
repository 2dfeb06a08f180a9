//! What is written is read again, whatever a crash tears, and what is lost is on the tape.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use firmquote_domain::{Clock, ManualClock, Price, Symbol, Timestamp};
use firmquote_tape::{GapRow, PriceRow, TapeDirectory, TapeError, TapeRecorder, TapeWriter, read, verify};

const START: u32 = 1_795_219_200;

fn at(second: u32) -> Timestamp {
    Timestamp::from_seconds(START + second)
}

fn row(second: u32, symbol: &str) -> PriceRow {
    PriceRow {
        time: at(second),
        symbol: Symbol::new(symbol).unwrap(),
        source: (second % 2 == 1).then(|| "binance".to_owned()),
        price: (second % 3 != 2).then(|| Price::new(u64::from(second) * 100_000_007 + 1).unwrap()),
        observed_at: (second % 5 != 4).then(|| at(second)),
        rejection: (second % 3 == 2).then(|| "old".to_owned()),
    }
}

fn rows(seconds: std::ops::Range<u32>) -> Vec<PriceRow> {
    seconds.map(|second| row(second, "ETH")).collect()
}

fn writer(path: &Path) -> TapeWriter<PriceRow> {
    TapeWriter::new(Arc::new(TapeDirectory::open(path).unwrap())).unwrap()
}

fn files(path: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<_> = entries.filter(|path| path.extension().is_some_and(|found| found == extension)).collect();
    found.sort();
    found
}

#[test]
fn rows_are_read_as_written_from_segments_of_ten_minutes() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = writer(folder.path());
    for second in (0..2_000).step_by(10) {
        writer.write(&rows(second..second + 10), at(second + 10)).unwrap();
    }
    assert_eq!((files(folder.path(), "arrow").len(), files(folder.path(), "part").len()), (3, 1));
    assert_eq!(read::<PriceRow>(folder.path()).unwrap(), rows(0..1_830), "closed segments");
    writer.close().unwrap();
    assert_eq!(read::<PriceRow>(folder.path()).unwrap(), rows(0..2_000));
    assert_eq!(verify(folder.path()).unwrap(), 4);
    assert!(read::<GapRow>(folder.path()).unwrap().is_empty());
}

#[test]
fn whole_batches_survive_a_crash_at_any_byte() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = writer(folder.path());
    for second in [0, 10, 20] {
        first.write(&rows(second..second + 10), at(second + 10)).unwrap();
    }
    let [part] = files(folder.path(), "part").try_into().unwrap();
    let written = fs::read(&part).unwrap();
    drop(first);
    let mut found = Vec::new();
    // Every 23rd, for the time that syncing takes.
    for length in (0..=written.len()).rev().step_by(23) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(part.file_name().unwrap()), &written[..length]).unwrap();
        drop(writer(folder.path()));
        let kept = read::<PriceRow>(folder.path()).unwrap();
        assert_eq!(kept, rows(0..u32::try_from(kept.len()).unwrap()), "{length} bytes");
        assert_eq!(verify(folder.path()).unwrap(), usize::from(!kept.is_empty()));
        assert_eq!(files(folder.path(), "part").len(), 0);
        found.push(kept.len());
    }
    assert!(found.is_sorted_by(|one, other| one >= other));
    found.dedup();
    assert_eq!(found, [30, 20, 10, 0]);
    let manifest = || fs::read_to_string(folder.path().join("manifest.jsonl")).unwrap();
    drop(writer(folder.path()));
    assert!(manifest().contains("\"rows\":30") && manifest().contains("\"torn\":true"), "{}", manifest());
}

#[test]
fn a_segment_that_a_crash_left_out_of_the_manifest_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = writer(folder.path());
    first.write(&rows(0..10), at(10)).unwrap();
    first.close().unwrap();
    drop(first);
    let manifest = folder.path().join("manifest.jsonl");
    let whole = fs::read_to_string(&manifest).unwrap();
    for torn in [0, 10, whole.len() - 1] {
        fs::write(&manifest, &whole[..torn]).unwrap();
        drop(writer(folder.path()));
        assert_eq!(verify(folder.path()).unwrap(), 1, "{torn} bytes");
        let text = fs::read_to_string(&manifest).unwrap();
        assert_eq!(text.lines().last(), whole.lines().last());
    }
}

#[test]
fn changed_files_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = writer(folder.path());
    first.write(&rows(0..10), at(10)).unwrap();
    first.close().unwrap();
    let [segment] = files(folder.path(), "arrow").try_into().unwrap();
    let mut bytes = fs::read(&segment).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&segment, bytes).unwrap();
    let error = verify(folder.path()).unwrap_err().to_string();
    assert_eq!(error, format!("{}: its contents are not those that were written", segment.display()));
    fs::rename(&segment, segment.with_file_name("prices-1.arrow")).unwrap();
    assert!(verify(folder.path()).unwrap_err().to_string().ends_with("prices-1.arrow: not in the manifest"));
    assert!(matches!(TapeDirectory::open(folder.path()), Err(TapeError::InUse { .. })));
}

#[test]
fn what_is_lost_is_counted_and_stands_on_the_tape_as_a_gap() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tape");
    let clock = Arc::new(ManualClock::at(at(0)));
    let reported: Arc<Mutex<Vec<String>>> = Arc::default();
    let report = {
        let reported = Arc::clone(&reported);
        Box::new(move |error: Option<&TapeError>| {
            reported.lock().unwrap().push(error.map_or_else(|| "again".to_owned(), ToString::to_string));
        })
    };
    let recorder =
        TapeRecorder::start(TapeDirectory::open(&path).unwrap(), None, Arc::clone(&clock) as Arc<dyn Clock>, report);
    let recorder = recorder.unwrap();
    let counts = recorder.counts();
    let until = |expected| while [counts.written(), counts.lost()] != expected {};
    clock.set(at(10));
    recorder.record(rows(0..5));
    until([5, 0]);
    // The segment is closed, and there is no place for another one.
    clock.set(at(700));
    recorder.record(rows(10..12));
    until([7, 0]);
    let moved = folder.path().join("moved");
    fs::rename(&path, &moved).unwrap();
    clock.set(at(710));
    recorder.record(rows(705..709));
    until([7, 4]);
    fs::rename(&moved, &path).unwrap();
    clock.set(at(720));
    recorder.record(rows(715..716));
    until([8, 4]);
    drop(recorder);
    let expected: Vec<_> = [rows(0..5), rows(10..12), rows(715..716)].concat();
    assert_eq!(read::<PriceRow>(&path).unwrap(), expected);
    assert_eq!(
        read::<GapRow>(&path).unwrap(),
        [GapRow { from: at(710), to: at(710), table: "prices".into(), rows: 4 }]
    );
    let reported = reported.lock().unwrap();
    assert!(reported.len() == 2 && reported[0].contains("No such file") && reported[1] == "again", "{reported:?}");
}
