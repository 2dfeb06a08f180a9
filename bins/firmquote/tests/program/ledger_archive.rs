//! `firmquote ledger archive` copies every entry once into daily files, whatever is interrupted.

use std::{
    fs::{self, OpenOptions},
    io::Write as _,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use firmquote_test_servers::redis::{Options, Server};
use reqwest::Client;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    program::{CONFIG, Ended, Lines, Serving, TEST_TIMEOUT, configured, directory, run},
    store::MEMORY,
};

/// The last second of 2026-11-20.
const MIDNIGHT: u64 = 1_795_219_199;
const FILE: &str = "[store]\nledger_file = \"signed.jsonl\"\n";

fn entry(second: u64) -> String {
    json!({ "quote_id": second, "signed_at_us": second * 1_000_000 }).to_string()
}

fn entries(seconds: impl IntoIterator<Item = u64>) -> String {
    seconds.into_iter().map(|second| entry(second) + "\n").collect()
}

fn archive(directory: &TempDir, config: &str, arguments: &[&str]) -> Command {
    configured(directory, &[&["ledger", "archive", "kept"], arguments].concat(), config)
}

/// Archives what there is.
fn archived(directory: &TempDir, config: &str) -> Ended {
    let ended = run(archive(directory, config, &[]));
    assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(0), ""), "{}", ended.stderr);
    ended
}

