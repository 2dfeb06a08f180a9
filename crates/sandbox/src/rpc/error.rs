//! Errors of calls.

/// The error of a call, with the code and in the words of common nodes, by which libraries tell errors apart.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RpcError {
    pub(super) code: i32,
    pub(super) message: String,
    /// The data of a reverted call.
    pub(super) data: Option<String>,
}

impl RpcError {
    pub(super) fn invalid_params(message: impl Into<String>) -> Self {
        Self { code: -32_602, message: message.into(), data: None }
    }

    pub(super) fn unknown_method(method: &str) -> Self {
        Self { code: -32_601, message: format!("the method {method} does not exist/is not available"), data: None }
    }

    pub(super) fn rejected(message: String) -> Self {
        Self { code: -32_000, message, data: None }
    }
}
