//! The inputs of a request, by field.

use std::borrow::Cow;

use firmquote_api::Step;
use firmquote_desk::DeskError;

use super::{Echo, Field, InvalidInput, InvalidKind, RawInput, json_object, shorten};
use crate::error::ApiError;

/// The inputs of a request for the fields that its operation accepts; all others are dropped.
#[derive(Debug, Default)]
pub(crate) struct Fields<'a> {
    values: Vec<(&'static Field, RawInput<'a>)>,
    /// Query parameters that were repeated, each with its second value.
    repeated: Vec<(&'static Field, RawInput<'a>)>,
    /// The name of the first input that the operation does not have, if there is one.
    unknown: Option<Box<str>>,
    /// The body that the fields were read from, if any.
    body: Option<&'a [u8]>,
}

impl<'a> Fields<'a> {
    /// Parses a JSON body. A `null` member counts as absent.
    ///
    /// # Errors
    /// [`ApiError::InvalidInput`] with one item about the body as a whole when it is not a JSON object or contains an
    /// accepted member twice.
    pub(crate) fn from_json(body: &'a [u8], accepted: &[&'static Field]) -> Result<Self, ApiError> {
        let members = json_object::members(body, accepted).map_err(|message| unreadable_body(message, body))?;
        let json_object::Members { values, unknown } = members;
        Ok(Self { values, repeated: Vec::new(), unknown, body: Some(body) })
    }

    /// Parses a query string, percent-decoded. Repeated parameters are recorded as invalid.
    pub(crate) fn from_query(query: &'a str, accepted: &[&'static Field]) -> Self {
        let mut fields = Self { values: Vec::with_capacity(accepted.len() + 1), ..Self::default() };
        if query.contains(['%', '+']) {
            let parameters = form_urlencoded::parse(query.as_bytes());
            parameters.for_each(|(name, value)| fields.insert_parameter(&name, value, accepted));
        } else {
            let parameters = query.split('&').filter(|parameter| !parameter.is_empty());
            let parameters = parameters.map(|parameter| parameter.split_once('=').unwrap_or((parameter, "")));
            parameters.for_each(|(name, value)| fields.insert_parameter(name, Cow::Borrowed(value), accepted));
        }
        fields
    }

    /// Adds a query parameter. An empty one counts as absent, like a `null` member of a body.
    fn insert_parameter(&mut self, name: &str, value: Cow<'a, str>, accepted: &[&'static Field]) {
        let Some(field) = Field::from_name(name, accepted) else {
            self.unknown.get_or_insert_with(|| shorten(name).into());
            return;
        };
        if value.is_empty() {
            return;
        }
        let is_in = |list: &[(&Field, RawInput<'_>)]| list.iter().any(|(name, _)| *name == field);
        // However often a parameter is repeated, it is reported once, so that the response is no larger than the
        // request.
        let list = match (is_in(&self.values), is_in(&self.repeated)) {
            (false, _) => &mut self.values,
            (true, false) => &mut self.repeated,
            (true, true) => return,
        };
        list.push((field, RawInput::Text(value)));
    }

    /// Adds a field from the path.
    #[must_use]
    pub(crate) fn with_path(mut self, field: &'static Field, text: &'a str) -> Self {
        self.values.push((field, RawInput::Text(Cow::Borrowed(text))));
        self
    }

    /// Returns the received value of `field`, unless it is absent or `null`.
    pub(crate) fn value(&self, field: &Field) -> Option<&RawInput<'a>> {
        let (_, received) = self.values.iter().find(|(name, _)| *name == field)?;
        Some(received).filter(|received| !received.is_null())
    }

    /// Returns one item for each repeated parameter.
    pub(super) fn duplicate_errors(&self) -> impl Iterator<Item = InvalidInput> {
        self.repeated.iter().map(|(field, received)| InvalidInput {
            kind: InvalidKind::MutuallyExclusive,
            path: vec![Step::from(*field)],
            message: "Parameter was given more than once".into(),
            input: received.echo(),
        })
    }

    /// Returns the item for the first input that the operation does not have, if there is one.
    pub(super) fn unknown_error(&self) -> Option<InvalidInput> {
        let name = self.unknown.as_deref()?;
        Some(InvalidInput {
            kind: InvalidKind::UnknownInput,
            path: vec![Step::Name(name.to_owned().into())],
            message: "The operation has no input of this name".into(),
            input: Echo::Text(name.to_owned()),
        })
    }

    /// Returns the value of `field` to echo.
    pub(super) fn echo(&self, field: &Field) -> Echo {
        self.value(field).map_or(Echo::Absent, RawInput::echo)
    }

    /// Returns the item at `position` of the list in `field` to echo.
    pub(super) fn echo_item(&self, field: &Field, position: usize) -> Echo {
        let list = self.value(field).and_then(RawInput::as_text);
        let item = list.as_deref().and_then(|list| list.split(',').nth(position));
        item.map_or(Echo::Absent, |item| Echo::Text(item.to_owned()))
    }

    /// Returns the object to echo for a missing field: the body, or the parameters of a query as an object.
    pub(super) fn echo_whole(&self) -> Echo {
        if let Some(body) = self.body {
            return Echo::from_object(body);
        }
        let texts = self.values.iter().filter_map(|(field, value)| Some((field.name, value.as_text()?)));
        let object: serde_json::Map<_, _> =
            texts.map(|(name, text)| (name.to_owned(), text.into_owned().into())).collect();
        Echo::from_object(serde_json::Value::Object(object).to_string().as_bytes())
    }

    /// Converts an error of the desk: an input that it does not allow is listed like any other invalid input.
    pub(crate) fn map_desk_error(&self, error: DeskError) -> ApiError {
        let DeskError::NotAllowed { field, reason } = error else { return ApiError::Desk(error) };
        let received = self.values.iter().find(|(received, _)| received.name == field);
        let input = received.map_or(Echo::Absent, |(field, _)| self.echo(field));
        let (path, message) = (vec![Step::Name(field.into())], Cow::Owned(reason));
        ApiError::InvalidInput(vec![InvalidInput { kind: InvalidKind::OutOfRange, path, message, input }])
    }
}

