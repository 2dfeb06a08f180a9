//! The reasons of refusals in the clients and in docs/errors.md, which are made from the list of the interface.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use std::{fmt::Write as _, fs, path::Path};

use firmquote_api::{Reaction, Reason};

#[test]
fn every_table_of_reasons_is_that_of_the_interface() {
    follow("bindings/typescript/src/errors/reasons.ts", |_| typescript());
    follow("bindings/python/src/firmquote/errors/reasons.py", |_| python());
    follow("docs/errors.md", |page| {
        let (before, rest) = page.split_once(BEGIN).unwrap();
        let (_, after) = rest.split_once(END).unwrap();
        format!("{before}{BEGIN}\n{}\n{END}{after}", markdown())
    });
}

/// The marks around the table in docs/errors.md.
const BEGIN: &str = "<!-- reasons -->";
const END: &str = "<!-- end of reasons -->";

/// Compares a file with what it should be, or writes it.
fn follow(path: &str, expected: impl FnOnce(&str) -> String) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    let current = fs::read_to_string(&file).unwrap_or_default();
    let expected = expected(&current);
    if std::env::var_os("FIRMQUOTE_RECORD_OPENAPI").is_some() {
        fs::write(&file, &expected).unwrap();
    }
    assert!(fs::read_to_string(&file).unwrap() == expected, "{path}: record it with FIRMQUOTE_RECORD_OPENAPI=1");
}

fn typescript() -> String {
    let mut text = "/** Made from the list of reasons of the service, `Reason` of `firmquote-api`. */\n\n\
        export type ReasonReaction = 'retry' | 'retry_if_told' | 'requote' | 'give_up'\n\n\
        /** What to do about each reason. */\n\
        export const REACTIONS_BY_REASON = {\n"
        .to_owned();
    for reason in Reason::ALL {
        writeln!(text, "  /** {} */\n  {}: '{}',", reason.meaning(), reason.name(), reason.reaction().name()).unwrap();
    }
    text += "} as const satisfies Record<string, ReasonReaction>\n\n\
        /** Why a request is refused. */\n\
        export type Reason = keyof typeof REACTIONS_BY_REASON\n";
    for (name, about, is_one) in groups() {
        let names = Reason::ALL.iter().copied().filter(|reason| is_one(*reason));
        let names: Vec<_> = names.map(|reason| format!("'{}'", reason.name())).collect();
        let one_line = format!("export const {name}: readonly string[] = [{}]", names.join(", "));
        let many_lines = format!("export const {name}: readonly string[] = [\n  {},\n]", names.join(",\n  "));
        let list = if one_line.len() <= 120 { one_line } else { many_lines };
        writeln!(text, "\n/** {about}. */\n{list}").unwrap();
    }
    text
}

fn python() -> String {
    let mut text = "\"\"\"Made from the list of reasons of the service, `Reason` of `firmquote-api`.\"\"\"\n\n\
        from __future__ import annotations\n\n\
        from typing import Final, Literal\n\n\
        ReasonReaction = Literal[\"retry\", \"retry_if_told\", \"requote\", \"give_up\"]\n\n\
        REACTIONS_BY_REASON: Final[dict[str, ReasonReaction]] = {\n"
        .to_owned();
    for reason in Reason::ALL {
        writeln!(text, "    # {}\n    \"{}\": \"{}\",", reason.meaning(), reason.name(), reason.reaction().name())
            .unwrap();
    }
    text += "}\n\"\"\"What to do about each reason.\"\"\"\n";
    for (name, about, is_one) in groups() {
        let names = Reason::ALL.iter().copied().filter(|reason| is_one(*reason));
        let names: Vec<_> = names.map(|reason| format!("        \"{}\",\n", reason.name())).collect();
        write!(text, "\n{name}: Final = frozenset(\n    {{\n{}    }}\n)\n\"\"\"{about}.\"\"\"\n", names.concat())
            .unwrap();
    }
    text
}

/// A name, what it is, and which reasons it has.
type Group = (&'static str, &'static str, fn(Reason) -> bool);

/// The sets of reasons that the clients have a class for.
fn groups() -> [Group; 2] {
    [
        ("CONFLICT_REASONS", "What moved since the quote was made", Reason::is_conflict),
        ("LEVELS_REASONS", "Why levels do not hold for a request that names them", Reason::is_about_levels),
    ]
}

fn markdown() -> String {
    let mut text =
        "\n| `reason` | HTTP | `errorType` | `errorCode` | what happened | what to do |\n|---|---|---|---|---|---|\n"
            .to_owned();
    for reason in Reason::ALL {
        let ((status, error_type), code) = (reason.status(), reason.code());
        let (name, error_type, meaning) = (reason.name(), error_type.name(), reason.meaning());
        let code = code.map(|code| code.to_string()).unwrap_or_default();
        let reaction = match reason.reaction() {
            Reaction::Retry => "retry",
            Reaction::RetryIfTold => "retry, if there is a `retry_after_ms`",
            Reaction::Requote => "requote",
            Reaction::GiveUp => "",
        };
        writeln!(text, "| `{name}` | {status} | `{error_type}` | {code} | {meaning} | {reaction} |").unwrap();
    }
    text
}
