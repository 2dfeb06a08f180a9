//! The stored form of firm levels: a format byte, the generation of the server that scripts fill in, then the postcard
//! encoding of [`StoredLevels`]. Changing its fields requires a new format byte.

use firmquote_domain::{Address, Amount, BasisPoints, FirmLevels, LevelsId, PoolId, Price, StateId, Timestamp, U256};
use serde::{Deserialize, Serialize};

use crate::redis::{codec::Encoded, generation::Generation};

/// The format; the only one that is written and read.
const FORMAT: u8 = 1;

#[derive(Serialize, Deserialize)]
struct StoredLevels {
    tokens: [[u8; 20]; 2],
    price_steps: [u64; 2],
    state_id: [u8; 16],
    fee_hundredths: u32,
    time_in_seconds: u32,
    /// Limbs of 64 bits, lowest first: short for usual amounts.
    knots: Vec<[[u64; 4]; 2]>,
    budget: [u64; 4],
    valid_until_us: u64,
}

pub(super) fn encode(levels: &FirmLevels) -> Encoded {
    let limbs = |amount: &Amount| amount.base_units().into_limbs();
    let stored = StoredLevels {
        tokens: levels.tokens.map(Address::into_array),
        price_steps: levels.prices.map(Price::steps),
        state_id: *levels.state_id.as_bytes(),
        fee_hundredths: levels.fee.hundredths(),
        time_in_seconds: levels.time_in_seconds,
        knots: levels.knots.iter().map(|knot| knot.each_ref().map(limbs)).collect(),
        budget: limbs(&levels.budget),
        valid_until_us: levels.valid_until.as_micros(),
    };
    let mut bytes = Vec::with_capacity(512);
    bytes.push(FORMAT);
    bytes.extend(Generation::UNKNOWN.as_bytes());
    postcard::to_extend(&stored, bytes)
}

/// Decodes the levels `id` of `pool`; `None` if the value has another format.
pub(in crate::redis) fn decode(pool: PoolId, id: LevelsId, bytes: &[u8]) -> Option<FirmLevels> {
    let stored = bytes.strip_prefix(&[FORMAT])?.get(Generation::LENGTH..)?;
    let stored: StoredLevels = postcard::from_bytes(stored).ok()?;
    let amount = |limbs| Amount::new(U256::from_limbs(limbs));
    let knot = |[input, output]: [[u64; 4]; 2]| Some([amount(input)?, amount(output)?]);
    let [input_price, output_price] = stored.price_steps.map(Price::new);
    let knots = stored.knots.into_iter().map(knot).collect::<Option<Vec<_>>>()?;
    if !knots.is_sorted_by(|one, next| one[0] < next[0] && one[1] < next[1]) {
        return None;
    }
    Some(FirmLevels {
        id,
        pool,
        tokens: stored.tokens.map(Address::from),
        prices: [input_price?, output_price?],
        state_id: StateId::from_bytes(stored.state_id),
        fee: BasisPoints::from_hundredths(stored.fee_hundredths)?,
        time_in_seconds: stored.time_in_seconds,
        knots,
        budget: amount(stored.budget)?,
        valid_until: Timestamp::from_micros(stored.valid_until_us),
    })
}