/// Returns the error for an unreadable body; it echoes the beginning of the body.
pub(crate) fn unreadable_body(message: String, body: &[u8]) -> ApiError {
    ApiError::InvalidInput(vec![InvalidInput {
        kind: InvalidKind::JsonInvalid,
        path: Vec::new(),
        message: message.into(),
        input: Echo::beginning_of(body),
    }])
}

#[cfg(test)]
mod tests {
    use super::{
        super::{INPUT_AMOUNT, INPUT_ASSET_SYMBOL},
        *,
    };

    const ACCEPTED: &[&Field] = &[&INPUT_ASSET_SYMBOL.field, &INPUT_AMOUNT.field];

    #[test]
    fn null_members_of_a_body_are_absent() {
        let fields = Fields::from_json(br#"{"input_amount":null,"input_asset_symbol":"A"}"#, ACCEPTED).unwrap();
        assert!(fields.value(&INPUT_AMOUNT.field).is_none());
        assert!(fields.value(&INPUT_ASSET_SYMBOL.field).is_some());
    }

    #[test]
    fn queries_are_percent_decoded_and_duplicates_are_detected() {
        let fields = Fields::from_query("input%5Fasset_symbol=A%42+C&input_amount=1&other=x&input_amount=2", ACCEPTED);
        let text = |field| fields.value(field).and_then(RawInput::as_text).unwrap();
        assert_eq!(text(&INPUT_ASSET_SYMBOL.field), "AB C");
        assert_eq!(text(&INPUT_AMOUNT.field), "1");
        let repeated: Vec<_> = fields.duplicate_errors().flat_map(|item| item.path).collect();
        assert_eq!(repeated, [Step::from(&INPUT_AMOUNT.field)]);
    }

    #[test]
    fn the_unescaped_fast_path_matches_percent_decoding() {
        for query in
            ["input_amount=1", "&&input_amount=1&", "input_amount", "input_amount==1=", "=1&input_amount=&x", ""]
        {
            let (plain, escaped) = (Fields::from_query(query, ACCEPTED), format!("{query}&%41+=1"));
            let text = |fields: &Fields<'_>| {
                fields.value(&INPUT_AMOUNT.field).map(|value| value.as_text().unwrap().into_owned())
            };
            assert_eq!(text(&plain), text(&Fields::from_query(&escaped, ACCEPTED)), "{query}");
        }
    }

    #[test]
    fn a_parameter_repeated_many_times_is_one_error() {
        let query = "input_amount=1&input_asset_symbol=A&input_asset_symbol=B&".repeat(1_000);
        let fields = Fields::from_query(&query, ACCEPTED);
        let repeated: Vec<_> = fields.duplicate_errors().flat_map(|item| item.path).collect();
        assert_eq!(repeated, [&INPUT_ASSET_SYMBOL.field, &INPUT_AMOUNT.field].map(Step::from));
    }
}
