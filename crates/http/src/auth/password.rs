//! Passwords of the deprecated Basic scheme: generated once, displayed once, stored only as an argon2id hash.

use std::sync::Arc;

use alloy_primitives::hex;
use argon2::{Algorithm, Argon2, Block, Params, PasswordHasher, Version, password_hash::phc};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::{
    InvalidCredential,
    argon2_buffer_pool::AllocationError,
    invalid::{RandomnessUnavailable, random_bytes},
};

/// The configured form of a password: a PHC string of argon2id with bounded cost.
#[derive(Clone, PartialEq)]
pub struct PasswordHash {
    hash: Arc<Argon2idHash>,
    cost_kib: u64,
}

/// The parts of a PHC string.
#[derive(PartialEq)]
struct Argon2idHash {
    params: Params,
    salt: phc::Salt,
    output: phc::Output,
}

/// The password could not be verified: memory is missing, or argon2 does not accept the hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a password could not be checked: {0}")]
pub(super) struct PasswordCheckError(#[source] argon2::Error);

impl From<AllocationError> for PasswordCheckError {
    fn from(_: AllocationError) -> Self {
        Self(argon2::Error::OutOfMemory)
    }
}

impl PasswordHash {
    /// Parses a PHC string such as `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`.
    ///
    /// The cost is bounded in both directions: 7 to 256 MiB, 1 to 10 passes, 1 to 4 lanes.
    ///
    /// # Errors
    /// [`InvalidCredential::PasswordHash`] for another kind of hash or a missing part,
    /// [`InvalidCredential::PasswordCost`] for a cost, salt or hash outside the bounds.
    pub fn from_phc(text: &str) -> Result<Self, InvalidCredential> {
        const SHAPE: InvalidCredential = InvalidCredential::PasswordHash;
        let hash = phc::PasswordHash::new(text).map_err(|_| SHAPE)?;
        let is_argon2id = hash.algorithm == argon2::ARGON2ID_IDENT && hash.version == Some(Version::V0x13.into());
        let (Some(salt), Some(output), true) = (hash.salt, hash.hash, is_argon2id) else { return Err(SHAPE) };
        let params = Params::try_from(&hash).map_err(|_| SHAPE)?;
        let is_bounded = (7_168..=262_144).contains(&params.m_cost())
            && (1..=10).contains(&params.t_cost())
            && (1..=4).contains(&params.p_cost())
            && params.keyid().is_empty()
            && params.data().is_empty()
            && salt.len() >= 16
            && output.len() >= 16;
        if !is_bounded {
            return Err(InvalidCredential::PasswordCost);
        }
        let cost_kib = u64::from(params.m_cost()) * u64::from(params.t_cost());
        Ok(Self { hash: Arc::new(Argon2idHash { params, salt, output }), cost_kib })
    }

    /// Returns memory times passes: the duration of a check, up to a factor of the machine.
    pub(super) const fn cost_kib(&self) -> u64 {
        self.cost_kib
    }

    /// Returns the memory that [`Self::verify`] needs, in blocks of 1 KiB.
    pub(super) fn memory_blocks(&self) -> usize {
        self.hash.params.block_count()
    }

    /// Whether `password` matches the hash, computed in `memory`. The comparison takes constant time.
    ///
    /// Takes tens of milliseconds; not to be called on an async thread.
    ///
    /// # Errors
    /// [`PasswordCheckError`] when `memory` is smaller than [`Self::memory_blocks`], or argon2 does not accept the
    /// hash.
    pub(super) fn verify(&self, password: &str, memory: &mut [Block]) -> Result<bool, PasswordCheckError> {
        let Argon2idHash { params, salt, output } = self.hash.as_ref();
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone());
        let mut computed = Zeroizing::new(vec![0; output.len()]);
        argon2
            .hash_password_into_with_memory(password.as_bytes(), salt, &mut computed, memory)
            .map_err(PasswordCheckError)?;
        Ok(computed.as_slice().ct_eq(output.as_bytes()).into())
    }
}

/// A newly generated password, to be displayed to its client once.
pub struct NewPassword {
    password: Zeroizing<String>,
    phc: String,
}

