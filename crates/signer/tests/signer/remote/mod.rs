//! Signatures of a signing service, against one that speaks its protocol and breaks it.
#![expect(clippy::unwrap_used, reason = "a test may panic outside its test functions too")]

mod connections;
mod faults;
mod keys;
mod secure;
mod setup;
