//! The forms of a report.

use firmquote_analysis::{Figures, HORIZONS, HedgeReport, Money, OptionFigures, PoolReconciliation, Report};
use serde_json::{Map, Value, json};

use super::{balances, hedges};
use crate::{
    cli::ReportFormat,
    client::display::{Align, TextTable},
};

/// Writes a report in a form, with the figures of a tape if there is one, and the balances of pools and the
/// hedges but in CSV.
pub(in crate::commands) fn render(
    report: &Report,
    pools: &[PoolReconciliation],
    hedges: &HedgeReport,
    format: ReportFormat,
    has_tape: bool,
) -> String {
    let every: &[u32] = if has_tape { &HORIZONS } else { &[] };
    match format {
        ReportFormat::Table => {
            let shown: Vec<u32> = every.iter().copied().filter(|horizon| TABLE_HORIZONS.contains(horizon)).collect();
            table(report, &shown) + &informed(report) + &balances::text(pools) + &hedges::text(hedges)
        }
        ReportFormat::Csv => csv(report, every),
        ReportFormat::Json => format!("{}\n", json(report, pools, hedges, every)),
    }
}

/// The horizons of a table, in seconds.
const TABLE_HORIZONS: [u32; 2] = [10, 60];

/// A column: its name, which has the unit, and its value, `None` where there is no ratio.
type Column = (String, Value);

/// Returns the figures in the order of the columns, with requests and the mark-outs at these horizons if there are any;
/// `money` writes an amount.
fn columns(figures: &Figures, horizons: &[u32], money: fn(&Money) -> String) -> Vec<Column> {
    let number = |number: u64| json!(number);
    let money = |amount: &Money| json!(money(amount));
    let mut columns: Vec<Column> = Vec::new();
    if !horizons.is_empty() {
        let of_tape = [
            ("requested", number(figures.requested)),
            ("quoted", number(figures.quoted)),
            ("quote_signed", number(figures.quote_signed)),
            ("hit_percent", json!(figures.hit_rate_in_percent())),
            ("refused", json!(figures.refused)),
        ];
        columns.extend(of_tape.map(|(name, value)| (name.to_owned(), value)));
    }
    let of_ledger = [
        ("signed", number(figures.signed)),
        ("signed_usd", money(&figures.signed_value)),
        ("settled", number(figures.settled)),
        ("lapsed", number(figures.lapsed)),
        ("open", number(figures.open)),
        ("unobserved", number(figures.unobserved)),
        ("fill_percent", json!(figures.fill_rate_in_percent())),
        ("executed", number(figures.executed)),
        ("executed_usd", money(&figures.executed_value)),
        ("edge_usd", money(&figures.edge)),
        ("fee_usd", money(&figures.fee)),
        ("curve_usd", money(&figures.curve())),
        ("edge_bps", json!(figures.edge_in_basis_points())),
        ("unobserved_edge_usd", money(&figures.unobserved_edge)),
    ];
    columns.extend(of_ledger.map(|(name, value)| (name.to_owned(), value)));
    if !horizons.is_empty() {
        let OptionFigures { given, missing, paid, used, not_taken } = &figures.options;
        let of_options = [
            ("options_given_usd", money(given)),
            ("options_missing", number(*missing)),
            ("options_paid_usd", money(paid)),
            ("levels_margin_usd", money(&figures.levels_margin)),
            ("breaker_fee_usd", money(&figures.breakers)),
            ("client_adjustment_usd", money(&figures.client_adjustments)),
            ("options_used_usd", money(used)),
            ("options_not_taken_usd", money(not_taken)),
        ];
        columns.extend(of_options.map(|(name, value)| (name.to_owned(), value)));
    }
    for (horizon, mark_out) in HORIZONS.iter().zip(&figures.mark_outs).filter(|(one, _)| horizons.contains(one)) {
        let [low, high] = mark_out.interval_in_basis_points().map_or([None, None], |bounds| bounds.map(Some));
        let of_horizon = [
            ("usd", money(&mark_out.value)),
            ("drift_usd", money(&mark_out.drift())),
            ("bps", json!(mark_out.in_basis_points())),
            ("bps_low", json!(low)),
            ("bps_high", json!(high)),
            ("missing", number(mark_out.missing)),
        ];
        columns.extend(of_horizon.map(|(name, value)| (format!("markout_{horizon}s_{name}"), value)));
    }
    columns
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Object(members) => {
            members.iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join("; ")
        }
        value => value.to_string(),
    }
}

