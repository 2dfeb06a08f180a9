//! Writes decoded inputs back as bodies and queries.

use firmquote_desk::{AssetKey, QuoteRequest, SignRequest};
use firmquote_domain::{Client, NativeSide, SwapAmount, Terms};

use crate::{
    error::ApiError,
    input::{
        AUX_DATA, CALLDATA, CHAIN_ID, DESTINATION_ADDRESS, FIELDSET, Field, Fields, GUARANTEE, INPUT_AMOUNT,
        INPUT_ASSET_ADDRESS, INPUT_ASSET_SYMBOL, NATIVE_INPUT, NATIVE_OUTPUT, OUTPUT_AMOUNT, OUTPUT_ASSET_ADDRESS,
        OUTPUT_ASSET_SYMBOL, POOL_ADDRESS, QUOTE_ID, Reader, SENDER_ADDRESS, STATE_ID, TIME_IN_SECONDS, TRANSMIT,
    },
    service::ServiceName,
    wire::{PoolInput, QuoteInput, SignInput, TermsInput},
};

/// Decoded inputs in their canonical notation.
pub(super) type CanonicalInputs = Vec<(&'static Field, String)>;

/// A function that decodes the inputs of an operation.
pub(super) type Decode = fn(&Fields<'_>) -> Result<CanonicalInputs, ApiError>;

/// Decodes the inputs of a quote request.
pub(super) fn quote(fields: &Fields<'_>) -> Result<CanonicalInputs, ApiError> {
    QuoteInput::decode(fields).map(|input| quote_inputs(&input.request(Client::Anonymous, None)))
}

/// Decodes the inputs of a sign request.
pub(super) fn sign(fields: &Fields<'_>) -> Result<CanonicalInputs, ApiError> {
    let input = SignInput::decode(fields, &ServiceName::default())?;
    let SignRequest { quote_id, terms, .. } = input.request(Client::Anonymous);
    Ok([vec![(&QUOTE_ID.field, quote_id.to_string())], terms_inputs(&terms, input.terms.wants_calldata)].concat())
}

/// Decodes the inputs of a quote-and-sign request.
pub(super) fn quote_and_sign(fields: &Fields<'_>) -> Result<CanonicalInputs, ApiError> {
    let mut reader = Reader::new(fields);
    let (quote, terms) = (QuoteInput::read(&mut reader), TermsInput::read(&mut reader, &ServiceName::default()));
    let (quote, TermsInput { terms, wants_calldata }) = reader.finish(|| quote.zip(terms))?;
    Ok([quote_inputs(&quote.request(Client::Anonymous, None)), terms_inputs(&terms, wants_calldata)].concat())
}

/// Decodes the inputs of a pool data request.
pub(super) fn pool(fields: &Fields<'_>) -> Result<CanonicalInputs, ApiError> {
    let PoolInput { chain_id, pool_type, pool_address, time_in_seconds, state_id } = PoolInput::decode(fields)?;
    let pool_type = pool_type.fieldset().map(ToOwned::to_owned);
    let mut written = vec![(&CHAIN_ID.field, chain_id.to_string())];
    written.extend(pool_type.map(|name| (&FIELDSET.field, name)));
    written.extend(pool_address.map(|address| (&POOL_ADDRESS.field, address.to_string())));
    written.extend(time_in_seconds.map(|seconds| (&TIME_IN_SECONDS.field, seconds.to_string())));
    written.extend(state_id.map(|id| (&STATE_ID.field, id.to_string())));
    Ok(written)
}

fn quote_inputs(request: &QuoteRequest<'_>) -> CanonicalInputs {
    let asset = |key: AssetKey<'_>, by_symbol, by_address| match key {
        AssetKey::Symbol(symbol) => (by_symbol, symbol.to_owned()),
        AssetKey::Address(address) => (by_address, address.to_string()),
    };
    let mut written = vec![
        (&CHAIN_ID.field, request.chain_id.to_string()),
        asset(request.input, &INPUT_ASSET_SYMBOL.field, &INPUT_ASSET_ADDRESS.field),
        asset(request.output, &OUTPUT_ASSET_SYMBOL.field, &OUTPUT_ASSET_ADDRESS.field),
        match request.amount {
            SwapAmount::ExactInput(amount) => (&INPUT_AMOUNT.field, amount.to_string()),
            SwapAmount::ExactOutput(amount) => (&OUTPUT_AMOUNT.field, amount.to_string()),
        },
    ];
    written.extend(request.time_in_seconds.map(|seconds| (&TIME_IN_SECONDS.field, seconds.to_string())));
    written.extend(request.pool_address.map(|address| (&POOL_ADDRESS.field, address.to_string())));
    written
}

fn terms_inputs(terms: &Terms, wants_calldata: bool) -> CanonicalInputs {
    vec![
        (&DESTINATION_ADDRESS.field, terms.destination.to_string()),
        (&SENDER_ADDRESS.field, terms.sender.to_string()),
        (&AUX_DATA.field, terms.aux_data.to_string()),
        (&CALLDATA.field, wants_calldata.to_string()),
        (&NATIVE_INPUT.field, (terms.native == NativeSide::Input).to_string()),
        (&NATIVE_OUTPUT.field, (terms.native == NativeSide::Output).to_string()),
        (&TRANSMIT.field, terms.transmit.to_string()),
        (&GUARANTEE.field, terms.guarantee.to_string()),
    ]
}

/// Writes the inputs as a body: booleans as literals, all others as strings.
pub(super) fn to_body(inputs: &CanonicalInputs) -> String {
    let members = inputs.iter().map(|(field, text)| match text.as_str() {
        "true" | "false" if ![&INPUT_ASSET_SYMBOL.field, &OUTPUT_ASSET_SYMBOL.field].contains(field) => {
            format!("\"{}\":{text}", field.name)
        }
        _ => format!("\"{}\":{}", field.name, serde_json::Value::from(text.as_str())),
    });
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

/// Writes the inputs as a query.
pub(super) fn to_query(inputs: &CanonicalInputs) -> String {
    let pairs = inputs.iter().map(|(field, text)| (field.name, text));
    form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}
