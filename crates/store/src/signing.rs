//! What a signature stores, and the outcomes of the calls that lead to it.

use firmquote_domain::{Quote, SignedQuote, Terms, Timestamp};

use crate::{BookVersion, Booking, BookingRefusal, LevelBudget, VolumeCharge, VolumeRefusal};

/// The outcome of a request for a quote that is to be signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenOutcome {
    /// The quote is not signed.
    Unsigned(Quote),
    /// The quote is already signed for exactly these terms; contains the recorded signature.
    Signed(SignedQuote),
    /// The quote cannot be signed for these terms.
    Refused(QuoteRefusal),
}

/// Why a quote cannot be signed for the terms of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuoteRefusal {
    /// No such live quote exists: it was never inserted, has expired, or has lapsed.
    Unknown,
    /// The quote belongs to another client.
    OtherClient,
    /// The quote is and stays bound to other terms.
    OtherTerms,
}

/// A quote to be signed, with everything that must be checked and stored before its signature may leave the service.
#[derive(Clone, Copy, Debug)]
pub struct Commitment<'a> {
    /// The quote.
    pub quote: &'a Quote,
    /// The terms that it is bound to.
    pub terms: &'a Terms,
    /// Whether the quote was inserted; otherwise it was made for this signature.
    pub is_quote_stored: bool,
    /// The entry of its swap in the book of its pool.
    pub booking: &'a Booking,
    /// Its volume; `None` if that is not limited.
    pub charge: Option<&'a VolumeCharge>,
    /// What keeps the input of a quote at firm levels reserved; `None` for other quotes.
    pub extension: Option<&'a ReservationExtension>,
}

/// The time until which the reserved input of a quote counts once it is signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReservationExtension {
    /// The budget that the input is reserved in.
    pub budget: LevelBudget,
    /// The first instant at which it no longer counts.
    pub until: Timestamp,
}

/// The outcome of preparing a [`Commitment`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PrepareOutcome {
    /// Nothing speaks against the signature, and the quote is bound to its terms.
    Prepared,
    /// The quote was signed for these terms before; contains the recorded signature.
    AlreadySigned(Box<SignedQuote>),
    /// It must not be signed.
    Refused(CommitRefusal),
}

/// The outcome of a [`Commitment`].
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
    /// The signature must not leave the service. Nothing is stored that was not before.
    Refused(CommitRefusal),
}

/// Why a signature must not leave the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommitRefusal {
    /// The pool is paused.
    Paused,
    /// The quote cannot be signed for these terms.
    Quote(QuoteRefusal),
    /// The input of the quote is no longer reserved.
    NotReserved,
    /// The swap is not entered into the book.
    Booking(BookingRefusal),
    /// The volume is exceeded, or unknown.
    Volume(VolumeRefusal),
}
