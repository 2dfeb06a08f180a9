//! Warnings about the settings of a store: which records of signatures could be lost.

use firmquote_config::{Config, StoreConfig};
use firmquote_domain::{Clock, GoodUntilKind, PoolSpec, Timestamp};
use firmquote_outbound::error_chain;
use firmquote_store::{
    EventStream, Store as _, StoreError,
    redis::{LedgerSection, RedisConfig, RedisStore, ServerSurvey, Servers},
};

use super::connect;
use crate::Error;

/// The first version whose `SET` takes `PXAT`.
const MIN_VERSION: (u32, u32) = (6, 2);
const WEEK_SECONDS: u32 = 7 * 86_400;
/// The number of entries that the memory of the ledger is estimated from.
const LEDGER_SAMPLE: usize = 1_000;
/// The shortest time that the rate is taken from, in milliseconds.
const MIN_SAMPLE_MS: u64 = 60_000;
/// How long after it was added an entry has to be archived, in seconds.
const MAX_ARCHIVE_LAG_SECONDS: u64 = 1_800;
/// The memory of an entry beside its line, in bytes.
const ENTRY_OVERHEAD: usize = 32;
/// Maximum clock difference without a warning, in microseconds.
const CLOCK_TOLERANCE_US: u64 = 1_000_000;

/// Queries the servers of a store. An unreachable server is only a warning: the service starts without it.
///
/// # Errors
/// For certificates that cannot be used.
pub(crate) async fn inspect(config: &Config, clock: &dyn Clock) -> Result<Vec<String>, Error> {
    let relies_on_book = config.pools.iter().any(|pool| pool.pool.spec().pricing_kind() == GoodUntilKind::Plain);
    let StoreConfig::Redis(config) = &config.store else { return Ok(Vec::new()) };
    let store = connect(config).await?;
    if let Err(error) = store.ping(clock.now()).await {
        let error = error_chain(&error);
        return Ok(vec![format!("store: {error}; serve starts anyway and returns 503 until Redis responds")]);
    }
    let before = clock.now();
    let mut warnings = match store.survey().await {
        Ok(surveys) => collect_warnings(config, relies_on_book, &surveys, (before, clock.now())),
        Err(error) => {
            vec![format!("store: the settings of Redis could not be read ({})", error_chain(&error))]
        }
    };
    match archive_warning(&store, config.ledger_max_age_seconds, clock.now()).await {
        Ok(warning) => warnings.extend(warning),
        Err(error) => warnings.push(format!("store: the ledger could not be read ({})", error_chain(&error))),
    }
    Ok(warnings)
}

/// Whether a failover may lose the book of a pool whose contract checks no curve.
pub(crate) fn is_book_per_master(config: &Config, spec: &PoolSpec) -> bool {
    let StoreConfig::Redis(redis) = &config.store else { return false };
    let fails_over = matches!(redis.servers, Servers::Cluster(_) | Servers::Sentinels { .. });
    spec.pricing_kind() == GoodUntilKind::Plain && fails_over && redis.wait_replicas == 0
}

/// Warns about a ledger that is dropped within a week and that nothing archives, or whose archiver is behind.
async fn archive_warning(
    store: &RedisStore,
    max_age_seconds: u32,
    now: Timestamp,
) -> Result<Option<String>, StoreError> {
    if let Some(status) = store.archive_status().await? {
        let behind = status.first_unarchived.map(|first| now.seconds_since(first.time()));
        return Ok(behind.filter(|seconds| *seconds > MAX_ARCHIVE_LAG_SECONDS).map(|seconds| {
            format!(
                "store: the archive of the ledger is {seconds} s behind, and entries are dropped after {max_age_seconds} \
                 s: `firmquote ledger archive` has stopped"
            )
        }));
    }
    if max_age_seconds >= WEEK_SECONDS {
        return Ok(None);
    }
    let memory = match bytes_per_week(&store.section(EventStream::Ledger, None, LEDGER_SAMPLE).await?) {
        Some(bytes) => format!(", which takes about {} MiB at the present rate", bytes.div_ceil(1 << 20)),
        None => String::new(),
    };
    Ok(Some(format!(
        "store: entries of the ledger are dropped after {max_age_seconds} s and nothing archives them: run `firmquote \
         ledger archive`, or set ledger_max_age_seconds = {WEEK_SECONDS}{memory}"
    )))
}

/// Returns the memory of a week of entries, from the first ones; `None` for too few.
fn bytes_per_week(sample: &LedgerSection) -> Option<u64> {
    let [(first, _), .., (last, _)] = sample.entries.as_slice() else { return None };
    let bytes: usize = sample.entries.iter().map(|(_, line)| line.len() + ENTRY_OVERHEAD).sum();
    let milliseconds = last.ms.checked_sub(first.ms).filter(|elapsed| *elapsed >= MIN_SAMPLE_MS)?;
    Some(u64::try_from(bytes).ok()?.saturating_mul(u64::from(WEEK_SECONDS) * 1_000) / milliseconds)
}

