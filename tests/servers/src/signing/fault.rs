//! What can go wrong with a signing service.

/// What is asked of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// `GET /api/v1/eth1/publicKeys`.
    List,
    /// `POST /api/v1/eth1/sign/{identifier}`.
    Sign,
}

/// What it does instead of answering.
#[derive(Clone)]
pub enum Fault {
    /// Answers with this status and nothing else.
    Status(u16),
    /// Answers with this text.
    Text(String),
    /// Announces an answer, sends a part of it and closes the connection.
    HalfAnswer,
    /// Closes the connection without a word.
    Closes,
    /// Reads the question and says nothing until it is stopped.
    Silence,
    /// Signs, and then changes r, s and v.
    Altered(fn([u8; 65]) -> Vec<u8>),
}
