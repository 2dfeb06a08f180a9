//! The expiry of a certificate: `notAfter` of its `validity` (RFC 5280, 4.1.2.5), parsed from its DER.
//!
//! Reported to operators, who must replace the certificate before it expires. No decision is based on it; clients check
//! it themselves.

use crate::wire::unix_seconds;

const SEQUENCE: u8 = 0x30;
const VERSION: u8 = 0xa0;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;

/// Returns the last second, in Unix time, in which the certificate is valid; `None` if the DER does not have the
/// structure of a certificate.
pub(crate) fn not_after(certificate: &[u8]) -> Option<u64> {
    let (certificate, _) = element(certificate, SEQUENCE)?;
    let (mut fields, _) = element(certificate, SEQUENCE)?;
    if fields.first() == Some(&VERSION) {
        fields = any(fields)?.2;
    }
    // Skips serial number, algorithm and issuer.
    for _ in 0..3 {
        fields = any(fields)?.2;
    }
    let (validity, _) = element(fields, SEQUENCE)?;
    let (tag, text, _) = any(any(validity)?.2)?;
    time(tag, text)
}

/// Splits off the first element of `bytes`, which must have this tag: its content, and the bytes after it.
fn element(bytes: &[u8], expected: u8) -> Option<(&[u8], &[u8])> {
    let (tag, content, rest) = any(bytes)?;
    (tag == expected).then_some((content, rest))
}

/// Splits off the first element of `bytes`: its tag, its content, and the bytes after it.
fn any(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (tag, rest) = bytes.split_first()?;
    let (first, rest) = rest.split_first()?;
    let (length, rest) = match first {
        0..=0x7f => (usize::from(*first), rest),
        // The indefinite length (0x80) is not allowed in DER.
        0x81..=0x84 => {
            let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            (digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit)), rest)
        }
        _ => return None,
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((*tag, content, rest))
}

/// Parses `YYMMDDHHMMSSZ` of the years 1950 to 2049, or `YYYYMMDDHHMMSSZ`.
fn time(tag: u8, text: &[u8]) -> Option<u64> {
    let digits = str::from_utf8(text.strip_suffix(b"Z")?).ok()?;
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    let (year, rest) = match (tag, digits.len()) {
        (UTC_TIME, 12) => {
            let (year, rest) = digits.split_at_checked(2)?;
            let year: u64 = year.parse().ok()?;
            (if year < 50 { 2_000 + year } else { 1_900 + year }, rest)
        }
        (GENERALIZED_TIME, 14) => {
            let (year, rest) = digits.split_at_checked(4)?;
            (year.parse().ok()?, rest)
        }
        _ => return None,
    };
    let mut parts = [0; 5];
    for (part, text) in parts.iter_mut().zip(rest.as_bytes().as_chunks::<2>().0) {
        *part = str::from_utf8(text).ok()?.parse().ok()?;
    }
    if is_plain { unix_seconds(year, parts) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_time_formats_are_parsed_and_others_rejected() {
        for (tag, text, expected) in [
            (UTC_TIME, "700101000000Z", Some(0)),
            (UTC_TIME, "231114221320Z", Some(1_700_000_000)),
            (GENERALIZED_TIME, "20231114221320Z", Some(1_700_000_000)),
            (GENERALIZED_TIME, "99991231235959Z", Some(253_402_300_799)),
            (UTC_TIME, "500101000000Z", None),
            (UTC_TIME, "231314221320Z", None),
            (UTC_TIME, "230014221320Z", None),
            (UTC_TIME, "20231114221320Z", None),
            (UTC_TIME, "2311142213+0Z", None),
            (UTC_TIME, "231114221320", None),
            (0x0c, "231114221320Z", None),
        ] {
            assert_eq!(time(tag, text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn lengths_beyond_the_end_are_rejected() {
        for bytes in [&[][..], &[0x30], &[0x30, 0x05, 0x30], &[0x30, 0x84, 0xff, 0xff, 0xff, 0xff], &[0x30, 0x80]] {
            assert_eq!(not_after(bytes), None, "{bytes:x?}");
        }
    }
}
