//! Everything a request said, by field.

use std::borrow::Cow;

use firmquote_desk::DeskError;
use strum::VariantArray as _;

use super::{Echo, Field, InvalidInput, InvalidKind, RawInput, json_object};
use crate::error::ApiError;

/// What a request said about the fields its operation asks for; anything else it said is gone.
#[derive(Debug, Default)]
pub(crate) struct Fields<'a> {
    values: Vec<(Field, RawInput<'a>)>,
    /// Query parameters that came more than once, each with its second value.
    repeated: Vec<(Field, RawInput<'a>)>,
    /// The body that they were read from, if there was one.
    body: Option<&'a [u8]>,
}

impl<'a> Fields<'a> {
    /// Reads a JSON body. A `null` member is an absent one.
    ///
    /// # Errors
    /// [`ApiError::InvalidInput`] with one item about the body as a whole when it is not a JSON object, or names
    /// a field twice.
    pub(crate) fn from_json(body: &'a [u8], accepted: &[Field]) -> Result<Self, ApiError> {
        let values = json_object::members(body, accepted).map_err(|why| unreadable(why, body))?;
        Ok(Self { values, repeated: Vec::new(), body: Some(body) })
    }

    /// Reads a query string, percent-decoded. A parameter that comes twice is remembered as a mistake.
    pub(crate) fn from_query(query: &'a str, accepted: &[Field]) -> Self {
        let mut fields = Self { values: Vec::with_capacity(accepted.len() + 1), repeated: Vec::new(), body: None };
        if query.contains(['%', '+']) {
            let parameters = form_urlencoded::parse(query.as_bytes());
            parameters.for_each(|(name, value)| fields.take(&name, value, accepted));
        } else {
            let parameters = query.split('&').filter(|parameter| !parameter.is_empty());
            let parameters = parameters.map(|parameter| parameter.split_once('=').unwrap_or((parameter, "")));
            parameters.for_each(|(name, value)| fields.take(name, Cow::Borrowed(value), accepted));
        }
        fields
    }

    /// Takes a parameter of a query. An empty one is an absent one, as a `null` member of a body is.
    fn take(&mut self, name: &str, value: Cow<'a, str>, accepted: &[Field]) {
        let Some(field) = Field::named(name, accepted).filter(|_| !value.is_empty()) else { return };
        let is_in = |list: &[(Field, RawInput<'_>)]| list.iter().any(|(name, _)| *name == field);
        // However often a parameter comes, it is one mistake: an answer is no larger than what was asked.
        let list = match (is_in(&self.values), is_in(&self.repeated)) {
            (false, _) => &mut self.values,
            (true, false) => &mut self.repeated,
            (true, true) => return,
        };
        list.push((field, RawInput::Text(value)));
    }

    /// The same fields and one from the path.
    #[must_use]
    pub(crate) fn with_path(mut self, field: Field, text: &'a str) -> Self {
        self.values.push((field, RawInput::Text(Cow::Borrowed(text))));
        self
    }

    /// What was received for `field`, if it was not a `null`.
    pub(crate) fn received(&self, field: Field) -> Option<&RawInput<'a>> {
        let (_, received) = self.values.iter().find(|(name, _)| *name == field)?;
        Some(received).filter(|received| !received.is_null())
    }

    /// One item for each parameter that came more than once.
    pub(super) fn repetitions(&self) -> impl Iterator<Item = InvalidInput> {
        self.repeated.iter().map(|(field, received)| InvalidInput {
            kind: InvalidKind::MutuallyExclusive,
            item: None,
            field: Some(*field),
            message: "Parameter was given more than once".into(),
            input: received.echo(),
        })
    }

    /// What to echo about `field`.
    pub(super) fn echo(&self, field: Field) -> Echo {
        self.received(field).map_or(Echo::Absent, RawInput::echo)
    }

    /// What to echo about a field that is missing: the object that lacks it. Of a query that is the object of its parameters.
    pub(super) fn echo_whole(&self) -> Echo {
        if let Some(body) = self.body {
            return Echo::of_object(body);
        }
        let texts = self.values.iter().filter_map(|(field, value)| Some((field.name(), value.as_text()?)));
        let object: serde_json::Map<_, _> =
            texts.map(|(name, text)| (name.to_owned(), text.into_owned().into())).collect();
        Echo::of_object(serde_json::Value::Object(object).to_string().as_bytes())
    }

    /// The desk's answer to what these fields asked: an input it does not allow is listed like any other
    /// invalid one.
    pub(crate) fn refused(&self, error: DeskError) -> ApiError {
        let DeskError::NotAllowed { field, reason } = error else { return ApiError::Desk(error) };
        let field = Field::named(field, Field::VARIANTS);
        let input = field.map_or(Echo::Absent, |field| self.echo(field));
        let message = Cow::Owned(reason);
        ApiError::InvalidInput(vec![InvalidInput { kind: InvalidKind::OutOfRange, item: None, field, message, input }])
    }
}

/// The error about a body that cannot be read; echoes its beginning.
pub(crate) fn unreadable(why: String, body: &[u8]) -> ApiError {
    ApiError::InvalidInput(vec![InvalidInput {
        kind: InvalidKind::JsonInvalid,
        item: None,
        field: None,
        message: why.into(),
        input: Echo::beginning_of(body),
    }])
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACCEPTED: &[Field] = &[Field::InputAssetSymbol, Field::InputAmount];

    #[test]
    fn null_is_absent_in_a_body() {
        let fields = Fields::from_json(br#"{"input_amount":null,"input_asset_symbol":"A"}"#, ACCEPTED).unwrap();
        assert!(fields.received(Field::InputAmount).is_none());
        assert!(fields.received(Field::InputAssetSymbol).is_some());
    }

    #[test]
    fn queries_are_percent_decoded_and_repetitions_noticed() {
        let fields = Fields::from_query("input%5Fasset_symbol=A%42+C&input_amount=1&other=x&input_amount=2", ACCEPTED);
        let text = |field| fields.received(field).and_then(RawInput::as_text).unwrap();
        assert_eq!(text(Field::InputAssetSymbol), "AB C");
        assert_eq!(text(Field::InputAmount), "1");
        let repeated: Vec<_> = fields.repetitions().map(|item| item.field).collect();
        assert_eq!(repeated, [Some(Field::InputAmount)]);
    }

    #[test]
    fn a_query_without_escapes_is_read_as_one_with_them() {
        for query in
            ["input_amount=1", "&&input_amount=1&", "input_amount", "input_amount==1=", "=1&input_amount=&x", ""]
        {
            let (plain, escaped) = (Fields::from_query(query, ACCEPTED), format!("{query}&%41+=1"));
            let text = |fields: &Fields<'_>| {
                fields.received(Field::InputAmount).map(|value| value.as_text().unwrap().into_owned())
            };
            assert_eq!(text(&plain), text(&Fields::from_query(&escaped, ACCEPTED)), "{query}");
        }
    }

    #[test]
    fn a_parameter_that_is_repeated_without_end_is_one_mistake() {
        let query = "input_amount=1&input_asset_symbol=A&input_asset_symbol=B&".repeat(1_000);
        let fields = Fields::from_query(&query, ACCEPTED);
        let repeated: Vec<_> = fields.repetitions().map(|item| item.field).collect();
        assert_eq!(repeated, [Some(Field::InputAssetSymbol), Some(Field::InputAmount)]);
    }
}