impl NewPassword {
    /// Generates a password of 24 random bytes and its hash (19 MiB, 2 passes, 1 lane).
    ///
    /// # Errors
    /// [`RandomnessUnavailable`] when the system provides no randomness, or no memory for the hash.
    pub fn generate() -> Result<Self, RandomnessUnavailable> {
        let password = Zeroizing::new(hex::encode(Zeroizing::new(random_bytes::<24>()?).as_slice()));
        let salt = random_bytes::<16>()?;
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::DEFAULT);
        let hash: phc::PasswordHash = argon2
            .hash_password_with_salt(password.as_bytes(), &salt)
            .map_err(|error| RandomnessUnavailable(error.to_string()))?;
        Ok(Self { password, phc: hash.to_string() })
    }

    /// Returns the password as the client sends it.
    pub fn reveal(&self) -> &str {
        &self.password
    }

    /// Returns the PHC string of the password as the operator configures it.
    pub fn phc(&self) -> &str {
        &self.phc
    }
}

#[cfg(test)]
mod tests {
    use argon2::CustomizedPasswordHasher as _;

    use super::*;

    const SALT: &str = "c29tZXNhbHRzb21lc2FsdA";
    const OUTPUT: &str = "CWOrkoo7oJBQ/iyh7uJ0LO2aLEfrHwTWllSAxT0zRno";

    #[test]
    fn a_new_password_matches_its_stored_hash() {
        let password = NewPassword::generate().unwrap();
        let stored = PasswordHash::from_phc(password.phc()).unwrap();
        let mut memory = vec![Block::new(); stored.memory_blocks()];
        assert_eq!(stored.verify(password.reveal(), &mut memory), Ok(true));
        assert_eq!(stored.verify("guess", &mut memory), Ok(false));
        assert_eq!(stored.verify(password.reveal(), &mut memory), Ok(true));
        assert_eq!(stored.verify("guess", &mut []), Err(PasswordCheckError(argon2::Error::MemoryTooLittle)));
    }

    #[test]
    fn hashes_of_any_permitted_cost_and_length_are_verified() {
        let made = Argon2::default();
        for (memory_kib, passes, lanes, length) in [(19_456, 2, 1, 32), (7_169, 1, 4, 16), (8_192, 3, 2, 64)] {
            let params = Params::new(memory_kib, passes, lanes, Some(length)).unwrap();
            let hash: phc::PasswordHash =
                made.hash_password_customized(b"secret", b"somesaltsomesalt", None, None, params).unwrap();
            let stored = PasswordHash::from_phc(&hash.to_string()).unwrap();
            let mut memory = vec![Block::new(); 19_456];
            assert_eq!(stored.verify("secret", &mut memory), Ok(true), "{hash}");
            assert_eq!(stored.verify("Secret", &mut memory), Ok(false), "{hash}");
        }
    }

    #[test]
    fn other_hash_algorithms_are_rejected() {
        for text in [
            String::new(),
            "password".into(),
            format!("$argon2i$v=19$m=19456,t=2,p=1${SALT}${OUTPUT}"),
            format!("$argon2id$v=16$m=19456,t=2,p=1${SALT}${OUTPUT}"),
            format!("$argon2id$m=19456,t=2,p=1${SALT}${OUTPUT}"),
            format!("$argon2id$v=19$m=19456,t=2,p=1${SALT}"),
            format!("$argon2id$v=19$m=19456,t=2,p=1,x=1${SALT}${OUTPUT}"),
        ] {
            assert_eq!(PasswordHash::from_phc(&text).err(), Some(InvalidCredential::PasswordHash), "{text}");
        }
    }

    #[test]
    fn password_cost_is_bounded_below_and_above() {
        let stored = |params: &str| PasswordHash::from_phc(&format!("$argon2id$v=19${params}${SALT}${OUTPUT}")).err();
        assert_eq!(stored("m=7168,t=5,p=1"), None);
        assert_eq!(stored("m=262144,t=10,p=4"), None);
        for params in
            ["m=7167,t=5,p=1", "m=262145,t=1,p=1", "m=4294967295,t=1,p=1", "m=19456,t=11,p=1", "m=19456,t=2,p=5"]
        {
            assert_eq!(stored(params), Some(InvalidCredential::PasswordCost), "{params}");
        }
        let short_salt = format!("$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ${OUTPUT}");
        assert_eq!(PasswordHash::from_phc(&short_salt).err(), Some(InvalidCredential::PasswordCost));
    }
}