fn json(report: &Report, pools: &[PoolReconciliation], hedges: &HedgeReport, horizons: &[u32]) -> Value {
    let object = |figures: &Figures| -> Map<String, Value> {
        columns(figures, horizons, Money::to_string).into_iter().collect()
    };
    let rows = report.rows.iter().map(|row| {
        let names = report.groupings.iter().zip(&row.group);
        let mut members: Map<_, _> =
            names.map(|(grouping, name)| (grouping.as_str().to_owned(), json!(name))).collect();
        members.extend(object(&row.figures));
        Value::Object(members)
    });
    json!({ "rows": rows.collect::<Vec<_>>(), "total": object(&report.total),
        "informed": report.informed_clients(),
        "pools": balances::json(pools),
        "hedges": hedges::json(hedges),
    })
}

/// Names the clients whose swaps lose value by more than chance, if there are any.
fn informed(report: &Report) -> String {
    let clients = report.informed_clients();
    let names = clients.iter().map(|name| if name.is_empty() { "-" } else { name }).collect::<Vec<_>>().join(", ");
    if clients.is_empty() { String::new() } else { format!("\ninformed: {names}\n") }
}

/// Writes RFC 4180, without the total: a spreadsheet adds up itself.
fn csv(report: &Report, horizons: &[u32]) -> String {
    let figures = |figures: &Figures| columns(figures, horizons, Money::to_string);
    let groupings = report.groupings.iter().map(|grouping| grouping.as_str().to_owned());
    let header: Vec<_> = groupings.chain(figures(&report.total).into_iter().map(|(name, _)| name)).collect();
    let rows = report.rows.iter().map(|row| {
        let names = row.group.iter().map(|name| cell(name));
        names.chain(figures(&row.figures).iter().map(|(_, value)| text(value))).collect::<Vec<_>>().join(",")
    });
    std::iter::once(header.join(",")).chain(rows).map(|line| line + "\r\n").collect()
}

/// Writes a name, which a client may have chosen: a spreadsheet must not take it for a formula.
fn cell(name: &str) -> String {
    let name = if name.starts_with(['=', '+', '-', '@']) { format!("'{name}") } else { name.to_owned() };
    if name.contains(['"', ',', '\r', '\n']) { format!("\"{}\"", name.replace('"', "\"\"")) } else { name }
}

/// Writes aligned columns and the total.
fn table(report: &Report, horizons: &[u32]) -> String {
    let groupings = report.groupings.iter().map(|grouping| grouping.as_str().to_owned());
    let figures =
        |figures: &Figures| columns(figures, horizons, Money::to_cents).into_iter().map(|(_, value)| text(&value));
    let header = groupings.chain(columns(&report.total, horizons, Money::to_cents).into_iter().map(|(name, _)| name));
    let names = report.groupings.len();
    let figure_columns = columns(&report.total, horizons, Money::to_cents).len();
    let mut table = TextTable::new([vec![Align::Left; names], vec![Align::Right; figure_columns]].concat());
    table.row(header);
    for row in report.rows.iter().filter(|_| names > 0) {
        let group = row.group.iter().map(|name| if name.is_empty() { "-".to_owned() } else { name.clone() });
        table.row(group.chain(figures(&row.figures)));
    }
    let label = (0..names).map(|column| if column == 0 { "total".to_owned() } else { String::new() });
    table.row(label.chain(figures(&report.total)));
    table.to_string()
}
