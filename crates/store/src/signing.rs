//! Binding a quote to the terms of its signature: by a claim, or together with everything else that a signature writes,
//! in one step.

use firmquote_domain::{Quote, SignedQuote};

use crate::{BookVersion, Booking, BookingRefusal, VolumeCharge, VolumeRefusal};

/// The outcome of an attempt to bind a quote to terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimOutcome {
    /// The quote is bound to these terms, by this attempt or by an earlier one that recorded no signature.
    Granted(Quote),
    /// The quote is already signed for exactly these terms; contains the recorded signature.
    Signed(SignedQuote),
    /// The quote is not bound to these terms.
    Refused(ClaimRefusal),
}

/// Why a quote is not bound to terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimRefusal {
    /// No such live quote exists: it was never inserted, has expired, or has lapsed.
    Unknown,
    /// The quote belongs to another client; nothing was bound.
    OtherClient,
    /// The quote is and stays bound to other terms.
    OtherTerms,
}

/// A signature that was made before anything about it is stored, with everything that must be stored before it may
/// leave the service.
#[derive(Clone, Copy, Debug)]
pub struct Commitment<'a> {
    /// The signature.
    pub signed: &'a SignedQuote,
    /// Whether its quote is stored, and to be claimed.
    pub is_quote_stored: bool,
    /// Its entry in the book.
    pub booking: &'a Booking,
    /// Its volume; `None` if that is not limited.
    pub charge: Option<&'a VolumeCharge>,
}

/// The outcome of a [`Commitment`]. A refusal leaves no part of it behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommitOutcome {
    /// Everything is stored; contains the signature that may leave the service.
    Recorded {
        /// The recorded signature.
        signed: SignedQuote,
        /// The version of the book with its swap; `None` if the swap was in the book before.
        version: Option<BookVersion>,
    },
    /// The quote was signed for these terms before; contains the recorded signature.
    AlreadySigned(SignedQuote),
    /// The pool is paused.
    Paused,
    /// The quote was not claimed.
    NotClaimed(ClaimRefusal),
    /// The volume was not charged.
    NotCharged(VolumeRefusal),
    /// The swap was not entered into the book.
    NotBooked(BookingRefusal),
}
