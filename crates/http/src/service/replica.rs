//! What the operator's page shows of one replica of the service.

/// A replica of the service, as the operator's page shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplicaStatus {
    /// The name of the replica, such as that of its machine; `None` if it has none.
    pub name: Option<String>,
    /// Why files that have changed are not in effect, each in a sentence.
    pub rejected_files: Vec<String>,
}
