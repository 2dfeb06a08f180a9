//! Maps errors of the store and of the signer to errors of the desk.

use firmquote_domain::{NativeSide, Quote, QuoteId, Terms};
use firmquote_signer::{Refusal, SignerError};
use firmquote_store::{LimitExceeded, QuoteRefusal, VolumeRefusal};

use crate::DeskError;

/// Maps a refusal by the limits per minute to the caller's error.
pub(super) const fn volume_error(refusal: VolumeRefusal) -> DeskError {
    match refusal {
        VolumeRefusal::VolumeUnknown { retry_after_seconds } => DeskError::VolumeUnknown { retry_after_seconds },
        VolumeRefusal::PoolLimit(LimitExceeded { retry_after_seconds, .. }) => {
            DeskError::PoolLimit { retry_after_seconds }
        }
        VolumeRefusal::ClientLimit(LimitExceeded { retry_after_seconds, .. }) => {
            DeskError::ClientLimit { retry_after_seconds }
        }
    }
}

/// Maps the refusal of the quote `id` to the caller's error.
pub(crate) const fn quote_error(refusal: QuoteRefusal, id: QuoteId) -> DeskError {
    match refusal {
        QuoteRefusal::Unknown => DeskError::UnknownQuote(id),
        QuoteRefusal::OtherClient => DeskError::OtherClient,
        QuoteRefusal::OtherTerms => DeskError::SignedForOtherTerms,
    }
}

/// Maps an error of the signer to the caller's error.
pub(super) fn signer_error(error: SignerError, quote: &Quote, terms: &Terms) -> DeskError {
    match error {
        SignerError::Refused(refusal) => refusal_error(&refusal, quote, terms),
        error @ (SignerError::Unavailable { .. } | SignerError::InvalidKey(_) | SignerError::InvalidSignature(_)) => {
            DeskError::Signer(error)
        }
    }
}

pub(super) fn refusal_error(refusal: &Refusal, quote: &Quote, terms: &Terms) -> DeskError {
    let not_allowed = |field| DeskError::NotAllowed { field, reason: refusal.to_string() };
    match refusal {
        Refusal::UnusableDestination { .. } => not_allowed("destination_address"),
        Refusal::NotNative { .. } if terms.native == NativeSide::Output => not_allowed("native_output"),
        Refusal::NotNative { .. } => not_allowed("native_input"),
        Refusal::Lapsed { .. } => DeskError::UnknownQuote(quote.id),
        // Since the quote was made, the pool was reconfigured or drained, or the clock was set back.
        Refusal::OtherK { .. }
        | Refusal::OtherWeight { .. }
        | Refusal::ExcessiveRate { .. }
        | Refusal::OtherKind { .. }
        | Refusal::UnlistedToken { .. }
        | Refusal::WholeReserve { .. }
        | Refusal::TooLong { .. } => DeskError::disabled(),
        Refusal::OtherPool { .. } | Refusal::SameToken { .. } => {
            DeskError::Internal(format!("the signer refused: {refusal}"))
        }
    }
}
