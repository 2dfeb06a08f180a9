//! A tape of a simulated storm is replayed without a difference; each change of it is found.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "other tests need the rest")]
mod support;

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use firmquote_analysis::{ReplayError, ReplayReport, SimulationResult, replay};
use firmquote_domain::Price;
use firmquote_tape::{RequestOperation, RequestRow, Rows, SegmentFiles, StateRow, TapeDirectory, TapeWriter};
use support::storm;

const SECONDS: usize = 3_000;

async fn recorded(directory: &Path) -> SimulationResult {
    storm(SECONDS, 7, Some(directory.to_owned())).run().await.unwrap()
}

/// Writes the tape in `from` again, as `change` leaves it.
fn rewritten(from: &Path, change: impl Fn(&mut Rows)) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = TapeWriter::new(Arc::new(TapeDirectory::open(folder.path()).unwrap())).unwrap();
    for segment in SegmentFiles::find(&[from.to_owned()]).unwrap() {
        let mut rows = Rows {
            configurations: segment.read().unwrap(),
            states: segment.read().unwrap(),
            requests: segment.read().unwrap(),
            ..Rows::default()
        };
        change(&mut rows);
        writer.write(&rows, segment.begun_at()).unwrap();
        writer.close().unwrap();
    }
    folder
}

fn replayed(path: &Path) -> ReplayReport {
    replay(&[PathBuf::from(path)]).unwrap()
}

#[tokio::test]
async fn every_result_of_a_storm_is_equal_and_each_change_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let result = recorded(folder.path()).await;
    let tape = folder.path().join("tape");
    let whole = replayed(&tape);
    assert_eq!((whole.equal, whole.differences.len()), (whole.recomputed, 0), "{whole:?}");
    assert!(whole.recomputed > 1_500 && whole.requests - whole.recomputed < whole.requests / 10, "{whole:?}");
    let rows: Vec<RequestRow> = firmquote_tape::read(&tape).unwrap();
    let has = |operation, refusal: Option<&str>| {
        rows.iter().any(|row| row.operation == operation && row.refusal.as_deref() == refusal)
    };
    for (operation, refusal) in [
        (RequestOperation::Quote, None),
        (RequestOperation::Quote, Some("too_small")),
        (RequestOperation::Quote, Some("trade_limit")),
        (RequestOperation::Requote, None),
        (RequestOperation::Sign, None),
        (RequestOperation::Sign, Some("price")),
    ] {
        assert!(has(operation, refusal), "{operation:?} {refusal:?}");
    }
    let states: Vec<StateRow> = firmquote_tape::read(&tape).unwrap();
    assert!(states.iter().any(|state| state.assets.iter().any(|asset| !asset.flows.outflow.is_zero())));
    assert!(result.days[0].executed > 50, "{:?}", result.days);

    // A price that is one step higher: exactly the requests on this state.
    let target =
        states.iter().find(|state| rows.iter().filter(|row| row.states.contains(&state.id)).count() > 2).unwrap();
    let changed = rewritten(&tape, |rows| {
        for state in rows.states.iter_mut().filter(|state| state.id == target.id) {
            let price = state.assets[0].price.unwrap();
            state.assets[0].price = Price::new(price.steps() + 1);
        }
    });
    let report = replayed(changed.path());
    assert!(!report.differences.is_empty());
    assert!(report.differences.iter().all(|difference| difference.request.states.contains(&target.id)), "{report:?}");

    // A base fee that is 0.01 basis points higher: the served quotes of this pair.
    let dearer = rewritten(&tape, |rows| {
        for configuration in &mut rows.configurations {
            configuration.json = configuration.json.replace(r#""base_fee_bps":"5""#, r#""base_fee_bps":"5.01""#);
        }
    });
    let report = replayed(dearer.path());
    let of_pair = |row: &&RequestRow| {
        let names = [&row.input, &row.output].map(|symbol| symbol.as_ref().map_or("", |symbol| symbol.as_str()));
        row.quote.is_some() && names.contains(&"ETH")
    };
    let quoted = rows.iter().filter(of_pair).count();
    let fees = |difference: &firmquote_analysis::Difference| difference.difference.contains("fee_bps");
    assert_eq!(report.recomputed - report.equal, u64::try_from(quoted).unwrap());
    assert!(report.differences.iter().all(fees), "{:?}", report.differences[0]);

    // A quote whose output is one base unit lower.
    let index = rows.iter().position(|row| row.quote.is_some()).unwrap();
    let id = rows[index].quote_id;
    let lower = rewritten(&tape, |rows| {
        for row in rows.requests.iter_mut().filter(|row| row.quote_id == id && row.operation == RequestOperation::Quote)
        {
            let quote = row.quote.as_mut().unwrap();
            quote.output_amount = quote.output_amount.checked_sub("1".parse().unwrap()).unwrap();
        }
    });
    let report = replayed(lower.path());
    assert_eq!((report.recomputed - report.equal, report.differences[0].request.quote_id), (1, id));
    let expected = rows[index].quote.as_ref().unwrap().output_amount;
    assert!(report.differences[0].difference.ends_with(&format!(", now {expected}")), "{report:?}");

    // A state that is missing.
    let torn = rewritten(&tape, |rows| rows.states.clear());
    assert!(matches!(replay(&[torn.path().to_owned()]), Err(ReplayError::Dangling { .. })));
    // The quotes of a signature on the tape of another replica.
    let split = rewritten(&tape, |rows| rows.requests.retain(|row| row.operation != RequestOperation::Sign));
    let signatures = rewritten(&tape, |rows| rows.requests.retain(|row| row.operation == RequestOperation::Sign));
    let both = replay(&[signatures.path().to_owned(), split.path().to_owned()]).unwrap();
    assert_eq!((both.equal, both.recomputed, both.requests), (whole.equal, whole.recomputed, whole.requests));
    fs::remove_dir_all(&tape).unwrap();
}

#[tokio::test]
async fn the_same_seed_gives_the_same_swaps() {
    let run = |seed| async move { storm(600, seed, None).run().await.unwrap().digest };
    let (one, same, other) = (run(1).await, run(1).await, run(2).await);
    assert_eq!(one, same);
    assert_ne!(one, other);
}