/// Returns the warnings about the surveyed servers. `relies_on_book` is whether some pool is protected by its book
/// alone: its contract checks no price. `query_window` is the local time before and after the query.
fn collect_warnings(
    config: &RedisConfig,
    relies_on_book: bool,
    surveys: &[ServerSurvey],
    query_window: (Timestamp, Timestamp),
) -> Vec<String> {
    let fails_over = matches!(config.servers, Servers::Cluster(_) | Servers::Sentinels { .. });
    let waits_for_book = relies_on_book && fails_over && config.wait_replicas > 0;
    let mut found = Vec::new();
    for survey in surveys {
        let at = survey.address.as_ref().map_or(String::new(), |address| format!(" {address}"));
        let warnings = [
            version_warning(survey),
            topology_warning(survey, &config.servers),
            eviction_warning(survey),
            persistence_warning(survey, config.wait_aof.is_some() || config.wait_replicas > 0),
            replicas_warning(survey, config.wait_replicas),
            split_brain_warning(survey).filter(|_| waits_for_book),
            clock_warning(survey, query_window),
        ];
        found.extend(warnings.into_iter().flatten().map(|text| format!("store{at}: {text}")));
    }
    found
}

fn version_warning(survey: &ServerSurvey) -> Option<String> {
    let version = survey.version.as_deref()?;
    let mut numbers = version.split('.').map_while(|number| number.parse::<u32>().ok());
    let found = (numbers.next()?, numbers.next().unwrap_or(0));
    let (major, minor) = MIN_VERSION;
    (found < MIN_VERSION).then(|| format!("version {version} is too old to store quotes, {major}.{minor} is required"))
}

fn topology_warning(survey: &ServerSurvey, servers: &Servers) -> Option<String> {
    (survey.is_cluster_node? && !matches!(servers, Servers::Cluster(_))).then(|| {
        "it is a Cluster node and rejects commands whose keys belong to other nodes, including those of every signature; \
         set cluster = true"
            .to_owned()
    })
}

fn eviction_warning(survey: &ServerSurvey) -> Option<String> {
    let policy = survey.eviction_policy.as_deref().filter(|policy| *policy != "noeviction")?;
    Some(format!(
        "maxmemory-policy {policy} may evict live claims and records when memory is short, and a quote could then be \
         signed twice; set noeviction"
    ))
}

/// Warns about losing records of signatures in a failure. No quote is signed twice because of that: no quote outlives
/// its server.
fn persistence_warning(survey: &ServerSurvey, waits: bool) -> Option<String> {
    const LOST: &str = "signatures already returned would be missing from the store and the ledger; set appendonly yes";
    match (survey.append_only?, survey.snapshots.as_deref(), survey.append_sync.as_deref()) {
        (false, Some(""), _) => {
            Some(format!("it writes nothing to disk: a restart loses all records, pauses and the ledger; {LOST}"))
        }
        (false, Some(_), _) => Some(format!(
            "it writes snapshots only: a crash loses the records and the ledger since the last one; {LOST}"
        )),
        (false, None, _) => {
            Some(format!("it writes no append-only file: a crash may lose records and the ledger; {LOST}"))
        }
        (true, _, Some("no")) => Some(
            "appendfsync no: when the machine fails, half a minute of records and ledger entries may be lost; \
             set everysec or always"
                .to_owned(),
        ),
        (true, _, Some("everysec")) if !waits => Some(
            "appendfsync everysec: a crash may lose the ledger entries of the last seconds, for signatures \
             already sent; set always, wait_aof, or wait_replicas"
                .to_owned(),
        ),
        (true, _, None) => Some(
            "its persistence settings could not be read (CONFIG GET): with appendfsync no or everysec a crash may lose \
             records and ledger entries; permit config|get, or check the setting yourself"
                .to_owned(),
        ),
        (true, ..) => None,
    }
}

fn replicas_warning(survey: &ServerSurvey, waited_for: u32) -> Option<String> {
    let connected = survey.replicas?;
    match waited_for {
        0 if connected > 0 => Some(format!(
            "{} connected and wait_replicas is 0: a failover may lose the newest records and ledger entries of \
             signatures already sent",
            replicas_connected(connected)
        )),
        _ if waited_for > connected => Some(format!(
            "wait_replicas is {waited_for} and {} connected: no signature is returned until enough are",
            replicas_connected(connected)
        )),
        _ => None,
    }
}

