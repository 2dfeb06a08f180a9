//! A signing service that speaks as Web3Signer does, with one key, and fails as it is told to.

mod certificates;
mod fault;
mod http;
mod key;
mod service;

pub use self::{
    certificates::Certificates,
    fault::{Fault, Route},
    service::{Asked, SigningService},
};
