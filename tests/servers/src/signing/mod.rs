//! A signing service with the API of Web3Signer, one key and injectable faults.

mod certificates;
mod fault;
mod http;
mod key;
mod service;

pub use self::{
    certificates::Certificates,
    fault::{Fault, Route},
    service::{ReceivedRequest, SigningService},
};
