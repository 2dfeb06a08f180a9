//! Parsers of comma-separated lists, each bounded in length. The first invalid item is reported, with its position.

use firmquote_domain::Amount;
use utoipa::openapi::schema::ObjectBuilder;

use super::{
    RawInput, ValueError,
    field::{Kind, Read},
    values::{self, out_of_range, pattern, text},
};
use crate::events::event_kind;

/// The maximum number of amounts, and of numbers of seconds, in a list.
const MAX_AMOUNTS: usize = 32;
const MAX_TIMES: usize = 8;

/// Parses up to [`MAX_AMOUNTS`] amounts separated by commas.
fn amounts(received: &RawInput<'_>) -> Result<Vec<Amount>, ValueError> {
    const COUNT: ValueError = out_of_range("Input should be 1 to 32 amounts separated by commas");
    list(received, MAX_AMOUNTS, COUNT, values::AMOUNT.read)
}

pub(super) const AMOUNTS: Kind<Read<Vec<Amount>>> = Kind { read: amounts, schema: || integers(MAX_AMOUNTS) };

/// The maximum number of pairs in a list.
const MAX_PAIRS: usize = 256;

/// Parses up to [`MAX_PAIRS`] pairs, each of two symbols joined by a hyphen. The desk checks whether they are traded.
fn pairs(received: &RawInput<'_>) -> Result<Vec<String>, ValueError> {
    const COUNT: ValueError = out_of_range("Input should be 1 to 256 pairs separated by commas");
    const SHAPE: ValueError = out_of_range("Input should be two symbols joined by a hyphen, such as ETH-USDC");
    let pair = |received: &RawInput<'_>| {
        let pair = text(received)?.into_owned();
        if pair.trim_matches('-').contains('-') { Ok(pair) } else { Err(SHAPE) }
    };
    list(received, MAX_PAIRS, COUNT, pair)
}

pub(super) const PAIRS: Kind<Read<Vec<String>>> = Kind { read: pairs, schema: || pattern("^[!-~]+-[!-~]+$") };

/// The maximum number of kinds of events in a list.
const MAX_KINDS: usize = 16;

/// Parses kinds of events separated by commas.
fn event_kinds(received: &RawInput<'_>) -> Result<Vec<&'static str>, ValueError> {
    const KIND: ValueError =
        out_of_range("Input should be kinds of events separated by commas, such as signed,settled");
    let kind = |received: &RawInput<'_>| {
        let name = text(received)?;
        event_kind(&name).ok_or(KIND)
    };
    list(received, MAX_KINDS, KIND, kind)
}

pub(super) const EVENT_KINDS: Kind<Read<Vec<&'static str>>> =
    Kind { read: event_kinds, schema: || pattern("^[a-z]+(,[a-z]+)*$") };

/// Parses up to [`MAX_TIMES`] numbers of seconds separated by commas.
fn times(received: &RawInput<'_>) -> Result<Vec<u32>, ValueError> {
    const COUNT: ValueError = out_of_range("Input should be 1 to 8 numbers of seconds separated by commas");
    list(received, MAX_TIMES, COUNT, values::SECONDS.read)
}

pub(super) const TIMES: Kind<Read<Vec<u32>>> = Kind { read: times, schema: || integers(MAX_TIMES) };

/// The schema of up to `max_items` positive integers, leading zeros allowed.
fn integers(max_items: usize) -> ObjectBuilder {
    pattern(format!("^0*[1-9][0-9]*(,0*[1-9][0-9]*){{0,{}}}$", max_items - 1))
}

fn list<T>(
    received: &RawInput<'_>,
    max_items: usize,
    count: ValueError,
    parse: impl Fn(&RawInput<'_>) -> Result<T, ValueError>,
) -> Result<Vec<T>, ValueError> {
    let text = text(received)?;
    let items = text.split(',');
    if items.clone().nth(max_items).is_some() {
        return Err(count);
    }
    let parse_at = |(position, item): (usize, &str)| {
        let parsed = parse(&RawInput::Text(item.into()));
        parsed.map_err(|error| ValueError { position: Some(position), ..error })
    };
    items.enumerate().map(parse_at).collect()
}

#[cfg(test)]
mod tests {
    use super::{
        super::{InvalidKind, inputs, values::NOT_AN_INTEGER},
        *,
    };

    #[test]
    fn the_largest_number_of_items_is_documented() {
        let long = |item: &str, count: usize| RawInput::Text(vec![item; count].join(",").into());
        let refused = [
            (&inputs::AMOUNTS.field, MAX_AMOUNTS, amounts(&long("1", MAX_AMOUNTS + 1)).err()),
            (&inputs::TIMES.field, MAX_TIMES, times(&long("1", MAX_TIMES + 1)).err()),
            (&inputs::PAIRS.field, MAX_PAIRS, pairs(&long("A-B", MAX_PAIRS + 1)).err()),
        ];
        for (field, max, error) in refused {
            let stated = format!("1 to {max} ");
            assert!(field.meaning.starts_with(&stated), "{}", field.meaning);
            assert!(error.is_some_and(|error| error.message.contains(&stated)), "{}", field.name);
        }
    }

    #[test]
    fn lists_are_comma_separated_and_bounded() {
        let units = |amounts: Vec<Amount>| amounts.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let text = |text: &str| RawInput::Text(text.to_owned().into());
        assert_eq!(amounts(&text("1,007,3")).map(units), Ok("1 7 3".to_owned()));
        assert_eq!(times(&text("15")), Ok(vec![15]));
        let malformed = [("", 0), (",", 0), ("1,", 1), ("1, 2", 1), ("1;2", 0), ("1,-2", 1), ("1,,2", 1)];
        for (malformed, position) in malformed {
            let error = ValueError { position: Some(position), ..NOT_AN_INTEGER };
            assert_eq!(amounts(&text(malformed)).map(units), Err(error), "{malformed}");
        }
        let long = |count: usize| vec!["1"; count].join(",");
        let kind = |error: ValueError| error.kind;
        assert_eq!(amounts(&text(&long(MAX_AMOUNTS))).map(|list| list.len()), Ok(MAX_AMOUNTS));
        assert_eq!(amounts(&text(&long(MAX_AMOUNTS + 1))).map_err(kind).map(units), Err(InvalidKind::OutOfRange));
        assert_eq!(times(&text(&long(MAX_TIMES))).map(|list| list.len()), Ok(MAX_TIMES));
        assert_eq!(times(&text(&long(MAX_TIMES + 1))).map_err(kind), Err(InvalidKind::OutOfRange));
        assert_eq!(times(&text("60,0")).map_err(kind), Err(InvalidKind::OutOfRange));
    }
}
