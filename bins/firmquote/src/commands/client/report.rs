//! The report of `firmquote verify`: every check, the decoded call, the verdict.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use firmquote_domain::{Timestamp, is_lapsed};
use firmquote_verify::{Check, QuotedSwap, VerificationResult};
use serde::Serialize;

use crate::client::{
    PoolNames,
    call::Call,
    document::Document,
    failure::EXIT_TEMPORARY,
    text_table::{Align, TextTable},
    time_format,
};

/// The verification report of one document.
#[derive(Debug)]
pub(super) struct Report {
    subject: String,
    pub(super) checks: Vec<Check>,
    pub(super) call: Option<Call>,
}

/// The report as JSON.
#[derive(Serialize)]
struct ReportJson<'r> {
    verdict: VerificationResult,
    subject: &'r str,
    checks: &'r [Check],
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<&'r Call>,
}

impl Report {
    /// Creates a report without checks; `now` decides whether the swap has expired.
    pub(super) fn about(swap: &QuotedSwap, document: &Document, names: PoolNames<'_>, now: Timestamp) -> Self {
        let what = if document.signed.is_some() { "signed swap" } else { "quote" };
        let give = names.amount(swap.input.0, swap.input.1);
        let get = names.amount(swap.output.0, swap.output.1);
        let until = document.good_until().map(|until| {
            let passed = if is_lapsed(until, now) { ", which has passed" } else { "" };
            format!(", valid on chain until {}{passed}", time_format::utc(until))
        });
        let until = until.unwrap_or_default();
        let to = document.signed.as_ref().map(|signed| format!(", to {}", signed.destination_address));
        let to = to.unwrap_or_default();
        Self { subject: format!("{what}: give {give}, get {get}{to}{until}"), checks: Vec::new(), call: None }
    }

    /// Returns the overall result of all checks.
    fn result(&self) -> VerificationResult {
        VerificationResult::from_checks(&self.checks)
    }

    /// Returns 0 if verified, 1 if a check differs, 3 if the result is inconclusive and may change later or with more
    /// data.
    pub(super) fn exit_code(&self) -> ExitCode {
        match self.result() {
            VerificationResult::Verified => ExitCode::SUCCESS,
            VerificationResult::Differs => ExitCode::FAILURE,
            VerificationResult::Undecided | VerificationResult::Moved => EXIT_TEMPORARY.into(),
        }
    }

    /// Writes the report as text, or as one line of JSON.
    pub(super) fn write(&self, out: &mut impl Write, is_json: bool) -> io::Result<()> {
        if is_json {
            let Self { subject, checks, call } = self;
            let json = ReportJson { verdict: self.result(), subject, checks, call: call.as_ref() };
            serde_json::to_writer(&mut *out, &json)?;
            writeln!(out)?;
        } else {
            self.write_text(out)?;
        }
        out.flush()
    }

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}\n", self.subject)?;
        for check in &self.checks {
            writeln!(out, "{:<10} {:<10} {}", check.status.word(), check.check, check.says)?;
            for difference in &check.differences {
                writeln!(out, "{:21} {} is {}, expected: {}", "", difference.of, difference.is, difference.expected)?;
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
        let verdict = match self.result() {
            VerificationResult::Verified => "verified: all checks passed",
            VerificationResult::Undecided => "undecided: no check failed, but some could not be decided",
            VerificationResult::Moved => "moved: no check failed, but the pool's prices differ from those of the quote",
            VerificationResult::Differs => "DIFFERS: do not rely on it",
        };
        writeln!(out, "\n{verdict}")
    }
}