/// Warns about a master that keeps accepting writes during a failover (split brain).
fn split_brain_warning(survey: &ServerSurvey) -> Option<String> {
    (survey.min_replicas_to_write? == 0).then(|| {
        "min-replicas-to-write is 0: during a failover two masters may sign the same pool, each without the outstanding swaps \
         of the other; set it to 1 or more"
            .to_owned()
    })
}

fn replicas_connected(replicas: u32) -> String {
    if replicas == 1 { format!("{replicas} replica is") } else { format!("{replicas} replicas are") }
}

fn clock_warning(survey: &ServerSurvey, (before, after): (Timestamp, Timestamp)) -> Option<String> {
    let clock = u64::try_from(survey.clock?.as_micros()).unwrap_or(u64::MAX);
    let (behind, ahead) = (before.as_micros().saturating_sub(clock), clock.saturating_sub(after.as_micros()));
    let skew_warning = |difference: u64, word| {
        let (seconds, tenths) = (difference / 1_000_000, difference % 1_000_000 / 100_000);
        format!(
            "its clock is {seconds}.{tenths} s {word} this machine's; it expires quotes by its own clock, \
             so synchronize both"
        )
    };
    match (behind > CLOCK_TOLERANCE_US, ahead > CLOCK_TOLERANCE_US) {
        (true, _) => Some(skew_warning(behind, "behind")),
        (_, true) => Some(skew_warning(ahead, "ahead of")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use firmquote_store::redis::{KeyPrefix, LedgerId, RedisAddress, TlsFiles};

    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_795_230_380);

    /// A server without any problem.
    fn healthy() -> ServerSurvey {
        ServerSurvey {
            address: None,
            version: Some("7.4.1".to_owned()),
            eviction_policy: Some("noeviction".to_owned()),
            append_only: Some(true),
            append_sync: Some("always".to_owned()),
            snapshots: Some("3600 1".to_owned()),
            is_cluster_node: Some(false),
            replicas: Some(0),
            min_replicas_to_write: Some(0),
            clock: Some(Duration::from_micros(NOW.as_micros())),
        }
    }

    fn config(waited_for: u32) -> RedisConfig {
        RedisConfig {
            servers: Servers::One(RedisAddress::parse("redis://127.0.0.1").unwrap()),
            credentials: None,
            tls: TlsFiles::default(),
            prefix: KeyPrefix::new("firmquote").unwrap(),
            timeout: Duration::from_millis(500),
            wait_replicas: waited_for,
            wait_aof: None,
            max_clock_skew: Duration::from_secs(5),
            status_retention_seconds: 0,
            ledger_max_age_seconds: 86_400,
        }
    }

    fn warnings(waited_for: u32, change: impl FnOnce(&mut ServerSurvey)) -> Vec<String> {
        let mut survey = healthy();
        change(&mut survey);
        collect_warnings(&config(waited_for), false, &[survey], (NOW, NOW.plus_seconds(1)))
    }

    #[test]
    fn healthy_servers_and_servers_without_information_cause_no_warning() {
        assert_eq!(warnings(0, |_| {}), [""; 0]);
        assert_eq!(warnings(2, |survey| *survey = ServerSurvey::default()), [""; 0]);
        let every_second = |survey: &mut ServerSurvey| {
            (survey.append_sync, survey.replicas) = (Some("everysec".to_owned()), Some(1));
        };
        assert_eq!(warnings(1, every_second), [""; 0]);
        assert_eq!(warnings(2, |survey| survey.replicas = Some(2)), [""; 0]);
    }

    #[test]
    fn servers_that_may_lose_quotes_are_reported() {
        let text = |text: &str| Some(text.to_owned());
        type Change<'c> = Box<dyn FnOnce(&mut ServerSurvey) + 'c>;
        let cases: [(u32, Change<'_>, &str); 13] = [
            (0, Box::new(|one| one.is_cluster_node = Some(true)), "it is a Cluster node and rejects"),
            (0, Box::new(|one| one.eviction_policy = text("volatile-lru")), "maxmemory-policy volatile-lru may evict"),
            (0, Box::new(|one| one.eviction_policy = text("allkeys-lfu")), "maxmemory-policy allkeys-lfu may evict"),
            (
                0,
                Box::new(|one| (one.append_only, one.snapshots) = (Some(false), text(""))),
                "it writes nothing to disk: a restart loses all records",
            ),
            (0, Box::new(|one| one.append_only = Some(false)), "it writes snapshots only: a crash loses the records"),
            (
                0,
                Box::new(|one| (one.append_only, one.snapshots) = (Some(false), None)),
                "it writes no append-only file: a crash may lose",
            ),
            (0, Box::new(|one| one.append_sync = text("no")), "appendfsync no: when the machine fails"),
            (0, Box::new(|one| one.append_sync = text("everysec")), "appendfsync everysec: a crash may lose"),
            (0, Box::new(|one| one.append_sync = None), "its persistence settings could not be read (CONFIG GET)"),
            (0, Box::new(|one| one.replicas = Some(1)), "1 replica is connected and wait_replicas is 0"),
            (2, Box::new(|one| one.replicas = Some(1)), "wait_replicas is 2 and 1 replica is connected"),
            (1, Box::new(|one| one.replicas = Some(0)), "wait_replicas is 1 and 0 replicas are connected"),
            (0, Box::new(|one| one.version = text("6.0.16")), "version 6.0.16 is too old"),
        ];
        for (waited_for, change, expected) in cases {
            let found = warnings(waited_for, change);
            assert!(found.len() == 1 && found[0].starts_with(&format!("store: {expected}")), "{expected}: {found:?}");
        }
    }

    #[test]
    fn a_master_that_goes_on_alone_is_reported_where_the_book_protects_a_pool() {
        let cluster = || Servers::Cluster(vec![RedisAddress::parse("redis://127.0.0.1").unwrap()]);
        for (servers, waited_for, relies_on_book, min_replicas, is_warned) in [
            (cluster(), 1, true, Some(0), true),
            (cluster(), 1, true, Some(1), false),
            (cluster(), 1, true, None, false),
            (cluster(), 1, false, Some(0), false),
            // Warned about as a setting of the service.
            (cluster(), 0, true, Some(0), false),
            (config(1).servers, 1, true, Some(0), false),
        ] {
            let config = RedisConfig { servers, ..config(waited_for) };
            let survey = ServerSurvey {
                min_replicas_to_write: min_replicas,
                is_cluster_node: None,
                replicas: None,
                ..healthy()
            };
            let found = collect_warnings(&config, relies_on_book, &[survey], (NOW, NOW.plus_seconds(1)));
            let is_found = found.iter().any(|text| text.contains("min-replicas-to-write is 0"));
            assert_eq!((is_found, found.len()), (is_warned, usize::from(is_warned)), "{found:?}");
        }
    }

    #[test]
    fn versions_are_compared_by_number() {
        for (version, is_warned) in
            [("6.0", true), ("5.0.14", true), ("6.2.0", false), ("6.10.1", false), ("10.0", false), ("unstable", false)]
        {
            let found = warnings(0, |survey| survey.version = Some(version.to_owned()));
            assert_eq!(!found.is_empty(), is_warned, "{version}: {found:?}");
        }
    }

    #[test]
    fn clocks_that_differ_by_more_than_a_second_are_reported() {
        // The local clock went from 0 s to 1 s during the query.
        for (millis, expected) in [
            (-1_000_i64, None),
            (-1_001, Some("its clock is 1.0 s behind this machine's")),
            (500, None),
            (2_000, None),
            (2_001, Some("its clock is 1.0 s ahead of this machine's")),
            (3_601_700, Some("its clock is 3600.7 s ahead of this machine's")),
        ] {
            let clock = Duration::from_micros(NOW.as_micros().checked_add_signed(millis * 1_000).unwrap());
            let found = warnings(0, |survey| survey.clock = Some(clock));
            match expected {
                None => assert_eq!(found, [""; 0], "{millis}"),
                Some(text) => assert!(found[0].starts_with(&format!("store: {text}")), "{millis}: {found:?}"),
            }
        }
    }

    #[test]
    fn the_memory_of_a_week_is_estimated_from_the_first_entries() {
        let section = |seconds: &[u64]| LedgerSection {
            generation: String::new(),
            read_at_ms: 0,
            first: None,
            last: None,
            entries: seconds
                .iter()
                .map(|second| (LedgerId { ms: second * 1_000, sequence: 0 }, "x".repeat(68)))
                .collect(),
        };
        // Ten entries of 100 bytes within 90 seconds.
        let every_ten_seconds: Vec<_> = (0..10).map(|number| number * 10).collect();
        assert_eq!(bytes_per_week(&section(&every_ten_seconds)), Some(1_000 * 604_800 / 90));
        assert_eq!((bytes_per_week(&section(&[])), bytes_per_week(&section(&[5]))), (None, None));
        assert_eq!(bytes_per_week(&section(&[5, 64])), None, "too short for a rate");
    }

    #[test]
    fn nodes_of_a_cluster_are_named() {
        let found = warnings(0, |survey| {
            (survey.address, survey.eviction_policy) =
                (Some("10.0.0.1:6379".to_owned()), Some("allkeys-lru".to_owned()));
        });
        assert!(found[0].starts_with("store 10.0.0.1:6379: maxmemory-policy"), "{found:?}");
    }
}
