//! Writes a tape of made-up prices: `cargo run -p firmquote-tape --example sample -- DIRECTORY`.

use std::{env, error::Error, path::PathBuf, sync::Arc};

use firmquote_domain::{Price, Symbol, Timestamp};
use firmquote_tape::{GapRow, PriceRow, Rows, TapeDirectory, TapeWriter};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).map(PathBuf::from).ok_or("usage: sample DIRECTORY")?;
    let mut tape = TapeWriter::new(Arc::new(TapeDirectory::open(&path)?))?;
    // Half an hour before and after midnight, in batches of a minute.
    let start = 1_795_219_200 - 1_800;
    for minute in 0..60 {
        let seconds = (minute * 60)..(minute * 60 + 60);
        let rows = seconds.map(|second| rows(start + second, second)).collect::<Result<Vec<_>, _>>()?.concat();
        let rows = Rows { prices: rows, ..Rows::default() };
        tape.write(&rows, Timestamp::from_seconds(start + minute * 60 + 60))?;
    }
    let (from, to) = (Timestamp::from_seconds(start + 900), Timestamp::from_seconds(start + 901));
    let gap = GapRow { from, to, table: "prices".to_owned(), rows: 2 };
    tape.write(&Rows { gaps: vec![gap], ..Rows::default() }, Timestamp::from_seconds(start + 3_600))?;
    tape.close()?;
    Ok(())
}

/// Returns the composite price of an asset and that of its source, which is too old every hundredth second.
fn rows(unix_seconds: u32, number: u32) -> Result<Vec<PriceRow>, Box<dyn Error>> {
    let time = Timestamp::from_seconds(unix_seconds);
    let price = Price::from_decimal(&format!("{}.{:02}", 2_000 + number / 100, number % 100))?;
    let symbol = Symbol::new("ETH")?;
    let is_old = number % 100 == 99;
    let row = |source: Option<&str>| PriceRow {
        time,
        symbol: symbol.clone(),
        source: source.map(str::to_owned),
        price: (source.is_some() || !is_old).then_some(price),
        observed_at: Some(time),
        rejection: is_old.then(|| "old".to_owned()),
    };
    Ok(vec![row(None), row(Some("binance"))])
}