fn day(directory: &TempDir, name: &str) -> String {
    fs::read_to_string(directory.path().join("kept").join(name)).unwrap_or_default()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_file_is_archived_by_day_and_continued() {
    let directory = directory();
    let ledger = directory.path().join("signed.jsonl");
    fs::write(&ledger, entries(MIDNIGHT - 2..MIDNIGHT + 3)).unwrap();
    for _ in 0..2 {
        assert_eq!(archived(&directory, FILE).stderr, "");
        assert_eq!(day(&directory, "2026-11-20.jsonl"), entries(MIDNIGHT - 2..=MIDNIGHT));
        assert_eq!(day(&directory, "2026-11-21.jsonl"), entries(MIDNIGHT + 1..MIDNIGHT + 3));
    }
    let kept = directory.path().join("kept");
    assert_eq!(
        (mode(&kept), mode(&kept.join("2026-11-20.jsonl")), mode(&kept.join("cursor.json"))),
        (0o700, 0o600, 0o600)
    );
    let mut writer = OpenOptions::new().append(true).open(&ledger).unwrap();
    write!(writer, "torn\n{}{}", entries([MIDNIGHT + 3]), &entry(MIDNIGHT + 4)[..20]).unwrap();
    assert_eq!(archived(&directory, FILE).stderr, "note: left out 1 invalid lines, possibly left by a crash\n");
    assert_eq!(day(&directory, "2026-11-21.jsonl"), entries(MIDNIGHT + 1..MIDNIGHT + 4));
}

#[test]
fn a_rotated_file_that_repeats_entries_is_archived_once() {
    let directory = directory();
    let ledger = directory.path().join("signed.jsonl");
    fs::write(&ledger, entries(MIDNIGHT - 5..MIDNIGHT)).unwrap();
    archived(&directory, FILE);
    fs::rename(&ledger, directory.path().join("old.jsonl")).unwrap();
    fs::write(&ledger, entries(MIDNIGHT - 2..=MIDNIGHT)).unwrap();
    archived(&directory, FILE);
    assert_eq!(day(&directory, "2026-11-20.jsonl"), entries(MIDNIGHT - 5..=MIDNIGHT));
}

#[test]
fn what_was_added_before_a_rotation_is_archived_after_it() {
    let directory = directory();
    let ledger = directory.path().join("signed.jsonl");
    fs::write(&ledger, entries(MIDNIGHT - 9..MIDNIGHT - 6)).unwrap();
    archived(&directory, FILE);
    let mut writer = OpenOptions::new().append(true).open(&ledger).unwrap();
    write!(writer, "{}", entries(MIDNIGHT - 6..MIDNIGHT - 4)).unwrap();
    fs::rename(&ledger, directory.path().join("signed.jsonl.1")).unwrap();
    fs::write(&ledger, entries([MIDNIGHT - 4])).unwrap();
    archived(&directory, FILE);
    assert_eq!(day(&directory, "2026-11-20.jsonl"), entries(MIDNIGHT - 9..MIDNIGHT - 3));
    // The next one is taken elsewhere.
    fs::create_dir(directory.path().join("away")).unwrap();
    fs::rename(&ledger, directory.path().join("away/signed.jsonl")).unwrap();
    fs::write(&ledger, entries([MIDNIGHT - 1])).unwrap();
    let gap = "the file that was archived last is neither signed.jsonl nor beside it";
    let advice = "entries in between may be missing. --accept-gap continues with what is there";
    let ended = run(archive(&directory, FILE, &[]));
    assert_eq!((ended.status.code(), ended.stderr), (Some(1), format!("error: {gap}: {advice}\n")));
    let ended = run(archive(&directory, FILE, &["--accept-gap"]));
    assert_eq!((ended.status.code(), ended.stderr), (Some(0), format!("note: {gap}: continuing\n")));
    assert!(day(&directory, "2026-11-20.jsonl").ends_with(&entries([MIDNIGHT - 1])));
}

#[test]
fn a_rotated_file_is_followed_as_long_as_the_service_writes_it() {
    let directory = directory();
    let ledger = directory.path().join("signed.jsonl");
    let mut writer = OpenOptions::new().append(true).create(true).open(&ledger).unwrap();
    writer.lock().unwrap();
    write!(writer, "{}", entries([MIDNIGHT - 5])).unwrap();
    let _following = Lines::start(archive(&directory, FILE, &["--follow"]));
    wait_for(|| day(&directory, "2026-11-20.jsonl") == entries([MIDNIGHT - 5]));
    fs::rename(&ledger, directory.path().join("signed.jsonl.1")).unwrap();
    fs::write(&ledger, entries([MIDNIGHT - 1])).unwrap();
    write!(writer, "{}", entries([MIDNIGHT - 4])).unwrap();
    wait_for(|| day(&directory, "2026-11-20.jsonl") == entries(MIDNIGHT - 5..MIDNIGHT - 3));
    write!(writer, "{}", entries([MIDNIGHT - 3])).unwrap();
    drop(writer);
    let expected = entries(MIDNIGHT - 5..MIDNIGHT - 2) + &entries([MIDNIGHT - 1]);
    wait_for(|| day(&directory, "2026-11-20.jsonl") == expected);
}

#[test]
fn lines_that_were_replaced_are_archived() {
    let directory = directory();
    let ledger = directory.path().join("signed.jsonl");
    fs::write(&ledger, entries(MIDNIGHT - 9..MIDNIGHT - 6)).unwrap();
    archived(&directory, FILE);
    // The last line could not be synced, and others took its place.
    let length = u64::try_from(entries(MIDNIGHT - 9..MIDNIGHT - 7).len()).unwrap();
    let mut writer = OpenOptions::new().append(true).open(&ledger).unwrap();
    writer.set_len(length).unwrap();
    write!(writer, "{}", entries(MIDNIGHT - 5..MIDNIGHT - 3)).unwrap();
    archived(&directory, FILE);
    let expected = entries(MIDNIGHT - 9..MIDNIGHT - 6) + &entries(MIDNIGHT - 5..MIDNIGHT - 3);
    assert_eq!(day(&directory, "2026-11-20.jsonl"), expected);
}

#[test]
fn an_archiver_waits_for_room_on_the_disk() {
    let directory = directory();
    fs::write(directory.path().join("signed.jsonl"), entries([MIDNIGHT - 1])).unwrap();
    let obstacle = directory.path().join("kept/2026-11-20.jsonl");
    fs::create_dir_all(&obstacle).unwrap();
    let ended = run(archive(&directory, FILE, &[]));
    assert_eq!(ended.status.code(), Some(1));
    let _following = Lines::start(archive(&directory, FILE, &["--follow"]));
    // It has tried once, or tries later: both have to succeed.
    fs::remove_dir(&obstacle).unwrap();
    wait_for(|| day(&directory, "2026-11-20.jsonl") == entries([MIDNIGHT - 1]));
}

#[test]
fn what_a_crash_left_beyond_the_cursor_is_not_written_again() {
    let directory = directory();
    let ledger = directory.path().join("signed.jsonl");
    let kept = directory.path().join("kept");
    fs::write(&ledger, entries(MIDNIGHT - 9..MIDNIGHT - 6)).unwrap();
    archived(&directory, FILE);
    let cursor = fs::read(kept.join("cursor.json")).unwrap();
    fs::write(&ledger, entries(MIDNIGHT - 9..MIDNIGHT)).unwrap();
    archived(&directory, FILE);
    // The machine failed before the cursor was written, and within the last line.
    fs::write(kept.join("cursor.json"), cursor).unwrap();
    let file = OpenOptions::new().write(true).open(kept.join("2026-11-20.jsonl")).unwrap();
    file.set_len(file.metadata().unwrap().len() - 5).unwrap();
    archived(&directory, FILE);
    assert_eq!(day(&directory, "2026-11-20.jsonl"), entries(MIDNIGHT - 9..MIDNIGHT));
}

#[test]
fn one_process_archives_in_a_directory() {
    let directory = directory();
    fs::write(directory.path().join("signed.jsonl"), entries([MIDNIGHT])).unwrap();
    let _following = Lines::start(archive(&directory, FILE, &["--follow"]));
    wait_for(|| day(&directory, "2026-11-20.jsonl") == entries([MIDNIGHT]));
    let ended = run(archive(&directory, FILE, &[]));
    assert_eq!(ended.stderr, "error: kept: another process archives there\n");
}

fn wait_for(is_done: impl Fn() -> bool) {
    let started = Instant::now();
    while !is_done() {
        assert!(started.elapsed() < TEST_TIMEOUT);
        thread::sleep(Duration::from_millis(10));
    }
}

/// A Redis with a ledger, and a configuration with it.
struct Redis {
    server: Server,
    config: String,
}

impl Redis {
    fn start(max_age_seconds: u64) -> Self {
        let server = Server::start(Options::default());
        let config = format!(
            "[store]\nkind = \"redis\"\nurl = \"{}\"\nledger_max_age_seconds = {max_age_seconds}\n",
            server.url()
        );
        Self { server, config }
    }

    /// Adds entries with ids of these seconds.
    fn add(&self, seconds: impl IntoIterator<Item = u64>) {
        self.add_to("signed", seconds);
    }

    /// Adds them to the stream of this name.
    fn add_to(&self, stream: &str, seconds: impl IntoIterator<Item = u64>) {
        for second in seconds {
            let id = format!("{}-0", second * 1_000);
            self.server.command(&["XADD", &format!("firmquote:{stream}"), &id, "entry", &entry(second)]);
        }
    }

    fn reported(&self) -> String {
        self.server.command(&["HGET", "firmquote:archive", "archived"]).trim().to_owned()
    }
}

#[test]
fn redis_is_archived_by_day_and_followed() {
    let (directory, redis) = (directory(), Redis::start(86_400));
    redis.add(MIDNIGHT - 2..MIDNIGHT + 3);
    archived(&directory, &redis.config);
    assert_eq!(day(&directory, "2026-11-20.jsonl"), entries(MIDNIGHT - 2..=MIDNIGHT));
    assert_eq!(day(&directory, "2026-11-21.jsonl"), entries(MIDNIGHT + 1..MIDNIGHT + 3));
    assert_eq!(redis.reported(), format!("{}-0", (MIDNIGHT + 2) * 1_000));
    let _following = Lines::start(archive(&directory, &redis.config, &["--follow"]));
    redis.add(MIDNIGHT + 3..MIDNIGHT + 1_500);
    let all = entries(MIDNIGHT + 1..MIDNIGHT + 1_500);
    wait_for(|| day(&directory, "2026-11-21.jsonl").len() == all.len());
    assert_eq!(day(&directory, "2026-11-21.jsonl"), all);
}

#[test]
fn the_operators_stream_is_archived_beside_the_ledger() {
    let (directory, mut redis) = (directory(), Redis::start(86_400));
    redis.add([MIDNIGHT]);
    redis.add_to("operator", MIDNIGHT - 1..MIDNIGHT + 1);
    for _ in 0..2 {
        archived(&directory, &redis.config);
        assert_eq!(day(&directory, "2026-11-20.jsonl"), entries([MIDNIGHT]));
        assert_eq!(day(&directory, "operator/2026-11-20.jsonl"), entries(MIDNIGHT - 1..=MIDNIGHT));
    }
    redis.server.restart();
    redis.add([MIDNIGHT]);
    redis.add_to("operator", MIDNIGHT - 1..MIDNIGHT + 2);
    let again = "note: another server or history of Redis: reading the last ten minutes of";
    let ended = archived(&directory, &redis.config);
    assert_eq!(ended.stderr, format!("{again} the ledger again\n{again} the operator's stream again\n"));
    assert_eq!(day(&directory, "operator/2026-11-20.jsonl"), entries(MIDNIGHT - 1..=MIDNIGHT));
    assert_eq!(day(&directory, "operator/2026-11-21.jsonl"), entries([MIDNIGHT + 1]));

    let (directory, operator) = (crate::program::directory(), "operator.jsonl");
    let write = |name: &str, seconds| fs::write(directory.path().join(name), entries(seconds)).unwrap();
    write("signed.jsonl", MIDNIGHT..MIDNIGHT + 1);
    archived(&directory, FILE);
    write(operator, MIDNIGHT - 3..MIDNIGHT);
    archived(&directory, FILE);
    write(operator, MIDNIGHT - 3..MIDNIGHT + 1);
    archived(&directory, FILE);
    assert_eq!(day(&directory, "2026-11-20.jsonl"), entries([MIDNIGHT]));
    assert_eq!(day(&directory, "operator/2026-11-20.jsonl"), entries(MIDNIGHT - 3..=MIDNIGHT));
}

#[test]
fn another_history_is_read_again_from_ten_minutes_before() {
    let (directory, mut redis) = (directory(), Redis::start(86_400));
    let start = MIDNIGHT - 3_600;
    redis.add([start, start + 1_000, start + 2_000]);
    archived(&directory, &redis.config);
    redis.server.shut_down();
    redis.server.restart();
    // The new history has what the old one lost.
    redis.server.command(&["DEL", "firmquote:signed"]);
    redis.add([start, start + 1_000, start + 1_900, start + 2_000, start + 2_100]);
    let ended = archived(&directory, &redis.config);
    assert_eq!(
        ended.stderr,
        "note: another server or history of Redis: reading the last ten minutes of the ledger again\n"
    );
    let mut lines: Vec<Value> =
        day(&directory, "2026-11-20.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    lines.sort_by_key(|line| line["quote_id"].as_u64());
    let ids: Vec<_> = lines.iter().map(|line| line["quote_id"].as_u64().unwrap() - start).collect();
    assert_eq!(ids, [0, 1_000, 1_900, 2_000, 2_100]);
    assert_eq!(archived(&directory, &redis.config).stderr, "");
}

#[test]
fn a_ledger_whose_ids_went_back_is_read_again() {
    let (directory, redis) = (directory(), Redis::start(86_400));
    let ahead = MIDNIGHT + 3_600;
    redis.add([ahead]);
    archived(&directory, &redis.config);
    redis.server.command(&["DEL", "firmquote:signed"]);
    redis.add(MIDNIGHT + 1..MIDNIGHT + 4);
    let [last, first] = [MIDNIGHT + 3, ahead].map(|second| format!("{}-0", second * 1_000));
    let expected = format!("note: the ledger ends at {last}, before {first}: reading all of it again\n");
    assert_eq!(archived(&directory, &redis.config).stderr, expected);
    assert_eq!(day(&directory, "2026-11-21.jsonl"), entries([ahead]) + &entries(MIDNIGHT + 1..MIDNIGHT + 4));
    assert_eq!((archived(&directory, &redis.config).stderr, redis.reported()), (String::new(), last));
}

#[test]
fn entries_of_the_same_content_are_archived_as_often_as_they_are_there() {
    let (directory, mut redis) = (directory(), Redis::start(86_400));
    for number in 0..3 {
        let id = format!("{}-{number}", MIDNIGHT * 1_000);
        redis.server.command(&["XADD", "firmquote:signed", &id, "entry", &entry(MIDNIGHT)]);
    }
    archived(&directory, &redis.config);
    redis.server.shut_down();
    redis.server.restart();
    redis.server.command(&["DEL", "firmquote:signed"]);
    redis.add([MIDNIGHT]);
    redis.add([MIDNIGHT + 1]);
    archived(&directory, &redis.config);
    assert_eq!(day(&directory, "2026-11-20.jsonl"), entries([MIDNIGHT; 3]));
    assert_eq!(day(&directory, "2026-11-21.jsonl"), entries([MIDNIGHT + 1]));
}

#[test]
fn entries_that_redis_dropped_are_reported() {
    let (directory, redis) = (directory(), Redis::start(60));
    let now: u64 = redis.server.command(&["TIME"]).split_whitespace().next().unwrap().parse().unwrap();
    redis.add([now - 500]);
    archived(&directory, &redis.config);
    // Days later, the archiver has missed entries that Redis dropped when it added one.
    let later = now + 200_000;
    redis.add([now + 100, later]);
    redis.server.command(&["XTRIM", "firmquote:signed", "MINID", &format!("{}-0", (later - 60) * 1_000)]);
    let [first, last] = [later, now - 500].map(|second| format!("{}-0", second * 1_000));
    let gap = format!("the ledger begins at {first}, after {last}, the last archived entry");
    let ended = run(archive(&directory, &redis.config, &[]));
    let error = format!("error: {gap}: entries in between may be missing. --accept-gap continues with what is there\n");
    assert_eq!((ended.status.code(), ended.stderr), (Some(1), error));
    let ended = run(archive(&directory, &redis.config, &["--accept-gap"]));
    assert_eq!((ended.status.code(), ended.stderr), (Some(0), format!("note: {gap}: continuing\n")));
    assert_eq!(archived(&directory, &redis.config).stderr, "");
    assert_eq!(redis.reported(), first);
}

#[test]
fn entries_that_were_archived_before_redis_dropped_them_are_not_missed() {
    let (directory, redis) = (directory(), Redis::start(60));
    let now: u64 = redis.server.command(&["TIME"]).split_whitespace().next().unwrap().parse().unwrap();
    redis.add([now - 500]);
    archived(&directory, &redis.config);
    redis.add([now]);
    redis.server.command(&["XTRIM", "firmquote:signed", "MINID", &format!("{}-0", (now - 60) * 1_000)]);
    assert_eq!(archived(&directory, &redis.config).stderr, "");
}

#[test]
fn an_archiver_that_is_killed_at_any_time_archives_each_entry_once() {
    let (directory, redis) = (directory(), Redis::start(86_400));
    let start = MIDNIGHT - 50_000;
    for round in 0..8 {
        let following = Lines::start(archive(&directory, &redis.config, &["--follow"]));
        let first = start + round * 40;
        redis.add(first..first + 40);
        wait_for(|| day(&directory, "2026-11-20.jsonl").contains(&entry(first)));
        // SIGKILL.
        drop(following);
    }
    archived(&directory, &redis.config);
    assert_eq!(day(&directory, "2026-11-20.jsonl"), entries(start..start + 320));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_exports_how_far_the_archive_is_behind() {
    let (directory, redis) = (directory(), Redis::start(86_400));
    redis.add([MIDNIGHT]);
    archived(&directory, &redis.config);
    redis.add([MIDNIGHT + 1]);
    let store = redis.config.split_once('\n').unwrap().1;
    let serving = Serving::start(configured(&directory, &["serve"], &CONFIG.replace(MEMORY, store)));
    let client = Client::builder().no_proxy().build().unwrap();
    let lag = async || {
        let page = client.get(format!("http://{}/metrics", serving.admin)).send().await.unwrap().text().await.unwrap();
        let line = page.lines().find_map(|line| line.strip_prefix("firmquote_ledger_archive_lag_seconds "))?;
        line.parse::<f64>().ok()
    };
    let started = Instant::now();
    let found = loop {
        match lag().await {
            Some(lag) => break lag,
            None => assert!(started.elapsed() < TEST_TIMEOUT),
        }
    };
    let added = UNIX_EPOCH + Duration::from_secs(MIDNIGHT + 1);
    let age = SystemTime::now().duration_since(added).map_or(0.0, |age| age.as_secs_f64());
    assert!(found <= age && found > age - 60.0, "{found} {age}");
}
