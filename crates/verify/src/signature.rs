//! The checks of a signature under the pool's EIP-712 domain, and of its calldata, argument by argument.

use firmquote_api::SignedSwap;
use firmquote_calldata::{DecodedSwap, SwapFunction, decode};
use firmquote_domain::{Address, NativeSide, SigningDomain};
use firmquote_signer::{DomainSeparator, digest, recover};

use crate::{Check, CheckStatus, Difference, RequestedSwap, check::compare};

/// The name of the check.
const SIGNATURE: &str = "signature";

/// Domain and signer that a signature is checked against.
#[derive(Clone, Debug)]
pub(crate) struct ExpectedSignature {
    /// The domain of the pool's contract.
    pub(crate) domain: SigningDomain,
    /// The account whose signatures the pool's contract accepts, if known.
    pub(crate) signer: Option<Address>,
}

/// Checks the signature against the account whose signatures the pool's contract accepts, if known.
pub(crate) fn check(signed: &SignedSwap, expected: &ExpectedSignature) -> Check {
    let ExpectedSignature { domain, signer } = expected;
    let offer = signed.offer();
    let recovered = recover(digest(&DomainSeparator::new(domain, offer.pool), &offer), &signed.signature);
    let domain = format!("{:?} {:?}", domain.name, domain.version);
    match (recovered, signer) {
        (Some(account), Some(signer)) if account == *signer => {
            let message = format!("made by {signer} for these terms, under the domain {domain}");
            Check::new(SIGNATURE, CheckStatus::Holds, message)
        }
        (Some(account), Some(signer)) => {
            let message = format!(
                "not made by the pool's signer for these terms: other terms were signed, or by another account, or \
                 under another domain than {domain}"
            );
            let difference = Difference { field: "signer", actual: account.to_string(), expected: signer.to_string() };
            Check::new(SIGNATURE, CheckStatus::Differs, message).with_differences(vec![difference])
        }
        (Some(account), None) => {
            let message = format!(
                "made by {account} under the domain {domain}, but the pool's signer is unknown (DESIGNATED_SIGNER() of \
                 the contract)"
            );
            Check::new(SIGNATURE, CheckStatus::Undecided, message)
        }
        (None, _) => Check::new(SIGNATURE, CheckStatus::Differs, "not a valid signature of any account"),
    }
}

/// The name of the check.
const CALLDATA: &str = "calldata";

/// Checks the calldata of `signed` against its terms and the request, and decodes it; `None` without calldata.
pub fn check_calldata(signed: &SignedSwap, requested: &RequestedSwap) -> Option<(Check, Option<DecodedSwap>)> {
    let swap = match decode(signed.calldata.as_ref()?) {
        Ok(swap) => swap,
        Err(error) => {
            let message = format!("not a call of a swap function: {error}");
            return Some((Check::new(CALLDATA, CheckStatus::Differs, message), None));
        }
    };
    let equal = match (swap.input_token, swap.output_token) {
        (None, _) => "matches the signed terms; the input token is the contract's wrapped native token",
        (_, None) => "matches the signed terms; the output token is the contract's wrapped native token",
        _ => "matches the signed terms",
    };
    let unequal = "the call does not match the signed terms or the request";
    let check = Check::from_differences(CALLDATA, differences(&swap, signed, requested), equal, unequal);
    Some((check, Some(swap)))
}

fn differences(swap: &DecodedSwap, signed: &SignedSwap, requested: &RequestedSwap) -> Vec<Difference> {
    let offer = signed.offer();
    let mut differences = Vec::new();
    compare(&mut differences, "inputToken", &swap.input_token.unwrap_or(offer.input_token), &offer.input_token);
    let output_token = swap.output_token.unwrap_or(offer.output_token);
    compare(&mut differences, "outputToken", &output_token, &offer.output_token);
    compare(&mut differences, "inputAmount", &swap.input_amount, &offer.input_amount);
    compare(&mut differences, "outputAmount", &swap.output_amount, &offer.output_amount);
    compare(&mut differences, "goodUntil", &swap.good_until.to_word(), &offer.good_until.to_word());
    compare(&mut differences, "destinationAddress", &swap.destination, &offer.destination);
    compare(&mut differences, "theSignature.v", &swap.signature.v(), &signed.signature.v());
    compare(&mut differences, "theSignature.r", &swap.signature.r(), &signed.signature.r());
    compare(&mut differences, "theSignature.s", &swap.signature.s(), &signed.signature.s());
    match (requested.native, requested.transmit) {
        (Some(native), Some(transmit)) => {
            compare(&mut differences, "function", &swap.function.name(), &SwapFunction::new(native, transmit).name());
        }
        (Some(native), None) => {
            compare(&mut differences, "native side", &side_name(swap.native()), &side_name(native));
        }
        (None, _) => {}
    }
    if let Some(aux_data) = requested.aux_data {
        compare(&mut differences, "auxiliaryData", &swap.aux_data.to_string(), &aux_data.to_string());
    }
    differences
}

const fn side_name(side: NativeSide) -> &'static str {
    match side {
        NativeSide::Input => "input",
        NativeSide::Output => "output",
        NativeSide::Neither => "neither",
    }
}
