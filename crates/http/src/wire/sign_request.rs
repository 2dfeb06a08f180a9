//! Sign requests (docs/api.md), and the terms that a quote-and-sign request adds to its quote.

use firmquote_desk::SignRequest;
use firmquote_domain::{Client, NativeSide, QuoteId, Terms};

use super::quote_request::QUOTE;
use crate::{
    error::ApiError,
    input::{
        AUX_DATA, CALLDATA, DESTINATION_ADDRESS, Field, Fields, GUARANTEE, InvalidKind, NATIVE_INPUT, NATIVE_OUTPUT,
        QUOTE_ID, Reader, SENDER_ADDRESS, STRICT, TRANSMIT, ValueError, concat,
    },
    service::ServiceName,
};

/// The terms of a signature, and the options of its response.
const TERMS: &[&Field] = &[
    &DESTINATION_ADDRESS.field,
    &SENDER_ADDRESS.field,
    &AUX_DATA.field,
    &CALLDATA.field,
    &NATIVE_INPUT.field,
    &NATIVE_OUTPUT.field,
    &TRANSMIT.field,
    &GUARANTEE.field,
];

/// Members of the sign body, in both versions.
pub(crate) const SIGN: &[&Field] = &concat::<10>(&[&[&QUOTE_ID.field], TERMS, &[&STRICT.field]]);

/// Parameters of the quote-and-sign query; the chain id is in the path.
pub(crate) const QUOTE_SIGN: &[&Field] = &concat::<18>(&[QUOTE, TERMS, &[&STRICT.field]]);

/// A decoded sign request.
#[derive(Debug)]
pub(crate) struct SignInput {
    quote_id: QuoteId,
    /// The terms to sign the quote for.
    pub(crate) terms: TermsInput,
}

impl SignInput {
    /// Decodes the fields of a sign request.
    ///
    /// # Errors
    /// [`ApiError::InvalidInput`] with every error.
    pub(crate) fn decode(fields: &Fields<'_>, service_name: &ServiceName) -> Result<Self, ApiError> {
        let mut reader = Reader::new(fields);
        let quote_id = reader.required(&QUOTE_ID);
        let terms = TermsInput::read(&mut reader, service_name);
        reader.finish(|| Some(Self { quote_id: quote_id?, terms: terms? }))
    }

    /// Returns the id of the quote to sign.
    pub(crate) const fn quote_id(&self) -> QuoteId {
        self.quote_id
    }

    /// Returns the request of `client` to the desk.
    pub(crate) fn request(&self, client: Client) -> SignRequest {
        SignRequest { client, quote_id: self.quote_id, terms: self.terms.terms }
    }
}

/// Decoded terms and response options.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TermsInput {
    /// The terms that the signature binds.
    pub(crate) terms: Terms,
    /// Whether the response includes calldata. Not part of the terms.
    pub(crate) wants_calldata: bool,
}

impl TermsInput {
    /// Reads the terms; `None` if `reader` collected an error about them. The sender defaults to the destination, the
    /// auxiliary data to the name of the service.
    pub(crate) fn read(reader: &mut Reader<'_, '_>, service_name: &ServiceName) -> Option<Self> {
        let destination = reader.required(&DESTINATION_ADDRESS);
        let sender = reader.optional(&SENDER_ADDRESS);
        let aux_data = reader.optional(&AUX_DATA);
        let wants_calldata = reader.optional(&CALLDATA).unwrap_or(false);
        let native = native_side(reader);
        let transmit = reader.optional(&TRANSMIT).unwrap_or(false);
        let guarantee = reader.optional(&GUARANTEE).unwrap_or(false);
        let destination = destination?;
        let terms = Terms {
            destination,
            sender: sender.unwrap_or(destination),
            aux_data: aux_data.unwrap_or_else(|| service_name.to_aux_data()),
            native: native?,
            transmit,
            guarantee,
        };
        Some(Self { terms, wants_calldata })
    }
}

/// Reads the side that is paid in native coin, at most one.
fn native_side(reader: &mut Reader<'_, '_>) -> Option<NativeSide> {
    const BOTH: ValueError =
        ValueError::new(InvalidKind::MutuallyExclusive, "native_input and native_output cannot both be true");
    let input = reader.optional(&NATIVE_INPUT).unwrap_or(false);
    let output = reader.optional(&NATIVE_OUTPUT).unwrap_or(false);
    let native = NativeSide::from_flags(input, output);
    if native.is_none() {
        reader.reject_all([&NATIVE_INPUT.field, &NATIVE_OUTPUT.field], BOTH);
    }
    native
}
