//! What is written is read again, whatever a crash tears, and what is lost is on the tape.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    error::Error as _,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use firmquote_domain::{
    Address, Amount, B256, ChainId, Clock, Decimals, FirmLevels, LevelsId, ManualClock, PoolId, Price, QuoteId,
    StateId, SwapAmount, Symbol, Timestamp, TokenFlows, U256, U512, Usd, Volatility,
};
use firmquote_tape::{
    BlockRow, Change, ChangeRow, ConfigurationRow, Encoder, GapRow, LevelsRow, PriceRow, RecordedAsset,
    RecordedBalance, RecordedLevelsUse, RecordedPair, RecordedQuote, RecordedSwap, RecorderOptions, RequestOperation,
    RequestRow, Rows, SegmentFiles, StateRow, Table, TapeDirectory, TapeError, TapeRecorder, TapeWriter, read, verify,
};

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

fn batch(seconds: std::ops::Range<u32>) -> Rows {
    Rows { prices: rows(seconds), ..Rows::default() }
}

/// Records prices as they are.
struct Prices;

impl Encoder for Prices {
    type Record = Vec<PriceRow>;

    fn count(record: &Vec<PriceRow>) -> (Table, u64) {
        (Table::Prices, u64::try_from(record.len()).unwrap())
    }

    fn encode(&mut self, record: Vec<PriceRow>, rows: &mut Rows) {
        rows.prices.extend(record);
    }

    fn begin_segment(&mut self) {}
}

fn writer(path: &Path) -> TapeWriter {
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
        writer.write(&batch(second..second + 10), at(second + 10)).unwrap();
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
        first.write(&batch(second..second + 10), at(second + 10)).unwrap();
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
    first.write(&batch(0..10), at(10)).unwrap();
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
    first.write(&batch(0..10), at(10)).unwrap();
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
            let cause = error.map(|error| error.source().unwrap().to_string());
            reported.lock().unwrap().push(cause.unwrap_or_else(|| "again".to_owned()));
        })
    };
    let options = RecorderOptions { retention_seconds: None, clock: Arc::clone(&clock) as Arc<dyn Clock>, report };
    let recorder = TapeRecorder::start(TapeDirectory::open(&path).unwrap(), Prices, options).unwrap();
    let counts = recorder.counts();
    let until = |expected| while [counts.written(Table::Prices), counts.lost(Table::Prices)] != expected {};
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
    while !recorder.is_failing() {}
    fs::rename(&moved, &path).unwrap();
    clock.set(at(720));
    recorder.record(rows(715..716));
    until([8, 4]);
    while recorder.is_failing() {}
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

#[test]
fn all_tables_are_read_as_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = writer(folder.path());
    let requests = [request(0, None), request(1, Some("too_large")), signature(2)];
    let rows = Rows {
        configurations: vec![ConfigurationRow { time: at(0), hash: "cd".into(), json: "{}".into() }],
        states: vec![state(0), StateRow { assets: Vec::new(), block: None, ..state(1) }],
        levels: vec![levels(0), levels(1)],
        requests: requests.to_vec(),
        blocks: vec![block(0, None), block(1, Some(B256::repeat_byte(1)))],
        changes: vec![
            ChangeRow { time: at(0), change: Change::Start, pool: None },
            ChangeRow { time: at(1), change: Change::Pause, pool: Some(pool()) },
        ],
        ..batch(0..1)
    };
    assert!(writer.write(&rows, at(2)).unwrap());
    // Read while it is open, as far as it is written.
    let folders = [folder.path().to_owned()];
    assert_eq!(SegmentFiles::find(&folders).unwrap(), []);
    let [open] = &SegmentFiles::find_with_open(&folders).unwrap()[..] else { panic!("one segment") };
    assert_eq!(open.read::<RequestRow>().unwrap(), requests);
    assert_eq!(open.read::<GapRow>().unwrap(), []);
    writer.close().unwrap();
    // Found open, and closed since.
    assert_eq!(open.read::<BlockRow>().unwrap(), rows.blocks);
    assert_eq!(SegmentFiles::find(&folders).unwrap(), SegmentFiles::find_with_open(&folders).unwrap());
    assert_eq!(read::<BlockRow>(folder.path()).unwrap(), rows.blocks);
    assert_eq!(read::<ChangeRow>(folder.path()).unwrap(), rows.changes);
    assert_eq!(read::<StateRow>(folder.path()).unwrap(), rows.states);
    assert_eq!(read::<LevelsRow>(folder.path()).unwrap(), rows.levels);
    assert_eq!(read::<RequestRow>(folder.path()).unwrap(), requests);
    assert_eq!(read::<ConfigurationRow>(folder.path()).unwrap(), rows.configurations);
    assert_eq!(verify(folder.path()).unwrap(), 7);
}

