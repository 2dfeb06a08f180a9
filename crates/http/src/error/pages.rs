//! The HTML pages that explain each kind of invalid input. They load no resources and contain nothing from the request.

use std::fmt::Write;

use strum::VariantArray as _;

use crate::input::InvalidKind;

/// Returns the page that lists all kinds of invalid input.
pub(crate) fn index() -> String {
    let mut list = String::new();
    for kind in InvalidKind::VARIANTS {
        let name = kind.name();
        // Writing to a `String` never fails.
        let _ = write!(list, "<li><a href=\"errors/{name}\">{name}</a></li>");
    }
    page(
        "Invalid inputs",
        &format!("<p>Each invalid input in an error response has one of these types.</p><ul>{list}</ul>"),
    )
}

/// Returns the page about the kind called `name`, or `None` if no such kind exists.
pub(crate) fn about(name: &str) -> Option<String> {
    let kind = InvalidKind::VARIANTS.iter().find(|kind| kind.name() == name)?;
    Some(page(kind.name(), &format!("<p>{}</p><p><a href=\"../errors\">All types</a></p>", explanation(*kind))))
}

fn page(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title></head>\
         <body><h1>{title}</h1>{body}</body></html>"
    )
}

const fn explanation(kind: InvalidKind) -> &'static str {
    match kind {
        InvalidKind::Missing => "The input is required but missing. A <code>null</code> counts as missing.",
        InvalidKind::IntParsing => {
            "The input must be an integer: in a body a JSON integer of any size or decimal digits in a string, in a \
             query decimal digits. Signs, exponents, fractions, hex and blanks are not accepted."
        }
        InvalidKind::DecimalParsing => {
            "The input must be a plain decimal number, such as 12 or 0.345, in a JSON number or a string. Signs, \
             exponents, blanks and separators are not accepted."
        }
        InvalidKind::ListType => "The input must be a JSON array.",
        InvalidKind::ObjectType => "The input must be a JSON object without duplicate members.",
        InvalidKind::StringType => "The input must be a JSON string.",
        InvalidKind::BoolType => {
            "The input must be <code>true</code> or <code>false</code>: a JSON literal in a body, the word in a query."
        }
        InvalidKind::UuidParsing => {
            "The input must be a UUID, 8-4-4-4-12 hex digits: the <code>id</code> of a quote as returned."
        }
        InvalidKind::AddressParsing => {
            "The input must be an address: <code>0x</code> and 40 hex digits, all in one case or in mixed case with \
             a correct EIP-55 checksum."
        }
        InvalidKind::HexBytes => {
            "The input must be hex digits: for <code>aux_data</code> <code>0x</code> and 64 of them, for \
             <code>state_id</code> and <code>levels_id</code> 32 without <code>0x</code>."
        }
        InvalidKind::OutOfRange => {
            "The input is well-formed, but its value is not allowed. The message names the allowed values."
        }
        InvalidKind::MutuallyExclusive => {
            "The inputs exclude each other: <code>input_amount</code> and <code>output_amount</code>, \
             <code>native_input</code> and <code>native_output</code>, a repeated query parameter, or two \
             prices of the same asset."
        }
        InvalidKind::OneRequired => {
            "One of the inputs is required and none was given: <code>input_amount</code> or \
             <code>output_amount</code>."
        }
        InvalidKind::UnknownInput => {
            "The operation has no input of this name, and the request is <code>strict</code>. Without that, such inputs are \
             ignored."
        }
        InvalidKind::JsonInvalid => "The body must be a single JSON object in UTF-8 without duplicate members.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_type_has_exactly_one_page() {
        for kind in InvalidKind::VARIANTS {
            assert!(about(kind.name()).unwrap().contains(kind.name()));
            assert!(index().contains(kind.name()));
        }
        assert!(about("<script>").is_none());
    }
}
