//! A remote signer against a signing service with injectable faults.
#![expect(clippy::unwrap_used, reason = "a test may panic outside its test functions too")]

mod connections;
mod faults;
mod keys;
mod secure;
mod setup;
