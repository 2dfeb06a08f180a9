//! Injectable faults of a signing service.

/// A route of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// `GET /api/v1/eth1/publicKeys`.
    List,
    /// `POST /api/v1/eth1/sign/{identifier}`.
    Sign,
}

/// A fault that replaces the regular response.
#[derive(Clone)]
pub enum Fault {
    /// Returns this status with an empty body.
    Status(u16),
    /// Returns a 200 with this body.
    Text(String),
    /// Sends part of a response and closes the connection.
    HalfAnswer,
    /// Closes the connection without a response.
    Closes,
    /// Reads the request and does not respond until the connection is closed.
    Silence,
    /// Signs, and then modifies r, s and v.
    Altered(fn([u8; 65]) -> Vec<u8>),
}
