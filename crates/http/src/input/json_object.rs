//! Extracts the accepted members of a JSON object, with their values unchanged.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};

use super::{Field, RawInput, shorten};

/// The members of a JSON object.
#[derive(Debug, Default)]
pub(super) struct Members<'a> {
    /// The accepted ones with their values, in the order received.
    pub(super) values: Vec<(&'static Field, RawInput<'a>)>,
    /// The name of the first other one.
    pub(super) unknown: Option<Box<str>>,
}

/// Returns the members of a body.
///
/// Values are borrowed as written, so integers keep all their digits. Other members are skipped without recursion, so
/// nesting costs no stack.
///
/// # Errors
/// A description when the body is not a single JSON object in UTF-8, or contains an accepted member twice.
pub(super) fn members<'a>(body: &'a [u8], accepted: &[&'static Field]) -> Result<Members<'a>, String> {
    let text = std::str::from_utf8(body).map_err(|_| "the body is not UTF-8".to_owned())?;
    // serde_json would include the string in its error, however long.
    if !text.trim_start().starts_with('{') {
        return Err("the body is not a JSON object".to_owned());
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let members = reader.deserialize_map(Accepted(accepted)).map_err(|error| error.to_string())?;
    reader.end().map_err(|error| error.to_string())?;
    Ok(members)
}

struct Accepted<'f>(&'f [&'static Field]);

impl<'de> Visitor<'de> for Accepted<'_> {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Members { values: Vec::with_capacity(self.0.len()), unknown: None };
        while let Some(name) = map.next_key_seed(Name { accepted: self.0, unknown: &mut members.unknown })? {
            let Some(field) = name else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            if members.values.iter().any(|(earlier, _)| *earlier == field) {
                return Err(A::Error::custom(format_args!("duplicate member `{}`", field.name)));
            }
            members.values.push((field, RawInput::Json(map.next_value()?)));
        }
        Ok(members)
    }
}

/// Reads a member name, unescaped, and looks up its field; remembers the first one without.
struct Name<'f> {
    accepted: &'f [&'static Field],
    unknown: &'f mut Option<Box<str>>,
}

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = Option<&'static Field>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = Option<&'static Field>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        let field = Field::from_name(name, self.accepted);
        if field.is_none() {
            self.unknown.get_or_insert_with(|| shorten(name).into());
        }
        Ok(field)
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{CHAIN_ID, INPUT_AMOUNT},
        *,
    };

    const ACCEPTED: &[&Field] = &[&CHAIN_ID.field, &INPUT_AMOUNT.field];

    #[test]
    fn values_keep_their_original_text() {
        let body = br#" {"input_amount" : 115792089237316195423570985008687907853, "x": [[{}]], "chain\u005fid":1e5} "#;
        let members = members(body, ACCEPTED).unwrap();
        assert_eq!(members.unknown.as_deref(), Some("x"));
        let members: Vec<_> =
            members.values.iter().map(|(field, value)| (*field, value.as_number_text().unwrap())).collect();
        let written = [(&INPUT_AMOUNT.field, "115792089237316195423570985008687907853"), (&CHAIN_ID.field, "1e5")];
        assert_eq!(members, written.map(|(field, text)| (field, text.into())));
    }

    #[test]
    fn anything_but_one_object_is_rejected() {
        let nested = format!("{{\"x\":{}}}", "[".repeat(16_000));
        for body in ["", "[]", "\"a\"", "null", "{", "{}{}", "{} x", "{\"chain_id\":01}", "{'chain_id':1}", &nested] {
            assert!(members(body.as_bytes(), ACCEPTED).is_err(), "{body}");
        }
        assert!(members(b"{\"chain_id\":\"\xff\"}", ACCEPTED).is_err());
        assert!(members(b"\xef\xbb\xbf{}", ACCEPTED).is_err());
    }

    #[test]
    fn errors_do_not_echo_the_input() {
        let secret = "secret".repeat(100);
        for body in [format!("\"{secret}\""), format!("{{\"{secret}\"}}"), format!("{{}}\"{secret}\"")] {
            let why = members(body.as_bytes(), ACCEPTED).unwrap_err();
            assert!(!why.contains("secret") && why.len() < 100, "{why}");
        }
    }

    #[test]
    fn duplicate_members_are_rejected_however_escaped() {
        for body in [r#"{"chain_id":1,"chain_id":1}"#, r#"{"chain_id":null,"chain\u005fid":1}"#] {
            assert!(members(body.as_bytes(), ACCEPTED).unwrap_err().contains("duplicate member `chain_id`"));
        }
        assert!(members(br#"{"other":1,"other":1}"#, ACCEPTED).is_ok());
    }

    #[test]
    fn deep_nesting_does_not_overflow_the_stack() {
        let deep = format!("{{\"x\":{}{},\"chain_id\":1}}", "[".repeat(8_000), "]".repeat(8_000));
        assert_eq!(members(deep.as_bytes(), ACCEPTED).unwrap().values.len(), 1);
        let deep = format!("{{\"chain_id\":{}{}}}", "[".repeat(8_000), "]".repeat(8_000));
        assert_eq!(members(deep.as_bytes(), ACCEPTED).unwrap().values.len(), 1);
    }
}
