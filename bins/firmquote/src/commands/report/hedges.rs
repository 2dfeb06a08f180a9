//! Hedges in a report: what they and the swaps left of each asset.

use firmquote_analysis::HedgeReport;
use serde_json::{Value, json};

/// Returns the members; `null` without hedges.
pub(super) fn json(report: &HedgeReport) -> Value {
    if report.hedges == 0 {
        return Value::Null;
    }
    let assets = report.assets.iter().map(|(name, flows)| {
        json!({"asset": name, "swapped": flows.swapped(), "hedged": flows.hedged(), "net": flows.net()})
    });
    json!({
        "hedges": report.hedges,
        "fee_usd": report.fees.to_string(),
        "net_usd": report.net_value.as_ref().map(ToString::to_string),
        "assets": assets.collect::<Vec<_>>(),
    })
}

/// Writes a line for each asset, and one for all of them; nothing without hedges.
pub(super) fn text(report: &HedgeReport) -> String {
    if report.hedges == 0 {
        return String::new();
    }
    let assets = report.assets.iter().map(|(name, flows)| {
        format!("{name}: swapped {}, hedged {}, net {}\n", flows.swapped(), flows.hedged(), flows.net())
    });
    let net = report.net_value.as_ref().map_or_else(
        || format!("unknown, without a price of {} on a tape", report.unpriced.join(", ")),
        |net| net.to_cents(),
    );
    let heading = format!("\n{} hedges, in whole units\n", report.hedges);
    let total = format!("USD: fees {}, net {net}\n", report.fees.to_cents());
    [heading].into_iter().chain(assets).chain([total]).collect()
}