fn block(second: u32, follows: Option<B256>) -> BlockRow {
    let balance = |asset: Option<&str>| RecordedBalance {
        token: Address::repeat_byte(3),
        asset: asset.map(|symbol| (Symbol::new(symbol).unwrap(), Decimals::new(6).unwrap())),
        balance: U256::MAX,
    };
    let swap = |is_undone| RecordedSwap {
        is_undone,
        block: u64::MAX,
        transaction: B256::repeat_byte(4),
        log_index: 7,
        input_token: Address::repeat_byte(5),
        input_amount: U256::ONE,
        output_token: Address::repeat_byte(6),
        output_amount: U256::ZERO,
    };
    BlockRow {
        time: at(second),
        pool: pool(),
        number: u64::from(second),
        hash: B256::repeat_byte(second.to_le_bytes()[0]),
        block_time: at(second),
        follows,
        pool_tokens: U256::MAX,
        balances: vec![balance(Some("USDC")), balance(None)],
        swaps: if follows.is_some() { vec![swap(false), swap(true)] } else { Vec::new() },
    }
}

fn state(second: u32) -> StateRow {
    let asset = |symbol: &str, price: Option<u64>| RecordedAsset {
        symbol: Symbol::new(symbol).unwrap(),
        reserve: Amount::new(U256::MAX),
        reserve_time: Some(at(second)),
        reserve_until: Some(at(second + 60)),
        price: price.and_then(Price::new),
        price_time: None,
        price_until: price.map(|_| at(second + 5)),
        rejection: price.is_none().then(|| "old".to_owned()),
        flows: TokenFlows { inflow: U512::from(second), outflow: U512::MAX },
    };
    StateRow {
        time: at(second),
        id: format!("{second:032x}"),
        pool: pool(),
        state_id: StateId::from_bytes([7; 16]),
        block: Some(18_000_000),
        pool_tokens: U256::MAX,
        pool_value: Usd::new(u64::MAX),
        assets: vec![asset("ETH", Some(u64::MAX)), asset("USDC", None)],
        pairs: vec![RecordedPair {
            symbols: ["ETH", "USDC"].map(|symbol| Symbol::new(symbol).unwrap()),
            volatility: Some("0.6".parse::<Volatility>().unwrap()),
            estimate: None,
        }],
        fee_increase: "20".parse().unwrap(),
        fee_adjustment: "-1.5".parse().unwrap(),
    }
}

fn levels(second: u32) -> LevelsRow {
    LevelsRow {
        time: at(second),
        levels: FirmLevels {
            id: LevelsId::from_bytes([3; 16]),
            pool: pool(),
            tokens: [Address::repeat_byte(1), Address::repeat_byte(2)],
            prices: ["2080.5".parse::<Price>().unwrap(), "0.00000001".parse::<Price>().unwrap()],
            state_id: StateId::from_bytes([7; 16]),
            fee: "8.63".parse().unwrap(),
            time_in_seconds: 60,
            knots: vec![[Amount::ONE, Amount::ONE], [Amount::MAX, Amount::MAX]],
            budget: Amount::MAX,
            valid_until: at(second + 2),
        },
    }
}

fn pool() -> PoolId {
    PoolId { chain_id: ChainId::new(1).unwrap(), address: Address::repeat_byte(9) }
}

fn request(second: u32, refusal: Option<&str>) -> RequestRow {
    let quote = RecordedQuote {
        pool: pool(),
        state_id: StateId::from_bytes([7; 16]),
        input_amount: Amount::MAX,
        output_amount: Amount::ONE,
        fee: "8.63".parse().unwrap(),
        time_in_seconds: 60,
        good_until: U256::MAX,
        value: Usd::new(1),
        levels_output: Amount::new(U256::from(2)),
    };
    RequestRow {
        time: at(second),
        duration_us: 37,
        configuration: "cd".into(),
        client: Some("acme".into()),
        operation: RequestOperation::Quote,
        chain_id: ChainId::new(1),
        input: Symbol::new("ETH").ok(),
        output: Symbol::new(RequestRow::UNLISTED).ok(),
        amount: Some(SwapAmount::ExactOutput(Amount::ONE)),
        time_in_seconds: Some(60),
        pool_address: Some(Address::repeat_byte(9)),
        levels_id: Some(LevelsId::from_bytes([3; 16])),
        states: vec![format!("{second:032x}"), "other".into()],
        refusal: refusal.map(str::to_owned),
        quote_id: refusal.is_none().then(|| QuoteId::from_bytes([1; 16])),
        quote: refusal.is_none().then_some(quote),
        levels: refusal.is_none().then_some(RecordedLevelsUse { valid_until: at(second + 2), used: U256::MAX }),
    }
}

fn signature(second: u32) -> RequestRow {
    RequestRow {
        client: None,
        operation: RequestOperation::Sign,
        chain_id: None,
        input: None,
        output: None,
        amount: None,
        time_in_seconds: None,
        pool_address: None,
        levels_id: None,
        states: Vec::new(),
        quote_id: Some(QuoteId::from_bytes([1; 16])),
        ..request(second, Some("conflict"))
    }
}
