//! The generation of a server: the history of writes that its data set is part of.

/// An identifier of a server's history, of which it may have lost writes that it acknowledged in an earlier one: the
/// first 32 hexadecimal digits of its `master_replid`.
///
/// A master draws a new replication id at random when it starts, whatever it loads from disk, and when it stops to be a
/// replica. Only a replica takes over an id, and scripts that write fail there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Generation([u8; Self::LENGTH]);

impl Generation {
    pub(super) const LENGTH: usize = 32;
    /// A placeholder, for scripts that fill in the actual generation.
    pub(super) const UNKNOWN: Self = Self([b'0'; Self::LENGTH]);

    /// Parses the response to `INFO replication`; `None` if it does not contain the id.
    pub(super) fn from_info(info: &str) -> Option<Self> {
        let id = info.lines().find_map(|line| line.trim_end().strip_prefix("master_replid:"))?;
        Self::try_from(id.as_bytes().get(..Self::LENGTH)?).ok()
    }

    pub(super) const fn as_bytes(&self) -> &[u8; Self::LENGTH] {
        &self.0
    }
}

impl TryFrom<&[u8]> for Generation {
    type Error = std::array::TryFromSliceError;

    fn try_from(bytes: &[u8]) -> Result<Self, Self::Error> {
        bytes.try_into().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generation_is_parsed_from_server_info() {
        let info = format!("# Replication\r\nrole:master\r\nmaster_replid:{}\r\n", "b".repeat(40));
        assert_eq!(Generation::from_info(&info).map(|generation| *generation.as_bytes()), Some([b'b'; 32]));
    }

    #[test]
    fn incomplete_server_info_has_no_generation() {
        for info in ["", "role:master", "role:master\r\nmaster_replid2:bbbbbbbbbbbbbbbb", "master_replid:b"] {
            assert_eq!(Generation::from_info(info), None, "{info:?}");
        }
    }
}
