//! The generation of a server: its process and the origin of its data.

/// An identifier of a server's data set. It changes with every restart (`run_id`), and whenever the server starts to
/// replicate from another one or becomes a master (`master_replid`); writes that one generation acknowledged may be
/// missing in the next.
///
/// The first 16 hexadecimal digits of each, concatenated as in the scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Generation([u8; Self::LENGTH]);

impl Generation {
    pub(super) const LENGTH: usize = 32;
    /// A placeholder, for scripts that fill in the actual generation.
    pub(super) const UNKNOWN: Self = Self([b'0'; Self::LENGTH]);

    /// Parses the response to `INFO`; `None` if it does not contain both ids.
    pub(super) fn from_info(info: &str) -> Option<Self> {
        let field = |name: &str| {
            let value = info.lines().find_map(|line| line.trim_end().strip_prefix(name)?.strip_prefix(':'))?;
            value.as_bytes().get(..Self::LENGTH / 2)
        };
        let halves = [field("run_id")?, field("master_replid")?].concat();
        Self::try_from(halves.as_slice()).ok()
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
        let info = format!("# Server\r\nrun_id:{}\r\nmaster_replid:{}\r\n", "a".repeat(40), "b".repeat(40));
        let expected = [[b'a'; 16], [b'b'; 16]].concat();
        assert_eq!(Generation::from_info(&info).map(|generation| generation.as_bytes().to_vec()), Some(expected));
    }

    #[test]
    fn incomplete_server_info_has_no_generation() {
        for info in [
            "",
            "run_id:aaaaaaaaaaaaaaaaaaaa",
            "run_id:aaaaaaaaaaaaaaaa\r\nmaster_replid2:bbbbbbbbbbbbbbbb",
            "run_id:a\nmaster_replid:b",
        ] {
            assert_eq!(Generation::from_info(info), None, "{info:?}");
        }
    }
}
