//! The report of `firmquote verify`: every check, the decoded call, the verdict.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use firmquote_domain::{Timestamp, is_lapsed};
use firmquote_verify::{Check, PricedSwap, PublishedPool, TokenAmount, VerificationResult};
use serde::Serialize;

use crate::client::{
    DerivedAmount,
    call::Call,
    display::{self, Align, TextTable},
    document::Document,
    failure::EXIT_TEMPORARY,
};

/// The verification report of one document.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) verdict: VerificationResult,
    pub(super) subject: String,
    pub(super) checks: Vec<Check>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) call: Option<Call>,
}

/// Describes the swap of a document; `now` decides whether it has expired.
pub(super) fn subject(swap: &PricedSwap, document: &Document, pools: &[PublishedPool], now: Timestamp) -> String {
    let kind = if document.signed.is_some() { "signed swap" } else { "quote" };
    let amount = |amount: TokenAmount| match DerivedAmount::new(amount, pools) {
        Some(amount) => amount.to_string(),
        None => format!("{} base units of {}", amount.amount, amount.token),
    };
    let until = document.good_until().map(|until| {
        let passed = if is_lapsed(until, now) { ", which has passed" } else { "" };
        format!(", valid on chain until {}{passed}", display::utc(until))
    });
    let to = document.signed.as_ref().map(|signed| format!(", to {}", signed.destination_address));
    let (until, to) = (until.unwrap_or_default(), to.unwrap_or_default());
    format!("{kind}: give {}, get {}{to}{until}", amount(swap.input), amount(swap.output))
}

impl Report {
    /// Returns 0 if verified, 1 if a check differs, 3 if the result is inconclusive and may change later or with more
    /// data.
    pub(super) fn exit_code(&self) -> ExitCode {
        match self.verdict {
            VerificationResult::Verified => ExitCode::SUCCESS,
            VerificationResult::Differs => ExitCode::FAILURE,
            VerificationResult::Undecided | VerificationResult::Moved => EXIT_TEMPORARY.into(),
        }
    }

    /// Writes the report as text, or as one line of JSON.
    pub(super) fn write(&self, out: &mut impl Write, is_json: bool) -> io::Result<()> {
        if is_json {
            serde_json::to_writer(&mut *out, self)?;
            writeln!(out)?;
        } else {
            self.write_text(out)?;
        }
        out.flush()
    }

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}\n", self.subject)?;
        for check in &self.checks {
            writeln!(out, "{:<10} {:<10} {}", check.status.word(), check.check, check.message)?;
            for difference in &check.differences {
                writeln!(
                    out,
                    "{:21} {} is {}, expected: {}",
                    "", difference.field, difference.actual, difference.expected
                )?;
            }
        }
        if let Some(call) = &self.call {
            writeln!(out, "\nthe calldata calls {}, with a value of {} wei:\n", call.function, call.value)?;
            let mut table = TextTable::new([Align::Left, Align::Left, Align::Left]);
            for argument in &call.arguments {
                table.row([argument.name, &argument.value, &argument.meaning]);
            }
            write!(out, "{table}")?;
        }
        let verdict = match self.verdict {
            VerificationResult::Verified => "verified: all checks passed",
            VerificationResult::Undecided => "undecided: no check failed, but some could not be decided",
            VerificationResult::Moved => "moved: no check failed, but the pool's prices differ from those of the quote",
            VerificationResult::Differs => "DIFFERS: do not rely on it",
        };
        writeln!(out, "\n{verdict}")
    }
}
